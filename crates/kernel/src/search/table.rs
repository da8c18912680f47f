//! What the search remembers: a table of fixed size that all its threads share.
//!
//! An entry is two words, the second the data and the first the key xored with the data. Threads
//! write them without a lock; a pair that two of them wrote half each does not match any key.

use std::sync::atomic::{AtomicU64, AtomicU8, Ordering};

use super::score::{Score, WON};

/// Entries that share an index.
const WAYS: usize = 4;
/// Words of a bucket: one cache line.
const BUCKET: usize = 2 * WAYS;

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
    /// Whether it proves a win or a loss, whatever the depth.
    #[inline]
    pub fn is_proof(&self) -> bool {
        (self.score >= WON && self.bound != Bound::Upper)
            || (self.score <= -WON && self.bound != Bound::Lower)
    }
}

/// No move.
const NONE: u16 = u16::MAX;

/// The shared table.
#[derive(Debug)]
pub struct Table {
    words: Vec<AtomicU64>,
    mask: usize,
    generation: AtomicU8,
}

impl Table {
    /// The smallest table, in bytes.
    pub const LEAST: usize = 1 << 10;

    /// A table of at most so many bytes; none below [`Table::LEAST`].
    pub fn new(bytes: usize) -> Option<Self> {
        let buckets = bytes / (8 * BUCKET);
        if bytes < Self::LEAST || buckets == 0 {
            return None;
        }
        let buckets = 1usize << buckets.ilog2();
        Some(Self {
            // Collected in place: the pages stay untouched until the search writes to them.
            words: vec![0u64; buckets * BUCKET]
                .into_iter()
                .map(AtomicU64::new)
                .collect(),
            mask: buckets - 1,
            generation: AtomicU8::new(0),
        })
    }

    /// Bytes that it takes.
    pub fn bytes(&self) -> usize {
        8 * self.words.len()
    }

    /// Makes everything in it older.
    pub fn age(&self) {
        self.generation.fetch_add(1, Ordering::Relaxed);
    }

    #[inline]
    fn bucket(&self, key: u64) -> &[AtomicU64] {
        let at = (key as usize & self.mask) * BUCKET;
        &self.words[at..at + BUCKET]
    }

    /// What is known about a position, its score as seen from the root.
    #[inline]
    pub fn get(&self, key: u64, ply: i32) -> Option<Entry> {
        for pair in self.bucket(key).chunks_exact(2) {
            let data = pair[1].load(Ordering::Relaxed);
            if pair[0].load(Ordering::Relaxed) ^ data == key && data != 0 {
                let mut entry = unpack(data);
                if entry.score >= WON {
                    entry.score -= ply;
                } else if entry.score <= -WON {
                    entry.score += ply;
                }
                return Some(entry);
            }
        }
        None
    }

    /// Remembers a position whose score is seen from the root.
    pub fn put(&self, key: u64, ply: i32, mut entry: Entry) {
        if entry.score >= WON {
            entry.score += ply;
        } else if entry.score <= -WON {
            entry.score -= ply;
        }
        let now = self.generation.load(Ordering::Relaxed) & 63;
        let bucket = self.bucket(key);
        let mut slot = 0;
        let mut least = i32::MAX;
        for (index, pair) in bucket.chunks_exact(2).enumerate() {
            let data = pair[1].load(Ordering::Relaxed);
            if data == 0 {
                slot = index;
                least = i32::MIN;
                continue;
            }
            let old = unpack(data);
            if pair[0].load(Ordering::Relaxed) ^ data == key {
                entry.best = entry.best.or(old.best);
                slot = index;
                break;
            }
            let age = i32::from(now.wrapping_sub((data >> 42) as u8) & 63);
            let keep = old.depth - 4 * age;
            if keep < least {
                least = keep;
                slot = index;
            }
        }
        let data = pack(&entry, now);
        bucket[2 * slot].store(key ^ data, Ordering::Relaxed);
        bucket[2 * slot + 1].store(data, Ordering::Relaxed);
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
