//! Looking ahead with gaps: what is certain first, then alpha-beta over what is seen.
//!
//! With more than two seats it assumes that all others are against it.

use crate::limits::{Limits, Meter};
use crate::position::{Move, Outcome};
use crate::search::score::{MATE, MAX_ESTIMATE};
use crate::search::Score;

use super::attention::Attention;
use super::{Glance, Kind, Level, LevelChoice, Notice, Saw};

/// More than any score.
const MAX_SCORE: Score = MATE + 1;

/// Forced answers may take a line this many times as deep as the level looks.
const FORCED_STRETCH: u32 = 2;

pub(super) struct Search<'p, 'm, P: Notice> {
    game: P,
    level: &'p Level,
    seat: u8,
    attention: Attention,
    hidden: P::Hidden,
    meter: Meter<'m>,
    /// Moves of all positions on the way.
    glances: Vec<Glance>,
    /// Scratch space.
    scratch: Vec<Glance>,
}

/// A move at the root, with what it was found to be worth.
#[derive(Clone, Copy)]
struct Candidate {
    glance: Glance,
    score: Score,
}

impl<'p, 'm, P: Notice> Search<'p, 'm, P> {
    pub fn new(position: &P, level: &'p Level, limits: &Limits<'m>) -> Self {
        let attention = Attention::new(level.seed, position.key(), level.lapses);
        Self {
            game: position.clone(),
            level,
            seat: position.turn(),
            attention,
            hidden: position.hide(&mut |part, sight| attention.hides(part, sight)),
            meter: Meter::new(limits),
            glances: Vec::new(),
            scratch: Vec::new(),
        }
    }

    pub fn choose(mut self) -> LevelChoice {
        let mut moves = Vec::new();
        self.game.glance(&P::Hidden::default(), &mut moves);
        if let Some(won) = moves.iter().find(|glance| glance.kind == Kind::Wins) {
            let (best, score) = (won.mv, MATE - 1);
            return self.answer(best, score, Saw::Win, &[]);
        }
        let legal = moves.len();
        self.drop_unless_all(&mut moves, |search, mv| search.ended_badly(mv));
        if self.level.careful {
            self.drop_unless_all(&mut moves, |search, mv| search.hands_over(mv));
        }
        let only = moves.len() == 1;
        let mut candidates = self.candidates(&moves);
        let depth = if only {
            0
        } else {
            self.look_ahead(&mut candidates)
        };
        let Some(best) = self.pick(&candidates) else {
            return self.answer(0, 0, Saw::OnlyMove, &[]);
        };
        let blocks = |glance: &Glance| glance.mv == best.glance.mv && glance.kind == Kind::Blocks;
        let saw = if legal > 1 && moves.iter().any(blocks) {
            Saw::Block
        } else if only {
            Saw::OnlyMove
        } else {
            Saw::Depth(depth)
        };
        self.answer(best.glance.mv, best.score, saw, &candidates)
    }

    /// Leaves out the moves of a kind, unless that leaves none.
    fn drop_unless_all(
        &mut self,
        moves: &mut Vec<Glance>,
        mut is_bad: impl FnMut(&mut Self, Move) -> bool,
    ) {
        let bad: Vec<bool> = moves.iter().map(|glance| is_bad(self, glance.mv)).collect();
        if bad.contains(&false) {
            let mut bad = bad.into_iter();
            moves.retain(|_| !bad.next().unwrap_or(false));
        }
    }

    /// Whether a move loses on the spot.
    fn ended_badly(&mut self, mv: Move) -> bool {
        let seat = self.seat;
        self.after(
            mv,
            |search| matches!(search.game.outcome(), Some(Outcome::Win(winner)) if winner != seat),
        )
    }

    /// Whether the next seat can win on the spot after a move.
    fn hands_over(&mut self, mv: Move) -> bool {
        let seat = self.seat;
        self.after(mv, |search| {
            let game = &search.game;
            game.outcome().is_none() && game.turn() != seat && game.can_win(&mut search.scratch)
        })
    }

    fn after<T>(&mut self, mv: Move, then: impl FnOnce(&mut Self) -> T) -> T {
        self.meter.tick();
        let undo = self.game.play(mv);
        let result = then(self);
        self.game.undo(undo);
        result
    }

    /// The moves that come to mind, the most promising first; the most conspicuous one always does.
    fn candidates(&self, moves: &[Glance]) -> Vec<Candidate> {
        let mut seen = Vec::new();
        self.game.glance(&self.hidden, &mut seen);
        seen.retain(|glance| moves.iter().any(|other| other.mv == glance.mv));
        let first = seen
            .iter()
            .max_by(|one, other| one.salience.total_cmp(&other.salience))
            .map(|glance| glance.mv);
        seen.retain(|glance| Some(glance.mv) == first || self.attention.sees(glance, self.seat, 0));
        self.order(&mut seen);
        seen.truncate(self.level.width.max(1));
        let candidate = |glance| Candidate { glance, score: 0 };
        seen.into_iter().map(candidate).collect()
    }

    /// Sorts moves, the most promising first; equal ones in an order that the seed decides.
    fn order(&self, moves: &mut [Glance]) {
        moves.sort_by(|one, other| {
            let error = |glance: &Glance| self.attention.error(glance.mv);
            (other.kind, other.rank)
                .cmp(&(one.kind, one.rank))
                .then_with(|| error(other).total_cmp(&error(one)))
        });
    }

