//! Networks of tuples: one that learns, and one that only plays.

use noughts_kernel::learn::{
    look, Network as KernelNetwork, Played, Report, TdLearner as KernelTd, TdOptions, Training,
    TupleTables, Update,
};
use noughts_kernel::limits::Limits;
use noughts_kernel::position::{Move, Position};
use noughts_kernel::KernelError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use super::{bytes_of, floats, schedule};
use crate::answers::trained_dict;
use crate::held::Held;
use crate::search::{raise, run, Limited};
use crate::tables::{on_game, Moment, Tables};

/// A network in training, of any family and word size.
trait Tuples: Send {
    fn games(&self) -> u64;
    fn train(
        &mut self,
        games: u64,
        how: (&Training, &TdOptions),
        limits: &Limits<'_>,
    ) -> Result<Report, KernelError>;
    fn learn(&mut self, game: &Played<'_>, update: &Update) -> Result<f64, KernelError>;
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
    fn learn(&mut self, game: &Played<'_>, update: &Update) -> Result<f64, KernelError> {
        KernelTd::learn(self, game, update)
    }
    fn network(&self) -> &KernelNetwork {
        KernelTd::network(self)
    }
    fn arrays(&self) -> [Vec<f32>; 3] {
        let (sums, sizes) = self.coherence();
        [self.network().weights(), sums, sizes].map(<[f32]>::to_vec)
    }
    fn restore(&mut self, games: u64, arrays: [&[f32]; 3]) -> Result<(), KernelError> {
        KernelTd::restore(self, games, arrays[0], arrays[1], arrays[2])
    }
}

fn network(
    cells: usize,
    tuples: Vec<Vec<u16>>,
    groups: Vec<u16>,
    mirror: Vec<u16>,
) -> Result<KernelNetwork, KernelError> {
    KernelNetwork::new(TupleTables {
        cells,
        tuples,
        tables: groups,
        mirror,
    })
}

/// A network of tuples that learns from play.
#[pyclass(frozen, module = "noughts._kernel")]
pub struct TdLearner {
    inner: Held<dyn Tuples>,
}

#[pymethods]
impl TdLearner {
    /// A network of the tuples, each with the number of its table, for games from the roots. `mirror`
    /// says where the second seat sees each cell; empty, it sees what the first does.
    #[new]
    #[pyo3(signature = (tables, *, roots, tuples, groups, mirror))]
    fn new(
        py: Python<'_>,
        tables: &Tables,
        roots: Vec<Moment>,
        tuples: Vec<Vec<u16>>,
        groups: Vec<u16>,
        mirror: Vec<u16>,
    ) -> PyResult<Self> {
        let made = || -> Result<Box<dyn Tuples>, KernelError> {
            let cells = roots.first().map_or(0, Moment::size);
            let fresh = network(cells, tuples, groups, mirror)?;
            on_game!(tables.game, |start| {
                let roots = start.positions(&roots)?;
                Ok(Box::new(KernelTd::new(&roots, fresh)?))
            })
        };
        let inner = Held::new(made().map_err(|error| raise(py, &error))?);
        Ok(Self { inner })
    }

    /// Games learned from.
    #[getter]
    fn games(&self, py: Python<'_>) -> u64 {
        self.inner.detached(py, |network| network.games())
    }

    /// Learns from so many more games. `epsilon` and `rate` go from the first number to the second
    /// over `total` games; `trace` is how far returns look ahead, `opening` the most random moves that
    /// open a game.
    #[pyo3(signature = (
        limited, *, games, seed, total, epsilon, rate, discount, opponent, threads=1, trace, opening
    ))]
    #[allow(clippy::too_many_arguments)] // keywords in Python
    fn train<'py>(
        &self,
        py: Python<'py>,
        limited: &Limited,
        games: u64,
        seed: u64,
        total: u64,
        epsilon: (f32, f32),
        rate: (f32, f32),
        discount: f32,
        opponent: &str,
        threads: usize,
        trace: f32,
        opening: u32,
    ) -> PyResult<Bound<'py, PyDict>> {
        let how = Training {
            seed,
            total,
            epsilon: schedule(epsilon),
            rate: schedule(rate),
            discount,
            opponent: super::opponent(opponent)?,
            threads,
        };
        let options = TdOptions {
            lambda: trace,
            opening,
        };
        let report = run(py, limited, |limits| {
            self.inner
                .with(|network| network.train(games, (&how, &options), limits))
        })?;
        trained_dict(py, &report)
    }

    /// Learns from one game that was played from a root, of which the first `opening` moves were
    /// random; `seat` is the learner's, if it had only one. The rate is the one that `train` would
    /// use next. Returns the mean error.
    #[pyo3(signature = (moves, *, root, opening, seat, total, rate, discount, trace))]
    #[allow(clippy::too_many_arguments)] // keywords in Python
    fn learn(
        &self,
        py: Python<'_>,
        moves: Vec<Move>,
        root: usize,
        opening: usize,
        seat: Option<u8>,
        total: u64,
        rate: (f32, f32),
        discount: f32,
        trace: f32,
    ) -> PyResult<f64> {
        let game = Played {
            root,
            moves: &moves,
            opening,
            seat,
        };
        self.inner
            .detached(py, |network| {
                let update = Update {
                    rate: schedule(rate).at(network.games(), total),
                    discount,
                    lambda: trace,
                };
                network.learn(&game, &update)
            })
            .map_err(|error| raise(py, &error))
    }

    /// What each legal move is worth now.
    fn rate(&self, py: Python<'_>, tables: &Tables, moment: &Moment) -> PyResult<Vec<(Move, f32)>> {
        self.inner
            .detached(py, |learner| rated(learner.network(), tables, moment, 1))
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
        let [weights, sums, sizes] = self.inner.detached(py, |network| network.arrays());
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
            .detached(py, |network| {
                network.restore(games, [&arrays[0], &arrays[1], &arrays[2]])
            })
            .map_err(|error| raise(py, &error))
    }
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
    #[pyo3(signature = (*, cells, tuples, groups, mirror, weights))]
    fn new(
        py: Python<'_>,
        cells: usize,
        tuples: Vec<Vec<u16>>,
        groups: Vec<u16>,
        mirror: Vec<u16>,
        weights: &[u8],
    ) -> PyResult<Self> {
        let made = || {
            let mut inner = network(cells, tuples, groups, mirror)?;
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
    #[pyo3(signature = (tables, moment, *, depth))]
    fn rate(
        &self,
        py: Python<'_>,
        tables: &Tables,
        moment: &Moment,
        depth: u32,
    ) -> PyResult<Vec<(Move, f32)>> {
        py.detach(|| rated(&self.inner, tables, moment, depth))
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
    on_game!(tables.game, |start| {
        let position = start.position(moment)?;
        if position.cells() != network.shape().cells || position.players() != 2 {
            let why = "a network on a board that is not its own".to_string();
            return Err(KernelError::Unsupported(why));
        }
        let rated = look(network, &position, depth);
        Ok(rated.iter().map(|entry| (entry.mv, entry.value)).collect())
    })
}
