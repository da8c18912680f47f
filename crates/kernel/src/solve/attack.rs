//! Can the attacker force a win, and with how few of its own moves?
//!
//! Two mutually recursive questions, one for either side to move, over the residues of both sides.
//! Each answers with a number: the win is proven with so many attacker's moves, or refuted for so
//! many. The table keeps both, so that deeper questions start where shallower ones ended.

use crate::bits::Bits;
use crate::limits::Meter;

use super::prover::{tick, Halt};
use super::sides::{Glance, Sides, ATTACKER, DEFENDER, ONE};
use super::table::{Known, Table, EVER};
use super::Options;

/// The answer to one question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// The attacker wins with this many own moves.
    Proven(u8),
    /// The attacker cannot win with this many own moves; [`EVER`] with any number.
    Refuted(u8),
}

/// The search with its table and its stack of residues.
pub(crate) struct Attack<'m, 'a, B: Bits> {
    pub table: Table,
    pub meter: &'m mut Meter<'a>,
    pub options: Options,
    pub group: Vec<Vec<u16>>,
    pub stack: Vec<Sides<B>>,
    /// Stop the question when the meter reaches this many nodes.
    pub budget: u64,
    /// Down to this depth of the stack, keys are taken modulo the group.
    pub symmetric: usize,
    scores: Vec<u64>,
}

impl<'m, 'a, B: Bits> Attack<'m, 'a, B> {
    /// A search over boards of `cells` cells.
    pub fn new(
        cells: usize,
        group: Vec<Vec<u16>>,
        options: Options,
        table: Table,
        meter: &'m mut Meter<'a>,
    ) -> Self {
        Self {
            table,
            meter,
            options,
            group,
            stack: vec![Sides::default(); cells + 2],
            budget: u64::MAX,
            symmetric: 4,
            scores: vec![0; cells],
        }
    }

    fn play(&mut self, depth: usize, side: usize, cell: usize) {
        let (before, after) = self.stack.split_at_mut(depth + 1);
        before[depth].play(side, cell, &mut after[0]);
    }

    /// The table's key of the residues at a depth with a side to move.
    fn key(&self, depth: usize, side: usize) -> u128 {
        let sides = &self.stack[depth];
        let key = if depth <= self.symmetric && self.options.symmetry {
            sides.canonical_key(&self.group)
        } else {
            sides.key
        };
        if side == ATTACKER {
            key
        } else {
            key ^ 0x4528_21e6_38d0_1377_be54_66cf_34e9_0c6c
        }
    }

    fn probe(&self, key: u128, moves: u8) -> (Option<Answer>, u16) {
        if !self.options.table {
            return (None, u16::MAX);
        }
        let known = self.table.get(key);
        let answer = if known.proven <= moves && known.proven < EVER {
            Some(Answer::Proven(known.proven))
        } else if known.refuted >= moves {
            Some(Answer::Refuted(known.refuted))
        } else {
            None
        };
        (answer, known.mv)
    }

    fn store(&mut self, key: u128, since: u64, answer: Answer, mv: u16) {
        if !self.options.table {
            return;
        }
        let mut known = Known {
            mv,
            ..Known::NOTHING
        };
        match answer {
            Answer::Proven(moves) => known.proven = moves,
            Answer::Refuted(moves) => known.refuted = moves,
        }
        self.table.put(key, self.meter.nodes() - since, known);
    }

    /// The attacker moves and has `moves` moves left.
    pub fn attack(&mut self, depth: usize, moves: u8) -> Result<Answer, Halt> {
        tick(self.meter, self.budget)?;
        let mine = self.stack[depth].glance(ATTACKER, u32::from(moves));
        if !mine.ones.is_empty() {
            return Ok(if moves > 0 {
                Answer::Proven(1)
            } else {
                Answer::Refuted(0)
            });
        }
        if moves <= 1 {
            return Ok(Answer::Refuted(moves));
        }
        let theirs = self.stack[depth].glance(DEFENDER, 0);
        if let (Some(cell), true) = (theirs.ones.first(), self.options.forced) {
            if theirs.ones.count() > 1 {
                return Ok(Answer::Refuted(EVER));
            }
            self.play(depth, ATTACKER, cell);
            return Ok(step(self.defend(depth + 1, moves - 1)?));
        }
        if self.options.forced && !mine.forks.is_empty() {
            return Ok(Answer::Proven(2));
        }
        if mine.all.is_empty() || (self.options.pairing && mine.potential * 2 < ONE) {
            return Ok(Answer::Refuted(EVER));
        }
        let too_far = self.options.pairing && mine.near * 2 < ONE;
        if too_far || (self.options.forced && moves == 2) {
            return Ok(Answer::Refuted(moves));
        }
        let key = self.key(depth, ATTACKER);
        let (answer, hint) = self.probe(key, moves);
        if let Some(answer) = answer {
            return Ok(answer);
        }
        let since = self.meter.nodes();
        let mut candidates = mine.all.or(&theirs.all);
        if self.options.forced && !theirs.forks.is_empty() {
            let answers = self.stack[depth].answers(DEFENDER, &theirs.forks);
            candidates = answers.or(&mine.twos);
        }
        let order = self.order(depth, ATTACKER, candidates, &mine, hint);
        let mut worst = EVER;
        let mut best = u16::MAX;
        for cell in order {
            self.play(depth, ATTACKER, usize::from(cell));
            match step(self.defend(depth + 1, moves - 1)?) {
                Answer::Proven(count) => {
                    let answer = Answer::Proven(count);
                    self.store(key, since, answer, cell);
                    return Ok(answer);
                }
                Answer::Refuted(count) => {
                    if best == u16::MAX {
                        best = cell;
                    }
                    worst = worst.min(count);
                }
            }
        }
        let answer = Answer::Refuted(worst.max(moves));
        self.store(key, since, answer, best);
        Ok(answer)
    }

