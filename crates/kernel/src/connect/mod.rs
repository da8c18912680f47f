//! The `connect` family: whoever joins their two edges with a chain of stones wins (Hex).

mod position;
mod rules;

pub use position::{AnyConnect, Connect, ConnectUndo};
pub use rules::ConnectTables;
