//! Proofs by must-play search.
//!
//! A proof carries the empty cells its winner needs. Where the seat to move tries a cell and loses,
//! every cell outside that loss's carrier loses too: the winner answers as if it had not been
//! played. So the cells still worth trying shrink to the intersection of the carriers.

use crate::bits::Bits;
use crate::connect::position::Connect;
use crate::connect::rules::Rules;
use crate::connect::solve::inferior::Inferior;
use crate::connect::solve::table::{Known, Table};
use crate::graph::TURN_KEY;
use crate::limits::Meter;
use crate::position::Position;
use crate::search::numbers::{sum, Least, NEVER};
use crate::search::Options;
use crate::symmetry::{least, Keys};

/// One position of the search.
#[derive(Clone, Copy)]
pub(super) struct Node<B: Bits> {
    pub stones: [B; 2],
    keys: Keys,
    pub seat: usize,
}

/// The search with everything it remembers.
pub(super) struct Search<'r, 'm, B: Bits> {
    pub rules: &'r Rules<B>,
    symmetries: usize,
    table: Table<B>,
    prunes: bool,
    pub meter: Meter<'m>,
}

impl<'r, 'm, B: Bits> Search<'r, 'm, B> {
    pub fn new(rules: &'r Rules<B>, meter: Meter<'m>, options: &Options, bytes: usize) -> Self {
        Self {
            symmetries: if options.symmetry {
                rules.graph.images.count
            } else {
                1
            },
            table: Table::new(bytes),
            prunes: options.inferior,
            rules,
            meter,
        }
    }

    /// The search's form of a position.
    pub fn node(&self, position: &Connect<B>) -> Node<B> {
        Node {
            stones: position.stones,
            keys: self.rules.graph.images.keys(&position.stones),
            seat: usize::from(position.turn() & 1),
        }
    }

    /// The position after a stone, and whether that stone wins.
    #[inline]
    pub fn child(&self, node: &Node<B>, cell: usize) -> (Node<B>, bool) {
        let mut child = *node;
        child.stones[node.seat].insert(cell);
        let images = &self.rules.graph.images;
        images.mark(&mut child.keys, cell, node.seat);
        child.seat ^= 1;
        let won = self.rules.joins(node.seat, child.stones[node.seat], cell);
        (child, won)
    }

    #[inline]
    pub fn empties(&self, node: &Node<B>) -> B {
        self.rules
            .graph
            .all
            .minus(&node.stones[0].or(&node.stones[1]))
    }

    /// The smallest key, and which image has it.
    #[inline]
    pub fn key(&self, node: &Node<B>) -> (u64, usize) {
        let turn = if node.seat == 1 { TURN_KEY } else { 0 };
        let (key, image) = least(&node.keys, self.symmetries);
        (key ^ turn, image)
    }

    /// A carrier as the table keeps it: on the image with the smallest key.
    pub fn on_image(&self, carrier: B, image: usize) -> B {
        match self.rules.graph.symmetries.get(image) {
            Some(symmetry) if image > 0 => carrier.map(symmetry),
            _ => carrier,
        }
    }

    /// The carrier on the board itself of one on an image.
    pub fn on_board(&self, carrier: B, image: usize) -> B {
        match self.rules.graph.inverses.get(image) {
            Some(inverse) if image > 0 => carrier.map(inverse),
            _ => carrier,
        }
    }

    fn load(&self, node: &Node<B>) -> Option<Known<B>> {
        let (key, image) = self.key(node);
        let mut known = self.table.get(key)?;
        known.carrier = self.on_board(known.carrier, image);
        Some(known)
    }

    fn store(&mut self, node: &Node<B>, mut known: Known<B>, nodes: u64) {
        let (key, image) = self.key(node);
        known.carrier = self.on_image(known.carrier, image);
        self.table.put(key, known, nodes);
    }

    /// Solves a position whose game is not over; unsolved once the meter has stopped.
    pub fn search(&mut self, node: &Node<B>) -> Known<B> {
        match self.load(node) {
            Some(known) if known.solved().is_some() => return known,
            _ => {}
        }
        self.deepen(node, NEVER - 1, NEVER - 1)
    }

    /// What the stones themselves tell: a win or loss by virtual connections, or the cells the
    /// seat to move must choose from and the threats that say so.
    fn must_play(&self, node: &Node<B>) -> Result<(B, B), Known<B>> {
        let (own, other) = (node.seat, 1 - node.seat);
        let empties = self.empties(node);
        if let Some(carrier) = self.rules.linked(other, node.stones[other], empties) {
            return Err(Known::loss(carrier));
        }
        for cell in self.rules.hinges(own, node.stones[own], empties).iter() {
            let mut left = empties;
            left.remove(cell);
            let mut stones = node.stones[own];
            stones.insert(cell);
            if let Some(mut carrier) = self.rules.linked(own, stones, left) {
                carrier.insert(cell);
                return Err(Known::win(carrier));
            }
        }
        let mut must = empties;
        let mut carrier = B::default();
        for cell in self.rules.hinges(other, node.stones[other], empties).iter() {
            let mut left = empties;
            left.remove(cell);
            let mut stones = node.stones[other];
            stones.insert(cell);
            if let Some(mut threat) = self.rules.linked(other, stones, left) {
                threat.insert(cell);
                if !threat.contains(&must) {
                    must = must.and(&threat);
                    carrier = carrier.or(&threat);
                }
            }
        }
        if must.is_empty() {
            return Err(Known::loss(carrier));
        }
        Ok((must, carrier))
    }

