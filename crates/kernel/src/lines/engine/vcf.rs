//! Victory by continuous fours: every move threatens to complete a set, so every answer is forced.

use super::board::Board;
use super::search::Search;

/// Positions from which no such victory was found, and to which depth.
#[derive(Debug)]
pub(super) struct Failures(Vec<u64>);

impl Failures {
    const SIZE: usize = 1 << 14;

    /// Bytes that it takes.
    pub const BYTES: usize = 8 * Self::SIZE;

    pub fn new() -> Self {
        Self(vec![0; Self::SIZE])
    }

    #[inline]
    fn failed(&self, key: u64, depth: u32) -> bool {
        let entry = self.0[(key >> 20) as usize % Self::SIZE];
        (entry ^ key) >> 8 == 0 && entry & 255 >= u64::from(depth.min(255))
    }

    #[inline]
    fn put(&mut self, key: u64, depth: u32) {
        self.0[(key >> 20) as usize % Self::SIZE] = key & !255 | u64::from(depth.min(255));
    }
}

/// A win that was found: its first move and its length in plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Victory {
    pub first: usize,
    pub plies: i32,
}

impl Board {
    /// The cell the seat to move must play to stop the other seat, if any. `Err` when no one cell
    /// does.
    fn must(&self) -> Result<Option<usize>, ()> {
        let mut must = None;
        for set in self.ones(1 - self.turn) {
            let cell = self.gap(*set);
            if must.is_some_and(|other| other != cell) {
                return Err(());
            }
            must = Some(cell);
        }
        Ok(must)
    }
}

impl Search<'_, '_> {
    /// Looks for a win of the seat to move in which each of at most `depth` moves before the last
    /// two makes a threat, visiting about `budget` positions at most.
    pub fn vcf(&mut self, depth: u32, budget: u32) -> Option<Victory> {
        self.budget = budget;
        self.fours(depth)
    }

    fn fours(&mut self, depth: u32) -> Option<Victory> {
        let me = self.board.turn;
        if let Some(set) = self.board.ones(me).first() {
            let first = self.board.gap(*set);
            return Some(Victory { first, plies: 1 });
        }
        let must = self.board.must().ok()?;
        if must.is_none() {
            if let Some(first) = self.board.fork(me) {
                return Some(Victory { first, plies: 3 });
            }
        }
        let key = self.board.key;
        if depth == 0 || self.board.twos(me).is_empty() || self.failures.failed(key, depth) {
            return None;
        }
        let start = self.fours.len();
        // The newest threats first.
        for index in (0..self.board.twos(me).len()).rev() {
            let (first, second) = self.board.gaps(self.board.twos(me)[index]);
            for (cell, answer) in [(first, second), (second, first)] {
                if must.is_none_or(|must| must == cell) {
                    self.fours.push((cell as u16, answer as u16));
                }
            }
        }
        for index in start..self.fours.len() {
            let (cell, answer) = self.fours[index];
            let (cell, answer) = (usize::from(cell), usize::from(answer));
            self.make(cell);
            let board = &self.board;
            let mut found = None;
            if board.ones(me).iter().any(|set| board.gap(*set) != answer) {
                found = Some(3);
            } else if self.budget > 0 && !self.halted {
                self.budget = self.budget.saturating_sub(2);
                self.make(answer);
                found = self.fours(depth - 1).map(|win| win.plies + 2);
                self.board.unmake(answer);
            }
            self.board.unmake(cell);
            if let Some(plies) = found {
                self.fours.truncate(start);
                return Some(Victory { first: cell, plies });
            }
            if self.budget == 0 || self.halted {
                break;
            }
        }
        self.fours.truncate(start);
        if self.budget > 0 && !self.halted {
            self.failures.put(key, depth);
        }
        None
    }
}
