//! A small, fast, seedable generator: the same numbers on every machine and thread.

use crate::bits::scramble;

/// A stream of pseudo-random numbers (a Weyl sequence through a 128-bit multiply).
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// Stream number `index` of a seed. Streams of one seed are independent of each other.
    #[inline]
    pub fn new(seed: u64, index: u64) -> Self {
        Self(scramble(
            scramble(seed ^ 0x6a09_e667_f3bc_c908)
                .wrapping_add(index.wrapping_mul(0x9e37_79b9_7f4a_7c15)),
        ))
    }

    /// 64 random bits.
    #[inline]
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0xa076_1d64_78bd_642f);
        let wide = u128::from(self.0) * u128::from(self.0 ^ 0xe703_7ed1_a0b4_28db);
        (wide >> 64) as u64 ^ wide as u64
    }

    /// A number from 0 to `bound` - 1 (0 for a bound of 0), uniform to within one part in 2³².
    #[inline]
    pub fn below(&mut self, bound: u32) -> u32 {
        (((self.word() >> 32) * u64::from(bound)) >> 32) as u32
    }

    /// A number from 0 up to but not including 1.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.word() >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_repeat_and_differ() {
        let take = |seed, index| {
            let mut rng = Rng::new(seed, index);
            [rng.word(), rng.word(), rng.word()]
        };
        assert_eq!(take(1, 2), take(1, 2));
        assert_ne!(take(1, 2), take(1, 3));
        assert_ne!(take(1, 2), take(2, 2));
    }

    #[test]
    fn below_is_even_across_streams() {
        let mut seen = [0u32; 9];
        for index in 0..90_000 {
            seen[Rng::new(7, index).below(9) as usize] += 1;
        }
        assert!(seen.iter().all(|n| (9_500..10_500).contains(n)), "{seen:?}");
        assert!((0.0..1.0).contains(&Rng::new(0, 0).unit()));
    }
}
