//! The engine of the `lines` family: a strong move within a time limit, on large boards.
//!
//! Where the solver proves, the engine estimates: it deepens an alpha-beta search step by step and
//! estimates what lies beyond. It does so over a board that knows its threats (`board`, `counts`,
//! `threats`) and looks for wins by continuous fours (`vcf`). Under gravity there are few moves and
//! most threats have to wait, so it searches those boards as it does other games (`gravity`). What
//! it calls proven is proven.

mod board;
mod counts;
mod gravity;
mod misere;
mod order;
mod root;
mod search;
mod shape;
mod threats;
mod vcf;

use std::sync::Arc;
use std::time::Instant;

use crate::bits::Bits;
use crate::error::KernelError;
use crate::limits::Limits;
use crate::lines::{AnyLines, Lines};
use crate::position::{Move, Position};
use crate::search::engine::{answer, together, EngineChoice, EngineOptions, Thought};
use crate::search::score;
use crate::search::table::Table;

use board::Board;
use root::Plan;
use search::Search;
use shape::Shape;
use vcf::Failures;

/// Boards of more cells than this open in the middle without thinking.
const SMALL: usize = 64;

/// An engine that remembers from move to move; one for each game that is being played.
#[derive(Debug)]
pub struct Engine {
    options: EngineOptions,
    table: Option<Table>,
}

impl Engine {
    /// An engine with an empty memory, which it takes at its first move.
    pub fn new(options: EngineOptions) -> Self {
        Self {
            options,
            table: None,
        }
    }

    /// How it thinks.
    pub fn options(&self) -> &EngineOptions {
        &self.options
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.table = None;
    }

    /// Chooses a move within the limits. A game that is over is an error.
    pub fn choose<B: Bits>(
        &mut self,
        position: &Lines<B>,
        limits: &Limits<'_>,
    ) -> Result<EngineChoice, KernelError> {
        let started = Instant::now();
        if let Some(outcome) = position.outcome() {
            let why = format!("the game is over: {outcome:?}");
            return Err(KernelError::Position(why));
        }
        if position.rules.gravity {
            return gravity::choose(position, &self.options, limits);
        }
        let shape = Arc::new(Shape::new(position.rules())?);
        let board = Board::new(Arc::clone(&shape), position);
        if board.empties as usize == shape.cells && shape.cells > SMALL {
            return Ok(opening(&shape, started));
        }
        let threads = self.options.threads.max(1);
        let fixed = shape.bytes() * (threads + 1) + Failures::BYTES * threads;
        let least = fixed + Table::LEAST;
        if limits.memory < least {
            return Err(KernelError::Memory {
                needed: least,
                given: limits.memory,
            });
        }
        let room = self.options.table_memory.min(limits.memory - fixed);
        if self
            .table
            .as_ref()
            .is_some_and(|table| table.bytes() > room)
        {
            self.table = None;
        }
        let table = match self.table.take() {
            Some(table) => table,
            None => Table::new(room.max(Table::LEAST)).ok_or(KernelError::Memory {
                needed: Table::LEAST,
                given: room,
            })?,
        };
        table.age();
        let choice = think(&board, &table, &self.options, limits, started);
        self.table = Some(table);
        choice
    }
}

/// Chooses a move within the limits, with a memory of its own that ends with the call.
pub fn choose<B: Bits>(
    position: &Lines<B>,
    options: &EngineOptions,
    limits: &Limits<'_>,
) -> Result<EngineChoice, KernelError> {
    Engine::new(*options).choose(position, limits)
}

impl AnyLines {
    /// [`choose`] on whichever word size.
    pub fn choose(
        &self,
        options: &EngineOptions,
        limits: &Limits<'_>,
    ) -> Result<EngineChoice, KernelError> {
        self.choose_with(&mut Engine::new(*options), limits)
    }

    /// [`Engine::choose`] on whichever word size.
    pub fn choose_with(
        &self,
        engine: &mut Engine,
        limits: &Limits<'_>,
    ) -> Result<EngineChoice, KernelError> {
        match self {
            Self::Small(position) => engine.choose(position, limits),
            Self::Wide(position) => engine.choose(&**position, limits),
        }
    }
}

/// The first move on a large board: the cell that reaches most of it.
fn opening(shape: &Shape, started: Instant) -> EngineChoice {
    let cells = 0..shape.cells;
    let best = cells.max_by_key(|cell| (shape.reach[*cell], std::cmp::Reverse(*cell)));
    let best = best.unwrap_or(0) as Move;
    EngineChoice {
        best,
        score: 0,
        proven: None,
        depth: 0,
        nodes: 0,
        line: vec![best],
        moves: vec![(best, 0)],
        stopped: None,
        elapsed: started.elapsed(),
    }
}

fn think(
    board: &Board,
    table: &Table,
    options: &EngineOptions,
    limits: &Limits<'_>,
    started: Instant,
) -> Result<EngineChoice, KernelError> {
    let think = |thread, meter| {
        let plan = Plan {
            depth: options.depth,
            every: options.every,
            fours: options.fours,
            thread,
        };
        let mut search = Search::new(board.clone(), table, meter);
        let thought = search.think(&plan);
        (thought.into(), search.meter)
    };
    let (thought, nodes, stopped) = together(options.threads, limits, started, think)?;
    Ok(answer(thought, nodes, stopped, started.elapsed()))
}

impl From<root::Thought> for Thought {
    fn from(thought: root::Thought) -> Self {
        let moves = thought.moves.iter();
        Self {
            best: thought.best as Move,
            score: thought.score,
            proven: score::proven(thought.score),
            depth: thought.depth,
            line: thought.line.iter().map(|cell| *cell as Move).collect(),
            moves: moves
                .map(|tried| (tried.cell as Move, tried.score))
                .collect(),
        }
    }
}
