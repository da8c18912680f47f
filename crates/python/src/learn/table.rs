//! A table of values, one for each class of positions.

use noughts_kernel::encode::Encode;
use noughts_kernel::learn::{codes_after, Grade, QLearner as KernelQ, Report, Training};
use noughts_kernel::limits::Limits;
use noughts_kernel::position::Move;
use noughts_kernel::KernelError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use super::{bytes_of, floats, training, Held, Numbers};
use crate::answers::trained_dict;
use crate::search::{raise, run, Limited};
use crate::tables::{on_position, Moment, Tables};

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
    inner: Held<dyn Tabular>,
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
        let inner = Held::new(made);
        Ok(Self { inner })
    }

    /// Games learned from.
    #[getter]
    fn games(&self) -> u64 {
        self.inner.with(|table| table.games())
    }

    /// Classes of positions that there are.
    #[getter]
    fn classes(&self) -> usize {
        self.inner.with(|table| table.classes())
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
            self.inner.with(|table| table.train(games, &how, limits))
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
        self.inner
            .with(|table| table.follow(root, &moves, rate, discount))
            .map_err(|error| raise(py, &error))
    }

    /// Compares the preferred moves with best play: classes, best choices, sound ones, points lost.
    fn grade(&self, py: Python<'_>) -> (u64, u64, u64, f64) {
        let grade = py.detach(|| self.inner.with(|table| table.grade()));
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
        Ok(self
            .inner
            .with(|table| codes.into_iter().map(|entry| row(table, entry)).collect()))
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
        let mut rows = self.inner.with(|table| table.rows());
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
            .with(|table| table.restore(games, &rows))
            .map_err(|error| raise(py, &error))
    }
}

/// The class code of the position after each legal move.
pub fn codes(tables: &Tables, moment: &Moment) -> Result<Vec<(Move, u128)>, KernelError> {
    on_position!(tables, *moment, |position| codes_after(&position))
}
