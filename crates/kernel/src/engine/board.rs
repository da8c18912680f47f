//! The engine's own board: everything it asks of a position, kept up to date by each move.
//!
//! A winning set is *live* for a seat while the other seat has no mark in it and the seat itself
//! has none in its caps. Each move changes the sets through its cell (and those it caps), and each
//! of those changes adds one packed number to the sums of its cells.

use std::sync::Arc;

use crate::bits::Bits;
use crate::lines::Lines;
use crate::position::Position;

use super::shape::{live, worth, Shape, ROOM};

/// The owner of an empty cell.
pub(super) const NOBODY: u8 = 2;

/// One winning set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Set {
    /// Marks of each seat.
    marks: [u8; 2],
    /// Marks of each seat in the caps.
    caps: [u8; 2],
    /// The empty cells, all xored: the missing cell itself when there is one.
    gap: u16,
    /// Where it stands in each seat's roster, when it is in one.
    place: [u16; 2],
}

/// What the marks add up to.
#[derive(Clone, Debug)]
struct Counts {
    /// Per cell and seat, the packed sum over the live sets through it.
    sums: Box<[[u64; 2]; ROOM]>,
    /// Per seat, over all its live sets.
    totals: [i64; 2],
    sets: Vec<Set>,
    /// Per seat: the live sets that lack one, and those that lack two.
    rosters: [[Vec<u16>; 2]; 2],
}

impl Counts {
    /// Adds or removes what a live set is worth to a seat at its present count.
    #[inline(always)]
    fn shift(&mut self, shape: &Shape, set: usize, seat: usize, add: bool) {
        let state = &mut self.sets[set];
        let at = usize::from(shape.bases[set]) + usize::from(state.marks[seat]);
        let level = shape.levels[at];
        let (pack, worth) = if add {
            (level.pack, level.worth)
        } else {
            (level.pack.wrapping_neg(), -level.worth)
        };
        self.totals[seat] += worth;
        if pack != 0 {
            for cell in shape.members.of(set) {
                let sum = &mut self.sums[usize::from(*cell) & (ROOM - 1)][seat];
                *sum = sum.wrapping_add(pack);
            }
        }
        if level.lack == 1 || level.lack == 2 {
            self.enlist(set, seat, usize::from(level.lack) - 1, add);
        }
    }

    /// Moves a live set of a seat from one count to the next, up or down.
    #[inline(always)]
    fn grow(&mut self, shape: &Shape, set: usize, seat: usize, from: u8, to: u8) {
        let base = usize::from(shape.bases[set]);
        let old = shape.levels[base + usize::from(from)];
        let new = shape.levels[base + usize::from(to)];
        self.totals[seat] += new.worth - old.worth;
        let pack = new.pack.wrapping_sub(old.pack);
        for cell in shape.members.of(set) {
            let sum = &mut self.sums[usize::from(*cell) & (ROOM - 1)][seat];
            *sum = sum.wrapping_add(pack);
        }
        if old.lack.min(new.lack) <= 2 {
            for (lack, add) in [(old.lack, false), (new.lack, true)] {
                if lack == 1 || lack == 2 {
                    self.enlist(set, seat, usize::from(lack) - 1, add);
                }
            }
        }
    }

    /// Writes a set into a roster, or takes it out.
    fn enlist(&mut self, set: usize, seat: usize, which: usize, add: bool) {
        let roster = &mut self.rosters[seat][which];
        if add {
            self.sets[set].place[seat] = roster.len() as u16;
            roster.push(set as u16);
            return;
        }
        let place = usize::from(self.sets[set].place[seat]);
        roster.swap_remove(place);
        if let Some(moved) = roster.get(place) {
            self.sets[usize::from(*moved)].place[seat] = place as u16;
        }
    }
}

/// A position that moves forward and back.
#[derive(Clone, Debug)]
pub(super) struct Board {
    pub shape: Arc<Shape>,
    pub turn: usize,
    pub key: u64,
    pub empties: u32,
    owner: Box<[u8; ROOM]>,
    counts: Counts,
}

impl Board {
    /// The board of a position.
    pub fn new<B: Bits>(shape: Arc<Shape>, position: &Lines<B>) -> Self {
        let mut counts = Counts {
            sums: Box::new([[0; 2]; ROOM]),
            totals: [0; 2],
            sets: vec![Set::default(); shape.sets()],
            rosters: Default::default(),
        };
        for set in 0..shape.sets() {
            let members = shape.members.of(set);
            counts.sets[set].gap = members.iter().fold(0, |gap, cell| gap ^ cell);
            counts.shift(&shape, set, 0, true);
            counts.shift(&shape, set, 1, true);
        }
        let mut board = Self {
            turn: 0,
            key: shape.salt,
            empties: shape.cells as u32,
            owner: Box::new([NOBODY; ROOM]),
            counts,
            shape,
        };
        for cell in 0..board.shape.cells {
            if let Some(seat) = position.at(cell) {
                board.turn_to(usize::from(seat));
                board.make(cell);
            }
        }
        board.turn_to(usize::from(position.turn()));
        board
    }

