//! Alpha-beta where completing a set loses: nothing is forced but the end.

use super::search::Search;
use super::shape::ROOM;
use crate::search::score::{Score, MATE, MOST};
use crate::search::table::Bound;

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
            self.moves.push(super::order::Ranked {
                rank,
                cell: cell as u16,
            });
        }
    }

    /// [`Search::search`] where completing a set loses.
    pub fn search_misere(
        &mut self,
        mut alpha: Score,
        beta: Score,
        depth: i32,
        ply: usize,
        before: u16,
    ) -> Score {
        let far = ply as Score;
        let known = self.table.get(self.board.key, ply as i32);
        if let Some(entry) = known {
            let fits = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => entry.score >= beta,
                Bound::Upper => entry.score <= alpha,
            };
            if fits && (entry.is_proof() || (beta - alpha == 1 && entry.depth >= depth)) {
                return entry.score;
            }
        }
        let start = self.moves.len();
        self.list_misere(known.and_then(|entry| entry.best));
        if self.moves.len() == start {
            return far + 1 - MATE;
        }
        if depth <= 0 {
            self.moves.truncate(start);
            return (-self.board.balance()).clamp(-MOST, MOST);
        }
        let (floor, mut best, mut choice) = (alpha, -MATE, None);
        let mut index = start;
        while let Some(cell) = self.pick(index) {
            self.make(cell);
            let mut score = best;
            let wide = index == start || {
                score = -self.search(-alpha - 1, -alpha, depth - 1, ply + 1, cell as u16);
                score > alpha && score < beta
            };
            if wide {
                score = -self.search(-beta, -alpha, depth - 1, ply + 1, cell as u16);
            }
            self.board.unmake(cell);
            if self.halted {
                self.moves.truncate(start);
                return 0;
            }
            index += 1;
            if score > best {
                best = score;
                choice = Some(cell as u16);
                if score > alpha {
                    alpha = score;
                    self.extend_line(ply, cell);
                }
                if score >= beta {
                    let tried = &self.moves[start..index];
                    self.lessons.learn(&self.board, ply, before, tried, depth);
                    break;
                }
            }
        }
        self.moves.truncate(start);

        let bound = match best {
            _ if best >= beta => Bound::Lower,
            _ if best > floor => Bound::Exact,
            _ => Bound::Upper,
        };
        self.note(ply, choice, best, depth, bound);
        best
    }
}
