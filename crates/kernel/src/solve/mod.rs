//! Exact values of two-player positions: who wins, how soon, and by which moves.
//!
//! Everything is built from one question, put to a [`prover::Prover`]: can this seat force a win
//! within so many plies? The answers of questions with growing bounds give the value and the
//! distance; the same questions about the positions after each move give the best moves.

pub(crate) mod attack;
pub(crate) mod driver;
mod inquiry;
pub(crate) mod look;
pub(crate) mod misere;
pub(crate) mod numbers;
pub(crate) mod pairing;
pub(crate) mod plain;
pub(crate) mod prover;
pub(crate) mod residues;
pub(crate) mod sides;
pub(crate) mod table;
pub(crate) mod threats;
mod verdict;

use crate::bits::Bits;
use crate::error::KernelError;
use crate::limits::{Limits, Meter};
use crate::lines::{AnyLines, Lines};
use crate::position::Position;

use driver::Driver;
use misere::Misere;
use plain::Plain;
use residues::Residues;
pub use verdict::{Bounds, MoveValue, Value, ValueMap, Verdict};

/// What the solver may use, and what it is to find. Switching off a means changes the work, never
/// the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Merge positions that are symmetric images of each other.
    pub symmetry: bool,
    /// Remember positions.
    pub table: bool,
    /// Bytes the table may take; never more than the limits give.
    pub table_memory: usize,
    /// Recognise draws that a pairing or a potential proves.
    pub pairing: bool,
    /// Recognise forced moves and double threats.
    pub forced: bool,
    /// Leave out moves that another is at least as good as (Hex).
    pub inferior: bool,
    /// Where distances cost far more than values (Hex): work them out when at most this many cells
    /// are empty.
    pub distance: usize,
    /// Try only defences that meet every proof found so far.
    pub zones: bool,
    /// Find every best move, not just the value and the distance.
    pub best: bool,
    /// Find a line of best play too (only together with `best`).
    pub line: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            symmetry: true,
            table: true,
            table_memory: usize::MAX,
            pairing: true,
            forced: true,
            inferior: true,
            distance: 18,
            zones: true,
            best: true,
            line: true,
        }
    }
}

/// A position with an exact solver.
pub trait Solve: Position {
    /// Finds the value, the distance, every best move and a line of best play.
    fn solve(&self, options: &Options, limits: &Limits<'_>) -> Result<Verdict, KernelError>;

    /// Finds the value and the distance of every legal move.
    fn map(&self, options: &Options, limits: &Limits<'_>) -> Result<ValueMap, KernelError>;
}

impl<B: Bits> Solve for Lines<B> {
    fn solve(&self, options: &Options, limits: &Limits<'_>) -> Result<Verdict, KernelError> {
        two_players(self)?;
        let mut meter = Meter::new(limits);
        if self.rules.capped {
            Driver::new(Plain::new(*options, &mut meter)?).solve(self, options)
        } else if self.rules.misere {
            Driver::new(Misere::new(self, *options, &mut meter)?).solve(self, options)
        } else {
            Driver::new(Residues::new(self, *options, &mut meter)?).solve(self, options)
        }
    }

    fn map(&self, options: &Options, limits: &Limits<'_>) -> Result<ValueMap, KernelError> {
        two_players(self)?;
        let mut meter = Meter::new(limits);
        if self.rules.capped {
            Driver::new(Plain::new(*options, &mut meter)?).map(self)
        } else if self.rules.misere {
            Driver::new(Misere::new(self, *options, &mut meter)?).map(self)
        } else {
            Driver::new(Residues::new(self, *options, &mut meter)?).map(self)
        }
    }
}

impl AnyLines {
    /// [`Solve::solve`] on whichever word size.
    pub fn solve(&self, options: &Options, limits: &Limits<'_>) -> Result<Verdict, KernelError> {
        match self {
            Self::Small(position) => position.solve(options, limits),
            Self::Wide(position) => position.solve(options, limits),
        }
    }

    /// [`Solve::map`] on whichever word size.
    pub fn map(&self, options: &Options, limits: &Limits<'_>) -> Result<ValueMap, KernelError> {
        match self {
            Self::Small(position) => position.map(options, limits),
            Self::Wide(position) => position.map(options, limits),
        }
    }
}

fn two_players<P: Position>(position: &P) -> Result<(), KernelError> {
    match position.players() {
        2 => Ok(()),
        players => Err(KernelError::Unsupported(format!(
            "solving for {players} players, only for 2"
        ))),
    }
}
