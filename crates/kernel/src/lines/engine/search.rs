//! Alpha-beta with a null window, on top of what is forced.
//!
//! Scores of proven wins and losses are exact wherever they arise: a loss is only returned once
//! every legal answer (or every answer that could matter) has been searched, so reductions and
//! pruning can hide a win but never invent one.

use crate::limits::Meter;

use super::board::Board;
use super::order::{MoveHistory, Ranked, Which, NONE};
use super::threats::Situation;
use super::vcf::Failures;
use crate::search::score::{Score, MATE, MAX_ESTIMATE, WON};
use crate::search::table::{Bound, Entry, Table};

/// The longest run of fours to look for at a leaf, and above.
const MAX_FOURS: [u32; 2] = [6, 10];
/// Positions such a look may visit.
const MAX_FOURS_NODES: [u32; 2] = [60, 300];
/// What having the move is worth.
const TEMPO: Score = 20;
/// What each set that lacks two cells is worth to the seat to move besides.
const INITIATIVE: Score = 80;
/// How many of them count.
const MAX_INITIATIVES: usize = 4;
/// Where there are at most so many defences, they are searched one ply deeper.
const FEW_DEFENCES: usize = 4;
/// What a quiet move is assumed to gain per ply at most: if that is not enough, it is skipped.
const FUTILITY_PER_PLY: Score = 50;
/// Moves that rank at least this high are never skipped for it.
const FUTILITY_MAX_RANK: i32 = 300;
/// Nor are moves when more plies than this are left.
const MAX_FUTILITY_DEPTH: i32 = 2;
/// An estimate that exceeds the window by this much per ply is taken as it is.
const MARGIN_PER_PLY: Score = 40;
/// Up to this depth.
const MAX_MARGIN_DEPTH: i32 = 4;

/// One thread's search.
pub(super) struct Search<'t, 'm> {
    pub board: Board,
    pub table: &'t Table,
    pub meter: Meter<'m>,
    /// Whether the meter has said stop; everything on the way out is void.
    pub halted: bool,
    pub history: MoveHistory,
    /// Moves under consideration, those of the deepest position last.
    pub moves: Vec<Ranked>,
    /// The same for [`Search::vcf`].
    pub fours: Vec<(u16, u16)>,
    pub failures: Failures,
    pub budget: u32,
    /// The line of best play from each ply on.
    pub lines: Vec<Vec<u16>>,
    /// The longest run of fours to look for.
    pub most_fours: u32,
    /// Beyond this ply nothing is searched deeper than it must be.
    pub horizon: usize,
    reductions: Vec<[i8; 64]>,
}

impl<'t, 'm> Search<'t, 'm> {
    /// A search that starts from a board.
    pub fn new(board: Board, table: &'t Table, meter: Meter<'m>) -> Self {
        let cells = board.shape.cells;
        let reduction = |depth: usize, index: usize| {
            let product = (depth.max(1) as f64).ln() * (index.max(1) as f64).ln();
            (0.8 + product / 1.5) as i8
        };
        Self {
            board,
            table,
            meter,
            halted: false,
            history: MoveHistory::new(cells),
            moves: Vec::with_capacity(4096),
            fours: Vec::with_capacity(256),
            failures: Failures::new(),
            budget: 0,
            lines: vec![Vec::new(); cells + 2],
            most_fours: u32::MAX,
            horizon: 0,
            reductions: (0..64)
                .map(|depth| std::array::from_fn(|index| reduction(depth, index)))
                .collect(),
        }
    }

    /// Plays a move and counts a node.
    #[inline]
    pub fn make(&mut self, cell: usize) {
        self.board.make(cell);
        if !self.meter.tick() {
            self.halted = true;
        }
    }

    /// The estimate for the seat to move.
    #[inline]
    pub fn estimate(&self) -> Score {
        let threats = self.board.twos(self.board.turn).len().min(MAX_INITIATIVES);
        (self.board.balance() + TEMPO + INITIATIVE * threats as Score)
            .clamp(-MAX_ESTIMATE, MAX_ESTIMATE)
    }

    /// How late a move may come in the order.
    fn latest(depth: i32) -> usize {
        let depth = depth.max(0);
        (3 + 2 * depth + depth * depth / 5) as usize
    }

    /// Puts a move in front of the line of the next ply.
    pub fn extend_line(&mut self, ply: usize, cell: usize) {
        let (head, tail) = self.lines.split_at_mut(ply + 1);
        if let (Some(mine), Some(next)) = (head.last_mut(), tail.first()) {
            mine.clear();
            mine.push(cell as u16);
            mine.extend_from_slice(next);
        }
    }

