//! Exact codes for boards of two seats: a base-three digit per cell, then the rest.

use crate::bits::Bits;
use crate::error::KernelError;
use crate::graph::Graph;

/// The most cells whose codes fit into 128 bits with two bits to spare.
const MOST: usize = 79;

const POWERS: [u128; MOST + 1] = {
    let mut powers = [1; MOST + 1];
    let mut cell = 1;
    while cell <= MOST {
        powers[cell] = powers[cell - 1] * 3;
        cell += 1;
    }
    powers
};

/// Replaces `images` with the codes of the marks under the identity and every symmetry; `rest`
/// (0 to 3) is what else tells positions apart.
pub(crate) fn images<B: Bits>(
    graph: &Graph<B>,
    marks: &[B; 2],
    rest: u8,
    images: &mut Vec<u128>,
) -> Result<(), KernelError> {
    if graph.cells > MOST {
        let why = format!("exact codes of {} cells", graph.cells);
        return Err(KernelError::Unsupported(why));
    }
    let tail = u128::from(rest) * POWERS[graph.cells];
    let code = |image: &dyn Fn(usize) -> usize| {
        let sum = |seat: usize| {
            let powers = marks[seat].iter().map(|cell| POWERS[image(cell)]);
            powers.sum::<u128>()
        };
        tail + sum(0) + 2 * sum(1)
    };
    images.clear();
    images.push(code(&|cell| cell));
    for symmetry in &graph.symmetries {
        images.push(code(&|cell| usize::from(symmetry[cell])));
    }
    Ok(())
}

/// The seat in each cell, and the rest, of a code.
pub(crate) fn decode(cells: usize, mut code: u128) -> Result<(Vec<Option<u8>>, u8), KernelError> {
    let mut seats = Vec::with_capacity(cells);
    for _ in 0..cells {
        seats.push(match code % 3 {
            0 => None,
            digit => Some(digit as u8 - 1),
        });
        code /= 3;
    }
    let rest = u8::try_from(code).ok().filter(|rest| *rest < 4);
    let bad = || KernelError::Position("a code of no position".to_string());
    Ok((seats, rest.ok_or_else(bad)?))
}
