//! `Tables`: one compiled game and the searches over its positions.

use noughts_kernel::capture::{AnyCapture, CaptureTables};
use noughts_kernel::connect::{AnyConnect, ConnectTables};
use noughts_kernel::count::count;
use noughts_kernel::lines::{AnyLines, LinesTables, WinningSet};
use noughts_kernel::mcts::{mcts, MctsOptions};
use noughts_kernel::perft::perft;
use noughts_kernel::playouts::playouts;
use noughts_kernel::search::{EngineOptions, Options as SolveOptions, Solve};
use noughts_kernel::KernelError;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::answers::{count_dict, engine_dict, map_dict, mcts_dict, tally_dict, verdict_dict};
use crate::learn::codes;
use crate::search::{raise, run, Limited};

/// The families of games.
pub enum Family {
    Lines(LinesTables),
    Connect(ConnectTables),
    Capture(CaptureTables),
}

/// A game compiled to tables. A position of it is its cells (the seat in each, −1 for none), the
/// seat to move, and whether that seat may swap.
#[pyclass(frozen, module = "noughts._kernel")]
pub struct Tables {
    pub family: Family,
}

/// A position as Python gives it: cells, turn, swap.
pub type Moment = (Vec<i8>, u8, bool);

/// Runs a generic search on a position, whatever its family and word size.
macro_rules! on_position {
    ($tables:expr, $moment:expr, |$position:ident| $body:expr) => {{
        use noughts_kernel::{capture::AnyCapture, connect::AnyConnect, lines::AnyLines};
        let (cells, turn, swap) = &$moment;
        let cells = $crate::tables::seats(cells)?;
        match &$tables.family {
            $crate::tables::Family::Lines(tables) => {
                match AnyLines::setup(tables, &cells, *turn)? {
                    AnyLines::Small($position) => $body,
                    AnyLines::Wide($position) => {
                        let $position = *$position;
                        $body
                    }
                }
            }
            $crate::tables::Family::Connect(tables) => {
                match AnyConnect::setup(tables, &cells, *turn, *swap)? {
                    AnyConnect::Small($position) => $body,
                    AnyConnect::Middle($position) => $body,
                    AnyConnect::Wide($position) => $body,
                }
            }
            $crate::tables::Family::Capture(tables) => {
                match AnyCapture::setup(tables, &cells, *turn)? {
                    AnyCapture::Small($position) => $body,
                    AnyCapture::Wide($position) => $body,
                }
            }
        }
    }};
}
pub(crate) use on_position;

#[pymethods]
impl Tables {
    /// Tables of a k-in-a-row game: `sets` of cells that win, for each the `caps` that must not be
    /// the winner's, `symmetries` of the board, and with gravity for each cell the one that must be
    /// taken before it `opens`.
    #[staticmethod]
    #[pyo3(signature = (*, cells, players, sets, caps, misere, early_draw, symmetries, opens=None))]
    #[allow(clippy::too_many_arguments)] // the parts of the tables
    fn lines(
        cells: usize,
        players: u8,
        sets: Vec<Vec<u16>>,
        caps: Vec<Vec<u16>>,
        misere: bool,
        early_draw: bool,
        symmetries: Vec<Vec<u16>>,
        opens: Option<Vec<Option<u16>>>,
    ) -> Self {
        let mut caps = caps.into_iter();
        let sets = sets.into_iter().map(|cells| WinningSet {
            cells,
            caps: caps.next().unwrap_or_default(),
        });
        let family = Family::Lines(LinesTables {
            cells,
            players,
            sets: sets.collect(),
            misere,
            early_draw,
            opens: opens.unwrap_or_default(),
            symmetries,
        });
        Self { family }
    }

    /// Tables of a connection game: `neighbours` by cell, the two `edges` of each seat, and where a
    /// swapped stone goes.
    #[staticmethod]
    #[pyo3(signature = (*, cells, neighbours, edges, swap, symmetries))]
    fn connect(
        cells: usize,
        neighbours: Vec<Vec<u16>>,
        edges: [[Vec<u16>; 2]; 2],
        swap: Option<Vec<u16>>,
        symmetries: Vec<Vec<u16>>,
    ) -> Self {
        let family = Family::Connect(ConnectTables {
            cells,
            neighbours,
            edges,
            swap,
            symmetries,
        });
        Self { family }
    }

    /// Tables of a capture game: `neighbours` by cell, and whether the opening is `peaceful`.
    #[staticmethod]
    #[pyo3(signature = (*, cells, neighbours, peaceful, symmetries))]
    fn capture(
        cells: usize,
        neighbours: Vec<Vec<u16>>,
        peaceful: bool,
        symmetries: Vec<Vec<u16>>,
    ) -> Self {
        let family = Family::Capture(CaptureTables {
            cells,
            neighbours,
            peaceful,
            symmetries,
        });
        Self { family }
    }

