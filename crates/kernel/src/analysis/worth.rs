//! What a position or a move is worth: certain, or estimated, and never a bit of both.

use std::cmp::Ordering;

use super::Method;
use crate::search::{Bounds, Value};

/// A value that is certain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Certain {
    /// For the seat that it is seen by.
    pub value: Value,
    /// Plies to the end under best play, where that is proven too.
    pub distance: Option<u32>,
    /// The lead in the end, in games that score one.
    pub margin: Option<i32>,
    /// The game is decided after at most this many plies, where only that is proven.
    pub within: Option<u32>,
}

impl Certain {
    /// A value of which nothing else is known.
    pub fn only(value: Value) -> Self {
        Self {
            value,
            distance: None,
            margin: None,
            within: None,
        }
    }

    /// What bounds prove, if they prove a value.
    pub fn of(bounds: &Bounds) -> Option<Self> {
        let margin = bounds.margin.filter(|(lower, upper)| lower == upper);
        Some(Self {
            distance: bounds.distance(),
            margin: margin.map(|margin| margin.0),
            ..Self::only(bounds.value()?)
        })
    }

    /// Whether nothing better or worse of the same value can hide behind it.
    pub(super) fn is_exact(&self) -> bool {
        self.distance.is_some() || self.margin.is_some() || self.value == Value::Draw
    }

    /// What is certain of a position that has a move worth this, but may have a better one.
    pub(super) fn loosened(self) -> Self {
        Self {
            within: self
                .within
                .or(self.distance.filter(|_| self.margin.is_none())),
            ..Self::only(self.value)
        }
    }

    /// 1 for a win, 0 for a draw, -1 for a loss.
    pub fn score(&self) -> f64 {
        match self.value {
            Value::Loss => -1.0,
            Value::Draw => 0.0,
            Value::Win => 1.0,
        }
    }

    /// Sorts what is better higher: by value, then more tiles, a sooner win, a later loss.
    fn rank(&self) -> (Value, i64) {
        if let Some(margin) = self.margin {
            return (self.value, i64::from(margin));
        }
        let plies = self.distance.or(self.within).map_or(1_000_000, i64::from);
        let rank = match self.value {
            Value::Loss => plies,
            Value::Draw => 0,
            Value::Win => -plies,
        };
        (self.value, rank)
    }

    /// Which of two is better for who has them.
    pub fn better(&self, other: &Self) -> Ordering {
        self.rank().cmp(&other.rank())
    }

    /// How much is known besides the value: a margin or distance, a bound on it, nothing.
    pub(super) fn detail(&self) -> (bool, bool, i64) {
        let within = self.within.map_or(i64::MIN, |within| -i64::from(within));
        (self.margin.is_some(), self.distance.is_some(), within)
    }
}

/// What a search thinks, and how far off it may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The expected result: 1 is a sure win, 0 even, -1 a sure loss.
    pub score: f64,
    /// The least that it may be,
    pub low: f64,
    /// and the most.
    pub high: f64,
    /// Which search says so.
    pub method: Method,
    /// Positions searched, or games simulated.
    pub samples: u64,
}

impl Estimate {
    /// The same, but no better than a score.
    pub(super) fn at_most(self, score: f64) -> Self {
        Self {
            score: self.score.min(score),
            low: self.low.min(score),
            ..self
        }
    }

    /// The same where nothing above a result is possible.
    pub(super) fn capped(self, most: f64) -> Self {
        if self.high <= most {
            return self;
        }
        Self {
            low: self.low.min((most - self.high + self.low).max(-1.0)),
            high: most,
            ..self.at_most(most)
        }
    }
}

/// Either.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Worth {
    /// Proven.
    Certain(Certain),
    /// Not proven.
    Estimate(Estimate),
}

impl Worth {
    /// The expected result, from -1 to 1.
    pub fn score(&self) -> f64 {
        match self {
            Self::Certain(certain) => certain.score(),
            Self::Estimate(estimate) => estimate.score,
        }
    }

    /// What is certain of it.
    pub fn certain(&self) -> Option<&Certain> {
        match self {
            Self::Certain(certain) => Some(certain),
            Self::Estimate(_) => None,
        }
    }
}
