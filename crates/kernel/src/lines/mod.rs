//! The `lines` family: whoever holds every cell of a winning set has completed it.
//!
//! Tables come in as [`LinesTables`], are checked and compiled to [`Rules`], and a
//! [`Lines`] position plays on those. [`AnyLines`] picks the word size.

mod engine;
mod glance;
mod playout;
mod position;
mod rules;
mod solve;
mod tables;

pub use position::{AnyLines, Lines, LinesUndo};
pub use rules::Rules;
pub use tables::{LinesTables, WinningSet, MAX_CELLS, MAX_PLAYERS, MAX_SETS, MAX_SYMMETRIES};
