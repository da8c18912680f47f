//! What learners are told, and what they tell.

use crate::error::KernelError;
use crate::limits::Stop;
use crate::playouts::Tally;

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
