//! A bounded transposition table of two-sided facts: how soon a win is proven, how far it is refuted.
//!
//! It begins small, so that a small search does not pay for a large table, and grows up to the
//! memory it was given; then the entries that took the least effort make room.

use crate::error::KernelError;

/// "For any number of moves."
pub(crate) const EVER: u8 = u8::MAX;

/// What is known about an attacker's chances in one position, counted in the attacker's own moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Known {
    /// The attacker cannot win with this many moves or fewer ([`EVER`]: never).
    pub refuted: u8,
    /// The attacker wins with this many moves ([`EVER`]: not known to win).
    pub proven: u8,
    /// The move that settled it last, or `u16::MAX`.
    pub mv: u16,
}

impl Known {
    /// Nothing.
    pub const NOTHING: Self = Self {
        refuted: 0,
        proven: EVER,
        mv: u16::MAX,
    };
}

/// The low half of the key, then from the top: 26 bits of the high half, the move, how far
/// refuted, how soon proven, and the logarithm of the effort plus one (0: free).
type Slot = [u64; 2];

const WAYS: usize = 4;
const SIZE: usize = size_of::<Slot>();
const FIRST: usize = 1 << 12;
const HIGH: u32 = 38;

fn high(key: u128) -> u64 {
    (key >> 64) as u64 >> HIGH
}

fn unpack(slot: &Slot) -> Known {
    Known {
        mv: (slot[1] >> 22) as u16,
        refuted: (slot[1] >> 14) as u8,
        proven: (slot[1] >> 6) as u8,
    }
}

fn pack(key: u128, known: Known, effort: u64) -> Slot {
    let facts = u64::from(known.mv) << 22
        | u64::from(known.refuted) << 14
        | u64::from(known.proven) << 6
        | effort;
    [key as u64, high(key) << HIGH | facts]
}

fn effort(slot: &Slot) -> u64 {
    slot[1] & 63
}

/// Buckets of four slots; the one that took the least effort makes room.
pub(crate) struct Table {
    slots: Vec<Slot>,
    used: usize,
    bytes: usize,
}

impl Table {
    /// A table that never takes more than `bytes`; with fewer than one bucket it remembers nothing.
    pub fn new(bytes: usize) -> Result<Self, KernelError> {
        let slots = (bytes / SIZE).min(FIRST) / WAYS * WAYS;
        Ok(Self {
            slots: zeroed(slots)?,
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
    pub fn get(&self, key: u128) -> Known {
        let (low, high) = (key as u64, high(key));
        self.slots[self.bucket(low)]
            .iter()
            .find(|slot| slot[0] == low && slot[1] >> HIGH == high && effort(slot) > 0)
            .map_or(Known::NOTHING, unpack)
    }

    /// Adds to what is known under a key; `nodes` is what it took.
    #[inline]
    pub fn put(&mut self, key: u128, nodes: u64, known: Known) {
        if self.used * 4 > self.slots.len() * 3 {
            self.grow();
        }
        let log = u64::from(64 - nodes.leading_zeros()).clamp(1, 63);
        let (low, high) = (key as u64, high(key));
        let range = self.bucket(low);
        let bucket = &mut self.slots[range];
        if let Some(slot) = bucket
            .iter_mut()
            .find(|slot| slot[0] == low && slot[1] >> HIGH == high && effort(slot) > 0)
        {
            let old = unpack(slot);
            let both = Known {
                refuted: old.refuted.max(known.refuted),
                proven: old.proven.min(known.proven),
                mv: known.mv,
            };
            *slot = pack(key, both, log.max(effort(slot)));
        } else if let Some(slot) = bucket.iter_mut().min_by_key(|slot| effort(slot)) {
            self.used += usize::from(effort(slot) == 0);
            *slot = pack(key, known, log);
        }
    }

    /// Moves to a larger table if the old and the new one fit side by side.
    fn grow(&mut self) {
        let most = (self.bytes / SIZE).saturating_sub(self.slots.len());
        let larger = (self.slots.len() * 4).min(most) / WAYS * WAYS;
        let Some(Ok(slots)) = (larger > self.slots.len()).then(|| zeroed(larger)) else {
            // As large as it gets: never ask again.
            self.used = 0;
            self.bytes = 0;
            return;
        };
        let old = std::mem::replace(&mut self.slots, slots);
        self.used = 0;
        for slot in old.iter().filter(|slot| effort(slot) > 0) {
            let range = self.bucket(slot[0]);
            if let Some(place) = self.slots[range].iter_mut().min_by_key(|s| effort(s)) {
                self.used += usize::from(effort(place) == 0);
                *place = *slot;
            }
        }
    }
}

fn zeroed(slots: usize) -> Result<Vec<Slot>, KernelError> {
    let mut room: Vec<Slot> = Vec::new();
    let needed = slots * SIZE;
    room.try_reserve_exact(slots)
        .map_err(|_| KernelError::Memory { needed, given: 0 })?;
    room.resize(slots, [0; 2]);
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
        let mut table = Table::new(1 << 16).unwrap();
        let refuted = Known {
            refuted: 5,
            mv: 399,
            ..Known::NOTHING
        };
        let proven = Known {
            proven: 9,
            mv: 7,
            ..Known::NOTHING
        };
        table.put(key(1), 1, refuted);
        assert_eq!(table.get(key(1)), refuted);
        table.put(key(1), 1, proven);
        let both = Known {
            refuted: 5,
            proven: 9,
            mv: 7,
        };
        assert_eq!(table.get(key(1)), both);
        // A weaker fact that comes later takes nothing away.
        table.put(key(1), 1, Known { refuted: 2, ..both });
        assert_eq!(table.get(key(1)), both);
        assert_eq!(table.get(key(1) ^ 1 << 127), Known::NOTHING);
    }

    #[test]
    fn it_grows_and_keeps_within_its_bytes() {
        for bytes in [0, 63, 64, 1000, 1 << 20, 3 << 20] {
            let mut table = Table::new(bytes).unwrap();
            for n in 0..200_000 {
                table.put(
                    key(n),
                    n,
                    Known {
                        refuted: 3,
                        ..Known::NOTHING
                    },
                );
                assert!(table.slots.capacity() * SIZE <= bytes);
            }
            let kept = (0..200_000)
                .filter(|n| table.get(key(*n)).refuted == 3)
                .count();
            assert!(kept <= bytes / SIZE);
            assert!(kept * SIZE * 3 >= bytes.min(200_000 * SIZE) || bytes < 64);
        }
    }
}
