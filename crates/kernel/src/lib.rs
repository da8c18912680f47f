//! Tables in, searches out: the game-agnostic core of noughts.

pub mod bits;
pub mod capture;
pub mod connect;
pub mod error;
mod graph;
pub mod limits;
pub mod position;
pub mod verdict;