    /// The score of the position for the seat to move, within `alpha` and `beta`; `before` is the
    /// previous move.
    pub fn search(
        &mut self,
        mut alpha: Score,
        mut beta: Score,
        depth: i32,
        ply: usize,
        before: u16,
    ) -> Score {
        self.lines[ply].clear();
        if self.halted || self.board.empties == 0 || self.board.is_dead() {
            return 0;
        }
        if self.board.shape.misere {
            return self.search_misere(alpha, beta, depth, ply, before);
        }
        let far = ply as Score;
        let which = match self.board.situation() {
            Situation::Win(_) => return MATE - far - 1,
            Situation::Lost => return far + 2 - MATE,
            Situation::Block(cell) => {
                self.make(cell);
                let score = -self.search(-beta, -alpha, depth, ply + 1, cell as u16);
                self.board.unmake(cell);
                if score > alpha {
                    self.extend_line(ply, cell);
                }
                return score;
            }
            Situation::Fork(_) => return MATE - far - 3,
            Situation::Defend(zone) => Which::Answers(zone),
            Situation::Quiet => Which::Near,
        };
        // Nothing better than a win in five plies is left, nothing worse than a loss in four.
        alpha = alpha.max(far + 4 - MATE);
        beta = beta.min(MATE - far - 5);
        if alpha >= beta {
            return alpha;
        }
        let wide = beta - alpha > 1;
        let key = self.board.key;
        let known = self.table.get(key, ply as i32);
        if let Some(entry) = known {
            let fits = entry.fits(alpha, beta);
            if fits && (entry.is_proof() || (!wide && entry.depth >= depth)) {
                return entry.score;
            }
        }
        let quiet = which == Which::Near;
        let level = usize::from(depth > 0);
        if known.is_none_or(|entry| entry.depth == 0 && depth > 0) {
            if let Some(win) = self.vcf(
                MAX_FOURS[level].min(self.most_fours),
                MAX_FOURS_NODES[level],
            ) {
                let score = MATE - far - win.plies;
                self.note(ply, Some(win.first as u16), score, depth, Bound::Lower);
                return score;
            }
            if self.halted {
                return 0;
            }
        }
        let estimate = self.estimate();
        if quiet && depth <= 0 {
            return estimate;
        }
        let ahead = quiet && !wide && beta.abs() < WON;
        if ahead && depth <= MAX_MARGIN_DEPTH && estimate - MARGIN_PER_PLY * depth >= beta {
            return estimate;
        }
        if ahead && before != NONE && depth >= 2 && estimate >= beta {
            // A mark more never hurts (hardly ever, with caps): good enough even after a pass.
            self.board.pass();
            let less = depth - 3 - depth / 4;
            let score = -self.search(-beta, 1 - beta, less, ply + 1, NONE);
            self.board.pass();
            if self.halted {
                return 0;
            }
            if score >= beta {
                return score.min(WON - 1);
            }
        }
        self.branch(alpha, beta, depth, ply, before, which, known)
    }

    /// Searches the moves of a position, the most promising first.
    #[allow(clippy::too_many_arguments)] // the state of the search above
    pub fn branch(
        &mut self,
        mut alpha: Score,
        beta: Score,
        depth: i32,
        ply: usize,
        before: u16,
        which: Which,
        known: Option<Entry>,
    ) -> Score {
        let me = self.board.turn;
        let quiet = which == Which::Near;
        let wide = beta - alpha > 1;
        let first = known.and_then(|entry| entry.best);
        let start = self.moves.len();
        // Past the horizon a defence does not try fours of its own as well.
        let narrow = depth < 0 && !self.board.twos(me).is_empty();
        self.list(which.narrowed(narrow), first, ply, before);
        let mut rest = quiet;
        let (floor, mut best, mut choice) = (alpha, -MATE, None);
        if !quiet && self.moves.len() == start {
            return match which {
                // Every cell completes a set.
                Which::Safe => ply as Score + 1 - MATE,
                _ if narrow => -MAX_ESTIMATE,
                _ => ply as Score + 4 - MATE,
            };
        }
        let latest = start + Self::latest(depth);
        let defending = !quiet && which != Which::Safe;
        let few = self.moves.len() - start <= FEW_DEFENCES;
        let extension = i32::from(defending && depth > 0 && ply < self.horizon && few);
        let low = quiet
            && !wide
            && depth <= MAX_FUTILITY_DEPTH
            && self.estimate() + FUTILITY_PER_PLY * depth <= alpha;
        let mut index = start;
        loop {
            if index == self.moves.len() && rest && best <= -WON {
                // Everything near loses: look at the far cells too before saying so.
                rest = false;
                self.list(Which::Far, None, ply, before);
            }
            let Some(cell) = self.pick(index) else { break };
            let dull = low && index > start && self.moves[index].rank < FUTILITY_MAX_RANK;
            if quiet && best > -WON && (index >= latest || dull) {
                break;
            }
            self.make(cell);
            let threat = !self.board.ones(me).is_empty();
            let deeper = depth - 1 + extension;
            let late = index - start;
            let mut score = best;
            let mut full = late == 0;
            if !full {
                let mut less = 0;
                if quiet && depth >= 2 && late >= 2 && !threat {
                    less = i32::from(self.reductions[depth.min(63) as usize][late.min(63)]);
                    less = (less - i32::from(wide)).clamp(0, depth - 1);
                }
                score = -self.search(-alpha - 1, -alpha, deeper - less, ply + 1, cell as u16);
                if score > alpha && less > 0 {
                    score = -self.search(-alpha - 1, -alpha, deeper, ply + 1, cell as u16);
                }
                full = score > alpha && score < beta;
            }
            if full {
                score = -self.search(-beta, -alpha, deeper, ply + 1, cell as u16);
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
                    self.history.learn(&self.board, ply, before, tried, depth);
                    break;
                }
            }
        }
        self.moves.truncate(start);
        if narrow {
            best = best.max(-MAX_ESTIMATE);
        }
        self.note(ply, choice, best, depth, Bound::of(best, floor, beta));
        best
    }

    /// Remembers what was found about the position.
    pub fn note(&self, ply: usize, best: Option<u16>, score: Score, depth: i32, bound: Bound) {
        let entry = Entry {
            best,
            score,
            depth: depth.max(0),
            bound,
        };
        self.table.put(self.board.key, ply as i32, entry);
    }
}
