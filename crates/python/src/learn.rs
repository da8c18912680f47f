//! `QLearner`, `TdLearner` and `Network`: learning from play, arrays as bytes in and out.

use std::sync::{Mutex, PoisonError};

use noughts_kernel::capture::AnyCapture;
use noughts_kernel::connect::AnyConnect;
use noughts_kernel::encode::Encode;
use noughts_kernel::learn::{
    codes_after, look, Grade, Network as KernelNetwork, Opponent, Played, QLearner as KernelQ,
    Report, Schedule, TdLearner as KernelTd, TdOptions, Training, TupleTables,
};
use noughts_kernel::limits::Limits;
use noughts_kernel::lines::AnyLines;
use noughts_kernel::position::{Move, Position};
use noughts_kernel::KernelError;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::answers::trained_dict;
use crate::search::{raise, run, Limited};
use crate::tables::{on_position, Moment, Tables};

/// Runs something on several positions of one game, whatever its family and word size.
macro_rules! on_positions {
    ($tables:expr, $moments:expr, |$roots:ident| $body:expr) => {{
        match &$tables.family {
            $crate::tables::Family::Lines(tables) => {
                let (mut small, mut wide) = (Vec::new(), Vec::new());
                for (cells, turn, _) in &$moments {
                    let cells = $crate::tables::seats(cells)?;
                    match AnyLines::setup(tables, &cells, *turn)? {
                        AnyLines::Small(position) => small.push(position),
                        AnyLines::Wide(position) => wide.push(*position),
                    }
                }
                if wide.is_empty() {
                    let $roots = small;
                    $body
                } else {
                    let $roots = wide;
                    $body
                }
            }
            $crate::tables::Family::Connect(tables) => {
                let (mut small, mut middle, mut wide) = (Vec::new(), Vec::new(), Vec::new());
                for (cells, turn, swap) in &$moments {
                    let cells = $crate::tables::seats(cells)?;
                    match AnyConnect::setup(tables, &cells, *turn, *swap)? {
                        AnyConnect::Small(position) => small.push(position),
                        AnyConnect::Middle(position) => middle.push(position),
                        AnyConnect::Wide(position) => wide.push(position),
                    }
                }
                if !wide.is_empty() {
                    let $roots = wide;
                    $body
                } else if !middle.is_empty() {
                    let $roots = middle;
                    $body
                } else {
                    let $roots = small;
                    $body
                }
            }
            $crate::tables::Family::Capture(tables) => {
                let (mut small, mut wide) = (Vec::new(), Vec::new());
                for (cells, turn, _) in &$moments {
                    let cells = $crate::tables::seats(cells)?;
                    match AnyCapture::setup(tables, &cells, *turn)? {
                        AnyCapture::Small(position) => small.push(position),
                        AnyCapture::Wide(position) => wide.push(position),
                    }
                }
                if wide.is_empty() {
                    let $roots = small;
                    $body
                } else {
                    let $roots = wide;
                    $body
                }
            }
        }
    }};
}

/// The numbers of a training, as Python gives them: seed, total games, epsilon, rate, discount,
/// opponent, threads.
type Numbers = (u64, u64, (f32, f32), (f32, f32), f32, String, usize);

fn training(numbers: Numbers) -> PyResult<Training> {
    let (seed, total, epsilon, rate, discount, opponent, threads) = numbers;
    let schedule = |(from, to)| Schedule { from, to };
    let opponent = match opponent.as_str() {
        "itself" => Opponent::Itself,
        "random" => Opponent::Random,
        "perfect" => Opponent::Perfect,
        other => {
            let why = format!("{other:?} is no opponent the kernel knows");
            return Err(PyValueError::new_err(why));
        }
    };
    Ok(Training {
        seed,
        total,
        epsilon: schedule(epsilon),
        rate: schedule(rate),
        discount,
        opponent,
        threads,
    })
}

