//! The clock and the threads of the operating system.

use std::sync::OnceLock;
use std::thread::{scope, Builder};
use std::time::{Duration, Instant};

use crate::host::{Clock, Job, Threads};
use crate::limits::Limits;

/// The clock and the threads of the operating system.
#[derive(Clone, Copy, Debug, Default)]
pub struct Native;

impl Clock for Native {
    fn now(&self) -> Duration {
        static START: OnceLock<Instant> = OnceLock::new();
        START.get_or_init(Instant::now).elapsed()
    }
}

impl Threads for Native {
    fn run(&self, jobs: Vec<Job<'_>>) {
        let mut jobs = jobs.into_iter();
        let first = jobs.next();
        scope(|scope| {
            let others: Vec<_> = jobs
                .filter_map(|job| Builder::new().spawn_scoped(scope, job).ok())
                .collect();
            if let Some(job) = first {
                job();
            }
            // Who asked for the work sees that the result of a thread that panicked is missing.
            others.into_iter().for_each(|other| drop(other.join()));
        });
    }
}

/// No limits but the default memory, with the clock and the threads of the operating system.
pub fn unlimited() -> Limits<'static> {
    Limits {
        clock: &Native,
        threads: &Native,
        ..Limits::default()
    }
}

/// The same with a deadline.
pub fn within(span: Duration) -> Limits<'static> {
    Limits {
        deadline: Native.now().checked_add(span),
        ..unlimited()
    }
}
