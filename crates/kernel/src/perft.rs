//! How many move sequences of an exact length there are.

use crate::error::KernelError;
use crate::limits::{Limits, Meter};
use crate::position::{Move, Position};

/// Counts the sequences of exactly `depth` legal moves from a position.
///
/// A game that ends earlier counts nothing. This walks the tree with play and undo and so checks
/// them; [`crate::count::count`] gets to the same numbers by counting positions.
pub fn perft<P: Position>(
    position: &P,
    depth: u32,
    limits: &Limits<'_>,
) -> Result<u128, KernelError> {
    let mut meter = Meter::new(limits);
    meter.stage("perft", depth);
    let mut buffers = vec![Vec::new(); position.cells().min(depth as usize) + 1];
    walk(&mut position.clone(), depth, &mut buffers, &mut meter)
}

fn walk<P: Position>(
    position: &mut P,
    depth: u32,
    buffers: &mut [Vec<Move>],
    meter: &mut Meter<'_>,
) -> Result<u128, KernelError> {
    if depth == 0 {
        return Ok(1);
    }
    if !meter.tick() {
        meter.go_on()?;
    }
    let mut own = Vec::new();
    let (moves, rest) = match buffers.split_first_mut() {
        Some((first, rest)) => (first, rest),
        None => (&mut own, Default::default()),
    };
    position.legal_moves(moves);
    if depth == 1 {
        return Ok(moves.len() as u128);
    }
    let mut sum: u128 = 0;
    for mv in moves.iter() {
        let undo = position.play(*mv);
        let below = walk(position, depth - 1, rest, meter);
        position.undo(undo);
        sum = sum.checked_add(below?).ok_or(KernelError::Overflow)?;
    }
    Ok(sum)
}
