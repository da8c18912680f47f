//! What an exact search found out.

use std::time::Duration;

use crate::limits::Stop;
use crate::position::Move;

/// What a position is worth to the seat to move, or a move to the seat that makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// The other side can force a win.
    Loss,
    /// Neither side can force a win.
    Draw,
    /// This side can force a win.
    Win,
}

impl Value {
    /// The value of a margin: its sign.
    pub fn of_margin(margin: i32) -> Self {
        match margin {
            0 => Self::Draw,
            1.. => Self::Win,
            _ => Self::Loss,
        }
    }

    /// The same value seen from the other side.
    #[must_use]
    pub fn flip(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }
}

/// One legal move and what is known of it, seen by the seat that makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rated {
    /// The move.
    pub mv: Move,
    /// Its value; `None` when the search stopped before.
    pub value: Option<Value>,
    /// Plies from here to the end of the game, this move included.
    pub distance: Option<u32>,
    /// The final margin, in games that score one.
    pub margin: Option<i32>,
}

/// The answer of an exact search, seen by the seat to move.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// The value lies between these two, and they are equal once it is proven.
    pub bounds: (Value, Value),
    /// Plies to the end of the game under best play.
    pub distance: Option<u32>,
    /// The final margin lies between these two, in games that score one.
    pub margin: Option<(i32, i32)>,
    /// Every best move in board order; empty when the game is over or nothing is proven.
    pub best: Vec<Move>,
    /// A principal line: the first best move of each position, in board order.
    pub line: Vec<Move>,
    /// Every legal move, when the map was asked for.
    pub map: Vec<Rated>,
    /// Why the search stopped before it had everything that was asked for.
    pub stopped: Option<Stop>,
    /// Nodes searched.
    pub nodes: u64,
    /// Time taken.
    pub elapsed: Duration,
}

impl Verdict {
    /// The value, once proven.
    pub fn value(&self) -> Option<Value> {
        (self.bounds.0 == self.bounds.1).then_some(self.bounds.0)
    }

    /// Whether the value is proven.
    pub fn proven(&self) -> bool {
        self.value().is_some()
    }
}
