//! What a level overlooks, drawn from its seed.

use crate::bits::scramble;
use crate::position::Move;

use super::Glance;

/// Even what catches the eye most is overlooked now and then: by this much more than never.
const NEVER_SURE: f32 = 1.2;

/// The lapses of one choice. A continuation is overlooked wherever it comes up or nowhere, as a
/// person does not see a certain row; what is overlooked at one move may be seen at the next.
#[derive(Clone, Copy, Debug)]
pub(super) struct Attention {
    salt: u64,
    lapses: f32,
}

impl Attention {
    /// The attention in a position, given its key.
    pub fn new(seed: u64, key: u64, lapses: f32) -> Self {
        Self {
            salt: scramble(scramble(seed ^ 0x3c6e_f372_fe94_f82b) ^ key),
            lapses,
        }
    }

    /// A number from 0 up to but not including 1 that belongs to a move of a seat at a ply.
    fn draw(&self, seat: u8, mv: Move, ply: u32) -> f32 {
        let place = u64::from(mv as u16) | u64::from(seat) << 16 | u64::from(ply) << 24;
        (scramble(self.salt ^ scramble(place + 1)) >> 40) as f32 / (1u64 << 24) as f32
    }

    /// Whether a part of the board is overlooked altogether, given its number and how easily it is seen.
    pub fn hides(&self, part: u32, sight: f32) -> bool {
        let draw = scramble(self.salt ^ scramble(u64::from(part) << 32 | 0xffff_ffff));
        ((draw >> 40) as f32 / (1u64 << 24) as f32) < self.lapses * (NEVER_SURE - sight)
    }

    /// Whether a continuation is seen.
    pub fn sees(&self, glance: &Glance, seat: u8, ply: u32) -> bool {
        let missed = self.lapses * (NEVER_SURE - glance.salience) * (1 + ply) as f32;
        self.draw(seat, glance.mv, ply) >= missed
    }

    /// An error of judgement about a move, from -1 to 1 and mostly small.
    pub fn error(&self, mv: Move) -> f32 {
        let draw = |n| self.draw(u8::MAX, mv, n);
        (draw(0) + draw(1) + draw(2)) / 1.5 - 1.0
    }
}
