//! Tables in, searches out: the game-agnostic core of noughts.

pub mod error;
pub mod limits;
pub mod position;

pub use error::KernelError;
