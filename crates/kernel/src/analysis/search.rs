//! What a search says of a position that no proof fits. It may find proofs all the same.

use super::budget::Budget;
use super::curve::tree_reading;
use super::facts::{ended, Facts};
use super::worth::{Certain, Estimate};
use super::{AnalysisOptions, Method};
use crate::error::KernelError;
use crate::limits::Stop;
use crate::mcts::{mcts, MctsOptions};
use crate::position::{Move, Position};
use crate::search::score::{self, Proven, Score, MATE};
use crate::search::{Engine, EngineChoice, EngineOptions, Think};

/// Bytes for all that the engine takes.
const ENGINE_BYTES: usize = 256 << 20;
/// Bytes for a tree.
const TREE_BYTES: usize = 256 << 20;
/// Simulations where only the time counts.
const UNLIMITED_SIMULATIONS: u64 = 1 << 40;
/// What part of the limits goes into the best move when all are asked for,
const BEST_SHARE: f64 = 0.5;
/// and what part of the rest into comparing those that the engine would consider.
const COMPARING_SHARE: f64 = 0.6;
/// How far to look at moves that it would not.
const GLANCE_DEPTH: u32 = 2;
/// How many threats to follow there,
const GLANCE_FOURS: u32 = 3;
/// how many positions to visit for one move,
const GLANCE_NODES: u64 = 2_000;
/// and the bytes for that.
const GLANCE_TABLE: usize = 1 << 20;

/// How a search went.
pub(super) struct Searched {
    pub method: Method,
    pub line: Vec<Move>,
    pub stopped: Option<Stop>,
}

/// Asks the search that tells most about the game.
pub(super) fn estimate<P: Think>(
    position: &P,
    options: &AnalysisOptions,
    budget: &mut Budget<'_>,
    engine: &mut Engine,
    facts: &mut Facts,
) -> Result<Searched, KernelError> {
    if options.by_engine && position.players() == 2 {
        ByEngine {
            position,
            options,
            budget,
            facts,
        }
        .run(engine)
    } else {
        by_tree(position, options, budget, facts)
    }
}

struct ByEngine<'a, 'l, P> {
    position: &'a P,
    options: &'a AnalysisOptions,
    budget: &'a mut Budget<'l>,
    facts: &'a mut Facts,
}

/// What the engine says of the move that it would play.
struct Choice {
    best: Move,
    said: Result<Certain, Score>,
    /// Whether that holds for the whole position.
    whole: bool,
    line: Vec<Move>,
    nodes: u64,
    stopped: Option<Stop>,
}

impl<P: Think> ByEngine<'_, '_, P> {
    /// Finds the best move, then compares the others with it.
    fn run(mut self, engine: &mut Engine) -> Result<Searched, KernelError> {
        let part = if self.options.map_estimates {
            BEST_SHARE
        } else {
            1.0
        };
        let found = self.think(engine, part, false)?;
        let choice = match (found.depth, found.proven, found.stopped) {
            (0, None, None) => self.after_the_opening(engine, found.best, part)?,
            (0, None, _) => None,
            _ => Some(Choice {
                best: found.best,
                said: read(&found),
                whole: true,
                line: found.line,
                nodes: found.nodes,
                stopped: found.stopped,
            }),
        };
        let Some(choice) = choice else {
            self.facts.prefer(found.best, None);
            return Ok(Searched {
                method: Method::None,
                line: vec![found.best],
                stopped: found.stopped,
            });
        };
        if self.options.map_estimates {
            self.compare(engine, &choice)?;
            self.glance(&choice)?;
        }
        match choice.said {
            Ok(certain) => {
                if choice.whole {
                    self.facts.decided(choice.best, certain);
                }
                self.facts.prove(choice.best, certain);
                self.facts.prefer(choice.best, None);
            }
            Err(score) => {
                let estimate = self.estimate(score, choice.nodes);
                self.facts.prefer(choice.best, Some(estimate));
            }
        }
        Ok(Searched {
            method: Method::Engine,
            line: choice.line,
            stopped: choice.stopped,
        })
    }

