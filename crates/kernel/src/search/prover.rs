//! The one question everything else is built from.

use std::time::Duration;

use crate::limits::{Meter, Stop};
use crate::position::Position;

/// "Within any number of plies."
pub(crate) const FOREVER: u32 = u32::MAX;

/// The answer to "can this seat force a win within so many plies?"
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reply {
    /// Yes, and even within this many.
    Proven(u32),
    /// No, and not even within this many ([`FOREVER`]: never).
    Refuted(u32),
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Halt {
    /// The limits of the whole search.
    Limit(Stop),
    /// The budget of this one question.
    Budget,
}

/// Whoever can answer the question for positions of one kind.
pub(crate) trait Prover<P: Position> {
    /// Can `seat` force a win within `plies` from a position whose game is not over?
    /// Gives up after `budget` nodes.
    fn ask(&mut self, position: &P, seat: u8, plies: u32, budget: u64) -> Result<Reply, Halt>;

    /// Whether the seat to move could even pass without the other being able to force a win, which
    /// makes every move safe; `false` also when that is not known within `budget` nodes.
    fn may_pass(&mut self, _position: &P, _budget: u64) -> bool {
        false
    }

    /// Nodes searched so far.
    fn nodes(&self) -> u64;

    /// Time since the search began.
    fn elapsed(&self) -> Duration;

    /// Names what the search is doing.
    fn stage(&mut self, stage: &'static str, depth: u32);
}

/// Counts a node against the limits and a budget.
#[inline]
pub(crate) fn tick(meter: &mut Meter<'_>, budget: u64) -> Result<(), Halt> {
    if !meter.tick() {
        return Err(Halt::Limit(meter.stopped().unwrap_or(Stop::Cancelled)));
    }
    if meter.nodes() >= budget {
        return Err(Halt::Budget);
    }
    Ok(())
}
