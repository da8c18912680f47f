//! Random games: draw the empty cells one by one and link equal stones until an edge meets the
//! other.

use crate::bits::Bits;
use crate::connect::position::Connect;
use crate::connect::rules::Rules;
use crate::playouts::{playout_by_rules, Ending, Scratch};
use crate::position::{Outcome, Position};
use crate::rng::Rng;

/// Chains of stones by cell: which chain, which seat, and which edges the chain touches.
struct Chains<'a, B: Bits> {
    rules: &'a Rules<B>,
    /// A step towards the chain's first stone, which points at itself.
    link: &'a mut [u16],
    /// Of a chain's first stone: bit 0 and 1 for the edges; of any stone: its seat plus one, above.
    state: &'a mut [u16],
}

const BOTH_EDGES: u16 = 3;

impl<B: Bits> Chains<'_, B> {
    #[inline]
    fn first(&mut self, mut cell: u16) -> u16 {
        loop {
            let up = self.link[usize::from(cell)];
            if up == cell {
                return cell;
            }
            let over = self.link[usize::from(up)];
            self.link[usize::from(cell)] = over;
            cell = over;
        }
    }

    /// Places a stone; whether its chain now touches both edges of its seat.
    #[inline]
    fn place(&mut self, cell: u16, seat: usize) -> bool {
        let owner = (seat as u16 + 1) << 2;
        let rules = self.rules;
        let mut edges = rules.touches[usize::from(cell)][seat];
        let mut root = cell;
        self.link[usize::from(cell)] = cell;
        self.state[usize::from(cell)] = owner;
        for &other in rules.around(cell) {
            if self.state[usize::from(other)] & !BOTH_EDGES == owner {
                let chain = self.first(other);
                if chain != root {
                    edges |= self.state[usize::from(chain)] & BOTH_EDGES;
                    self.link[usize::from(root)] = chain;
                    root = chain;
                }
            }
        }
        self.state[usize::from(root)] = owner | edges;
        edges == BOTH_EDGES
    }
}

/// Plays one random game from a position to its end.
pub(super) fn playout<B: Bits>(
    position: &Connect<B>,
    rng: &mut Rng,
    scratch: &mut Scratch,
) -> Ending {
    if position.offers_swap() || position.outcome().is_some() {
        return playout_by_rules(position, rng, scratch);
    }
    let rules = &*position.rules;
    let cells = rules.graph.cells;
    scratch.cells.clear();
    scratch.counts.clear();
    scratch.counts.resize(2 * cells, 0);
    let (link, state) = scratch.counts.split_at_mut(cells);
    let mut chains = Chains { rules, link, state };
    for (seat, stones) in position.stones.iter().enumerate() {
        for cell in stones.iter() {
            chains.place(cell as u16, seat);
        }
    }
    let empty = &mut scratch.cells;
    empty.extend(position.empties().iter().map(|cell| cell as u16));
    let mut seat = usize::from(position.turn() & 1);
    for ply in 0..empty.len() {
        let pick = ply + rng.below((empty.len() - ply) as u32) as usize;
        empty.swap(ply, pick);
        if chains.place(empty[ply], seat) {
            return Ending {
                outcome: Outcome::Win(seat as u8),
                plies: ply as u32 + 1,
            };
        }
        seat ^= 1;
    }
    Ending {
        outcome: Outcome::Draw,
        plies: empty.len() as u32,
    }
}