    fn think(
        &mut self,
        engine: &mut Engine,
        part: f64,
        every: bool,
    ) -> Result<EngineChoice, KernelError> {
        let thinking = EngineOptions {
            threads: self.options.threads,
            table_memory: self.options.table_memory,
            every,
            ..EngineOptions::default()
        };
        let limits = self.budget.share_within(part, ENGINE_BYTES);
        let found = engine.think(self.position, &thinking, &limits)?;
        self.budget.spend(found.nodes, found.stopped);
        Ok(found)
    }

    /// The engine opens some boards without thinking: see what that is worth.
    fn after_the_opening(
        &mut self,
        engine: &mut Engine,
        best: Move,
        part: f64,
    ) -> Result<Option<Choice>, KernelError> {
        let thinking = EngineOptions {
            threads: self.options.threads,
            table_memory: self.options.table_memory,
            ..EngineOptions::default()
        };
        let limits = self.budget.share_within(part, ENGINE_BYTES);
        let mut next = self.position.clone();
        next.play(best);
        if next.outcome().is_some() {
            return Ok(None);
        }
        let found = engine.think(&next, &thinking, &limits)?;
        self.budget.spend(found.nodes, found.stopped);
        if found.depth == 0 && found.proven.is_none() {
            return Ok(None);
        }
        let mut line = vec![best];
        line.extend(&found.line);
        Ok(Some(Choice {
            best,
            said: before(read(&found)),
            whole: false,
            line,
            nodes: found.nodes,
            stopped: found.stopped,
        }))
    }

    /// Scores all moves that the engine considers alike, which takes a shallower search.
    fn compare(&mut self, engine: &mut Engine, choice: &Choice) -> Result<(), KernelError> {
        if self.budget.spent() {
            return Ok(());
        }
        let found = self.think(engine, COMPARING_SHARE, true)?;
        if found.depth == 0 {
            return Ok(());
        }
        let said = |score: Score| match score::proven(score) {
            Some(proven) => Ok(certain(&proven)),
            None => Err(score),
        };
        let base = found.moves.iter().find(|(mv, _)| *mv == choice.best);
        let base = base.and_then(|&(_, score)| said(score).err());
        for &(mv, score) in &found.moves {
            // Such a score stands for a move that was not searched.
            if score.abs() < MATE {
                self.take(mv, said(score), base, choice, found.nodes);
            }
        }
        Ok(())
    }

    /// Looks a little ahead at each move that the engine did not consider.
    fn glance(&mut self, choice: &Choice) -> Result<(), KernelError> {
        let unknown = self.facts.unknown(choice.best);
        if unknown.is_empty() || self.budget.spent() {
            return Ok(());
        }
        let mut engine = Engine::new();
        let (base, _) = self.look(&mut engine, choice.best)?;
        let base = base.and_then(Result::err);
        for mv in unknown {
            if self.budget.spent() {
                break;
            }
            if let (Some(said), nodes) = self.look(&mut engine, mv)? {
                self.take(mv, said, base, choice, nodes);
            }
        }
        Ok(())
    }

    /// What a short search says of a move, and the nodes that took.
    fn look(
        &mut self,
        engine: &mut Engine,
        mv: Move,
    ) -> Result<(Option<Result<Certain, Score>>, u64), KernelError> {
        let mut next = self.position.clone();
        next.play(mv);
        if let Some(outcome) = next.outcome() {
            return Ok((Some(Ok(ended(outcome, self.position.turn()))), 1));
        }
        let looking = EngineOptions {
            depth: Some(GLANCE_DEPTH),
            fours: GLANCE_FOURS,
            table_memory: GLANCE_TABLE,
            ..EngineOptions::default()
        };
        let mut limits = self.budget.share_within(1.0, ENGINE_BYTES);
        limits.nodes = Some(limits.nodes.unwrap_or(GLANCE_NODES).min(GLANCE_NODES));
        let found = engine.think(&next, &looking, &limits)?;
        self.budget.spend(found.nodes, found.stopped);
        let blind = found.depth == 0 && found.proven.is_none();
        let said = before(read(&found));
        Ok(((!blind).then_some(said), found.nodes))
    }

