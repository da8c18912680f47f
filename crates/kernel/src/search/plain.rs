//! The prover for any two-player position: nothing but the rules, a table and symmetry.

use crate::bits::scramble;
use crate::error::KernelError;
use crate::limits::Meter;
use crate::position::{Move, Outcome, Position};

use super::proofs::{Known, Table, EVER};
use super::prover::{tick, Count, Halt, Prover, Reply, Tried, FOREVER};
use super::solve::Options;

/// The table counts in bytes; no game that can be searched out is longer.
const MAX_PLIES: u32 = EVER as u32 - 1;

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
        if let Some(reply) = known.reply(plies) {
            return Ok(reply);
        }
        let since = self.meter.nodes();
        let mut moves = self.buffers.pop().unwrap_or_default();
        position.legal_moves(&mut moves);
        if let Some(at) = moves.iter().position(|mv| *mv as u16 == known.mv) {
            moves[..=at].rotate_right(1);
        }
        let attacking = position.turn() == self.seat;
        let first = moves.first().copied().unwrap_or(0);
        let mut tried = Tried::new(attacking, first as u16);
        for mv in &moves {
            let undo = position.play(*mv);
            let reply = self.search(position, plies.saturating_sub(1));
            position.undo(undo);
            if tried.take(*mv as u16, reply?) {
                break;
            }
        }
        self.buffers.push(moves);
        if self.options.table {
            let known = Known::of(tried.reply, tried.best);
            self.table.put(key, self.meter.nodes() - since, &known);
        }
        Ok(tried.reply)
    }
}

impl<P: Position> Prover<P> for Plain<'_, '_> {
    fn ask(&mut self, position: &P, seat: u8, plies: u32, budget: u64) -> Result<Reply, Halt> {
        self.seat = seat;
        self.budget = budget;
        let reply = self.search(&mut position.clone(), plies)?;
        Ok(match reply {
            Reply::Refuted(n) if plies == FOREVER && n >= MAX_PLIES => Reply::Refuted(FOREVER),
            reply => reply,
        })
    }

    fn meter(&mut self) -> &mut dyn Count {
        self.meter
    }
}
