//! What every family's engine shares: its options, its answer, and several threads that think.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::error::KernelError;
use crate::limits::{Limits, Meter, Stop};
use crate::position::Move;

use super::score::{Proven, Score};

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

/// The deadline to stop at so that the answer is out before the one that was given.
fn early(deadline: Instant, started: Instant) -> Instant {
    let left = deadline.saturating_duration_since(started);
    // On a busy machine the thread may not be running when its time is up.
    let slack = (left / 16).clamp(Duration::from_millis(2), Duration::from_millis(30));
    deadline.checked_sub(slack).unwrap_or(deadline)
}

/// What one thread came to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Thought {
    pub best: Move,
    pub score: Score,
    pub proven: Option<Proven>,
    pub depth: u32,
    pub line: Vec<Move>,
    pub moves: Vec<(Move, Score)>,
}

/// Has several threads think, which share what `think` shares; the first one's answer counts.
pub(crate) fn together<'l>(
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

pub(crate) fn answer(
    thought: Thought,
    nodes: u64,
    stopped: Option<Stop>,
    elapsed: Duration,
) -> EngineChoice {
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
