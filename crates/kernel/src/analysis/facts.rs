//! All that was found out about the moves of a position, and what follows from it.

use std::cmp::Ordering;
use std::collections::HashMap;

use super::worth::{Certain, Estimate, Worth};
use super::Method;
use crate::position::{Move, Outcome, Position};
use crate::search::{MoveValue, Value, Verdict};

/// How much better than a draw a position may be at least whose other moves are open.
const MIN_HOPE: f64 = 0.05;

/// What is known and thought of each legal move. Moves that a symmetry maps to each other share it.
pub(super) struct Facts {
    legal: Vec<Move>,
    /// By legal move, those that are the same but for a symmetry.
    alike: Vec<Vec<usize>>,
    certain: Vec<Option<Certain>>,
    guesses: Vec<Option<Estimate>>,
    /// What the solver calls best,
    solved: Vec<usize>,
    /// and what it says of the position.
    whole: Option<Certain>,
    /// What a search would play.
    preferred: Option<usize>,
    bounds: (Value, Value),
}

/// What follows from the facts.
pub(super) struct Settled {
    pub worth: Option<Worth>,
    pub best: Vec<Move>,
    pub moves: Vec<(Move, Option<Worth>)>,
    pub line: Vec<Move>,
    pub bounds: (Value, Value),
}

impl Facts {
    pub fn new<P: Position>(position: &P) -> Self {
        let mut legal = Vec::new();
        position.legal_moves(&mut legal);
        let mut here = position.clone();
        let mut classes: HashMap<u64, Vec<usize>> = HashMap::new();
        let mut keys = Vec::with_capacity(legal.len());
        for (index, &mv) in legal.iter().enumerate() {
            let undo = here.play(mv);
            let key = here.canonical_key();
            here.undo(undo);
            classes.entry(key).or_default().push(index);
            keys.push(key);
        }
        Self {
            alike: keys.iter().map(|key| classes[key].clone()).collect(),
            certain: vec![None; legal.len()],
            guesses: vec![None; legal.len()],
            solved: Vec::new(),
            whole: None,
            preferred: None,
            bounds: (Value::Loss, Value::Win),
            legal,
        }
    }

    fn index(&self, mv: Move) -> Option<usize> {
        self.legal.iter().position(|&legal| legal == mv)
    }

    /// Takes note of a proof about a move; of two, the one that says more stays.
    pub fn prove(&mut self, mv: Move, worth: Certain) {
        let Some(index) = self.index(mv) else { return };
        for &same in &self.alike[index] {
            let known = &mut self.certain[same];
            if known.is_none_or(|known| worth.detail() > known.detail()) {
                *known = Some(worth);
            }
        }
    }

    /// Takes note of an estimate of a move; of two, the one with more behind it stays.
    pub fn guess(&mut self, mv: Move, estimate: Estimate) {
        let Some(index) = self.index(mv) else { return };
        for &same in &self.alike[index] {
            let known = &mut self.guesses[same];
            if known.is_none_or(|known| estimate.samples > known.samples) {
                *known = Some(estimate);
            }
        }
    }

    /// Takes note of the move that a search would play, and of what it thinks of it.
    pub fn prefer(&mut self, mv: Move, estimate: Option<Estimate>) {
        self.preferred = self.index(mv);
        if let (Some(index), Some(estimate)) = (self.preferred, estimate) {
            for &same in &self.alike[index] {
                self.guesses[same] = Some(estimate);
            }
        }
    }

    /// Takes note of what the solver proved.
    pub fn solved(&mut self, verdict: &Verdict) {
        self.bounds = (verdict.bounds.lower, verdict.bounds.upper);
        let Some(worth) = Certain::of(&verdict.bounds) else {
            return;
        };
        for &mv in &verdict.best {
            self.prove(mv, worth);
        }
        self.solved = verdict
            .best
            .iter()
            .filter_map(|&mv| self.index(mv))
            .collect();
        self.whole = Some(worth);
        match worth.value {
            Value::Loss => self.lost(worth.distance.filter(|_| worth.margin.is_none())),
            // All moves that are not among the best lose.
            Value::Draw if verdict.stopped.is_none() => self.lost(None),
            _ => {}
        }
    }

