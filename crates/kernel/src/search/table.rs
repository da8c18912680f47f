//! What the engine remembers: a table of fixed size that all its threads share.
//!
//! An entry is two words, the second the data and the first the key xored with the data. Threads
//! write them without a lock; a pair that two of them wrote half each does not match any key.

use std::sync::atomic::{AtomicU64, AtomicU8, Ordering};

use crate::memory::{Memory, Slot};

use super::score::{Score, WON};

/// What a stored score says about the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// It is at most this.
    Upper,
    /// It is at least this.
    Lower,
    /// It is this.
    Exact,
}

impl Bound {
    /// What the score of a search within `alpha` and `beta` says.
    #[inline]
    pub fn of(score: Score, alpha: Score, beta: Score) -> Self {
        match score {
            _ if score >= beta => Self::Lower,
            _ if score > alpha => Self::Exact,
            _ => Self::Upper,
        }
    }
}

/// One remembered position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The best move, if one was found.
    pub best: Option<u16>,
    /// Wins and losses count from this position, not from the root.
    pub score: Score,
    /// How deep the search below it was.
    pub depth: i32,
    pub bound: Bound,
}

impl Entry {
    /// Whether the score answers a search within `alpha` and `beta`, if it is deep enough.
    #[inline]
    pub fn fits(&self, alpha: Score, beta: Score) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.score >= beta,
            Bound::Upper => self.score <= alpha,
        }
    }

    /// Whether it proves a win or a loss, whatever the depth.
    #[inline]
    pub fn is_proof(&self) -> bool {
        (self.score >= WON && self.bound != Bound::Upper)
            || (self.score <= -WON && self.bound != Bound::Lower)
    }
}

/// No move.
const NONE: u16 = u16::MAX;

/// The two words of an entry.
#[derive(Debug)]
struct Pair {
    check: AtomicU64,
    data: AtomicU64,
}

impl Slot for Pair {
    type Key = u64;

    fn free(count: usize) -> Vec<Self> {
        // Collected in place: the pages stay untouched until the search writes to them.
        vec![[0u64; 2]; count]
            .into_iter()
            .map(|[check, data]| Self {
                check: AtomicU64::new(check),
                data: AtomicU64::new(data),
            })
            .collect()
    }

    #[inline]
    fn spread(key: u64) -> u64 {
        key.rotate_left(32)
    }

    #[inline]
    fn holds(&self, key: u64) -> bool {
        let data = self.data.load(Ordering::Relaxed);
        data != 0 && self.check.load(Ordering::Relaxed) ^ data == key
    }

    fn worth(&self) -> i32 {
        match self.data.load(Ordering::Relaxed) {
            0 => 0,
            data => 1 + unpack(data).depth,
        }
    }
}

/// The shared table.
#[derive(Debug)]
pub struct Table {
    memory: Memory<Pair>,
    generation: AtomicU8,
}

impl Table {
    /// The smallest table, in bytes.
    pub const MIN_BYTES: usize = 1 << 10;

    /// A table of at most so many bytes; none below [`Table::MIN_BYTES`].
    pub fn new(bytes: usize) -> Option<Self> {
        (bytes >= Self::MIN_BYTES).then(|| Self {
            memory: Memory::fixed(bytes, usize::MAX),
            generation: AtomicU8::new(0),
        })
    }

    /// Bytes that it takes.
    pub fn bytes(&self) -> usize {
        self.memory.bytes()
    }

    /// Makes everything in it older.
    pub fn age(&self) {
        self.generation.fetch_add(1, Ordering::Relaxed);
    }

    /// What is known about a position, its score as seen from the root.
    #[inline]
    pub fn get(&self, key: u64, ply: i32) -> Option<Entry> {
        let pair = self.memory.find(key)?;
        let data = pair.data.load(Ordering::Relaxed);
        // Another thread may have written since.
        if pair.check.load(Ordering::Relaxed) ^ data != key || data == 0 {
            return None;
        }
        let mut entry = unpack(data);
        if entry.score >= WON {
            entry.score -= ply;
        } else if entry.score <= -WON {
            entry.score += ply;
        }
        Some(entry)
    }

    /// Remembers a position whose score is seen from the root.
    pub fn put(&self, key: u64, ply: i32, mut entry: Entry) {
        if entry.score >= WON {
            entry.score += ply;
        } else if entry.score <= -WON {
            entry.score -= ply;
        }
        let now = self.generation.load(Ordering::Relaxed) & 63;
        let worth = |pair: &Pair| match pair.data.load(Ordering::Relaxed) {
            0 => i32::MIN,
            data => {
                let age = i32::from(now.wrapping_sub((data >> 42) as u8) & 63);
                unpack(data).depth - 4 * age
            }
        };
        let Some(pair) = self.memory.shared(key, worth) else {
            return;
        };
        if pair.holds(key) {
            let old = unpack(pair.data.load(Ordering::Relaxed));
            entry.best = entry.best.or(old.best);
        }
        let data = pack(&entry, now);
        pair.check.store(key ^ data, Ordering::Relaxed);
        pair.data.store(data, Ordering::Relaxed);
    }
}

// Bits: move 0..16, score 16..32, depth 32..40, bound 40..42, generation 42..48, in use 48.
fn pack(entry: &Entry, generation: u8) -> u64 {
    let bound = match entry.bound {
        Bound::Upper => 0,
        Bound::Lower => 1,
        Bound::Exact => 2,
    };
    u64::from(entry.best.unwrap_or(NONE))
        | u64::from(entry.score as i16 as u16) << 16
        | u64::from(entry.depth.clamp(0, 255) as u8) << 32
        | bound << 40
        | u64::from(generation) << 42
        | 1 << 48
}

fn unpack(data: u64) -> Entry {
    Entry {
        best: (data as u16 != NONE).then_some(data as u16),
        score: Score::from((data >> 16) as i16),
        depth: (data >> 32 & 255) as i32,
        bound: match data >> 40 & 3 {
            0 => Bound::Upper,
            1 => Bound::Lower,
            _ => Bound::Exact,
        },
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::score::MATE;
    use super::*;

    #[test]
    fn wins_count_from_the_position_that_is_asked_about() {
        let table = Table::new(1 << 16).unwrap();
        for (score, seen) in [(MATE - 9, MATE - 11), (9 - MATE, 11 - MATE), (-77, -77)] {
            let entry = Entry {
                best: Some(3),
                score,
                depth: 5,
                bound: Bound::Lower,
            };
            table.put(42, 4, entry);
            let got = table.get(42, 6).unwrap();
            assert_eq!(
                got,
                Entry {
                    score: seen,
                    ..entry
                }
            );
        }
        assert_eq!(table.get(43, 0), None);
        assert!(Table::new(100).is_none());
    }

    #[test]
    fn deep_entries_outlast_shallow_ones_until_they_are_old() {
        let table = Table::new(1 << 10).unwrap();
        let entry = |depth| Entry {
            best: None,
            score: 1,
            depth,
            bound: Bound::Exact,
        };
        table.put(0, 0, entry(20));
        for key in 1..100u64 {
            table.put(key << 32, 0, entry(1));
        }
        assert_eq!(table.get(0, 0), Some(entry(20)));
        for _ in 0..10 {
            table.age();
        }
        for key in 1..100u64 {
            table.put(key << 32, 0, entry(1));
        }
        assert_eq!(table.get(0, 0), None);
    }
}
