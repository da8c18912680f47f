//! `Batch`: many games stepped at once, its arrays written into buffers that Python gives.

use std::sync::{Mutex, PoisonError};

use noughts_kernel::batch::Batch as KernelBatch;
use noughts_kernel::capture::AnyCapture;
use noughts_kernel::connect::AnyConnect;
use noughts_kernel::limits::DEFAULT_MEMORY;
use noughts_kernel::lines::AnyLines;
use noughts_kernel::position::{Move, Position};
use noughts_kernel::KernelError;
use pyo3::buffer::{Element, PyBuffer};
use pyo3::prelude::*;

use crate::search::raise;
use crate::tables::{on_position, Moment, Tables};

/// How many random moves are played between two looks at signals.
const MOVES_BETWEEN_SIGNALS: u64 = 1 << 16;

/// A batch of any family and word size.
trait Games: Send {
    fn size(&self) -> (usize, usize, usize, usize);
    fn specials(&self) -> Vec<Move>;
    fn step(&mut self, moves: &[Move]) -> Result<(), KernelError>;
    fn step_random(&mut self, steps: u64);
    fn reset(&mut self);
    fn finished(&self) -> u64;
    fn observe(&self, into: &mut [i8]) -> Result<(), KernelError>;
    fn legal(&mut self, into: &mut [u8]) -> Result<(), KernelError>;
    fn rewards(&self, into: &mut [f32]) -> Result<(), KernelError>;
    fn done(&self, into: &mut [u8]) -> Result<(), KernelError>;
    fn turns(&self, into: &mut [u8]) -> Result<(), KernelError>;
}

struct Of<P: Position> {
    batch: KernelBatch<P>,
    start: P,
}

impl<P: Position> Games for Of<P> {
    fn size(&self) -> (usize, usize, usize, usize) {
        let players = usize::from(self.start.players());
        let cells = self.start.cells();
        (self.batch.len(), cells, self.batch.actions(), players)
    }
    fn specials(&self) -> Vec<Move> {
        self.start.specials().to_vec()
    }
    fn step(&mut self, moves: &[Move]) -> Result<(), KernelError> {
        self.batch.step(moves)
    }
    fn step_random(&mut self, steps: u64) {
        (0..steps).for_each(|_| self.batch.step_random());
    }
    fn reset(&mut self) {
        self.batch.reset();
    }
    fn finished(&self) -> u64 {
        self.batch.finished()
    }
    fn observe(&self, into: &mut [i8]) -> Result<(), KernelError> {
        self.batch.observe(into)
    }
    fn legal(&mut self, into: &mut [u8]) -> Result<(), KernelError> {
        self.batch.legal(into)
    }
    fn rewards(&self, into: &mut [f32]) -> Result<(), KernelError> {
        self.batch.rewards(into)
    }
    fn done(&self, into: &mut [u8]) -> Result<(), KernelError> {
        self.batch.done(into)
    }
    fn turns(&self, into: &mut [u8]) -> Result<(), KernelError> {
        self.batch.turns(into)
    }
}

/// Games of one kind that begin at one position and begin again when they end.
#[pyclass(frozen, module = "noughts._kernel")]
pub struct Batch {
    games: Mutex<Box<dyn Games>>,
}

impl Batch {
    fn with<T>(&self, work: impl FnOnce(&mut dyn Games) -> T) -> T {
        // A panic in between leaves games that are still memory safe.
        let mut games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
        work(games.as_mut())
    }

    /// Fills a buffer of Python's by way of a vector of the kernel's.
    fn fill<T: Element + Default>(
        &self,
        py: Python<'_>,
        into: &PyBuffer<T>,
        write: impl FnOnce(&mut dyn Games, &mut [T]) -> Result<(), KernelError>,
    ) -> PyResult<()> {
        let mut values = vec![T::default(); into.item_count()];
        self.with(|games| write(games, &mut values))
            .map_err(|error| raise(py, &error))?;
        into.copy_from_slice(py, &values)
    }
}

#[pymethods]
impl Batch {
    /// `count` games that begin at a position.
    #[new]
    fn new(
        py: Python<'_>,
        tables: &Tables,
        moment: Moment,
        count: usize,
        seed: u64,
    ) -> PyResult<Self> {
        let made = || -> Result<Box<dyn Games>, KernelError> {
            on_position!(tables, moment, |start| {
                let batch = KernelBatch::new(&start, count, seed, DEFAULT_MEMORY)?;
                Ok(Box::new(Of { batch, start }))
            })
        };
        let games = Mutex::new(made().map_err(|error| raise(py, &error))?);
        Ok(Self { games })
    }

    /// The number of games, of cells, of actions (cells, then moves that are not cells), and of
    /// players.
    #[getter]
    fn size(&self) -> (usize, usize, usize, usize) {
        self.with(|games| games.size())
    }

    /// The moves behind the actions that are not cells.
    #[getter]
    fn specials(&self) -> Vec<Move> {
        self.with(|games| games.specials())
    }

    /// Games finished so far.
    #[getter]
    fn finished(&self) -> u64 {
        self.with(|games| games.finished())
    }

    /// Plays one move in every game; if one of them is illegal, none is played.
    fn step(&self, py: Python<'_>, moves: PyBuffer<i16>) -> PyResult<()> {
        let moves = moves.to_vec(py)?;
        py.detach(|| self.with(|games| games.step(&moves)))
            .map_err(|error| raise(py, &error))
    }

    /// Plays so many random moves in every game. Ctrl-C is heard in between.
    fn step_random(&self, py: Python<'_>, steps: u64) -> PyResult<()> {
        let games = self.with(|games| games.size().0).max(1) as u64;
        let chunk = (MOVES_BETWEEN_SIGNALS / games).max(1);
        let mut left = steps;
        while left > 0 {
            let now = chunk.min(left);
            py.detach(|| self.with(|games| games.step_random(now)));
            py.check_signals()?;
            left -= now;
        }
        Ok(())
    }

    /// Puts every game back to the start.
    fn reset(&self) {
        self.with(|games| games.reset());
    }

    /// Writes what is in each cell, seen by the seat to move.
    fn observe(&self, py: Python<'_>, into: PyBuffer<i8>) -> PyResult<()> {
        self.fill(py, &into, |games, values| games.observe(values))
    }

    /// Writes which actions are legal.
    fn legal(&self, py: Python<'_>, into: PyBuffer<u8>) -> PyResult<()> {
        self.fill(py, &into, |games, values| games.legal(values))
    }

    /// Writes each seat's reward for the last step.
    fn rewards(&self, py: Python<'_>, into: PyBuffer<f32>) -> PyResult<()> {
        self.fill(py, &into, |games, values| games.rewards(values))
    }

    /// Writes which games the last step ended.
    fn done(&self, py: Python<'_>, into: PyBuffer<u8>) -> PyResult<()> {
        self.fill(py, &into, |games, values| games.done(values))
    }

    /// Writes the seat to move in each game.
    fn turns(&self, py: Python<'_>, into: PyBuffer<u8>) -> PyResult<()> {
        self.fill(py, &into, |games, values| games.turns(values))
    }
}
