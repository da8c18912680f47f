//! The transposition table that every search uses, generic over what it keeps.
//!
//! Slots lie in buckets of four. A key belongs to one bucket; when that is full, the slot that is
//! worth least makes room. A table never takes more bytes than it was given: a fixed one takes them
//! at once (untouched pages cost nothing), a growing one begins small, so that a small search does
//! not pay for a large table.

use std::ops::Range;

use crate::error::KernelError;

/// Slots of a bucket.
const WAYS: usize = 4;

/// Slots that a growing table begins with.
const FIRST_SLOTS: usize = 1 << 12;

/// One place in a table.
pub trait Slot: Sized {
    /// What entries are found by.
    type Key: Copy;

    /// Makes so many free slots, or none where there is no memory for them.
    fn free(count: usize) -> Vec<Self>;

    /// Spreads a key over 64 bits: the upper ones choose the bucket.
    fn spread(key: Self::Key) -> u64;

    /// Whether it holds the entry of a key.
    fn holds(&self, key: Self::Key) -> bool;

    /// What would be lost by overwriting it; 0 when it is free.
    fn worth(&self) -> i32;
}

/// A slot that can move to a larger table.
pub(crate) trait Movable: Slot + Copy {
    /// The key of its entry, as far as the bucket depends on it.
    fn key(&self) -> Self::Key;
}

/// A table of slots.
#[derive(Debug)]
pub(crate) struct Memory<S> {
    slots: Vec<S>,
    used: usize,
    /// What it may grow to, in bytes; 0 once it is as large as it gets.
    bytes: usize,
}

impl<S: Slot> Memory<S> {
    /// The bytes of one bucket: with fewer a table remembers nothing.
    pub const BUCKET: usize = WAYS * size_of::<S>();

    /// A table that takes as much of the bytes as so many entries need.
    pub fn fixed(bytes: usize, entries: usize) -> Self {
        let buckets = (bytes / Self::BUCKET).min(entries.div_ceil(WAYS));
        Self {
            slots: S::free(buckets * WAYS),
            used: 0,
            bytes: 0,
        }
    }

    /// A table that begins small and grows up to the bytes.
    pub fn growing(bytes: usize) -> Self {
        let slots = (bytes / size_of::<S>()).min(FIRST_SLOTS) / WAYS * WAYS;
        Self {
            slots: S::free(slots),
            used: 0,
            bytes,
        }
    }

    /// Bytes that it takes.
    pub fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<S>()
    }

    #[inline]
    fn bucket(&self, key: S::Key) -> Range<usize> {
        let buckets = (self.slots.len() / WAYS) as u128;
        let start = ((u128::from(S::spread(key)) * buckets) >> 64) as usize * WAYS;
        start..(start + WAYS).min(self.slots.len())
    }

    /// The slot that holds the entry of a key.
    #[inline]
    pub fn find(&self, key: S::Key) -> Option<&S> {
        let bucket = &self.slots[self.bucket(key)];
        bucket.iter().find(|slot| slot.holds(key))
    }

    /// The slot to write the entry of a key to: the one that holds it, or the one that is worth least.
    #[inline]
    fn place(&self, key: S::Key, worth: impl Fn(&S) -> i32) -> Option<usize> {
        let range = self.bucket(key);
        let bucket = &self.slots[range.clone()];
        let mut least = (i32::MAX, None);
        for (index, slot) in bucket.iter().enumerate() {
            if slot.holds(key) {
                return Some(range.start + index);
            }
            let worth = worth(slot);
            if worth < least.0 || least.1.is_none() {
                least = (worth, Some(range.start + index));
            }
        }
        least.1
    }

    /// The slot to write the entry of a key to, in a table that several threads share; the caller
    /// says what each slot is worth.
    #[inline]
    pub fn shared(&self, key: S::Key, worth: impl Fn(&S) -> i32) -> Option<&S> {
        self.place(key, worth).map(|index| &self.slots[index])
    }
}

