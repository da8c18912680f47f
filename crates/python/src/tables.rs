//! `Tables`: one compiled game and the searches over its positions.

use std::sync::Arc;

use noughts_kernel::bits::Bits;
use noughts_kernel::capture::{AnyCapture, Capture, CaptureTables};
use noughts_kernel::connect::{AnyConnect, Connect, ConnectTables};
use noughts_kernel::count::count;
use noughts_kernel::lines::{AnyLines, Lines, LinesTables, WinningSet};
use noughts_kernel::mcts::{mcts, MctsOptions};
use noughts_kernel::perft::perft;
use noughts_kernel::playouts::playouts;
use noughts_kernel::search::{Options as SolveOptions, Solve};
use noughts_kernel::KernelError;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::answers::{count_dict, map_dict, mcts_dict, tally_dict, verdict_dict};
use crate::learn::codes;
use crate::search::{raise, run, Limited};

/// A compiled game of any family and word size, as its empty board.
pub enum Game {
    Lines(AnyLines),
    Connect(AnyConnect),
    Capture(AnyCapture),
}

/// A game compiled to tables, once; searches start from moments of it.
#[pyclass(frozen, module = "noughts._kernel")]
pub struct Tables {
    pub game: Arc<Game>,
}

impl Tables {
    fn new(py: Python<'_>, game: Result<Game, KernelError>) -> PyResult<Self> {
        let game = Arc::new(game.map_err(|error| raise(py, &error))?);
        Ok(Self { game })
    }
}

/// One position of a game, as Python gives it.
#[pyclass(frozen, eq, from_py_object, module = "noughts._kernel")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    cells: Vec<i8>,
    turn: u8,
    swap: bool,
}

#[pymethods]
impl Moment {
    /// The seat in each cell (−1 for none), the seat to move, and whether the first stone may be
    /// swapped.
    #[new]
    #[pyo3(signature = (*, cells, turn, swap=false))]
    fn new(cells: Vec<i8>, turn: u8, swap: bool) -> Self {
        Self { cells, turn, swap }
    }

    /// The seat in each cell, −1 for none.
    #[getter]
    fn cells(&self) -> Vec<i8> {
        self.cells.clone()
    }

    /// The seat to move.
    #[getter]
    fn turn(&self) -> u8 {
        self.turn
    }

    /// Whether the first stone may be swapped.
    #[getter]
    fn swap(&self) -> bool {
        self.swap
    }
}

impl Moment {
    /// The number of cells.
    pub fn size(&self) -> usize {
        self.cells.len()
    }

    /// Seats by cell, as the kernel takes them.
    fn seats(&self) -> Result<Vec<Option<u8>>, KernelError> {
        let seat = |cell: &i8| match *cell {
            -1 => Ok(None),
            seat => u8::try_from(seat)
                .map(Some)
                .map_err(|_| KernelError::Position(format!("a cell holds {seat}"))),
        };
        self.cells.iter().map(seat).collect()
    }
}

/// A position that leads to others of the same game, without compiling the tables again.
pub trait Setup: Sized {
    /// The position at a moment of the game.
    fn position(&self, moment: &Moment) -> Result<Self, KernelError>;

    /// The positions at some moments of the game.
    fn positions(&self, moments: &[Moment]) -> Result<Vec<Self>, KernelError> {
        moments.iter().map(|moment| self.position(moment)).collect()
    }
}

impl<B: Bits> Setup for Lines<B> {
    fn position(&self, moment: &Moment) -> Result<Self, KernelError> {
        Lines::with_rules(Arc::clone(self.rules()), &moment.seats()?, moment.turn)
    }
}

impl<B: Bits> Setup for Connect<B> {
    fn position(&self, moment: &Moment) -> Result<Self, KernelError> {
        self.with_cells(&moment.seats()?, moment.turn, moment.swap)
    }
}

impl<B: Bits> Setup for Capture<B> {
    fn position(&self, moment: &Moment) -> Result<Self, KernelError> {
        self.with_cells(&moment.seats()?, moment.turn)
    }
}

