//! What catches the eye in a `lines` position: rows that have begun, some more easily than others.

use crate::bits::Bits;
use crate::levels::{Glance, Kind, Notice};
use crate::lines::engine::gravity::{DUE, MISSING};
use crate::lines::{Lines, MAX_PLAYERS};
use crate::position::{Move, Position};
use crate::search::Score;

/// How a set draws its empty cells to the front, by how many of them are missing.
const PULL: [i32; 6] = [0, 4096, 600, 90, 14, 3];
/// A set of one's own draws more than another's, in quarters.
const OWN: i32 = 5;
const OTHERS: i32 = 4;
/// What a seat's open threats are worth to it when it is on turn.
const ON_TURN: Score = 400;

/// One cell, as the sets through it add up.
#[derive(Clone, Copy, Default)]
struct Seen {
    own: i32,
    others: i32,
    salience: f32,
    completes: bool,
    saves: bool,
}

impl<B: Bits> Lines<B> {
    /// The seat that alone has marks in a set and can still complete it, with the cells that it lacks.
    fn contender(&self, set: usize, taken: &B) -> Option<(u8, B)> {
        let rules = &*self.rules;
        let held = rules.sets[set].and(taken);
        if held.is_empty() {
            return None;
        }
        let seat = (0..rules.players).find(|&seat| {
            let marks = &self.marks[usize::from(seat)];
            marks.contains(&held)
        })?;
        let capped = rules.capped && self.marks[usize::from(seat)].meets(&rules.caps[set]);
        (!capped).then(|| (seat, rules.sets[set].minus(&held)))
    }

    /// The sets that are not hidden, with the seat that contends for each and the cells that it lacks.
    fn contended<'a>(&'a self, hidden: &'a [bool]) -> impl Iterator<Item = (usize, u8, B)> + 'a {
        let taken = self.rules.board.minus(&self.empty);
        let seen = move |set: &usize| !hidden.get(*set).copied().unwrap_or(false);
        let sets = (0..self.rules.sets.len()).filter(seen);
        sets.filter_map(move |set| {
            let (owner, missing) = self.contender(set, &taken)?;
            Some((set, owner, missing))
        })
    }

    /// Adds up what the sets do to each empty cell, for the seat to move.
    fn seen(&self, hidden: &[bool]) -> Vec<Seen> {
        let rules = &*self.rules;
        let (me, next) = (self.turn(), rules.next_seat(self.turn()));
        let mut seen = vec![Seen::default(); rules.cells];
        for (set, owner, missing) in self.contended(hidden) {
            let lack = missing.count() as usize;
            let size = usize::from(rules.sizes[set]);
            let begun = (size - lack) as f32 / (size - 1).max(1) as f32;
            let salience = rules.sights[set] * begun;
            let pull = PULL.get(lack).copied().unwrap_or(1);
            for cell in missing.iter() {
                let seen = &mut seen[cell];
                seen.salience = seen.salience.max(salience);
                if owner == me {
                    seen.own += pull;
                } else {
                    seen.others += pull;
                }
                seen.completes |= lack == 1 && owner == me;
                seen.saves |= lack == 1 && owner == next;
            }
        }
        // A set of one cell has no mark to catch the eye, and still wins.
        for set in (0..rules.sets.len()).filter(|&set| rules.sizes[set] == 1) {
            if let Some(cell) = rules.sets[set].and(&self.empty).first() {
                let capped = self.marks[usize::from(me)].meets(&rules.caps[set]);
                seen[cell].completes |= !capped;
            }
        }
        seen
    }
}

impl<B: Bits> Notice for Lines<B> {
    /// By set, whether it is overlooked; empty for none.
    type Hidden = Vec<bool>;

    fn hide(&self, is_hidden: &mut dyn FnMut(u32, f32) -> bool) -> Vec<bool> {
        let sights = self.rules.sights.iter().enumerate();
        sights
            .map(|(set, sight)| is_hidden(set as u32, *sight))
            .collect()
    }

    fn glance(&self, hidden: &Vec<bool>, glances: &mut Vec<Glance>) {
        let rules = &*self.rules;
        let seen = self.seen(hidden);
        glances.clear();
        glances.extend(self.playable().iter().map(|cell| {
            let Seen {
                own,
                others,
                salience,
                completes,
                saves,
            } = seen[cell];
            let reach = rules.range(cell).len() as i32;
            let (kind, rank) = if rules.misere {
                let kind = if completes { Kind::Loses } else { Kind::Quiet };
                (kind, -(OWN * own + OTHERS * others / 2) - reach)
            } else {
                let kind = match (completes, saves) {
                    (true, _) => Kind::Wins,
                    (_, true) => Kind::Blocks,
                    _ => Kind::Quiet,
                };
                (kind, OWN * own + OTHERS * others + reach)
            };
            Glance {
                mv: cell as Move,
                kind,
                rank,
                salience,
            }
        }));
    }

    fn worth(&self, hidden: &Vec<bool>, seat: u8) -> Score {
        let rules = &*self.rules;
        let mut sums = [0; MAX_PLAYERS as usize];
        let mut threats = [B::default(); MAX_PLAYERS as usize];
        for (_, owner, missing) in self.contended(hidden) {
            let owner = usize::from(owner);
            match missing.count() {
                1 => threats[owner] = threats[owner].or(&missing),
                n => sums[owner] += MISSING.get(n as usize).copied().unwrap_or(0),
            }
        }
        let hopes = |of: u8| {
            let mine = &threats[usize::from(of)];
            let urgent = !rules.misere && of == self.turn() && mine.meets(self.playable());
            let due = if rules.gravity {
                self.due(of)
            } else {
                B::default()
            };
            sums[usize::from(of)]
                + MISSING[1] * mine.count() as Score
                + DUE * mine.and(&due).count() as Score
                + if urgent { ON_TURN } else { 0 }
        };
        let others = (0..rules.players).filter(|&other| other != seat);
        let worth = hopes(seat) - others.map(hopes).max().unwrap_or(0);
        let worth = if rules.misere { -worth } else { worth };
        worth.clamp(-20_000, 20_000)
    }
}