impl<S: Movable> Memory<S> {
    /// The slot to write the entry of a key to; the caller writes it. `None` in a table without slots.
    #[inline]
    pub fn slot(&mut self, key: S::Key) -> Option<&mut S> {
        if self.bytes > 0 && self.used * 4 > self.slots.len() * 3 {
            self.grow();
        }
        let index = self.place(key, S::worth)?;
        let slot = &mut self.slots[index];
        self.used += usize::from(slot.worth() == 0);
        Some(slot)
    }

    /// Moves to a larger table if the old and the new one fit side by side.
    #[cold]
    fn grow(&mut self) {
        let most = (self.bytes / size_of::<S>()).saturating_sub(self.slots.len());
        let larger = (self.slots.len() * 4).min(most) / WAYS * WAYS;
        if larger <= self.slots.len() {
            self.bytes = 0;
            return;
        }
        let free = S::free(larger);
        if free.is_empty() {
            self.bytes = 0;
            return;
        }
        let old = std::mem::replace(&mut self.slots, free);
        self.used = 0;
        for entry in old.into_iter().filter(|entry| entry.worth() > 0) {
            if let Some(index) = self.place(entry.key(), S::worth) {
                self.used += usize::from(self.slots[index].worth() == 0);
                self.slots[index] = entry;
            }
        }
    }
}

/// So many copies of a value, or none where there is no memory for them.
pub(crate) fn copies<T: Copy>(value: T, count: usize) -> Vec<T> {
    let mut room = Vec::new();
    if room.try_reserve_exact(count).is_ok() {
        room.resize(count, value);
    }
    room
}

/// Checks that a search has the bytes it cannot do without, and returns those that are left.
pub(crate) fn left(given: usize, needed: usize) -> Result<usize, KernelError> {
    given
        .checked_sub(needed)
        .ok_or(KernelError::Memory { needed, given })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::bits::scramble;

    #[derive(Clone, Copy, Default)]
    struct Plain {
        key: u64,
        worth: i32,
    }

    impl Slot for Plain {
        type Key = u64;

        fn free(count: usize) -> Vec<Self> {
            copies(Self::default(), count)
        }

        fn spread(key: u64) -> u64 {
            scramble(key)
        }

        fn holds(&self, key: u64) -> bool {
            self.key == key && self.worth > 0
        }

        fn worth(&self) -> i32 {
            self.worth
        }
    }

    impl Movable for Plain {
        fn key(&self) -> u64 {
            self.key
        }
    }

    fn fill(memory: &mut Memory<Plain>, entries: u64) -> usize {
        for key in 0..entries {
            if let Some(slot) = memory.slot(key) {
                *slot = Plain { key, worth: 1 };
            }
        }
        (0..entries)
            .filter(|key| memory.find(*key).is_some())
            .count()
    }

    #[test]
    fn it_grows_and_keeps_within_its_bytes() {
        let size = size_of::<Plain>();
        for bytes in [0, 63, 64, 1000, 1 << 20, 3 << 20] {
            let mut memory = Memory::growing(bytes);
            let kept = fill(&mut memory, 100_000);
            assert!(memory.bytes() <= bytes);
            assert!(kept <= bytes / size);
            assert!(kept * size * 3 >= bytes.min(100_000 * size) || bytes < 64);
        }
    }

    #[test]
    fn a_fixed_table_has_a_slot_for_each_entry_but_no_more() {
        assert_eq!(
            Memory::<Plain>::fixed(1 << 20, 6).bytes(),
            8 * size_of::<Plain>()
        );
        assert_eq!(fill(&mut Memory::fixed(63, 100), 100), 0);
        assert_eq!(fill(&mut Memory::fixed(64, 100), 100), 4);
    }

    #[test]
    fn what_is_worth_least_makes_room() {
        let mut memory = Memory::<Plain>::fixed(Memory::<Plain>::BUCKET, 4);
        for (key, worth) in [(1, 9), (2, 3), (3, 7), (4, 5), (5, 8)] {
            *memory.slot(key).unwrap() = Plain { key, worth };
        }
        let kept: Vec<u64> = (1..=5).filter(|key| memory.find(*key).is_some()).collect();
        assert_eq!(kept, [1, 3, 4, 5]);
    }
}
