//! Proofs by must-play search.
//!
//! A proof carries the empty cells its winner needs. Where the seat to move tries a cell and loses,
//! every cell outside that loss's carrier loses too: the winner answers as if it had not been
//! played. So the cells still worth trying shrink to the intersection of the carriers.

use crate::bits::Bits;
use crate::connect::position::Connect;
use crate::connect::rules::Rules;
use crate::connect::solve::inferior::Inferior;
use crate::connect::solve::table::{Known, Table, INFINITE};
use crate::graph::{IMAGES, TURN_KEY};
use crate::limits::Meter;
use crate::position::Position;
use crate::search::Options;

/// One position of the search.
#[derive(Clone, Copy)]
pub(super) struct Node<B: Bits> {
    pub stones: [B; 2],
    keys: [u64; IMAGES],
    pub seat: usize,
}

/// The search with everything it remembers.
pub(super) struct Search<'r, 'm, B: Bits> {
    pub rules: &'r Rules<B>,
    images: Vec<[[u64; IMAGES]; 2]>,
    symmetries: usize,
    inverses: Vec<Vec<u16>>,
    table: Table<B>,
    /// By cell: the cells a bridge away, each with the two cells between.
    bridges: Vec<Vec<(u16, [u16; 2])>>,
    prunes: bool,
    pub meter: Meter<'m>,
}

impl<'r, 'm, B: Bits> Search<'r, 'm, B> {
    pub fn new(rules: &'r Rules<B>, meter: Meter<'m>, options: &Options, bytes: usize) -> Self {
        let inverses = rules
            .graph
            .symmetries
            .iter()
            .map(|symmetry| {
                let mut inverse = vec![0; symmetry.len()];
                for (from, &to) in symmetry.iter().enumerate() {
                    inverse[usize::from(to)] = from as u16;
                }
                inverse
            })
            .collect();
        let mut bridges = vec![Vec::new(); rules.graph.cells];
        for (cell, list) in bridges.iter_mut().enumerate() {
            let near = rules.graph.neighbours[cell];
            let mut far = rules.graph.around(near).minus(&near);
            far.remove(cell);
            for other in far.iter() {
                let mut between = near.and(&rules.graph.neighbours[other]).iter();
                if let (Some(a), Some(b), None) = (between.next(), between.next(), between.next()) {
                    list.push((other as u16, [a as u16, b as u16]));
                }
            }
        }
        Self {
            images: rules.graph.images(),
            symmetries: if options.symmetry {
                (rules.graph.symmetries.len() + 1).min(IMAGES)
            } else {
                1
            },
            inverses,
            table: Table::new(bytes),
            bridges,
            prunes: options.inferior,
            rules,
            meter,
        }
    }

    /// The search's form of a position.
    pub fn node(&self, position: &Connect<B>) -> Node<B> {
        let mut keys = [0; IMAGES];
        for (seat, stones) in position.stones.iter().enumerate() {
            for cell in stones.iter() {
                for (key, image) in keys.iter_mut().zip(self.images[cell][seat]) {
                    *key ^= image;
                }
            }
        }
        Node {
            stones: position.stones,
            keys,
            seat: usize::from(position.turn() & 1),
        }
    }

    /// The position after a stone, and whether that stone wins.
    #[inline]
    pub fn child(&self, node: &Node<B>, cell: usize) -> (Node<B>, bool) {
        let mut child = *node;
        child.stones[node.seat].insert(cell);
        for (key, image) in child.keys.iter_mut().zip(self.images[cell][node.seat]) {
            *key ^= image;
        }
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
        let mut least = (node.keys[0], 0);
        for image in 1..self.symmetries {
            if node.keys[image] < least.0 {
                least = (node.keys[image], image);
            }
        }
        (least.0 ^ turn, least.1)
    }

    /// A carrier as the table keeps it: on the image with the smallest key.
    pub fn on_image(&self, carrier: B, image: usize) -> B {
        let symmetries = &self.rules.graph.symmetries;
        match image.checked_sub(1).and_then(|at| symmetries.get(at)) {
            Some(symmetry) => carrier.map(symmetry),
            None => carrier,
        }
    }

    /// The carrier on the board itself of one on an image.
    pub fn on_board(&self, carrier: B, image: usize) -> B {
        match image.checked_sub(1).and_then(|at| self.inverses.get(at)) {
            Some(inverse) => carrier.map(inverse),
            None => carrier,
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
        self.deepen(node, INFINITE - 1, INFINITE - 1)
    }

    /// What the stones themselves tell: a win or loss by virtual connections, or the cells the
    /// seat to move must choose from and the threats that say so.
    fn glance(&self, node: &Node<B>) -> Result<(B, B), Known<B>> {
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
        // A glance takes long on large boards, so the clock is looked at every time.
        self.meter.tick();
        self.meter.check();
        let known = match self.glance(node) {
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
        let (threatened, threats) = match self.glance(node) {
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
            let mut best = None;
            let mut fact = Known {
                proof: INFINITE,
                disproof: 0,
                carrier,
            };
            let mut second = INFINITE;
            for (index, (child, (cell, _))) in known.iter().zip(&children).enumerate() {
                if !must.has(*cell) {
                    continue;
                }
                fact.disproof = (fact.disproof + child.proof).min(INFINITE - 1);
                if child.disproof < fact.proof {
                    second = fact.proof;
                    fact.proof = child.disproof;
                    best = Some(index);
                } else {
                    second = second.min(child.disproof);
                }
            }
            let Some(index) = best else {
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
            fact.carrier = B::default();
            if fact.proof >= most_proof
                || fact.disproof >= most_disproof
                || self.meter.stopped().is_some()
            {
                self.store(node, fact, self.meter.nodes() - before + 1);
                return fact;
            }
            // The child's numbers are the node's, seen from the other side.
            let child_disproof = most_proof.min(second.saturating_add(1 + second / 4));
            let child_proof =
                (most_disproof - fact.disproof + known[index].proof).min(INFINITE - 1);
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
                for &(other, [a, b]) in &self.bridges[cell] {
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
