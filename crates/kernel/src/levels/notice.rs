//! What a level sees of a position at a glance: asked of each family.

use crate::position::{Move, Position};
use crate::search::Score;

/// What a move does at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// It loses the game.
    Loses,
    /// Nothing yet.
    Quiet,
    /// It takes the next seat's last cell for a win.
    Blocks,
    /// It wins the game.
    Wins,
}

/// One move at a glance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Glance {
    /// The move.
    pub mv: Move,
    /// What it does at once.
    pub kind: Kind,
    /// How promising it looks, to be compared with the other moves of the position.
    pub rank: i32,
    /// How much it catches the eye, from 0 to 1.
    pub salience: f32,
}

/// A position that a level can look at. There may be more than two seats.
pub trait Notice: Position {
    /// What of the board is overlooked altogether, such as some rows; nothing, unless told.
    type Hidden: Default;

    /// Chooses what is overlooked: `is_hidden` draws for a part of the board, given its number and how
    /// easily it is seen, from 0 to 1.
    fn hide(&self, _is_hidden: &mut dyn FnMut(u32, f32) -> bool) -> Self::Hidden {
        Self::Hidden::default()
    }

    /// Replaces the contents of `glances` with every legal move at a glance. The game goes on. Where
    /// nothing is hidden, exactly the moves that win the game at once are [`Kind::Wins`].
    fn glance(&self, hidden: &Self::Hidden, glances: &mut Vec<Glance>);

    /// A rough worth for a seat, within 20,000 either way. The game goes on.
    fn worth(&self, hidden: &Self::Hidden, seat: u8) -> Score;

    /// Whether the seat to move can win on the spot. The game goes on.
    fn can_win(&self, glances: &mut Vec<Glance>) -> bool {
        self.glance(&Self::Hidden::default(), glances);
        glances.iter().any(|glance| glance.kind == Kind::Wins)
    }
}