    /// Takes what a search said of a move. What counts of a short search is how far a move falls
    /// short of the best one (`base`), whose own score the longer one knows better.
    fn take(
        &mut self,
        mv: Move,
        said: Result<Certain, Score>,
        base: Option<Score>,
        choice: &Choice,
        nodes: u64,
    ) {
        match (said, base, &choice.said) {
            (Ok(certain), _, _) => self.facts.prove(mv, certain),
            (Err(score), Some(base), Err(best)) => {
                let beside = best + (score - base).min(0);
                let estimate = self.estimate(beside, nodes);
                self.facts.guess(mv, estimate);
            }
            (Err(score), _, _) => {
                let estimate = self.estimate(score, nodes);
                self.facts.guess(mv, estimate);
            }
        }
    }

    fn estimate(&self, score: Score, nodes: u64) -> Estimate {
        let curve = &self.options.engine_curve;
        curve.estimate(curve.engine_reading(score), 0.0, Method::Engine, nodes)
    }
}

/// What the engine says of a position: something certain, or a score.
fn read(found: &EngineChoice) -> Result<Certain, Score> {
    match found.proven {
        Some(proven) => Ok(certain(&proven)),
        None => Err(found.steady()),
    }
}

fn certain(proven: &Proven) -> Certain {
    Certain {
        within: (proven.value != crate::search::Value::Draw).then_some(proven.distance),
        ..Certain::only(proven.value)
    }
}

/// The same for the seat that moved there.
fn before(said: Result<Certain, Score>) -> Result<Certain, Score> {
    match said {
        Ok(certain) => Ok(Certain {
            value: certain.value.flipped(),
            within: certain.within.map(|plies| plies + 1),
            ..certain
        }),
        Err(score) => Err(-score),
    }
}

/// Simulates games; a tree says something about every move.
fn by_tree<P: Position>(
    position: &P,
    options: &AnalysisOptions,
    budget: &mut Budget<'_>,
    facts: &mut Facts,
) -> Result<Searched, KernelError> {
    let searching = MctsOptions {
        simulations: UNLIMITED_SIMULATIONS,
        seed: options.seed,
        ..MctsOptions::default()
    };
    let found = mcts(position, &searching, &budget.share_within(1.0, TREE_BYTES))?;
    budget.spend(found.simulations, found.stopped);
    let seat = position.turn();
    let favourite = found
        .moves
        .iter()
        .find(|tried| Some(tried.mv) == found.best);
    let reading = favourite.map_or(0.0, |best| tree_reading(best.value, best.visits));
    let curve = &options.tree_curve;
    for tried in &found.moves {
        if let Some(outcome) = tried.proven {
            let value = ended(outcome, seat).value;
            facts.prove(tried.mv, Certain::only(value));
        } else if tried.visits > 0 {
            // A mean above the best one's has fewer games behind it, and is luck.
            let error = 1.96 / f64::from(tried.visits).sqrt();
            let samples = u64::from(tried.visits);
            let mean = tried.value.min(reading);
            facts.guess(tried.mv, curve.estimate(mean, error, Method::Tree, samples));
        }
    }
    if let Some(best) = favourite {
        let samples = u64::from(best.visits);
        let estimate = curve.estimate(reading, 0.0, Method::Tree, samples);
        facts.prefer(best.mv, (samples > 0).then_some(estimate));
    }
    Ok(Searched {
        method: Method::Tree,
        line: found.line,
        stopped: found.stopped,
    })
}
