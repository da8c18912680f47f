//! What must be done now: wins at hand, threats to meet, and the cells that meet them.

use super::board::Board;
use super::shape::ROOM;

/// A few cells as bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Zone([u64; ROOM / 64]);

impl Zone {
    /// Puts a cell in.
    #[inline]
    pub fn insert(&mut self, cell: usize) {
        self.0[cell / 64 % (ROOM / 64)] |= 1 << (cell % 64);
    }

    /// Whether a cell is in.
    #[inline]
    pub fn has(&self, cell: usize) -> bool {
        self.0[cell / 64 % (ROOM / 64)] >> (cell % 64) & 1 == 1
    }

    /// The cells, smallest first.
    pub fn iter(self) -> impl Iterator<Item = usize> {
        self.0.into_iter().enumerate().flat_map(|(index, word)| {
            let mut left = word;
            std::iter::from_fn(move || {
                let bit = left.trailing_zeros() as usize;
                left &= left.checked_sub(1)?;
                Some(64 * index + bit)
            })
        })
    }

    fn meet(&mut self, other: &Self) {
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            *mine &= theirs;
        }
    }
}

/// What a situation at the sets tells the seat to move. Every verdict in it is exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Situation {
    /// This cell completes a set.
    Win(usize),
    /// The other seat completes a set next, in one of two cells.
    Lost,
    /// The other seat completes a set here unless it is stopped.
    Block(usize),
    /// This cell makes two threats at once, and the other seat has none: a win in three plies.
    Fork(usize),
    /// The other seat has such a cell. Whoever does not make a threat of their own must play here.
    Defend(Zone),
    /// Nothing is forced.
    Quiet,
}

impl Board {
    /// Looks for what is forced.
    pub fn situation(&self) -> Situation {
        let (me, you) = (self.turn, 1 - self.turn);
        if let Some(set) = self.ones(me).first() {
            return Situation::Win(self.gap(*set));
        }
        if let Some((set, rest)) = self.ones(you).split_first() {
            let cell = self.gap(*set);
            return if rest.iter().any(|other| self.gap(*other) != cell) {
                Situation::Lost
            } else {
                Situation::Block(cell)
            };
        }
        if let Some(cell) = self.fork(me) {
            return Situation::Fork(cell);
        }
        self.defences().map_or(Situation::Quiet, Situation::Defend)
    }

    /// A cell that turns two sets of a seat into threats that no single answer meets.
    pub fn fork(&self, seat: usize) -> Option<usize> {
        let roster = self.twos(seat);
        if roster.len() < 2 {
            return None;
        }
        for (index, set) in roster.iter().enumerate() {
            let (first, second) = self.gaps(*set);
            for (cell, other) in [(first, second), (second, first)] {
                if self.pairs(cell, seat) < 2 {
                    continue;
                }
                let differs = |set: &u16| {
                    let (first, second) = self.gaps(*set);
                    (first == cell && second != other) || (second == cell && first != other)
                };
                if roster[index + 1..].iter().any(differs) {
                    return Some(cell);
                }
            }
        }
        None
    }

    /// Where the seat to move can meet every fork of the other seat; `None` when it has no fork.
    fn defences(&self) -> Option<Zone> {
        let you = 1 - self.turn;
        self.fork(you)?;
        let roster = self.twos(you);
        let mut seen = Zone::default();
        let mut all: Option<Zone> = None;
        for set in roster {
            let (first, second) = self.gaps(*set);
            for cell in [first, second] {
                if seen.has(cell) || self.pairs(cell, you) < 2 {
                    continue;
                }
                seen.insert(cell);
                if let Some(star) = self.star(roster, cell) {
                    match &mut all {
                        Some(zone) => zone.meet(&star),
                        None => all = Some(star),
                    }
                }
            }
        }
        all
    }

    /// Where one mark takes the fork out of a cell; `None` if it is no fork.
    fn star(&self, roster: &[u16], cell: usize) -> Option<Zone> {
        let mut star = Zone::default();
        let mut others = 0;
        for set in roster {
            let (first, second) = self.gaps(*set);
            let other = match cell {
                _ if cell == first => second,
                _ if cell == second => first,
                _ => continue,
            };
            if !star.has(other) {
                star.insert(other);
                others += 1;
            }
        }
        match others {
            0 | 1 => return None,
            2 => {}
            _ => star = Zone::default(),
        }
        star.insert(cell);
        Some(star)
    }
}
