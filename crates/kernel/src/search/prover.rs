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

    /// What counts its nodes.
    fn meter(&mut self) -> &mut dyn Count;
}

/// What the driver asks of a meter.
pub(crate) trait Count {
    /// Nodes searched so far.
    fn nodes(&self) -> u64;

    /// Time since the search began.
    fn elapsed(&self) -> Duration;

    /// Names what the search is doing.
    fn stage(&mut self, stage: &'static str, depth: u32);
}

impl Count for Meter<'_> {
    fn nodes(&self) -> u64 {
        Meter::nodes(self)
    }

    fn elapsed(&self) -> Duration {
        Meter::elapsed(self)
    }

    fn stage(&mut self, stage: &'static str, depth: u32) {
        Meter::stage(self, stage, depth);
    }
}

/// What the moves tried so far say about a position: an attacker needs one that wins, a defender
/// one that does not lose. Winners hurry, losers delay.
pub(crate) struct Tried {
    attacking: bool,
    /// The answer if there were no other moves.
    pub reply: Reply,
    /// The move that made it.
    pub best: u16,
}

impl Tried {
    /// No moves yet, or some that are known to lose: `best` is what to name in that case.
    pub fn new(attacking: bool, best: u16) -> Self {
        let reply = if attacking {
            Reply::Refuted(FOREVER)
        } else {
            Reply::Proven(0)
        };
        Self {
            attacking,
            reply,
            best,
        }
    }

    /// Takes the answer about the position after a move; returns whether it settles this one.
    #[inline]
    pub fn take(&mut self, mv: u16, reply: Reply) -> bool {
        let settled = matches!(reply, Reply::Proven(_)) == self.attacking;
        match (reply, &mut self.reply) {
            (Reply::Proven(n), _) if settled => self.reply = Reply::Proven(n + 1),
            (Reply::Refuted(n), _) if settled => self.reply = Reply::Refuted(n.saturating_add(1)),
            (Reply::Proven(n), Reply::Proven(longest)) if n + 1 > *longest => *longest = n + 1,
            (Reply::Refuted(n), Reply::Refuted(shortest)) => {
                *shortest = (*shortest).min(n.saturating_add(1));
                return false;
            }
            _ => return false,
        }
        self.best = mv;
        settled
    }
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
