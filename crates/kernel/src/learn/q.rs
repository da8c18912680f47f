//! Tabular Q-learning over the classes of positions.
//!
//! A move's value is kept with the class it leads to: moves that lead to one class share it. After
//! each game the values of its moves are drawn towards their targets, the last move first: towards
//! the result for the last, and for the others towards the discounted negative of the best reply.

use crate::encode::Encode;
use crate::error::KernelError;
use crate::host::Threads;
use crate::limits::Limits;
use crate::playouts::Ending;
use crate::position::Move;
use crate::rng::Rng;

use super::atlas::{code, greedy, Atlas};
use super::options::{Opponent, Report, Training};
use super::rounds::{self, deal, Round, Rounds, Running};

/// The games between two looks at the clock are at most this many on a small board.
const MAX_ROUND_GAMES: u64 = 32_768;

/// A table of values, and how it came about.
#[derive(Debug)]
pub struct QLearner<P: Encode> {
    roots: Vec<P>,
    atlas: Atlas,
    values: Vec<f32>,
    visits: Vec<u32>,
    games: u64,
}

/// One thread's table during a round.
struct Worker<'a> {
    atlas: &'a Atlas,
    values: &'a mut [f32],
    visits: &'a mut [u32],
    path: Vec<u32>,
    running: Running,
}

impl<P: Encode> QLearner<P> {
    /// An empty table for the games that begin at `roots`, which take turns as the start.
    pub fn new(roots: &[P], tiles: bool, limits: &Limits<'_>) -> Result<Self, KernelError> {
        let atlas = Atlas::new(roots, tiles, limits)?;
        let classes = atlas.len();
        Ok(Self {
            roots: roots.to_vec(),
            atlas,
            values: vec![0.0; classes],
            visits: vec![0; classes],
            games: 0,
        })
    }

    /// The classes of positions.
    pub fn atlas(&self) -> &Atlas {
        &self.atlas
    }

    /// What each class is worth to the player who made it.
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// How often each class was learned from.
    pub fn visits(&self) -> &[u32] {
        &self.visits
    }

    /// Games learned from.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Puts back what was learned before: the code, value and visits of some classes.
    pub fn restore(
        &mut self,
        games: u64,
        rows: impl Iterator<Item = (u128, f32, u32)>,
    ) -> Result<(), KernelError> {
        for (code, value, visits) in rows {
            let Some(class) = self.atlas.find(code) else {
                let why = format!("{code} is no class of this game");
                return Err(KernelError::Position(why));
            };
            self.values[class] = value;
            self.visits[class] = visits;
        }
        self.games = games;
        Ok(())
    }

    /// Learns from `games` more games.
    pub fn train(
        &mut self,
        games: u64,
        training: &Training,
        limits: &Limits<'_>,
    ) -> Result<Report, KernelError> {
        rounds::train(self, games, training, limits)
    }

    /// Learns from one game that somebody played from a root, move by move.
    pub fn learn(
        &mut self,
        root: usize,
        moves: &[Move],
        rate: f32,
        discount: f32,
    ) -> Result<f64, KernelError> {
        let mut here = match self.roots.get(root) {
            Some(root) => root.clone(),
            None => return Err(KernelError::Position(format!("there is no root {root}"))),
        };
        let (mut images, mut path) = (Vec::new(), Vec::with_capacity(moves.len()));
        for &mv in moves {
            here.try_play(mv)?;
            let class = self.atlas.find(code(&here, &mut images)?);
            path.extend(class.map(|class| class as u32));
        }
        let mut worker = Worker::new(&self.atlas, &mut self.values, &mut self.visits);
        worker.path = path;
        worker.learn(rate, discount);
        self.games += 1;
        Ok(worker.running.error / worker.running.updates.max(1) as f64)
    }
}

impl<P: Encode> Rounds for QLearner<P> {
    fn games(&mut self) -> &mut u64 {
        &mut self.games
    }

    /// Putting the threads' tables together costs as much as some games per class.
    fn longest(&self, _threads: usize) -> u64 {
        MAX_ROUND_GAMES.max(self.atlas.len() as u64 / 16)
    }

