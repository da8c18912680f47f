//! What a `lines` position with gravity is worth before it ends.
//!
//! A set that lacks one cell is a threat for as long as that cell is not open, and it decides once
//! the rest of the board is full: whoever has to open the cell below it loses. Where columns have an
//! even number of cells, the first seat gets the cells at even heights in the end and the second
//! one those at odd heights, so a threat there weighs more.

use crate::bits::Bits;
use crate::lines::Lines;
use crate::position::{Move, Position};
use crate::search::{Evaluate, Score};

/// A set of one's own, by how many of its cells are missing; nothing for more. With these weights and
/// the next, depth 8 kept the value of 145 of 160 Connect Four positions with 14 stones; without any
/// of them, of 127.
pub(crate) const MISSING: [Score; 4] = [0, 48, 12, 3];
/// A threat on a cell that falls to its owner when the board fills up.
pub(crate) const DUE: Score = 30;

impl<B: Bits> Lines<B> {
    /// What the sets that only this seat can complete are worth.
    fn prospects(&self, seat: u8) -> Score {
        let rules = &*self.rules;
        let other = &self.marks[usize::from(1 - seat)];
        let mine = &self.marks[usize::from(seat)];
        let due = &self.due(seat);
        let mut sum = 0;
        let mut threats = B::default();
        for set in rules.sets.iter().filter(|set| !set.meets(other)) {
            let missing = set.minus(mine);
            match missing.count() {
                1 => threats = threats.or(&missing),
                n => sum += MISSING.get(n as usize).copied().unwrap_or(0),
            }
        }
        sum + MISSING[1] * threats.count() as Score + DUE * threats.and(due).count() as Score
    }

    /// The cells that fall to one of two seats when the board fills up.
    pub(crate) fn due(&self, seat: u8) -> B {
        let first = (u32::from(self.turn()) + self.rules.board.minus(&self.empty).count()) & 1;
        self.rules.heights[usize::from(u32::from(seat) != first)]
    }

    /// Whether a seat completes a set in an empty cell.
    fn completes(&self, seat: u8, cell: usize) -> bool {
        let mine = self.marks[usize::from(seat)].or(&B::one(cell));
        self.rules.completes(&mine, cell)
    }
}

impl<B: Bits> Evaluate for Lines<B> {
    fn evaluate(&self) -> Score {
        let me = self.turn() & 1;
        let worth = self.prospects(me) - self.prospects(1 - me);
        let worth = if self.rules.misere { -worth } else { worth };
        worth.clamp(-20_000, 20_000)
    }

    fn rank(&self, moves: &[Move], ranked: &mut Vec<(i32, Move)>) {
        let rules = &*self.rules;
        let me = self.turn() & 1;
        let sign = if rules.misere { -1 } else { 1 };
        ranked.extend(moves.iter().map(|&mv| {
            let cell = mv as usize;
            let opened = rules.frees.get(cell).copied().unwrap_or_default();
            let rank = if self.completes(me, cell) {
                900
            } else if self.completes(1 - me, cell) {
                800
            } else if opened.iter().any(|above| self.completes(1 - me, above)) {
                -800
            } else {
                rules.range(cell).len() as i32
            };
            (sign * rank.min(1000), mv)
        }));
    }

    fn placements_left(&self) -> u32 {
        self.empty.count()
    }

    fn settled(&self) -> Option<u8> {
        None
    }
}
