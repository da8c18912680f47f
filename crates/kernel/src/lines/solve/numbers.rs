//! Proof-number search: the unbounded question by way of the position that is easiest to settle.
//!
//! Depth-first with thresholds (Nagai's df-pn). The proof number of a position is the least number
//! of positions that must still be proven to prove the attacker's win, the disproof number the
//! least number to refute it. Settled positions go to the common table; numbers of open ones to
//! a table of their own.

use crate::bits::Bits;

use super::attack::{refuted, Answer, Attack, NONE};
use super::look::{Look, Open};
use super::sides::{ATTACKER, DEFENDER};
use crate::search::prover::Halt;

/// "Cannot be done."
const NEVER: u32 = 1 << 30;

/// The numbers of open positions, newest wins its slot.
#[derive(Default)]
pub(crate) struct Numbers {
    slots: Vec<(u64, u32, u32)>,
}

impl Numbers {
    /// Makes sure that there is room for about so many positions, but never takes more than so
    /// many bytes. What was known is lost when it grows.
    fn make_room(&mut self, positions: u64, bytes: usize) {
        let most = bytes / size_of::<(u64, u32, u32)>();
        let wanted = usize::try_from(positions).unwrap_or(most).min(most).max(1);
        if self.slots.len() * 4 < wanted || self.slots.is_empty() {
            self.slots = Vec::new();
            let granted = self.slots.try_reserve_exact(wanted).map_or(1, |()| wanted);
            self.slots.resize(granted, (0, 0, 0));
        }
    }

    fn slot(&self, key: u128) -> usize {
        ((u128::from(key as u64) * self.slots.len() as u128) >> 64) as usize
    }

    fn get(&self, key: u128) -> Option<(u32, u32)> {
        let (tag, pn, dn) = self.slots[self.slot(key)];
        (tag == (key >> 64) as u64 && pn > 0).then_some((pn, dn))
    }

    fn put(&mut self, key: u128, pn: u32, dn: u32) {
        let slot = self.slot(key);
        self.slots[slot] = ((key >> 64) as u64, pn, dn);
    }
}

/// One move of an open position.
struct Child {
    cell: u16,
    key: u128,
    pn: u32,
    dn: u32,
}

impl Child {
    fn take<B: Bits>(&mut self, found: &Found<B>) {
        (self.pn, self.dn) = (found.pn, found.dn);
    }
}

/// The moves of an open position, listed as far as they may matter.
#[derive(Default)]
struct Children {
    list: Vec<Child>,
    /// The first move of the order that is not listed.
    next: usize,
}

impl Children {
    /// The number to expect of the next move: far down the order it is unlikely to be the least.
    fn guess(&self) -> u32 {
        1 + self.next as u32
    }

    /// The child with the least number, that number, and the next larger one.
    fn least(&self, number: impl Fn(&Child) -> u32) -> (usize, u32, u32) {
        let (mut best, mut least, mut second) = (0, NEVER, NEVER);
        for (index, child) in self.list.iter().enumerate() {
            let number = number(child);
            if number < least {
                (second, least, best) = (least, number, index);
            } else {
                second = second.min(number);
            }
        }
        (best, least, second)
    }

    /// The sum of the numbers, one for each that is not listed.
    fn sum(&self, number: impl Fn(&Child) -> u32, unlisted: u32) -> u32 {
        let add = |sum: u32, child: &Child| (sum + number(child)).min(NEVER);
        self.list.iter().fold(unlisted, add)
    }
}

/// What became of a position: its numbers, and the answer once it is settled.
struct Found<B: Bits> {
    pn: u32,
    dn: u32,
    answer: Option<Answer<B>>,
}

impl<B: Bits> Found<B> {
    fn done(answer: Answer<B>) -> Self {
        let (pn, dn) = if answer.proven {
            (0, NEVER)
        } else {
            (NEVER, 0)
        };
        Self {
            pn,
            dn,
            answer: Some(answer),
        }
    }
}

