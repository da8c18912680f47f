//! Random games of the `lines` family, without undo, keys or move lists.

use crate::bits::Bits;
use crate::playouts::{playout_by_rules, Ending, Scratch};
use crate::position::{Outcome, Position};
use crate::rng::Rng;

use super::position::Lines;

/// Plays one random game.
pub(super) fn playout<B: Bits>(
    position: &Lines<B>,
    rng: &mut Rng,
    scratch: &mut Scratch,
) -> Ending {
    if let Some(outcome) = position.outcome() {
        return Ending { outcome, plies: 0 };
    }
    let (early_draw, gravity) = (position.rules.early_draw, position.rules.gravity);
    match (early_draw, B::CAPACITY <= 64, gravity) {
        (true, _, _) => playout_by_rules(position, rng, scratch),
        (_, true, false) => by_masks::<B, false>(position, rng),
        (_, true, true) => by_masks::<B, true>(position, rng),
        (_, false, false) => by_counters::<B, false>(position, rng, scratch),
        (_, false, true) => by_counters::<B, true>(position, rng, scratch),
    }
}

fn won<B: Bits>(position: &Lines<B>, seat: u8, plies: u32) -> Ending {
    let winner = if position.rules.misere {
        1 - seat
    } else {
        seat
    };
    let outcome = Outcome::Win(winner);
    Ending { outcome, plies }
}

/// On one word, testing the few masks through the last cell beats any bookkeeping.
/// The list holds the open cells; under gravity a move adds those that it opens.
fn by_masks<B: Bits, const GRAVITY: bool>(position: &Lines<B>, rng: &mut Rng) -> Ending {
    let rules = &*position.rules;
    let mut cells = [0u8; 64];
    let mut left = 0;
    for cell in position.playable().iter() {
        cells[left & 63] = cell as u8;
        left += 1;
    }
    let mut marks = position.marks;
    let mut seat = position.turn();
    let mut plies = 0;
    while left > 0 {
        let pick = rng.below(left as u32) as usize & 63;
        let cell = usize::from(cells[pick]);
        left -= 1;
        cells[pick] = cells[left & 63];
        if GRAVITY {
            for freed in rules.frees[cell].iter() {
                cells[left & 63] = freed as u8;
                left += 1;
            }
        }
        let mine = &mut marks[usize::from(seat) & 7];
        *mine = mine.or(&B::one(cell));
        plies += 1;
        if rules.completes(mine, cell) {
            return won(position, seat, plies);
        }
        seat = rules.next_seat(seat);
    }
    let outcome = Outcome::Draw;
    Ending { outcome, plies }
}

/// On many words, one counter per seat and set: what it still lacks.
fn by_counters<B: Bits, const GRAVITY: bool>(
    position: &Lines<B>,
    rng: &mut Rng,
    scratch: &mut Scratch,
) -> Ending {
    let rules = &*position.rules;
    let count = rules.sets.len();
    let Scratch { cells, counts, .. } = scratch;
    cells.clear();
    cells.extend(position.playable().iter().map(|cell| cell as u16));
    counts.clear();
    for seat in 0..usize::from(rules.players) {
        counts.extend_from_slice(&rules.sizes);
        let lacks = &mut counts[seat * count..];
        for cell in position.marks[seat].iter() {
            for set in &rules.through[rules.range(cell)] {
                lacks[*set as usize] -= 1;
            }
        }
    }
    let mut marks = position.marks;
    let mut seat = position.turn();
    let mut plies = 0;
    while !cells.is_empty() {
        let cell = usize::from(cells.swap_remove(rng.below(cells.len() as u32) as usize));
        if GRAVITY {
            cells.extend(rules.frees[cell].iter().map(|freed| freed as u16));
        }
        let start = usize::from(seat) * count;
        let lacks = &mut counts[start..start + count];
        plies += 1;
        let mut full = false;
        for set in &rules.through[rules.range(cell)] {
            let lack = &mut lacks[*set as usize];
            *lack -= 1;
            full |= *lack == 0;
        }
        if rules.capped {
            let mine = &mut marks[usize::from(seat)];
            *mine = mine.or(&B::one(cell));
            full = full && rules.completes(mine, cell);
        }
        if full {
            return won(position, seat, plies);
        }
        seat = rules.next_seat(seat);
    }
    let outcome = Outcome::Draw;
    Ending { outcome, plies }
}
