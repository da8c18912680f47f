//! Can the attacker force a win, and with how few of its own moves?
//!
//! Two mutually recursive questions, one for either side to move, over the residues of both sides.
//! Each answers with a number: the win is proven with so many attacker's moves, or refuted for so
//! many. The table keeps both, so that deeper questions start where shallower ones ended.
//!
//! A proof comes with a zone, the cells it needs: it holds even if the defender owns every other
//! cell. So a defender's move outside the zone of any proof found so far changes nothing, and only
//! moves inside all of them are worth a try.

use crate::bits::Bits;
use crate::limits::Meter;

use super::look::{Look, Open};
use super::numbers::Numbers;
use super::pairing::Pairing;
use super::sides::{Sides, ATTACKER, DEFENDER};
use super::threats::Path;
use crate::search::proofs::{Known, Table, EVER};
use crate::search::prover::{tick, Halt};
use crate::search::Options;

/// No move.
pub(crate) const NONE: u16 = u16::MAX;

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

pub(crate) fn proven<B: Bits>(moves: u8, zone: B) -> Answer<B> {
    Answer {
        proven: true,
        moves,
        zone,
        path: None,
    }
}

pub(crate) fn refuted<B: Bits>(moves: u8) -> Answer<B> {
    Answer {
        proven: false,
        moves,
        zone: B::default(),
        path: None,
    }
}

impl<B: Bits> Answer<B> {
    /// The answer one attacker's move earlier.
    pub fn after_attacker(self, cell: usize) -> Self {
        Self {
            proven: self.proven,
            moves: self.moves.saturating_add(1),
            zone: self.zone.or(&B::one(cell)),
            path: None,
        }
    }

    /// The answer one forced defence earlier.
    pub fn after_forced(self, cell: usize, sides: &Sides<B>) -> Self {
        let zone = self.zone.or(&B::one(cell));
        Self {
            zone: sides.cover(DEFENDER, 2, zone),
            path: None,
            ..self
        }
    }
}

/// The search with its table and its stack of residues.
pub(crate) struct Attack<'m, 'a, B: Bits> {
    pub meter: &'m mut Meter<'a>,
    /// Stop the question when the meter reaches this many nodes.
    pub budget: u64,
    pub stack: Vec<Sides<B>>,
    pub table: Table<B>,
    pub options: Options,
    pub group: Vec<Vec<u16>>,
    /// Down to this depth of the stack, keys are taken modulo the group.
    symmetric: usize,
    /// Proof numbers of open positions.
    pub numbers: Numbers,
    /// Bytes they may take.
    pub numbers_memory: usize,
    pub pairing: Pairing<B>,
    /// What a node costs, about a nanosecond each, and what was spent since the last look at the clock.
    cost: usize,
    spent: usize,
    /// Per cell: how promising a move there is.
    pub scores: Vec<u64>,
    /// Per cell: what an attacker's mark there adds to the potential, of all residues and of those
    /// that can be completed in time.
    pub gains: Vec<[u64; 2]>,
}

impl<'m, 'a, B: Bits> Attack<'m, 'a, B> {
    /// A search over boards of so many cells and sets.
    pub fn new(
        cells: usize,
        sets: usize,
        group: Vec<Vec<u16>>,
        options: Options,
        table: Table<B>,
        meter: &'m mut Meter<'a>,
    ) -> Self {
        // Large groups and boards make keys so slow that they pay only next to the root.
        let symmetric = match group.len() * sets * size_of::<B>() / 8 {
            0..1000 => 3,
            1000..5000 => 2,
            _ => 1,
        };
        Self {
            meter,
            budget: u64::MAX,
            stack: vec![Sides::default(); cells + 2],
            table,
            options,
            symmetric,
            group,
            numbers: Numbers::default(),
            numbers_memory: 0,
            pairing: Pairing::default(),
            cost: 100 + cells * cells * size_of::<B>() / 16,
            spent: 0,
            scores: vec![0; cells],
            gains: vec![[0; 2]; cells],
        }
    }

    pub fn tick(&mut self) -> Result<(), Halt> {
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
        let open = match self.look_attacking(depth, moves)? {
            Look::Done(answer) => return Ok(answer),
            Look::Forced(cell) => {
                self.play(depth, ATTACKER, cell);
                let answer = self.defend(depth + 1, moves - 1)?;
                return Ok(answer.after_attacker(cell));
            }
            Look::Open(open) => open,
        };
        let mut worst = open.moves;
        for cell in &open.order {
            self.play(depth, ATTACKER, usize::from(*cell));
            let answer = self.defend(depth + 1, moves - 1)?;
            let answer = answer.after_attacker(usize::from(*cell));
            if answer.proven {
                return Ok(self.settle(&open, answer, *cell));
            }
            worst = worst.min(answer.moves);
        }
        let first = open.order.first().copied().unwrap_or(NONE);
        Ok(self.settle(&open, refuted(worst.max(moves)), first))
    }

    /// The defender moves and the attacker has `moves` moves left.
    pub fn defend(&mut self, depth: usize, moves: u8) -> Result<Answer<B>, Halt> {
        let mut open = match self.look_defending(depth, moves)? {
            Look::Done(answer) => return Ok(answer),
            Look::Forced(cell) => {
                self.play(depth, DEFENDER, cell);
                let answer = self.attack(depth + 1, moves)?;
                return Ok(answer.after_forced(cell, &self.stack[depth]));
            }
            Look::Open(open) => open,
        };
        let mut best = NONE;
        for cell in std::mem::take(&mut open.order) {
            if !open.candidates.has(usize::from(cell)) {
                continue;
            }
            self.play(depth, DEFENDER, usize::from(cell));
            let answer = self.attack(depth + 1, moves)?;
            if !answer.proven {
                return Ok(self.settle(&open, answer, cell));
            }
            if answer.moves > open.moves {
                best = cell;
            }
            self.narrow(depth, &mut open, &answer, usize::from(cell));
        }
        let answer = self.conceded(depth, &open);
        Ok(self.settle(&open, answer, best))
    }

    /// Takes in the proof against one defence: what it does not need is no defence either.
    pub fn narrow(&self, depth: usize, open: &mut Open<B>, answer: &Answer<B>, cell: usize) {
        let sides = &self.stack[depth];
        open.moves = open.moves.max(answer.moves);
        open.zone = open.zone.or(&answer.zone).or(&B::one(cell));
        if !self.options.zones {
            return;
        }
        if let Some(path) = answer.path {
            open.candidates = open.candidates.and(&path.spoilers(sides));
            open.zone = open.zone.or(&path.zone(sides, 3));
        } else {
            open.candidates = open.candidates.and(&answer.zone);
        }
    }

    /// The proof when no defence is left.
    pub fn conceded(&self, depth: usize, open: &Open<B>) -> Answer<B> {
        let zone = if open.ones.is_empty() {
            open.zone
        } else {
            self.stack[depth].cover(DEFENDER, 2, open.zone.or(&open.ones))
        };
        proven(open.moves, zone)
    }

    /// The table's key of the residues at a depth with a side to move, and the symmetry (by its
    /// index) that maps them to where the key was taken.
    pub fn key(&self, depth: usize, side: usize) -> (u128, usize) {
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

    pub fn probe(&self, (key, image): (u128, usize), moves: u8) -> (Option<Answer<B>>, u16) {
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
    pub fn settle(&mut self, open: &Open<B>, answer: Answer<B>, mv: u16) -> Answer<B> {
        if !self.options.table {
            return answer;
        }
        let (key, image) = open.key;
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
        self.table.put(key, self.meter.nodes() - open.since, &known);
        answer
    }
}
