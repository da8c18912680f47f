//! `Batch`: many games stepped at once, its arrays written into buffers that Python gives.

use noughts_kernel::batch::{Batch as KernelBatch, STAY};
use noughts_kernel::limits::DEFAULT_MEMORY;
use noughts_kernel::position::{Move, Position};
use noughts_kernel::KernelError;
use pyo3::buffer::{Element, PyBuffer};
use pyo3::prelude::*;

use crate::held::Held;
use crate::search::raise;
use crate::tables::{on_game, Moment, Tables};

/// How many random moves are played between two looks at signals.
const MOVES_BETWEEN_SIGNALS: u64 = 1 << 16;

/// A batch of any family and word size.
trait Games: Send {
    fn copy(&self) -> Box<dyn Games>;
    fn size(&self) -> (usize, usize, usize, usize);
    fn specials(&self) -> Vec<Move>;
    fn step(&mut self, moves: &[Move]) -> Result<(), KernelError>;
    fn step_random(&mut self, steps: u64);
    fn random_until(&mut self, seats: &[u8]) -> Result<(), KernelError>;
    fn reset(&mut self);
    fn restart(&mut self, which: &[u8]) -> Result<(), KernelError>;
    fn finished(&self) -> u64;
    fn observe(&self, into: &mut [i8]) -> Result<(), KernelError>;
    fn planes(&self, seats: &[u8], into: &mut [i8]) -> Result<(), KernelError>;
    fn legal(&mut self, into: &mut [u8]) -> Result<(), KernelError>;
    fn rewards(&self, into: &mut [f32]) -> Result<(), KernelError>;
    fn done(&self, into: &mut [u8]) -> Result<(), KernelError>;
    fn turns(&self, into: &mut [u8]) -> Result<(), KernelError>;
}

#[derive(Clone)]
struct Of<P: Position> {
    batch: KernelBatch<P>,
    start: P,
}

impl<P: Position + 'static> Games for Of<P> {
    fn copy(&self) -> Box<dyn Games> {
        Box::new(self.clone())
    }
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
    fn random_until(&mut self, seats: &[u8]) -> Result<(), KernelError> {
        self.batch.random_until(seats)
    }
    fn reset(&mut self) {
        self.batch.reset();
    }
    fn restart(&mut self, which: &[u8]) -> Result<(), KernelError> {
        self.batch.restart(which)
    }
    fn finished(&self) -> u64 {
        self.batch.finished()
    }
    fn observe(&self, into: &mut [i8]) -> Result<(), KernelError> {
        self.batch.observe(into)
    }
    fn planes(&self, seats: &[u8], into: &mut [i8]) -> Result<(), KernelError> {
        self.batch.planes(seats, into)
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

/// Games of one kind that begin at one position, and begin again when they end or are told to.
#[pyclass(frozen, module = "noughts._kernel")]
pub struct Batch {
    games: Held<dyn Games>,
}

impl Batch {
    /// Fills a buffer of Python's by way of a vector of the kernel's.
    fn fill<T: Element + Default>(
        &self,
        py: Python<'_>,
        into: &PyBuffer<T>,
        write: impl FnOnce(&mut dyn Games, &mut [T]) -> Result<(), KernelError>,
    ) -> PyResult<()> {
        let mut values = vec![T::default(); into.item_count()];
        self.games
            .with(|games| write(games, &mut values))
            .map_err(|error| raise(py, &error))?;
        into.copy_from_slice(py, &values)
    }
}

#[pymethods]
impl Batch {
    /// In the place of a move: leave this game as it is.
    #[classattr]
    const STAY: Move = STAY;

    /// `count` games that begin at a position; with `held` they stay at their end.
    #[new]
    #[pyo3(signature = (tables, moment, *, count, seed, held=false))]
    fn new(
        py: Python<'_>,
        tables: &Tables,
        moment: &Moment,
        count: usize,
        seed: u64,
        held: bool,
    ) -> PyResult<Self> {
        let made = || -> Result<Box<dyn Games>, KernelError> {
            on_game!(tables.game, |start| {
                let start = start.position(moment)?;
                let batch = KernelBatch::new(&start, count, seed, DEFAULT_MEMORY)?;
                let batch = if held { batch.held() } else { batch };
                Ok(Box::new(Of { batch, start }))
            })
        };
        let games = Held::new(made().map_err(|error| raise(py, &error))?);
        Ok(Self { games })
    }

    /// The same games, to go their own way; the random moves to come are the same, too.
    fn copy(&self) -> Self {
        let games = Held::new(self.games.with(|games| games.copy()));
        Self { games }
    }

    /// The number of games, of cells, of actions (cells, then moves that are not cells), and of
    /// players.
    #[getter]
    fn size(&self) -> (usize, usize, usize, usize) {
        self.games.with(|games| games.size())
    }

    /// The moves behind the actions that are not cells.
    #[getter]
    fn specials(&self) -> Vec<Move> {
        self.games.with(|games| games.specials())
    }

    /// Games finished so far.
    #[getter]
    fn finished(&self) -> u64 {
        self.games.with(|games| games.finished())
    }

    /// Plays one move in every game but those told to stay; if one is illegal, none is played.
    fn step(&self, py: Python<'_>, moves: PyBuffer<i16>) -> PyResult<()> {
        let moves = moves.to_vec(py)?;
        py.detach(|| self.games.with(|games| games.step(&moves)))
            .map_err(|error| raise(py, &error))
    }

    /// Plays so many random moves in every game. Ctrl-C is heard in between.
    fn step_random(&self, py: Python<'_>, steps: u64) -> PyResult<()> {
        let games = self.games.with(|games| games.size().0).max(1) as u64;
        let chunk = (MOVES_BETWEEN_SIGNALS / games).max(1);
        let mut left = steps;
        while left > 0 {
            let now = chunk.min(left);
            py.detach(|| self.games.with(|games| games.step_random(now)));
            py.check_signals()?;
            left -= now;
        }
        Ok(())
    }

    /// Plays random moves in every game that goes on until it is a seat's turn.
    fn random_until(&self, py: Python<'_>, seats: PyBuffer<u8>) -> PyResult<()> {
        let seats = seats.to_vec(py)?;
        py.detach(|| self.games.with(|games| games.random_until(&seats)))
            .map_err(|error| raise(py, &error))
    }

    /// Puts every game back to the start.
    fn reset(&self) {
        self.games.with(|games| games.reset());
    }

    /// Puts the games back to the start whose flag is not 0.
    fn restart(&self, py: Python<'_>, which: PyBuffer<u8>) -> PyResult<()> {
        let which = which.to_vec(py)?;
        self.games
            .with(|games| games.restart(&which))
            .map_err(|error| raise(py, &error))
    }

    /// Writes what is in each cell, seen by the seat to move.
    fn observe(&self, py: Python<'_>, into: PyBuffer<i8>) -> PyResult<()> {
        self.fill(py, &into, |games, values| games.observe(values))
    }

    /// Writes each cell as one place per plane, seen by a seat of each game.
    fn planes(&self, py: Python<'_>, seats: PyBuffer<u8>, into: PyBuffer<i8>) -> PyResult<()> {
        let seats = seats.to_vec(py)?;
        self.fill(py, &into, |games, values| games.planes(&seats, values))
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
