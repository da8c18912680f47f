//! What catches the eye in a capture game: the tiles that a placement turns.

use crate::bits::Bits;
use crate::capture::position::Capture;
use crate::levels::{Glance, Kind, Notice};
use crate::position::{Outcome, Position};
use crate::search::{Evaluate, Score};

/// How much a placement catches the eye that captures nothing, and how much more with each capture.
const QUIET: f32 = 0.4;
const CAPTURING: f32 = 0.2;

impl<B: Bits> Notice for Capture<B> {
    type Hidden = ();

    fn glance(&self, (): &(), glances: &mut Vec<Glance>) {
        let mut moves = Vec::new();
        let mut ranked = Vec::new();
        self.legal_moves(&mut moves);
        self.rank(&moves, &mut ranked);
        let mut after = self.clone();
        glances.clear();
        glances.extend(ranked.iter().map(|&(rank, mv)| {
            let undo = after.play(mv);
            let kind = match after.outcome() {
                Some(Outcome::Win(winner)) if winner == self.turn() => Kind::Wins,
                Some(Outcome::Win(_)) => Kind::Loses,
                _ => Kind::Quiet,
            };
            after.undo(undo);
            let captured = usize::try_from(mv).map_or(0, |cell| self.captures(cell).count());
            Glance {
                mv,
                kind,
                rank,
                salience: (QUIET + CAPTURING * captured as f32).min(1.0),
            }
        }));
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
