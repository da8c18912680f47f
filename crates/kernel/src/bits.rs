//! Sets of cells as machine words: one word for boards of up to 64 cells, seven for up to 448.

use std::fmt::Debug;
use std::hash::Hash;

/// A set of cells. Indexes past the capacity are ignored by the writers and absent for the readers.
pub trait Bits: Copy + Eq + Ord + Hash + Debug + Default + Send + Sync + 'static {
    /// How many cells fit.
    const CAPACITY: usize;

    /// The set of one cell.
    fn one(cell: usize) -> Self;
    /// Whether a cell is in the set.
    fn has(&self, cell: usize) -> bool;
    /// Whether no cell is in the set.
    fn is_empty(&self) -> bool;
    /// How many cells are in the set.
    fn count(&self) -> u32;
    /// The smallest cell of the set.
    fn first(&self) -> Option<usize>;
    /// The cells in either set.
    fn or(&self, other: &Self) -> Self;
    /// The cells in both sets.
    fn and(&self, other: &Self) -> Self;
    /// The cells of this set that are not in the other.
    fn minus(&self, other: &Self) -> Self;
    /// The cells in exactly one of the sets.
    fn xor(&self, other: &Self) -> Self;
    /// A well mixed number that depends on every cell.
    fn mix(&self, seed: u64) -> u64;

    /// Whether the sets share a cell.
    #[inline]
    fn meets(&self, other: &Self) -> bool {
        !self.and(other).is_empty()
    }

    /// The cell with `skip` smaller ones in the set before it.
    #[inline]
    fn nth(&self, skip: u32) -> Option<usize> {
        self.iter().nth(skip as usize)
    }

    /// Eight cells of the set as bits, beginning with cell `8 * index`.
    fn byte(&self, index: usize) -> u8;

    /// Puts a cell into the set.
    #[inline]
    fn insert(&mut self, cell: usize) {
        *self = self.or(&Self::one(cell));
    }

    /// Takes a cell out of the set.
    #[inline]
    fn remove(&mut self, cell: usize) {
        *self = self.minus(&Self::one(cell));
    }

    /// The set of the cells that a permutation maps these to.
    #[inline]
    fn map(&self, permutation: &[u16]) -> Self {
        let mut image = Self::default();
        for cell in self.iter() {
            if let Some(&to) = permutation.get(cell) {
                image.insert(usize::from(to));
            }
        }
        image
    }

    /// Whether the other set is part of this one.
    #[inline]
    fn contains(&self, other: &Self) -> bool {
        other.minus(self).is_empty()
    }

    /// The cells of the set, smallest first.
    #[inline]
    fn iter(&self) -> Cells<Self> {
        Cells(*self)
    }
}

/// The cells of a set, smallest first.
#[derive(Clone, Debug)]
pub struct Cells<B: Bits>(B);

impl<B: Bits> Iterator for Cells<B> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        let cell = self.0.first()?;
        self.0 = self.0.minus(&B::one(cell));
        Some(cell)
    }
}

