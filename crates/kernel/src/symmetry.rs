//! Symmetries of a board: permutations of its cells (`permutation[from] = to`), the group they
//! generate, and keys that are the same for all images of a position.

use std::collections::HashSet;

use crate::bits::Bits;
use crate::error::KernelError;

/// How many symmetric keys a search keeps side by side; further symmetries are not used by it.
pub(crate) const IMAGES: usize = 8;

/// The keys of a position and its first images.
pub(crate) type Keys = [u64; IMAGES];

/// Checks that a permutation maps the cells one to one onto themselves.
pub(crate) fn check_permutation(
    what: &str,
    permutation: &[u16],
    cells: usize,
) -> Result<(), KernelError> {
    let bad = |why: String| Err(KernelError::Tables(why));
    if permutation.len() != cells {
        let count = permutation.len();
        return bad(format!("{what} has {count} cells, the board {cells}"));
    }
    let mut seen = vec![false; cells];
    for &to in permutation {
        match seen.get_mut(usize::from(to)) {
            None => return bad(format!("{what} maps to {to}, past the board")),
            Some(true) => return bad(format!("{what} maps two cells to {to}")),
            Some(seen) => *seen = true,
        }
    }
    Ok(())
}

/// The whole group that some permutations generate, the identity first.
pub(crate) fn group(
    generators: &[Vec<u16>],
    cells: usize,
    most: usize,
) -> Result<Vec<Vec<u16>>, KernelError> {
    let identity: Vec<u16> = (0..cells).map(|cell| cell as u16).collect();
    let mut group = vec![identity.clone()];
    let mut known = HashSet::from([identity]);
    let mut next = 0;
    while next < group.len() {
        for generator in generators {
            let product: Vec<u16> = group[next]
                .iter()
                .map(|cell| generator[usize::from(*cell)])
                .collect();
            if known.insert(product.clone()) {
                group.push(product);
            }
        }
        if group.len() > most {
            let why = format!("symmetries that generate more than {most}");
            return Err(KernelError::Tables(why));
        }
        next += 1;
    }
    Ok(group)
}

/// The permutation that takes a permutation back.
pub(crate) fn inverse(permutation: &[u16]) -> Vec<u16> {
    let mut inverse = vec![0; permutation.len()];
    for (from, &to) in permutation.iter().enumerate() {
        inverse[usize::from(to)] = from as u16;
    }
    inverse
}

/// The smallest key among the images of a position under a group: `marks` by seat, the key of a mark by
/// cell and seat, and the part of the key that no symmetry changes.
#[inline]
pub(crate) fn canonical_key<B: Bits>(
    group: &[Vec<u16>],
    marks: &[B],
    rest: u64,
    mark_key: impl Fn(usize, usize) -> u64,
) -> u64 {
    let image = |permutation: &Vec<u16>| {
        marks.iter().enumerate().fold(rest, |key, (seat, cells)| {
            cells.iter().fold(key, |key, cell| {
                key ^ mark_key(usize::from(permutation[cell]), seat)
            })
        })
    };
    group.iter().map(image).min().unwrap_or(rest)
}

/// By cell and seat, the keys of a mark on the board and on its images, side by side.
#[derive(Clone, Debug)]
pub(crate) struct Images {
    keys: Vec<[Keys; 2]>,
    /// How many of them differ.
    pub count: usize,
}

impl Images {
    /// The images under the first symmetries of a group; the places left over repeat the identity.
    pub fn new(group: &[Vec<u16>], mark_keys: &[[u64; 2]]) -> Self {
        let image = |cell: usize| {
            let to: [usize; IMAGES] = std::array::from_fn(|image| match group.get(image) {
                Some(symmetry) => usize::from(symmetry[cell]),
                None => cell,
            });
            [0, 1].map(|seat| to.map(|cell| mark_keys[cell][seat]))
        };
        Self {
            keys: (0..mark_keys.len()).map(image).collect(),
            count: group.len().min(IMAGES),
        }
    }

    /// The keys of a position.
    pub fn keys<B: Bits>(&self, marks: &[B; 2]) -> Keys {
        let mut keys = [0; IMAGES];
        for (seat, cells) in marks.iter().enumerate() {
            for cell in cells.iter() {
                self.mark(&mut keys, cell, seat);
            }
        }
        keys
    }

    /// Adds a mark to the keys, or takes it away again.
    #[inline]
    pub fn mark(&self, keys: &mut Keys, cell: usize, seat: usize) {
        for (key, image) in keys.iter_mut().zip(&self.keys[cell][seat]) {
            *key ^= image;
        }
    }

    /// Changes the seat of a mark in the keys.
    #[inline]
    pub fn turn(&self, keys: &mut Keys, cell: usize) {
        let [first, second] = &self.keys[cell];
        for (index, key) in keys.iter_mut().enumerate() {
            *key ^= first[index] ^ second[index];
        }
    }
}

/// The smallest of the first keys.
#[inline]
pub(crate) fn smallest(keys: &Keys, count: usize) -> u64 {
    keys[..count]
        .iter()
        .fold(u64::MAX, |least, &key| least.min(key))
}

/// The smallest of the first keys, and which image has it.
#[inline]
pub(crate) fn least(keys: &Keys, count: usize) -> (u64, usize) {
    let mut least = (keys[0], 0);
    for (image, &key) in keys.iter().enumerate().take(count).skip(1) {
        if key < least.0 {
            least = (key, image);
        }
    }
    least
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// A quarter turn and a mirror of a board of 2x2.
    const SQUARE: [[u16; 4]; 2] = [[1, 3, 0, 2], [1, 0, 3, 2]];

    #[test]
    fn the_group_is_closed_and_begins_with_the_identity() {
        let whole = group(&SQUARE.map(|p| p.to_vec()), 4, 8).unwrap();
        assert_eq!(whole.len(), 8);
        assert_eq!(whole[0], [0, 1, 2, 3]);
        for one in &whole {
            let back = inverse(one);
            assert!(whole.contains(&back));
            assert!((0..4).all(|cell| usize::from(back[usize::from(one[cell])]) == cell));
        }
        assert!(group(&SQUARE.map(|p| p.to_vec()), 4, 7).is_err());
    }

    #[test]
    fn keys_of_images_are_those_of_the_images() {
        let whole = group(&SQUARE.map(|p| p.to_vec()), 4, 8).unwrap();
        let mark_keys: Vec<[u64; 2]> = (1..5).map(|n| [n * 0x9e37, n * 0x79b9]).collect();
        let images = Images::new(&whole, &mark_keys);
        let marks = [0b0001u64, 0b1000];
        let keys = images.keys(&marks);
        let (least_key, image) = least(&keys, images.count);
        let key = |cell: usize, seat: usize| mark_keys[cell][seat];
        assert_eq!(least_key, canonical_key(&whole, &marks, 0, key));
        assert_eq!(least_key, smallest(&keys, images.count));
        let moved = marks.map(|cells| Bits::map(&cells, &whole[image]));
        assert_eq!(images.keys(&moved)[0], least_key);
        let mut changed = keys;
        images.turn(&mut changed, 0);
        assert_eq!(changed, images.keys(&[0, 0b1001]));
    }

    #[test]
    fn what_is_no_permutation_is_refused() {
        for wrong in [&[0u16, 1][..], &[0, 1, 1], &[0, 1, 3]] {
            assert!(check_permutation("it", wrong, 3).is_err());
        }
        assert!(check_permutation("it", &[2, 0, 1], 3).is_ok());
    }
}
