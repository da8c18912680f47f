//! The search itself: select, grow, play out, back up.

use super::tree::{Fact, Tree, ROOT};
use super::{MctsMove, MctsOptions, MctsResult};
use crate::error::KernelError;
use crate::limits::{Limits, Meter};
use crate::playouts::Scratch;
use crate::position::{Move, Position};
use crate::rng::Rng;

struct Search<P: Position> {
    tree: Tree,
    game: P,
    rng: Rng,
    scratch: Scratch,
    /// From the root to the leaf.
    path: Vec<usize>,
    undos: Vec<P::Undo>,
    moves: Vec<Move>,
    seen: Vec<bool>,
    exploration: f32,
    /// By visits of a node, the factor of its children's spreads.
    scales: Vec<f32>,
    /// By visits of a node, its spread.
    spreads: Vec<f32>,
    solver: bool,
}

/// How many factors are kept.
const SCALES: u32 = 4096;

fn scale(exploration: f32, visits: u32) -> f32 {
    exploration * (visits.max(2) as f32).ln().sqrt()
}

/// What to do at a node.
enum Choice {
    Descend(usize),
    Grow,
}

/// Searches a position within the limits. A game that is over has no best move.
pub fn mcts<P: Position>(
    position: &P,
    options: &MctsOptions,
    limits: &Limits<'_>,
) -> Result<MctsResult, KernelError> {
    if !(options.exploration.is_finite() && options.exploration >= 0.0) {
        return Err(KernelError::Unsupported(format!(
            "an exploration of {}",
            options.exploration
        )));
    }
    let mut meter = Meter::new(limits);
    meter.stage("mcts", 0);
    // A simulation adds at most one child; blocks double as they grow.
    let wanted = options.simulations.saturating_mul(8).saturating_add(64);
    let mut search = Search {
        tree: Tree::new(
            meter.memory(),
            usize::try_from(wanted).unwrap_or(usize::MAX),
        )?,
        game: position.clone(),
        rng: Rng::new(options.seed, 0),
        scratch: Scratch::default(),
        path: Vec::new(),
        undos: Vec::new(),
        moves: Vec::new(),
        seen: vec![false; position.cells() + SPECIAL],
        exploration: options.exploration,
        scales: (0..SCALES)
            .map(|visits| scale(options.exploration, visits))
            .collect(),
        spreads: (0..SCALES)
            .map(|visits| 1.0 / (visits as f32).sqrt())
            .collect(),
        solver: options.solver,
    };
    search.tree.node_mut(ROOT).seat = position.turn();
    if let Some(outcome) = position.outcome() {
        search.tree.node_mut(ROOT).proven = outcome.into();
    }
    let mut simulations = 0;
    while simulations < options.simulations && !search.tree.node(ROOT).proven.known() {
        search.simulate();
        simulations += 1;
        // Simulations on large boards are slow: look at the clock more often than the meter does.
        if !meter.tick() || (simulations % CHECK_EVERY == 0 && !meter.check()) {
            break;
        }
    }
    let mut result = search.result(position);
    result.simulations = simulations;
    if result.proven.is_none() && simulations < options.simulations {
        result.stopped = meter.stopped();
    }
    result.elapsed = meter.elapsed();
    Ok(result)
}

/// Simulations between two looks at the clock.
const CHECK_EVERY: u64 = 64;

/// Moves that are not cells: they come before cell 0.
const SPECIAL: usize = 2;

#[inline]
fn index(mv: Move) -> usize {
    (i32::from(mv) + SPECIAL as i32) as usize
}

/// Board order: cells first, then the pass, then the swap.
fn board_order(mv: Move) -> i32 {
    match mv {
        0.. => i32::from(mv),
        _ => i32::from(Move::MAX) - i32::from(mv),
    }
}

impl<P: Position> Search<P> {
    fn simulate(&mut self) {
        self.path.clear();
        let mut at = ROOT;
        let fact = loop {
            self.path.push(at);
            let proven = self.tree.node(at).proven;
            if proven.known() {
                break proven;
            }
            match self.choose(at) {
                Choice::Descend(child) => at = child,
                Choice::Grow => break self.grow(at),
            }
        };
        self.back_up(fact);
    }

