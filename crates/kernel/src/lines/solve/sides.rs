//! What is left of the winning sets for either side: the residues of the sets it can still complete.
//!
//! A residue is the set of empty cells that a side still lacks. Whether and how fast a side can win
//! depends on nothing but the residues of both sides and who moves, so positions that differ only
//! in dead marks are one position here. No residue contains another of the same side.

use crate::bits::Bits;

/// The attacker's index into the sides.
pub(crate) const ATTACKER: usize = 0;
/// The defender's index into the sides.
pub(crate) const DEFENDER: usize = 1;

/// 1 as a potential.
pub(crate) const ONE: u64 = 1 << 40;

/// The residues of both sides.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sides<B: Bits> {
    pub lists: [Vec<B>; 2],
    pub key: u128,
}

/// What a summary at one side tells.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Summary<B: Bits> {
    /// Cells that complete a set.
    pub ones: B,
    /// Cells of residues of two.
    pub twos: B,
    /// Cells that lie in two residues of two: playing there makes two threats at once.
    pub forks: B,
    /// Every cell of every residue.
    pub all: B,
    /// Σ 2^-size over all residues.
    pub potential: u64,
    /// The same over the residues no larger than asked for.
    pub near: u64,
}

#[inline]
pub(crate) fn weight(size: u32) -> u64 {
    ONE >> size.min(40)
}

#[inline]
fn key_of<B: Bits>(side: usize, residue: &B) -> u128 {
    let (a, b) = if side == ATTACKER {
        (0x243f_6a88_85a3_08d3, 0x1319_8a2e_0370_7344)
    } else {
        (0xa409_3822_299f_31d0, 0x082e_fa98_ec4e_6c89)
    };
    u128::from(residue.mix(a)) << 64 | u128::from(residue.mix(b))
}

impl<B: Bits> Sides<B> {
    /// The residues of two players' marks over some sets.
    pub fn new(sets: &[B], attacker: &B, defender: &B) -> Self {
        let list = |mine: &B, theirs: &B| {
            let mut list: Vec<B> = sets
                .iter()
                .filter(|set| !set.meets(theirs))
                .map(|set| set.minus(mine))
                .collect();
            list.sort_unstable_by_key(|residue| (residue.count(), *residue));
            list.dedup();
            let mut least: Vec<B> = Vec::new();
            for residue in list {
                if !least.iter().any(|small| residue.contains(small)) {
                    least.push(residue);
                }
            }
            least
        };
        let mut sides = Self {
            lists: [list(attacker, defender), list(defender, attacker)],
            key: 0,
        };
        sides.key = sides.key_from_scratch();
        sides
    }

    /// The key from scratch.
    pub fn key_from_scratch(&self) -> u128 {
        let mut key = 0u128;
        for (side, list) in self.lists.iter().enumerate() {
            for residue in list {
                key = key.wrapping_add(key_of(side, residue));
            }
        }
        key
    }

    /// The smallest key over the images of a group of permutations, and which image has it.
    pub fn canonical_key(&self, group: &[Vec<u16>]) -> (u128, usize) {
        let mut least = (self.key, 0);
        for (image_index, permutation) in group.iter().enumerate().skip(1) {
            let mut key = 0u128;
            for (side, list) in self.lists.iter().enumerate() {
                for residue in list {
                    key = key.wrapping_add(key_of(side, &residue.map(permutation)));
                }
            }
            least = least.min((key, image_index));
        }
        least
    }

    /// Writes to `next` what is left after a side plays a cell.
    #[inline]
    pub fn play(&self, side: usize, cell: usize, next: &mut Self) {
        let one = B::one(cell);
        let mut key = self.key;
        let mut grown = false;
        let [first, second] = &mut next.lists;
        let (mine, theirs) = if side == ATTACKER {
            (first, second)
        } else {
            (second, first)
        };
        mine.clear();
        theirs.clear();
        for residue in &self.lists[1 - side] {
            if residue.meets(&one) {
                key = key.wrapping_sub(key_of(1 - side, residue));
            } else {
                theirs.push(*residue);
            }
        }
        // Residues that shrink go first: they may swallow others.
        for residue in &self.lists[side] {
            if residue.meets(&one) {
                key = key.wrapping_sub(key_of(side, residue));
                let less = residue.minus(&one);
                key = key.wrapping_add(key_of(side, &less));
                mine.push(less);
                grown = true;
            }
        }
        let shrunk = mine.len();
        for residue in &self.lists[side] {
            if residue.meets(&one) {
                continue;
            }
            if grown && mine[..shrunk].iter().any(|less| residue.contains(less)) {
                key = key.wrapping_sub(key_of(side, residue));
            } else {
                mine.push(*residue);
            }
        }
        next.key = key;
    }

    /// Looks over one side; `near` is the largest residue to count as near.
    #[inline]
    pub fn summary(&self, side: usize, near: u32) -> Summary<B> {
        let mut summary: Summary<B> = Summary::default();
        for residue in &self.lists[side] {
            let size = residue.count();
            summary.all = summary.all.or(residue);
            let weight = weight(size);
            summary.potential += weight;
            if size <= near {
                summary.near += weight;
            }
            if size == 1 {
                summary.ones = summary.ones.or(residue);
            } else if size == 2 {
                summary.forks = summary.forks.or(&summary.twos.and(residue));
                summary.twos = summary.twos.or(residue);
            }
        }
        summary
    }

    /// A fork and the cells of its residues of two, two of them at most unless `whole`.
    pub fn star(&self, side: usize, fork: usize, whole: bool) -> (B, u32) {
        let one = B::one(fork);
        let (mut star, mut degree) = (one, 0);
        for residue in &self.lists[side] {
            if residue.count() == 2 && residue.meets(&one) {
                degree += 1;
                if whole || degree <= 2 {
                    star = star.or(residue);
                }
            }
        }
        (star, degree)
    }

    /// Where the other side can answer all forks of a side, given that it makes no threats; and
    /// the zone in which the forks win against any one other move.
    pub fn answers(&self, side: usize, forks: &B) -> (B, B) {
        let mut answers: Option<B> = None;
        let mut zone = B::default();
        for fork in forks.iter() {
            let (star, degree) = self.star(side, fork, true);
            zone = zone.or(&star);
            let star = if degree > 2 { B::one(fork) } else { star };
            answers = Some(answers.map_or(star, |answers| answers.and(&star)));
        }
        (answers.unwrap_or_default(), self.cover(1 - side, 3, zone))
    }

    /// The zone in which a side that moves wins by a fork.
    pub fn fork_zone(&self, side: usize, forks: &B) -> B {
        let Some(fork) = forks.first() else {
            return B::default();
        };
        let (star, _) = self.star(side, fork, false);
        self.cover(1 - side, 2, star)
    }

    /// A zone grown until every residue of a side lacks at least `least` cells inside it.
    pub fn cover(&self, side: usize, least: u32, zone: B) -> B {
        self.cover_beside(side, least, zone, B::default())
    }

    /// A zone grown until every residue of a side lacks at least `least` cells inside it, not
    /// counting those in `given`, or lies inside it as a whole.
    pub fn cover_beside(&self, side: usize, least: u32, mut zone: B, given: B) -> B {
        for residue in &self.lists[side] {
            let mut inside = residue.and(&zone).minus(&given).count();
            let mut outside = residue.minus(&zone).iter();
            while inside < least {
                let Some(cell) = outside.next() else { break };
                zone = zone.or(&B::one(cell));
                inside += u32::from(!given.has(cell));
            }
        }
        zone
    }
}