    /// The defender moves and the attacker has `moves` moves left.
    pub fn defend(&mut self, depth: usize, moves: u8) -> Result<Answer, Halt> {
        tick(self.meter, self.budget)?;
        let theirs = self.stack[depth].glance(DEFENDER, 0);
        if !theirs.ones.is_empty() {
            return Ok(Answer::Refuted(EVER));
        }
        let mine = self.stack[depth].glance(ATTACKER, u32::from(moves));
        if let Some(cell) = mine.ones.first() {
            if moves == 0 {
                return Ok(Answer::Refuted(0));
            }
            if self.options.forced {
                if mine.ones.count() > 1 {
                    return Ok(Answer::Proven(1));
                }
                self.play(depth, DEFENDER, cell);
                return self.attack(depth + 1, moves);
            }
        } else if moves <= 1 {
            return Ok(Answer::Refuted(moves));
        }
        if mine.all.is_empty() || (self.options.pairing && mine.potential < ONE) {
            return Ok(Answer::Refuted(EVER));
        }
        if self.options.pairing && mine.near < ONE {
            return Ok(Answer::Refuted(moves));
        }
        if self.options.forced {
            if !theirs.forks.is_empty() {
                return Ok(Answer::Refuted(EVER));
            }
            if moves == 2 && mine.forks.is_empty() {
                return Ok(Answer::Refuted(moves));
            }
        }
        let key = self.key(depth, DEFENDER);
        let (answer, hint) = self.probe(key, moves);
        if let Some(answer) = answer {
            return Ok(answer);
        }
        let since = self.meter.nodes();
        let mut candidates = mine.all.or(&theirs.all);
        let mut slowest = 0;
        if self.options.forced && !mine.forks.is_empty() {
            let answers = self.stack[depth].answers(ATTACKER, &mine.forks);
            candidates = answers.or(&theirs.twos);
            slowest = 2;
        }
        let order = self.order(depth, DEFENDER, candidates, &mine, hint);
        let mut best = u16::MAX;
        for cell in order {
            self.play(depth, DEFENDER, usize::from(cell));
            match self.attack(depth + 1, moves)? {
                Answer::Proven(count) => {
                    if count > slowest {
                        slowest = count;
                        best = cell;
                    }
                }
                Answer::Refuted(count) => {
                    let answer = Answer::Refuted(count);
                    self.store(key, since, answer, cell);
                    return Ok(answer);
                }
            }
        }
        let answer = Answer::Proven(slowest);
        self.store(key, since, answer, best);
        Ok(answer)
    }

    /// Candidates, the most promising first.
    fn order(
        &mut self,
        depth: usize,
        side: usize,
        candidates: B,
        _mine: &Glance<B>,
        hint: u16,
    ) -> Vec<u16> {
        self.scores.fill(0);
        let sides = &self.stack[depth];
        for (whose, list) in sides.lists.iter().enumerate() {
            let factor = if whose == ATTACKER { 4 } else { 3 };
            for residue in list {
                let size = residue.count();
                let worth = factor << (40 - 2 * size.min(20));
                for cell in residue.iter() {
                    self.scores[cell] += worth;
                }
            }
        }
        let _ = side;
        let scores = &mut self.scores;
        if let Some(score) = scores.get_mut(usize::from(hint)) {
            *score = u64::MAX;
        }
        let mut order: Vec<u16> = candidates.iter().map(|cell| cell as u16).collect();
        order.sort_by_key(|cell| std::cmp::Reverse(scores[usize::from(*cell)]));
        order
    }
}

/// One attacker's move later.
fn step(answer: Answer) -> Answer {
    match answer {
        Answer::Proven(moves) => Answer::Proven(moves.saturating_add(1)),
        Answer::Refuted(moves) => Answer::Refuted(moves.saturating_add(1)),
    }
}
