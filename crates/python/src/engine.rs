//! `Engine`: alpha-beta that remembers from move to move.

use std::sync::Arc;

use noughts_kernel::analysis::{analyse, AnalysisOptions, Curve};
use noughts_kernel::search::{Engine as KernelEngine, EngineOptions};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::answers::{analysis_dict, engine_dict};
use crate::held::Held;
use crate::search::{raise, run, Limited};
use crate::tables::{on_game, Game, Moment, Tables};

/// A curve as Python gives it: knots, whether they are mirrored, and the scale.
type CurveParts = (Vec<[f64; 4]>, bool, i32);

fn curve(py: Python<'_>, (knots, mirrored, scale): CurveParts) -> PyResult<Curve> {
    Curve::new(knots, mirrored, scale).map_err(|error| raise(py, &error))
}

/// An engine for one game, with a transposition table that it keeps between calls. Calls from
/// several threads take turns.
#[pyclass(frozen, module = "noughts._kernel")]
pub struct Engine {
    game: Arc<Game>,
    memory: usize,
    inner: Held<KernelEngine>,
}

#[pymethods]
impl Engine {
    /// An engine with an empty table of at most `memory` bytes.
    #[new]
    #[pyo3(signature = (tables, *, memory=None))]
    fn new(tables: &Tables, memory: Option<usize>) -> Self {
        Self {
            game: Arc::clone(&tables.game),
            memory: memory.unwrap_or(EngineOptions::default().table_memory),
            inner: Held::new(Box::default()),
        }
    }

    /// A strong move within the limits. What earlier calls found is used and grows old; with `fresh`
    /// the table starts empty, so that a search limited by nodes or depth repeats exactly. `fours`
    /// only matters in games of lines.
    #[pyo3(signature = (moment, limited, *, depth=None, fours=None, threads=1, every=false, fresh=false))]
    #[allow(clippy::too_many_arguments)] // keywords in Python
    fn think<'py>(
        &self,
        py: Python<'py>,
        moment: &Moment,
        limited: &Limited,
        depth: Option<u32>,
        fours: Option<u32>,
        threads: usize,
        every: bool,
        fresh: bool,
    ) -> PyResult<Bound<'py, PyDict>> {
        let usual = EngineOptions::default();
        let options = EngineOptions {
            depth,
            fours: fours.unwrap_or(usual.fours),
            threads,
            every,
            table_memory: self.memory,
        };
        let choice = run(py, limited, |limits| {
            self.inner.with(|engine| {
                if fresh {
                    engine.clear();
                }
                on_game!(self.game, |start| {
                    engine.think(&start.position(moment)?, &options, limits)
                })
            })
        })?;
        engine_dict(py, &choice)
    }

    /// What a position is worth, its best moves, and what every move is worth: one answer within the
    /// limits. The curves say what the scores of the engine and the means of simulated games are
    /// worth in this game; `by_engine` which of the two to ask.
    #[pyo3(signature = (moment, limited, *, by_engine, engine_curve, tree_curve, map_proofs=true, map_estimates=true, seed=0, threads=1))]
    #[allow(clippy::too_many_arguments)] // keywords in Python
    fn analyse<'py>(
        &self,
        py: Python<'py>,
        moment: &Moment,
        limited: &Limited,
        by_engine: bool,
        engine_curve: CurveParts,
        tree_curve: CurveParts,
        map_proofs: bool,
        map_estimates: bool,
        seed: u64,
        threads: usize,
    ) -> PyResult<Bound<'py, PyDict>> {
        let options = AnalysisOptions {
            by_engine,
            engine_curve: curve(py, engine_curve)?,
            tree_curve: curve(py, tree_curve)?,
            map_proofs,
            map_estimates,
            seed,
            threads,
            table_memory: self.memory,
        };
        let analysis = run(py, limited, |limits| {
            self.inner.with(|engine| {
                on_game!(self.game, |start| {
                    analyse(&start.position(moment)?, &options, limits, engine)
                })
            })
        })?;
        analysis_dict(py, &analysis)
    }

    /// Forgets everything and frees the table.
    fn clear(&self, py: Python<'_>) {
        self.inner.detached(py, |engine| engine.clear());
    }

    /// Bytes that the table takes now.
    #[getter]
    fn bytes(&self, py: Python<'_>) -> usize {
        self.inner.detached(py, |engine| engine.bytes())
    }

    /// The most bytes that the table may take.
    #[getter]
    fn memory(&self) -> usize {
        self.memory
    }
}
