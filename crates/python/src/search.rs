//! Running a search off the interpreter lock: limits in, signals and progress out, errors over.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use noughts_kernel::host::Clock;
use noughts_kernel::limits::{Limits, Progress, DEFAULT_MEMORY};
use noughts_kernel::native::Native;
use noughts_kernel::KernelError;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// What a search may spend, and the way to stop it from another thread.
#[pyclass(frozen, module = "noughts._kernel")]
pub struct Limited {
    seconds: Option<f64>,
    nodes: Option<u64>,
    memory: usize,
    progress: Option<Py<PyAny>>,
    cancel: Arc<AtomicBool>,
}

#[pymethods]
impl Limited {
    /// At most so many seconds, nodes and bytes; `progress` hears many times a second of the
    /// stage, the depth, the nodes and the seconds so far.
    #[new]
    #[pyo3(signature = (*, seconds=None, nodes=None, memory=None, progress=None))]
    fn new(
        seconds: Option<f64>,
        nodes: Option<u64>,
        memory: Option<usize>,
        progress: Option<Py<PyAny>>,
    ) -> Self {
        Self {
            seconds,
            nodes,
            memory: memory.unwrap_or(DEFAULT_MEMORY),
            progress,
            cancel: Arc::default(),
        }
    }

    /// Stops the search that runs with these limits, and any that starts with them later.
    fn cancel(&self) {
        self.cancel.store(true, Ordering::Relaxed);
    }
}

/// Runs `search` without the interpreter lock. Ctrl-C and an exception in the progress function
/// stop it and are raised; its own error becomes a `SearchError`.
pub fn run<T: Send>(
    py: Python<'_>,
    limited: &Limited,
    search: impl FnOnce(&Limits<'_>) -> Result<T, KernelError> + Send,
) -> PyResult<T> {
    let raised: Mutex<Option<PyErr>> = Mutex::new(None);
    let watch = |progress: &Progress| {
        let checked = Python::attach(|py| {
            py.check_signals()?;
            tell(py, limited.progress.as_ref(), progress)
        });
        let go_on = checked.is_ok();
        if let (Err(error), Ok(mut slot)) = (checked, raised.lock()) {
            slot.get_or_insert(error);
        }
        go_on
    };
    let span = limited
        .seconds
        .and_then(|seconds| Duration::try_from_secs_f64(seconds.max(0.0)).ok());
    let limits = Limits {
        deadline: span.and_then(|span| Native.now().checked_add(span)),
        nodes: limited.nodes,
        memory: limited.memory,
        cancel: Some(limited.cancel.clone()),
        progress: Some(&watch),
        clock: &Native,
        threads: &Native,
    };
    let guarded = std::panic::AssertUnwindSafe(|| search(&limits));
    let result = py.detach(|| std::panic::catch_unwind(guarded));
    if let Some(error) = raised.into_inner().ok().flatten() {
        return Err(error);
    }
    match result {
        Ok(result) => result.map_err(|error| raise(py, &error)),
        Err(_) => Err(PyRuntimeError::new_err(
            "the kernel panicked; please report this",
        )),
    }
}

fn tell(py: Python<'_>, function: Option<&Py<PyAny>>, progress: &Progress) -> PyResult<()> {
    let Some(function) = function else {
        return Ok(());
    };
    let seconds = progress.elapsed.as_secs_f64();
    let news = (progress.stage, progress.depth, progress.nodes, seconds);
    function.call1(py, news).map(|_| ())
}

/// The Python exception for an error of the kernel.
pub fn raise(py: Python<'_>, error: &KernelError) -> PyErr {
    let code = match error {
        KernelError::Tables(_) => "invalid_tables",
        KernelError::Position(_) => "invalid_position",
        KernelError::IllegalMove(_) | KernelError::IllegalMoveIn { .. } => "illegal_move",
        KernelError::Memory { .. } => "out_of_memory",
        KernelError::Overflow => "overflow",
        KernelError::Stopped(_) => "stopped",
        KernelError::Thread => "thread",
        _ => "search_does_not_apply",
    };
    let made = py
        .import("noughts.errors")
        .and_then(|errors| errors.getattr("SearchError"))
        .and_then(|kind| kind.call1((error.to_string(), code)));
    match made {
        Ok(value) => PyErr::from_value(value),
        Err(error) => error,
    }
}
