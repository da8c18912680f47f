//! Tables in, searches out: the game-agnostic core of noughts.

pub mod analysis;
pub mod batch;
#[cfg(test)]
extern crate self as noughts_kernel;

pub mod bits;
pub mod capture;
pub mod connect;
pub mod count;
pub mod encode;
pub mod error;
mod graph;
pub mod host;
pub mod learn;
pub mod levels;
pub mod limits;
pub mod lines;
pub mod mcts;
mod memory;
#[cfg(feature = "native")]
pub mod native;
pub mod perft;
pub mod playouts;
pub mod position;
pub mod rng;
pub mod search;
mod symmetry;

pub use error::KernelError;
