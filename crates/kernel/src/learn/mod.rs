//! Learning from play: tables of values for small boards, networks of tuples for large ones.
//!
//! Both learn the value of a position for the player who has just made it, so a move is worth
//! what the position after it is worth, and a position is worth the negative of the best reply.
//! Training is deterministic for a seed and a number of threads: game number `i` draws from stream
//! `i`, games are dealt out in rounds, and what the threads learn in a round is put together in
//! the same order every time.

mod atlas;
mod network;
mod options;
mod q;
mod rounds;
mod td;

pub use atlas::{codes_after, Atlas, Grade};
pub use network::{look, Network, Rated, TupleTables};
pub use options::{Opponent, Report, Schedule, Training};
pub use q::QLearner;
pub use td::{Played, TdLearner, TdOptions, Update};