fn floats(bytes: &[u8]) -> Vec<f32> {
    let value = |part: &[u8]| f32::from_le_bytes([part[0], part[1], part[2], part[3]]);
    bytes.chunks_exact(4).map(value).collect()
}

fn bytes_of<'py>(py: Python<'py>, values: &[f32]) -> Bound<'py, PyBytes> {
    let bytes: Vec<u8> = values
        .iter()
        .flat_map(|value| value.to_le_bytes())
        .collect();
    PyBytes::new(py, &bytes)
}

/// A table in training, of any family and word size.
trait Tabular: Send {
    fn games(&self) -> u64;
    fn classes(&self) -> usize;
    fn train(
        &mut self,
        games: u64,
        how: &Training,
        limits: &Limits<'_>,
    ) -> Result<Report, KernelError>;
    fn follow(
        &mut self,
        root: usize,
        moves: &[Move],
        rate: f32,
        discount: f32,
    ) -> Result<f64, KernelError>;
    fn grade(&self) -> Grade;
    fn rows(&self) -> Vec<(u128, f32, u32)>;
    fn restore(&mut self, games: u64, rows: &[(u128, f32, u32)]) -> Result<(), KernelError>;
    fn value(&self, code: u128) -> Option<(f32, u32)>;
}

impl<P: Encode> Tabular for KernelQ<P> {
    fn games(&self) -> u64 {
        KernelQ::games(self)
    }
    fn classes(&self) -> usize {
        self.atlas().len()
    }
    fn train(
        &mut self,
        games: u64,
        how: &Training,
        limits: &Limits<'_>,
    ) -> Result<Report, KernelError> {
        KernelQ::train(self, games, how, limits)
    }
    fn follow(
        &mut self,
        root: usize,
        moves: &[Move],
        rate: f32,
        discount: f32,
    ) -> Result<f64, KernelError> {
        KernelQ::follow(self, root, moves, rate, discount)
    }
    fn grade(&self) -> Grade {
        self.atlas().grade(self.values())
    }
    fn rows(&self) -> Vec<(u128, f32, u32)> {
        let rows = self.atlas().codes().iter().zip(self.values());
        let rows = rows.zip(self.visits());
        let rows = rows.map(|((code, value), visits)| (*code, *value, *visits));
        rows.filter(|(_, _, visits)| *visits > 0).collect()
    }
    fn restore(&mut self, games: u64, rows: &[(u128, f32, u32)]) -> Result<(), KernelError> {
        KernelQ::restore(self, games, rows.iter().copied())
    }
    fn value(&self, code: u128) -> Option<(f32, u32)> {
        let class = self.atlas().find(code)?;
        Some((self.values()[class], self.visits()[class]))
    }
}

/// A table of values that learns from play.
#[pyclass(frozen, module = "noughts._kernel")]
pub struct QLearner {
    inner: Mutex<Box<dyn Tabular>>,
}

impl QLearner {
    fn with<T>(&self, work: impl FnOnce(&mut dyn Tabular) -> T) -> T {
        // A panic in between leaves a table that is still memory safe.
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        work(inner.as_mut())
    }
}

#[pymethods]
impl QLearner {
    /// An empty table for games that begin at the roots in turn; with `tiles` the margin counts.
    #[new]
    fn new(
        py: Python<'_>,
        tables: &Tables,
        roots: Vec<Moment>,
        tiles: bool,
        limited: &Limited,
    ) -> PyResult<Self> {
        let made = run(
            py,
            limited,
            |limits| -> Result<Box<dyn Tabular>, KernelError> {
                on_positions!(tables, roots, |roots| Ok(Box::new(KernelQ::new(
                    &roots, tiles, limits
                )?)))
            },
        )?;
        let inner = Mutex::new(made);
        Ok(Self { inner })
    }

    /// Games learned from.
    #[getter]
    fn games(&self) -> u64 {
        self.with(|table| table.games())
    }