    /// Adds a child if there is room, and plays a random game from there.
    fn grow(&mut self, at: usize) -> Fact {
        for &below in &self.path[1..] {
            // Nodes with children are positions where the game goes on.
            self.undos.push(self.game.advance(self.tree.node(below).mv));
        }
        let fact = self.grow_here(at);
        while let Some(undo) = self.undos.pop() {
            self.game.undo(undo);
        }
        fact
    }

    fn grow_here(&mut self, at: usize) -> Fact {
        if let Some(mv) = self.untried(at) {
            if let Some(child) = self.tree.add(at, mv) {
                self.undos.push(self.game.play(mv));
                self.path.push(child);
                let node = self.tree.node_mut(child);
                node.seat = self.game.turn();
                if let Some(outcome) = self.game.outcome() {
                    node.proven = outcome.into();
                    return outcome.into();
                }
            }
        }
        self.game
            .playout(&mut self.rng, &mut self.scratch)
            .outcome
            .into()
    }

    /// A random legal move without a child.
    fn untried(&mut self, at: usize) -> Option<Move> {
        self.game.legal_moves(&mut self.moves);
        let node = self.tree.node_mut(at);
        node.legal = self.moves.len().min(usize::from(u16::MAX)) as u16;
        let tried = usize::from(node.tried);
        let left = self.moves.len().saturating_sub(tried);
        if left == 0 {
            return None;
        }
        if tried == 0 {
            return self
                .moves
                .get(self.rng.below(left as u32) as usize)
                .copied();
        }
        for child in self.tree.children(at) {
            if let Some(seen) = self.seen.get_mut(index(child.mv)) {
                *seen = true;
            }
        }
        let mut skip = self.rng.below(left as u32);
        let mut found = None;
        for &mv in &self.moves {
            match self.seen.get_mut(index(mv)) {
                Some(seen) if *seen => *seen = false,
                _ if found.is_some() => {}
                _ if skip == 0 => found = Some(mv),
                _ => skip -= 1,
            }
        }
        found
    }

    /// The open child with the highest upper confidence bound, or growing where a fresh child
    /// would have a higher one.
    fn choose(&self, at: usize) -> Choice {
        let node = self.tree.node(at);
        if node.tried == 0 {
            return Choice::Grow;
        }
        let scale = match self.scales.get(node.visits as usize) {
            Some(&scale) => scale,
            None => scale(self.exploration, node.visits),
        };
        let mut best = (f32::NEG_INFINITY, usize::MAX);
        let children = self.tree.children(at);
        for (index, child) in children.iter().enumerate() {
            let bound = child.mean + scale * child.spread;
            if bound > best.0 {
                best = (bound, index);
            }
        }
        if node.tried < node.legal && !self.tree.full {
            // A fresh child counts as one visit of the mean of the others.
            let sum: i32 = children.iter().map(|child| child.sum).sum();
            if sum as f32 / node.visits.max(1) as f32 + scale >= best.0 {
                return Choice::Grow;
            }
        }
        if best.1 == usize::MAX {
            return self.settled(at);
        }
        Choice::Descend(self.tree.child(at, best.1))
    }

    /// Every child is proven, yet the node is not: a full tree, or seats that lose to different
    /// winners. The best child for the mover speaks for it.
    fn settled(&self, at: usize) -> Choice {
        let node = self.tree.node(at);
        let seat = node.seat;
        if node.tried < node.legal && node.floor.score(seat) <= 0 {
            return Choice::Grow;
        }
        let children = self.tree.children(at);
        let least = (0..children.len())
            .min_by_key(|&index| (-children[index].proven.score(seat), children[index].visits));
        match least {
            Some(index) => Choice::Descend(self.tree.child(at, index)),
            None => Choice::Grow,
        }
    }

