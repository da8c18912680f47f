//! What a search gets from its caller: the time, and threads to run on.
//!
//! The kernel starts no threads and reads no clock itself, so that it also runs where there are none,
//! such as in a web page. [`crate::native`] has both for programs of an operating system.

use std::time::Duration;

use crate::error::KernelError;

/// Tells the time.
pub trait Clock: Sync {
    /// Time since some fixed moment; it never goes back.
    fn now(&self) -> Duration;
}

/// One piece of work for a thread.
pub type Job<'j> = Box<dyn FnOnce() + Send + 'j>;

/// Runs pieces of work side by side.
pub trait Threads: Sync {
    /// Runs every job, the first one in the calling thread, and returns when all are done. A job
    /// that could not be run is dropped.
    fn run(&self, jobs: Vec<Job<'_>>);
}

/// A clock that stands still: deadlines never pass, and no time is taken.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoClock;

impl Clock for NoClock {
    fn now(&self) -> Duration {
        Duration::ZERO
    }
}

/// Runs one job after the other.
#[derive(Clone, Copy, Debug, Default)]
pub struct OneThread;

impl Threads for OneThread {
    fn run(&self, jobs: Vec<Job<'_>>) {
        jobs.into_iter().for_each(|job| job());
    }
}

/// Does `count` pieces of work side by side, and returns what each came to, in order.
pub(crate) fn side_by_side<T: Send>(
    threads: &dyn Threads,
    count: usize,
    work: impl Fn(usize) -> T + Sync,
) -> Result<Vec<T>, KernelError> {
    if count == 1 {
        return Ok(vec![work(0)]);
    }
    let work = &work;
    let mut results: Vec<Option<T>> = (0..count).map(|_| None).collect();
    let jobs = results.iter_mut().enumerate();
    let jobs =
        jobs.map(|(index, result)| -> Job<'_> { Box::new(move || *result = Some(work(index))) });
    threads.run(jobs.collect());
    let done = results
        .into_iter()
        .map(|result| result.ok_or(KernelError::Thread));
    done.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Lazy;

    impl Threads for Lazy {
        fn run(&self, jobs: Vec<Job<'_>>) {
            jobs.into_iter().skip(1).for_each(|job| job());
        }
    }

    #[test]
    fn results_come_in_order_and_lost_work_is_an_error() {
        for count in [1, 4] {
            let squares = side_by_side(&OneThread, count, |index| index * index);
            assert_eq!(squares, Ok((0..count).map(|index| index * index).collect()));
        }
        let lost = side_by_side(&Lazy, 3, |index| index);
        assert_eq!(lost, Err(KernelError::Thread));
    }
}
