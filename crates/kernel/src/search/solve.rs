//! What every family's solver shares: its options and the trait it implements.

use crate::error::KernelError;
use crate::limits::Limits;
use crate::position::Position;

use super::verdict::{ValueMap, Verdict};

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

/// Refuses games of more than two players.
pub(crate) fn two_players<P: Position>(position: &P) -> Result<(), KernelError> {
    match position.players() {
        2 => Ok(()),
        players => Err(KernelError::Unsupported(format!(
            "solving for {players} players, only for 2"
        ))),
    }
}
