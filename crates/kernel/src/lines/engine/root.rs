//! The root: deepening step by step, and keeping the best answer so far.

use super::order::{Which, NONE};
use super::search::Search;
use super::threats::Situation;
use crate::search::score::{Score, MATE, WON};

/// Half the width of the first window around the last score.
const FIRST_WINDOW: Score = 24;
/// Fours in a row to look for before anything else, the shortest run first.
const RUN_LENGTHS: [u32; 13] = [1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 24, 40];
/// Positions that these may visit at first.
const FIRST_RUNS_NODES: u32 = 20_000;
/// What part of all positions may go to looking further between the iterations.
const RUNS_SHARE: u64 = 16;
/// A forced move is not thought about any deeper than this.
const MAX_FORCED_DEPTH: u32 = 6;

/// A root move and its score in the last iteration that finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RootMove {
    pub cell: u16,
    pub score: Score,
}

/// What one thread came to.
#[derive(Clone, Debug, Default)]
pub(super) struct Thought {
    pub best: u16,
    pub score: Score,
    /// The score of the iteration before.
    pub earlier: Score,
    pub depth: u32,
    pub line: Vec<u16>,
    pub moves: Vec<RootMove>,
}

/// How to think.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    pub depth: Option<u32>,
    pub every: bool,
    pub fours: u32,
    /// 0 for the thread that answers; others start deeper to spread out.
    pub thread: u32,
}

/// How far the looks for fours in a row have come.
#[derive(Debug)]
struct Runs {
    next: usize,
    /// Positions that the last one visited; as many again means that there are no more.
    last: u32,
    most: u32,
}

impl Runs {
    fn new(plan: &Plan) -> Self {
        Self {
            next: if plan.thread == 0 {
                0
            } else {
                RUN_LENGTHS.len()
            },
            last: 0,
            most: plan.fours,
        }
    }
}

impl Search<'_, '_> {
    /// Looks for longer and longer runs of fours within a budget; returns whether one wins.
    fn attack(&mut self, runs: &mut Runs, mut budget: u32, thought: &mut Thought) -> bool {
        while let Some(run) = RUN_LENGTHS.get(runs.next).filter(|_| budget > 0) {
            if let Some(win) = self.vcf((*run).min(runs.most), budget) {
                let score = MATE - win.plies;
                let cell = win.first as u16;
                thought.best = cell;
                thought.score = score;
                thought.moves = vec![RootMove { cell, score }];
                thought.depth = thought.depth.max(1);
                return true;
            }
            if self.budget == 0 || self.halted {
                return false;
            }
            let used = budget - self.budget;
            runs.next = if used == runs.last {
                RUN_LENGTHS.len()
            } else {
                runs.next + 1
            };
            runs.last = used;
            budget = self.budget;
        }
        false
    }

    /// Thinks until the answer is proven, the depth is reached or the meter says stop. There is an
    /// empty cell, and the game is not over.
    pub fn think(&mut self, plan: &Plan) -> Thought {
        self.most_fours = plan.fours;
        let mut thought = Thought::default();
        let mut complete = self.root_moves(&mut thought);
        if thought.score.abs() >= WON {
            thought.moves.truncate(1);
            self.finish_line(&mut thought);
            return thought;
        }
        let mut runs = Runs::new(plan);
        if self.board.shape.misere || self.attack(&mut runs, FIRST_RUNS_NODES, &mut thought) {
            runs.next = RUN_LENGTHS.len();
        }
        let most = plan.depth.unwrap_or(u32::MAX).min(self.board.empties);
        let mut depth = 1 + plan.thread % 2;
        let mut settled = false;
        while depth <= most && !self.halted && thought.score < WON {
            self.meter.stage("engine", depth);
            let before = thought.score;
            settled = self.deepen(&mut thought, depth as i32, plan.every);
            if !settled {
                break;
            }
            if thought.score <= -WON && !complete {
                // Everything near loses: look at the far cells too before saying so.
                complete = true;
                settled = false;
                self.add_far(&mut thought);
                continue;
            }
            thought.earlier = if thought.depth == 0 {
                thought.score
            } else {
                before
            };
            thought.depth = depth;
            let alone =
                thought.moves.len() == 1 && plan.depth.is_none() && depth >= MAX_FORCED_DEPTH;
            if thought.score.abs() >= WON || alone {
                break;
            }
            let budget = u32::try_from(self.meter.nodes() / RUNS_SHARE).unwrap_or(u32::MAX);
            self.attack(&mut runs, budget, &mut thought);
            depth += 1;
        }
        if thought.score <= -WON && !settled {
            thought.score = 1 - WON;
        }
        self.finish_line(&mut thought);
        thought
    }

