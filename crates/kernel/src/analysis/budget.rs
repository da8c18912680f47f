//! The limits of an analysis, dealt out to its searches one after the other.

use std::time::Duration;

use crate::limits::{Limits, Stop};

/// What each search gets even when the time is up, so that it can say something.
const MIN_TIME: Duration = Duration::from_millis(10);

/// What is left of some limits.
pub(super) struct Budget<'l> {
    limits: Limits<'l>,
    used: u64,
    cancelled: bool,
}

impl<'l> Budget<'l> {
    pub fn new(limits: &Limits<'l>) -> Self {
        Self {
            limits: limits.clone(),
            used: 0,
            cancelled: false,
        }
    }

    /// Limits for a part of the time and of the nodes that are left, at most so many bytes.
    pub fn share(&self, part: f64) -> Limits<'l> {
        let now = self.limits.clock.now();
        let mut limits = self.limits.clone();
        limits.deadline = limits.deadline.and_then(|deadline| {
            let left = deadline.saturating_sub(now).mul_f64(part);
            now.checked_add(left.max(MIN_TIME))
        });
        limits.nodes = limits.nodes.map(|nodes| {
            let left = nodes.saturating_sub(self.used);
            ((left as f64 * part) as u64).max(1)
        });
        limits
    }

    /// The same with fewer bytes.
    pub fn share_within(&self, part: f64, memory: usize) -> Limits<'l> {
        let mut limits = self.share(part);
        limits.memory = limits.memory.min(memory);
        limits
    }

    /// Whether there is nothing left.
    pub fn spent(&self) -> bool {
        let late = |deadline| self.limits.clock.now() >= deadline;
        self.cancelled
            || self.limits.nodes.is_some_and(|nodes| self.used >= nodes)
            || self.limits.deadline.is_some_and(late)
    }

    /// Takes note of what a search took and how it ended.
    pub fn spend(&mut self, nodes: u64, stopped: Option<Stop>) {
        self.used += nodes;
        self.cancelled |= stopped == Some(Stop::Cancelled);
    }

    /// Whether somebody said stop.
    pub fn cancelled(&self) -> bool {
        self.cancelled
    }

    /// Nodes so far.
    pub fn nodes(&self) -> u64 {
        self.used
    }
}
