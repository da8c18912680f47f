//! A transposition table that keeps a lower and an upper bound per position, in the bytes given.

/// Slots that share a place: one cache line.
const WAYS: usize = 4;

/// What is known of a position: its margin lies in `lower..=upper`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Known {
    pub lower: i16,
    pub upper: i16,
    /// The best move so far, as a cell.
    pub best: u16,
}

/// Keys with packed bounds; a slot is free while its second word is zero.
pub(super) struct Table {
    slots: Vec<[u64; 2]>,
    buckets: usize,
}

impl Table {
    /// A table of at most `bytes` bytes and no more than `positions` places; without room for
    /// one bucket it stores nothing.
    pub fn new(bytes: usize, positions: usize) -> Self {
        let most = (bytes / (16 * WAYS)).min(positions.div_ceil(WAYS).max(1));
        let buckets = if most == 0 { 0 } else { 1 << most.ilog2() };
        Self {
            slots: vec![[0; 2]; buckets * WAYS],
            buckets,
        }
    }

    #[inline]
    fn bucket(&self, key: u64) -> std::ops::Range<usize> {
        let at = (key >> 20) as usize & self.buckets.wrapping_sub(1);
        at * WAYS..(at + 1) * WAYS
    }

    /// What is known of a position.
    #[inline]
    pub fn get(&self, key: u64) -> Option<Known> {
        if self.buckets == 0 {
            return None;
        }
        self.slots
            .get(self.bucket(key))?
            .iter()
            .find(|slot| slot[0] == key && slot[1] != 0)
            .map(|slot| Known {
                lower: slot[1] as i16,
                upper: (slot[1] >> 16) as i16,
                best: (slot[1] >> 32) as u16,
            })
    }

    /// Remembers a position; `weight` (above zero) says how dear it would be to find out again.
    /// The lightest of the bucket gives way.
    #[inline]
    pub fn put(&mut self, key: u64, known: Known, weight: u16) {
        if self.buckets == 0 {
            return;
        }
        let range = self.bucket(key);
        let packed = u64::from(known.lower as u16)
            | u64::from(known.upper as u16) << 16
            | u64::from(known.best) << 32
            | u64::from(weight.max(1)) << 48;
        let Some(bucket) = self.slots.get_mut(range) else {
            return;
        };
        let mut lightest = 0;
        for (index, slot) in bucket.iter().enumerate() {
            if slot[0] == key && slot[1] != 0 {
                lightest = index;
                break;
            }
            if slot[1] >> 48 < bucket[lightest][1] >> 48 {
                lightest = index;
            }
        }
        bucket[lightest] = [key, packed];
    }
}