/// Runs something generic on a game's empty board, whatever its family and word size.
macro_rules! on_game {
    ($game:expr, |$start:ident| $body:expr) => {{
        use noughts_kernel::{capture::AnyCapture, connect::AnyConnect, lines::AnyLines};
        use $crate::tables::{Game, Setup};
        match &*$game {
            Game::Lines(AnyLines::Small($start)) => $body,
            Game::Lines(AnyLines::Wide($start)) => {
                let $start = &**$start;
                $body
            }
            Game::Connect(AnyConnect::Small($start)) => $body,
            Game::Connect(AnyConnect::Middle($start)) => $body,
            Game::Connect(AnyConnect::Wide($start)) => $body,
            Game::Capture(AnyCapture::Small($start)) => $body,
            Game::Capture(AnyCapture::Wide($start)) => $body,
        }
    }};
}
pub(crate) use on_game;

#[pymethods]
impl Tables {
    /// Tables of a k-in-a-row game: `sets` of cells that win, for each the `caps` that must not be
    /// the winner's, `symmetries` of the board, with gravity for each cell the one that must be
    /// taken before it `opens`, and for each set how easily people see it in percent (`sights`).
    #[staticmethod]
    #[pyo3(signature = (*, cells, players, sets, caps, misere, early_draw, symmetries, opens=None, sights=None))]
    #[allow(clippy::too_many_arguments)] // keywords in Python
    fn lines(
        py: Python<'_>,
        cells: usize,
        players: u8,
        sets: Vec<Vec<u16>>,
        caps: Vec<Vec<u16>>,
        misere: bool,
        early_draw: bool,
        symmetries: Vec<Vec<u16>>,
        opens: Option<Vec<Option<u16>>>,
        sights: Option<Vec<u8>>,
    ) -> PyResult<Self> {
        let mut caps = caps.into_iter();
        let sets = sets.into_iter().map(|cells| WinningSet {
            cells,
            caps: caps.next().unwrap_or_default(),
        });
        let tables = LinesTables {
            cells,
            players,
            sets: sets.collect(),
            misere,
            early_draw,
            opens: opens.unwrap_or_default(),
            sights: sights.unwrap_or_default(),
            symmetries,
        };
        Self::new(py, AnyLines::new(&tables).map(Game::Lines))
    }

    /// Tables of a connection game: `neighbours` by cell, the two `edges` of each seat, and where a
    /// swapped stone goes.
    #[staticmethod]
    #[pyo3(signature = (*, cells, neighbours, edges, swap, symmetries))]
    fn connect(
        py: Python<'_>,
        cells: usize,
        neighbours: Vec<Vec<u16>>,
        edges: [[Vec<u16>; 2]; 2],
        swap: Option<Vec<u16>>,
        symmetries: Vec<Vec<u16>>,
    ) -> PyResult<Self> {
        let tables = ConnectTables {
            cells,
            neighbours,
            edges,
            swap,
            symmetries,
        };
        Self::new(py, AnyConnect::new(&tables).map(Game::Connect))
    }

    /// Tables of a capture game: `neighbours` by cell, and whether the opening is `peaceful`.
    #[staticmethod]
    #[pyo3(signature = (*, cells, neighbours, peaceful, symmetries))]
    fn capture(
        py: Python<'_>,
        cells: usize,
        neighbours: Vec<Vec<u16>>,
        peaceful: bool,
        symmetries: Vec<Vec<u16>>,
    ) -> PyResult<Self> {
        let tables = CaptureTables {
            cells,
            neighbours,
            peaceful,
            symmetries,
        };
        Self::new(py, AnyCapture::new(&tables).map(Game::Capture))
    }

    /// The number of ways to play exactly `depth` moves.
    #[pyo3(signature = (moment, limited, *, depth))]
    fn perft(
        &self,
        py: Python<'_>,
        moment: &Moment,
        limited: &Limited,
        depth: u32,
    ) -> PyResult<u128> {
        run(py, limited, |limits| {
            on_game!(self.game, |start| perft(
                &start.position(moment)?,
                depth,
                limits
            ))
        })
    }

