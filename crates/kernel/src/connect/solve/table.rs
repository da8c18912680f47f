//! What the search knows of positions, in the bytes given.

use crate::bits::Bits;
use crate::memory::{self, copies, Memory, Movable};
use crate::search::numbers::NEVER;

/// What is known of a position, seen by the seat to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Known<B: Bits> {
    /// How many leaves at least have to be won to prove a win; 0 once it is proven.
    pub proof: u32,
    /// How many leaves at least have to be lost to prove a loss; 0 once it is proven.
    pub disproof: u32,
    /// Of a proven position: empty cells such that the winner wins even if the loser had all the
    /// others.
    pub carrier: B,
}

impl<B: Bits> Known<B> {
    /// The seat to move wins with these cells.
    pub fn win(carrier: B) -> Self {
        Self {
            proof: 0,
            disproof: NEVER,
            carrier,
        }
    }

    /// The seat to move loses to these cells.
    pub fn loss(carrier: B) -> Self {
        Self {
            proof: NEVER,
            disproof: 0,
            carrier,
        }
    }

    /// Whether the seat to move wins, once proven.
    pub fn solved(&self) -> Option<bool> {
        if self.proof == 0 {
            Some(true)
        } else if self.disproof == 0 {
            Some(false)
        } else {
            None
        }
    }
}

#[derive(Clone, Copy, Default)]
struct Slot<B: Bits> {
    key: u64,
    known: Known<B>,
    /// The nodes it took to find out; zero in a free slot.
    nodes: u32,
}

impl<B: Bits> memory::Slot for Slot<B> {
    type Key = u64;

    fn free(count: usize) -> Vec<Self> {
        copies(Self::default(), count)
    }

    /// The lower bits: a key is the least of several, so its upper bits are mostly zero.
    #[inline]
    fn spread(key: u64) -> u64 {
        key.rotate_left(32)
    }

    #[inline]
    fn holds(&self, key: u64) -> bool {
        self.key == key && self.nodes != 0
    }

    #[inline]
    fn worth(&self) -> i32 {
        self.nodes as i32
    }
}

impl<B: Bits> Movable for Slot<B> {
    fn key(&self) -> u64 {
        self.key
    }
}

/// Knowledge by key; what took the fewest nodes to find out makes room.
pub(super) struct Table<B: Bits> {
    memory: Memory<Slot<B>>,
}

impl<B: Bits> Table<B> {
    /// A table of at most `bytes` bytes; without room for one bucket it stores nothing.
    pub fn new(bytes: usize) -> Self {
        Self {
            memory: Memory::growing(bytes),
        }
    }

    /// What is known of a position.
    #[inline]
    pub fn get(&self, key: u64) -> Option<Known<B>> {
        self.memory.find(key).map(|slot| slot.known)
    }

    /// Remembers what is known and how many nodes it took.
    pub fn put(&mut self, key: u64, known: Known<B>, nodes: u64) {
        let nodes = nodes.clamp(1, i32::MAX as u64) as u32;
        if let Some(slot) = self.memory.slot(key) {
            *slot = Slot { key, known, nodes };
        }
    }
}
