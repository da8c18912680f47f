//! The `capture` family: marks spread to neighbouring cells and turn the marks they touch
//! (Infinity Grid Duel).

mod engine;
mod glance;
mod position;
mod solve;

pub use position::{AnyCapture, Capture, CaptureTables, CaptureUndo};
