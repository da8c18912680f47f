//! Can the attacker force a win, and with how few of its own moves?
//!
//! Two mutually recursive questions, one for either side to move, over the residues of both sides.
//! Each answers with a number: the win is proven with so many attacker's moves, or refuted for so
//! many. The table keeps both, so that deeper questions start where shallower ones ended.
//!
//! A proof comes with a zone, the cells it needs: it holds even if the defender owns every other
//! cell. So a defender's move outside the zone of any proof found so far changes nothing, and only
//! moves inside all of them are worth a try.

use std::cmp::Reverse;

use crate::bits::Bits;
use crate::limits::Meter;

use super::pairing::Pairing;
use super::prover::{tick, Halt};
use super::sides::{weight, Sides, ATTACKER, DEFENDER, ONE};
use super::table::{Known, Table, EVER};
use super::threats::Path;
use super::Options;

/// No move.
const NONE: u16 = u16::MAX;

/// The answer to one question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Answer<B: Bits> {
    /// Whether the attacker wins.
    pub proven: bool,
    /// With this many own moves; or not with this many ([`EVER`]: with any number).
    pub moves: u8,
    /// The cells the proof needs.
    pub zone: B,
    /// The threats that prove it, if nothing else is needed.
    pub path: Option<Path<B>>,
}

fn proven<B: Bits>(moves: u8, zone: B) -> Answer<B> {
    Answer {
        proven: true,
        moves,
        zone,
        path: None,
    }
}

fn refuted<B: Bits>(moves: u8) -> Answer<B> {
    Answer {
        proven: false,
        moves,
        zone: B::default(),
        path: None,
    }
}

/// One attacker's move later.
fn step<B: Bits>(answer: Answer<B>) -> Answer<B> {
    Answer {
        moves: answer.moves.saturating_add(1),
        path: None,
        ..answer
    }
}

/// The search with its table and its stack of residues.
pub(crate) struct Attack<'m, 'a, B: Bits> {
    pub meter: &'m mut Meter<'a>,
    /// Stop the question when the meter reaches this many nodes.
    pub budget: u64,
    pub stack: Vec<Sides<B>>,
    pub table: Table<B>,
    options: Options,
    group: Vec<Vec<u16>>,
    /// Down to this depth of the stack, keys are taken modulo the group.
    symmetric: usize,
    pairing: Pairing<B>,
    /// What a node costs, about a nanosecond each, and what was spent since the last look at the clock.
    cost: usize,
    spent: usize,
    /// Per cell: how promising a move there is.
    scores: Vec<u64>,
    /// Per cell: what an attacker's mark there adds to the potential, of all residues and of those
    /// that can be completed in time.
    gains: Vec<[u64; 2]>,
}

impl<'m, 'a, B: Bits> Attack<'m, 'a, B> {
    /// A search over boards of `cells` cells.
    pub fn new(
        cells: usize,
        group: Vec<Vec<u16>>,
        options: Options,
        table: Table<B>,
        meter: &'m mut Meter<'a>,
    ) -> Self {
        Self {
            meter,
            budget: u64::MAX,
            stack: vec![Sides::default(); cells + 2],
            table,
            options,
            group,
            symmetric: 4,
            pairing: Pairing::default(),
            cost: 100 + cells * cells * size_of::<B>() / 16,
            spent: 0,
            scores: vec![0; cells],
            gains: vec![[0; 2]; cells],
        }
    }

    fn tick(&mut self) -> Result<(), Halt> {
        self.spent += self.cost;
        if self.spent >= 1 << 18 {
            self.spent = 0;
            self.meter.check();
        }
        tick(self.meter, self.budget)
    }

    pub fn play(&mut self, depth: usize, side: usize, cell: usize) {
        let (before, after) = self.stack.split_at_mut(depth + 1);
        before[depth].play(side, cell, &mut after[0]);
    }

