//! A bounded transposition table of two-sided facts: how soon a win is proven, how far it is refuted.
//!
//! It begins small, so that a small search does not pay for a large table, and grows up to the
//! memory it was given; then the entries that took the least effort make room.

use crate::bits::Bits;
use crate::error::KernelError;

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
}

/// One entry. `facts` holds from the top: 26 bits of the key's high half, the move, how far
/// refuted, how soon proven, and the logarithm of the effort plus one (0: free).
#[derive(Clone, Copy, Default)]
struct Slot<B: Bits> {
    low: u64,
    facts: u64,
    zone: B,
}

const WAYS: usize = 4;
const FIRST: usize = 1 << 12;
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

    fn is(&self, key: u128) -> bool {
        self.low == key as u64 && self.facts >> HIGH == high(key) && self.effort() > 0
    }
}

/// Buckets of four slots; the one that took the least effort makes room.
pub(crate) struct Table<B: Bits> {
    slots: Vec<Slot<B>>,
    used: usize,
    bytes: usize,
}

impl<B: Bits> Table<B> {
    const SIZE: usize = size_of::<Slot<B>>();

    /// A table that never takes more than `bytes`; with fewer than one bucket it remembers nothing.
    pub fn new(bytes: usize) -> Result<Self, KernelError> {
        let slots = (bytes / Self::SIZE).min(FIRST) / WAYS * WAYS;
        Ok(Self {
            slots: free(slots)?,
            used: 0,
            bytes,
        })
    }

    fn bucket(&self, low: u64) -> std::ops::Range<usize> {
        let buckets = (self.slots.len() / WAYS) as u128;
        let index = ((u128::from(low) * buckets) >> 64) as usize * WAYS;
        index..(index + WAYS).min(self.slots.len())
    }

    /// What is known under a key.
    #[inline]
    pub fn get(&self, key: u128) -> Known<B> {
        self.slots[self.bucket(key as u64)]
            .iter()
            .find(|slot| slot.is(key))
            .map_or(Known::nothing(), Slot::known)
    }

    /// Adds to what is known under a key; `nodes` is what it took.
    #[inline]
    pub fn put(&mut self, key: u128, nodes: u64, known: &Known<B>) {
        if self.used * 4 > self.slots.len() * 3 {
            self.grow();
        }
        let log = u64::from(64 - nodes.leading_zeros()).clamp(1, 63);
        let range = self.bucket(key as u64);
        let bucket = &mut self.slots[range];
        if let Some(slot) = bucket.iter_mut().find(|slot| slot.is(key)) {
            let mut both = slot.known();
            both.refuted = both.refuted.max(known.refuted);
            if known.proven < both.proven {
                both.proven = known.proven;
                both.zone = known.zone;
            }
            both.mv = known.mv;
            *slot = Slot::new(key, &both, log.max(slot.effort()));
        } else if let Some(slot) = bucket.iter_mut().min_by_key(|slot| slot.effort()) {
            self.used += usize::from(slot.effort() == 0);
            *slot = Slot::new(key, known, log);
        }
    }

    /// Moves to a larger table if the old and the new one fit side by side.
    fn grow(&mut self) {
        let most = (self.bytes / Self::SIZE).saturating_sub(self.slots.len());
        let larger = (self.slots.len() * 4).min(most) / WAYS * WAYS;
        let Some(Ok(slots)) = (larger > self.slots.len()).then(|| free(larger)) else {
            // As large as it gets: never ask again.
            self.used = 0;
            self.bytes = 0;
            return;
        };
        let old = std::mem::replace(&mut self.slots, slots);
        self.used = 0;
        for slot in old.iter().filter(|slot| slot.effort() > 0) {
            let range = self.bucket(slot.low);
            if let Some(place) = self.slots[range].iter_mut().min_by_key(|s| s.effort()) {
                self.used += usize::from(place.effort() == 0);
                *place = *slot;
            }
        }
    }
}

fn free<B: Bits>(slots: usize) -> Result<Vec<Slot<B>>, KernelError> {
    let mut room: Vec<Slot<B>> = Vec::new();
    let needed = slots * size_of::<Slot<B>>();
    room.try_reserve_exact(slots)
        .map_err(|_| KernelError::Memory { needed, given: 0 })?;
    room.resize(slots, Slot::default());
    Ok(room)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::bits::scramble;

    fn key(n: u64) -> u128 {
        u128::from(scramble(n)) << 64 | u128::from(scramble(!n))
    }

    #[test]
    fn both_bounds_of_one_position_live_side_by_side() {
        let mut table = Table::<u64>::new(1 << 16).unwrap();
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

    #[test]
    fn it_grows_and_keeps_within_its_bytes() {
        let size = Table::<u64>::SIZE;
        let known = Known {
            refuted: 3,
            ..Known::nothing()
        };
        for bytes in [0, 95, 96, 1000, 1 << 20, 3 << 20] {
            let mut table = Table::<u64>::new(bytes).unwrap();
            for n in 0..100_000 {
                table.put(key(n), n, &known);
                assert!(table.slots.capacity() * size <= bytes);
            }
            let kept = (0..100_000).filter(|n| table.get(key(*n)) == known).count();
            assert!(kept <= bytes / size);
            assert!(kept * size * 3 >= bytes.min(100_000 * size) || bytes < 96);
        }
    }
}
