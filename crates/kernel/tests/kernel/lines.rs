//! The `lines` family against a twin that does everything the slow and obvious way.

use crate::boards::{exactly, falling, grid, misere};
use noughts_kernel::bits::{Bits, Wide};
use noughts_kernel::encode::Encode;
use noughts_kernel::lines::{AnyLines, Lines, LinesTables, WinningSet};
use noughts_kernel::position::{Outcome, Position};
use noughts_kernel::KernelError;
use proptest::prelude::*;

/// Outcome of a board, by looking at everything.
fn naive(tables: &LinesTables, cells: &[Option<u8>]) -> Option<Outcome> {
    for seat in 0..tables.players {
        let owns = |cell: &u16| cells[*cell as usize] == Some(seat);
        for set in &tables.sets {
            if set.cells.iter().all(owns) && !set.caps.iter().any(owns) {
                return Some(Outcome::Win(if tables.misere { 1 - seat } else { seat }));
            }
        }
    }
    let can = |seat: u8, set: &WinningSet| {
        let fine = |cell: &u16| cells[*cell as usize].is_none_or(|owner| owner == seat);
        set.cells.iter().all(fine) && !set.caps.iter().any(|c| cells[*c as usize] == Some(seat))
    };
    let hope = (0..tables.players).any(|seat| tables.sets.iter().any(|set| can(seat, set)));
    let over = cells.iter().all(Option::is_some) || (tables.early_draw && !hope);
    over.then_some(Outcome::Draw)
}

fn legal<P: Position>(position: &P) -> Vec<i16> {
    let mut moves = vec![99];
    position.legal_moves(&mut moves);
    moves
}

type Snapshot = (Vec<Option<u8>>, u8, Option<Outcome>, [u64; 2], Vec<i16>);

fn snapshot<P: Position>(p: &P) -> Snapshot {
    let cells = (0..p.cells()).map(|cell| p.at(cell)).collect();
    (
        cells,
        p.turn(),
        p.outcome(),
        [p.key(), p.canonical_key()],
        legal(p),
    )
}

/// Plays picks, comparing with the twin at every step, then takes everything back.
fn follow<B: Bits>(tables: &LinesTables, picks: &[usize]) {
    let mut position = Lines::<B>::new(tables).unwrap();
    let mut cells = vec![None; tables.cells];
    let mut trail = Vec::new();
    for pick in picks {
        assert_eq!(position.outcome(), naive(tables, &cells));
        let moves = legal(&position);
        if position.outcome().is_some() {
            assert!(moves.is_empty());
            break;
        }
        let opened = |c: usize| match tables.opens.get(c) {
            Some(Some(below)) => cells[usize::from(*below)].is_some(),
            _ => true,
        };
        let empty: Vec<i16> = (0..tables.cells)
            .filter(|c| cells[*c].is_none() && opened(*c))
            .map(|c| c as i16)
            .collect();
        assert_eq!(moves, empty);
        let mv = moves[pick % moves.len()];
        let before = snapshot(&position);
        let seat = position.turn();
        let undo = position.try_play(mv).unwrap();
        cells[mv as usize] = Some(seat);
        let next = (seat + 1) % tables.players;
        let over = naive(tables, &cells).is_some();
        assert_eq!(position.turn(), if over { seat } else { next });
        assert!(position.try_play(mv).is_err() && position.try_play(-1).is_err());
        let same = Lines::<B>::setup(tables, &cells, position.turn()).unwrap();
        assert_eq!(snapshot(&position), snapshot(&same));
        let mut images = Vec::new();
        if position.images(&mut images).is_ok() {
            let back = position.decode(images[0]).unwrap();
            assert_eq!(snapshot(&position), snapshot(&back));
        }
        trail.push((undo, before));
    }
    while let Some((undo, before)) = trail.pop() {
        position.undo(undo);
        assert_eq!(snapshot(&position), before);
    }
}

/// What opens what: nothing, or now and then an earlier cell, which may open several.
pub fn opens(cells: usize) -> impl Strategy<Value = Vec<Option<u16>>> {
    let below = proptest::collection::vec(proptest::option::of(any::<usize>()), cells);
    let some = below.prop_map(|below| {
        let pick = |(cell, below): (usize, Option<usize>)| {
            below.and_then(|n| n.checked_rem(cell)).map(|n| n as u16)
        };
        below.into_iter().enumerate().map(pick).collect()
    });
    prop_oneof![Just(vec![]), some]
}

fn tables() -> impl Strategy<Value = LinesTables> {
    (2usize..14, 2u8..=4, any::<bool>(), any::<bool>()).prop_flat_map(
        |(cells, players, misere, early_draw)| {
            let list = proptest::sample::subsequence(
                (0..cells as u16).collect::<Vec<_>>(),
                1..=cells.min(6),
            )
            .prop_shuffle();
            let set = (list, 0usize..3).prop_map(|(mut cells, caps)| {
                let keep = cells.len() - caps.min(cells.len() - 1);
                let caps = cells.split_off(keep);
                WinningSet { cells, caps }
            });
            let sets = proptest::collection::vec(set, 0..8);
            (sets, opens(cells)).prop_map(move |(sets, opens)| LinesTables {
                cells,
                players: if misere { 2 } else { players },
                sets,
                misere,
                early_draw,
                opens,
                sights: vec![],
                symmetries: vec![],
            })
        },
    )
}

