//! Temporal-difference learning of a network of tuples by self-play.
//!
//! After each game every position of it is drawn towards its λ-return, seen by the player who made
//! it: a mixture of the values of all later positions and the result. Where the learner explored,
//! the return takes the value of the move it would rather have made; what an opponent does is taken
//! as it comes, so the learner finds out how to beat that opponent. Each weight has a learning rate
//! of its own that falls as its errors begin to cancel out (temporal coherence).

use crate::error::KernelError;
use crate::host::Threads;
use crate::limits::Limits;
use crate::playouts::Ending;
use crate::position::{Move, Outcome, Position};
use crate::rng::Rng;

use super::network::{worth, Network, Rated, Reader};
use super::options::{Opponent, Report, Training};
use super::rounds::{self, deal, Round, Rounds, Running};

/// The games of a round are at most this many for each thread, since threads do not see what the
/// others learn in it.
const MAX_ROUND_GAMES: u64 = 64;

/// What a network learns with, besides the numbers that every training has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TdOptions {
    /// How far the return looks ahead: 0 one move, 1 to the result.
    pub lambda: f32,
    /// Games begin with up to this many random moves.
    pub opening: u32,
}

/// How a game changes the weights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Update {
    /// How far a value moves towards its target.
    pub rate: f32,
    /// What a result one ply later is worth.
    pub discount: f32,
    /// How far the return looks ahead: 0 one move, 1 to the result.
    pub lambda: f32,
}

/// A game that was played elsewhere.
#[derive(Clone, Copy, Debug)]
pub struct Played<'a> {
    /// The number of the root it began from.
    pub root: usize,
    /// All its moves.
    pub moves: &'a [Move],
    /// How many of the first moves were drawn by lot.
    pub opening: usize,
    /// The learner's seat, or both.
    pub seat: Option<u8>,
}

/// A network in training.
#[derive(Clone, Debug)]
pub struct TdLearner<P: Position> {
    roots: Vec<P>,
    trained: Trained,
    games: u64,
}

/// The weights with the sums of their errors and of those errors' sizes.
#[derive(Clone, Debug)]
struct Trained {
    network: Network,
    sums: Vec<f32>,
    sizes: Vec<f32>,
}

/// One move of a game that was played.
#[derive(Clone, Copy, Debug)]
struct Step {
    seat: u8,
    /// The best value there was to choose.
    best: f32,
    /// Whether another move was made in order to explore.
    explored: bool,
}

/// A game that was played: its steps, and the places of the position after each.
#[derive(Debug, Default)]
struct Trace {
    steps: Vec<Step>,
    places: Vec<u32>,
}

/// A learner with the options of one training.
struct Session<'l, P: Position> {
    learner: &'l mut TdLearner<P>,
    options: TdOptions,
}

impl<P: Position> TdLearner<P> {
    /// Trains a network from games that begin at `roots`, which take turns as the start.
    pub fn new(roots: &[P], network: Network) -> Result<Self, KernelError> {
        let fits = |root: &P| root.players() == 2 && root.cells() == network.shape().cells;
        if roots.is_empty() || !roots.iter().all(fits) {
            let why = "a network for other than two players on its board".to_string();
            return Err(KernelError::Unsupported(why));
        }
        let size = network.weights().len();
        let trained = Trained {
            network,
            sums: vec![0.0; size],
            sizes: vec![0.0; size],
        };
        Ok(Self {
            roots: roots.to_vec(),
            trained,
            games: 0,
        })
    }

    /// The network.
    pub fn network(&self) -> &Network {
        &self.trained.network
    }

    /// The sums of each weight's errors, and of their sizes.
    pub fn coherence(&self) -> (&[f32], &[f32]) {
        (&self.trained.sums, &self.trained.sizes)
    }

    /// Games learned from.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Puts back what was learned before.
    pub fn restore(
        &mut self,
        games: u64,
        weights: &[f32],
        sums: &[f32],
        sizes: &[f32],
    ) -> Result<(), KernelError> {
        let size = self.trained.sums.len();
        if [weights, sums, sizes].iter().any(|part| part.len() != size) {
            return Err(KernelError::Shape(format!("{size} weights wanted")));
        }
        self.trained.network.weights_mut().copy_from_slice(weights);
        self.trained.sums.copy_from_slice(sums);
        self.trained.sizes.copy_from_slice(sizes);
        self.games = games;
        Ok(())
    }

