//! The thin Python binding of the noughts kernel: tables in, numbers out.

mod answers;
mod batch;
mod engine;
mod held;
mod learn;
mod levels;
mod search;
mod tables;

use pyo3::prelude::*;

/// Searches over the tables that a game compiles to.
#[pymodule]
mod _kernel {
    #[pymodule_export]
    use crate::batch::Batch;
    #[pymodule_export]
    use crate::engine::Engine;
    #[pymodule_export]
    use crate::learn::{Network, QLearner, TdLearner};
    #[pymodule_export]
    use crate::levels::choose;
    #[pymodule_export]
    use crate::search::Limited;
    #[pymodule_export]
    use crate::tables::{Moment, Tables};
}
