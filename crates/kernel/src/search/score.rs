//! Scores: an estimate in the middle, proven wins and losses at the ends.

use super::verdict::Value;

/// What a position is worth to the seat to move.
pub type Score = i32;

/// A win on the spot. A win `n` plies away is worth `n` less.
pub(crate) const MATE: Score = 32_000;
/// Scores from here up are proven wins; from its negative down, proven losses.
pub(crate) const WON: Score = 31_000;
/// Estimates stay within this.
pub(crate) const MAX_ESTIMATE: Score = 20_000;

/// A forced result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Proven {
    /// For the seat to move.
    pub value: Value,
    /// The winner has won after at most this many plies; a shorter win may exist.
    pub distance: u32,
}

/// The forced result that a score stands for, if it stands for one.
pub(crate) fn proven(score: Score) -> Option<Proven> {
    let value = match score {
        WON.. => Value::Win,
        _ if score <= -WON => Value::Loss,
        _ => return None,
    };
    Some(Proven {
        value,
        distance: (MATE - score.abs()).max(0) as u32,
    })
}
