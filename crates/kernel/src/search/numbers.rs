//! Proof numbers (df-pn): how much is left to settle before a position is won or lost.
//!
//! Each side has a number: the least number of positions that must still be settled for it to have
//! its way. The side to move needs one move, so its number is the least of its moves'; the other side
//! needs an answer to all of them, so its number is their sum.

/// "Cannot be done."
pub(crate) const NEVER: u32 = 1 << 30;

/// The least number of some moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Least {
    /// Which move has it; `None` without moves.
    pub index: Option<usize>,
    pub number: u32,
    /// The next larger one.
    pub second: u32,
}

impl Least {
    /// Finds the least of some numbers, each with the index of its move; the first of equal ones.
    #[inline]
    pub fn of(numbers: impl Iterator<Item = (usize, u32)>) -> Self {
        let mut least = Self {
            index: None,
            number: NEVER,
            second: NEVER,
        };
        for (index, number) in numbers {
            if number < least.number {
                least.second = least.number;
                least.number = number;
                least.index = Some(index);
            } else {
                least.second = least.second.min(number);
            }
        }
        least
    }
}

/// The sum of some numbers and a first one. It stays below [`NEVER`], which would mean that the
/// position is settled.
#[inline]
pub(crate) fn sum(first: u32, numbers: impl Iterator<Item = u32>) -> u32 {
    numbers.fold(first, |sum, number| (sum + number).min(NEVER - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_equal_numbers_is_the_least() {
        let least = Least::of([7, 3, 9, 3, 5].into_iter().enumerate());
        assert_eq!((least.index, least.number, least.second), (Some(1), 3, 3));
        let none = Least::of(std::iter::empty());
        assert_eq!((none.index, none.number, none.second), (None, NEVER, NEVER));
        assert_eq!(sum(2, [3, 4].into_iter()), 9);
        assert_eq!(sum(NEVER - 2, [3].into_iter()), NEVER - 1);
    }
}