    /// Learns from `games` more games.
    pub fn train(
        &mut self,
        games: u64,
        training: &Training,
        options: &TdOptions,
        limits: &Limits<'_>,
    ) -> Result<Report, KernelError> {
        if training.opponent == Opponent::Perfect {
            let why = "a perfect opponent on a board without a table".to_string();
            return Err(KernelError::Unsupported(why));
        }
        let mut session = Session {
            learner: self,
            options: *options,
        };
        rounds::train(&mut session, games, training, limits)
    }

    /// Learns from one game that was played from a root, move by move, and in which the learner
    /// had one seat or both. The first `opening` moves were nobody's choice.
    pub fn learn(&mut self, game: &Played<'_>, update: &Update) -> Result<f64, KernelError> {
        let Played {
            root,
            moves,
            opening,
            seat,
        } = *game;
        let mut here = match self.roots.get(root) {
            Some(root) => root.clone(),
            None => return Err(KernelError::Position(format!("there is no root {root}"))),
        };
        let mut reader = Reader::new(&self.trained.network, &here);
        let (mut trace, mut running) = (Trace::default(), Running::new(2));
        let (mut legal, mut rated) = (Vec::new(), Vec::new());
        for (ply, &mv) in moves.iter().enumerate() {
            if ply < opening {
                here.try_play(mv)?;
                reader.follow(&self.trained.network, &here);
                continue;
            }
            here.legal_moves(&mut legal);
            reader.rate(&self.trained.network, &mut here, &legal, &mut rated);
            let best = rated.iter().fold(-1.0f32, |best, r| best.max(r.value));
            let chosen = rated.iter().find(|rated| rated.mv == mv);
            let step = Step {
                seat: here.turn(),
                best,
                explored: seat.is_none_or(|seat| seat == here.turn())
                    && chosen.is_none_or(|chosen| chosen.value < best),
            };
            here.try_play(mv)?;
            reader.follow(&self.trained.network, &here);
            trace.push(step, &reader);
        }
        let outcome = here.outcome().unwrap_or(Outcome::Draw);
        self.trained.learn(&trace, outcome, update, &mut running);
        self.games += 1;
        Ok(running.error / running.updates.max(1) as f64)
    }
}

impl<P: Position> Rounds for Session<'_, P> {
    fn games(&mut self) -> &mut u64 {
        &mut self.learner.games
    }

    fn longest(&self, threads: usize) -> u64 {
        MAX_ROUND_GAMES * threads as u64
    }

    fn play(&mut self, round: &Round) -> Running {
        let learner = &mut *self.learner;
        learner
            .trained
            .play_all(&learner.roots, round, &self.options)
    }

    /// What the threads changed is added up.
    fn share(
        &mut self,
        round: &Round,
        count: usize,
        threads: &dyn Threads,
    ) -> Result<Running, KernelError> {
        let TdLearner { roots, trained, .. } = &mut *self.learner;
        let (roots, options, before) = (&*roots, &self.options, trained.clone());
        let learned = deal(round, count, threads, |part| {
            let mut trained = before.clone();
            let running = trained.play_all(roots, part, options);
            (trained, running)
        })?;
        let mut running = Running::new(2);
        for (learned, part) in &learned {
            running.merge(part);
            let weights = trained.network.weights_mut();
            add_change(weights, learned.network.weights(), before.network.weights());
            add_change(&mut trained.sums, &learned.sums, &before.sums);
            add_change(&mut trained.sizes, &learned.sizes, &before.sizes);
        }
        Ok(running)
    }
}

/// Adds to `sum` whatever changed from `before` to `after`.
fn add_change(sum: &mut [f32], after: &[f32], before: &[f32]) {
    for ((sum, after), before) in sum.iter_mut().zip(after).zip(before) {
        if after != before {
            *sum += after - before;
        }
    }
}

impl Trace {
    fn push(&mut self, step: Step, reader: &Reader) {
        self.steps.push(step);
        self.places.extend_from_slice(reader.places(step.seat));
    }
}

