//! The geometry the kernel does not have: square and hexagonal boards, and random graphs.

#![allow(dead_code, clippy::unwrap_used)]

use std::collections::{HashMap, HashSet};

use noughts_kernel::capture::CaptureTables;
use noughts_kernel::connect::ConnectTables;
use noughts_kernel::count::count;
use noughts_kernel::encode::Encode;
use noughts_kernel::native::unlimited;
use noughts_kernel::position::{Move, Outcome, Position};
use proptest::prelude::*;

pub type Neighbours = Vec<Vec<u16>>;

fn table(rows: usize, columns: usize, steps: &[(isize, isize)]) -> Neighbours {
    let mut table = Vec::new();
    for row in 0..rows as isize {
        for column in 0..columns as isize {
            let mut around: Vec<u16> = steps
                .iter()
                .map(|&(down, right)| (row + down, column + right))
                .filter(|&(r, c)| {
                    (0..rows as isize).contains(&r) && (0..columns as isize).contains(&c)
                })
                .map(|(r, c)| (r * columns as isize + c) as u16)
                .collect();
            around.sort_unstable();
            table.push(around);
        }
    }
    table
}

/// The four neighbours of a square board.
pub fn orthogonal(rows: usize, columns: usize) -> Neighbours {
    table(rows, columns, &[(-1, 0), (0, -1), (0, 1), (1, 0)])
}

/// The six neighbours of a Hex board.
pub fn hexagonal(rows: usize, columns: usize) -> Neighbours {
    table(
        rows,
        columns,
        &[(-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0)],
    )
}

/// Reflections and, on a square, rotations.
pub fn symmetries(rows: usize, columns: usize) -> Vec<Vec<u16>> {
    (0..if rows == columns { 8 } else { 4 })
        .map(|kind| {
            (0..rows * columns)
                .map(|cell| {
                    let (mut row, mut column) = (cell / columns, cell % columns);
                    if kind & 1 == 1 {
                        row = rows - 1 - row;
                    }
                    if kind & 2 == 2 {
                        column = columns - 1 - column;
                    }
                    if kind & 4 == 4 {
                        std::mem::swap(&mut row, &mut column);
                    }
                    (row * columns + column) as u16
                })
                .collect()
        })
        .collect()
}

pub fn duel(rows: usize, columns: usize, peaceful: bool) -> CaptureTables {
    CaptureTables {
        cells: rows * columns,
        neighbours: orthogonal(rows, columns),
        peaceful,
        symmetries: symmetries(rows, columns),
    }
}

/// A Hex-like board of any height and width: seat 0 joins top and bottom, seat 1 left and right.
pub fn slab(rows: usize, columns: usize) -> ConnectTables {
    let cells = rows * columns;
    let pick = |keep: &dyn Fn(usize, usize) -> bool| -> Vec<u16> {
        (0..cells)
            .filter(|cell| keep(cell / columns, cell % columns))
            .map(|cell| cell as u16)
            .collect()
    };
    ConnectTables {
        cells,
        neighbours: hexagonal(rows, columns),
        edges: [
            [pick(&|r, _| r == 0), pick(&|r, _| r == rows - 1)],
            [pick(&|_, c| c == 0), pick(&|_, c| c == columns - 1)],
        ],
        swap: None,
        symmetries: vec![(0..cells).map(|cell| (cells - 1 - cell) as u16).collect()],
    }
}

/// Hex; the swap mirrors the stone.
pub fn hex(size: usize, swap: bool) -> ConnectTables {
    let mirrored = |cell| (cell % size * size + cell / size) as u16;
    ConnectTables {
        swap: swap.then(|| (0..size * size).map(mirrored).collect()),
        ..slab(size, size)
    }
}

/// A random undirected graph of `1..=most` cells.
pub fn any_graph(most: usize) -> impl Strategy<Value = Neighbours> {
    (1..=most).prop_flat_map(|cells| {
        proptest::collection::vec((0..cells, 0..cells), 0..3 * cells).prop_map(move |edges| {
            let mut table = vec![Vec::new(); cells];
            for (a, b) in edges {
                if a != b && !table[a].contains(&(b as u16)) {
                    table[a].push(b as u16);
                    table[b].push(a as u16);
                }
            }
            table
        })
    })
}

/// The legal moves of a position.
pub fn legal<P: Position>(position: &P) -> Vec<Move> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    moves
}

/// Everything a position tells of itself.
pub fn told<P: Position>(position: &P) -> String {
    format!(
        "{:?} turn {} {:?} {:?} key {} canonical {} margin {} {}",
        (0..position.cells())
            .map(|cell| position.at(cell))
            .collect::<Vec<_>>(),
        position.turn(),
        position.outcome(),
        legal(position),
        position.key(),
        position.canonical_key(),
        position.margin(0),
        position.margin(1),
    )
}

/// Checks complete counting against a walk over every position by its exact code.
pub fn counting_agrees<P: Encode>(start: &P) {
    let mut seen = HashMap::new();
    let mut games = HashMap::new();
    let total = walk(start, &mut seen, &mut games);
    let all = count(start, None, &unlimited()).unwrap();
    assert_eq!(all.positions, seen.len() as u128);
    let classes: HashSet<u128> = seen.values().map(|(class, _)| *class).collect();
    assert_eq!(all.canonical, classes.len() as u128);
    let ended = |outcome: Outcome| {
        seen.values()
            .filter(|(_, end)| *end == Some(outcome))
            .count() as u128
    };
    assert_eq!(all.terminals.draws, ended(Outcome::Draw));
    assert_eq!(all.terminals.wins[0], ended(Outcome::Win(0)));
    assert_eq!(all.terminals.wins[1], ended(Outcome::Win(1)));
    assert_eq!(all.games.total().unwrap(), total);
}

type Seen = HashMap<u128, (u128, Option<Outcome>)>;

/// The number of games from here on; every position goes into `seen`.
fn walk<P: Encode>(position: &P, seen: &mut Seen, games: &mut HashMap<u128, u128>) -> u128 {
    let mut images = Vec::new();
    position.images(&mut images).unwrap();
    if let Some(known) = games.get(&images[0]) {
        return *known;
    }
    assert_eq!(told(&position.decode(images[0]).unwrap()), told(position));
    let class = images.iter().copied().min().unwrap();
    seen.insert(images[0], (class, position.outcome()));
    let mut total = u128::from(position.outcome().is_some());
    for mv in legal(position) {
        let mut next = position.clone();
        next.play(mv);
        total += walk(&next, seen, games);
    }
    games.insert(images[0], total);
    total
}

/// Checks that advancing is playing, for every move that does not end the game.
pub fn advancing_agrees<P: Position>(position: &P) -> bool {
    legal(position).into_iter().all(|mv| {
        let (mut played, mut advanced) = (position.clone(), position.clone());
        played.play(mv);
        if played.outcome().is_some() {
            return true;
        }
        let undo = advanced.advance(mv);
        let same = told(&played) == told(&advanced);
        advanced.undo(undo);
        same && told(&advanced) == told(position)
    })
}

/// Checks `is_legal` against `legal_moves` for every move there is and some there are not.
pub fn legality_agrees<P: Position>(position: &P) -> bool {
    let moves = legal(position);
    (-3..position.cells() as Move + 3)
        .chain([Move::MIN, Move::MAX])
        .all(|mv| position.is_legal(mv) == moves.contains(&mv))
}
