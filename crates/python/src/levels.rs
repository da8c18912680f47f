//! `choose`: a move as a level plays it.

use noughts_kernel::levels::{choose as level_choice, Level};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::answers::level_dict;
use crate::search::{run, Limited};
use crate::tables::{on_game, Moment, Tables};

/// A move as a level plays it: it looks `depth` plies ahead at `width` moves a position, overlooks
/// some by `lapses`, judges with `noise`, and if `careful` never hands over a win on the spot. The
/// same seed and node limit give the same answer.
#[pyfunction]
#[pyo3(signature = (tables, moment, limited, *, depth, width, lapses, noise, careful, seed))]
#[allow(clippy::too_many_arguments)] // keywords in Python
pub fn choose<'py>(
    py: Python<'py>,
    tables: &Tables,
    moment: &Moment,
    limited: &Limited,
    depth: u32,
    width: usize,
    lapses: f32,
    noise: f32,
    careful: bool,
    seed: u64,
) -> PyResult<Bound<'py, PyDict>> {
    let level = Level {
        depth,
        width,
        lapses,
        noise,
        careful,
        seed,
    };
    let choice = run(py, limited, |limits| {
        on_game!(tables.game, |start| level_choice(
            &start.position(moment)?,
            &level,
            limits
        ))
    })?;
    level_dict(py, &choice)
}
