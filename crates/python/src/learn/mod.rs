//! `QLearner`, `TdLearner` and `Network`: learning from play, arrays as bytes in and out.

use std::sync::{Mutex, PoisonError};

use noughts_kernel::learn::{Opponent, Schedule, Training};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// Runs something on several positions of one game, whatever its family and word size.
macro_rules! on_positions {
    ($tables:expr, $moments:expr, |$roots:ident| $body:expr) => {{
        use noughts_kernel::{capture::AnyCapture, connect::AnyConnect, lines::AnyLines};
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

/// Something in training that one thread changes at a time.
struct Held<T: ?Sized>(Mutex<Box<T>>);

impl<T: ?Sized> Held<T> {
    fn new(inner: Box<T>) -> Self {
        Self(Mutex::new(inner))
    }

    fn with<R>(&self, work: impl FnOnce(&mut T) -> R) -> R {
        // A panic in between leaves something that is still memory safe.
        let mut inner = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        work(inner.as_mut())
    }
}

mod network;
mod table;

pub use network::{Network, TdLearner};
pub use table::{codes, QLearner};
