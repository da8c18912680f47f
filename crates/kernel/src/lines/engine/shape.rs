//! The winning sets laid out flat for the engine: who is where, and what each count is worth.

use crate::bits::{scramble, Bits};
use crate::error::KernelError;
use crate::lines::Rules;

/// Room for every board the family takes, a power of two so that an index can be masked.
pub(super) const ROOM: usize = 512;

/// Worth of a set for the order of moves, by the cells that it still lacks.
const PULL: [i32; 6] = [0, 4096, 600, 90, 14, 3];
/// Worth of a set for the evaluation, by the cells that it still lacks.
const WORTH: [i64; 6] = [0, 80, 80, 18, 2, 1];

/// Where the count of live sets begins in a seat's total; the worth is below it.
const LIVE: u32 = 40;

/// What a live set with a given number of its owner's marks adds up to.
#[derive(Clone, Copy, Debug, Default)]
pub struct Level {
    /// For the order of moves, to each of its cells.
    pub pull: i32,
    /// For its owner: worth, and one live set.
    pub worth: i64,
    /// The cells it lacks.
    pub lack: u16,
}

/// The worth in a seat's total.
#[inline]
pub(super) fn worth(total: i64) -> i32 {
    (total & ((1 << LIVE) - 1)) as i32
}

/// The live sets in a seat's total.
#[inline]
pub(super) fn live(total: i64) -> i64 {
    total >> LIVE
}

/// Lists of small numbers, one behind the other.
#[derive(Debug, Default)]
pub struct Lists {
    starts: Vec<u32>,
    items: Vec<u16>,
}

impl Lists {
    fn new(lists: impl Iterator<Item = Vec<u16>>) -> Self {
        let mut all = Self {
            starts: vec![0],
            items: Vec::new(),
        };
        for list in lists {
            all.items.extend(list);
            all.starts.push(all.items.len() as u32);
        }
        all
    }

    /// One of the lists.
    #[inline]
    pub fn of(&self, index: usize) -> &[u16] {
        &self.items[self.starts[index] as usize..self.starts[index + 1] as usize]
    }

    fn bytes(&self) -> usize {
        4 * self.starts.len() + 2 * self.items.len()
    }
}

/// A game of two seats as the engine reads it.
#[derive(Debug)]
pub struct Shape {
    pub cells: usize,
    pub misere: bool,
    /// The sets through each cell.
    pub through: Lists,
    /// The sets that each cell caps.
    pub capping: Lists,
    /// The cells of each set.
    pub members: Lists,
    /// Where the levels of each set begin.
    pub bases: Vec<u16>,
    pub levels: Vec<Level>,
    /// One number per cell and seat, and one that changes the turn.
    pub keys: Vec<[u64; 2]>,
    pub turn_key: u64,
    /// Tells games apart that share a table.
    pub salt: u64,
    /// How much of the board each cell reaches through the sets: greatest in the middle.
    pub reach: Vec<u64>,
}

impl Shape {
    /// Lays out the rules of a game of two seats.
    pub fn new<B: Bits>(rules: &Rules<B>) -> Result<Self, KernelError> {
        let unsupported = |what: String| Err(KernelError::Unsupported(what));
        if let Some(size) = rules.sizes.iter().find(|size| **size > 255) {
            return unsupported(format!("the engine on sets of {size} cells, at most 255"));
        }
        let list = |bits: &B| bits.iter().map(|cell| cell as u16).collect::<Vec<u16>>();
        let mut capping = vec![Vec::new(); rules.cells];
        for (set, caps) in rules.caps.iter().enumerate() {
            caps.iter().for_each(|cell| capping[cell].push(set as u16));
        }
        let through = (0..rules.cells).map(|cell| {
            let sets = &rules.through[rules.range(cell)];
            sets.iter().map(|set| *set as u16).collect()
        });
        let mut sizes: Vec<u16> = rules.sizes.clone();
        sizes.sort_unstable();
        sizes.dedup();
        let mut starts = vec![0u16; 256];
        let mut levels = Vec::new();
        for size in sizes {
            starts[usize::from(size)] = levels.len() as u16;
            levels.extend((0..=size).map(|marks| level(size, marks)));
        }
        let salt = rules.sets.iter().zip(&rules.caps);
        let salt = salt.fold(rules.cells as u64, |sum, (set, caps)| {
            scramble(sum ^ set.mix(1) ^ caps.mix(2).rotate_left(7))
        });
        let mut shape = Self {
            cells: rules.cells,
            misere: rules.misere,
            through: Lists::new(through),
            capping: Lists::new(capping.into_iter()),
            members: Lists::new(rules.sets.iter().map(list)),
            bases: rules
                .sizes
                .iter()
                .map(|size| starts[usize::from(*size)])
                .collect(),
            levels,
            keys: (0..rules.cells)
                .map(|cell| [rules.mark_key(cell, 0), rules.mark_key(cell, 1)])
                .collect(),
            turn_key: rules.turn_key(0) ^ rules.turn_key(1),
            salt: salt ^ u64::from(rules.misere),
            reach: Vec::new(),
        };
        shape.reach = shape.reaches();
        Ok(shape)
    }

    /// How many sets there are.
    pub fn sets(&self) -> usize {
        self.bases.len()
    }

    /// Bytes that the shape and one board on it take, roughly.
    pub fn bytes(&self) -> usize {
        let lists = self.through.bytes() + self.capping.bytes() + self.members.bytes();
        lists + 40 * self.cells + 24 * self.sets() + 64 * ROOM
    }

    /// Spreads the number of sets through each cell along the sets, until the middle stands out.
    fn reaches(&self) -> Vec<u64> {
        let mut reach = vec![1u64; self.cells];
        for _ in 0..6 {
            let mut next = vec![0u64; self.cells];
            for set in 0..self.sets() {
                let members = self.members.of(set);
                let sum: u64 = members.iter().map(|cell| reach[usize::from(*cell)]).sum();
                for cell in members {
                    next[usize::from(*cell)] += sum;
                }
            }
            let most = next.iter().copied().max().unwrap_or(0);
            let shift = (64 - most.leading_zeros()).saturating_sub(32);
            reach = next.iter().map(|value| value >> shift).collect();
        }
        reach
    }
}

fn level(size: u16, marks: u16) -> Level {
    let lack = size - marks;
    let touched = marks > 0;
    let at = usize::from(lack).min(5);
    Level {
        pull: if touched { PULL[at] } else { 0 },
        worth: (if touched { WORTH[at] } else { 0 }) | 1 << LIVE,
        lack,
    }
}
