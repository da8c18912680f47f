//! Boards for tests and benchmarks: the kernel itself has no coordinates.
#![allow(dead_code)]

use noughts_kernel::lines::{LinesTables, WinningSet};

fn coordinates(dims: &[usize], mut cell: usize) -> Vec<i32> {
    let mut at = vec![0; dims.len()];
    for axis in (0..dims.len()).rev() {
        at[axis] = (cell % dims[axis]) as i32;
        cell /= dims[axis];
    }
    at
}

fn index(dims: &[usize], at: &[i32]) -> Option<u16> {
    let mut cell = 0;
    for (size, x) in dims.iter().zip(at) {
        if *x < 0 || *x >= *size as i32 {
            return None;
        }
        cell = cell * size + *x as usize;
    }
    Some(cell as u16)
}

fn directions(axes: usize) -> Vec<Vec<i32>> {
    let all = (0..3usize.pow(axes as u32)).map(|code| {
        (0..axes)
            .map(|axis| (code / 3usize.pow(axis as u32) % 3) as i32 - 1)
            .collect::<Vec<i32>>()
    });
    all.filter(|d| d.iter().find(|x| **x != 0) == Some(&1))
        .collect()
}

/// k in a row on a board of any number of dimensions, two players.
pub fn grid(dims: &[usize], k: usize) -> LinesTables {
    let cells: usize = dims.iter().product();
    let mut sets = Vec::new();
    for cell in 0..cells {
        for step in directions(dims.len()) {
            let at = coordinates(dims, cell);
            let line: Option<Vec<u16>> = (0..k as i32)
                .map(|n| {
                    let there: Vec<i32> = at.iter().zip(&step).map(|(a, s)| a + n * s).collect();
                    index(dims, &there)
                })
                .collect();
            sets.extend(line.map(WinningSet::new));
        }
    }
    LinesTables {
        cells,
        players: 2,
        sets,
        symmetries: symmetries(dims),
        ..LinesTables::default()
    }
}

/// Exactly k in a row: the cells beyond the ends are caps.
pub fn exactly(dims: &[usize], k: usize) -> LinesTables {
    let mut tables = grid(dims, k);
    for set in &mut tables.sets {
        let first = coordinates(dims, set.cells[0] as usize);
        let second = coordinates(dims, set.cells[1] as usize);
        let beyond = |n: i32| {
            let at: Vec<i32> = first
                .iter()
                .zip(&second)
                .map(|(a, b)| a + n * (b - a))
                .collect();
            index(dims, &at)
        };
        set.caps = [beyond(-1), beyond(k as i32)]
            .into_iter()
            .flatten()
            .collect();
    }
    tables
}

/// Who completes a line loses.
pub fn misere(dims: &[usize], k: usize) -> LinesTables {
    LinesTables {
        misere: true,
        ..grid(dims, k)
    }
}

/// k in a row where marks fall to the last row of their column, two players.
pub fn falling(rows: usize, cols: usize, k: usize) -> LinesTables {
    let cells = rows * cols;
    let below = |cell: usize| (cell + cols < cells).then_some((cell + cols) as u16);
    let mirror = |cell: usize| (cell / cols * cols + cols - 1 - cell % cols) as u16;
    LinesTables {
        opens: (0..cells).map(below).collect(),
        symmetries: vec![(0..cells).map(mirror).collect()],
        ..grid(&[rows, cols], k)
    }
}

fn symmetries(dims: &[usize]) -> Vec<Vec<u16>> {
    let cells: usize = dims.iter().product();
    let mut orders: Vec<Vec<usize>> = vec![vec![]];
    for _ in 0..dims.len() {
        orders = orders
            .iter()
            .flat_map(|order| {
                (0..dims.len())
                    .filter(|axis| !order.contains(axis))
                    .map(|axis| [order.clone(), vec![axis]].concat())
            })
            .collect();
    }
    orders.retain(|order| {
        order
            .iter()
            .zip(dims)
            .all(|(axis, size)| dims[*axis] == *size)
    });
    let mut all = Vec::new();
    for order in orders {
        for flips in 0..1usize << dims.len() {
            let image = |cell: usize| {
                let from = coordinates(dims, cell);
                let to: Vec<i32> = (0..dims.len())
                    .map(|axis| {
                        let x = from[order[axis]];
                        if flips >> axis & 1 == 1 {
                            dims[axis] as i32 - 1 - x
                        } else {
                            x
                        }
                    })
                    .collect();
                index(dims, &to).unwrap_or(0)
            };
            all.push((0..cells).map(image).collect());
        }
    }
    all
}
