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
use crate::search::numbers::{sum, Least, NEVER};
use crate::search::prover::Halt;

/// The numbers of open positions, newest wins its slot.
#[derive(Default)]
pub(crate) struct Numbers {
    slots: Vec<(u64, [u32; 2])>,
}

impl Numbers {
    /// Makes sure that there is room for about so many positions, but never takes more than so
    /// many bytes. What was known is lost when it grows.
    fn make_room(&mut self, positions: u64, bytes: usize) {
        let most = bytes / size_of::<(u64, [u32; 2])>();
        let wanted = usize::try_from(positions).unwrap_or(most).min(most).max(1);
        if self.slots.len() * 4 < wanted || self.slots.is_empty() {
            self.slots = Vec::new();
            let granted = self.slots.try_reserve_exact(wanted).map_or(1, |()| wanted);
            self.slots.resize(granted, (0, [0; 2]));
        }
    }

    fn slot(&self, key: u128) -> usize {
        ((u128::from(key as u64) * self.slots.len() as u128) >> 64) as usize
    }

    fn get(&self, key: u128) -> Option<[u32; 2]> {
        let (tag, numbers) = self.slots[self.slot(key)];
        (tag == (key >> 64) as u64 && numbers[0] > 0).then_some(numbers)
    }

    fn put(&mut self, key: u128, numbers: [u32; 2]) {
        let slot = self.slot(key);
        self.slots[slot] = ((key >> 64) as u64, numbers);
    }
}

/// One move of an open position.
struct Child {
    cell: u16,
    key: u128,
    numbers: [u32; 2],
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

    /// The child with the least number of a side.
    fn least(&self, side: usize) -> Least {
        let numbers = self.list.iter().map(|child| child.numbers[side]);
        Least::of(numbers.enumerate())
    }

    /// The sum of the numbers of a side, one for each that is not listed.
    fn sum(&self, side: usize, unlisted: u32) -> u32 {
        let numbers = self.list.iter().map(|child| child.numbers[side]);
        sum(unlisted, numbers)
    }
}

/// What became of a position: the numbers of both sides, and the answer once it is settled.
struct Found<B: Bits> {
    numbers: [u32; 2],
    answer: Option<Answer<B>>,
}

impl<B: Bits> Found<B> {
    fn done(answer: Answer<B>) -> Self {
        let numbers = if answer.proven {
            [0, NEVER]
        } else {
            [NEVER, 0]
        };
        Self {
            numbers,
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
            let found = self.numbers_of(0, side, moves, [NEVER - 1; 2])?;
            if let Some(answer) = found.answer {
                return Ok(answer);
            }
        }
    }

    /// Searches a position until one of its numbers reaches its bound in `most`.
    fn numbers_of(
        &mut self,
        depth: usize,
        side: usize,
        moves: u8,
        most: [u32; 2],
    ) -> Result<Found<B>, Halt> {
        let look = if side == ATTACKER {
            self.look_attacking(depth, moves)?
        } else {
            self.look_defending(depth, moves)?
        };
        match look {
            Look::Done(answer) => Ok(Found::done(answer)),
            Look::Forced(cell) => {
                self.play(depth, side, cell);
                let left = moves_left(side, moves);
                let mut found = self.numbers_of(depth + 1, 1 - side, left, most)?;
                found.answer = found.answer.map(|answer| {
                    if side == ATTACKER {
                        answer.after_attacker(cell)
                    } else {
                        answer.after_forced(cell, &self.stack[depth])
                    }
                });
                Ok(found)
            }
            Look::Open(open) => self.numbers_open(depth, side, moves, open, most),
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
        let mut numbers = [1; 2];
        numbers[side] = guess;
        let numbers = self.numbers.get(key).unwrap_or(numbers);
        children.list.push(Child { cell, key, numbers });
    }

    /// The moves that are worth listing and are not listed yet.
    fn unlisted(side: usize, open: &Open<B>, children: &Children) -> u32 {
        let rest = &open.order[children.next..];
        let worth = |cell: &&u16| side == ATTACKER || open.candidates.has(usize::from(**cell));
        rest.iter().filter(worth).count() as u32
    }

    /// The answer once every move of a side is known to fail.
    fn no_move_left(&mut self, depth: usize, side: usize, moves: u8, open: &Open<B>) -> Found<B> {
        let answer = if side == ATTACKER {
            refuted(open.moves.min(moves))
        } else {
            self.conceded(depth, open)
        };
        Found::done(self.settle(open, answer, NONE))
    }

    fn numbers_open(
        &mut self,
        depth: usize,
        side: usize,
        moves: u8,
        mut open: Open<B>,
        most: [u32; 2],
    ) -> Result<Found<B>, Halt> {
        let mut children = Children::default();
        loop {
            let least = children.least(side);
            if children.next < open.order.len() && least.number > children.guess() {
                self.list(depth, side, &open, &mut children);
                continue;
            }
            let Some(best) = least.index else {
                return Ok(self.no_move_left(depth, side, moves, &open));
            };
            let unlisted = Self::unlisted(side, &open, &children);
            let mut numbers = [least.number; 2];
            numbers[1 - side] = children.sum(1 - side, unlisted);
            if numbers[0] >= most[0] || numbers[1] >= most[1] {
                self.numbers.put(open.key.0, numbers);
                let answer = None;
                return Ok(Found { numbers, answer });
            }
            let child = &children.list[best];
            let cell = usize::from(child.cell);
            let second = if unlisted > 0 {
                least.second.min(children.guess())
            } else {
                least.second
            };
            let mut bounds = [0; 2];
            bounds[side] = most[side].min(2 * second + 1);
            let spare = most[1 - side] - numbers[1 - side];
            bounds[1 - side] = spare.saturating_add(child.numbers[1 - side]);
            self.play(depth, side, cell);
            let left = moves_left(side, moves);
            let found = self.numbers_of(depth + 1, 1 - side, left, bounds)?;
            match found.answer {
                Some(answer) if answer.proven && side == ATTACKER => {
                    let answer = answer.after_attacker(cell);
                    return Ok(Found::done(self.settle(&open, answer, cell as u16)));
                }
                Some(answer) if !answer.proven && side == DEFENDER => {
                    return Ok(Found::done(self.settle(&open, answer, cell as u16)));
                }
                Some(answer) if side == DEFENDER => {
                    self.narrow(depth, &mut open, &answer, cell);
                    children.list.swap_remove(best);
                    let candidates = open.candidates;
                    let kept = |child: &Child| candidates.has(usize::from(child.cell));
                    children.list.retain(kept);
                }
                _ => children.list[best].numbers = found.numbers,
            }
        }
    }
}

/// The attacker's moves that are left after a move of a side.
fn moves_left(side: usize, moves: u8) -> u8 {
    if side == ATTACKER {
        moves.saturating_sub(1)
    } else {
        moves
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