/// Mixes a number so that every bit of it moves every bit of the result.
#[inline]
pub fn scramble(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// Eight bits as eight bytes of 0 or 1, the lowest first.
#[inline]
pub fn unpack(byte: u8) -> u64 {
    let each = u64::from(byte).wrapping_mul(0x0101_0101_0101_0101) & 0x8040_2010_0804_0201;
    // Only the bits 0 to 7 can be set, one per byte, so nothing carries into the next byte.
    (each + 0x7f7f_7f7f_7f7f_7f7f) >> 7 & 0x0101_0101_0101_0101
}

/// Writes 1 where a cell is in the set and 0 elsewhere.
#[inline]
pub fn paint<B: Bits>(row: &mut [u8], set: &B) {
    // Whole chunks apart from the rest, so that each is one store.
    let whole = row.len() / 8;
    let mut chunks = row.chunks_exact_mut(8);
    for (index, chunk) in chunks.by_ref().enumerate() {
        chunk.copy_from_slice(&unpack(set.byte(index)).to_le_bytes());
    }
    let last = unpack(set.byte(whole)).to_le_bytes();
    for (place, byte) in chunks.into_remainder().iter_mut().zip(last) {
        *place = byte;
    }
}

/// Writes 1 where a cell is in the first set, -1 where it is in the second, and 0 elsewhere.
#[inline]
pub fn paint_two<B: Bits>(row: &mut [i8], own: &B, other: &B) {
    let bytes = |index| {
        let both = unpack(own.byte(index)) | (unpack(other.byte(index)) * 0xff);
        both.to_le_bytes().map(|byte| byte as i8)
    };
    let whole = row.len() / 8;
    let mut chunks = row.chunks_exact_mut(8);
    for (index, chunk) in chunks.by_ref().enumerate() {
        chunk.copy_from_slice(&bytes(index));
    }
    for (place, byte) in chunks.into_remainder().iter_mut().zip(bytes(whole)) {
        *place = byte;
    }
}

impl Bits for u64 {
    const CAPACITY: usize = 64;

    #[inline]
    fn byte(&self, index: usize) -> u8 {
        self.to_le_bytes().get(index).copied().unwrap_or(0)
    }

    #[inline]
    fn one(cell: usize) -> Self {
        if cell < 64 {
            1 << cell
        } else {
            0
        }
    }
    #[inline]
    fn has(&self, cell: usize) -> bool {
        cell < 64 && (self >> cell) & 1 == 1
    }
    #[inline]
    fn is_empty(&self) -> bool {
        *self == 0
    }
    #[inline]
    fn count(&self) -> u32 {
        self.count_ones()
    }
    #[inline]
    fn first(&self) -> Option<usize> {
        (*self != 0).then(|| self.trailing_zeros() as usize)
    }
    #[inline]
    fn or(&self, other: &Self) -> Self {
        self | other
    }
    #[inline]
    fn and(&self, other: &Self) -> Self {
        self & other
    }
    #[inline]
    fn minus(&self, other: &Self) -> Self {
        self & !other
    }
    #[inline]
    fn xor(&self, other: &Self) -> Self {
        self ^ other
    }
    #[inline]
    fn mix(&self, seed: u64) -> u64 {
        scramble(self.wrapping_add(seed))
    }
    #[inline]
    fn nth(&self, skip: u32) -> Option<usize> {
        let mut left = *self;
        for _ in 0..skip {
            left &= left.wrapping_sub(1);
        }
        left.first()
    }
}

/// A set of cells over `N` words.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Words<const N: usize>([u64; N]);

/// The set for boards of more than 64 cells.
pub type Wide = Words<7>;

impl<const N: usize> Default for Words<N> {
    fn default() -> Self {
        Self([0; N])
    }
}

impl<const N: usize> Bits for Words<N> {
    const CAPACITY: usize = 64 * N;

    #[inline]
    fn byte(&self, index: usize) -> u8 {
        self.0.get(index / 8).map_or(0, |word| word.byte(index % 8))
    }

    #[inline]
    fn one(cell: usize) -> Self {
        let mut words = [0; N];
        if let Some(word) = words.get_mut(cell / 64) {
            *word = 1 << (cell % 64);
        }
        Self(words)
    }
    #[inline]
    fn has(&self, cell: usize) -> bool {
        self.0
            .get(cell / 64)
            .is_some_and(|word| (word >> (cell % 64)) & 1 == 1)
    }
    #[inline]
    fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }
    #[inline]
    fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }
    #[inline]
    fn first(&self) -> Option<usize> {
        let index = self.0.iter().position(|word| *word != 0)?;
        Some(64 * index + self.0[index].trailing_zeros() as usize)
    }
    #[inline]
    fn or(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }
    #[inline]
    fn and(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }
    #[inline]
    fn minus(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] & !other.0[i]))
    }
    #[inline]
    fn xor(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] ^ other.0[i]))
    }
    #[inline]
    fn mix(&self, seed: u64) -> u64 {
        self.0
            .iter()
            .fold(seed, |sum, word| scramble(sum.rotate_left(5) ^ word))
    }
    #[inline]
    fn nth(&self, skip: u32) -> Option<usize> {
        let mut skip = skip;
        for (index, word) in self.0.iter().enumerate() {
            let here = word.count_ones();
            if skip < here {
                return word.nth(skip).map(|cell| 64 * index + cell);
            }
            skip -= here;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<B: Bits>() {
        let cells = [0, 1, 31, 63, B::CAPACITY - 1];
        let all = cells.iter().fold(B::default(), |b, c| b.or(&B::one(*c)));
        let mut seen: Vec<usize> = all.iter().collect();
        let mut want = cells.to_vec();
        want.dedup();
        assert_eq!(seen, want);
        assert_eq!(all.count() as usize, want.len());
        assert!(all.contains(&B::one(31)) && all.meets(&B::one(63)));
        seen = all.minus(&B::one(31)).iter().collect();
        assert!(!seen.contains(&31));
        assert!(B::one(B::CAPACITY).is_empty() && !all.has(B::CAPACITY));
        assert_eq!(all.xor(&all), B::default());
        let mut row = vec![7; B::CAPACITY + 9];
        paint(&mut row, &all);
        assert!((0..row.len()).all(|cell| row[cell] == u8::from(all.has(cell))));
        let (own, other) = (B::one(1).or(&B::one(31)), B::one(0).or(&B::one(63)));
        let mut row = vec![7; B::CAPACITY - 1];
        paint_two(&mut row, &own, &other);
        let want_at = |cell| i8::from(own.has(cell)) - i8::from(other.has(cell));
        assert!((0..row.len()).all(|cell| row[cell] == want_at(cell)));
        for skip in 0..8 {
            assert_eq!(all.nth(skip), want.get(skip as usize).copied());
        }
        assert_ne!(all.mix(0), all.minus(&B::one(0)).mix(0));
    }

    #[test]
    fn words_of_both_sizes_are_sets() {
        check::<u64>();
        check::<Wide>();
    }
}
