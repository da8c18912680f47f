//! What learners are told, and what they tell.

use crate::error::KernelError;
use crate::limits::Stop;
use crate::playouts::{Ending, Tally};

/// A number that changes evenly from the first game to the last.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Schedule {
    /// At the first game.
    pub from: f32,
    /// At the last game.
    pub to: f32,
}

impl Schedule {
    /// The number once `done` of `total` games are played.
    pub fn at(&self, done: u64, total: u64) -> f32 {
        let share = if total == 0 {
            1.0
        } else {
            (done as f64 / total as f64).min(1.0)
        };
        self.from + (self.to - self.from) * share as f32
    }
}

/// Whom a learner plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opponent {
    /// Both seats are its own.
    Itself,
    /// Any legal move.
    Random,
    /// Any best move.
    Perfect,
}

/// How to train.
#[derive(Clone, Debug)]
pub struct Training {
    /// The seed of all games.
    pub seed: u64,
    /// The number of games that the schedules span.
    pub total: u64,
    /// The chance of a random move.
    pub epsilon: Schedule,
    /// How far a value moves towards its target.
    pub rate: Schedule,
    /// What a result one ply later is worth.
    pub discount: f32,
    /// Who sits opposite.
    pub opponent: Opponent,
    /// How many threads play.
    pub threads: usize,
}

impl Training {
    /// Refuses numbers that no training can use.
    pub fn check(&self) -> Result<(), KernelError> {
        let bad = |what: &str| Err(KernelError::Unsupported(what.to_string()));
        let share = |number: f32| (0.0..=1.0).contains(&number);
        if !share(self.epsilon.from) || !share(self.epsilon.to) {
            return bad("an epsilon that is not from 0 to 1");
        }
        if !share(self.discount) {
            return bad("a discount that is not from 0 to 1");
        }
        if !share(self.rate.from) || !share(self.rate.to) {
            return bad("a learning rate that is not from 0 to 1");
        }
        Ok(())
    }
}

/// What a stretch of training came to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// The games played, by outcome and length.
    pub tally: Tally,
    /// How far values were from their targets, on average.
    pub error: f64,
    /// Over how many values that average goes.
    pub updates: u64,
    /// Moves that were drawn at random to explore.
    pub explored: u64,
    /// Why fewer games were played than asked, if so.
    pub stopped: Option<Stop>,
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
pub(super) fn round(done: u64, most: u64) -> u64 {
    (done / 8).clamp(16, most.max(16))
}

/// Plays the games `first..last` on some threads and returns what each of them made of its share,
/// in order.
pub(super) fn deal<T: Send>(
    first: u64,
    last: u64,
    threads: usize,
    work: impl Fn(u64, u64) -> T + Sync,
) -> Result<Vec<T>, KernelError> {
    let count = threads.clamp(1, 256) as u64;
    let bound = |index: u64| first + (last - first) * index / count;
    let work = &work;
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..count)
            .map(|index| scope.spawn(move || work(bound(index), bound(index + 1))))
            .collect();
        let mut all = vec![work(first, bound(1))];
        for other in others {
            all.push(other.join().map_err(|_| KernelError::Thread)?);
        }
        Ok(all)
    })
}
