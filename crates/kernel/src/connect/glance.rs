//! What catches the eye in a connection game: stones that touch, and the last cell of a chain.

use crate::bits::Bits;
use crate::connect::position::Connect;
use crate::levels::{Glance, Kind, Notice};
use crate::position::Position;
use crate::search::{Evaluate, Score};

/// The stones of a way through a cell that needs this cell alone, which counts from both edges.
const LAST_CELL: i32 = 2;
/// How much a cell catches the eye that touches no stone, and how much more with each stone it touches.
const APART: f32 = 0.45;
const TOUCHING: f32 = 0.15;

impl<B: Bits> Notice for Connect<B> {
    type Hidden = ();

    fn glance(&self, (): &(), glances: &mut Vec<Glance>) {
        let own = usize::from(self.turn() & 1);
        let (mine, other) = (self.ways(own), self.ways(1 - own));
        let taken = self.stones[0].or(&self.stones[1]);
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        glances.clear();
        glances.extend(moves.iter().map(|&mv| {
            let Ok(cell) = usize::try_from(mv) else {
                return Glance {
                    mv,
                    kind: Kind::Quiet,
                    rank: 0,
                    salience: 1.0,
                };
            };
            let kind = match (mine[cell], other[cell]) {
                (LAST_CELL, _) => Kind::Wins,
                (_, LAST_CELL) => Kind::Blocks,
                _ => Kind::Quiet,
            };
            let touched = self.rules.graph.neighbours[cell].and(&taken).count();
            Glance {
                mv,
                kind,
                rank: -mine[cell] - other[cell],
                salience: match kind {
                    Kind::Quiet => (APART + TOUCHING * touched as f32).min(0.9),
                    _ => 1.0,
                },
            }
        }));
    }

    fn can_win(&self, _glances: &mut Vec<Glance>) -> bool {
        self.ways(usize::from(self.turn() & 1)).contains(&LAST_CELL)
    }

    fn worth(&self, (): &(), seat: u8) -> Score {
        let worth = self.evaluate();
        if seat == self.turn() {
            worth
        } else {
            -worth
        }
    }
}
