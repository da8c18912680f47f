//! The tables a game compiles to, and their checks.

use std::collections::{HashMap, HashSet};

use crate::error::KernelError;
use crate::symmetry::{check_permutation, group};

/// The most cells a board may have.
pub const MAX_CELLS: usize = 400;
/// The most seats a game may have.
pub const MAX_PLAYERS: u8 = 8;
/// The most winning sets a game may have.
pub const MAX_SETS: usize = 50_000;
/// The most symmetries a board may have.
pub const MAX_SYMMETRIES: usize = 1024;

/// Cells that complete the game for whoever holds them all.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct WinningSet {
    /// The cells to hold.
    pub cells: Vec<u16>,
    /// The cells just beyond its ends that must *not* be the holder's ("exactly k"); often empty.
    pub caps: Vec<u16>,
}

impl WinningSet {
    /// A set without caps.
    pub fn new(cells: Vec<u16>) -> Self {
        Self {
            cells,
            caps: Vec::new(),
        }
    }
}

/// A game of the `lines` family.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LinesTables {
    /// How many cells the board has, 1 to [`MAX_CELLS`].
    pub cells: usize,
    /// How many seats take turns, 2 to [`MAX_PLAYERS`].
    pub players: u8,
    /// The winning sets, of any sizes.
    pub sets: Vec<WinningSet>,
    /// Whether whoever completes a set loses (two players only).
    pub misere: bool,
    /// Whether the game is drawn as soon as nobody can complete a set.
    pub early_draw: bool,
    /// For each cell the one that must be taken before it opens, if there is one; empty when every
    /// cell is open from the start.
    pub opens: Vec<Option<u16>>,
    /// For each set how easily people see it, in percent; empty when all are seen equally well.
    pub sights: Vec<u8>,
    /// Permutations of the cells that map the sets onto the sets, and what opens a cell to what
    /// opens its image. The identity and all products are added when they are missing.
    pub symmetries: Vec<Vec<u16>>,
}

fn bad<T>(why: String) -> Result<T, KernelError> {
    Err(KernelError::Tables(why))
}

impl LinesTables {
    /// Checks everything and returns the sets sorted and without duplicates, and the whole group
    /// that the symmetries generate with the identity first.
    pub(super) fn checked(&self) -> Result<(Vec<WinningSet>, Vec<Vec<u16>>), KernelError> {
        if self.cells == 0 || self.cells > MAX_CELLS {
            return bad(format!("{} cells, not 1 to {MAX_CELLS}", self.cells));
        }
        if !(2..=MAX_PLAYERS).contains(&self.players) {
            return bad(format!("{} players, not 2 to {MAX_PLAYERS}", self.players));
        }
        if self.misere && self.players != 2 {
            return bad(format!("misere with {} players, not 2", self.players));
        }
        if self.sets.len() > MAX_SETS {
            return bad(format!("{} sets, more than {MAX_SETS}", self.sets.len()));
        }
        if self.symmetries.len() > MAX_SYMMETRIES {
            let count = self.symmetries.len();
            return bad(format!("{count} symmetries, more than {MAX_SYMMETRIES}"));
        }
        self.check_opens()?;
        self.check_sights()?;
        let mut sets = Vec::with_capacity(self.sets.len());
        for set in &self.sets {
            sets.push(self.checked_set(set)?);
        }
        let mut seen = HashSet::new();
        sets.retain(|set| seen.insert(set.clone()));
        Ok((sets, self.group(&seen)?))
    }

    /// Checks that every cell opens sooner or later.
    fn check_opens(&self) -> Result<(), KernelError> {
        if self.opens.is_empty() {
            return Ok(());
        }
        if self.opens.len() != self.cells {
            let count = self.opens.len();
            return bad(format!("{count} cells in opens, not {}", self.cells));
        }
        for cell in 0..self.cells {
            let mut below = cell;
            let mut steps = 0;
            while let Some(next) = self.opens[below] {
                below = usize::from(next);
                steps += 1;
                if below >= self.cells {
                    return bad(format!("cell {next} in opens, not below {}", self.cells));
                }
                if steps >= self.cells {
                    return bad(format!("cell {cell} never opens"));
                }
            }
        }
        Ok(())
    }

    /// Checks that there is a sight for each set, or none at all.
    fn check_sights(&self) -> Result<(), KernelError> {
        let (count, sets) = (self.sights.len(), self.sets.len());
        if count != 0 && count != sets {
            return bad(format!("{count} sights for {sets} sets"));
        }
        match self.sights.iter().find(|sight| **sight > 100) {
            Some(sight) => bad(format!("a sight of {sight} percent")),
            None => Ok(()),
        }
    }

    /// How easily each of the checked sets is seen, from 0 to 1.
    pub(super) fn sights(&self, checked: &[WinningSet]) -> Vec<f32> {
        let given = self.sets.iter().zip(&self.sights);
        let by_set: HashMap<WinningSet, u8> = given
            .map(|(set, sight)| (sorted(set.cells.clone(), set.caps.clone()), *sight))
            .collect();
        let sight = |set| f32::from(by_set.get(set).copied().unwrap_or(100)) / 100.0;
        checked.iter().map(sight).collect()
    }

    fn checked_set(&self, set: &WinningSet) -> Result<WinningSet, KernelError> {
        let mut all = set.cells.clone();
        all.extend(&set.caps);
        all.sort_unstable();
        if set.cells.is_empty() {
            return bad("a winning set without cells".into());
        }
        if let Some(cell) = all.iter().find(|cell| usize::from(**cell) >= self.cells) {
            return bad(format!("cell {cell} in a set, not below {}", self.cells));
        }
        if let Some(pair) = all.windows(2).find(|pair| pair[0] == pair[1]) {
            return bad(format!("cell {} twice in a set and its caps", pair[0]));
        }
        Ok(sorted(set.cells.clone(), set.caps.clone()))
    }

    fn group(&self, sets: &HashSet<WinningSet>) -> Result<Vec<Vec<u16>>, KernelError> {
        for permutation in &self.symmetries {
            check_permutation("a symmetry", permutation, self.cells)?;
            for (cell, below) in self.opens.iter().enumerate() {
                let image = usize::from(permutation[cell]);
                if self.opens[image] != below.map(|below| permutation[usize::from(below)]) {
                    return bad(format!("a symmetry changes what opens cell {image}"));
                }
            }
            let image = |cells: &[u16]| -> Vec<u16> {
                cells.iter().map(|c| permutation[usize::from(*c)]).collect()
            };
            for set in sets {
                if !sets.contains(&sorted(image(&set.cells), image(&set.caps))) {
                    return bad(format!("a symmetry maps set {:?} to no set", set.cells));
                }
            }
        }
        group(&self.symmetries, self.cells, MAX_SYMMETRIES)
    }
}

fn sorted(mut cells: Vec<u16>, mut caps: Vec<u16>) -> WinningSet {
    cells.sort_unstable();
    caps.sort_unstable();
    WinningSet { cells, caps }
}