    /// Classes of positions that there are.
    #[getter]
    fn classes(&self) -> usize {
        self.with(|table| table.classes())
    }

    /// Learns from so many more games.
    fn train<'py>(
        &self,
        py: Python<'py>,
        games: u64,
        numbers: Numbers,
        limited: &Limited,
    ) -> PyResult<Bound<'py, PyDict>> {
        let how = training(numbers)?;
        let report = run(py, limited, |limits| {
            self.with(|table| table.train(games, &how, limits))
        })?;
        trained_dict(py, &report)
    }

    /// Learns from one game that was played from a root; returns the mean error.
    fn follow(
        &self,
        py: Python<'_>,
        root: usize,
        moves: Vec<Move>,
        rate: f32,
        discount: f32,
    ) -> PyResult<f64> {
        self.with(|table| table.follow(root, &moves, rate, discount))
            .map_err(|error| raise(py, &error))
    }

    /// Compares the preferred moves with best play: classes, best choices, sound ones, points lost.
    fn grade(&self, py: Python<'_>) -> (u64, u64, u64, f64) {
        let grade = py.detach(|| self.with(|table| table.grade()));
        (grade.positions, grade.optimal, grade.sound, grade.lost)
    }

    /// What each legal move is worth, and how often it was learned from.
    fn rate(
        &self,
        py: Python<'_>,
        tables: &Tables,
        moment: Moment,
    ) -> PyResult<Vec<(Move, f32, u32)>> {
        let codes = codes(tables, &moment).map_err(|error| raise(py, &error))?;
        let row = |table: &dyn Tabular, (mv, code)| {
            let (value, visits) = table.value(code).unwrap_or_default();
            (mv, value, visits)
        };
        Ok(self.with(|table| codes.into_iter().map(|entry| row(table, entry)).collect()))
    }

    /// What was learned: codes (16 bytes each, most significant first, ascending), values, visits.
    #[allow(clippy::type_complexity)] // three arrays
    fn arrays<'py>(
        &self,
        py: Python<'py>,
    ) -> (
        Bound<'py, PyBytes>,
        Bound<'py, PyBytes>,
        Bound<'py, PyBytes>,
    ) {
        let mut rows = self.with(|table| table.rows());
        rows.sort_unstable_by_key(|row| row.0);
        let codes: Vec<u8> = rows.iter().flat_map(|row| row.0.to_be_bytes()).collect();
        let values: Vec<f32> = rows.iter().map(|row| row.1).collect();
        let visits: Vec<u8> = rows.iter().flat_map(|row| row.2.to_le_bytes()).collect();
        (
            PyBytes::new(py, &codes),
            bytes_of(py, &values),
            PyBytes::new(py, &visits),
        )
    }

    /// Puts back what `arrays` gave after so many games.
    fn restore(
        &self,
        py: Python<'_>,
        games: u64,
        codes: &[u8],
        values: &[u8],
        visits: &[u8],
    ) -> PyResult<()> {
        let code = |part: &[u8]| {
            part.iter()
                .fold(0u128, |code, byte| code << 8 | u128::from(*byte))
        };
        let count = |part: &[u8]| u32::from_le_bytes([part[0], part[1], part[2], part[3]]);
        let rows: Vec<(u128, f32, u32)> = codes
            .chunks_exact(16)
            .map(code)
            .zip(floats(values))
            .zip(visits.chunks_exact(4).map(count))
            .map(|((code, value), visits)| (code, value, visits))
            .collect();
        self.with(|table| table.restore(games, &rows))
            .map_err(|error| raise(py, &error))
    }
}

/// The class code of the position after each legal move.
pub fn codes(tables: &Tables, moment: &Moment) -> Result<Vec<(Move, u128)>, KernelError> {
    on_position!(tables, *moment, |position| codes_after(&position))
}

