//! What a search may spend, and the meter that holds it to that.
//!
//! A search makes one [`Meter`] from its [`Limits`] and ticks it once per node. The meter looks at
//! the clock and the cancel flag about once per millisecond, however slow the nodes are, and calls
//! the progress function many times per second. Once it has said stop it keeps saying stop.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::time::Duration;

use crate::error::KernelError;
use crate::host::{Clock, NoClock, OneThread, Threads};

/// The most ticks that pass between two looks at the clock.
const CHECK_EVERY: u64 = 1024;

/// The meter looks at the clock more often when a look comes later than this after the one before,
/// and less often when it comes sooner than half of it.
const LOOK_WITHIN: Duration = Duration::from_millis(1);

/// The shortest time between two calls of the progress function, which also notices Ctrl-C.
const PROGRESS_EVERY: Duration = Duration::from_millis(40);

/// Memory a search may take when nobody says otherwise: 256 MiB.
pub const DEFAULT_MEMORY: usize = 256 << 20;

/// What a running search tells about itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// What it is doing, one word.
    pub stage: &'static str,
    /// Nodes (or games, or positions) so far.
    pub nodes: u64,
    /// How deep, how far or which ply, as the stage has it.
    pub depth: u32,
    /// Time since the search began.
    pub elapsed: Duration,
}

/// Called a few times per second; returns whether to go on.
pub type ProgressFn<'a> = dyn Fn(&Progress) -> bool + Sync + 'a;

/// What a search may spend.
#[derive(Clone)]
pub struct Limits<'a> {
    /// Stop when the clock shows this time.
    pub deadline: Option<Duration>,
    /// Stop after this many nodes.
    pub nodes: Option<u64>,
    /// Never allocate more bytes than this.
    pub memory: usize,
    /// Stop soon after somebody sets this.
    pub cancel: Option<Arc<AtomicBool>>,
    /// Tell how it goes, and ask whether to go on.
    pub progress: Option<&'a ProgressFn<'a>>,
    /// What time it is.
    pub clock: &'a dyn Clock,
    /// Where to run several threads, for searches that use them.
    pub threads: &'a dyn Threads,
}

impl Default for Limits<'_> {
    fn default() -> Self {
        Self {
            deadline: None,
            nodes: None,
            memory: DEFAULT_MEMORY,
            cancel: None,
            progress: None,
            clock: &NoClock,
            threads: &OneThread,
        }
    }
}

impl fmt::Debug for Limits<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Limits")
            .field("deadline", &self.deadline)
            .field("nodes", &self.nodes)
            .field("memory", &self.memory)
            .field("cancel", &self.cancel)
            .field("progress", &self.progress.is_some())
            .finish()
    }
}

/// Why a search stopped before its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stop {
    /// The deadline passed.
    Deadline,
    /// The node limit was reached.
    Nodes,
    /// The memory limit was reached.
    Memory,
    /// The cancel flag was set or the progress function said no.
    Cancelled,
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Deadline => "deadline",
            Self::Nodes => "node limit",
            Self::Memory => "memory limit",
            Self::Cancelled => "cancelled",
        })
    }
}

/// Counts the nodes of one search and says when to stop.
pub struct Meter<'a> {
    limits: Limits<'a>,
    started: Duration,
    told: Duration,
    nodes: u64,
    looked: Duration,
    every: u64,
    next_check: u64,
    stopped: Option<Stop>,
    stage: &'static str,
    depth: u32,
}

impl<'a> Meter<'a> {
    /// Starts the clock.
    pub fn new(limits: &Limits<'a>) -> Self {
        let now = limits.clock.now();
        let mut meter = Self {
            limits: limits.clone(),
            started: now,
            told: now,
            nodes: 0,
            looked: now,
            every: 1,
            next_check: 0,
            stopped: None,
            stage: "search",
            depth: 0,
        };
        meter.check();
        meter
    }

    /// Names what the search is doing, for the progress function.
    pub fn stage(&mut self, stage: &'static str, depth: u32) {
        self.stage = stage;
        self.depth = depth;
    }

    /// Counts one node; `false` means stop.
    #[inline]
    pub fn tick(&mut self) -> bool {
        self.tick_many(1)
    }

    /// Counts `count` nodes at once; `false` means stop.
    #[inline]
    pub fn tick_many(&mut self, count: u64) -> bool {
        self.nodes += count;
        if self.nodes >= self.next_check {
            self.check();
        }
        self.stopped.is_none()
    }

    /// Looks at the clock, the flag and the node limit now; `false` means stop.
    #[cold]
    pub fn check(&mut self) -> bool {
        let now = self.limits.clock.now();
        if self.stopped.is_none() {
            self.stopped = self.reason(now);
        }
        if self.stopped.is_some() {
            self.next_check = 0;
            return false;
        }
        let since = now.saturating_sub(self.looked);
        if since > LOOK_WITHIN {
            self.every = (self.every / 2).max(1);
        } else if since < LOOK_WITHIN / 2 {
            self.every = (self.every * 2).min(CHECK_EVERY);
        }
        self.looked = now;
        self.next_check = self.nodes + self.every;
        if let Some(most) = self.limits.nodes {
            self.next_check = self.next_check.min(most);
        }
        true
    }

