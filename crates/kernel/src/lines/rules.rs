//! Tables compiled for a word size: masks, indexes and keys.

use std::sync::{Arc, OnceLock};

use crate::bits::{scramble, Bits};
use crate::error::KernelError;

use super::engine::Shape;
use super::tables::LinesTables;

/// What [`LinesTables`] compile to, shared by all positions of a game.
#[derive(Clone, Debug)]
pub struct Rules<B: Bits> {
    pub(crate) cells: usize,
    pub(crate) players: u8,
    pub(crate) misere: bool,
    pub(crate) early_draw: bool,
    /// Whether any set has caps.
    pub(crate) capped: bool,
    /// Whether some cells open only when another is taken.
    pub(crate) gravity: bool,
    /// Every cell of the board.
    pub(crate) board: B,
    /// The cells that are open from the start.
    pub(crate) base: B,
    /// For each cell the cells that open when it is taken; nothing without gravity.
    pub(crate) frees: Vec<B>,
    /// The cells that open after an even number of others, and those after an odd number.
    pub(crate) heights: [B; 2],
    /// The cells of each set.
    pub(crate) sets: Vec<B>,
    /// The caps of each set.
    pub(crate) caps: Vec<B>,
    /// The size of each set.
    pub(crate) sizes: Vec<u16>,
    /// How easily each set is seen, from 0 to 1.
    pub(crate) sights: Vec<f32>,
    /// `through[starts[c]..starts[c + 1]]` are the sets through cell `c`.
    pub(crate) starts: Vec<u32>,
    pub(crate) through: Vec<u32>,
    /// The masks of the sets through a cell, aligned with `through`, the cell itself left out.
    pub(crate) rest: Vec<B>,
    /// The group of symmetries, the identity first.
    pub(crate) symmetries: Vec<Vec<u16>>,
    /// One number per seat and cell, and one per seat to move.
    keys: Vec<u64>,
    turn_keys: Vec<u64>,
    /// Powers of `players + 1`, one per cell and one for the turn; none when they do not fit.
    pub(crate) powers: Option<Vec<u128>>,
    /// The game as the engine reads it, once it has been asked for.
    pub(super) shape: OnceLock<Arc<Shape>>,
}