proptest! {
    #[test]
    fn agrees_with_the_naive_twin(tables in tables(), picks in proptest::collection::vec(0usize..1000, 14)) {
        follow::<u64>(&tables, &picks);
        follow::<Wide>(&tables, &picks);
    }

    #[test]
    fn agrees_on_real_boards(board in 0usize..9, early in any::<bool>(), picks in proptest::collection::vec(0usize..1000, 81)) {
        let mut tables = match board {
            0 => grid(&[3, 3], 3),
            1 => grid(&[4, 4], 4),
            2 => grid(&[5, 4], 3),
            3 => grid(&[3, 3, 3], 3),
            4 => misere(&[4, 4], 3),
            5 => exactly(&[6, 6], 4),
            6 => falling(6, 7, 4),
            7 => falling(9, 9, 4),
            _ => exactly(&[9, 9], 5),
        };
        tables.early_draw = early;
        if tables.cells <= 64 {
            follow::<u64>(&tables, &picks);
        }
        follow::<Wide>(&tables, &picks);
    }

    #[test]
    fn symmetric_images_share_the_canonical_key(picks in proptest::collection::vec(0usize..1000, 9), which in 0usize..8) {
        let tables = grid(&[4, 4], 4);
        let symmetry = &tables.symmetries[which];
        let mut a = Lines::<u64>::new(&tables).unwrap();
        let mut b = a.clone();
        for pick in picks {
            let moves = legal(&a);
            if moves.is_empty() { break; }
            let mv = moves[pick % moves.len()];
            a.play(mv);
            b.play(symmetry[mv as usize] as i16);
            prop_assert_eq!(a.canonical_key(), b.canonical_key());
            let (mut x, mut y) = (Vec::new(), Vec::new());
            a.images(&mut x).unwrap();
            b.images(&mut y).unwrap();
            x.sort_unstable();
            y.sort_unstable();
            prop_assert_eq!(x, y);
        }
    }

    #[test]
    fn fuzzed_tables_never_panic(
        cells in 0usize..500, players in 0u8..10, misere in any::<bool>(), early_draw in any::<bool>(),
        sets in proptest::collection::vec((proptest::collection::vec(0u16..12, 0..5), proptest::collection::vec(0u16..12, 0..2)), 0..6),
        opens in proptest::collection::vec(proptest::option::of(0u16..12), 0..12),
        symmetries in proptest::collection::vec(proptest::collection::vec(0u16..5, 0..5), 0..3),
        marks in proptest::collection::vec(proptest::option::of(0u8..9), 0..12), turn in 0u8..9,
    ) {
        let sets = sets.into_iter().map(|(cells, caps)| WinningSet { cells, caps }).collect();
        let tables = LinesTables { cells, players, sets, misere, early_draw, opens, sights: vec![], symmetries };
        let _ = AnyLines::new(&tables);
        let _ = Lines::<u64>::setup(&tables, &marks, turn);
        let _ = Lines::<Wide>::setup(&tables, &marks, turn);
        let _ = Lines::<u64>::new(&tables);
    }
}

#[test]
fn every_3x3_key_is_its_own() {
    let start = Lines::<u64>::new(&grid(&[3, 3], 3)).unwrap();
    let mut seen = std::collections::HashMap::new();
    let mut todo = vec![start];
    while let Some(p) = todo.pop() {
        let (cells, turn, ..) = snapshot(&p);
        let known = seen.insert(p.key(), (cells.clone(), turn));
        assert!(known.is_none_or(|known| known == (cells, turn)));
        for mv in legal(&p) {
            let mut next = p.clone();
            next.play(mv);
            if !seen.contains_key(&next.key()) {
                todo.push(next);
            }
        }
    }
    assert_eq!(seen.len(), 5478);
}

#[test]
fn cubes_have_the_lines_they_should() {
    assert_eq!(grid(&[3, 3, 3], 3).sets.len(), 49);
    assert_eq!(grid(&[4, 4, 4], 4).sets.len(), 76);
    assert_eq!(grid(&[4, 4, 4], 4).symmetries.len(), 48);
}

#[test]
fn two_winners_are_refused_and_one_is_an_outcome() {
    let tables = grid(&[3, 3], 3);
    let [x, o, n] = [Some(0), Some(1), None];
    let both = [x, x, x, o, o, o, n, n, n];
    assert!(matches!(
        Lines::<u64>::setup(&tables, &both, 0),
        Err(KernelError::Position(_))
    ));
    let one = [x, x, x, o, o, n, n, n, n];
    let position = Lines::<u64>::setup(&tables, &one, 1).unwrap();
    assert_eq!(position.outcome(), Some(Outcome::Win(0)));
    assert!(legal(&position).is_empty());
}

#[test]
fn six_in_a_row_is_not_exactly_five() {
    let tables = exactly(&[1, 9], 5);
    let mut p = Lines::<u64>::new(&LinesTables {
        players: 2,
        ..tables
    })
    .unwrap();
    for mv in [0, 6, 1, 7, 2, 8, 4] {
        p.play(mv);
    }
    assert_eq!(p.outcome(), None);
    let cells = [
        Some(0),
        Some(0),
        Some(0),
        None,
        Some(0),
        Some(0),
        Some(1),
        Some(1),
        None,
    ];
    let mut p = Lines::<u64>::setup(&exactly(&[1, 9], 5), &cells, 0).unwrap();
    p.play(3);
    assert_eq!(p.outcome(), None, "six");
}

#[test]
fn a_symmetry_that_breaks_the_sets_is_refused() {
    let mut tables = grid(&[3, 3], 3);
    tables.symmetries.push(vec![1, 0, 2, 3, 4, 5, 6, 7, 8]);
    assert!(matches!(
        Lines::<u64>::new(&tables),
        Err(KernelError::Tables(_))
    ));
}
