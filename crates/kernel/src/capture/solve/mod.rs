//! Exact margins.
//!
//! The value of a position is the sign of its margin under best play. Best moves are those with
//! the best margin. The principal line plays the first best move of every position in board
//! order, and the distance is the length of that line.

mod search;
mod table;

use crate::bits::Bits;
use crate::capture::position::Capture;
use crate::capture::solve::search::{Node, Search};
use crate::error::KernelError;
use crate::limits::{Limits, Meter};
use crate::position::{Move, Position};
use crate::search::{Bounds, MoveValue, Options, Solve, Value, ValueMap, Verdict};

impl<B: Bits> Solve for Capture<B> {
    fn solve(&self, options: &Options, limits: &Limits<'_>) -> Result<Verdict, KernelError> {
        let mut solver = Solver::new(self, options, limits);
        let mut verdict = Verdict::default();
        solver.find(&mut verdict);
        Ok(verdict.counted(&solver.search.meter))
    }

    fn map(&self, options: &Options, limits: &Limits<'_>) -> Result<ValueMap, KernelError> {
        let mut solver = Solver::new(self, options, limits);
        let moves = solver.rate();
        Ok(ValueMap::new(moves, &solver.search.meter))
    }
}

/// What bounds on a margin and the length of its line say.
fn bounds((lower, upper): (i32, i32), line: Option<u32>) -> Bounds {
    Bounds {
        lower: Value::of_margin(lower),
        upper: Value::of_margin(upper),
        least: line.unwrap_or(0),
        most: line,
        margin: Some((lower, upper)),
    }
}

struct Solver<'p, 'm, B: Bits> {
    position: &'p Capture<B>,
    search: Search<'p, 'm, B>,
    root: Node<B>,
    /// Every margin lies between this and its negative.
    most: i32,
}

impl<'p, 'm, B: Bits> Solver<'p, 'm, B> {
    fn new(position: &'p Capture<B>, options: &Options, limits: &Limits<'m>) -> Self {
        let mut meter = Meter::new(limits);
        meter.stage("solve", 0);
        let search = Search::new(&position.rules, meter, options);
        Self {
            root: search.node(position),
            most: position.cells() as i32,
            position,
            search,
        }
    }

    fn find(&mut self, verdict: &mut Verdict) {
        if self.position.outcome().is_some() {
            let margin = self.position.margin(self.position.turn());
            verdict.bounds = bounds((margin, margin), Some(0));
            return;
        }
        let mut moves = Vec::new();
        self.position.legal_moves(&mut moves);
        let around = (-self.most, self.most);
        let (margin, found) = self.search.margin_and_move(&self.root, around, &moves);
        verdict.bounds = bounds(margin, None);
        // A limit may leave the margin open. Who wins all the same has a move for it.
        verdict.best.extend(found.filter(|_| margin.0 > 0));
        if margin.0 != margin.1 {
            return;
        }
        moves.retain(|&mv| self.search.reaches(&self.root, mv, margin.0) == Some(true));
        if !moves.is_empty() {
            verdict.best = moves;
        }
        if let Some(&first) = verdict.best.first() {
            verdict.line = self.line(first, margin.0);
        }
        verdict.bounds = bounds(margin, self.finished(&verdict.line));
    }

    /// The length of a line, unless it was cut short.
    fn finished(&self, line: &[Move]) -> Option<u32> {
        let stopped = self.search.meter.stopped().is_some();
        (!stopped).then_some(line.len() as u32)
    }

    /// The first best move of each position from here on, after `first` with its margin.
    fn line(&mut self, first: Move, margin: i32) -> Vec<Move> {
        let mut now = self.position.clone();
        let mut margin = margin;
        let mut line = vec![first];
        let mut mover = now.turn();
        now.play(first);
        let mut moves = Vec::new();
        while now.outcome().is_none() {
            if now.turn() != mover {
                margin = -margin;
                mover = now.turn();
            }
            now.legal_moves(&mut moves);
            let node = self.search.node(&now);
            let best = match moves.as_slice() {
                [only] => Some(*only),
                _ => moves
                    .iter()
                    .copied()
                    .find(|&mv| self.search.reaches(&node, mv, margin) == Some(true)),
            };
            let Some(best) = best else { break };
            line.push(best);
            now.play(best);
        }
        line
    }

    fn rate(&mut self) -> Vec<MoveValue> {
        let mut moves = Vec::new();
        self.position.legal_moves(&mut moves);
        moves
            .into_iter()
            .map(|mv| {
                let child = self.search.child(&self.root, mv);
                let (lower, upper) = self.search.margin(&child, (-self.most, self.most));
                let margin = (-upper, -lower);
                let line = if lower == upper {
                    let line = self.line(mv, margin.0);
                    self.finished(&line)
                } else {
                    None
                };
                MoveValue {
                    mv,
                    bounds: bounds(margin, line),
                }
            })
            .collect()
    }
}
