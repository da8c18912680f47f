//! The `capture` family: marks spread to neighbouring cells and turn the marks they touch
//! (Infinity Grid Duel).

mod judge;
mod position;
mod search;
mod solve;
mod table;

pub use position::{AnyCapture, Capture, CaptureTables, CaptureUndo};
