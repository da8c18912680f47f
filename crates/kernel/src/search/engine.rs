//! The engine: a strong move within a time limit, for games of two seats on large boards.
//!
//! Where the solver proves, the engine estimates. Each family says how one thread searches
//! ([`Think`]); options, memory, threads and the answer are the same for all. What it calls proven
//! is proven.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::time::Duration;

use crate::error::KernelError;
use crate::host::side_by_side;
use crate::limits::{Limits, Meter, Stop};
use crate::position::{Move, Position};

use super::score::{Proven, Score, WON};
use super::table::Table;

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
    /// What the iteration before the last one said; the score itself where there was none.
    pub earlier: Score,
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

impl EngineChoice {
    /// The mean of the last two iterations. Each ends with another seat's move, which makes its own
    /// side look better; the mean tells more about who will win.
    pub fn steady(&self) -> Score {
        if self.score.abs() >= WON || self.earlier.abs() >= WON {
            return self.score;
        }
        (self.score + self.earlier) / 2
    }
}

/// A position that the engine can think about.
pub trait Think: Position {
    /// What the threads search: made once for each move to choose.
    type Board: Sync;

    /// Makes the board, or says why the engine cannot play this game.
    fn board(&self) -> Result<Self::Board, KernelError>;

    /// Bytes that so many threads take on a board, besides the table.
    fn bytes(_board: &Self::Board, _threads: usize) -> usize {
        0
    }

    /// A move to play without thinking.
    fn opening(_board: &Self::Board) -> Option<Move> {
        None
    }

    /// Thinks in one thread: 0 is the one that answers, others search beside it.
    fn think<'m>(
        board: &Self::Board,
        table: &Table,
        options: &EngineOptions,
        thread: u32,
        meter: Meter<'m>,
    ) -> (Thought, Meter<'m>);
}

/// An engine that remembers from move to move; one for each game that is being played.
#[derive(Debug, Default)]
pub struct Engine {
    table: Option<Table>,
}

impl Engine {
    /// An engine with an empty memory, which it takes at its first move.
    pub fn new() -> Self {
        Self::default()
    }

    /// Forgets everything and frees the memory.
    pub fn clear(&mut self) {
        self.table = None;
    }

    /// Bytes that its memory takes now.
    pub fn bytes(&self) -> usize {
        self.table.as_ref().map_or(0, Table::bytes)
    }

    /// Chooses a move within the limits. A game that is over is an error. What was remembered
    /// before is used and grows old; a table that no longer fits the memory is dropped.
    pub fn think<P: Think>(
        &mut self,
        position: &P,
        options: &EngineOptions,
        limits: &Limits<'_>,
    ) -> Result<EngineChoice, KernelError> {
        let started = limits.clock.now();
        if let Some(outcome) = position.outcome() {
            let why = format!("the game is over: {outcome:?}");
            return Err(KernelError::Position(why));
        }
        let board = position.board()?;
        if let Some(best) = P::opening(&board) {
            let thought = Thought {
                best,
                line: vec![best],
                moves: vec![(best, 0)],
                ..Thought::default()
            };
            return Ok(answer(thought, 0, None, Duration::ZERO));
        }
        let threads = options.threads.max(1);
        let needed = P::bytes(&board, threads) + Table::MIN_BYTES;
        let given = limits.memory;
        if given < needed {
            return Err(KernelError::Memory { needed, given });
        }
        let room =
            (given - needed + Table::MIN_BYTES).min(options.table_memory.max(Table::MIN_BYTES));
        let table = match self.table.take().filter(|table| table.bytes() <= room) {
            Some(table) => table,
            None => Table::new(room).ok_or(KernelError::Memory { needed, given })?,
        };
        table.age();
        let think = |thread, meter| P::think(&board, &table, options, thread, meter);
        let done = together(threads, limits, started, think);
        self.table = Some(table);
        let (thought, nodes, stopped) = done?;
        let elapsed = limits.clock.now().saturating_sub(started);
        Ok(answer(thought, nodes, stopped, elapsed))
    }
}

/// Chooses a move within the limits, with a memory of its own that ends with the call.
pub fn think<P: Think>(
    position: &P,
    options: &EngineOptions,
    limits: &Limits<'_>,
) -> Result<EngineChoice, KernelError> {
    Engine::new().think(position, options, limits)
}

/// The deadline to stop at so that the answer is out before the one that was given.
fn early(deadline: Duration, started: Duration) -> Duration {
    let left = deadline.saturating_sub(started);
    // On a busy machine the thread may not be running when its time is up.
    let slack = (left / 16).clamp(Duration::from_millis(2), Duration::from_millis(30));
    deadline.saturating_sub(slack)
}

/// What one thread came to.
#[derive(Clone, Debug, Default)]
pub struct Thought {
    pub best: Move,
    pub score: Score,
    pub earlier: Score,
    pub proven: Option<Proven>,
    pub depth: u32,
    pub line: Vec<Move>,
    pub moves: Vec<(Move, Score)>,
}

/// Has several threads think, which share what `think` shares; the first one's answer counts.
fn together<'l>(
    threads: usize,
    limits: &Limits<'l>,
    started: Duration,
    think: impl Fn(u32, Meter<'l>) -> (Thought, Meter<'l>) + Sync,
) -> Result<(Thought, u64, Option<Stop>), KernelError> {
    let threads = threads as u32;
    let done = Arc::new(AtomicBool::new(false));
    let mut mine = limits.clone();
    mine.deadline = limits.deadline.map(|deadline| early(deadline, started));
    mine.nodes = limits.nodes.map(|nodes| nodes.div_ceil(u64::from(threads)));
    let theirs = Limits {
        cancel: Some(Arc::clone(&done)),
        progress: None,
        ..mine.clone()
    };
    let results = side_by_side(limits.threads, threads as usize, |thread| {
        let limits = if thread == 0 { &mine } else { &theirs };
        let (thought, meter) = think(thread as u32, Meter::new(limits));
        if thread == 0 {
            done.store(true, Ordering::Relaxed);
        }
        (thought, meter.nodes(), meter.stopped())
    })?;
    let nodes = results.iter().map(|(_, nodes, _)| nodes).sum();
    let first = results.into_iter().next().ok_or(KernelError::Thread)?;
    Ok((first.0, nodes, first.2))
}

fn answer(thought: Thought, nodes: u64, stopped: Option<Stop>, elapsed: Duration) -> EngineChoice {
    let mut moves = thought.moves;
    moves.sort_unstable();
    EngineChoice {
        best: thought.best,
        score: thought.score,
        earlier: thought.earlier,
        proven: thought.proven,
        depth: thought.depth,
        nodes,
        line: thought.line,
        moves,
        stopped,
        elapsed,
    }
}
