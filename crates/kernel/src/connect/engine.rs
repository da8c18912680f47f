//! What a position is worth before it ends: how far apart each seat's edges are.
//!
//! The distance is the second best: a cell is as far as the second nearest of its neighbours and
//! one more, because the other seat will block the nearest. Chains count as one cell.

use crate::bits::Bits;
use crate::connect::position::Connect;
use crate::position::{Move, Position};
use crate::search::deepen::think_by_evaluating;
use crate::search::{Evaluate, Score};

/// Farther than any cell.
const FAR: i32 = 60;
/// One stone less to join the edges.
const STONE: Score = 100;
/// One cell more on a shortest way.
const WAY: Score = 4;
/// What a stone in the middle of an empty board is worth beside one on its edge. Ways are all alike
/// there, and by them an edge is no worse.
const CENTRE: Score = 100;
/// The part of the board that is filled once the middle counts no more.
const OPENING_SHARE: i32 = 4;

impl<B: Bits> Connect<B> {
    /// By cell, the stones that a way between the edges through it takes; `FAR` and more for none.
    pub(super) fn ways(&self, seat: usize) -> Vec<i32> {
        let rules = &*self.rules;
        let graph = &rules.graph;
        let (own, empties) = (self.stones[seat], self.empties());
        let mut links = graph.neighbours.clone();
        let mut starts = rules.edges[seat].map(|edge| edge.and(&empties));
        let mut left = own;
        while let Some(stone) = left.first() {
            let chain = rules.flood(B::one(stone), left);
            left = left.minus(&chain);
            let around = graph.around(chain).and(&empties);
            for (start, edge) in starts.iter_mut().zip(&rules.edges[seat]) {
                if chain.meets(edge) {
                    *start = start.or(&around);
                }
            }
            for cell in around.iter() {
                links[cell] = links[cell].or(&around);
            }
        }
        let mut ways = vec![0; graph.cells];
        for start in starts {
            let mut reached = B::default();
            let mut fresh = start;
            let mut far = 1;
            while !fresh.is_empty() {
                fresh.iter().for_each(|cell| ways[cell] += far);
                reached = reached.or(&fresh);
                far += 1;
                fresh = B::default();
                for cell in empties.minus(&reached).iter() {
                    if links[cell].and(&reached).count() >= 2 {
                        fresh.insert(cell);
                    }
                }
            }
            empties
                .minus(&reached)
                .iter()
                .for_each(|cell| ways[cell] += FAR);
        }
        ways
    }

    fn nearness(&self, seat: usize) -> Score {
        let ways = self.ways(seat);
        let empties = self.empties();
        let least = empties.iter().map(|cell| ways[cell]).min().unwrap_or(FAR);
        let shortest = empties.iter().filter(|&cell| ways[cell] == least).count();
        WAY * shortest as Score - STONE * least.min(FAR)
    }

    /// How much more central a seat's stones are, while there are few.
    fn centrality(&self, seat: usize) -> Score {
        let most = self.rules.graph.cells as i32 / OPENING_SHARE;
        let left = most - self.stones[0].or(&self.stones[1]).count() as i32;
        if left <= 0 {
            return 0;
        }
        let sum = |stones: &B| -> i32 { stones.iter().map(|cell| self.rules.central[cell]).sum() };
        let ahead = sum(&self.stones[seat]) - sum(&self.stones[1 - seat]);
        CENTRE * ahead * left / (100 * most)
    }
}

impl<B: Bits> Evaluate for Connect<B> {
    fn evaluate(&self) -> Score {
        let seat = usize::from(self.turn() & 1);
        self.nearness(seat) - self.nearness(1 - seat) + self.centrality(seat)
    }

    fn rank(&self, moves: &[Move], ranked: &mut Vec<(i32, Move)>) {
        let ways = [self.ways(0), self.ways(1)];
        ranked.extend(moves.iter().map(|&mv| match usize::try_from(mv) {
            Ok(cell) => (-ways[0][cell] - ways[1][cell], mv),
            Err(_) => (0, mv),
        }));
    }

    fn placements_left(&self) -> u32 {
        self.empties().count() + u32::from(self.offers_swap())
    }

    fn settled(&self) -> Option<u8> {
        let empties = self.empties();
        if self.offers_swap() || !self.rules.decides() {
            return None;
        }
        let linked = |&seat: &u8| {
            let own = self.stones[usize::from(seat)];
            self.rules.linked(usize::from(seat), own, empties).is_some()
        };
        (0..2u8).find(linked)
    }
}

think_by_evaluating!(Connect);