    /// Everything there is to count.
    #[pyo3(signature = (moment, limited))]
    fn count<'py>(
        &self,
        py: Python<'py>,
        moment: &Moment,
        limited: &Limited,
    ) -> PyResult<Bound<'py, PyDict>> {
        let counted = run(py, limited, |limits| {
            on_game!(self.game, |start| count(
                &start.position(moment)?,
                None,
                limits
            ))
        })?;
        count_dict(py, &counted)
    }

    /// The value of a position, its best moves and a line of best play. Parts of the solver named
    /// in `without` are left out; `distance` is the most empty cells for which Hex works it out.
    #[pyo3(signature = (moment, limited, *, without=None, distance=None, table_bytes=None))]
    fn solve<'py>(
        &self,
        py: Python<'py>,
        moment: &Moment,
        limited: &Limited,
        without: Option<Vec<String>>,
        distance: Option<usize>,
        table_bytes: Option<usize>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let without = without.unwrap_or_default();
        let options = solve_options(&without, distance, table_bytes)
            .ok_or_else(|| PyValueError::new_err(format!("no such part in {without:?}")))?;
        let verdict = run(py, limited, |limits| {
            on_game!(self.game, |start| start
                .position(moment)?
                .solve(&options, limits))
        })?;
        verdict_dict(py, &verdict)
    }

    /// The value of every legal move.
    #[pyo3(signature = (moment, limited))]
    fn map<'py>(
        &self,
        py: Python<'py>,
        moment: &Moment,
        limited: &Limited,
    ) -> PyResult<Bound<'py, PyDict>> {
        let options = SolveOptions::default();
        let map = run(py, limited, |limits| {
            on_game!(self.game, |start| start
                .position(moment)?
                .map(&options, limits))
        })?;
        map_dict(py, &map)
    }

    /// The code of the class of the position after each legal move: equal for two positions just
    /// when a symmetry maps one to the other.
    fn codes(&self, py: Python<'_>, moment: &Moment) -> PyResult<Vec<(i16, u128)>> {
        codes(self, moment).map_err(|error| raise(py, &error))
    }

    /// The results of random games.
    #[pyo3(signature = (moment, limited, *, games, seed, threads=1))]
    fn playouts<'py>(
        &self,
        py: Python<'py>,
        moment: &Moment,
        limited: &Limited,
        games: u64,
        seed: u64,
        threads: usize,
    ) -> PyResult<Bound<'py, PyDict>> {
        let tally = run(py, limited, |limits| {
            on_game!(self.game, |start| playouts(
                &start.position(moment)?,
                games,
                seed,
                threads,
                limits
            ))
        })?;
        tally_dict(py, &tally)
    }

    /// A Monte Carlo tree search.
    #[pyo3(signature = (moment, limited, *, simulations, seed, exploration=1.0, solver=true))]
    #[allow(clippy::too_many_arguments)] // keywords in Python
    fn mcts<'py>(
        &self,
        py: Python<'py>,
        moment: &Moment,
        limited: &Limited,
        simulations: u64,
        seed: u64,
        exploration: f32,
        solver: bool,
    ) -> PyResult<Bound<'py, PyDict>> {
        let options = MctsOptions {
            simulations,
            seed,
            exploration,
            solver,
        };
        let result = run(py, limited, |limits| {
            on_game!(self.game, |start| mcts(
                &start.position(moment)?,
                &options,
                limits
            ))
        })?;
        mcts_dict(py, &result)
    }
}

/// What the solver may use, without the parts named; `None` if there is no such part.
fn solve_options(
    without: &[String],
    distance: Option<usize>,
    table_bytes: Option<usize>,
) -> Option<SolveOptions> {
    let mut options = SolveOptions::default();
    for part in without {
        let switch = match part.as_str() {
            "symmetry" => &mut options.symmetry,
            "table" => &mut options.table,
            "pairing" => &mut options.pairing,
            "forced" => &mut options.forced,
            "inferior" => &mut options.inferior,
            "zones" => &mut options.zones,
            "best" => &mut options.best,
            "line" => &mut options.line,
            _ => return None,
        };
        *switch = false;
    }
    options.distance = distance.unwrap_or(options.distance);
    options.table_memory = table_bytes.unwrap_or(options.table_memory);
    Some(options)
}
