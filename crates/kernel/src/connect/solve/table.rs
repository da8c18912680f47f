//! What the search knows of positions, in the bytes given.

use crate::bits::Bits;

/// Slots that share a place.
const WAYS: usize = 4;

/// Slots a table begins with.
const FIRST: usize = 1 << 12;

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

/// More than any count: not to be proven.
pub(super) const INFINITE: u32 = 1 << 30;

impl<B: Bits> Known<B> {
    /// The seat to move wins with these cells.
    pub fn win(carrier: B) -> Self {
        Self {
            proof: 0,
            disproof: INFINITE,
            carrier,
        }
    }

    /// The seat to move loses to these cells.
    pub fn loss(carrier: B) -> Self {
        Self {
            proof: INFINITE,
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
    /// How dear it was to find out; zero in a free slot.
    weight: u32,
}

/// Knowledge by key. Grows as it fills, up to the bytes given; then the cheapest of a bucket yields.
pub(super) struct Table<B: Bits> {
    slots: Vec<Slot<B>>,
    used: usize,
    most: usize,
}

impl<B: Bits> Table<B> {
    /// A table of at most `bytes` bytes; without room for one bucket it stores nothing.
    pub fn new(bytes: usize) -> Self {
        let fit = bytes / std::mem::size_of::<Slot<B>>();
        let most = if fit < WAYS { 0 } else { 1 << fit.ilog2() };
        Self {
            slots: vec![Slot::default(); most.min(FIRST)],
            used: 0,
            most,
        }
    }

    #[inline]
    fn bucket(&self, key: u64) -> std::ops::Range<usize> {
        let at = (key >> 8) as usize & (self.slots.len() - 1) & !(WAYS - 1);
        at..at + WAYS
    }

    /// What is known of a position.
    #[inline]
    pub fn get(&self, key: u64) -> Option<Known<B>> {
        if self.slots.is_empty() {
            return None;
        }
        self.slots
            .get(self.bucket(key))?
            .iter()
            .find(|slot| slot.key == key && slot.weight != 0)
            .map(|slot| slot.known)
    }

    /// Remembers what is known and how many nodes it took.
    pub fn put(&mut self, key: u64, known: Known<B>, nodes: u64) {
        // While it grows, the old and the new slots live side by side.
        if self.used * 2 > self.slots.len() && self.slots.len() * 2 + self.slots.len() <= self.most
        {
            let twice = vec![Slot::default(); self.slots.len() * 2];
            let old = std::mem::replace(&mut self.slots, twice);
            self.used = 0;
            for slot in old.into_iter().filter(|slot| slot.weight != 0) {
                self.place(slot);
            }
        }
        if !self.slots.is_empty() {
            self.place(Slot {
                key,
                known,
                weight: nodes.clamp(1, u64::from(u32::MAX)) as u32,
            });
        }
    }

    fn place(&mut self, slot: Slot<B>) {
        let range = self.bucket(slot.key);
        let Some(bucket) = self.slots.get_mut(range) else {
            return;
        };
        let mut yields = 0;
        for (index, there) in bucket.iter().enumerate() {
            if there.key == slot.key && there.weight != 0 {
                yields = index;
                break;
            }
            if there.weight < bucket[yields].weight {
                yields = index;
            }
        }
        if bucket[yields].weight == 0 {
            self.used += 1;
        }
        bucket[yields] = slot;
    }
}
