//! Static refutations: the defender pairs cells, and lets the potential take care of the rest.
//!
//! A residue that contains a pair is harmless: whichever cell the attacker takes, the defender takes
//! the other. The attacker may get one cell of every pair for nothing, so in all other residues
//! paired cells count as the attacker's. If the potential of those, Σ 2^-size, is below 1 with the
//! defender to move (1/2 with the attacker to move), the defender keeps every one of them from
//! being completed (Erdős and Selfridge 1973). No pairs at all is their theorem; nothing but pairs
//! is a pairing strategy.

use crate::bits::Bits;

use super::sides::weight;

/// Larger residues weigh too little to be worth a pair.
const MAX_PAIRED_SIZE: usize = 12;

/// Weights of cells and of pairs of cells, kept between calls.
#[derive(Default)]
pub(crate) struct Pairing<B: Bits> {
    list: Vec<B>,
    names: Vec<u16>,
    cells: Vec<u64>,
    pairs: Vec<u64>,
}

impl<B: Bits> Pairing<B> {
    /// Whether pairs, taken greedily, bring the potential of the residues below a bound.
    pub fn refutes(&mut self, residues: &[B], potential: u64, bound: u64) -> bool {
        let mut potential = potential;
        self.list.clear();
        self.list.extend_from_slice(residues);
        let count = self.name();
        self.cells.clear();
        self.cells.resize(count, 0);
        self.pairs.clear();
        self.pairs.resize(count * count, 0);
        for index in 0..self.list.len() {
            self.weigh(self.list[index], count, true);
        }
        while potential >= bound {
            let Some(pair) = self.best(count) else {
                return false;
            };
            let mut index = 0;
            while index < self.list.len() {
                let residue = self.list[index];
                if !residue.meets(&pair) {
                    index += 1;
                    continue;
                }
                self.weigh(residue, count, false);
                potential -= weight(residue.count());
                if residue.contains(&pair) {
                    self.list.swap_remove(index);
                } else {
                    let less = residue.minus(&pair);
                    self.weigh(less, count, true);
                    potential += weight(less.count());
                    self.list[index] = less;
                    index += 1;
                }
            }
        }
        true
    }

    /// Numbers the cells of all residues from 0 on; returns how many there are.
    fn name(&mut self) -> usize {
        let all = self
            .list
            .iter()
            .fold(B::default(), |all, residue| all.or(residue));
        self.names.resize(B::CAPACITY, 0);
        let mut count = 0;
        for cell in all.iter() {
            self.names[cell] = count as u16;
            count += 1;
        }
        count
    }

    /// Adds or takes away the weight of a residue.
    fn weigh(&mut self, residue: B, count: usize, add: bool) {
        let size = residue.count() as usize;
        if size > MAX_PAIRED_SIZE {
            return;
        }
        let weight = if add {
            weight(size as u32)
        } else {
            weight(size as u32).wrapping_neg()
        };
        let mut before = [0usize; MAX_PAIRED_SIZE];
        for (number, cell) in residue.iter().enumerate() {
            let name = usize::from(self.names[cell]);
            self.cells[name] = self.cells[name].wrapping_add(weight);
            for other in &before[..number] {
                let pair = &mut self.pairs[other * count + name];
                *pair = pair.wrapping_add(weight);
            }
            before[number] = name;
        }
    }

    /// The pair that lowers the potential most: it removes the residues with both cells and doubles
    /// those with one.
    fn best(&self, count: usize) -> Option<B> {
        let mut most = 0;
        let mut best = None;
        for residue in &self.list {
            if residue.count() as usize > MAX_PAIRED_SIZE {
                continue;
            }
            let mut before = [(0usize, 0usize); MAX_PAIRED_SIZE];
            for (number, cell) in residue.iter().enumerate() {
                let name = usize::from(self.names[cell]);
                for (other, other_cell) in &before[..number] {
                    let both = 3 * self.pairs[other * count + name];
                    let single = self.cells[*other] + self.cells[name];
                    if both > single && both - single > most {
                        most = both - single;
                        best = Some((*other_cell, cell));
                    }
                }
                before[number] = (name, cell);
            }
        }
        best.map(|(a, b)| B::one(a).or(&B::one(b)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::sides::ONE;
    use super::*;

    fn refutes(residues: &[u64], bound: u64) -> bool {
        let potential = residues.iter().map(|r| weight(r.count_ones())).sum();
        Pairing::default().refutes(residues, potential, bound)
    }

    #[test]
    fn disjoint_pairs_are_all_blocked() {
        let pairs: Vec<u64> = (0..20).map(|n| 3 << (2 * n)).collect();
        assert!(refutes(&pairs, ONE / 2));
    }

    #[test]
    fn a_fork_is_not() {
        assert!(!refutes(&[0b011, 0b110], ONE / 2));
        assert!(!refutes(&[0b01, 0b10], ONE));
    }

    #[test]
    fn a_single_cell_cannot_be_paired() {
        assert!(!refutes(&[1], ONE / 2));
        assert!(
            refutes(&[1], ONE),
            "with the defender to move it can be taken"
        );
    }
}