impl<B: Bits> Attack<'_, '_, B> {
    /// Settles the question at the bottom of the stack with a side to move.
    pub fn settle_by_numbers(&mut self, side: usize, moves: u8) -> Result<Answer<B>, Halt> {
        let room = self.budget.saturating_sub(self.meter.nodes());
        self.numbers.make_room(room, self.numbers_memory);
        loop {
            let found = self.numbers_of(0, side, moves, NEVER - 1, NEVER - 1)?;
            if let Some(answer) = found.answer {
                return Ok(answer);
            }
        }
    }

    fn numbers_of(
        &mut self,
        depth: usize,
        side: usize,
        moves: u8,
        most_pn: u32,
        most_dn: u32,
    ) -> Result<Found<B>, Halt> {
        let look = if side == ATTACKER {
            self.look_attacking(depth, moves)?
        } else {
            self.look_defending(depth, moves)?
        };
        let left = if side == ATTACKER {
            moves - moves.min(1)
        } else {
            moves
        };
        match look {
            Look::Done(answer) => Ok(Found::done(answer)),
            Look::Forced(cell) => {
                self.play(depth, side, cell);
                let mut found = self.numbers_of(depth + 1, 1 - side, left, most_pn, most_dn)?;
                found.answer = found.answer.map(|answer| {
                    if side == ATTACKER {
                        answer.after_attacker(cell)
                    } else {
                        answer.after_forced(cell, &self.stack[depth])
                    }
                });
                Ok(found)
            }
            Look::Open(open) if side == ATTACKER => {
                self.numbers_attacking(depth, moves, open, most_pn, most_dn)
            }
            Look::Open(open) => self.numbers_defending(depth, moves, open, most_pn, most_dn),
        }
    }

    /// Adds the next move of an open position to its children, with what is remembered about it.
    fn list(&mut self, depth: usize, side: usize, open: &Open<B>, children: &mut Children) {
        let cell = open.order[children.next];
        let guess = children.guess();
        children.next += 1;
        if side == DEFENDER && !open.candidates.has(usize::from(cell)) {
            return;
        }
        self.play(depth, side, usize::from(cell));
        let (key, _) = self.key(depth + 1, 1 - side);
        // Of the attacker's moves to one position one is enough; a proof needs all defences.
        if side == ATTACKER && children.list.iter().any(|child| child.key == key) {
            return;
        }
        let (pn, dn) = self.numbers.get(key).unwrap_or(if side == ATTACKER {
            (guess, 1)
        } else {
            (1, guess)
        });
        children.list.push(Child { cell, key, pn, dn });
    }

    fn numbers_attacking(
        &mut self,
        depth: usize,
        moves: u8,
        open: Open<B>,
        most_pn: u32,
        most_dn: u32,
    ) -> Result<Found<B>, Halt> {
        let mut children = Children::default();
        loop {
            let (best, pn, second) = children.least(|child| child.pn);
            if children.next < open.order.len() && pn > children.guess() {
                self.list(depth, ATTACKER, &open, &mut children);
                continue;
            }
            if pn >= NEVER {
                let answer = self.settle(&open, refuted(open.moves.min(moves)), NONE);
                return Ok(Found::done(answer));
            }
            let unlisted = (open.order.len() - children.next) as u32;
            let dn = children.sum(|child| child.dn, unlisted);
            if pn >= most_pn || dn >= most_dn {
                self.numbers.put(open.key.0, pn, dn);
                let answer = None;
                return Ok(Found { pn, dn, answer });
            }
            let child = &children.list[best];
            let cell = usize::from(child.cell);
            let second = if unlisted > 0 {
                second.min(children.guess())
            } else {
                second
            };
            let child_pn = most_pn.min(2 * second + 1);
            let child_dn = (most_dn - dn).saturating_add(child.dn);
            self.play(depth, ATTACKER, cell);
            let found = self.numbers_of(depth + 1, DEFENDER, moves - 1, child_pn, child_dn)?;
            if let Some(answer) = found.answer.filter(|answer| answer.proven) {
                let answer = answer.after_attacker(cell);
                return Ok(Found::done(self.settle(&open, answer, cell as u16)));
            }
            children.list[best].take(&found);
        }
    }