    /// The number of ways to play exactly `depth` moves.
    #[pyo3(signature = (moment, depth, limited))]
    fn perft(
        &self,
        py: Python<'_>,
        moment: Moment,
        depth: u32,
        limited: &Limited,
    ) -> PyResult<u128> {
        run(py, limited, |limits| {
            on_position!(self, moment, |position| perft(&position, depth, limits))
        })
    }

    /// Everything there is to count.
    #[pyo3(signature = (moment, limited))]
    fn count<'py>(
        &self,
        py: Python<'py>,
        moment: Moment,
        limited: &Limited,
    ) -> PyResult<Bound<'py, PyDict>> {
        let counted = run(py, limited, |limits| {
            on_position!(self, moment, |position| count(&position, None, limits))
        })?;
        count_dict(py, &counted)
    }

    /// The value of a position, its best moves and a line of best play. Parts of the solver named
    /// in `without` are left out; `distance` is the most empty cells for which Hex works it out.
    #[pyo3(signature = (moment, limited, *, without=None, distance=None, table_bytes=None))]
    fn solve<'py>(
        &self,
        py: Python<'py>,
        moment: Moment,
        limited: &Limited,
        without: Option<Vec<String>>,
        distance: Option<usize>,
        table_bytes: Option<usize>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let without = without.unwrap_or_default();
        let options = solve_options(&without, distance, table_bytes)
            .ok_or_else(|| PyValueError::new_err(format!("no such part in {without:?}")))?;
        let verdict = run(py, limited, |limits| {
            on_position!(self, moment, |position| position.solve(&options, limits))
        })?;
        verdict_dict(py, &verdict)
    }

    /// The value of every legal move.
    #[pyo3(signature = (moment, limited))]
    fn map<'py>(
        &self,
        py: Python<'py>,
        moment: Moment,
        limited: &Limited,
    ) -> PyResult<Bound<'py, PyDict>> {
        let options = SolveOptions::default();
        let map = run(py, limited, |limits| {
            on_position!(self, moment, |position| position.map(&options, limits))
        })?;
        map_dict(py, &map)
    }

    /// The code of the class of the position after each legal move: equal for two positions just
    /// when a symmetry maps one to the other.
    fn codes(&self, py: Python<'_>, moment: Moment) -> PyResult<Vec<(i16, u128)>> {
        codes(self, &moment).map_err(|error| raise(py, &error))
    }

    /// The results of random games.
    #[pyo3(signature = (moment, games, seed, threads, limited))]
    fn playouts<'py>(
        &self,
        py: Python<'py>,
        moment: Moment,
        games: u64,
        seed: u64,
        threads: usize,
        limited: &Limited,
    ) -> PyResult<Bound<'py, PyDict>> {
        let tally = run(py, limited, |limits| {
            on_position!(self, moment, |position| playouts(
                &position, games, seed, threads, limits
            ))
        })?;
        tally_dict(py, &tally)
    }

    /// A strong move within the limits, by alpha-beta; `fours` only matters in a row.
    #[pyo3(signature = (moment, limited, *, depth=None, fours=None, threads=1, every=false))]
    #[allow(clippy::too_many_arguments)] // the knobs of the search
    fn engine<'py>(
        &self,
        py: Python<'py>,
        moment: Moment,
        limited: &Limited,
        depth: Option<u32>,
        fours: Option<u32>,
        threads: usize,
        every: bool,
    ) -> PyResult<Bound<'py, PyDict>> {
        let usual = EngineOptions::default();
        let options = EngineOptions {
            depth,
            fours: fours.unwrap_or(usual.fours),
            threads,
            every,
            ..usual
        };
        let choice = run(py, limited, |limits| {
            let (cells, turn, swap) = (seats(&moment.0)?, moment.1, moment.2);
            match &self.family {
                Family::Lines(tables) => {
                    AnyLines::setup(tables, &cells, turn)?.choose(&options, limits)
                }
                Family::Connect(tables) => {
                    AnyConnect::setup(tables, &cells, turn, swap)?.choose(&options, limits)
                }
                Family::Capture(tables) => {
                    AnyCapture::setup(tables, &cells, turn)?.choose(&options, limits)
                }
            }
        })?;
        engine_dict(py, &choice)
    }

    /// A Monte Carlo tree search.
    #[pyo3(signature = (moment, simulations, seed, limited, *, exploration=1.0, solver=true))]
    #[allow(clippy::too_many_arguments)] // the knobs of the search
    fn mcts<'py>(
        &self,
        py: Python<'py>,
        moment: Moment,
        simulations: u64,
        seed: u64,
        limited: &Limited,
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
            on_position!(self, moment, |position| mcts(&position, &options, limits))
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

/// Seats by cell, as the kernel takes them.
pub fn seats(cells: &[i8]) -> Result<Vec<Option<u8>>, KernelError> {
    let seat = |cell: &i8| match *cell {
        -1 => Ok(None),
        seat => u8::try_from(seat)
            .map(Some)
            .map_err(|_| KernelError::Position(format!("a cell holds {seat}"))),
    };
    cells.iter().map(seat).collect()
}
