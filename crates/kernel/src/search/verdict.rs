//! What the solver answers.

use std::time::Duration;

use crate::limits::{Meter, Stop};
use crate::position::Move;

/// The value of a position for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// The other side can force a win.
    Loss,
    /// Neither side can.
    Draw,
    /// The side to move can force a win.
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
    pub fn flipped(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }
}

/// Bounds on a value and on the number of plies until the game is won or lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The value is at least this.
    pub lower: Value,
    /// The value is at most this.
    pub upper: Value,
    /// A win or loss takes at least this many plies under best play.
    pub least: u32,
    /// And at most this many, if that is known.
    pub most: Option<u32>,
    /// The final margin lies between these two; `None` in games that do not score one.
    pub margin: Option<(i32, i32)>,
}

impl Bounds {
    /// Nothing known.
    pub const UNKNOWN: Self = Self {
        lower: Value::Loss,
        upper: Value::Win,
        least: 0,
        most: None,
        margin: None,
    };

    /// The value, if it is proven.
    pub fn value(&self) -> Option<Value> {
        (self.lower == self.upper).then_some(self.lower)
    }

    /// Plies until the end under best play (the winner hurries, the loser delays), if the game is
    /// proven won or lost and the number is proven too. Draws have none, except in games that score
    /// a margin: there it is the length of the line of best play.
    pub fn distance(&self) -> Option<u32> {
        let decided = self.value()? != Value::Draw || self.margin.is_some();
        self.most.filter(|most| decided && *most == self.least)
    }

    /// Whether the value, and the distance of a win or loss, are both proven.
    pub fn exact(&self) -> bool {
        self.value() == Some(Value::Draw) || self.distance().is_some()
    }

    /// The bounds of a move for its mover, given those of the position after it for the other side.
    pub(crate) fn before(&self) -> Self {
        Self {
            lower: self.upper.flipped(),
            upper: self.lower.flipped(),
            least: self.least + 1,
            most: self.most.map(|most| most + 1),
            margin: self.margin.map(|(lower, upper)| (-upper, -lower)),
        }
    }
}

/// What the solver found out about a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// The value and the distance, or how far they are known. For a game that is over: from the
    /// view of the seat that [`crate::position::Position::turn`] names, at distance 0.
    pub bounds: Bounds,
    /// Every best move in board order: of the best value, and of the best distance when the game is
    /// won or lost. When `stopped` is set, only those that were proven best in time; for a win of
    /// unknown distance, one move that wins.
    pub best: Vec<Move>,
    /// A line of best play, the first best move each time; as far as it was proven in time.
    pub line: Vec<Move>,
    /// Positions searched.
    pub nodes: u64,
    /// Time taken.
    pub elapsed: Duration,
    /// The limit that left something open, if one did.
    pub stopped: Option<Stop>,
}

impl Default for Bounds {
    fn default() -> Self {
        Self::UNKNOWN
    }
}

impl Verdict {
    /// The same with what the meter counted.
    pub(crate) fn counted(mut self, meter: &Meter<'_>) -> Self {
        self.nodes = meter.nodes();
        self.elapsed = meter.elapsed();
        self.stopped = meter.stopped();
        self
    }

    /// The value for the side to move, if it is proven.
    pub fn value(&self) -> Option<Value> {
        self.bounds.value()
    }

    /// Plies until the end under best play, if the game is proven won or lost in exactly so many.
    pub fn distance(&self) -> Option<u32> {
        self.bounds.distance()
    }

    /// Whether the value is proven.
    pub fn proven(&self) -> bool {
        self.value().is_some()
    }
}

/// One entry of a map: a legal move and what it is worth to its mover.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveValue {
    /// The move.
    pub mv: Move,
    /// Its value and distance for the mover, the move itself included.
    pub bounds: Bounds,
}

/// The value of every legal move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueMap {
    /// In board order.
    pub moves: Vec<MoveValue>,
    /// Positions searched.
    pub nodes: u64,
    /// Time taken.
    pub elapsed: Duration,
    /// The limit that left something open, if one did.
    pub stopped: Option<Stop>,
}

impl ValueMap {
    /// The values of some moves, with what the meter counted.
    pub(crate) fn new(moves: Vec<MoveValue>, meter: &Meter<'_>) -> Self {
        Self {
            moves,
            nodes: meter.nodes(),
            elapsed: meter.elapsed(),
            stopped: meter.stopped(),
        }
    }
}
