//! A transposition table that keeps a lower and an upper bound per position, in the bytes given.

use crate::memory::{Memory, Movable, Slot};

/// What is known of a position: its margin lies in `lower..=upper`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Known {
    pub lower: i16,
    pub upper: i16,
    /// The best move so far, as a cell.
    pub best: u16,
}

/// A key and its packed bounds; free while the second word is zero.
type Words = [u64; 2];

impl Slot for Words {
    type Key = u64;

    fn free(count: usize) -> Vec<Self> {
        vec![[0; 2]; count]
    }

    /// The lower bits: a key is the least of several, so its upper bits are mostly zero.
    #[inline]
    fn spread(key: u64) -> u64 {
        key.rotate_left(32)
    }

    #[inline]
    fn holds(&self, key: u64) -> bool {
        self[0] == key && self[1] != 0
    }

    #[inline]
    fn worth(&self) -> i32 {
        (self[1] >> 48) as i32
    }
}

impl Movable for Words {
    fn key(&self) -> u64 {
        self[0]
    }
}

/// Bounds by key.
pub(super) struct Table {
    memory: Memory<Words>,
}

impl Table {
    /// A table of at most `bytes` bytes and no more than `positions` places; without room for
    /// one bucket it stores nothing.
    pub fn new(bytes: usize, positions: usize) -> Self {
        Self {
            memory: Memory::fixed(bytes, positions),
        }
    }

    /// What is known of a position.
    #[inline]
    pub fn get(&self, key: u64) -> Option<Known> {
        self.memory.find(key).map(|slot| Known {
            lower: slot[1] as i16,
            upper: (slot[1] >> 16) as i16,
            best: (slot[1] >> 32) as u16,
        })
    }

    /// Remembers a position; `left` is how many cells are empty. The more there are, the longer it
    /// would take to find out again, so those with the fewest make room.
    #[inline]
    pub fn put(&mut self, key: u64, known: Known, left: u16) {
        if let Some(slot) = self.memory.slot(key) {
            let bounds = u64::from(known.lower as u16) | u64::from(known.upper as u16) << 16;
            let best = u64::from(known.best) << 32;
            *slot = [key, bounds | best | u64::from(left.max(1)) << 48];
        }
    }
}
