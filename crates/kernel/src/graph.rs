//! The board of the `connect` and `capture` families: who touches whom, and the symmetries.

use crate::bits::Bits;
use crate::error::KernelError;
use crate::symmetry::{canonical_key, check_permutation, group, inverse, Images};

/// The most cells a board may have.
pub const MAX_CELLS: usize = 400;

/// The most symmetries a board may have.
pub const MAX_SYMMETRIES: usize = 48;

/// Checked adjacency tables with the hash keys of every cell and seat.
#[derive(Clone, Debug)]
pub(crate) struct Graph<B: Bits> {
    pub cells: usize,
    pub all: B,
    pub neighbours: Vec<B>,
    /// The group of symmetries, the identity first.
    pub symmetries: Vec<Vec<u16>>,
    /// By symmetry, the one that takes it back.
    pub inverses: Vec<Vec<u16>>,
    /// By cell, by seat: the key of a mark in that cell.
    pub keys: Vec<[u64; 2]>,
    /// The same on the images of the board.
    pub images: Images,
}

/// Spreads a number over 64 bits (splitmix64's finaliser).
pub(crate) fn spread(number: u64) -> u64 {
    let mut z = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// What the second seat to move adds to a key.
pub(crate) const TURN_KEY: u64 = 0x5bd1_e995_7b93_a1c5;

/// What an available swap adds to a key.
pub(crate) const SWAP_KEY: u64 = 0xc2b2_ae3d_27d4_eb4f;

fn bad<T>(why: String) -> Result<T, KernelError> {
    Err(KernelError::Tables(why))
}

impl<B: Bits> Graph<B> {
    /// Checks and compiles the tables.
    pub fn new(
        cells: usize,
        neighbours: &[Vec<u16>],
        symmetries: &[Vec<u16>],
    ) -> Result<Self, KernelError> {
        if cells == 0 || cells > MAX_CELLS {
            return bad(format!("a board has 1 to {MAX_CELLS} cells, not {cells}"));
        }
        if cells > B::CAPACITY {
            return bad(format!(
                "{cells} cells do not fit into {} bits",
                B::CAPACITY
            ));
        }
        if neighbours.len() != cells {
            return bad(format!(
                "neighbours of {} cells given, the board has {cells}",
                neighbours.len()
            ));
        }
        let mut sets = vec![B::default(); cells];
        for (cell, around) in neighbours.iter().enumerate() {
            for &other in around {
                let other = usize::from(other);
                if other >= cells {
                    return bad(format!("cell {cell} has neighbour {other}, past the board"));
                }
                if other == cell {
                    return bad(format!("cell {cell} is its own neighbour"));
                }
                sets[cell].insert(other);
            }
        }
        for cell in 0..cells {
            for other in sets[cell].iter() {
                if !sets[other].has(cell) {
                    return bad(format!(
                        "{other} is a neighbour of {cell}, but not {cell} of {other}"
                    ));
                }
            }
        }
        for symmetry in symmetries {
            check_permutation("a symmetry", symmetry, cells)?;
            for cell in 0..cells {
                if sets[cell].map(symmetry) != sets[usize::from(symmetry[cell])] {
                    return bad(format!("a symmetry does not keep the neighbours of {cell}"));
                }
            }
        }
        let keys: Vec<[u64; 2]> = (0..cells as u64)
            .map(|cell| [spread(2 * cell + 1), spread(2 * cell + 2)])
            .collect();
        let symmetries = group(symmetries, cells, MAX_SYMMETRIES)?;
        Ok(Self {
            cells,
            all: (0..cells).fold(B::default(), |all, cell| all.or(&B::one(cell))),
            neighbours: sets,
            inverses: symmetries.iter().map(|s| inverse(s)).collect(),
            images: Images::new(&symmetries, &keys),
            symmetries,
            keys,
        })
    }

    /// The union of the neighbours of some cells.
    #[inline]
    pub fn around(&self, cells: B) -> B {
        let mut around = B::default();
        for cell in cells.iter() {
            around = around.or(&self.neighbours[cell]);
        }
        around
    }

    /// The key of marks.
    pub fn key(&self, marks: &[B; 2]) -> u64 {
        let mut key = 0;
        for (seat, cells) in marks.iter().enumerate() {
            for cell in cells.iter() {
                key ^= self.keys[cell][seat];
            }
        }
        key
    }

    /// The smallest key among all symmetric images of marks, whose keys share the part `rest`.
    pub fn canonical_key(&self, marks: &[B; 2], rest: u64) -> u64 {
        canonical_key(&self.symmetries, marks, rest, |cell, seat| {
            self.keys[cell][seat]
        })
    }
}

/// The most cells with an exact code: two bits for each, and two more.
const MAX_ENCODED: usize = 63;

impl<B: Bits> Graph<B> {
    /// Replaces `images` with the exact codes of all symmetric images, the marks' own first. `rest`
    /// is below four.
    pub fn encode(
        &self,
        marks: &[B; 2],
        rest: u128,
        images: &mut Vec<u128>,
    ) -> Result<(), KernelError> {
        if self.cells > MAX_ENCODED {
            let why = format!("exact codes of {} cells", self.cells);
            return Err(KernelError::Unsupported(why));
        }
        images.clear();
        let code = |place: &dyn Fn(usize) -> usize| {
            let bits = |(seat, set): (usize, &B)| {
                let shift = seat * self.cells;
                set.iter()
                    .fold(0, |code, cell| code | 1 << (place(cell) + shift))
            };
            marks
                .iter()
                .enumerate()
                .map(bits)
                .fold(0, |a: u128, b| a | b)
                | rest << (2 * self.cells)
        };
        for symmetry in &self.symmetries {
            images.push(code(&|cell| usize::from(symmetry[cell])));
        }
        Ok(())
    }

    /// The cells of a code, and its `rest`.
    pub fn decode(&self, code: u128) -> Result<(Vec<Option<u8>>, u128), KernelError> {
        let bad = || Err(KernelError::Position(format!("{code} is no code")));
        if self.cells > MAX_ENCODED || code >> (2 * self.cells) > 3 {
            return bad();
        }
        let mut cells = vec![None; self.cells];
        for (cell, mark) in cells.iter_mut().enumerate() {
            *mark = match (code >> cell & 1, code >> (cell + self.cells) & 1) {
                (0, 0) => None,
                (1, 0) => Some(0),
                (0, 1) => Some(1),
                _ => return bad(),
            };
        }
        Ok((cells, code >> (2 * self.cells)))
    }
}

/// The seat whose mark is in a cell.
#[inline]
pub(crate) fn seat_in<B: Bits>(marks: &[B; 2], cell: usize) -> Option<u8> {
    (0..2u8).find(|seat| marks[usize::from(*seat)].has(cell))
}

/// Reads the marks of a position from its cells.
pub(crate) fn read_marks<B: Bits>(
    cells: &[Option<u8>],
    expected: usize,
) -> Result<[B; 2], KernelError> {
    if cells.len() != expected {
        return Err(KernelError::Position(format!(
            "{} cells given, the board has {expected}",
            cells.len()
        )));
    }
    let mut marks = [B::default(); 2];
    for (cell, mark) in cells.iter().enumerate() {
        match mark {
            None => {}
            Some(seat @ 0..=1) => marks[usize::from(*seat)].insert(cell),
            Some(seat) => {
                return Err(KernelError::Position(format!(
                    "cell {cell} belongs to seat {seat}, there are two"
                )))
            }
        }
    }
    Ok(marks)
}
