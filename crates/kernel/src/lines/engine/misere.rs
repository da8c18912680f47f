//! Alpha-beta where completing a set loses: nothing is forced but the end.

use super::order::{Ranked, Which};
use super::search::Search;
use super::shape::ROOM;
use crate::search::score::{Score, MATE, MAX_ESTIMATE};

impl Search<'_, '_> {
    /// Lists the empty cells that complete no set of the seat to move, the harmless ones first.
    pub fn list_misere(&mut self, first: Option<u16>) {
        self.board.settle();
        let board = &self.board;
        let me = board.turn;
        let mut fatal = [false; ROOM];
        for set in board.ones(me) {
            fatal[board.gap(*set) % ROOM] = true;
        }
        for cell in (0..board.shape.cells).filter(|cell| board.is_empty(*cell) && !fatal[*cell]) {
            let rank = if first == Some(cell as u16) {
                i32::MAX
            } else {
                -board.pull(cell, me) - board.pull(cell, 1 - me) / 2
            };
            self.moves.push(Ranked {
                rank,
                cell: cell as u16,
            });
        }
    }

    /// [`Search::search`] where completing a set loses.
    pub fn search_misere(
        &mut self,
        alpha: Score,
        beta: Score,
        depth: i32,
        ply: usize,
        before: u16,
    ) -> Score {
        let known = self.table.get(self.board.key, ply as i32);
        if let Some(entry) = known {
            let deep = beta - alpha == 1 && entry.depth >= depth;
            if entry.fits(alpha, beta) && (entry.is_proof() || deep) {
                return entry.score;
            }
        }
        if depth <= 0 {
            let start = self.moves.len();
            self.list_misere(None);
            if self.moves.len() == start {
                return ply as Score + 1 - MATE;
            }
            self.moves.truncate(start);
            return (-self.board.balance()).clamp(-MAX_ESTIMATE, MAX_ESTIMATE);
        }
        self.branch(alpha, beta, depth, ply, before, Which::Safe, known)
    }
}
