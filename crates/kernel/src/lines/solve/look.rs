//! What can be said about a question before trying moves: the statics, the table, the candidates.

use std::cmp::Reverse;

use crate::bits::Bits;

use super::attack::{proven, refuted, Answer, Attack, NONE};
use super::sides::{weight, ATTACKER, DEFENDER, ONE};
use crate::search::proofs::EVER;
use crate::search::prover::Halt;
use crate::search::Options;

/// What a look tells.
pub(crate) enum Look<B: Bits> {
    /// The answer.
    Done(Answer<B>),
    /// The only move that does not lose at once.
    Forced(usize),
    /// Moves must be tried.
    Open(Open<B>),
}

/// A question that is open, and what is known about it.
#[derive(Clone, Debug)]
pub(crate) struct Open<B: Bits> {
    /// The key in the table and the symmetry it was taken under.
    pub key: (u128, usize),
    /// The nodes when the question was put.
    pub since: u64,
    /// The moves to try, the most promising first.
    pub order: Vec<u16>,
    /// The defender's moves still worth a try.
    pub candidates: B,
    /// Attacker's moves: how far all moves left out are refuted, or how soon they lose.
    pub moves: u8,
    /// The cells the proofs against the defences so far need.
    pub zone: B,
    /// Cells that complete a set for the attacker.
    pub ones: B,
}

impl<B: Bits> Attack<'_, '_, B> {
    /// Looks at a position with the attacker to move and `moves` moves left.
    pub fn look_attacking(&mut self, depth: usize, moves: u8) -> Result<Look<B>, Halt> {
        self.tick()?;
        let Options {
            forced, pairing, ..
        } = self.options;
        let sides = &self.stack[depth];
        let mine = sides.summary(ATTACKER, u32::from(moves));
        let done = |answer| Ok(Look::Done(answer));
        if moves == 0 {
            return done(refuted(0));
        }
        if let Some(cell) = mine.ones.first() {
            return done(proven(1, sides.cover(DEFENDER, 1, B::one(cell))));
        }
        if moves == 1 {
            return done(refuted(1));
        }
        let theirs = sides.summary(DEFENDER, 0);
        if let (Some(cell), true) = (theirs.ones.first(), forced) {
            if theirs.ones.count() > 1 {
                return done(refuted(EVER));
            }
            return Ok(Look::Forced(cell));
        }
        if forced && !mine.forks.is_empty() {
            return done(proven(2, sides.fork_zone(ATTACKER, &mine.forks)));
        }
        if mine.all.is_empty() || (pairing && mine.potential * 2 < ONE) {
            return done(refuted(EVER));
        }
        if (pairing && mine.near * 2 < ONE) || (forced && moves == 2) {
            return done(refuted(moves));
        }
        let key = self.key(depth, ATTACKER);
        let (answer, hint) = self.probe(key, moves);
        if let Some(answer) = answer {
            return done(answer);
        }
        let mut open = Open {
            key,
            since: self.meter.nodes(),
            order: Vec::new(),
            candidates: mine.all.or(&theirs.all),
            moves: EVER,
            zone: B::default(),
            ones: B::default(),
        };
        if let (true, Some(path)) = (forced, self.path(depth, moves)) {
            let answer = Answer {
                path: Some(path),
                ..proven(path.moves, path.zone(&self.stack[depth], 2))
            };
            return done(self.settle(&open, answer, NONE));
        }
        if self.paired(depth, mine.potential, ONE / 2) {
            return done(self.settle(&open, refuted(EVER), NONE));
        }
        if forced && !theirs.forks.is_empty() {
            let (answers, _) = self.stack[depth].answers(DEFENDER, &theirs.forks);
            open.candidates = open.candidates.and(&answers.or(&mine.twos));
        }
        open.order = self.order(depth, open.candidates, hint);
        if pairing {
            self.prune(depth, moves, mine.potential, &mut open);
        }
        Ok(Look::Open(open))
    }

    /// Looks at a position with the defender to move and `moves` attacker's moves left.
    pub fn look_defending(&mut self, depth: usize, moves: u8) -> Result<Look<B>, Halt> {
        self.tick()?;
        let Options {
            forced, pairing, ..
        } = self.options;
        let sides = &self.stack[depth];
        let theirs = sides.summary(DEFENDER, 0);
        let done = |answer| Ok(Look::Done(answer));
        if !theirs.ones.is_empty() {
            return done(refuted(EVER));
        }
        if moves == 0 {
            return done(refuted(0));
        }
        let mine = sides.summary(ATTACKER, u32::from(moves));
        if let (Some(cell), true) = (mine.ones.first(), forced) {
            if mine.ones.count() > 1 {
                return done(proven(1, sides.cover(DEFENDER, 2, mine.ones)));
            }
            return Ok(Look::Forced(cell));
        }
        if mine.all.is_empty() || (pairing && mine.potential < ONE) {
            return done(refuted(EVER));
        }
        if (pairing && mine.near < ONE) || (moves == 1 && mine.ones.is_empty()) {
            return done(refuted(moves));
        }
        if forced {
            if !theirs.forks.is_empty() {
                return done(refuted(EVER));
            }
            if moves == 2 && mine.forks.is_empty() {
                return done(refuted(moves));
            }
        }
        let key = self.key(depth, DEFENDER);
        let (answer, hint) = self.probe(key, moves);
        if let Some(answer) = answer {
            return done(answer);
        }
        let mut open = Open {
            key,
            since: self.meter.nodes(),
            order: Vec::new(),
            candidates: mine.all.or(&theirs.all),
            moves: 0,
            zone: B::default(),
            ones: mine.ones,
        };
        if self.paired(depth, mine.potential, ONE) {
            return done(self.settle(&open, refuted(EVER), NONE));
        }
        if forced && !mine.forks.is_empty() {
            let (answers, needed) = self.stack[depth].answers(ATTACKER, &mine.forks);
            open.candidates = open.candidates.and(&answers.or(&theirs.twos));
            (open.moves, open.zone) = (2, needed);
        } else if forced && self.options.zones {
            // Whatever does not spoil the threats that a pass would meet loses to them.
            if let Some(path) = self.path(depth, moves) {
                let sides = &self.stack[depth];
                open.candidates = open.candidates.and(&path.spoilers(sides));
                (open.moves, open.zone) = (path.moves, path.zone(sides, 3));
            }
        }
        open.order = self.order(depth, open.candidates, hint);
        Ok(Look::Open(open))
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

    /// Candidates, the most promising first.
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
    fn prune(&mut self, depth: usize, moves: u8, potential: u64, open: &mut Open<B>) {
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
        open.order.retain(|cell| {
            let [gain, near_gain] = self.gains[usize::from(*cell)];
            if potential + gain < ONE {
                return false;
            }
            if near + near_gain < ONE {
                open.moves = open.moves.min(moves);
                return false;
            }
            true
        });
    }
}
