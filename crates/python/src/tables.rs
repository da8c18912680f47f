//! `Tables`: one compiled game and the searches over its positions.

use noughts_kernel::count::{count, ByOutcome, Count};
use noughts_kernel::error::KernelError;
use noughts_kernel::lines::{AnyLines, LinesTables, WinningSet};
use noughts_kernel::perft::perft;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::search::{run, Options};

/// A game compiled to tables. A position of it is its cells (the seat in each, −1 for none) and
/// the seat to move.
#[pyclass(frozen, module = "noughts._kernel")]
pub struct Tables {
    lines: LinesTables,
}

/// Runs a generic search on the position, whatever word size it needs.
macro_rules! on_position {
    ($tables:expr, $cells:expr, $turn:expr, |$position:ident| $body:expr) => {
        match AnyLines::setup(&$tables.lines, &seats(&$cells)?, $turn)? {
            AnyLines::Small($position) => $body,
            AnyLines::Wide($position) => {
                let $position = *$position;
                $body
            }
        }
    };
}

#[pymethods]
impl Tables {
    /// Tables of a k-in-a-row game: `sets` of cells that win, for each the `caps` that must not be
    /// the winner's, and `symmetries` of the board.
    #[staticmethod]
    #[pyo3(signature = (*, cells, players, sets, caps, misere, early_draw, symmetries))]
    fn lines(
        cells: usize,
        players: u8,
        sets: Vec<Vec<u16>>,
        caps: Vec<Vec<u16>>,
        misere: bool,
        early_draw: bool,
        symmetries: Vec<Vec<u16>>,
    ) -> Self {
        let mut caps = caps.into_iter();
        let sets = sets.into_iter().map(|cells| WinningSet {
            cells,
            caps: caps.next().unwrap_or_default(),
        });
        Self {
            lines: LinesTables {
                cells,
                players,
                sets: sets.collect(),
                misere,
                early_draw,
                symmetries,
            },
        }
    }

    /// The number of ways to play exactly `depth` moves.
    #[pyo3(signature = (cells, turn, depth, *, seconds=None, progress=None))]
    fn perft(
        &self,
        py: Python<'_>,
        cells: Vec<i8>,
        turn: u8,
        depth: u32,
        seconds: Option<f64>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<u128> {
        run(py, Options::new(seconds, None, progress), |limits| {
            on_position!(self, cells, turn, |position| perft(
                &position, depth, limits
            ))
        })
    }

    /// Everything there is to count, as a dictionary.
    #[pyo3(signature = (cells, turn, *, seconds=None, memory=None, progress=None))]
    fn count<'py>(
        &self,
        py: Python<'py>,
        cells: Vec<i8>,
        turn: u8,
        seconds: Option<f64>,
        memory: Option<usize>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let counted = run(py, Options::new(seconds, memory, progress), |limits| {
            on_position!(self, cells, turn, |position| count(&position, None, limits))
        })?;
        count_dict(py, &counted)
    }
}

fn seats(cells: &[i8]) -> Result<Vec<Option<u8>>, KernelError> {
    let seat = |cell: &i8| match *cell {
        -1 => Ok(None),
        seat => u8::try_from(seat)
            .map(Some)
            .map_err(|_| KernelError::Position(format!("a cell holds {seat}"))),
    };
    cells.iter().map(seat).collect()
}

fn count_dict<'py>(py: Python<'py>, counted: &Count) -> PyResult<Bound<'py, PyDict>> {
    let outcomes = |by: &ByOutcome| (by.wins.clone(), by.draws);
    let dict = PyDict::new(py);
    dict.set_item("positions", counted.positions)?;
    dict.set_item("canonical", counted.canonical)?;
    dict.set_item("terminal", outcomes(&counted.terminals))?;
    dict.set_item("games", outcomes(&counted.games))?;
    let plies: Result<Vec<_>, _> = counted
        .plies
        .iter()
        .map(|ply| Ok((ply.positions, ply.canonical, ply.games.total()?)))
        .collect();
    dict.set_item(
        "plies",
        plies.map_err(|error: KernelError| crate::search::raise(py, &error))?,
    )?;
    Ok(dict)
}
