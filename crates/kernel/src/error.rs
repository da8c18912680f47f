//! What can go wrong: one enum for the whole kernel.

use std::fmt;

use crate::limits::Stop;
use crate::position::Move;

/// Why the kernel refused or stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum KernelError {
    /// The tables of a game contradict themselves or exceed what a family takes.
    Tables(String),
    /// The cells or the turn of a position are not ones the tables allow.
    Position(String),
    /// The move is not legal in the position.
    IllegalMove(Move),
    /// The move is not legal in this game of a batch; no move was played in any of them.
    IllegalMoveIn {
        /// The game's place in the batch.
        game: usize,
        /// The move.
        mv: Move,
    },
    /// A slice has the wrong length.
    Shape(String),
    /// The search does not do this (more than two players, a board too large).
    Unsupported(String),
    /// More memory is needed than was given.
    Memory {
        /// Bytes the work would have taken.
        needed: usize,
        /// Bytes it was given.
        given: usize,
    },
    /// A count does not fit into 128 bits.
    Overflow,
    /// A limit was reached where there is no honest partial answer.
    Stopped(Stop),
    /// A worker thread ended without an answer.
    Thread,
}

impl fmt::Display for KernelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tables(why) => write!(f, "bad tables: {why}"),
            Self::Position(why) => write!(f, "bad position: {why}"),
            Self::IllegalMove(mv) => write!(f, "illegal move: {mv}"),
            Self::IllegalMoveIn { game, mv } => write!(f, "illegal move in game {game}: {mv}"),
            Self::Shape(why) => write!(f, "wrong length: {why}"),
            Self::Unsupported(what) => write!(f, "not supported: {what}"),
            Self::Memory { needed, given } => {
                write!(
                    f,
                    "out of memory: {needed} bytes needed, {given} bytes given"
                )
            }
            Self::Overflow => write!(f, "the count does not fit into 128 bits"),
            Self::Stopped(stop) => write!(f, "stopped: {stop}"),
            Self::Thread => write!(f, "a worker thread ended without an answer"),
        }
    }
}

impl std::error::Error for KernelError {}
