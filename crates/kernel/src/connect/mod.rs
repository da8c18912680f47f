//! The `connect` family: whoever joins their two edges with a chain of stones wins (Hex).

mod engine;
mod glance;
mod playout;
mod position;
mod rules;
mod solve;

pub use position::{AnyConnect, Connect, ConnectUndo};
pub use rules::ConnectTables;
