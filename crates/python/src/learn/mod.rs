//! `QLearner`, `TdLearner` and `Network`: learning from play, arrays as bytes in and out.

use noughts_kernel::learn::{Opponent, Schedule};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// The opponent of a training by its name.
fn opponent(name: &str) -> PyResult<Opponent> {
    Ok(match name {
        "itself" => Opponent::Itself,
        "random" => Opponent::Random,
        "perfect" => Opponent::Perfect,
        other => {
            let why = format!("{other:?} is no opponent the kernel knows");
            return Err(PyValueError::new_err(why));
        }
    })
}

/// A number that changes evenly from the first game to the last.
fn schedule((from, to): (f32, f32)) -> Schedule {
    Schedule { from, to }
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

mod network;
mod table;

pub use network::{Network, TdLearner};
pub use table::{codes, QLearner};
