//! How few stones a win takes: the winner hurries, the loser delays.
//!
//! The same must-play argument as in the search holds for a win with at most so many stones: its
//! carrier is a strategy that answers inside the carrier, so a defence outside it changes nothing.

use crate::bits::Bits;
use crate::connect::solve::search::{Node, Search};
use crate::connect::solve::table::Table;

/// More stones than any board takes.
const NEVER: u32 = u32::MAX;

/// The search for the fewest stones of one side, the attacker.
pub(super) struct Distance<B: Bits> {
    attacker: usize,
    /// `proof`: wins with so many stones (0: not known); `disproof`: does not with so many.
    table: Table<B>,
}

impl<B: Bits> Distance<B> {
    /// A search for one seat, in the bytes given.
    pub fn new(attacker: usize, bytes: usize) -> Self {
        Self {
            attacker,
            table: Table::new(bytes),
        }
    }

    /// Plies to the end of a position that the attacker wins; `None` when the meter said stop.
    pub fn plies(&mut self, search: &mut Search<'_, '_, B>, node: &Node<B>) -> Option<u32> {
        let attacks = node.seat == self.attacker;
        for stones in 1..=search.rules.graph.cells as u32 {
            let found = self.within(search, node, stones);
            if search.meter.stopped().is_some() {
                return None;
            }
            if found.is_some() {
                return Some(if attacks { 2 * stones - 1 } else { 2 * stones });
            }
        }
        None
    }

    /// The carrier of a win with at most so many stones; meaningless once the meter has stopped.
    fn within(&mut self, search: &mut Search<'_, '_, B>, node: &Node<B>, stones: u32) -> Option<B> {
        if !search.meter.tick() {
            return None;
        }
        let empties = search.empties(node);
        let own = node.stones[self.attacker];
        if !search.rules.reaches(self.attacker, own, empties, stones) {
            return None;
        }
        let (key, image) = search.key(node);
        let mut known = self.table.get(key).unwrap_or_default();
        if known.disproof >= stones {
            return None;
        }
        if known.proof != 0 && known.proof <= stones {
            return Some(search.on_board(known.carrier, image));
        }
        let before = search.meter.nodes();
        // Whoever does not win at all does not win soon; that is cheap to know.
        let win = search.search(node).solved()?;
        if win != (node.seat == self.attacker) {
            known.disproof = NEVER;
            self.table
                .put(key, known, search.meter.nodes() - before + 1);
            return None;
        }
        let found = if node.seat == self.attacker {
            self.attack(search, node, empties, stones)
        } else {
            self.defend(search, node, empties, stones)
        };
        if search.meter.stopped().is_some() {
            return None;
        }
        match found {
            Some(carrier) => {
                known.proof = stones;
                known.carrier = search.on_image(carrier, image);
            }
            None => known.disproof = stones,
        }
        self.table
            .put(key, known, search.meter.nodes() - before + 1);
        found
    }

    fn attack(
        &mut self,
        search: &mut Search<'_, '_, B>,
        node: &Node<B>,
        empties: B,
        stones: u32,
    ) -> Option<B> {
        for (_, cell) in search.ordered(node, empties, empties).into_iter().rev() {
            let cell = usize::from(cell);
            let (child, won) = search.child(node, cell);
            let found = if won {
                Some(B::default())
            } else if stones > 1 {
                self.within(search, &child, stones - 1)
            } else {
                None
            };
            if let Some(mut carrier) = found {
                carrier.insert(cell);
                return Some(carrier);
            }
            if search.meter.stopped().is_some() {
                return None;
            }
        }
        None
    }

    fn defend(
        &mut self,
        search: &mut Search<'_, '_, B>,
        node: &Node<B>,
        empties: B,
        stones: u32,
    ) -> Option<B> {
        let mut must = empties;
        let mut carrier = B::default();
        for (_, cell) in search.ordered(node, empties, empties).into_iter().rev() {
            let cell = usize::from(cell);
            if !must.has(cell) {
                continue;
            }
            let (child, won) = search.child(node, cell);
            if won {
                return None;
            }
            let found = self.within(search, &child, stones)?;
            must = must.and(&found);
            carrier = carrier.or(&found);
        }
        Some(carrier)
    }
}
