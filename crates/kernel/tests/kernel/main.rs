//! The tests of the kernel as one program, which is compiled and linked once.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod analysis;
mod batch;
mod boards;
mod capture;
mod connect;
mod count;
mod deepen;
mod engine;
mod engine_wins;
mod graphs;
mod gravity;
mod learn;
mod levels;
mod lines;
mod mcts;
mod solve;
