//! What every search asks of a game: one trait, required methods first, provided ones after.
//!
//! The kernel knows no rules and no coordinates. A family (`lines`, `connect`, `capture`) turns
//! tables into a type that implements [`Position`]; the searches are generic over it.

use crate::error::KernelError;
use crate::playouts::{playout_by_rules, Ending, Scratch};
use crate::rng::Rng;

/// A cell, or one of the two moves that place nothing: [`PASS`] and [`SWAP`].
pub type Move = i16;

/// The move of a player who cannot place.
pub const PASS: Move = -1;

/// The second player's take-over of the first stone.
pub const SWAP: Move = -2;

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The seat that won.
    Win(u8),
    /// Nobody won.
    Draw,
}

/// One moment of a game that moves forward with [`Position::play`] and back with
/// [`Position::undo`].
pub trait Position: Clone + Send + Sync {
    /// What it takes to undo one move.
    type Undo: Copy;

    /// The number of cells of the board.
    fn cells(&self) -> usize;

    /// The number of seats.
    fn players(&self) -> u8;

    /// The seat to move; once the game is over, the seat that made the last move.
    fn turn(&self) -> u8;

    /// The seat whose mark is in a cell.
    fn at(&self, cell: usize) -> Option<u8>;

    /// How the game ended, or `None` while it goes on. Constant time.
    fn outcome(&self) -> Option<Outcome>;

    /// Replaces the contents of `moves` with the legal moves in board order, then `PASS` or `SWAP`.
    /// Empty once the game is over.
    fn legal_moves(&self, moves: &mut Vec<Move>);

    /// Whether a move is legal here.
    fn is_legal(&self, mv: Move) -> bool;

    /// Plays a legal move. The caller has made sure that it is legal; with any other move the
    /// position is unspecified (but memory safe).
    fn play(&mut self, mv: Move) -> Self::Undo;

    /// Takes back the move that returned `undo`, which must be the last one played.
    fn undo(&mut self, undo: Self::Undo);

    /// A key of the cells, the seat to move and whatever else decides the future; kept
    /// incrementally.
    fn key(&self) -> u64;

    /// The smallest key among all symmetric images of this position.
    fn canonical_key(&self) -> u64;

    /// The final margin for a seat when the game scores one (tile difference), else 0.
    fn margin(&self, _seat: u8) -> i32 {
        0
    }

    /// The moves besides the cells that the game has, in the order [`Self::legal_moves`] names them.
    fn specials(&self) -> &'static [Move] {
        &[]
    }

    /// A uniformly random legal move; `None` once the game is over. `moves` is scratch space.
    fn random_move(&self, rng: &mut Rng, moves: &mut Vec<Move>) -> Option<Move> {
        self.legal_moves(moves);
        moves.get(rng.below(moves.len() as u32) as usize).copied()
    }

    /// Writes what is in each cell, seen by the seat to move: 0 for nothing, 1 for its own mark, -1
    /// for the seat after it, -2 for the one after that. The row has one place per cell.
    fn observe(&self, row: &mut [i8]) {
        let (turn, players) = (self.turn(), self.players().max(1));
        for (cell, value) in row.iter_mut().enumerate() {
            *value = match self.at(cell) {
                None => 0,
                Some(seat) if seat == turn => 1,
                Some(seat) => -(((seat + players - turn) % players) as i8),
            };
        }
    }

    /// Writes 1 for each legal move and 0 for the others: the cells, then [`Self::specials`].
    /// `moves` is scratch space.
    fn legal_row(&self, row: &mut [u8], moves: &mut Vec<Move>) {
        self.legal_moves(moves);
        row.fill(0);
        for &mv in moves.iter() {
            let place = match usize::try_from(mv) {
                Ok(cell) => Some(cell),
                Err(_) => {
                    let special = self.specials().iter().position(|&special| special == mv);
                    special.map(|index| self.cells() + index)
                }
            };
            if let Some(flag) = place.and_then(|place| row.get_mut(place)) {
                *flag = 1;
            }
        }
    }

    /// Plays a legal move that is known not to end the game; families override it to skip the
    /// question whether it does.
    fn advance(&mut self, mv: Move) -> Self::Undo {
        self.play(mv)
    }

    /// Plays a move after checking that it is legal.
    fn try_play(&mut self, mv: Move) -> Result<Self::Undo, KernelError> {
        if self.is_legal(mv) {
            Ok(self.play(mv))
        } else {
            Err(KernelError::IllegalMove(mv))
        }
    }

    /// Plays one uniformly random game from here to its end. Families override it to be fast.
    fn playout(&self, rng: &mut Rng, scratch: &mut Scratch) -> Ending {
        playout_by_rules(self, rng, scratch)
    }
}