    fn back_up(&mut self, fact: Fact) {
        let mut fact = fact;
        for index in (0..self.path.len()).rev() {
            let at = self.path[index];
            if let Some(&below) = self.path.get(index + 1) {
                if self.solver && self.tree.node(below).proven.known() {
                    self.learn(at, below);
                }
                let node = self.tree.node(at);
                if node.proven.known() {
                    fact = node.proven;
                } else if node.floor.known() && node.floor.score(node.seat) > fact.score(node.seat)
                {
                    fact = node.floor;
                }
            }
            // The root counts for its own seat.
            let above = self.path[index.saturating_sub(1)];
            let score = fact.score(self.tree.node(above).seat);
            let node = self.tree.node_mut(at);
            node.visit(score, &self.spreads);
            if self.solver && node.proven.known() {
                node.mean = f32::NEG_INFINITY;
            }
        }
    }

    /// A child is proven: what that says about its parent.
    fn learn(&mut self, at: usize, child: usize) {
        let fact = self.tree.node(child).proven;
        let node = self.tree.node_mut(at);
        let seat = node.seat;
        if node.proven.known() {
            return;
        }
        if !node.floor.known() || fact.score(seat) > node.floor.score(seat) {
            node.floor = fact;
        }
        let floor = node.floor;
        if fact.score(seat) == 1 {
            node.proven = fact;
        } else if node.tried == node.legal {
            // With more than two seats, a mover who loses everywhere may choose who wins.
            let alike = self.game.players() > 2 && floor.score(seat) < 0;
            let all = self
                .tree
                .children(at)
                .iter()
                .all(|child| child.proven.known() && (!alike || child.proven == floor));
            if all {
                self.tree.node_mut(at).proven = floor;
            }
        }
    }

    fn result(&self, position: &P) -> MctsResult {
        let root = self.tree.node(ROOT);
        let seat = position.turn();
        let mut legal = Vec::new();
        position.legal_moves(&mut legal);
        let moves: Vec<MctsMove> = legal
            .iter()
            .map(|&mv| {
                let child = self.tree.children(ROOT).iter().find(|child| child.mv == mv);
                let proven = child.map_or(Fact::NONE, |child| child.proven);
                MctsMove {
                    mv,
                    visits: child.map_or(0, |child| child.visits),
                    value: match child {
                        Some(_) if proven.known() => f64::from(proven.score(seat)),
                        Some(child) => f64::from(child.sum) / f64::from(child.visits.max(1)),
                        None => 0.0,
                    },
                    proven: proven.outcome(),
                }
            })
            .collect();
        let line = self.line();
        MctsResult {
            best: line.first().copied().or(legal.first().copied()),
            moves,
            value: if root.proven.known() {
                f64::from(root.proven.score(seat))
            } else {
                f64::from(root.sum) / f64::from(root.visits.max(1))
            },
            proven: root.proven.outcome(),
            line,
            simulations: 0,
            full: self.tree.full,
            bytes: self.tree.bytes(),
            stopped: None,
            elapsed: std::time::Duration::ZERO,
        }
    }

    fn line(&self) -> Vec<Move> {
        let mut line = Vec::new();
        let mut at = ROOT;
        while let Some(index) = self.best(at) {
            at = self.tree.child(at, index);
            line.push(self.tree.node(at).mv);
        }
        line
    }

    /// The child to play: one that keeps a proven result, else the most visited that is not a
    /// proven loss, unless a proven draw is better than it seems.
    fn best(&self, at: usize) -> Option<usize> {
        let node = self.tree.node(at);
        let seat = node.seat;
        let children = self.tree.children(at);
        let first = |keep: &dyn Fn(usize) -> bool| {
            (0..children.len())
                .filter(|&index| keep(index))
                .min_by_key(|&index| board_order(children[index].mv))
        };
        if node.proven.known() {
            let score = node.proven.score(seat);
            return first(&|index| {
                children[index].proven.known() && children[index].proven.score(seat) == score
            });
        }
        let open = (0..children.len())
            .filter(|&index| !children[index].proven.known())
            .max_by(|&a, &b| {
                let (a, b) = (&children[a], &children[b]);
                (a.visits, a.sum, -board_order(a.mv)).cmp(&(b.visits, b.sum, -board_order(b.mv)))
            });
        match open {
            Some(index) if node.floor.known() && node.floor.score(seat) >= 0 => {
                if children[index].sum < 0 {
                    first(&|index| children[index].proven == node.floor)
                } else {
                    Some(index)
                }
            }
            Some(index) => Some(index),
            None => first(&|index| children[index].proven == node.floor),
        }
    }
}