    /// Knowledge of a position never seen before.
    fn meet(&mut self, node: &Node<B>) -> Known<B> {
        // Looking for links takes long on large boards, so the clock is looked at every time.
        self.meter.tick();
        self.meter.check();
        let known = match self.must_play(node) {
            Err(known) => known,
            Ok((must, _)) => Known {
                proof: 1,
                disproof: must.count(),
                carrier: B::default(),
            },
        };
        self.store(node, known, 1);
        known
    }

    /// Depth-first proof-number search below a node until one of its numbers reaches its bound.
    fn deepen(&mut self, node: &Node<B>, most_proof: u32, most_disproof: u32) -> Known<B> {
        let before = self.meter.nodes();
        let (threatened, threats) = match self.must_play(node) {
            Err(known) => {
                self.store(node, known, 1);
                return known;
            }
            Ok(both) => both,
        };
        let empties = self.empties(node);
        let inferior = Inferior::new(self.rules, &node.stones, node.seat, empties);
        let mut tried = threatened.minus(&inferior.cells);
        if tried.is_empty() || !self.prunes {
            tried = threatened;
        }
        let children: Vec<(usize, Node<B>)> = self
            .ordered(node, tried, empties)
            .into_iter()
            .rev()
            .map(|(_, cell)| (usize::from(cell), self.child(node, usize::from(cell)).0))
            .collect();
        let mut known: Vec<Known<B>> = Vec::with_capacity(children.len());
        for (_, child) in &children {
            let fact = match self.load(child) {
                Some(fact) => fact,
                None => self.meet(child),
            };
            known.push(fact);
            if fact.solved() == Some(false) || self.meter.stopped().is_some() {
                break;
            }
        }
        loop {
            let mut must = tried;
            let mut rest = threatened;
            let mut carrier = threats;
            for (fact, (cell, _)) in known.iter().zip(&children) {
                match fact.solved() {
                    Some(false) => {
                        let mut carrier = fact.carrier;
                        carrier.insert(*cell);
                        let fact = Known::win(carrier);
                        self.store(node, fact, self.meter.nodes() - before + 1);
                        return fact;
                    }
                    Some(true) if !fact.carrier.contains(&must) => {
                        must = must.and(&fact.carrier);
                        rest = rest.and(&fact.carrier);
                        carrier = carrier.or(&fact.carrier);
                    }
                    _ => {}
                }
            }
            let open = known.iter().zip(&children).enumerate();
            let open = open.filter(|(_, (_, (cell, _)))| must.has(*cell));
            let least = Least::of(
                open.clone()
                    .map(|(index, (child, _))| (index, child.disproof)),
            );
            let total = sum(0, open.map(|(_, (child, _))| child.proof));
            let Some(index) = least.index else {
                if !must.is_empty() {
                    // Stopped before every child was met.
                    return Known {
                        proof: 1,
                        disproof: 1,
                        carrier: B::default(),
                    };
                }
                let fact = Known::loss(inferior.answered(rest, carrier));
                self.store(node, fact, self.meter.nodes() - before + 1);
                return fact;
            };
            let fact = Known {
                proof: least.number,
                disproof: total,
                carrier: B::default(),
            };
            if fact.proof >= most_proof
                || fact.disproof >= most_disproof
                || self.meter.stopped().is_some()
            {
                self.store(node, fact, self.meter.nodes() - before + 1);
                return fact;
            }
            // The child's numbers are the node's, seen from the other side.
            let child_disproof = most_proof.min(least.second.saturating_add(1 + least.second / 4));
            let child_proof = (most_disproof - fact.disproof + known[index].proof).min(NEVER - 1);
            let child = children[index].1;
            known[index] = self.deepen(&child, child_proof, child_disproof);
        }
    }

    /// The cells to try, the best last.
    pub fn ordered(&self, node: &Node<B>, must: B, empties: B) -> Vec<(i32, u16)> {
        let mut sums = vec![0i32; self.rules.graph.cells];
        for seat in 0..2 {
            for side in 0..2 {
                self.distances(seat, side, node.stones[seat], empties, &mut sums);
            }
        }
        let mut moves: Vec<(i32, u16)> =
            must.iter().map(|cell| (-sums[cell], cell as u16)).collect();
        moves.sort_unstable_by_key(|&(score, cell)| (score, std::cmp::Reverse(cell)));
        moves
    }

    /// Adds to each empty cell how many stones, bridges counted as one step, a seat needs to link it to
    /// one of its edges.
    fn distances(&self, seat: usize, side: usize, stones: B, empties: B, sums: &mut [i32]) {
        let graph = &self.rules.graph;
        let edge = self.rules.edges[seat][side];
        let mut seen = self.rules.flood(edge, stones);
        let mut ring = edge.or(&graph.around(seen)).and(&empties);
        let mut distance = 1;
        // Cells a bridge away from the edge.
        let mut left = empties;
        while !ring.is_empty() {
            left = left.minus(&ring);
            let mut next = B::default();
            for cell in ring.iter() {
                sums[cell] += distance;
                next = next.or(&graph.neighbours[cell]);
                for &(other, [a, b]) in &self.rules.bridges[cell] {
                    if empties.has(usize::from(a)) && empties.has(usize::from(b)) {
                        next.insert(usize::from(other));
                    }
                }
            }
            let reached = self.rules.flood(next.minus(&seen), stones.minus(&seen));
            seen = seen.or(&reached);
            ring = next.or(&graph.around(reached)).and(&left);
            distance += 1;
        }
        for cell in left.iter() {
            sums[cell] += distance + 3;
        }
    }
}