    fn turn_to(&mut self, seat: usize) {
        if self.turn != seat & 1 {
            self.pass();
        }
    }

    /// Puts a mark of the seat to move into an empty cell.
    pub fn make(&mut self, cell: usize) {
        let (me, you) = (self.turn, 1 - self.turn);
        let (shape, counts) = (&*self.shape, &mut self.counts);
        for set in shape.through.of(cell) {
            let set = usize::from(*set);
            let Set { marks, caps, .. } = counts.sets[set];
            if marks[me] == 0 && caps[you] == 0 {
                counts.shift(shape, set, you, false);
            }
            let state = &mut counts.sets[set];
            state.marks[me] += 1;
            state.gap ^= cell as u16;
            if marks[you] == 0 && caps[me] == 0 {
                counts.grow(shape, set, me, marks[me], marks[me] + 1);
            }
        }
        for set in shape.capping.of(cell) {
            let set = usize::from(*set);
            let Set { marks, caps, .. } = counts.sets[set];
            if marks[you] == 0 && caps[me] == 0 {
                counts.shift(shape, set, me, false);
            }
            counts.sets[set].caps[me] += 1;
        }
        self.owner[cell & (ROOM - 1)] = me as u8;
        self.key ^= shape.keys[cell][me] ^ shape.turn_key;
        self.turn = you;
        self.empties -= 1;
    }

    /// Takes back the last [`Board::make`], which was in this cell.
    pub fn unmake(&mut self, cell: usize) {
        let (me, you) = (1 - self.turn, self.turn);
        let (shape, counts) = (&*self.shape, &mut self.counts);
        for set in shape.capping.of(cell) {
            let set = usize::from(*set);
            counts.sets[set].caps[me] -= 1;
            let Set { marks, caps, .. } = counts.sets[set];
            if marks[you] == 0 && caps[me] == 0 {
                counts.shift(shape, set, me, true);
            }
        }
        for set in shape.through.of(cell) {
            let set = usize::from(*set);
            let state = &mut counts.sets[set];
            state.marks[me] -= 1;
            state.gap ^= cell as u16;
            let Set { marks, caps, .. } = *state;
            if marks[you] == 0 && caps[me] == 0 {
                counts.grow(shape, set, me, marks[me] + 1, marks[me]);
            }
            if marks[me] == 0 && caps[you] == 0 {
                counts.shift(shape, set, you, true);
            }
        }
        self.owner[cell & (ROOM - 1)] = NOBODY;
        self.key ^= shape.keys[cell][me] ^ shape.turn_key;
        self.turn = me;
        self.empties += 1;
    }

    /// Changes the seat to move and nothing else.
    pub fn pass(&mut self) {
        self.turn = 1 - self.turn;
        self.key ^= self.shape.turn_key;
    }

    /// Whether a cell is empty.
    #[inline]
    pub fn is_empty(&self, cell: usize) -> bool {
        cell < self.shape.cells && self.owner[cell & (ROOM - 1)] == NOBODY
    }

    /// The packed sum of a cell for a seat.
    #[inline]
    pub fn sum(&self, cell: usize, seat: usize) -> u64 {
        self.counts.sums[cell & (ROOM - 1)][seat]
    }

    /// The live sets of a seat that lack one cell.
    #[inline]
    pub fn ones(&self, seat: usize) -> &[u16] {
        &self.counts.rosters[seat][0]
    }

    /// The live sets of a seat that lack two cells.
    #[inline]
    pub fn twos(&self, seat: usize) -> &[u16] {
        &self.counts.rosters[seat][1]
    }

    /// The missing cell of a set that lacks one.
    #[inline]
    pub fn gap(&self, set: u16) -> usize {
        usize::from(self.counts.sets[usize::from(set)].gap)
    }

    /// The two missing cells of a set that lacks two.
    #[inline]
    pub fn gaps(&self, set: u16) -> (usize, usize) {
        let members = self.shape.members.of(usize::from(set));
        let first = members
            .iter()
            .find(|cell| self.owner[usize::from(**cell) & (ROOM - 1)] == NOBODY)
            .map_or(0, |cell| usize::from(*cell));
        (first, self.gap(set) ^ first)
    }

    /// What the live sets of the seat to move are worth, less those of the other seat.
    #[inline]
    pub fn balance(&self) -> i32 {
        worth(self.counts.totals[self.turn]) - worth(self.counts.totals[1 - self.turn])
    }

    /// Whether neither seat has a live set.
    #[inline]
    pub fn is_dead(&self) -> bool {
        live(self.counts.totals[0]) == 0 && live(self.counts.totals[1]) == 0
    }
}

#[cfg(test)]
#[path = "board_test.rs"]
mod test;
