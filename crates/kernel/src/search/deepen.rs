//! Deepening alpha-beta for any game of two seats that can be evaluated before it ends.
//!
//! What must stay true: a pass costs no depth, and no depth exceeds the placements that are left.
//! So a search as deep as there are placements has seen the end of every line and is exact, draws
//! included; what is stored with such a depth is exact too, because only shallower searches reduce.

use super::engine::{EngineOptions, Thought};
use super::score::{self, Proven, Score, MATE, WON};
use super::table::{Bound, Entry, Table};
use super::verdict::Value;
use crate::limits::Meter;
use crate::position::{Move, Outcome, Position, PASS};

/// A game whose positions can be evaluated before it ends.
pub trait Evaluate: Position {
    /// An estimate for the seat to move, within 20,000 either way. The game is not over.
    fn evaluate(&self) -> Score;

    /// Appends each of some legal moves with how promising it looks, within 1,000 either way.
    fn rank(&self, moves: &[Move], ranked: &mut Vec<(i32, Move)>);

    /// How many placements the game lasts at most.
    fn placements_left(&self) -> u32;

    /// The seat that has won whatever is played from here, if the board shows it.
    fn settled(&self) -> Option<u8>;
}

/// More than any score.
const MAX_SCORE: Score = MATE + 1;
/// Moves that are searched to full depth before the rest is reduced.
const FULL_DEPTH_MOVES: usize = 3;
/// Moves after which the rest is reduced twice.
const REDUCED_ONCE_MOVES: usize = 12;
/// The least depth at which late moves are reduced.
const MIN_REDUCED_DEPTH: i32 = 3;

/// Thinks about a position in one thread.
pub(crate) fn deepen<'m, P: Evaluate>(
    position: &P,
    table: &Table,
    options: &EngineOptions,
    thread: u32,
    meter: Meter<'m>,
) -> (Thought, Meter<'m>) {
    let mut search = Search::new(position.clone(), table, meter);
    let thought = search.think(options, thread);
    (thought, search.meter)
}

/// Lets the engine think about positions that can be evaluated, as they are.
macro_rules! think_by_evaluating {
    ($position:ident) => {
        impl<B: crate::bits::Bits> crate::search::Think for $position<B> {
            type Board = Self;

            fn board(&self) -> Result<Self, crate::error::KernelError> {
                Ok(self.clone())
            }

            fn think<'m>(
                board: &Self,
                table: &crate::search::table::Table,
                options: &crate::search::EngineOptions,
                thread: u32,
                meter: crate::limits::Meter<'m>,
            ) -> (crate::search::engine::Thought, crate::limits::Meter<'m>) {
                crate::search::deepen::deepen(board, table, options, thread, meter)
            }
        }
    };
}
pub(crate) use think_by_evaluating;

struct Search<'t, 'm, P: Evaluate> {
    game: P,
    table: &'t Table,
    meter: Meter<'m>,
    /// By seat and cell, how often a move there was too good.
    history: [Vec<i32>; 2],
    /// Moves of all positions on the way, each with what speaks for it.
    candidates: Vec<(i32, Move)>,
    moves: Vec<Move>,
    /// The most plies that a placement takes: there may be a pass between two.
    pace: i32,
}

fn ended(outcome: Outcome, seat: u8, ply: i32) -> Score {
    match outcome {
        Outcome::Draw => 0,
        Outcome::Win(winner) if winner == seat => MATE - ply,
        Outcome::Win(_) => ply - MATE,
    }
}

impl<'t, 'm, P: Evaluate> Search<'t, 'm, P> {
    fn new(game: P, table: &'t Table, meter: Meter<'m>) -> Self {
        let cells = game.cells();
        let pace = 1 + i32::from(game.specials().contains(&PASS));
        Self {
            game,
            table,
            meter,
            history: [vec![0; cells], vec![0; cells]],
            candidates: Vec::new(),
            moves: Vec::new(),
            pace,
        }
    }

