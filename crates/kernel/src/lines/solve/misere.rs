//! The prover for misère on sets without caps: whoever completes a set loses.
//!
//! Here residues are what a side must not complete. Cells in nobody's residues are all alike, so a
//! position is its residues, the number of such cells, and whose turn it is.

use crate::bits::Bits;
use crate::error::KernelError;
use crate::limits::Meter;
use crate::lines::Lines;
use crate::memory::left;
use crate::position::Position;
use std::cmp::Reverse;

use super::sides::{Sides, ATTACKER, DEFENDER};
use crate::search::proofs::{Known, Table};
use crate::search::prover::{tick, Count, Halt, Prover, Reply, Tried, FOREVER};
use crate::search::Options;

/// Down to this depth, keys are taken modulo the symmetries.
const MAX_SYMMETRIC_DEPTH: usize = 6;

/// A position of the search.
#[derive(Clone, Debug, Default)]
struct Node<B: Bits> {
    sides: Sides<B>,
    marks: [B; 2],
    empty: B,
}

/// Answers questions about misère [`Lines`].
pub(crate) struct Misere<'m, 'a, B: Bits> {
    table: Table<B>,
    meter: &'m mut Meter<'a>,
    options: Options,
    group: Vec<Vec<u16>>,
    /// Symmetries that are their own inverse, for mirror strategies.
    mirrors: Vec<Vec<u16>>,
    /// Per cell, how many mirrors leave it in place.
    fixed: Vec<u32>,
    stack: Vec<Node<B>>,
    budget: u64,
}

impl<'m, 'a, B: Bits> Misere<'m, 'a, B> {
    /// A prover for the positions of one game.
    pub fn new(
        position: &Lines<B>,
        options: Options,
        meter: &'m mut Meter<'a>,
    ) -> Result<Self, KernelError> {
        let rules = &position.rules;
        let stack = 4 * (rules.cells + 2) * rules.sets.len() * size_of::<B>();
        let bytes = options.table_memory.min(left(meter.memory(), stack)?);
        let own_inverse = |p: &&Vec<u16>| {
            let twice = |cell: usize| usize::from(p[usize::from(p[cell])]) == cell;
            (0..p.len()).all(twice)
        };
        let all = rules.symmetries.iter().skip(1);
        let mut mirrors: Vec<Vec<u16>> = all.filter(own_inverse).cloned().collect();
        // A mirror that leaves few cells in place has an answer to more moves.
        mirrors.sort_by_key(|p| (0..p.len()).filter(|c| usize::from(p[*c]) == *c).count());
        let stays = |cell: usize| mirrors.iter().filter(move |p| usize::from(p[cell]) == cell);
        Ok(Self {
            table: Table::new(if options.table { bytes } else { 0 }),
            meter,
            options,
            group: rules.symmetries.clone(),
            fixed: (0..rules.cells).map(|c| stays(c).count() as u32).collect(),
            mirrors,
            stack: vec![Node::default(); rules.cells + 2],
            budget: 0,
        })
    }

