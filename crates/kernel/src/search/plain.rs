//! The prover for any two-player position: nothing but the rules, a table and symmetry.

use std::time::Duration;

use crate::bits::scramble;
use crate::error::KernelError;
use crate::limits::Meter;
use crate::position::{Move, Outcome, Position};

use super::proofs::{Known, Table, EVER};
use super::prover::{tick, Halt, Prover, Reply, FOREVER};
use super::solve::Options;

/// The table counts in bytes; no game that can be searched out is longer.
const MOST: u32 = EVER as u32 - 1;

/// Answers questions about any [`Position`] by trying every move.
pub(crate) struct Plain<'m, 'a> {
    table: Table<u64>,
    meter: &'m mut Meter<'a>,
    options: Options,
    budget: u64,
    seat: u8,
    buffers: Vec<Vec<Move>>,
}

impl<'m, 'a> Plain<'m, 'a> {
    /// A prover with a table that keeps to the memory of the meter.
    pub fn new(options: Options, meter: &'m mut Meter<'a>) -> Result<Self, KernelError> {
        let bytes = options.table_memory.min(meter.memory());
        Ok(Self {
            table: Table::new(if options.table { bytes } else { 0 }),
            meter,
            options,
            budget: 0,
            seat: 0,
            buffers: Vec::new(),
        })
    }

    fn key<P: Position>(&self, position: &P) -> u128 {
        let key = if self.options.symmetry {
            position.canonical_key()
        } else {
            position.key()
        };
        let key = key.wrapping_add(u64::from(self.seat) << 63 | u64::from(self.seat));
        u128::from(scramble(!key)) << 64 | u128::from(scramble(key))
    }

    fn search<P: Position>(&mut self, position: &mut P, plies: u32) -> Result<Reply, Halt> {
        tick(self.meter, self.budget)?;
        match position.outcome() {
            Some(Outcome::Win(seat)) if seat == self.seat => return Ok(Reply::Proven(0)),
            Some(_) => return Ok(Reply::Refuted(FOREVER)),
            None if plies == 0 => return Ok(Reply::Refuted(0)),
            None => {}
        }
        let key = self.key(position);
        let known = self.table.get(key);
        if known.proven < EVER && u32::from(known.proven) <= plies {
            return Ok(Reply::Proven(u32::from(known.proven)));
        }
        if known.refuted == EVER {
            return Ok(Reply::Refuted(FOREVER));
        }
        if u32::from(known.refuted) >= plies {
            return Ok(Reply::Refuted(u32::from(known.refuted)));
        }
        let since = self.meter.nodes();
        let mut moves = self.buffers.pop().unwrap_or_default();
        position.legal_moves(&mut moves);
        if let Some(at) = moves.iter().position(|mv| *mv as u16 == known.mv) {
            moves[..=at].rotate_right(1);
        }
        let attacking = position.turn() == self.seat;
        // An attacker keeps the best reply, a defender the one that holds out longest.
        let mut result = if attacking {
            Reply::Refuted(FOREVER)
        } else {
            Reply::Proven(0)
        };
        let mut best = moves.first().copied().unwrap_or(0);
        for mv in &moves {
            let undo = position.play(*mv);
            let reply = self.search(position, plies.saturating_sub(1));
            position.undo(undo);
            match (reply?, &mut result) {
                (Reply::Proven(n), result) if attacking => {
                    *result = Reply::Proven(n + 1);
                    best = *mv;
                    break;
                }
                (Reply::Refuted(n), result) if !attacking => {
                    *result = Reply::Refuted(n.saturating_add(1));
                    best = *mv;
                    break;
                }
                (Reply::Proven(n), Reply::Proven(longest)) if n + 1 > *longest => {
                    *longest = n + 1;
                    best = *mv;
                }
                (Reply::Refuted(n), Reply::Refuted(shortest)) => {
                    *shortest = (*shortest).min(n.saturating_add(1));
                }
                _ => {}
            }
        }
        self.buffers.push(moves);
        let mut known = Known {
            mv: best as u16,
            ..Known::nothing()
        };
        match result {
            Reply::Proven(n) => known.proven = n.min(MOST + 1) as u8,
            Reply::Refuted(FOREVER) => known.refuted = EVER,
            Reply::Refuted(n) => known.refuted = n.min(MOST) as u8,
        }
        if self.options.table {
            self.table.put(key, self.meter.nodes() - since, &known);
        }
        Ok(result)
    }
}

impl<P: Position> Prover<P> for Plain<'_, '_> {
    fn ask(&mut self, position: &P, seat: u8, plies: u32, budget: u64) -> Result<Reply, Halt> {
        self.seat = seat;
        self.budget = budget;
        let reply = self.search(&mut position.clone(), plies)?;
        Ok(match reply {
            Reply::Refuted(n) if plies == FOREVER && n >= MOST => Reply::Refuted(FOREVER),
            reply => reply,
        })
    }

    fn nodes(&self) -> u64 {
        self.meter.nodes()
    }

    fn elapsed(&self) -> Duration {
        self.meter.elapsed()
    }

    fn stage(&mut self, stage: &'static str, depth: u32) {
        self.meter.stage(stage, depth);
    }
}
