//! A bounded transposition table of two-sided facts: how soon a win is proven, how far it is refuted.
//!
//! Entries that took the least effort make room for others.

use crate::bits::Bits;
use crate::memory::{self, copies, Memory, Movable, Slot as _};
use crate::search::prover::{Reply, FOREVER};

/// "For any number of moves."
pub(crate) const EVER: u8 = u8::MAX;

/// What is known about an attacker's chances in one position, counted in the attacker's own moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Known<B: Bits> {
    /// The attacker cannot win with this many moves or fewer ([`EVER`]: never).
    pub refuted: u8,
    /// The attacker wins with this many moves ([`EVER`]: not known to win).
    pub proven: u8,
    /// The move that settled it last, or `u16::MAX`.
    pub mv: u16,
    /// The cells the proof needs.
    pub zone: B,
}

impl<B: Bits> Known<B> {
    /// Nothing.
    pub fn nothing() -> Self {
        Self {
            refuted: 0,
            proven: EVER,
            mv: u16::MAX,
            zone: B::default(),
        }
    }

    /// An answer counted in plies, and the move that made it.
    pub fn of(reply: Reply, mv: u16) -> Self {
        let mut known = Self::nothing();
        known.mv = mv;
        match reply {
            Reply::Proven(n) => known.proven = u8::try_from(n).unwrap_or(EVER),
            Reply::Refuted(FOREVER) => known.refuted = EVER,
            Reply::Refuted(n) => known.refuted = n.min(u32::from(EVER) - 1) as u8,
        }
        known
    }

    /// The answer to a question about so many plies, if it is known.
    #[inline]
    pub fn reply(&self, plies: u32) -> Option<Reply> {
        let (proven, refuted) = (u32::from(self.proven), u32::from(self.refuted));
        if self.proven < EVER && proven <= plies {
            Some(Reply::Proven(proven))
        } else if self.refuted == EVER {
            Some(Reply::Refuted(FOREVER))
        } else if refuted >= plies {
            Some(Reply::Refuted(refuted))
        } else {
            None
        }
    }
}

/// One entry. `facts` holds from the top: 26 bits of the key's high half, the move, how far
/// refuted, how soon proven, and the logarithm of the effort plus one (0: free).
#[derive(Clone, Copy, Default)]
struct Slot<B: Bits> {
    low: u64,
    facts: u64,
    zone: B,
}

const HIGH: u32 = 38;

fn high(key: u128) -> u64 {
    (key >> 64) as u64 >> HIGH
}

impl<B: Bits> Slot<B> {
    fn new(key: u128, known: &Known<B>, effort: u64) -> Self {
        let facts = u64::from(known.mv) << 22
            | u64::from(known.refuted) << 14
            | u64::from(known.proven) << 6
            | effort;
        Self {
            low: key as u64,
            facts: high(key) << HIGH | facts,
            zone: known.zone,
        }
    }

    fn known(&self) -> Known<B> {
        Known {
            mv: (self.facts >> 22) as u16,
            refuted: (self.facts >> 14) as u8,
            proven: (self.facts >> 6) as u8,
            zone: self.zone,
        }
    }

    fn effort(&self) -> u64 {
        self.facts & 63
    }
}

impl<B: Bits> memory::Slot for Slot<B> {
    type Key = u128;

    fn free(count: usize) -> Vec<Self> {
        copies(Self::default(), count)
    }

    #[inline]
    fn spread(key: u128) -> u64 {
        key as u64
    }

    #[inline]
    fn holds(&self, key: u128) -> bool {
        self.low == key as u64 && self.facts >> HIGH == high(key) && self.effort() > 0
    }

    #[inline]
    fn worth(&self) -> i32 {
        self.effort() as i32
    }
}

impl<B: Bits> Movable for Slot<B> {
    fn key(&self) -> u128 {
        u128::from(self.low)
    }
}

/// Facts by key; those that took the least effort make room.
pub(crate) struct Table<B: Bits> {
    memory: Memory<Slot<B>>,
}

impl<B: Bits> Table<B> {
    /// A table that never takes more than `bytes`; with fewer than one bucket it remembers nothing.
    pub fn new(bytes: usize) -> Self {
        Self {
            memory: Memory::growing(bytes),
        }
    }

    /// What is known under a key.
    #[inline]
    pub fn get(&self, key: u128) -> Known<B> {
        let slot = self.memory.find(key);
        slot.map_or(Known::nothing(), Slot::known)
    }

    /// Adds to what is known under a key; `nodes` is what it took.
    #[inline]
    pub fn put(&mut self, key: u128, nodes: u64, known: &Known<B>) {
        let log = u64::from(64 - nodes.leading_zeros()).clamp(1, 63);
        let Some(slot) = self.memory.slot(key) else {
            return;
        };
        if !slot.holds(key) {
            *slot = Slot::new(key, known, log);
            return;
        }
        let mut both = slot.known();
        both.refuted = both.refuted.max(known.refuted);
        if known.proven < both.proven {
            both.proven = known.proven;
            both.zone = known.zone;
        }
        both.mv = known.mv;
        *slot = Slot::new(key, &both, log.max(slot.effort()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::scramble;

    fn key(n: u64) -> u128 {
        u128::from(scramble(n)) << 64 | u128::from(scramble(!n))
    }

    #[test]
    fn both_bounds_of_one_position_live_side_by_side() {
        let mut table = Table::<u64>::new(1 << 16);
        let refuted = Known {
            refuted: 5,
            mv: 399,
            ..Known::nothing()
        };
        let proven = Known {
            proven: 9,
            mv: 7,
            zone: 12,
            ..Known::nothing()
        };
        table.put(key(1), 1, &refuted);
        assert_eq!(table.get(key(1)), refuted);
        table.put(key(1), 1, &proven);
        let both = Known {
            refuted: 5,
            ..proven
        };
        assert_eq!(table.get(key(1)), both);
        // A weaker fact that comes later takes nothing away.
        let weaker = Known {
            refuted: 2,
            proven: 11,
            zone: 1,
            ..both
        };
        table.put(key(1), 1, &weaker);
        assert_eq!(table.get(key(1)), both);
        assert_eq!(table.get(key(1) ^ 1 << 127), Known::nothing());
    }
}
