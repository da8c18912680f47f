//! Exact margins: alpha-beta over the final tile difference.
//!
//! The value of a position is the sign of its margin under best play. Best moves are those with
//! the best margin. The principal line plays the first best move of every position in board
//! order, and the distance is the length of that line.

use crate::bits::Bits;
use crate::capture::position::Capture;
use crate::capture::search::{Node, Search};
use crate::error::KernelError;
use crate::limits::{Limits, Meter};
use crate::position::{Move, Position};
use crate::verdict::{Rated, Value, Verdict};

/// What to find out, and which of the solver's means to use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SolveOptions {
    /// Rate every legal move, not only the best.
    pub map: bool,
    /// Treat symmetric positions as one.
    pub symmetry: bool,
    /// Remember positions.
    pub table: bool,
}

impl Default for SolveOptions {
    fn default() -> Self {
        Self {
            map: false,
            symmetry: true,
            table: true,
        }
    }
}

/// Solves a position within the limits.
pub fn solve<B: Bits>(
    position: &Capture<B>,
    options: &SolveOptions,
    limits: &Limits<'_>,
) -> Result<Verdict, KernelError> {
    let meter = Meter::new(limits);
    let mut search = Search::new(&position.rules, meter, options);
    let most = position.cells() as i32;
    let mut verdict = Verdict {
        bounds: (Value::Loss, Value::Win),
        distance: None,
        margin: Some((-most, most)),
        best: Vec::new(),
        line: Vec::new(),
        map: Vec::new(),
        stopped: None,
        nodes: 0,
        elapsed: std::time::Duration::ZERO,
    };
    if position.outcome().is_some() {
        let margin = position.margin(position.turn());
        settle(&mut verdict, (margin, margin));
        verdict.distance = Some(0);
    } else {
        find(position, options, &mut search, &mut verdict);
    }
    verdict.stopped = search.meter.stopped();
    verdict.nodes = search.meter.nodes();
    verdict.elapsed = search.meter.elapsed();
    Ok(verdict)
}

fn settle(verdict: &mut Verdict, margin: (i32, i32)) {
    verdict.margin = Some(margin);
    verdict.bounds = (Value::of_margin(margin.0), Value::of_margin(margin.1));
}

fn find<B: Bits>(
    position: &Capture<B>,
    options: &SolveOptions,
    search: &mut Search<'_, '_, B>,
    verdict: &mut Verdict,
) {
    let root = search.node(position);
    let most = position.cells() as i32;
    let bounds = search.margin(&root, (-most, most));
    settle(verdict, bounds);
    if bounds.0 != bounds.1 {
        return;
    }
    let mut rated = Vec::new();
    position.legal_moves(&mut rated);
    for &mv in &rated {
        if search.reaches(&root, mv, bounds.0) == Some(true) {
            verdict.best.push(mv);
        }
    }
    if search.meter.stopped().is_some() {
        return;
    }
    if let Some(&first) = verdict.best.first() {
        verdict.line = line(position, first, bounds.0, search);
    }
    if search.meter.stopped().is_none() {
        verdict.distance = Some(verdict.line.len() as u32);
    }
    if options.map {
        for &mv in &rated {
            let entry = rate(position, mv, &root, bounds.0, search, verdict);
            verdict.map.push(entry);
        }
    }
}

/// The first best move of each position from here on, beginning with `first`.
fn line<B: Bits>(
    position: &Capture<B>,
    first: Move,
    margin: i32,
    search: &mut Search<'_, '_, B>,
) -> Vec<Move> {
    let mut now = position.clone();
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
        let node = search.node(&now);
        let best = match moves.as_slice() {
            [only] => Some(*only),
            _ => moves
                .iter()
                .copied()
                .find(|&mv| search.reaches(&node, mv, margin) == Some(true)),
        };
        let Some(best) = best else { break };
        line.push(best);
        now.play(best);
    }
    line
}

fn rate<B: Bits>(
    position: &Capture<B>,
    mv: Move,
    root: &Node<B>,
    best: i32,
    search: &mut Search<'_, '_, B>,
    verdict: &Verdict,
) -> Rated {
    let mut entry = Rated {
        mv,
        value: None,
        distance: None,
        margin: None,
    };
    let most = position.cells() as i32;
    let child = search.child(root, mv);
    let bounds = if verdict.best.contains(&mv) {
        (best, best)
    } else {
        let (lower, upper) = search.margin(&child, (-best, most));
        (-upper, -lower)
    };
    let (low, high) = (Value::of_margin(bounds.0), Value::of_margin(bounds.1));
    if low == high {
        entry.value = Some(low);
    }
    if bounds.0 == bounds.1 {
        entry.margin = Some(bounds.0);
        let line = line(position, mv, bounds.0, search);
        if search.meter.stopped().is_none() {
            entry.distance = Some(line.len() as u32);
        }
    }
    entry
}