impl Trained {
    /// Plays and learns from the games of a round.
    fn play_all<P: Position>(
        &mut self,
        roots: &[P],
        round: &Round,
        options: &TdOptions,
    ) -> Running {
        let mut running = Running::new(2);
        for game in round.first..round.last {
            self.play(roots, game, round, options, &mut running);
        }
        running
    }

    /// Plays game number `game` and learns from it. Starts take turns, and so do seats.
    fn play<P: Position>(
        &mut self,
        roots: &[P],
        game: u64,
        round: &Round,
        options: &TdOptions,
        running: &mut Running,
    ) {
        let mut rng = Rng::new(round.seed, game);
        let mut here = roots[(game % roots.len() as u64) as usize].clone();
        let mine = (game / roots.len() as u64 % 2) as u8;
        let (mut legal, mut rated) = (Vec::new(), Vec::new());
        for _ in 0..rng.below(options.opening + 1) {
            let Some(mv) = here.random_move(&mut rng, &mut legal) else {
                break;
            };
            let undo = here.play(mv);
            if here.outcome().is_some() {
                here.undo(undo);
                break;
            }
        }
        let mut reader = Reader::new(&self.network, &here);
        let (mut trace, mut plies) = (Trace::default(), 0);
        let outcome = loop {
            if let Some(outcome) = here.outcome() {
                break outcome;
            }
            here.legal_moves(&mut legal);
            reader.rate(&self.network, &mut here, &legal, &mut rated);
            let Some(best) = first_best(&rated) else {
                break Outcome::Draw;
            };
            let seat = here.turn();
            let theirs = round.opponent == Opponent::Random && seat != mine;
            let any = theirs || (rng.unit() as f32) < round.epsilon;
            let pick = if any {
                rated[rng.below(rated.len() as u32) as usize]
            } else {
                best
            };
            running.explored += u64::from(any && !theirs);
            here.play(pick.mv);
            reader.follow(&self.network, &here);
            let step = Step {
                seat,
                best: best.value,
                explored: !theirs && pick.value < best.value,
            };
            trace.push(step, &reader);
            plies += 1;
        };
        running.add(Ending { outcome, plies });
        let update = Update {
            rate: round.rate,
            discount: round.discount,
            lambda: options.lambda,
        };
        self.learn(&trace, outcome, &update, running);
    }

    /// Draws the positions of a game towards their returns, the last one first.
    fn learn(&mut self, trace: &Trace, outcome: Outcome, update: &Update, running: &mut Running) {
        let tuples = self.network.tuples();
        let places = |step: usize| &trace.places[step * tuples..(step + 1) * tuples];
        let Some(last) = trace.steps.len().checked_sub(1) else {
            return;
        };
        // The return of the position after the step at hand, for the player who made it. A
        // finished game is known and teaches only those before it.
        let mut after = worth(outcome, trace.steps[last].seat);
        let mut value_after = after;
        for step in (0..last).rev() {
            let next = trace.steps[step + 1];
            let mixed = if next.explored {
                next.best
            } else {
                let lambda = update.lambda;
                (1.0 - lambda) * value_after + lambda * after
            };
            let target = -update.discount * mixed;
            let sum: f32 = places(step)
                .iter()
                .map(|place| self.network.weights()[*place as usize])
                .sum();
            let value = sum.tanh();
            let error = target - value;
            running.error += f64::from(error.abs());
            running.updates += 1;
            self.adjust(places(step), error * (1.0 - value * value), update.rate);
            (after, value_after) = (target, value);
        }
    }

    /// Moves each weight of a position, by as much as its errors agree with each other.
    fn adjust(&mut self, places: &[u32], error: f32, rate: f32) {
        let share = error / places.len() as f32;
        let weights = self.network.weights_mut();
        for &place in places {
            let place = place as usize;
            let (sum, size) = (&mut self.sums[place], &mut self.sizes[place]);
            let coherence = if *size > 0.0 { sum.abs() / *size } else { 1.0 };
            weights[place] += rate * coherence * share;
            *sum += share;
            *size += share.abs();
        }
    }
}

/// The first move of the highest value.
fn first_best(rated: &[Rated]) -> Option<Rated> {
    let mut best = *rated.first()?;
    for entry in &rated[1..] {
        if entry.value > best.value {
            best = *entry;
        }
    }
    Some(best)
}
