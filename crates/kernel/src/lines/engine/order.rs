//! Which moves to try, and in which order.

use super::board::Board;
use super::search::Search;
use super::shape::ROOM;
use super::threats::Zone;

/// Boards of at most so many cells always consider every cell.
const MAX_SMALL_CELLS: usize = 64;

/// A move and its place in the order.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ranked {
    pub rank: i32,
    pub cell: u16,
}

/// What earlier cutoffs teach about quiet moves.
#[derive(Debug)]
pub(super) struct MoveHistory {
    killers: Vec<[u16; 2]>,
    history: Box<[[i32; 2]; ROOM]>,
    /// The answer that refuted a seat's move in a cell.
    answers: Box<[[u16; 2]; ROOM]>,
}

/// No cell.
pub(super) const NONE: u16 = u16::MAX;
/// History stays within this.
const HISTORY: i32 = 1 << 12;

impl MoveHistory {
    /// Nothing learned yet.
    pub fn new(cells: usize) -> Self {
        Self {
            killers: vec![[NONE; 2]; cells + 8],
            history: Box::new([[0; 2]; ROOM]),
            answers: Box::new([[NONE; 2]; ROOM]),
        }
    }

    /// A move refuted the previous one; the moves tried before it did not.
    pub fn learn(&mut self, board: &Board, ply: usize, before: u16, tried: &[Ranked], depth: i32) {
        let Some((best, others)) = tried.split_last() else {
            return;
        };
        if let Some(killers) = self.killers.get_mut(ply) {
            if killers[0] != best.cell {
                *killers = [best.cell, killers[0]];
            }
        }
        if before != NONE {
            self.answers[usize::from(before) % ROOM][board.turn] = best.cell;
        }
        let gain = (depth * depth).clamp(1, 400) * 4;
        self.shift(board.turn, best.cell, gain);
        for other in others {
            self.shift(board.turn, other.cell, -gain);
        }
    }

    fn shift(&mut self, seat: usize, cell: u16, gain: i32) {
        let value = &mut self.history[usize::from(cell) % ROOM][seat];
        *value += gain - *value * gain.abs() / HISTORY;
    }

    /// What is added to the pull of a cell.
    #[inline]
    fn bonus(&self, seat: usize, ply: usize, before: u16, cell: usize) -> i32 {
        let mut bonus = self.history[cell % ROOM][seat] / 3;
        if let Some(killers) = self.killers.get(ply) {
            if usize::from(killers[0]) == cell {
                bonus += 500;
            } else if usize::from(killers[1]) == cell {
                bonus += 300;
            }
        }
        if before != NONE && usize::from(self.answers[usize::from(before) % ROOM][seat]) == cell {
            bonus += 400;
        }
        bonus
    }
}

/// Which empty cells to list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Which {
    /// Those that a live set joins to a mark; on small boards, all of them.
    Near,
    /// Those that [`Which::Near`] leaves out.
    Far,
    /// Those that meet the other seat's forks, and those that make a threat.
    Answers(Zone),
    /// Those that meet the other seat's forks, and no others.
    Blocks(Zone),
    /// Where completing a set loses: those that complete none.
    Safe,
}

impl Which {
    /// Without threats of one's own, if asked for.
    pub fn narrowed(self, narrow: bool) -> Self {
        match self {
            Self::Answers(zone) if narrow => Self::Blocks(zone),
            other => other,
        }
    }
}

impl Search<'_, '_> {
    /// Lists moves behind those that are listed already.
    pub fn list(&mut self, which: Which, first: Option<u16>, ply: usize, before: u16) {
        if which == Which::Safe {
            return self.list_misere(first);
        }
        self.board.settle();
        let board = &self.board;
        let (me, you) = (board.turn, 1 - board.turn);
        let small = board.shape.cells <= MAX_SMALL_CELLS;
        let history = &self.history;
        let rank = |cell: usize, mine: i32, theirs: i32| {
            if first == Some(cell as u16) {
                i32::MAX
            } else {
                mine + mine / 8 + theirs + history.bonus(me, ply, before, cell)
            }
        };
        match which {
            Which::Answers(mut zone) | Which::Blocks(mut zone) => {
                if matches!(which, Which::Answers(_)) {
                    for set in board.twos(me) {
                        let (a, b) = board.gaps(*set);
                        zone.insert(a);
                        zone.insert(b);
                    }
                }
                for cell in zone.iter() {
                    let (mine, theirs) = (board.pull(cell, me), board.pull(cell, you));
                    self.moves.push(Ranked {
                        rank: rank(cell, mine, theirs),
                        cell: cell as u16,
                    });
                }
            }
            Which::Near | Which::Far | Which::Safe => {
                let near = which == Which::Near;
                for cell in 0..board.shape.cells {
                    if !board.is_empty(cell) {
                        continue;
                    }
                    let (mine, theirs) = (board.pull(cell, me), board.pull(cell, you));
                    if near == (small || mine + theirs > 0) {
                        self.moves.push(Ranked {
                            rank: rank(cell, mine, theirs),
                            cell: cell as u16,
                        });
                    }
                }
            }
        }
    }

    /// Brings the best of the moves from `index` on to `index`; ties go to the first in board
    /// order.
    pub fn pick(&mut self, index: usize) -> Option<usize> {
        let rest = self.moves.get_mut(index..)?;
        let (at, _) = rest
            .iter()
            .enumerate()
            .max_by_key(|(_, ranked)| (ranked.rank, std::cmp::Reverse(ranked.cell)))?;
        rest.swap(0, at);
        Some(usize::from(rest[0].cell))
    }
}
