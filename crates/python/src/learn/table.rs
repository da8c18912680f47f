//! A table of values, one for each class of positions.

use noughts_kernel::encode::Encode;
use noughts_kernel::learn::{codes_after, Grade, QLearner as KernelQ, Report, Training};
use noughts_kernel::limits::Limits;
use noughts_kernel::position::Move;
use noughts_kernel::KernelError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use super::{bytes_of, floats, schedule};
use crate::answers::trained_dict;
use crate::held::Held;
use crate::search::{raise, run, Limited};
use crate::tables::{on_game, Moment, Tables};

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
    fn learn(
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
    fn learn(
        &mut self,
        root: usize,
        moves: &[Move],
        rate: f32,
        discount: f32,
    ) -> Result<f64, KernelError> {
        KernelQ::learn(self, root, moves, rate, discount)
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
    inner: Held<dyn Tabular>,
}

#[pymethods]
impl QLearner {
    /// An empty table for games that begin at the roots in turn; with `tiles` the margin counts.
    #[new]
    #[pyo3(signature = (tables, limited, *, roots, tiles))]
    fn new(
        py: Python<'_>,
        tables: &Tables,
        limited: &Limited,
        roots: Vec<Moment>,
        tiles: bool,
    ) -> PyResult<Self> {
        let made = run(
            py,
            limited,
            |limits| -> Result<Box<dyn Tabular>, KernelError> {
                on_game!(tables.game, |start| {
                    let roots = start.positions(&roots)?;
                    Ok(Box::new(KernelQ::new(&roots, tiles, limits)?))
                })
            },
        )?;
        let inner = Held::new(made);
        Ok(Self { inner })
    }

    /// Games learned from.
    #[getter]
    fn games(&self, py: Python<'_>) -> u64 {
        self.inner.detached(py, |table| table.games())
    }

    /// Classes of positions that there are.
    #[getter]
    fn classes(&self, py: Python<'_>) -> usize {
        self.inner.detached(py, |table| table.classes())
    }

    /// Learns from so many more games. `epsilon` and `rate` go from the first number to the second
    /// over `total` games.
    #[pyo3(signature = (limited, *, games, seed, total, epsilon, rate, discount, opponent, threads=1))]
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
        let report = run(py, limited, |limits| {
            self.inner.with(|table| table.train(games, &how, limits))
        })?;
        trained_dict(py, &report)
    }

    /// Learns from one game that was played from a root; returns the mean error.
    #[pyo3(signature = (moves, *, root, rate, discount))]
    fn learn(
        &self,
        py: Python<'_>,
        moves: Vec<Move>,
        root: usize,
        rate: f32,
        discount: f32,
    ) -> PyResult<f64> {
        self.inner
            .detached(py, |table| table.learn(root, &moves, rate, discount))
            .map_err(|error| raise(py, &error))
    }

    /// Compares the preferred moves with best play: classes, best choices, sound ones, points lost.
    fn grade(&self, py: Python<'_>) -> (u64, u64, u64, f64) {
        let grade = self.inner.detached(py, |table| table.grade());
        (grade.positions, grade.optimal, grade.sound, grade.lost)
    }

    /// What each legal move is worth, and how often it was learned from.
    fn rate(
        &self,
        py: Python<'_>,
        tables: &Tables,
        moment: &Moment,
    ) -> PyResult<Vec<(Move, f32, u32)>> {
        let codes = codes(tables, moment).map_err(|error| raise(py, &error))?;
        let row = |table: &dyn Tabular, (mv, code)| {
            let (value, visits) = table.value(code).unwrap_or_default();
            (mv, value, visits)
        };
        Ok(self.inner.detached(py, |table| {
            codes.into_iter().map(|entry| row(table, entry)).collect()
        }))
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
        let mut rows = self.inner.detached(py, |table| table.rows());
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
        self.inner
            .detached(py, |table| table.restore(games, &rows))
            .map_err(|error| raise(py, &error))
    }
}

/// The class code of the position after each legal move.
pub fn codes(tables: &Tables, moment: &Moment) -> Result<Vec<(Move, u128)>, KernelError> {
    on_game!(tables.game, |start| codes_after(&start.position(moment)?))
}
