//! The `connect` family: whoever joins their two edges with a chain of stones wins (Hex).

mod distance;
mod inferior;
mod judge;
mod playout;
mod position;
mod reach;
mod rules;
mod search;
mod solve;
mod table;

pub use position::{AnyConnect, Connect, ConnectUndo};
pub use rules::ConnectTables;