    /// Deepens until the answer is proven, the depth is reached or the meter says stop.
    fn think(&mut self, options: &EngineOptions, thread: u32) -> Thought {
        let most = self
            .game
            .placements_left()
            .min(options.depth.unwrap_or(u32::MAX));
        let seat = self.game.turn();
        self.gather(None, seat);
        let mut order: Vec<(Move, Score)> =
            self.candidates.iter().map(|&(_, mv)| (mv, 0)).collect();
        self.candidates.clear();
        let mut thought = Thought {
            best: order.first().map_or(PASS, |first| first.0),
            moves: order.clone(),
            ..Thought::default()
        };
        let mut depth = 1 + thread % 2;
        while depth <= most {
            self.meter.stage("engine", depth);
            let Some((best, score)) = self.root(&mut order, depth as i32, options.every) else {
                break;
            };
            if self.meter.stopped().is_some() {
                // The best of the last iteration was searched first, and may have been beaten.
                thought.best = best;
                break;
            }
            let proven = if depth == self.game.placements_left() && score == 0 {
                Some(Proven {
                    value: Value::Draw,
                    distance: depth * self.pace as u32,
                })
            } else {
                score::proven(score)
            };
            // Where everything loses, the last estimate still knows which move resists.
            if score > -WON || thought.depth == 0 {
                thought.best = best;
            }
            thought.earlier = if thought.depth == 0 {
                self.game.evaluate()
            } else {
                thought.score
            };
            thought.score = score;
            thought.proven = proven;
            thought.depth = depth;
            thought.moves.clone_from(&order);
            if score >= WON && !options.every {
                thought.moves.truncate(1);
            }
            if proven.is_some() {
                break;
            }
            depth += 1;
        }
        thought.line = self.line(thought.best, thought.depth);
        thought
    }

    /// One iteration over the root moves, which it sorts best first. `None` when the meter said
    /// stop before the first of them was done.
    fn root(
        &mut self,
        order: &mut [(Move, Score)],
        depth: i32,
        every: bool,
    ) -> Option<(Move, Score)> {
        let seat = self.game.turn();
        let mut best: Option<(Move, Score)> = None;
        for (mv, score) in order.iter_mut() {
            let alpha = match best {
                Some((_, best)) if !every => best,
                _ => -MAX_SCORE,
            };
            let undo = self.game.play(*mv);
            let below = depth - i32::from(*mv != PASS);
            let mut value = alpha;
            if alpha > -MAX_SCORE {
                value = -self.search(1 - seat, -alpha - 1, -alpha, below, 1);
            }
            if value > alpha || alpha == -MAX_SCORE {
                value = -self.search(1 - seat, -MAX_SCORE, -alpha, below, 1);
            }
            self.game.undo(undo);
            if self.meter.stopped().is_some() {
                // Where all that was searched loses, the next one may not.
                return best.map(|best| if best.1 > -WON { best } else { (*mv, best.1) });
            }
            *score = value;
            if best.is_none_or(|(_, best)| value > best) {
                best = Some((*mv, value));
            }
            if value >= WON && !every {
                break;
            }
        }
        // Equal scores may be bounds only: the one that was found first stays first.
        order.sort_by_key(|&(mv, score)| (-score, Some(mv) != best.map(|best| best.0)));
        best
    }