/// A network in training, of any family and word size.
trait Tuples: Send {
    fn games(&self) -> u64;
    fn train(
        &mut self,
        games: u64,
        how: (&Training, &TdOptions),
        limits: &Limits<'_>,
    ) -> Result<Report, KernelError>;
    fn follow(
        &mut self,
        game: &Played<'_>,
        how: (&Training, &TdOptions),
    ) -> Result<f64, KernelError>;
    fn arrays(&self) -> [Vec<f32>; 3];
    fn network(&self) -> &KernelNetwork;
    fn restore(&mut self, games: u64, arrays: [&[f32]; 3]) -> Result<(), KernelError>;
}

impl<P: Position> Tuples for KernelTd<P> {
    fn games(&self) -> u64 {
        KernelTd::games(self)
    }
    fn train(
        &mut self,
        games: u64,
        how: (&Training, &TdOptions),
        limits: &Limits<'_>,
    ) -> Result<Report, KernelError> {
        KernelTd::train(self, games, how.0, how.1, limits)
    }
    fn follow(
        &mut self,
        game: &Played<'_>,
        how: (&Training, &TdOptions),
    ) -> Result<f64, KernelError> {
        KernelTd::follow(self, game, how.0, how.1)
    }
    fn network(&self) -> &KernelNetwork {
        KernelTd::network(self)
    }
    fn arrays(&self) -> [Vec<f32>; 3] {
        let (sums, sizes) = self.coherence();
        [
            self.network().weights().to_vec(),
            sums.to_vec(),
            sizes.to_vec(),
        ]
    }
    fn restore(&mut self, games: u64, arrays: [&[f32]; 3]) -> Result<(), KernelError> {
        KernelTd::restore(self, games, arrays[0], arrays[1], arrays[2])
    }
}

fn network(
    cells: usize,
    tuples: Vec<Vec<u16>>,
    groups: Vec<u16>,
) -> Result<KernelNetwork, KernelError> {
    KernelNetwork::new(TupleTables {
        cells,
        tuples,
        tables: groups,
    })
}

/// A network of tuples that learns from play.
#[pyclass(frozen, module = "noughts._kernel")]
pub struct TdLearner {
    inner: Mutex<Box<dyn Tuples>>,
}

impl TdLearner {
    fn with<T>(&self, work: impl FnOnce(&mut dyn Tuples) -> T) -> T {
        // A panic in between leaves a network that is still memory safe.
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        work(inner.as_mut())
    }
}

#[pymethods]
impl TdLearner {
    /// A network of the tuples, each with the number of its table, for games from the roots.
    #[new]
    fn new(
        py: Python<'_>,
        tables: &Tables,
        roots: Vec<Moment>,
        tuples: Vec<Vec<u16>>,
        groups: Vec<u16>,
    ) -> PyResult<Self> {
        let made = || -> Result<Box<dyn Tuples>, KernelError> {
            let cells = roots.first().map_or(0, |(cells, _, _)| cells.len());
            let fresh = network(cells, tuples, groups)?;
            on_positions!(tables, roots, |roots| Ok(Box::new(KernelTd::new(
                &roots, fresh
            )?)))
        };
        let inner = Mutex::new(made().map_err(|error| raise(py, &error))?);
        Ok(Self { inner })
    }

    /// Games learned from.
    #[getter]
    fn games(&self) -> u64 {
        self.with(|network| network.games())
    }