impl<B: Bits> Rules<B> {
    /// Checks and compiles the tables.
    pub fn new(tables: &LinesTables) -> Result<Self, KernelError> {
        let (sets, symmetries) = tables.checked()?;
        let cells = tables.cells;
        if cells > B::CAPACITY {
            let most = B::CAPACITY;
            return Err(KernelError::Tables(format!(
                "{cells} cells, more than {most}"
            )));
        }
        let mask = |cells: &[u16]| {
            cells
                .iter()
                .fold(B::default(), |bits, c| bits.or(&B::one(usize::from(*c))))
        };
        let mut through_cell: Vec<Vec<u32>> = vec![Vec::new(); cells];
        for (index, set) in sets.iter().enumerate() {
            for cell in &set.cells {
                through_cell[usize::from(*cell)].push(index as u32);
            }
        }
        let masks: Vec<B> = sets.iter().map(|set| mask(&set.cells)).collect();
        let mut starts = vec![0];
        let (mut through, mut rest) = (Vec::new(), Vec::new());
        for (cell, indexes) in through_cell.iter().enumerate() {
            for index in indexes {
                through.push(*index);
                rest.push(masks[*index as usize].minus(&B::one(cell)));
            }
            starts.push(through.len() as u32);
        }
        let board = (0..cells).fold(B::default(), |bits, cell| bits.or(&B::one(cell)));
        let gravity = tables.opens.iter().any(Option::is_some);
        let mut base = board;
        let mut frees = vec![B::default(); if gravity { cells } else { 0 }];
        for (cell, below) in tables.opens.iter().enumerate() {
            if let Some(below) = below {
                frees[usize::from(*below)].insert(cell);
                base.remove(cell);
            }
        }
        let mut heights = [B::default(); 2];
        for cell in 0..cells {
            let below = |cell: &usize| tables.opens.get(*cell).copied().flatten();
            let down = std::iter::successors(Some(cell), |cell| below(cell).map(usize::from));
            heights[(down.count() + 1) % 2].insert(cell);
        }
        let count = u64::from(tables.players) * cells as u64;
        let key = |index: u64| scramble((index + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        Ok(Self {
            cells,
            players: tables.players,
            misere: tables.misere,
            early_draw: tables.early_draw,
            capped: sets.iter().any(|set| !set.caps.is_empty()),
            gravity,
            board,
            base,
            frees,
            heights,
            caps: sets.iter().map(|set| mask(&set.caps)).collect(),
            sizes: sets.iter().map(|set| set.cells.len() as u16).collect(),
            sights: tables.sights(&sets),
            sets: masks,
            starts,
            through,
            rest,
            symmetries,
            keys: (0..count).map(key).collect(),
            turn_keys: (count..count + u64::from(tables.players))
                .map(key)
                .collect(),
            powers: powers(cells, u128::from(tables.players) + 1),
            shape: OnceLock::new(),
        })
    }

    /// The key of a seat's mark in a cell.
    #[inline]
    pub(crate) fn mark_key(&self, cell: usize, seat: u8) -> u64 {
        self.keys[cell * usize::from(self.players) + usize::from(seat)]
    }

    /// The seat after a seat.
    #[inline]
    pub(crate) fn next_seat(&self, seat: u8) -> u8 {
        if seat + 1 >= self.players {
            0
        } else {
            seat + 1
        }
    }

    /// The key of a seat to move.
    #[inline]
    pub(crate) fn turn_key(&self, seat: u8) -> u64 {
        self.turn_keys[usize::from(seat)]
    }

    /// The range of `through` and `rest` that belongs to a cell.
    #[inline]
    pub(crate) fn range(&self, cell: usize) -> std::ops::Range<usize> {
        self.starts[cell] as usize..self.starts[cell + 1] as usize
    }

    /// The empty cells that are open, given all empty ones.
    pub(crate) fn open(&self, empty: &B) -> B {
        if !self.gravity {
            return *empty;
        }
        let taken = self.board.minus(empty);
        let above = taken
            .iter()
            .fold(self.base, |open, cell| open.or(&self.frees[cell]));
        above.and(empty)
    }

    /// Whether a seat with these marks, one of them in `cell`, completes a set through it.
    #[inline]
    pub(crate) fn completes(&self, marks: &B, cell: usize) -> bool {
        let range = self.range(cell);
        if !self.capped {
            return self.rest[range].iter().any(|rest| marks.contains(rest));
        }
        range.into_iter().any(|i| {
            marks.contains(&self.rest[i]) && !marks.meets(&self.caps[self.through[i] as usize])
        })
    }

    /// Whether a seat with these marks holds a whole set.
    pub(crate) fn completed(&self, marks: &B) -> bool {
        self.sets
            .iter()
            .zip(&self.caps)
            .any(|(set, caps)| marks.contains(set) && !marks.meets(caps))
    }

    /// Whether some seat can still complete a set.
    pub(crate) fn is_alive(&self, set: usize, marks: &[B]) -> bool {
        let mut owner = None;
        for mine in marks.iter().filter(|mine| mine.meets(&self.sets[set])) {
            if owner.is_some() {
                return false;
            }
            owner = Some(mine);
        }
        match owner {
            Some(mine) => !mine.meets(&self.caps[set]),
            None => marks.iter().any(|mine| !mine.meets(&self.caps[set])),
        }
    }
}

fn powers(cells: usize, base: u128) -> Option<Vec<u128>> {
    let mut powers: Vec<u128> = vec![1];
    for _ in 0..cells {
        powers.push(powers.last()?.checked_mul(base)?);
    }
    powers[cells].checked_mul(base)?;
    Some(powers)
}
