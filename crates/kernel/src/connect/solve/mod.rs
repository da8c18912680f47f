//! Exact values of Hex: who wins, with which moves, and on small boards how soon.
//!
//! The solver takes boards on which every filling has exactly one winner, as Hex has. Distances
//! are worked out when few cells are empty; elsewhere every winning move is as good as the next,
//! and so is every move of a lost position.

mod distance;
mod inferior;
mod reach;
mod search;
mod table;

use crate::bits::Bits;
use crate::connect::position::Connect;
use crate::connect::solve::distance::Distance;
use crate::connect::solve::search::Search;
use crate::error::KernelError;
use crate::limits::{Limits, Meter};
use crate::position::{Move, Outcome, Position, SWAP};
use crate::search::{Bounds, MoveValue, Options, Solve, Value, ValueMap, Verdict};

impl<B: Bits> Solve for Connect<B> {
    fn solve(&self, options: &Options, limits: &Limits<'_>) -> Result<Verdict, KernelError> {
        let mut solver = Solver::new(self, options, limits)?;
        let mut verdict = Verdict::default();
        solver.find(self, &mut verdict);
        Ok(verdict.counted(&solver.search.meter))
    }

    fn map(&self, options: &Options, limits: &Limits<'_>) -> Result<ValueMap, KernelError> {
        let mut solver = Solver::new(self, options, limits)?;
        let moves = solver
            .rate(self)
            .into_iter()
            .map(|(mv, solved)| MoveValue {
                mv,
                bounds: solved.map_or(Bounds::UNKNOWN, Solved::bounds),
            })
            .collect();
        Ok(ValueMap::new(moves, &solver.search.meter))
    }
}

/// Whether the seat to move wins, and in how many plies if that was worked out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Solved {
    win: bool,
    plies: Option<u32>,
}

impl Solved {
    /// The same for the seat that moved here.
    fn before(self) -> Self {
        Self {
            win: !self.win,
            plies: self.plies.map(|plies| plies + 1),
        }
    }

    /// Sorts what is better for the seat to move higher: winners hurry, losers delay.
    fn rank(self) -> (bool, i64) {
        let plies = i64::from(self.plies.unwrap_or(0));
        (self.win, if self.win { -plies } else { plies })
    }

    fn bounds(self) -> Bounds {
        let value = if self.win { Value::Win } else { Value::Loss };
        Bounds {
            lower: value,
            upper: value,
            least: self.plies.unwrap_or(0),
            most: self.plies,
            ..Bounds::UNKNOWN
        }
    }
}

struct Solver<'r, 'm, B: Bits> {
    search: Search<'r, 'm, B>,
    /// By attacker; empty where distances are not asked for.
    distances: Vec<Distance<B>>,
}

impl<'r, 'm, B: Bits> Solver<'r, 'm, B> {
    fn new(
        position: &'r Connect<B>,
        options: &Options,
        limits: &Limits<'m>,
    ) -> Result<Self, KernelError> {
        if !position.rules.decides() {
            return Err(KernelError::Unsupported(
                "solving a board that can be filled without exactly one winner".to_string(),
            ));
        }
        let mut meter = Meter::new(limits);
        meter.stage("solve", 0);
        let bytes = if options.table {
            meter.memory().min(options.table_memory)
        } else {
            0
        };
        let attackers = if position.empties().count() as usize <= options.distance {
            0..2
        } else {
            0..0
        };
        // Half for the values, a quarter for the distances of either side.
        let share = if attackers.is_empty() {
            bytes
        } else {
            bytes / 2
        };
        Ok(Self {
            distances: attackers
                .map(|attacker| Distance::new(attacker, bytes / 4))
                .collect(),
            search: Search::new(&position.rules, meter, options, share),
        })
    }