    fn play(&mut self, round: &Round) -> Running {
        let worker = Worker::new(&self.atlas, &mut self.values, &mut self.visits);
        worker.play_all(round)
    }

    /// A value ends up where it would be had the threads' updates come one after the other.
    fn share(
        &mut self,
        round: &Round,
        count: usize,
        threads: &dyn Threads,
    ) -> Result<Running, KernelError> {
        let (atlas, before) = (&self.atlas, &self.values);
        let learned = deal(round, count, threads, |part| {
            let (mut values, mut visits) = (before.clone(), vec![0; before.len()]);
            let running = Worker::new(atlas, &mut values, &mut visits).play_all(part);
            (values, visits, running)
        })?;
        let mut running = Running::new(2);
        let before = before.clone();
        for (values, visits, part) in &learned {
            running.merge(part);
            for (class, &times) in visits.iter().enumerate() {
                if times > 0 {
                    let kept = (1.0 - round.rate).powi(times as i32);
                    let change = self.values[class] - before[class];
                    self.values[class] = values[class] + kept * change;
                    self.visits[class] = self.visits[class].saturating_add(times);
                }
            }
        }
        Ok(running)
    }
}

impl<'a> Worker<'a> {
    fn new(atlas: &'a Atlas, values: &'a mut [f32], visits: &'a mut [u32]) -> Self {
        Self {
            atlas,
            values,
            visits,
            path: Vec::new(),
            running: Running::new(2),
        }
    }

    /// Plays and learns from the games of a round.
    fn play_all(mut self, round: &Round) -> Running {
        (round.first..round.last).for_each(|game| self.play(game, round));
        self.running
    }

    /// Plays game number `game` and learns from it. Starts take turns, and so do seats.
    #[inline]
    fn play(&mut self, game: u64, round: &Round) {
        let mut rng = Rng::new(round.seed, game);
        let roots = self.atlas.roots();
        let mut class = roots[(game % roots.len() as u64) as usize] as usize;
        let seat = (game / roots.len() as u64 % 2) as u8;
        self.path.clear();
        loop {
            let edges = self.atlas.edges(class);
            if edges.is_empty() {
                break;
            }
            let mine = round.opponent == Opponent::Itself || self.atlas.turn(class) == seat;
            let edge = if mine {
                if (rng.unit() as f32) < round.epsilon {
                    self.running.explored += 1;
                    edges.get(rng.below(edges.len() as u32) as usize)
                } else {
                    greedy(edges, self.values)
                }
            } else if round.opponent == Opponent::Random {
                edges.get(rng.below(edges.len() as u32) as usize)
            } else {
                any_best(self.atlas, edges, &mut rng)
            };
            let Some(&edge) = edge else { break };
            self.path.push(edge);
            class = edge as usize;
        }
        let ending = Ending {
            outcome: self.atlas.outcome(class),
            plies: self.path.len() as u32,
        };
        self.running.add(ending);
        self.learn(round.rate, round.discount);
    }

    /// Draws the values along the path towards their targets, last move first.
    #[inline]
    fn learn(&mut self, rate: f32, discount: f32) {
        for &class in self.path.iter().rev() {
            let class = class as usize;
            let edges = self.atlas.edges(class);
            let target = match greedy(edges, self.values) {
                Some(&reply) => -discount * self.values[reply as usize],
                None => self.atlas.result(class),
            };
            let error = target - self.values[class];
            self.values[class] += rate * error;
            self.visits[class] = self.visits[class].saturating_add(1);
            self.running.error += f64::from(error.abs());
        }
        self.running.updates += self.path.len() as u64;
    }
}

/// Any of the best moves, each as likely as the others.
fn any_best<'a>(atlas: &Atlas, edges: &'a [u32], rng: &mut Rng) -> Option<&'a u32> {
    let best = edges.iter().map(|edge| atlas.exact(*edge as usize)).max()?;
    let is_best = |edge: &&u32| atlas.exact(**edge as usize) == best;
    let count = edges.iter().filter(is_best).count();
    edges
        .iter()
        .filter(is_best)
        .nth(rng.below(count as u32) as usize)
}