    /// The attacker moves and has `moves` moves left.
    pub fn attack(&mut self, depth: usize, moves: u8) -> Result<Answer<B>, Halt> {
        self.tick()?;
        let Options {
            forced, pairing, ..
        } = self.options;
        let sides = &self.stack[depth];
        let mine = sides.glance(ATTACKER, u32::from(moves));
        if moves == 0 {
            return Ok(refuted(0));
        }
        if let Some(cell) = mine.ones.first() {
            return Ok(proven(1, sides.cover(DEFENDER, 1, B::one(cell))));
        }
        if moves == 1 {
            return Ok(refuted(1));
        }
        let theirs = sides.glance(DEFENDER, 0);
        if let (Some(cell), true) = (theirs.ones.first(), forced) {
            if theirs.ones.count() > 1 {
                return Ok(refuted(EVER));
            }
            self.play(depth, ATTACKER, cell);
            let answer = step(self.defend(depth + 1, moves - 1)?);
            let zone = answer.zone.or(&theirs.ones);
            return Ok(Answer { zone, ..answer });
        }
        if forced && !mine.forks.is_empty() {
            return Ok(proven(2, sides.fork_zone(ATTACKER, &mine.forks)));
        }
        if mine.all.is_empty() || (pairing && mine.potential * 2 < ONE) {
            return Ok(refuted(EVER));
        }
        if (pairing && mine.near * 2 < ONE) || (forced && moves == 2) {
            return Ok(refuted(moves));
        }
        let key = self.key(depth, ATTACKER);
        let (answer, hint) = self.probe(key, moves);
        if let Some(answer) = answer {
            return Ok(answer);
        }
        let since = self.meter.nodes();
        if let (true, Some(path)) = (forced, self.path(depth, moves)) {
            let answer = Answer {
                path: Some(path),
                ..proven(path.moves, path.zone(&self.stack[depth]))
            };
            return Ok(self.settle(key, since, answer, NONE));
        }
        if self.paired(depth, mine.potential, ONE / 2) {
            return Ok(self.settle(key, since, refuted(EVER), NONE));
        }
        let mut candidates = mine.all.or(&theirs.all);
        if forced && !theirs.forks.is_empty() {
            let (answers, _) = self.stack[depth].answers(DEFENDER, &theirs.forks);
            candidates = candidates.and(&answers.or(&mine.twos));
        }
        let mut order = self.order(depth, candidates, hint);
        let mut worst = EVER;
        if pairing {
            self.weed(depth, moves, mine.potential, &mut order, &mut worst);
        }
        let first = order.first().copied().unwrap_or(NONE);
        for cell in order {
            self.play(depth, ATTACKER, usize::from(cell));
            let answer = step(self.defend(depth + 1, moves - 1)?);
            if answer.proven {
                let zone = answer.zone.or(&B::one(usize::from(cell)));
                return Ok(self.settle(key, since, Answer { zone, ..answer }, cell));
            }
            worst = worst.min(answer.moves);
        }
        Ok(self.settle(key, since, refuted(worst.max(moves)), first))
    }

    /// The defender moves and the attacker has `moves` moves left.
    pub fn defend(&mut self, depth: usize, moves: u8) -> Result<Answer<B>, Halt> {
        self.tick()?;
        let Options {
            forced, pairing, ..
        } = self.options;
        let sides = &self.stack[depth];
        let theirs = sides.glance(DEFENDER, 0);
        if !theirs.ones.is_empty() {
            return Ok(refuted(EVER));
        }
        if moves == 0 {
            return Ok(refuted(0));
        }
        let mine = sides.glance(ATTACKER, u32::from(moves));
        if let (Some(cell), true) = (mine.ones.first(), forced) {
            if mine.ones.count() > 1 {
                return Ok(proven(1, sides.cover(DEFENDER, 2, mine.ones)));
            }
            self.play(depth, DEFENDER, cell);
            let answer = self.attack(depth + 1, moves)?;
            let zone = answer.zone.or(&mine.ones);
            let zone = self.stack[depth].cover(DEFENDER, 2, zone);
            return Ok(Answer { zone, ..answer });
        }
        if mine.all.is_empty() || (pairing && mine.potential < ONE) {
            return Ok(refuted(EVER));
        }
        if (pairing && mine.near < ONE) || (moves == 1 && mine.ones.is_empty()) {
            return Ok(refuted(moves));
        }
        if forced {
            if !theirs.forks.is_empty() {
                return Ok(refuted(EVER));
            }
            if moves == 2 && mine.forks.is_empty() {
                return Ok(refuted(moves));
            }
        }
        let key = self.key(depth, DEFENDER);
        let (answer, hint) = self.probe(key, moves);
        if let Some(answer) = answer {
            return Ok(answer);
        }
        let since = self.meter.nodes();
        if self.paired(depth, mine.potential, ONE) {
            return Ok(self.settle(key, since, refuted(EVER), NONE));
        }
        let mut candidates = mine.all.or(&theirs.all);
        let mut slowest = 0;
        let mut zone = B::default();
        if forced && !mine.forks.is_empty() {
            let (answers, needed) = self.stack[depth].answers(ATTACKER, &mine.forks);
            candidates = candidates.and(&answers.or(&theirs.twos));
            (slowest, zone) = (2, needed);
        } else if forced && self.options.zones {
            // Whatever does not spoil the threats that a pass would meet loses to them.
            if let Some(path) = self.path(depth, moves) {
                candidates = candidates.and(&path.spoilers(&self.stack[depth]));
                zone = path.zone(&self.stack[depth]);
                slowest = path.moves;
            }
        }
        let mut best = NONE;
        for cell in self.order(depth, candidates, hint) {
            if !candidates.has(usize::from(cell)) {
                continue;
            }
            self.play(depth, DEFENDER, usize::from(cell));
            let answer = self.attack(depth + 1, moves)?;
            if !answer.proven {
                return Ok(self.settle(key, since, answer, cell));
            }
            if answer.moves > slowest {
                slowest = answer.moves;
                best = cell;
            }
            zone = zone.or(&answer.zone).or(&B::one(usize::from(cell)));
            if self.options.zones {
                candidates = candidates.and(&match answer.path {
                    Some(path) => path.spoilers(&self.stack[depth]),
                    None => answer.zone,
                });
            }
        }
        if !mine.ones.is_empty() {
            zone = self.stack[depth].cover(DEFENDER, 2, zone.or(&mine.ones));
        }
        Ok(self.settle(key, since, proven(slowest, zone), best))
    }

