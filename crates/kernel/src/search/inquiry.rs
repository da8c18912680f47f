//! What has been asked about one position, and what the answers come to.

use crate::position::Position;

use super::prover::{Reply, FOREVER};
use super::verdict::{Bounds, Value};

/// Nodes the first round gives to each question; every round doubles it.
const FIRST_ROUND_NODES: u64 = 1 << 11;

/// How far one seat's win is refuted, and within how many plies it is proven.
#[derive(Clone, Copy)]
pub(super) struct Chance {
    refuted: u32,
    proven: u32,
}

impl Chance {
    const OPEN: Self = Self {
        refuted: 0,
        proven: FOREVER,
    };

    pub fn take(&mut self, reply: Reply) {
        match reply {
            Reply::Proven(plies) => self.proven = self.proven.min(plies),
            Reply::Refuted(plies) => self.refuted = self.refuted.max(plies),
        }
    }

    pub fn never(&self) -> bool {
        self.refuted == FOREVER
    }

    pub fn wins(&self) -> bool {
        self.proven != FOREVER
    }
}

/// The chances of the seat to move and of the other, and how long the next round of questions is.
pub(super) struct Inquiry {
    pub chances: [Chance; 2],
    pub round: u64,
}

impl Default for Inquiry {
    fn default() -> Self {
        Self {
            chances: [Chance::OPEN; 2],
            round: FIRST_ROUND_NODES,
        }
    }
}

impl Inquiry {
    /// Whether the value, and the distance of a win or loss, are both known.
    pub fn settled(&self) -> bool {
        let exact = |c: &Chance| c.wins() && c.refuted + 1 >= c.proven;
        self.chances.iter().all(Chance::never) || self.chances.iter().any(exact)
    }

    /// The nodes for questions about one seat, or `None` when there is nothing to ask.
    pub fn share(&self, who: usize, far: bool) -> Option<u64> {
        let (chance, other) = (&self.chances[who], &self.chances[1 - who]);
        if chance.never() || other.wins() || (far && chance.wins()) {
            return None;
        }
        // Until a win is known, distances are not worth as much as values.
        Some(if far || chance.wins() {
            self.round
        } else {
            self.round / 8
        })
    }

    /// The plies to ask about next, or `None` when the answer is known.
    pub fn question(&self, who: usize, far: bool) -> Option<u32> {
        let chance = &self.chances[who];
        if chance.never() || chance.refuted + 1 >= chance.proven {
            return None;
        }
        Some(if far { FOREVER } else { chance.refuted + 1 })
    }

    /// What is known for the seat to move.
    pub fn bounds<P: Position>(&self, position: &P) -> Bounds {
        let [mine, theirs] = &self.chances;
        let lower = match () {
            () if mine.wins() => Value::Win,
            () if theirs.never() => Value::Draw,
            () => Value::Loss,
        };
        let upper = match () {
            () if theirs.wins() => Value::Loss,
            () if mine.never() => Value::Draw,
            () => Value::Win,
        };
        let least = match () {
            () if mine.wins() => mine.refuted + 1,
            () if theirs.wins() => theirs.refuted + 1,
            () => mine.refuted.min(theirs.refuted).saturating_add(1),
        };
        let most = theirs.wins().then_some(theirs.proven);
        Bounds {
            lower,
            upper,
            least: least.min(position.cells() as u32),
            most: most.or(mine.wins().then_some(mine.proven)),
            ..Bounds::UNKNOWN
        }
    }
}