    /// Learns from so many more games; `more` is how far returns look ahead, and the most random
    /// moves that open a game.
    fn train<'py>(
        &self,
        py: Python<'py>,
        games: u64,
        numbers: Numbers,
        more: (f32, u32),
        limited: &Limited,
    ) -> PyResult<Bound<'py, PyDict>> {
        let how = training(numbers)?;
        let more = options(more);
        let report = run(py, limited, |limits| {
            self.with(|network| network.train(games, (&how, &more), limits))
        })?;
        trained_dict(py, &report)
    }

    /// Learns from one game: its root, how many of its first moves were drawn by lot, and the
    /// learner's seat, if it had but one. Returns the mean error.
    fn follow(
        &self,
        py: Python<'_>,
        game: (usize, usize, Option<u8>),
        moves: Vec<Move>,
        numbers: Numbers,
        more: (f32, u32),
    ) -> PyResult<f64> {
        let how = training(numbers)?;
        let (root, opening, seat) = game;
        let game = Played {
            root,
            moves: &moves,
            opening,
            seat,
        };
        self.with(|network| network.follow(&game, (&how, &options(more))))
            .map_err(|error| raise(py, &error))
    }

    /// What each legal move is worth now.
    fn rate(&self, py: Python<'_>, tables: &Tables, moment: Moment) -> PyResult<Vec<(Move, f32)>> {
        self.with(|learner| rated(learner.network(), tables, &moment, 1))
            .map_err(|error| raise(py, &error))
    }

    /// The weights, and the sums of their errors and of those errors' sizes.
    #[allow(clippy::type_complexity)] // three arrays
    fn arrays<'py>(
        &self,
        py: Python<'py>,
    ) -> (
        Bound<'py, PyBytes>,
        Bound<'py, PyBytes>,
        Bound<'py, PyBytes>,
    ) {
        let [weights, sums, sizes] = self.with(|network| network.arrays());
        (
            bytes_of(py, &weights),
            bytes_of(py, &sums),
            bytes_of(py, &sizes),
        )
    }

    /// Puts back what `arrays` gave after so many games.
    fn restore(
        &self,
        py: Python<'_>,
        games: u64,
        weights: &[u8],
        sums: &[u8],
        sizes: &[u8],
    ) -> PyResult<()> {
        let arrays = [floats(weights), floats(sums), floats(sizes)];
        self.with(|network| network.restore(games, [&arrays[0], &arrays[1], &arrays[2]]))
            .map_err(|error| raise(py, &error))
    }
}

fn options((lambda, opening): (f32, u32)) -> TdOptions {
    TdOptions { lambda, opening }
}

/// A network of tuples that plays.
#[pyclass(frozen, module = "noughts._kernel")]
pub struct Network {
    inner: KernelNetwork,
}

#[pymethods]
impl Network {
    /// A network for a board of some cells, with the weights that `TdLearner.arrays` gave.
    #[new]
    fn new(
        py: Python<'_>,
        cells: usize,
        tuples: Vec<Vec<u16>>,
        groups: Vec<u16>,
        weights: &[u8],
    ) -> PyResult<Self> {
        let made = || {
            let mut inner = network(cells, tuples, groups)?;
            let weights = floats(weights);
            let wanted = inner.weights().len();
            if weights.len() != wanted {
                let why = format!("{} weights, not {wanted}", weights.len());
                return Err(KernelError::Shape(why));
            }
            inner.weights_mut().copy_from_slice(&weights);
            Ok(Self { inner })
        };
        made().map_err(|error| raise(py, &error))
    }

    /// What each legal move is worth, looking some plies ahead.
    fn rate(
        &self,
        py: Python<'_>,
        tables: &Tables,
        moment: Moment,
        depth: u32,
    ) -> PyResult<Vec<(Move, f32)>> {
        py.detach(|| rated(&self.inner, tables, &moment, depth))
            .map_err(|error| raise(py, &error))
    }
}

/// What each legal move is worth to a network that looks some plies ahead.
fn rated(
    network: &KernelNetwork,
    tables: &Tables,
    moment: &Moment,
    depth: u32,
) -> Result<Vec<(Move, f32)>, KernelError> {
    on_position!(tables, *moment, |position| {
        if position.cells() != network.shape().cells || position.players() != 2 {
            let why = "a network on a board that is not its own".to_string();
            return Err(KernelError::Unsupported(why));
        }
        let rated = look(network, &position, depth);
        Ok(rated.iter().map(|entry| (entry.mv, entry.value)).collect())
    })
}