    /// Deepens step by step, and sorts the moves, the best first; returns the plies of the last step
    /// that was finished.
    fn look_ahead(&mut self, candidates: &mut [Candidate]) -> u32 {
        let mut done = 0;
        for depth in 1..=self.level.depth {
            self.meter.stage("search", depth);
            // A move that is worse by more than this is not chosen, however wrong the judgement.
            let margin = if done == 0 {
                2 * MAX_SCORE
            } else {
                (2.0 * self.level.noise * spread(candidates)) as Score + 1
            };
            let mut best = -MAX_SCORE;
            let mut scores = Vec::with_capacity(candidates.len());
            for candidate in candidates.iter() {
                let alpha = (best - margin).max(-MAX_SCORE);
                let score = self.after(candidate.glance.mv, |search| {
                    search.value(depth - 1, 1, depth * FORCED_STRETCH, alpha, MAX_SCORE)
                });
                if self.meter.stopped().is_some() {
                    return done;
                }
                best = best.max(score);
                scores.push(score);
            }
            for (candidate, score) in candidates.iter_mut().zip(&scores) {
                candidate.score = *score;
            }
            candidates.sort_by_key(|candidate| std::cmp::Reverse(candidate.score));
            done = depth;
            if candidates.iter().all(|c| c.score.abs() > MAX_ESTIMATE) {
                break;
            }
        }
        done
    }

    /// What a position is worth to the seat that chooses, as far as it sees.
    fn value(
        &mut self,
        depth: u32,
        ply: u32,
        limit: u32,
        mut alpha: Score,
        mut beta: Score,
    ) -> Score {
        match self.game.outcome() {
            Some(Outcome::Draw) => return 0,
            Some(Outcome::Win(winner)) if winner == self.seat => return MATE - ply as Score,
            Some(Outcome::Win(_)) => return ply as Score - MATE,
            None => {}
        }
        if depth == 0 || self.meter.stopped().is_some() {
            return self.game.worth(&self.hidden, self.seat);
        }
        let turn = self.game.turn();
        let mine = turn == self.seat;
        let start = self.glances.len();
        let (end, forced) = self.list_seen(start, turn, ply);
        let below = depth - u32::from(!forced || ply >= limit);
        let mut best: Option<Score> = None;
        for index in start..end {
            let mv = self.glances[index].mv;
            let score = self.after(mv, |search| {
                search.value(below, ply + 1, limit, alpha, beta)
            });
            best = Some(match best {
                None => score,
                Some(best) if mine => best.max(score),
                Some(best) => best.min(score),
            });
            if mine {
                alpha = alpha.max(score);
            } else {
                beta = beta.min(score);
            }
            if alpha >= beta || self.meter.stopped().is_some() {
                break;
            }
        }
        self.glances.truncate(start);
        best.unwrap_or_else(|| self.game.worth(&self.hidden, self.seat))
    }

    /// Appends the moves that are seen, the most promising first, from `start` on; returns where they
    /// end, and whether they are forced.
    fn list_seen(&mut self, start: usize, turn: u8, ply: u32) -> (usize, bool) {
        let mut scratch = std::mem::take(&mut self.scratch);
        self.game.glance(&self.hidden, &mut scratch);
        scratch.retain(|glance| self.attention.sees(glance, turn, ply));
        let top = scratch.iter().map(|glance| glance.kind).max();
        let forced = matches!(top, Some(Kind::Wins | Kind::Blocks));
        if forced || top == Some(Kind::Quiet) {
            scratch.retain(|glance| Some(glance.kind) == top);
        }
        self.order(&mut scratch);
        scratch.truncate(self.level.width.max(1));
        self.glances.extend_from_slice(&scratch);
        self.scratch = scratch;
        let end = self.glances.len();
        debug_assert!(end >= start);
        (end, forced)
    }

    /// The best of the candidates, judged with the level's errors; of equals the first.
    fn pick(&self, candidates: &[Candidate]) -> Option<Candidate> {
        let error = self.level.noise * spread(candidates);
        let judged = |candidate: &Candidate| {
            candidate.score as f32 + error * self.attention.error(candidate.glance.mv)
        };
        candidates.iter().copied().reduce(|best, other| {
            if judged(&other) > judged(&best) {
                other
            } else {
                best
            }
        })
    }

    fn answer(self, best: Move, score: Score, saw: Saw, candidates: &[Candidate]) -> LevelChoice {
        let mut moves: Vec<_> = candidates.iter().map(|c| (c.glance.mv, c.score)).collect();
        moves.sort_unstable();
        LevelChoice {
            best,
            score,
            saw,
            moves,
            nodes: self.meter.nodes(),
            stopped: self.meter.stopped(),
        }
    }
}

/// How much the moves differ whose end is not in sight.
fn spread(candidates: &[Candidate]) -> f32 {
    let scores = candidates.iter().map(|candidate| candidate.score as f32);
    let open = scores.filter(|score| score.abs() <= MAX_ESTIMATE as f32);
    let count = open.clone().count().max(1) as f32;
    let mean = open.clone().sum::<f32>() / count;
    open.map(|score| (score - mean).abs()).sum::<f32>() / count
}
