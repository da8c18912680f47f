//! The engine of the `lines` family: a strong move within a time limit, on large boards.
//!
//! Where the solver proves, the engine estimates: it deepens an alpha-beta search step by step and
//! estimates what lies beyond. It does so over a board that knows its threats (`board`, `counts`,
//! `threats`) and looks for wins by continuous fours (`vcf`). Under gravity there are few moves and
//! most threats have to wait, so it searches those boards as it does other games (`gravity`). What
//! it calls proven is proven.

mod board;
mod counts;
pub(super) mod gravity;
mod misere;
mod order;
mod root;
mod search;
mod shape;
mod threats;
mod vcf;

use std::sync::Arc;

use crate::bits::Bits;
use crate::error::KernelError;
use crate::limits::Meter;
use crate::lines::{Lines, Rules};
use crate::position::Move;
use crate::search::deepen::deepen;
use crate::search::engine::{EngineOptions, Think, Thought};
use crate::search::score;
use crate::search::table::Table;

use board::Board;
use root::Plan;
use search::Search;
pub(super) use shape::Shape;
use vcf::Failures;

/// Boards of more cells than this open in the middle without thinking.
const MAX_SMALL_CELLS: usize = 64;

/// A position as its threads search it.
pub enum Searched<B: Bits> {
    /// Every empty cell is open.
    Free(Box<Board>),
    /// Cells open one after the other.
    Gravity(Box<Lines<B>>),
}

impl<B: Bits> Think for Lines<B> {
    type Board = Searched<B>;

    fn board(&self) -> Result<Searched<B>, KernelError> {
        if self.rules.players != 2 {
            let players = self.rules.players;
            let why = format!("the engine for {players} players, only for 2");
            return Err(KernelError::Unsupported(why));
        }
        if self.rules.gravity {
            return Ok(Searched::Gravity(Box::new(self.clone())));
        }
        let board = Board::new(self.rules.shape()?, self);
        Ok(Searched::Free(Box::new(board)))
    }

    fn bytes(board: &Searched<B>, threads: usize) -> usize {
        match board {
            Searched::Free(board) => {
                board.shape.bytes() * (threads + 1) + Failures::BYTES * threads
            }
            Searched::Gravity(_) => 0,
        }
    }

    /// The first move on a large board: the cell that reaches most of it.
    fn opening(board: &Searched<B>) -> Option<Move> {
        let Searched::Free(board) = board else {
            return None;
        };
        let shape = &board.shape;
        if board.empties as usize != shape.cells || shape.cells <= MAX_SMALL_CELLS {
            return None;
        }
        let best =
            (0..shape.cells).max_by_key(|cell| (shape.reach[*cell], std::cmp::Reverse(*cell)));
        best.map(|cell| cell as Move)
    }

    fn think<'m>(
        board: &Searched<B>,
        table: &Table,
        options: &EngineOptions,
        thread: u32,
        meter: Meter<'m>,
    ) -> (Thought, Meter<'m>) {
        let board = match board {
            Searched::Free(board) => board,
            Searched::Gravity(position) => {
                return deepen(&**position, table, options, thread, meter)
            }
        };
        let plan = Plan {
            depth: options.depth,
            every: options.every,
            fours: options.fours,
            thread,
        };
        let mut search = Search::new((**board).clone(), table, meter);
        let thought = search.think(&plan);
        (thought.into(), search.meter)
    }
}

impl<B: Bits> Rules<B> {
    /// The game as the engine reads it, laid out once.
    fn shape(&self) -> Result<Arc<Shape>, KernelError> {
        if let Some(shape) = self.shape.get() {
            return Ok(Arc::clone(shape));
        }
        let shape = Arc::new(Shape::new(self)?);
        Ok(Arc::clone(self.shape.get_or_init(|| shape)))
    }
}

impl From<root::Thought> for Thought {
    fn from(thought: root::Thought) -> Self {
        let moves = thought.moves.iter();
        Self {
            best: thought.best as Move,
            score: thought.score,
            earlier: thought.earlier,
            proven: score::proven(thought.score),
            depth: thought.depth,
            line: thought.line.iter().map(|cell| *cell as Move).collect(),
            moves: moves
                .map(|tried| (tried.cell as Move, tried.score))
                .collect(),
        }
    }
}