    /// Whether pairs of cells refute the attack whatever its length.
    fn paired(&mut self, depth: usize, potential: u64, bound: u64) -> bool {
        // Further away it has never been seen to succeed.
        self.options.pairing
            && potential < bound * 4
            && self
                .pairing
                .refutes(&self.stack[depth].lists[ATTACKER], potential, bound)
    }

    /// Candidates, the most promising first; also finds the gains.
    fn order(&mut self, depth: usize, candidates: B, hint: u16) -> Vec<u16> {
        self.scores.fill(0);
        for (side, list) in self.stack[depth].lists.iter().enumerate() {
            let factor = if side == ATTACKER { 4 } else { 3 };
            for residue in list {
                let worth = factor * weight(residue.count());
                for cell in residue.iter() {
                    self.scores[cell] += worth;
                }
            }
        }
        let scores = &mut self.scores;
        if let Some(score) = scores.get_mut(usize::from(hint)) {
            *score = u64::MAX;
        }
        let mut order: Vec<u16> = candidates.iter().map(|cell| cell as u16).collect();
        order.sort_by_key(|cell| Reverse(scores[usize::from(*cell)]));
        order
    }

    /// Removes the attacker's moves that the potential refutes at once.
    fn weed(
        &mut self,
        depth: usize,
        moves: u8,
        potential: u64,
        order: &mut Vec<u16>,
        worst: &mut u8,
    ) {
        self.gains.fill([0; 2]);
        let in_time = u32::from(moves) - 1;
        let mut near = 0;
        for residue in &self.stack[depth].lists[ATTACKER] {
            let size = residue.count();
            let gain = weight(size);
            // A mark brings a residue of one cell too many into reach.
            let near_gain = match size {
                _ if size <= in_time => gain,
                _ if size == in_time + 1 => 2 * gain,
                _ => 0,
            };
            if size <= in_time {
                near += gain;
            }
            for cell in residue.iter() {
                let gains = &mut self.gains[cell];
                gains[0] += gain;
                gains[1] += near_gain;
            }
        }
        order.retain(|cell| {
            let [gain, near_gain] = self.gains[usize::from(*cell)];
            if potential + gain < ONE {
                return false;
            }
            if near + near_gain < ONE {
                *worst = (*worst).min(moves);
                return false;
            }
            true
        });
    }

    /// The table's key of the residues at a depth with a side to move, and the symmetry (by its
    /// index) that maps them to where the key was taken.
    fn key(&self, depth: usize, side: usize) -> (u128, usize) {
        let sides = &self.stack[depth];
        let (key, image) = if depth <= self.symmetric && self.options.symmetry {
            sides.canonical_key(&self.group)
        } else {
            (sides.key, 0)
        };
        if side == ATTACKER {
            (key, image)
        } else {
            (key ^ 0x4528_21e6_38d0_1377_be54_66cf_34e9_0c6c, image)
        }
    }

    fn probe(&self, (key, image): (u128, usize), moves: u8) -> (Option<Answer<B>>, u16) {
        if !self.options.table {
            return (None, NONE);
        }
        let known = self.table.get(key);
        let to = &self.group[image];
        if known.proven <= moves && known.proven < EVER {
            let zone = if image == 0 {
                known.zone
            } else {
                (0..to.len())
                    .filter(|cell| known.zone.has(usize::from(to[*cell])))
                    .fold(B::default(), |zone, cell| zone.or(&B::one(cell)))
            };
            (Some(proven(known.proven, zone)), NONE)
        } else if known.refuted >= moves {
            (Some(refuted(known.refuted)), NONE)
        } else if image == 0 || known.mv == NONE {
            (None, known.mv)
        } else {
            let hint = to.iter().position(|cell| *cell == known.mv);
            (None, hint.map_or(NONE, |cell| cell as u16))
        }
    }

    /// Stores an answer and hands it back.
    fn settle(
        &mut self,
        (key, image): (u128, usize),
        since: u64,
        answer: Answer<B>,
        mv: u16,
    ) -> Answer<B> {
        if !self.options.table {
            return answer;
        }
        let to = &self.group[image];
        let mut known = Known {
            mv: to.get(usize::from(mv)).copied().unwrap_or(NONE),
            ..Known::nothing()
        };
        if answer.proven {
            known.proven = answer.moves;
            known.zone = answer.zone.iter().fold(B::default(), |zone, cell| {
                zone.or(&B::one(usize::from(to[cell])))
            });
        } else {
            known.refuted = answer.moves;
        }
        self.table.put(key, self.meter.nodes() - since, &known);
        answer
    }
}