    fn key(&self, depth: usize, side: usize, neutral: u32) -> u128 {
        let sides = &self.stack[depth].sides;
        let key = if depth <= MAX_SYMMETRIC_DEPTH && self.options.symmetry {
            sides.canonical_key(&self.group).0
        } else {
            sides.key
        };
        let turn = (u128::from(neutral) << 1 | side as u128) + 1;
        key ^ turn.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835)
    }

    /// The answer of a mirror to the defender's last move, if the position is mirrored otherwise.
    fn mirrored(&self, depth: usize) -> Option<usize> {
        let Node { marks, empty, .. } = &self.stack[depth];
        self.mirrors.iter().find_map(|mirror| {
            let theirs = marks[DEFENDER].map(mirror);
            let missing = theirs.minus(&marks[ATTACKER]);
            let spare = marks[ATTACKER].minus(&theirs);
            let moved = spare.iter().any(|cell| usize::from(mirror[cell]) != cell);
            let cell = missing.first()?;
            (missing.count() == 1 && !moved && empty.has(cell)).then_some(cell)
        })
    }

    fn search(&mut self, depth: usize, side: usize, plies: u32) -> Result<Reply, Halt> {
        tick(self.meter, self.budget)?;
        let node = &self.stack[depth];
        let mine = node.sides.summary(side, 0);
        let theirs = node.sides.summary(1 - side, 0);
        let losing = if side == DEFENDER { &mine } else { &theirs };
        if losing.all.is_empty() || node.empty.is_empty() {
            return Ok(Reply::Refuted(FOREVER));
        }
        if plies == 0 {
            return Ok(Reply::Refuted(0));
        }
        let safe = node.empty.minus(&mine.ones);
        if safe.is_empty() {
            return Ok(if side == DEFENDER {
                Reply::Proven(1)
            } else {
                Reply::Refuted(FOREVER)
            });
        }
        let live = mine.all.or(&theirs.all);
        let neutral = node.empty.minus(&live);
        let key = self.key(depth, side, neutral.count());
        let known = self.table.get(key);
        if let Some(reply) = known.reply(plies) {
            return Ok(reply);
        }
        let since = self.meter.nodes();
        let order = self.order(depth, side, &safe, &neutral);
        let attacking = side == ATTACKER;
        let mut tried = Tried::new(attacking, u16::MAX);
        for cell in order {
            self.play(depth, side, usize::from(cell));
            let reply = self.search(depth + 1, 1 - side, plies.saturating_sub(1))?;
            if tried.take(u16::MAX, reply) {
                break;
            }
        }
        if self.options.table {
            let known = Known::of(tried.reply, tried.best);
            self.table.put(key, self.meter.nodes() - since, &known);
        }
        Ok(tried.reply)
    }

    /// Safe moves, the most promising first; of neutral cells one is as good as all.
    fn order(&self, depth: usize, side: usize, safe: &B, neutral: &B) -> Vec<u16> {
        let sides = &self.stack[depth].sides;
        let mut scores = vec![0i64; self.fixed.len()];
        for (owner, list) in sides.lists.iter().enumerate() {
            for residue in list {
                // Own residues are danger; the other side's are worth keeping.
                let worth = 1 << (20 - 2 * residue.count().min(8));
                let worth = if owner == side { 2 * worth } else { worth };
                for cell in residue.iter() {
                    scores[cell] -= worth;
                }
            }
        }
        if side == ATTACKER {
            let none = sides.lists[DEFENDER].iter().all(|r| !r.is_empty())
                && self.stack[depth].marks == [B::default(); 2];
            for (cell, score) in scores.iter_mut().enumerate() {
                *score += i64::from(none) * (i64::from(self.fixed[cell]) << 40);
            }
            if let Some(cell) = self.mirrored(depth) {
                scores[cell] = i64::MAX;
            }
        }
        let spare = neutral.first().map_or(B::default(), B::one);
        let cells = safe.minus(neutral).or(&spare.and(safe));
        let mut order: Vec<u16> = cells.iter().map(|cell| cell as u16).collect();
        order.sort_by_key(|cell| Reverse(scores[usize::from(*cell)]));
        order
    }

    fn play(&mut self, depth: usize, side: usize, cell: usize) {
        let (before, after) = self.stack.split_at_mut(depth + 1);
        let (node, next) = (&before[depth], &mut after[0]);
        node.sides.play(side, cell, &mut next.sides);
        next.marks = node.marks;
        next.marks[side] = next.marks[side].or(&B::one(cell));
        next.empty = node.empty.minus(&B::one(cell));
    }
}

impl<B: Bits> Prover<Lines<B>> for Misere<'_, '_, B> {
    fn ask(
        &mut self,
        position: &Lines<B>,
        seat: u8,
        plies: u32,
        budget: u64,
    ) -> Result<Reply, Halt> {
        let marks = [
            position.marks[usize::from(seat)],
            position.marks[usize::from(1 - seat)],
        ];
        self.stack[0] = Node {
            sides: Sides::new(&position.rules.sets, &marks[0], &marks[1]),
            marks,
            empty: position.empty,
        };
        self.budget = budget;
        let side = usize::from(position.turn() != seat);
        let reply = self.search(0, side, plies)?;
        Ok(match reply {
            Reply::Refuted(n) if n >= position.empty.count() => Reply::Refuted(FOREVER),
            reply => reply,
        })
    }

    fn meter(&mut self) -> &mut dyn Count {
        self.meter
    }
}
