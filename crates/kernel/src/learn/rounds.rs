//! Training in rounds of games: on one thread in place, on several each on its own copy.

use crate::error::KernelError;
use crate::host::{side_by_side, Threads};
use crate::limits::{Limits, Meter, Stop};
use crate::playouts::{Ending, Tally};

use super::options::{Opponent, Report, Training};

/// The most threads that a training uses.
const MAX_THREADS: usize = 256;

/// The numbers of one round.
#[derive(Clone, Copy)]
pub(super) struct Round {
    /// The games, by number.
    pub first: u64,
    pub last: u64,
    pub seed: u64,
    pub epsilon: f32,
    pub rate: f32,
    pub discount: f32,
    pub opponent: Opponent,
}

/// A learner that plays whole rounds.
pub(super) trait Rounds {
    /// Games learned from.
    fn games(&mut self) -> &mut u64;

    /// The most games in a round for so many threads, which do not see what the others learn in it.
    fn longest(&self, threads: usize) -> u64;

    /// Plays and learns from the games of a round, in place.
    fn play(&mut self, round: &Round) -> Running;

    /// The same on several threads, whose changes are put together in order.
    fn share(
        &mut self,
        round: &Round,
        count: usize,
        threads: &dyn Threads,
    ) -> Result<Running, KernelError>;
}

/// Has a learner play and learn from `games` more games, round by round.
pub(super) fn train<L: Rounds>(
    learner: &mut L,
    games: u64,
    training: &Training,
    limits: &Limits<'_>,
) -> Result<Report, KernelError> {
    training.check()?;
    let mut meter = Meter::new(limits);
    meter.stage("training", 0);
    let mut running = Running::new(2);
    let count = training.threads.clamp(1, MAX_THREADS);
    let longest = learner.longest(count);
    let end = *learner.games() + games;
    while *learner.games() < end && meter.check() {
        let first = *learner.games();
        let round = Round {
            first,
            last: end.min(first + length(first, longest)),
            seed: training.seed,
            epsilon: training.epsilon.at(first, training.total),
            rate: training.rate.at(first, training.total),
            discount: training.discount,
            opponent: training.opponent,
        };
        running.merge(&if count == 1 {
            learner.play(&round)
        } else {
            learner.share(&round, count, limits.threads)?
        });
        *learner.games() = round.last;
        meter.tick_many(round.last - first);
    }
    let stopped = if *learner.games() < end {
        meter.stopped()
    } else {
        None
    };
    Ok(running.report(stopped))
}

/// A report in the making.
#[derive(Clone, Debug, Default)]
pub(super) struct Running {
    pub tally: Tally,
    pub error: f64,
    pub updates: u64,
    pub explored: u64,
}

impl Running {
    pub fn new(players: u8) -> Self {
        Self {
            tally: Tally::new(players),
            ..Self::default()
        }
    }

    pub fn add(&mut self, ending: Ending) {
        self.tally.add(ending);
    }

    pub fn merge(&mut self, other: &Self) {
        self.tally.merge(&other.tally);
        self.error += other.error;
        self.updates += other.updates;
        self.explored += other.explored;
    }

    pub fn report(self, stopped: Option<Stop>) -> Report {
        Report {
            tally: self.tally,
            error: self.error / self.updates.max(1) as f64,
            updates: self.updates,
            explored: self.explored,
            stopped,
        }
    }
}

/// The games of the next round: few at first, so that the start of a curve can be seen, and then
/// an eighth of those played before, up to a limit. It depends on the number of games alone, so a
/// run that was broken off between rounds goes on as if it had not been.
fn length(done: u64, most: u64) -> u64 {
    (done / 8).clamp(16, most.max(16))
}

/// Splits a round over some threads and returns what each of them made of its share, in order.
pub(super) fn deal<T: Send>(
    round: &Round,
    count: usize,
    threads: &dyn Threads,
    work: impl Fn(&Round) -> T + Sync,
) -> Result<Vec<T>, KernelError> {
    let games = round.last - round.first;
    let bound = |index: usize| round.first + games * index as u64 / count as u64;
    side_by_side(threads, count, |index| {
        work(&Round {
            first: bound(index),
            last: bound(index + 1),
            ..*round
        })
    })
}