    /// Takes note of a proof of the whole position that names a move.
    pub fn decided(&mut self, mv: Move, worth: Certain) {
        self.bounds = (worth.value, worth.value);
        self.prove(mv, worth);
        if worth.value == Value::Loss {
            self.lost(worth.within);
        }
    }

    /// All moves lose of which nothing else is proven, within some plies if that is known.
    fn lost(&mut self, within: Option<u32>) {
        let rest = Certain {
            within,
            ..Certain::only(Value::Loss)
        };
        for known in self.certain.iter_mut().filter(|known| known.is_none()) {
            *known = Some(rest);
        }
    }

    /// Takes note of what the solver proved of single moves.
    pub fn mapped(&mut self, moves: &[MoveValue]) {
        for entry in moves {
            if let Some(worth) = Certain::of(&entry.bounds) {
                self.prove(entry.mv, worth);
            }
        }
    }

    /// Takes note of the moves that end the game; returns whether one of them wins.
    pub fn ends_at_once<P: Position>(&mut self, position: &P) -> bool {
        let seat = position.turn();
        let mut here = position.clone();
        let mut wins = false;
        for mv in self.legal.clone() {
            let undo = here.play(mv);
            let outcome = here.outcome();
            here.undo(undo);
            if let Some(outcome) = outcome {
                self.prove(mv, ended(outcome, seat));
                wins |= outcome == Outcome::Win(seat);
            }
        }
        wins
    }

    /// Whether the facts prove the value of the position, with a move that has it.
    pub fn proves(&self) -> bool {
        let most = self.certain.iter().flatten().map(|known| known.value).max();
        self.complete() || most.is_some_and(|most| most >= self.bounds.1)
    }

    /// Whether every move is proven.
    pub fn complete(&self) -> bool {
        self.certain.iter().all(Option::is_some)
    }

    /// A move of each kind of which nothing is known, those next to `around` in board order first.
    pub fn unknown(&self, around: Move) -> Vec<Move> {
        let centre = self.index(around).unwrap_or(0);
        let mut open: Vec<usize> = (0..self.legal.len())
            .filter(|&index| self.alike[index].first() == Some(&index))
            .filter(|&index| self.certain[index].is_none() && self.guesses[index].is_none())
            .collect();
        open.sort_by_key(|index| index.abs_diff(centre));
        open.into_iter().map(|index| self.legal[index]).collect()
    }

    /// Draws the conclusions. `line` is how a search thinks that the game goes on.
    pub fn settle(&self, line: &[Move]) -> Settled {
        let (worth, best) = if self.proves() {
            self.proven_best()
        } else {
            self.estimated_best()
        };
        let most = match self.bounds.1 {
            Value::Win => 1.0,
            Value::Draw => 0.0,
            Value::Loss => -1.0,
        };
        let score = worth.map_or(most, |worth| worth.score()).min(most);
        let moves = (0..self.legal.len()).map(|index| {
            let guess = self.guesses[index].map(|guess| guess.capped(most).at_most(score));
            let worth = self.certain[index].map(Worth::Certain);
            (self.legal[index], worth.or(guess.map(Worth::Estimate)))
        });
        let best: Vec<Move> = best.into_iter().map(|index| self.legal[index]).collect();
        let line = match best.first() {
            Some(first) if line.first() == Some(first) => line.to_vec(),
            first => first.copied().into_iter().collect(),
        };
        let drawn = self
            .certain
            .iter()
            .flatten()
            .any(|known| known.value == Value::Draw);
        Settled {
            bounds: match worth.as_ref().and_then(Worth::certain) {
                Some(certain) => (certain.value, certain.value),
                None if drawn => (self.bounds.0.max(Value::Draw), self.bounds.1),
                None => self.bounds,
            },
            worth,
            best,
            moves: moves.collect(),
            line,
        }
    }

