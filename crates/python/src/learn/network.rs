//! Networks of tuples: one that learns, and one that only plays.

use noughts_kernel::learn::{
    look, Network as KernelNetwork, Played, Report, TdLearner as KernelTd, TdOptions, Training,
    TupleTables,
};
use noughts_kernel::limits::Limits;
use noughts_kernel::position::{Move, Position};
use noughts_kernel::KernelError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use super::{bytes_of, floats, training, Held, Numbers};
use crate::answers::trained_dict;
use crate::search::{raise, run, Limited};
use crate::tables::{on_position, Moment, Tables};

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
    inner: Held<dyn Tuples>,
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
        let inner = Held::new(made().map_err(|error| raise(py, &error))?);
        Ok(Self { inner })
    }

    /// Games learned from.
    #[getter]
    fn games(&self) -> u64 {
        self.inner.with(|network| network.games())
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
            self.inner
                .with(|network| network.train(games, (&how, &more), limits))
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
        self.inner
            .with(|network| network.follow(&game, (&how, &options(more))))
            .map_err(|error| raise(py, &error))
    }

    /// What each legal move is worth now.
    fn rate(&self, py: Python<'_>, tables: &Tables, moment: Moment) -> PyResult<Vec<(Move, f32)>> {
        self.inner
            .with(|learner| rated(learner.network(), tables, &moment, 1))
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
        let [weights, sums, sizes] = self.inner.with(|network| network.arrays());
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
        self.inner
            .with(|network| network.restore(games, [&arrays[0], &arrays[1], &arrays[2]]))
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
