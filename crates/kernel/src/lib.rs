//! Tables in, searches out: the game-agnostic core of noughts.

pub mod position;
