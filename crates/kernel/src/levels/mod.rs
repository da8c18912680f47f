//! A level's choice: a short look ahead that overlooks what people overlook.
//!
//! What must stay true: a win on the spot is taken, and a move that loses on the spot is only made
//! where every move does, whatever the level. A careful level never leaves the next seat a win on
//! the spot where another move prevents it. All else is a search with gaps: each continuation may be
//! overlooked, the more likely the deeper it lies and the less it catches the eye. What is
//! overlooked follows from the seed and the position alone, so that the same seed errs in the same
//! way, on every machine and without a clock.

mod attention;
mod notice;
mod search;

use crate::error::KernelError;
use crate::limits::{Limits, Stop};
use crate::position::Move;
use crate::search::Score;

pub use notice::{Glance, Kind, Notice};

/// How well a level plays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    /// Plies to look ahead at most; forced answers come on top.
    pub depth: u32,
    /// How many moves of a position are considered at most.
    pub width: usize,
    /// How easily it overlooks a move, from 0 (never) to 1.
    pub lapses: f32,
    /// How far off its judgement is, as a part of how much the moves differ.
    pub noise: f32,
    /// Whether it never hands over a win on the spot.
    pub careful: bool,
    /// The same seed errs in the same way.
    pub seed: u64,
}

/// What speaks for a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Saw {
    /// It wins on the spot.
    Win,
    /// It keeps the next seat from winning on the spot.
    Block,
    /// There is no other move, or none that does not lose on the spot or hand over a win on the spot.
    OnlyMove,
    /// It looked best after so many plies.
    Depth(u32),
}

/// What a level came to.
#[derive(Clone, Debug, PartialEq)]
pub struct LevelChoice {
    /// The move to play.
    pub best: Move,
    /// What the level thinks it is worth to the seat to move; it may be wrong.
    pub score: Score,
    /// What speaks for it.
    pub saw: Saw,
    /// The moves it considered, each with what it thinks of it at most, in board order.
    pub moves: Vec<(Move, Score)>,
    /// Positions visited.
    pub nodes: u64,
    /// The limit that ended the look ahead, if one did.
    pub stopped: Option<Stop>,
}

/// Chooses a move as a level does. A game that is over is an error. With a limit of nodes the answer
/// depends on nothing else than what is given here.
pub fn choose<P: Notice>(
    position: &P,
    level: &Level,
    limits: &Limits<'_>,
) -> Result<LevelChoice, KernelError> {
    if let Some(outcome) = position.outcome() {
        let why = format!("the game is over: {outcome:?}");
        return Err(KernelError::Position(why));
    }
    Ok(search::Search::new(position, level, limits).choose())
}
