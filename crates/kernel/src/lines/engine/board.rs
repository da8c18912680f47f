//! The engine's own board: everything it asks of a position, kept up to date by each move.
//!
//! A winning set is *live* for a seat while the other seat has no mark in it and the seat itself
//! has none in its caps.

use std::sync::Arc;

use crate::bits::Bits;
use crate::lines::Lines;
use crate::position::Position;

use super::counts::Counts;
use super::shape::{live, worth, Shape, ROOM};

/// The owner of an empty cell.
pub(super) const NOBODY: u8 = 2;

/// A position that moves forward and back.
#[derive(Clone, Debug)]
pub struct Board {
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
        let counts = Counts::new(&shape);
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
        board.counts.begin(&board.shape);
        board
    }

    fn turn_to(&mut self, seat: usize) {
        if self.turn != seat & 1 {
            self.pass();
        }
    }

    /// Puts a mark of the seat to move into an empty cell.
    #[inline]
    pub fn make(&mut self, cell: usize) {
        let me = self.turn;
        self.owner[cell & (ROOM - 1)] = me as u8;
        self.counts.play(&self.shape, &self.owner, cell, me);
        self.key ^= self.shape.keys[cell][me] ^ self.shape.turn_key;
        self.turn = 1 - me;
        self.empties -= 1;
    }

    /// Takes back the last [`Board::make`], which was in this cell.
    #[inline]
    pub fn unmake(&mut self, cell: usize) {
        let me = 1 - self.turn;
        self.owner[cell & (ROOM - 1)] = NOBODY;
        self.counts.undo(&self.shape, cell, me);
        self.key ^= self.shape.keys[cell][me] ^ self.shape.turn_key;
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

    /// Works out the sums; to be called before [`Board::pull`].
    pub fn settle(&mut self) {
        self.counts.settle(&self.shape);
    }

    /// How much the live sets of a seat through a cell are worth for the order of moves.
    #[inline]
    pub fn pull(&self, cell: usize, seat: usize) -> i32 {
        self.counts.sum(cell, seat)
    }

    /// How many live sets of a seat lack a cell and one more.
    #[inline]
    pub fn pairs(&self, cell: usize, seat: usize) -> u16 {
        self.counts.pairs(cell, seat)
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
        let [first, second] = self.counts.sets[usize::from(set)].pair;
        (usize::from(first), usize::from(second))
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
