//! A set of cells in `W` machine words: one word for boards of up to 64 cells, more for wide ones.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign};

/// A set of cells below `64 * W`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bits<const W: usize>(pub [u64; W]);

impl<const W: usize> Default for Bits<W> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<const W: usize> Bits<W> {
    /// The set without cells.
    pub const EMPTY: Self = Self([0; W]);

    /// How many cells fit.
    pub const CAPACITY: usize = 64 * W;

    /// The cells from 0 to `count - 1`.
    pub fn first(count: usize) -> Self {
        let mut bits = Self::EMPTY;
        for (index, word) in bits.0.iter_mut().enumerate() {
            let left = count.saturating_sub(64 * index);
            *word = if left >= 64 {
                u64::MAX
            } else {
                (1u64 << left) - 1
            };
        }
        bits
    }

    /// The set of one cell; empty when the cell is past the capacity.
    #[inline]
    pub fn one(cell: usize) -> Self {
        let mut bits = Self::EMPTY;
        bits.insert(cell);
        bits
    }

    /// Whether the set holds a cell.
    #[inline]
    pub fn has(&self, cell: usize) -> bool {
        if W == 1 {
            return cell < 64 && self.0[0] >> (cell & 63) & 1 == 1;
        }
        self.0
            .get(cell >> 6)
            .is_some_and(|word| word >> (cell & 63) & 1 == 1)
    }

    /// Puts a cell into the set.
    #[inline]
    pub fn insert(&mut self, cell: usize) {
        if let Some(word) = self.0.get_mut(cell >> 6) {
            *word |= 1 << (cell & 63);
        }
    }

    /// Takes a cell out of the set.
    #[inline]
    pub fn remove(&mut self, cell: usize) {
        if let Some(word) = self.0.get_mut(cell >> 6) {
            *word &= !(1 << (cell & 63));
        }
    }

    /// The cells of this set that are not in the other.
    #[inline]
    #[must_use]
    pub fn minus(mut self, other: Self) -> Self {
        for (word, out) in self.0.iter_mut().zip(other.0) {
            *word &= !out;
        }
        self
    }

    /// Whether no cell is in the set.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    /// Whether the two sets share a cell.
    #[inline]
    pub fn meets(&self, other: &Self) -> bool {
        self.0
            .iter()
            .zip(other.0)
            .fold(0, |all, (a, b)| all | (a & b))
            != 0
    }

    /// The number of cells in the set.
    #[inline]
    pub fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// The lowest cell of the set.
    #[inline]
    pub fn lowest(&self) -> Option<usize> {
        self.0
            .iter()
            .position(|&word| word != 0)
            .map(|index| 64 * index + self.0[index].trailing_zeros() as usize)
    }

    /// The cells in order.
    #[inline]
    pub fn iter(self) -> Cells<W> {
        Cells {
            bits: self,
            word: 0,
        }
    }

    /// The set whose cells are the images of these under a permutation.
    #[must_use]
    pub fn map(self, permutation: &[u16]) -> Self {
        let mut image = Self::EMPTY;
        for cell in self.iter() {
            if let Some(&to) = permutation.get(cell) {
                image.insert(usize::from(to));
            }
        }
        image
    }
}

impl<const W: usize> FromIterator<usize> for Bits<W> {
    fn from_iter<I: IntoIterator<Item = usize>>(cells: I) -> Self {
        let mut bits = Self::EMPTY;
        for cell in cells {
            bits.insert(cell);
        }
        bits
    }
}

impl<const W: usize> IntoIterator for Bits<W> {
    type Item = usize;
    type IntoIter = Cells<W>;

    #[inline]
    fn into_iter(self) -> Cells<W> {
        self.iter()
    }
}

/// The cells of a set, lowest first.
pub struct Cells<const W: usize> {
    bits: Bits<W>,
    word: usize,
}

impl<const W: usize> Iterator for Cells<W> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        while self.word < W {
            let word = &mut self.bits.0[self.word];
            if *word != 0 {
                let cell = 64 * self.word + word.trailing_zeros() as usize;
                *word &= *word - 1;
                return Some(cell);
            }
            self.word += 1;
        }
        None
    }
}

macro_rules! operator {
    ($operator:ident, $function:ident, $assign:ident, $assign_function:ident, $op:tt) => {
        impl<const W: usize> $assign for Bits<W> {
            #[inline]
            fn $assign_function(&mut self, other: Self) {
                for (word, with) in self.0.iter_mut().zip(other.0) {
                    *word $op with;
                }
            }
        }

        impl<const W: usize> $operator for Bits<W> {
            type Output = Self;

            #[inline]
            fn $function(mut self, other: Self) -> Self {
                self.$assign_function(other);
                self
            }
        }
    };
}

operator!(BitAnd, bitand, BitAndAssign, bitand_assign, &=);
operator!(BitOr, bitor, BitOrAssign, bitor_assign, |=);
operator!(BitXor, bitxor, BitXorAssign, bitxor_assign, ^=);

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn behaves_like_a_set(
            a in proptest::collection::btree_set(0usize..192, 0..60),
            b in proptest::collection::btree_set(0usize..192, 0..60),
        ) {
            let (x, y): (Bits<3>, Bits<3>) =
                (a.iter().copied().collect(), b.iter().copied().collect());
            let set = |bits: Bits<3>| bits.iter().collect::<BTreeSet<usize>>();
            prop_assert_eq!(set(x | y), &a | &b);
            prop_assert_eq!(set(x & y), &a & &b);
            prop_assert_eq!(set(x ^ y), &a ^ &b);
            prop_assert_eq!(set(x.minus(y)), &a - &b);
            prop_assert_eq!(x.count() as usize, a.len());
            prop_assert_eq!(x.lowest(), a.first().copied());
            prop_assert_eq!(x.meets(&y), !a.is_disjoint(&b));
            prop_assert_eq!(x.is_empty(), a.is_empty());
            for cell in 0..192 {
                prop_assert_eq!(x.has(cell), a.contains(&cell));
            }
        }

        #[test]
        fn first_holds_the_lowest_cells(count in 0usize..200) {
            let cells: Vec<usize> = Bits::<3>::first(count).iter().collect();
            prop_assert_eq!(cells, (0..count.min(192)).collect::<Vec<_>>());
        }
    }
}
