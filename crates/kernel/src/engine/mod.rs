//! The engine: a strong move within a time limit, for games of two seats on large boards.
//!
//! Where the solver proves, the engine judges: it deepens an alpha-beta search step by step and
//! estimates what lies beyond. In `lines` games it does so over a board that knows its threats
//! (`board`, `counts`, `threats`) and looks for victories by continuous fours (`vcf`); other
//! families say what a position is worth to them (`deepen`). What it calls proven is proven.

mod board;
mod counts;
mod deepen;
mod misere;
mod order;
mod root;
mod score;
mod search;
mod shape;
mod table;
mod threats;
mod vcf;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::bits::Bits;
use crate::error::KernelError;
use crate::limits::{Limits, Meter, Stop};
use crate::lines::{AnyLines, Lines};
use crate::position::{Move, Position};

use board::Board;
pub use deepen::{deepen, Judge};
use root::Plan;
pub use score::{Proven, Score};
use search::Search;
use shape::Shape;
use table::Table;
use vcf::Failures;

/// Boards of more cells than this open in the middle without thinking.
const SMALL: usize = 64;

/// How the engine thinks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EngineOptions {
    /// Stop after this many plies of look-ahead; forced sequences are looked at beyond it.
    pub depth: Option<u32>,
    /// Bytes the table may take; never more than the limits give.
    pub table_memory: usize,
    /// How many threads think. Only one thread gives the same answer each time.
    pub threads: usize,
    /// Score every root move exactly instead of only showing it to be no better: slower, and what
    /// a player who picks among good moves needs.
    pub every: bool,
    /// The longest run of threats to look for in one go; 0 for a player who should overlook them.
    pub fours: u32,
}

impl Default for EngineOptions {
    fn default() -> Self {
        Self {
            depth: None,
            table_memory: 64 << 20,
            threads: 1,
            every: false,
            fours: 40,
        }
    }
}

/// What the engine came to.
#[derive(Clone, Debug, PartialEq)]
pub struct EngineChoice {
    /// The move to play.
    pub best: Move,
    /// What it is worth to the seat to move: an estimate, or a proven result at either end.
    pub score: Score,
    /// The forced result, when the search has proven one.
    pub proven: Option<Proven>,
    /// Plies of the last iteration that finished; 0 when none was needed or there was no time.
    pub depth: u32,
    /// Positions visited, over all threads.
    pub nodes: u64,
    /// The line of play it expects, `best` first.
    pub line: Vec<Move>,
    /// The moves it considered and their scores in the last iteration that finished, in board
    /// order; only `best` where that is forced or wins by force. Without [`EngineOptions::every`]
    /// only the best one's score is exact; the others are no better than what is said here.
    pub moves: Vec<(Move, Score)>,
    /// The limit that ended it, if one did.
    pub stopped: Option<Stop>,
    /// Time taken.
    pub elapsed: Duration,
}

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

/// The deadline to stop at so that the answer is out before the one that was given.
fn early(deadline: Instant, started: Instant) -> Instant {
    let left = deadline.saturating_duration_since(started);
    // On a busy machine the thread may not be running when its time is up.
    let slack = (left / 16).clamp(Duration::from_millis(2), Duration::from_millis(30));
    deadline.checked_sub(slack).unwrap_or(deadline)
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

/// What one thread came to.
#[derive(Clone, Debug, Default)]
struct Thought {
    best: Move,
    score: Score,
    proven: Option<Proven>,
    depth: u32,
    line: Vec<Move>,
    moves: Vec<(Move, Score)>,
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

/// Has several threads think, which share what `think` shares; the first one's answer counts.
fn together<'l>(
    threads: usize,
    limits: &Limits<'l>,
    started: Instant,
    think: impl Fn(u32, Meter<'l>) -> (Thought, Meter<'l>) + Sync,
) -> Result<(Thought, u64, Option<Stop>), KernelError> {
    let threads = threads.max(1) as u32;
    let done = Arc::new(AtomicBool::new(false));
    let mut mine = limits.clone();
    mine.deadline = limits.deadline.map(|deadline| early(deadline, started));
    mine.nodes = limits.nodes.map(|nodes| nodes.div_ceil(u64::from(threads)));
    let theirs = Limits {
        cancel: Some(Arc::clone(&done)),
        progress: None,
        ..mine.clone()
    };
    std::thread::scope(|scope| {
        let think = &think;
        let help = |thread| {
            let limits = &theirs;
            move || think(thread, Meter::new(limits)).1.nodes()
        };
        let helpers: Vec<_> = (1..threads)
            .map(|thread| scope.spawn(help(thread)))
            .collect();
        let (thought, meter) = think(0, Meter::new(&mine));
        done.store(true, Ordering::Relaxed);
        let mut nodes = meter.nodes();
        for helper in helpers {
            nodes += helper.join().map_err(|_| KernelError::Thread)?;
        }
        Ok((thought, nodes, meter.stopped()))
    })
}

fn answer(thought: Thought, nodes: u64, stopped: Option<Stop>, elapsed: Duration) -> EngineChoice {
    let mut moves = thought.moves;
    moves.sort_unstable();
    EngineChoice {
        best: thought.best,
        score: thought.score,
        proven: thought.proven,
        depth: thought.depth,
        nodes,
        line: thought.line,
        moves,
        stopped,
        elapsed,
    }
}