    /// Fail-soft alpha-beta for `seat`; meaningless once the meter has stopped.
    fn search(&mut self, seat: u8, alpha: Score, beta: Score, depth: i32, ply: i32) -> Score {
        if self.meter.stopped().is_some() || !self.meter.tick() {
            return 0;
        }
        if let Some(outcome) = self.game.outcome() {
            return ended(outcome, seat, ply);
        }
        let left = self.game.placements_left() as i32;
        if let Some(winner) = self.game.settled() {
            return ended(Outcome::Win(winner), seat, ply + self.pace * left);
        }
        let depth = depth.min(left);
        if depth <= 0 {
            return self.game.evaluate();
        }
        let key = self.game.key();
        let mut hash_move = None;
        if let Some(entry) = self.table.get(key, ply) {
            let enough = entry.depth >= depth || entry.is_proof();
            if enough && entry.fits(alpha, beta) {
                return entry.score;
            }
            hash_move = entry.best.map(|best| best as Move);
        }
        let base = self.candidates.len();
        self.gather(hash_move, seat);
        let (score, best) = self.expand(base, seat, (alpha, beta), depth, ply);
        self.candidates.truncate(base);
        if self.meter.stopped().is_some() {
            return 0;
        }
        let entry = Entry {
            best: (best != PASS).then_some(best as u16),
            score,
            depth,
            bound: Bound::of(score, alpha, beta),
        };
        self.table.put(key, ply, entry);
        score
    }

    /// Searches the candidates from `base` on.
    fn expand(
        &mut self,
        base: usize,
        seat: u8,
        (alpha, beta): (Score, Score),
        depth: i32,
        ply: i32,
    ) -> (Score, Move) {
        let exact = depth >= self.game.placements_left() as i32;
        let mut best = (-MAX_SCORE, PASS);
        let mut alpha = alpha;
        for next in base..self.candidates.len() {
            let (_, mv) = self.candidates[next];
            let below = depth - i32::from(mv != PASS);
            let late = if exact || depth < MIN_REDUCED_DEPTH || next - base < FULL_DEPTH_MOVES {
                0
            } else {
                1 + i32::from(next - base >= REDUCED_ONCE_MOVES)
            };
            let undo = self.game.play(mv);
            let mut score = alpha + 1;
            if next > base {
                let window = (-alpha - 1, -alpha);
                if late > 0 {
                    score = -self.search(1 - seat, window.0, window.1, below - late, ply + 1);
                }
                if score > alpha {
                    score = -self.search(1 - seat, window.0, window.1, below, ply + 1);
                }
            }
            if next == base || (score > alpha && score < beta) {
                score = -self.search(1 - seat, -beta, -alpha, below, ply + 1);
            }
            self.game.undo(undo);
            if self.meter.stopped().is_some() {
                break;
            }
            if score > best.0 {
                best = (score, mv);
            }
            alpha = alpha.max(score);
            if alpha >= beta {
                if let Ok(cell) = usize::try_from(mv) {
                    self.history[usize::from(seat & 1)][cell] += depth * depth;
                }
                break;
            }
        }
        best
    }

    /// Puts the legal moves on the stack, the most promising first.
    fn gather(&mut self, hash_move: Option<Move>, seat: u8) {
        let base = self.candidates.len();
        let mut moves = std::mem::take(&mut self.moves);
        self.game.legal_moves(&mut moves);
        self.game.rank(&moves, &mut self.candidates);
        self.moves = moves;
        let history = &self.history[usize::from(seat & 1)];
        for (promise, mv) in &mut self.candidates[base..] {
            // The rank decides, history between equals.
            let good = usize::try_from(*mv).map_or(0, |cell| history[cell]);
            *promise = (*promise << 20) + good.min((1 << 20) - 1);
            if Some(*mv) == hash_move {
                *promise = i32::MAX;
            }
        }
        self.candidates[base..].sort_unstable_by_key(|&(promise, mv)| (-i64::from(promise), mv));
    }

    /// The moves that the table remembers as best, `first` before them.
    fn line(&mut self, first: Move, depth: u32) -> Vec<Move> {
        let mut line = vec![first];
        let mut undos = vec![self.game.play(first)];
        while line.len() < depth.max(1) as usize && self.game.outcome().is_none() {
            let known = self.table.get(self.game.key(), 0);
            let next = known.map_or(PASS, |entry| entry.best.map_or(PASS, |best| best as Move));
            if !self.game.is_legal(next) {
                break;
            }
            line.push(next);
            undos.push(self.game.play(next));
        }
        for undo in undos.into_iter().rev() {
            self.game.undo(undo);
        }
        line
    }
}