    /// Lists the moves to consider, the most promising first, with a first choice and, where it is
    /// plain, its score; returns whether these are all the moves that matter.
    fn root_moves(&mut self, thought: &mut Thought) -> bool {
        self.moves.clear();
        let situation = if self.board.shape.misere {
            Situation::Quiet
        } else {
            self.board.situation()
        };
        let (score, only) = match situation {
            Situation::Win(cell) => (MATE - 1, Some(cell)),
            Situation::Lost => {
                let set = self.board.ones(1 - self.board.turn).first();
                (2 - MATE, set.map(|set| self.board.gap(*set)))
            }
            Situation::Block(cell) => (0, Some(cell)),
            Situation::Fork(cell) => (MATE - 3, Some(cell)),
            Situation::Defend(_) | Situation::Quiet => (0, None),
        };
        thought.score = score;
        if let Some(cell) = only {
            thought.best = cell as u16;
            thought.moves.push(RootMove {
                cell: cell as u16,
                score,
            });
            return true;
        }
        let mut complete = true;
        match situation {
            _ if self.board.shape.misere => {
                self.list_misere(None);
                if self.moves.is_empty() {
                    thought.score = 1 - MATE;
                }
            }
            Situation::Defend(zone) => {
                self.list(Which::Answers(zone), None, 0, NONE);
                if self.moves.is_empty() {
                    thought.score = 4 - MATE;
                }
            }
            _ => {
                self.list(Which::Near, None, 0, NONE);
                complete = false;
            }
        }
        if self.moves.is_empty() {
            self.list(Which::Near, None, 0, NONE);
        }
        if self.moves.is_empty() {
            self.list(Which::Far, None, 0, NONE);
            complete = true;
        }
        self.moves.sort_by_key(|ranked| (-ranked.rank, ranked.cell));
        thought.moves = self
            .moves
            .drain(..)
            .map(|ranked| RootMove {
                cell: ranked.cell,
                score: thought.score,
            })
            .collect();
        thought.best = thought.moves.first().map_or(0, |first| first.cell);
        complete
    }

    /// Adds the cells that nothing joins to a mark.
    fn add_far(&mut self, thought: &mut Thought) {
        self.list(Which::Far, None, 0, NONE);
        thought
            .moves
            .extend(self.moves.drain(..).map(|ranked| RootMove {
                cell: ranked.cell,
                score: -MATE,
            }));
    }

    /// Searches one step deeper, in windows that grow until the score is inside; returns whether
    /// it finished.
    fn deepen(&mut self, thought: &mut Thought, depth: i32, every: bool) -> bool {
        self.horizon = 2 * depth as usize + 4;
        let around = thought.score;
        let (mut below, mut above) = (FIRST_WINDOW, FIRST_WINDOW);
        loop {
            let narrow = depth > 3 && !every && around.abs() < WON;
            let alpha = if narrow && below < 2000 {
                around - below
            } else {
                -MATE
            };
            let beta = if narrow && above < 2000 {
                around + above
            } else {
                MATE
            };
            let Some(score) = self.sweep(thought, alpha, beta, depth, every) else {
                return false;
            };
            if score <= alpha && alpha > -MATE {
                below *= 4;
            } else if score >= beta && beta < MATE {
                above *= 4;
            } else {
                thought.moves.sort_by_key(|tried| -tried.score);
                return true;
            }
        }
    }

    /// Searches every root move once; `None` if it was stopped.
    fn sweep(
        &mut self,
        thought: &mut Thought,
        floor: Score,
        beta: Score,
        depth: i32,
        every: bool,
    ) -> Option<Score> {
        let (mut alpha, mut best) = (floor, -MATE - 1);
        let mut scores = thought.moves.clone();
        for (index, tried) in scores.iter_mut().enumerate() {
            let cell = usize::from(tried.cell);
            self.make(cell);
            let score = if every {
                -self.search(-MATE, MATE, depth - 1, 1, tried.cell)
            } else {
                let mut score = alpha + 1;
                if index > 0 {
                    let less =
                        i32::from(depth >= 4 && index >= 6) + i32::from(depth >= 6 && index >= 20);
                    score = -self.search(-alpha - 1, -alpha, depth - 1 - less, 1, tried.cell);
                    if less > 0 && score > alpha {
                        score = -self.search(-alpha - 1, -alpha, depth - 1, 1, tried.cell);
                    }
                }
                if score > alpha {
                    score = -self.search(-beta, -alpha, depth - 1, 1, tried.cell);
                }
                score
            };
            self.board.unmake(cell);
            if self.halted {
                if index > 0 && best <= -WON {
                    // All that were searched lose: rather one that was not.
                    thought.best = tried.cell;
                }
                return None;
            }
            tried.score = score;
            if score > best {
                best = score;
                // The first move has been searched: from here on a better one is better.
                if score > alpha {
                    self.extend_line(0, cell);
                    thought.best = tried.cell;
                    thought.score = score;
                    thought.line.clone_from(&self.lines[0]);
                }
                alpha = alpha.max(score);
                if score >= beta {
                    break;
                }
            }
        }
        thought.moves = scores;
        if best <= floor {
            // All failed low: the first choice stands until the wider window says otherwise.
            thought.score = best;
        } else {
            // So that a next window begins with the best move.
            thought
                .moves
                .sort_by_key(|tried| tried.cell != thought.best);
        }
        Some(best)
    }

    /// Carries the line on through what is forced, as far as a win or a block is plain.
    fn finish_line(&mut self, thought: &mut Thought) {
        if thought.line.first() != Some(&thought.best) {
            thought.line = vec![thought.best];
        }
        if self.board.shape.misere {
            return;
        }
        let mut played = Vec::new();
        let mut over = false;
        for cell in thought.line.iter().map(|cell| usize::from(*cell)) {
            over = matches!(self.board.situation(), Situation::Win(_));
            self.board.make(cell);
            played.push(cell);
        }
        while !over && self.board.empties > 0 && thought.score.abs() >= WON {
            let cell = match self.board.situation() {
                Situation::Win(cell) => {
                    over = true;
                    cell
                }
                Situation::Block(cell) | Situation::Fork(cell) => cell,
                Situation::Lost => match self.board.ones(1 - self.board.turn).first() {
                    Some(set) => self.board.gap(*set),
                    None => break,
                },
                _ if self.halted => break,
                _ => match self.vcf(40, 2000) {
                    Some(win) => win.first,
                    None => break,
                },
            };
            self.board.make(cell);
            played.push(cell);
            thought.line.push(cell as u16);
        }
        for cell in played.into_iter().rev() {
            self.board.unmake(cell);
        }
    }
}