    /// The best moves of a proven position. The solver names them exactly; others may only be known
    /// to end in time.
    fn proven_best(&self) -> (Option<Worth>, Vec<usize>) {
        let Some(top) = self
            .certain
            .iter()
            .flatten()
            .copied()
            .max_by(Certain::better)
        else {
            return (None, Vec::new());
        };
        let is_top = |&index: &usize| {
            self.certain[index].is_some_and(|known| known.better(&top) == Ordering::Equal)
        };
        let exact = self.whole.is_some_and(|whole| whole.is_exact());
        let named = self.solved.iter().copied();
        let mut best: Vec<usize> = named.filter(|index| exact || is_top(index)).collect();
        if best.is_empty() {
            best = (0..self.legal.len()).filter(is_top).collect();
        }
        let worth = best.first().and_then(|&index| self.certain[index]);
        let worth = worth.map(|worth| {
            if self.is_exact(&worth) {
                worth
            } else {
                worth.loosened()
            }
        });
        (worth.map(Worth::Certain), best)
    }

    /// Whether no other move can be better than a best one, also by its distance or margin.
    fn is_exact(&self, worth: &Certain) -> bool {
        let behind = |known: &Option<Certain>| {
            known.is_some_and(|known| known.value < worth.value || known.is_exact())
        };
        let at_once = worth.value == Value::Win && worth.distance == Some(1);
        at_once || self.whole.as_ref() == Some(worth) || self.certain.iter().all(behind)
    }

    /// The best move as far as anybody can tell: what the search prefers, unless that is refuted or
    /// a proven draw is better than it seems.
    fn estimated_best(&self) -> (Option<Worth>, Vec<usize>) {
        let open = |&index: &usize| self.certain[index].is_none();
        let guess = |index: usize| self.guesses[index].filter(|_| open(&index));
        let promising = || {
            (0..self.legal.len())
                .filter_map(|index| guess(index).map(|guess| (guess.score, index)))
                .max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)))
                .map(|(_, index)| index)
        };
        let preferred = self.preferred.filter(open);
        let chosen = preferred
            .filter(|&index| guess(index).is_some())
            .or_else(promising)
            .or(preferred)
            .or_else(|| (0..self.legal.len()).find(open));
        let thought = chosen.and_then(guess);
        let drawn: Vec<usize> = (0..self.legal.len())
            .filter(|&index| self.certain[index].is_some_and(|known| known.value == Value::Draw))
            .collect();
        if !drawn.is_empty() && thought.is_none_or(|thought| thought.score <= 0.0) {
            return (Some(Worth::Estimate(self.at_least_drawn())), drawn);
        }
        let most = if self.bounds.1 == Value::Win {
            1.0
        } else {
            0.0
        };
        let worth = thought.map(|thought| Worth::Estimate(thought.capped(most)));
        (worth, chosen.into_iter().collect())
    }

    /// A draw is certain, but open moves may turn out better.
    fn at_least_drawn(&self) -> Estimate {
        let open = (0..self.legal.len()).filter(|&index| self.certain[index].is_none());
        let guesses: Vec<Option<Estimate>> = open.map(|index| self.guesses[index]).collect();
        let high = |guess: &Option<Estimate>| guess.map_or(1.0, |guess| guess.high);
        let known = guesses.iter().flatten();
        Estimate {
            score: 0.0,
            low: 0.0,
            high: guesses.iter().map(high).fold(MIN_HOPE, f64::max),
            method: known
                .clone()
                .next()
                .map_or(Method::Engine, |guess| guess.method),
            samples: known.map(|guess| guess.samples).max().unwrap_or(0),
        }
    }
}

/// What a move is worth that ends the game.
pub(super) fn ended(outcome: Outcome, seat: u8) -> Certain {
    let value = match outcome {
        Outcome::Draw => Value::Draw,
        Outcome::Win(winner) if winner == seat => Value::Win,
        Outcome::Win(_) => Value::Loss,
    };
    Certain {
        distance: (value != Value::Draw).then_some(1),
        ..Certain::only(value)
    }
}
