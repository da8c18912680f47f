//! What an object of Python holds and one thread changes at a time.

use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;

/// Something behind a lock. Whoever waits for it must not hold the interpreter lock, which the
/// thread that works on it may need to tell its progress.
pub struct Held<T: ?Sized>(Mutex<Box<T>>);

impl<T: ?Sized> Held<T> {
    /// Puts it behind a lock.
    pub fn new(inner: Box<T>) -> Self {
        Self(Mutex::new(inner))
    }

    /// Works on it without the interpreter lock.
    pub fn detached<R: Send>(&self, py: Python<'_>, work: impl FnOnce(&mut T) -> R + Send) -> R
    where
        T: Send,
    {
        py.detach(|| self.with(work))
    }

    /// Works on it in a thread that does not hold the interpreter lock.
    pub fn with<R>(&self, work: impl FnOnce(&mut T) -> R) -> R {
        // A panic in between leaves something that is still memory safe.
        let mut inner = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        work(inner.as_mut())
    }
}
