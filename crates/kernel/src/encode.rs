//! Exact codes of positions, for searches that must not confuse two of them.

use crate::error::KernelError;
use crate::position::{Move, Position};

/// A position that has an exact code of 128 bits.
pub trait Encode: Position {
    /// Replaces `images` with the codes of all symmetric images, this position's own code first.
    /// The symmetries form a group and come in the same order for every position of a game.
    /// An error means that the board is too large for exact codes.
    fn images(&self, images: &mut Vec<u128>) -> Result<(), KernelError>;

    /// Replaces `after` with the images of the position after a legal move, given the `images` of
    /// this one. Families override it where a move changes a code by a known amount.
    fn images_after(
        &mut self,
        mv: Move,
        _images: &[u128],
        after: &mut Vec<u128>,
    ) -> Result<(), KernelError> {
        let undo = self.play(mv);
        let done = self.images(after);
        self.undo(undo);
        done
    }

    /// Whether one position can come up after different numbers of moves.
    fn repeats(&self) -> bool {
        false
    }

    /// The position of the same game with a code.
    fn decode(&self, code: u128) -> Result<Self, KernelError>;
}
