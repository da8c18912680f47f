//! Virtual links: what a seat holds together even if the other moves first.

use crate::bits::Bits;
use crate::connect::rules::Rules;

/// What is virtually linked to an edge.
struct Reach<B: Bits> {
    /// The edge and what touches the linked chains.
    near: B,
    /// The bridges that link them.
    carrier: B,
    /// Whether the other edge is linked too.
    arrived: bool,
}

impl<B: Bits> Rules<B> {
    /// The cells of a virtual connection between a seat's edges, if there is one.
    pub fn linked(&self, seat: usize, stones: B, empties: B) -> Option<B> {
        let [from, to] = &self.edges[seat];
        let reach = self.reach(*from, Some(to), stones, empties);
        reach.arrived.then_some(reach.carrier)
    }

    /// The empty cells that touch, or are a bridge away from, what is linked to either edge: a
    /// stone anywhere else cannot link the edges.
    pub fn hinges(&self, seat: usize, stones: B, empties: B) -> B {
        let graph = &self.graph;
        let sides = self.edges[seat].map(|edge| {
            let near = self.reach(edge, None, stones, empties).near.and(&empties);
            let far = graph.around(near).and(&empties).minus(&near);
            let bridged = |cell: &usize| graph.neighbours[*cell].and(&near).count() >= 2;
            far.iter()
                .filter(bridged)
                .fold(near, |all, cell| all.or(&B::one(cell)))
        });
        sides[0].and(&sides[1])
    }

    /// Links chains to an edge as long as they touch what is linked or are one bridge away; the
    /// bridges share no cell, so that every intrusion has its answer.
    fn reach(&self, from: B, to: Option<&B>, stones: B, empties: B) -> Reach<B> {
        let graph = &self.graph;
        let mut chain = self.flood(from, stones);
        let mut reach = Reach {
            near: from.or(&graph.around(chain)),
            carrier: B::default(),
            arrived: false,
        };
        let mut others = stones.minus(&chain);
        loop {
            let free = reach.near.and(&empties).minus(&reach.carrier);
            if let Some(to) = to {
                let mut last = free.and(to).iter();
                reach.arrived = chain.meets(to);
                if let (false, Some(a), Some(b)) = (reach.arrived, last.next(), last.next()) {
                    reach.carrier.insert(a);
                    reach.carrier.insert(b);
                    reach.arrived = true;
                }
                if reach.arrived {
                    return reach;
                }
            }
            let mut joined = false;
            let mut left = others;
            while let Some(stone) = left.first() {
                let group = self.flood(B::one(stone), left);
                left = left.minus(&group);
                let around = graph.around(group);
                let mut between = around.and(&free).iter();
                if let (Some(a), Some(b)) = (between.next(), between.next()) {
                    reach.carrier.insert(a);
                    reach.carrier.insert(b);
                    reach.near = reach.near.or(&around);
                    chain = chain.or(&group);
                    others = others.minus(&group);
                    joined = true;
                    break;
                }
            }
            if !joined {
                return reach;
            }
        }
    }
}
