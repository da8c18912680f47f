//! Uniformly random complete games: the same games for a seed, however many threads play them.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::KernelError;
use crate::host::side_by_side;
use crate::limits::{Limits, Meter, Stop};
use crate::position::{Move, Outcome, Position};
use crate::rng::Rng;

/// Games between two looks at the meter, and the unit that threads take.
const GAMES_PER_BLOCK: u64 = 512;

/// How one random game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// Who won.
    pub outcome: Outcome,
    /// Moves played from the starting position.
    pub plies: u32,
}

/// Buffers that playouts reuse from game to game.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    /// Legal moves.
    pub moves: Vec<Move>,
    /// Cells.
    pub cells: Vec<u16>,
    /// Counters.
    pub counts: Vec<u16>,
}

/// What many random games came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games played.
    pub games: u64,
    /// Games won, by seat.
    pub wins: Vec<u64>,
    /// Games nobody won.
    pub draws: u64,
    /// Moves played in all games together.
    pub plies: u64,
    /// Games by length: `lengths[n]` of them took `n` moves.
    pub lengths: Vec<u64>,
    /// Why fewer games were played than asked, if so.
    pub stopped: Option<Stop>,
}

impl Tally {
    /// An empty tally for a number of seats.
    pub fn new(players: u8) -> Self {
        Self {
            wins: vec![0; usize::from(players)],
            ..Self::default()
        }
    }

    /// Counts one game.
    #[inline]
    pub fn add(&mut self, ending: Ending) {
        self.games += 1;
        self.plies += u64::from(ending.plies);
        match ending.outcome {
            Outcome::Win(seat) => {
                if let Some(wins) = self.wins.get_mut(usize::from(seat)) {
                    *wins += 1;
                }
            }
            Outcome::Draw => self.draws += 1,
        }
        let length = ending.plies as usize;
        if length >= self.lengths.len() {
            self.lengths.resize(length + 1, 0);
        }
        self.lengths[length] += 1;
    }

    /// Adds the games of another tally.
    pub fn merge(&mut self, other: &Self) {
        let add = |mine: &mut Vec<u64>, theirs: &[u64]| {
            mine.resize(mine.len().max(theirs.len()), 0);
            for (mine, theirs) in mine.iter_mut().zip(theirs) {
                *mine += theirs;
            }
        };
        self.games += other.games;
        self.draws += other.draws;
        self.plies += other.plies;
        add(&mut self.wins, &other.wins);
        add(&mut self.lengths, &other.lengths);
        self.stopped = self.stopped.or(other.stopped);
    }
}

/// Plays one random game with nothing but the rules.
pub fn playout_by_rules<P: Position>(position: &P, rng: &mut Rng, scratch: &mut Scratch) -> Ending {
    let mut game = position.clone();
    let mut plies = 0;
    loop {
        if let Some(outcome) = game.outcome() {
            return Ending { outcome, plies };
        }
        game.legal_moves(&mut scratch.moves);
        let pick = rng.below(scratch.moves.len() as u32) as usize;
        let Some(mv) = scratch.moves.get(pick) else {
            let outcome = Outcome::Draw;
            return Ending { outcome, plies };
        };
        game.play(*mv);
        plies += 1;
    }
}

/// Plays `games` random games from a position on `threads` threads.
///
/// Game number `i` draws from stream `i` of the seed, so the tally does not depend on the threads
/// (unless a limit stops it early). The limit of nodes counts games.
pub fn playouts<P: Position>(
    position: &P,
    games: u64,
    seed: u64,
    threads: usize,
    limits: &Limits<'_>,
) -> Result<Tally, KernelError> {
    let games = limits.nodes.map_or(games, |most| most.min(games));
    let next = AtomicU64::new(0);
    let work = |meter: &mut Meter<'_>| {
        let mut tally = Tally::new(position.players());
        let mut scratch = Scratch::default();
        loop {
            let first = next.fetch_add(GAMES_PER_BLOCK, Ordering::Relaxed);
            if first >= games {
                return tally;
            }
            let last = games.min(first + GAMES_PER_BLOCK);
            for index in first..last {
                let mut rng = Rng::new(seed, index);
                tally.add(position.playout(&mut rng, &mut scratch));
            }
            if !meter.tick_many(last - first) || !meter.check() {
                next.store(games, Ordering::Relaxed);
                tally.stopped = meter.stopped();
                return tally;
            }
        }
    };
    let limits = Limits {
        nodes: None,
        ..limits.clone()
    };
    let quiet = Limits {
        progress: None,
        ..limits.clone()
    };
    let tallies = side_by_side(limits.threads, threads.clamp(1, 256), |thread| {
        let mut meter = Meter::new(if thread == 0 { &limits } else { &quiet });
        meter.stage("playouts", 0);
        work(&mut meter)
    })?;
    let mut tally = Tally::new(position.players());
    for part in &tallies {
        tally.merge(part);
    }
    if tally.games == games {
        tally.stopped = None;
    }
    Ok(tally)
}
