//! From single questions to verdicts.

use std::collections::HashMap;

use crate::error::KernelError;
use crate::limits::Stop;
use crate::position::{Move, Outcome, Position};

use super::inquiry::Inquiry;
use super::prover::{Halt, Prover, Reply, FOREVER};
use super::solve::Options;
use super::verdict::{Bounds, MoveValue, Value, ValueMap, Verdict};

/// Nodes that tell whether a move makes a proof that was found before.
const MAX_RECALL_NODES: u64 = 64;

/// Nodes a principal line may cost on top of half of what everything else has cost.
const MIN_LINE_NODES: u64 = 50_000;

/// Asks a prover until a verdict is complete or a limit is reached.
pub(crate) struct Driver<R> {
    prover: R,
    /// A move that wins, found before its distance was.
    winning: Option<Move>,
}

impl<R> Driver<R> {
    pub fn new(prover: R) -> Self {
        Self {
            prover,
            winning: None,
        }
    }

    /// The bounds of a position whose game is over, for the seat that `turn` names.
    fn over<P: Position>(position: &P) -> Option<Bounds> {
        let value = match position.outcome()? {
            Outcome::Win(seat) if seat == position.turn() => Value::Win,
            Outcome::Win(_) => Value::Loss,
            Outcome::Draw => Value::Draw,
        };
        Some(Bounds {
            lower: value,
            upper: value,
            least: 0,
            most: Some(0),
            ..Bounds::UNKNOWN
        })
    }

    /// Finds the value and the distance. On a limit, what was found so far and the limit.
    fn bounds<P: Position>(&mut self, position: &P) -> (Bounds, Option<Stop>)
    where
        R: Prover<P>,
    {
        let mut inquiry = Inquiry::default();
        let mut stopped = None;
        while stopped.is_none() && !inquiry.settled() {
            stopped = self.round(position, &mut inquiry).err();
        }
        (inquiry.bounds(position), stopped)
    }

    /// Asks one round of questions about a position.
    fn round<P: Position>(&mut self, position: &P, inquiry: &mut Inquiry) -> Result<(), Stop>
    where
        R: Prover<P>,
    {
        let me = position.turn();
        // Near questions find fast wins, far ones find draws; neither knows which it is.
        for (who, far) in [(0, false), (0, true), (1, true), (1, false)] {
            let Some(share) = inquiry.share(who, far) else {
                continue;
            };
            let budget = self.prover.meter().nodes().saturating_add(share);
            while let Some(plies) = inquiry.question(who, far) {
                let seat = if who == 0 { me } else { 1 - me };
                self.prover.meter().stage("solve", plies.min(9999));
                match self.prover.ask(position, seat, plies, budget) {
                    Ok(reply) => inquiry.chances[who].take(reply),
                    Err(Halt::Budget) => break,
                    Err(Halt::Limit(stop)) => return Err(stop),
                }
                if far {
                    if who == 0 && inquiry.chances[0].wins() {
                        self.winning = self.winner(position);
                    }
                    break;
                }
            }
        }
        inquiry.round = inquiry.round.saturating_mul(2);
        Ok(())
    }

    /// A move that wins a position just proven won: the proof is still in the table.
    fn winner<P: Position>(&mut self, position: &P) -> Option<Move>
    where
        R: Prover<P>,
    {
        let me = position.turn();
        let mut here = position.clone();
        let mut moves = Vec::new();
        here.legal_moves(&mut moves);
        moves.into_iter().find(|mv| {
            let undo = here.play(*mv);
            let budget = self.prover.meter().nodes().saturating_add(MAX_RECALL_NODES);
            let wins = match here.outcome() {
                Some(outcome) => outcome == Outcome::Win(me),
                None => {
                    let reply = self.prover.ask(&here, me, FOREVER, budget);
                    matches!(reply, Ok(Reply::Proven(_)))
                }
            };
            here.undo(undo);
            wins
        })
    }

    /// Whether a move keeps what exact bounds promise.
    fn keeps<P: Position>(
        &mut self,
        position: &mut P,
        mv: Move,
        bounds: &Bounds,
        budget: u64,
    ) -> Result<bool, Halt>
    where
        R: Prover<P>,
    {
        let me = position.turn();
        let undo = position.play(mv);
        let over = Self::over(position);
        let distance = bounds.least;
        let kept = match (bounds.value(), over) {
            (Some(Value::Win), None) => self
                .prover
                .ask(position, me, distance.saturating_sub(1), budget)
                .map(|reply| matches!(reply, Reply::Proven(_))),
            // Best delay: the other side does not win any sooner.
            (Some(Value::Loss), None) => self
                .prover
                .ask(position, 1 - me, distance.saturating_sub(2), budget)
                .map(|reply| matches!(reply, Reply::Refuted(_))),
            (_, None) => self
                .prover
                .ask(position, 1 - me, FOREVER, budget)
                .map(|reply| matches!(reply, Reply::Refuted(_))),
            (value, Some(_)) => {
                let ended = match position.outcome() {
                    Some(Outcome::Win(seat)) if seat == me => Value::Win,
                    Some(Outcome::Win(_)) => Value::Loss,
                    _ => Value::Draw,
                };
                let in_time = ended == Value::Draw || distance == 1;
                Ok(value == Some(ended) && in_time)
            }
        };
        position.undo(undo);
        kept
    }