    fn numbers_defending(
        &mut self,
        depth: usize,
        moves: u8,
        mut open: Open<B>,
        most_pn: u32,
        most_dn: u32,
    ) -> Result<Found<B>, Halt> {
        let mut children = Children::default();
        loop {
            let (best, dn, second) = children.least(|child| child.dn);
            if children.next < open.order.len() && dn > children.guess() {
                self.list(depth, DEFENDER, &open, &mut children);
                continue;
            }
            if children.list.is_empty() {
                let answer = self.conceded(depth, &open);
                return Ok(Found::done(self.settle(&open, answer, NONE)));
            }
            let rest = &open.order[children.next..];
            let worth = |cell: &&u16| open.candidates.has(usize::from(**cell));
            let unlisted = rest.iter().filter(worth).count() as u32;
            let pn = children.sum(|child| child.pn, unlisted);
            if pn >= most_pn || dn >= most_dn {
                self.numbers.put(open.key.0, pn, dn);
                let answer = None;
                return Ok(Found { pn, dn, answer });
            }
            let child = &children.list[best];
            let cell = usize::from(child.cell);
            let second = if unlisted > 0 {
                second.min(children.guess())
            } else {
                second
            };
            let child_dn = most_dn.min(2 * second + 1);
            let child_pn = (most_pn - pn).saturating_add(child.pn);
            self.play(depth, DEFENDER, cell);
            let found = self.numbers_of(depth + 1, ATTACKER, moves, child_pn, child_dn)?;
            match found.answer {
                Some(answer) if answer.proven => {
                    self.narrow(depth, &mut open, &answer, cell);
                    children.list.swap_remove(best);
                    children
                        .list
                        .retain(|child| open.candidates.has(usize::from(child.cell)));
                }
                Some(answer) => {
                    return Ok(Found::done(self.settle(&open, answer, cell as u16)));
                }
                None => children.list[best].take(&found),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::limits::{Limits, Meter};
    use crate::lines::solve::sides::Sides;
    use crate::rng::Rng;
    use crate::search::proofs::Table;
    use crate::search::Options;

    /// Lines of a square and its rows, columns and diagonals of length `k`.
    fn square(size: usize, k: usize) -> Vec<u64> {
        let mut sets = Vec::new();
        for cell in 0..size * size {
            let (row, col) = ((cell / size) as i32, (cell % size) as i32);
            for (down, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
                let line: Option<u64> = (0..k as i32).try_fold(0, |line, n| {
                    let (r, c) = (row + n * down, col + n * right);
                    let inside = (0..size as i32).contains(&r) && (0..size as i32).contains(&c);
                    inside.then(|| line | 1 << (r as usize * size + c as usize))
                });
                sets.extend(line);
            }
        }
        sets
    }

    fn settle(sides: &Sides<u64>, side: usize, by_numbers: bool) -> bool {
        let limits = Limits::default();
        let mut meter = Meter::new(&limits);
        let identity = vec![(0..64).collect()];
        let table = Table::new(1 << 20);
        let mut attack = Attack::new(64, 60, identity, Options::default(), table, &mut meter);
        attack.numbers_memory = 1 << 16;
        attack.stack[0] = sides.clone();
        let answer = match (by_numbers, side) {
            (true, _) => attack.settle_by_numbers(side, 40),
            (false, ATTACKER) => attack.attack(0, 40),
            _ => attack.defend(0, 40),
        };
        answer.unwrap().proven
    }

    #[test]
    fn proof_numbers_and_trying_in_order_agree() {
        let mut rng = Rng::new(17, 0);
        let mut proven = 0;
        for round in 0..160 {
            let (size, k) = [(4, 3), (4, 4), (5, 4), (6, 4)][round % 4];
            let sets = square(size, k);
            let mut marks = [0u64; 2];
            for ply in 0..rng.below(8) {
                let cell = rng.below((size * size) as u32);
                marks[ply as usize % 2] |= (1 << cell) & !marks[1 - ply as usize % 2];
            }
            if sets
                .iter()
                .any(|s| marks[0] & s == *s || marks[1] & s == *s)
            {
                continue;
            }
            let sides = Sides::new(&sets, &marks[0], &marks[1]);
            let side = rng.below(2) as usize;
            let want = settle(&sides, side, false);
            proven += usize::from(want);
            assert_eq!(
                settle(&sides, side, true),
                want,
                "{size} {k} {marks:?} {side}"
            );
        }
        assert!((20..140).contains(&proven), "{proven}");
    }
}