    fn find(&mut self, position: &Connect<B>, verdict: &mut Verdict) {
        let Some(root) = self.value(position) else {
            return;
        };
        verdict.bounds = root.bounds();
        // A limit may leave a winning move without its distance: it is not known to be a best one.
        let best = |solved: &Solved| {
            solved.win == root.win && (root.plies.is_none() || solved.plies == root.plies)
        };
        verdict.best = self
            .rate(position)
            .into_iter()
            .filter(|(_, solved)| solved.as_ref().is_some_and(best))
            .map(|(mv, _)| mv)
            .collect();
        verdict.line = self.line(position, verdict.best.first().copied());
    }

    /// The first best move of each position, beginning with `first`.
    fn line(&mut self, position: &Connect<B>, first: Option<Move>) -> Vec<Move> {
        let mut line = Vec::new();
        let mut now = position.clone();
        let mut next = first;
        while let Some(mv) = next {
            line.push(mv);
            now.play(mv);
            next = self.first_best(&now);
        }
        line
    }

    fn first_best(&mut self, position: &Connect<B>) -> Option<Move> {
        let here = self.value(position)?;
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        moves.into_iter().find(|&mv| {
            let mut next = position.clone();
            next.play(mv);
            self.solve_after(position, &next) == Some(here)
        })
    }

    /// Every legal move with what it is worth to its mover.
    fn rate(&mut self, position: &Connect<B>) -> Vec<(Move, Option<Solved>)> {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        // Cells outside the carrier of a refutation are refuted by it as well.
        let mut must = position.rules.graph.all;
        let skips = self.distances.is_empty() && !position.offers_swap();
        moves
            .into_iter()
            .map(|mv| {
                if skips && usize::try_from(mv).is_ok_and(|cell| !must.has(cell)) {
                    let lost = Solved {
                        win: false,
                        plies: None,
                    };
                    return (mv, Some(lost));
                }
                let mut next = position.clone();
                next.play(mv);
                let solved = self.solve_after(position, &next);
                if skips && solved.is_some_and(|solved| !solved.win) {
                    let node = self.search.node(&next);
                    must = must.and(&self.search.search(&node).carrier);
                }
                (mv, solved)
            })
            .collect()
    }

    /// What the step from `position` to `next` is worth to the seat that takes it.
    fn solve_after(&mut self, position: &Connect<B>, next: &Connect<B>) -> Option<Solved> {
        let solved = self.value(next)?;
        Some(if next.turn() == position.turn() {
            // The game ended with this move.
            Solved {
                win: solved.win,
                plies: solved.plies.map(|plies| plies + 1),
            }
        } else {
            solved.before()
        })
    }

    /// `None` when the meter said stop before the value was proven.
    fn value(&mut self, position: &Connect<B>) -> Option<Solved> {
        if let Some(outcome) = position.outcome() {
            return Some(Solved {
                win: outcome == Outcome::Win(position.turn()),
                plies: (!self.distances.is_empty()).then_some(0),
            });
        }
        if position.offers_swap() {
            return self.solve_swap(position);
        }
        let node = self.search.node(position);
        let win = self.search.search(&node).solved()?;
        let attacker = if win { node.seat } else { 1 - node.seat };
        let plies = match self.distances.get_mut(attacker) {
            Some(distance) => distance.plies(&mut self.search, &node),
            None => None,
        };
        Some(Solved { win, plies })
    }

    /// A position before or right after the first stone: the rules say which moves there are.
    fn solve_swap(&mut self, position: &Connect<B>) -> Option<Solved> {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        // The swap first: it is one position, and often enough.
        moves.sort_by_key(|&mv| mv != SWAP);
        let mut best: Option<Solved> = None;
        for mv in moves {
            let mut next = position.clone();
            next.play(mv);
            let solved = self.solve_after(position, &next)?;
            if best.is_none_or(|best| solved.rank() > best.rank()) {
                best = Some(solved);
            }
            if solved.win && self.distances.is_empty() {
                break;
            }
        }
        best
    }
}