    /// Finds the verdict.
    pub fn solve<P: Position>(
        mut self,
        position: &P,
        options: &Options,
    ) -> Result<Verdict, KernelError>
    where
        R: Prover<P>,
    {
        let mut verdict = Verdict::default();
        if let Some(bounds) = Self::over(position) {
            verdict.bounds = bounds;
        } else {
            (verdict.bounds, verdict.stopped) = self.bounds(position);
            if verdict.bounds.exact() && options.best {
                verdict.stopped = self.best(position, options.line, &mut verdict).err();
            } else if options.best {
                verdict.best.extend(self.winning);
            }
        }
        verdict.nodes = self.prover.meter().nodes();
        verdict.elapsed = self.prover.meter().elapsed();
        Ok(verdict)
    }

    fn best<P: Position>(
        &mut self,
        position: &P,
        line: bool,
        verdict: &mut Verdict,
    ) -> Result<(), Stop>
    where
        R: Prover<P>,
    {
        let mut here = position.clone();
        let mut moves = Vec::new();
        here.legal_moves(&mut moves);
        self.prover.meter().stage("best", 0);
        let nodes = self.prover.meter().nodes();
        let budget = nodes.saturating_mul(2).saturating_add(MIN_LINE_NODES);
        let drawn = verdict.bounds.value() == Some(Value::Draw);
        let safe = drawn && self.prover.may_pass(position, budget);
        if safe {
            verdict.best.append(&mut moves);
        }
        // A few nodes tell which move made the proof. It comes first, so that a limit on the way does
        // not leave a won position without a move.
        let mut stopped = None;
        for most in [Some(MAX_RECALL_NODES), None] {
            let mut open = Vec::new();
            for mv in moves {
                let budget =
                    most.map_or(u64::MAX, |n| self.prover.meter().nodes().saturating_add(n));
                match self.keeps(&mut here, mv, &verdict.bounds, budget) {
                    Ok(true) => verdict.best.push(mv),
                    Ok(false) => {}
                    Err(Halt::Budget) => open.push(mv),
                    Err(Halt::Limit(stop)) => {
                        stopped = Some(stop);
                        break;
                    }
                }
            }
            moves = open;
            if stopped.is_some() {
                break;
            }
        }
        verdict.best.sort_unstable();
        if let Some(stop) = stopped {
            return Err(stop);
        }
        if !line {
            return Ok(());
        }
        self.prover.meter().stage("line", 0);
        let nodes = self.prover.meter().nodes();
        let budget = nodes
            .saturating_add(nodes / 2)
            .saturating_add(MIN_LINE_NODES);
        self.line(here, verdict, budget)
    }

    fn line<P: Position>(
        &mut self,
        mut here: P,
        verdict: &mut Verdict,
        budget: u64,
    ) -> Result<(), Stop>
    where
        R: Prover<P>,
    {
        let mut bounds = verdict.bounds;
        let mut next = verdict.best.first().copied();
        let mut moves = Vec::new();
        while let Some(mv) = next.take() {
            verdict.line.push(mv);
            here.play(mv);
            if here.outcome().is_some() {
                break;
            }
            bounds = Bounds {
                lower: bounds.upper.flipped(),
                upper: bounds.lower.flipped(),
                least: bounds.least.saturating_sub(1),
                most: bounds.most.map(|most| most.saturating_sub(1)),
                ..bounds
            };
            here.legal_moves(&mut moves);
            for mv in &moves {
                match self.keeps(&mut here, *mv, &bounds, budget) {
                    Ok(true) => {
                        next = Some(*mv);
                        break;
                    }
                    Ok(false) => {}
                    Err(Halt::Budget) => return Ok(()),
                    Err(Halt::Limit(stop)) => return Err(stop),
                }
            }
        }
        Ok(())
    }

    /// Finds the value of every legal move.
    pub fn map<P: Position>(mut self, position: &P) -> Result<ValueMap, KernelError>
    where
        R: Prover<P>,
    {
        let mut here = position.clone();
        let mut legal = Vec::new();
        here.legal_moves(&mut legal);
        let mut inquiries: HashMap<u64, Inquiry> = HashMap::new();
        let mut stopped = None;
        let mut open = legal.clone();
        // A round for each move in turn, so that a hard one does not take the time of all others.
        while stopped.is_none() && !open.is_empty() {
            open.retain(|mv| {
                let undo = here.play(*mv);
                let mut going = false;
                if here.outcome().is_none() && stopped.is_none() {
                    let inquiry = inquiries.entry(here.canonical_key()).or_default();
                    if !inquiry.settled() {
                        stopped = self.round(&here, inquiry).err();
                    }
                    going = !inquiry.settled();
                }
                here.undo(undo);
                going
            });
        }
        let mut moves = Vec::with_capacity(legal.len());
        for mv in legal {
            let me = here.turn();
            let undo = here.play(mv);
            let bounds = match Self::over(&here) {
                // A finished game is told from the view of whoever moved last.
                Some(bounds) if here.turn() == me => Bounds {
                    least: 1,
                    most: Some(1),
                    ..bounds
                },
                Some(bounds) => bounds.before(),
                None => {
                    let inquiry = inquiries.entry(here.canonical_key()).or_default();
                    inquiry.bounds(&here).before()
                }
            };
            here.undo(undo);
            moves.push(MoveValue { mv, bounds });
        }
        Ok(ValueMap {
            moves,
            nodes: self.prover.meter().nodes(),
            elapsed: self.prover.meter().elapsed(),
            stopped,
        })
    }
}