    /// Stops the search for a reason the meter cannot see.
    pub fn stop(&mut self, why: Stop) {
        self.stopped.get_or_insert(why);
        self.next_check = 0;
    }

    fn reason(&mut self, now: Duration) -> Option<Stop> {
        if self.limits.nodes.is_some_and(|most| self.nodes >= most) {
            return Some(Stop::Nodes);
        }
        if let Some(cancel) = &self.limits.cancel {
            if cancel.load(Ordering::Relaxed) {
                return Some(Stop::Cancelled);
            }
        }
        if self.limits.deadline.is_some_and(|deadline| now >= deadline) {
            return Some(Stop::Deadline);
        }
        if let Some(progress) = self.limits.progress {
            if now.saturating_sub(self.told) >= PROGRESS_EVERY {
                self.told = now;
                let report = Progress {
                    stage: self.stage,
                    nodes: self.nodes,
                    depth: self.depth,
                    elapsed: now.saturating_sub(self.started),
                };
                if !progress(&report) {
                    return Some(Stop::Cancelled);
                }
            }
        }
        None
    }

    /// Why the search has to stop, if it has to.
    pub fn stopped(&self) -> Option<Stop> {
        self.stopped
    }

    /// `Err` once the search has to stop.
    pub fn go_on(&self) -> Result<(), KernelError> {
        self.stopped
            .map_or(Ok(()), |stop| Err(KernelError::Stopped(stop)))
    }

    /// Nodes so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Bytes the search may take.
    pub fn memory(&self) -> usize {
        self.limits.memory
    }

    /// Time since the search began.
    pub fn elapsed(&self) -> Duration {
        self.limits.clock.now().saturating_sub(self.started)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU64;

    use super::*;

    /// A clock that a test moves on, in microseconds.
    #[derive(Default)]
    struct Steps(AtomicU64);

    impl Steps {
        fn pass(&self, micros: u64) {
            self.0.fetch_add(micros, Ordering::Relaxed);
        }
    }

    impl Clock for Steps {
        fn now(&self) -> Duration {
            Duration::from_micros(self.0.load(Ordering::Relaxed))
        }
    }

    #[test]
    fn node_limit_is_exact_and_sticks() {
        let limits = Limits {
            nodes: Some(1500),
            ..Limits::default()
        };
        let mut meter = Meter::new(&limits);
        let count = (0..10_000).take_while(|_| meter.tick()).count();
        assert_eq!(count, 1499);
        assert_eq!(meter.stopped(), Some(Stop::Nodes));
        assert!(!meter.tick());
        assert!(meter.go_on().is_err());
    }

    #[test]
    fn a_set_flag_stops_within_one_interval() {
        let flag = Arc::new(AtomicBool::new(false));
        let limits = Limits {
            cancel: Some(flag.clone()),
            ..Limits::default()
        };
        let mut meter = Meter::new(&limits);
        assert!((0..5000).all(|_| meter.tick()));
        flag.store(true, Ordering::Relaxed);
        let count = (0..10_000).take_while(|_| meter.tick()).count();
        assert!(count <= CHECK_EVERY as usize);
        assert_eq!(meter.stopped(), Some(Stop::Cancelled));
    }

    #[test]
    fn slow_nodes_do_not_overrun_the_deadline() {
        let clock = Steps::default();
        let limits = Limits {
            deadline: Some(Duration::from_millis(30)),
            clock: &clock,
            ..Limits::default()
        };
        let mut meter = Meter::new(&limits);
        let mut ticks = 0;
        while meter.tick() {
            clock.pass(2000);
            ticks += 1;
        }
        assert_eq!(meter.stopped(), Some(Stop::Deadline));
        assert_eq!(ticks, 15);
    }

    #[test]
    fn a_past_deadline_stops_at_once() {
        let limits = Limits {
            deadline: Some(Duration::ZERO),
            ..Limits::default()
        };
        let mut meter = Meter::new(&limits);
        assert!(!meter.tick());
        assert_eq!(meter.stopped(), Some(Stop::Deadline));
    }

    #[test]
    fn progress_is_told_and_can_say_no() {
        let told = std::sync::atomic::AtomicU32::new(0);
        let progress = |p: &Progress| {
            assert_eq!((p.stage, p.depth), ("count", 7));
            told.fetch_add(1, Ordering::Relaxed) < 1
        };
        let clock = Steps::default();
        let limits = Limits {
            progress: Some(&progress),
            clock: &clock,
            ..Limits::default()
        };
        let mut meter = Meter::new(&limits);
        meter.stage("count", 7);
        while meter.tick() {
            clock.pass(1);
        }
        let late = clock.now() - 2 * PROGRESS_EVERY;
        assert!(late <= 2 * LOOK_WITHIN, "{late:?}");
        assert_eq!(told.load(Ordering::Relaxed), 2);
        assert_eq!(meter.stopped(), Some(Stop::Cancelled));
    }
}
