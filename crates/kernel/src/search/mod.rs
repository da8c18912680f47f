//! What the searches of all families share.
//!
//! Solving is built from one question, put to a [`prover::Prover`]: can this seat force a win
//! within so many plies? The [`driver`] asks it with growing bounds, which gives the value and the
//! distance; the same questions about the positions after each move give the best moves. The [`Engine`] deepens an alpha-beta search and estimates what lies beyond.

pub(crate) mod deepen;
pub(crate) mod driver;
pub(crate) mod engine;
mod inquiry;
pub(crate) mod numbers;
pub(crate) mod plain;
pub(crate) mod proofs;
pub(crate) mod prover;
pub(crate) mod score;
pub(crate) mod solve;
pub(crate) mod table;
mod verdict;

pub use deepen::Evaluate;
pub use engine::{think, Engine, EngineChoice, EngineOptions, Think};
pub use score::{Proven, Score};
pub use solve::{Options, Solve};
pub use verdict::{Bounds, MoveValue, Value, ValueMap, Verdict};
