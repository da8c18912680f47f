//! What a position is worth, which moves are best, and what every move is worth: one answer.
//!
//! A proof if one fits the limits, else an estimate by the engine or by a tree search. Everything
//! that is found out goes into [`Facts`], which settles it once. So by construction: the value of
//! the position is that of its best moves, no move is worth more, and who has a proven win has a
//! move that is proven to win.
//!
//! What scores are worth differs from game to game: the caller passes a [`Curve`] for each search.

mod budget;
mod curve;
mod facts;
mod search;
mod worth;

use std::time::Duration;

use crate::error::KernelError;
use crate::limits::{Limits, Stop};
use crate::position::{Move, Outcome};
use crate::search::{Engine, Options as SolveOptions, Solve, Think, Value};

use budget::Budget;
use facts::Facts;

pub use curve::Curve;
pub use worth::{Certain, Estimate, Worth};

/// Who says what a position is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// Nobody: there was no time.
    None,
    /// The rules alone: the game is over, or a move ends it.
    Rules,
    /// The solver.
    Solver,
    /// The engine.
    Engine,
    /// Monte Carlo tree search.
    Tree,
}

/// How to analyse a position, and what is known about its game.
#[derive(Clone, Debug, PartialEq)]
pub struct AnalysisOptions {
    /// Whether estimates come from the engine; from tree search otherwise, and always with more than
    /// two seats.
    pub by_engine: bool,
    /// What the engine's scores are worth in this game.
    pub engine_curve: Curve,
    /// What the means of simulated games are worth in this game.
    pub tree_curve: Curve,
    /// Find the value of every move of a proven position.
    pub map_proofs: bool,
    /// Estimate every move of other positions.
    pub map_estimates: bool,
    /// Where the random numbers of tree search begin.
    pub seed: u64,
    /// How many threads the engine thinks with. Only one gives the same answer each time.
    pub threads: usize,
    /// Bytes that the engine's table may take.
    pub table_memory: usize,
}

/// What an analysis came to, seen by the seat to move; once the game is over, by the seat that moved
/// last.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis {
    /// What the position is worth: what its best moves are.
    pub worth: Option<Worth>,
    /// The best moves: of a proven position in board order, as far as there was time, else one.
    pub best: Vec<Move>,
    /// Every legal move in board order and what it is worth to its mover, as far as that is known.
    pub moves: Vec<(Move, Option<Worth>)>,
    /// How the game goes on, `best[0]` first.
    pub line: Vec<Move>,
    /// Who says so.
    pub method: Method,
    /// The worst and the best that the value can still be.
    pub bounds: (Value, Value),
    /// Positions and simulations.
    pub nodes: u64,
    /// Time taken.
    pub elapsed: Duration,
    /// The limit that left something open, if one did.
    pub stopped: Option<Stop>,
}

/// The part of the limits that goes into a proof of the value.
const PROOF_SHARE: f64 = 0.5;
/// The same with many empty cells, where a proof is rare.
const RARE_PROOF_SHARE: f64 = 0.25;
/// With more empty cells than this a proof is rare.
const MANY_EMPTY_CELLS: usize = 64;

/// Analyses a position within the limits, with the memory of an engine that thought about the game
/// before. With a limit of nodes the engine starts empty, so that one thread gives the same answer
/// each time.
pub fn analyse<P: Solve + Think>(
    position: &P,
    options: &AnalysisOptions,
    limits: &Limits<'_>,
    engine: &mut Engine,
) -> Result<Analysis, KernelError> {
    let started = limits.clock.now();
    if let Some(outcome) = position.outcome() {
        return Ok(over(position, outcome, limits));
    }
    if limits.nodes.is_some() {
        engine.clear();
    }
    let mut budget = Budget::new(limits);
    let mut facts = Facts::new(position);
    let mut method = Method::None;
    let mut stopped = None;
    let mut line = Vec::new();
    if position.players() == 2 {
        let proof = prove(position, options, &mut budget, &mut facts)?;
        stopped = proof.stopped;
        line = proof.line;
        if facts.proves() {
            method = Method::Solver;
        }
    } else if facts.ends_at_once(position) {
        method = Method::Rules;
    }
    let proven = facts.proves();
    let open = options.map_proofs && options.map_estimates && !facts.complete();
    if !budget.cancelled() && (!proven || open) {
        let searched = search::estimate(position, options, &mut budget, engine, &mut facts)?;
        if !proven {
            method = searched.method;
            stopped = searched.stopped;
            line = searched.line;
        }
    }
    let settled = facts.settle(&line);
    Ok(Analysis {
        method: if settled.worth.is_none() && settled.best.is_empty() {
            Method::None
        } else {
            method
        },
        worth: settled.worth,
        best: settled.best,
        moves: settled.moves,
        line: settled.line,
        bounds: settled.bounds,
        nodes: budget.nodes(),
        elapsed: limits.clock.now().saturating_sub(started),
        stopped: stopped.or(budget.cancelled().then_some(Stop::Cancelled)),
    })
}

/// How a proof went.
#[derive(Default)]
struct Proof {
    line: Vec<Move>,
    stopped: Option<Stop>,
}

/// Asks the solver, first for the value, then for every move.
fn prove<P: Solve>(
    position: &P,
    options: &AnalysisOptions,
    budget: &mut Budget<'_>,
    facts: &mut Facts,
) -> Result<Proof, KernelError> {
    let solving = SolveOptions::default();
    let empty = (0..position.cells())
        .filter(|&cell| position.at(cell).is_none())
        .count();
    let share = if empty > MANY_EMPTY_CELLS {
        RARE_PROOF_SHARE
    } else {
        PROOF_SHARE
    };
    let verdict = match position.solve(&solving, &budget.share(share)) {
        Err(KernelError::Unsupported(_)) => return Ok(Proof::default()),
        other => other?,
    };
    budget.spend(verdict.nodes, verdict.stopped);
    facts.solved(&verdict);
    let mut stopped = verdict.stopped;
    if verdict.value().is_some() && !budget.cancelled() {
        stopped = None;
        if options.map_proofs || !facts.proves() {
            let map = position.map(&solving, &budget.share(1.0))?;
            budget.spend(map.nodes, map.stopped);
            facts.mapped(&map.moves);
            stopped = map.stopped;
        }
    }
    Ok(Proof {
        line: verdict.line,
        stopped,
    })
}

/// A game that is over, told by its rules.
fn over<P: Solve>(position: &P, outcome: Outcome, limits: &Limits<'_>) -> Analysis {
    let solved = position.solve(&SolveOptions::default(), limits);
    let known = solved.ok().and_then(|verdict| Certain::of(&verdict.bounds));
    let worth = known.unwrap_or(Certain {
        distance: Some(0),
        ..facts::ended(outcome, position.turn())
    });
    Analysis {
        worth: Some(Worth::Certain(worth)),
        best: Vec::new(),
        moves: Vec::new(),
        line: Vec::new(),
        method: Method::Rules,
        bounds: (worth.value, worth.value),
        nodes: 0,
        elapsed: Duration::ZERO,
        stopped: None,
    }
}
