//! Monte-Carlo tree search (UCT) over any game and any number of seats, with solver backup.
//!
//! Proven results travel up the tree. A proven child is never visited again, so it cannot starve
//! its siblings: visits go to what is still open until the root itself is proven, and then the
//! search ends. A mover who already has a proven result is never credited with less.

mod search;
mod tree;

use std::time::Duration;

use crate::limits::Stop;
use crate::position::{Move, Outcome};

pub use search::mcts;

/// How to search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MctsOptions {
    /// How many simulations to run at most; the limit of nodes counts simulations too.
    pub simulations: u64,
    /// Where the random numbers begin: equal seeds give equal trees.
    pub seed: u64,
    /// The weight of the exploration term, for values from -1 to 1.
    pub exploration: f32,
    /// Propagate proven results and stop once the root is proven.
    pub solver: bool,
}

impl Default for MctsOptions {
    fn default() -> Self {
        Self {
            simulations: 10_000,
            seed: 0,
            exploration: 1.0,
            solver: true,
        }
    }
}

/// One legal move and what the search thinks of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MctsMove {
    /// The move.
    pub mv: Move,
    /// Simulations that went through it.
    pub visits: u32,
    /// The mean result for the mover: 1 for a win, 0 for a draw, -1 for a loss. Exact once proven;
    /// 0 for a move never tried.
    pub value: f64,
    /// The proven outcome of the game after it.
    pub proven: Option<Outcome>,
}

/// What the search came to.
#[derive(Clone, Debug, PartialEq)]
pub struct MctsResult {
    /// The move to play: a proven best one if the position is proven, else the most visited, then
    /// the best valued, then the first in board order. `None` when the game is over.
    pub best: Option<Move>,
    /// Every legal move, in board order.
    pub moves: Vec<MctsMove>,
    /// The mean result for the seat to move; exact once proven.
    pub value: f64,
    /// The outcome of the game under best play, once proven.
    pub proven: Option<Outcome>,
    /// The best move of each position, as far as the tree reaches.
    pub line: Vec<Move>,
    /// Simulations run.
    pub simulations: u64,
    /// Whether the tree filled its memory; the search then went on without growing it.
    pub full: bool,
    /// Bytes the tree takes.
    pub bytes: usize,
    /// Why it ended before its simulations were done, unless the position was proven.
    pub stopped: Option<Stop>,
    /// Time taken.
    pub elapsed: Duration,
}
