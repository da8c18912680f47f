//! The solver against plain minimax, against itself with parts switched off, and against facts.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::boards::{exactly, grid, misere};
use noughts_kernel::bits::{Bits, Wide};
use noughts_kernel::limits::{Limits, Stop};
use noughts_kernel::lines::{AnyLines, Lines, LinesTables, WinningSet};
use noughts_kernel::native::unlimited;
use noughts_kernel::position::{Outcome, Position};
use noughts_kernel::rng::Rng;
use noughts_kernel::search::{Options, Solve, Value, Verdict};
use noughts_kernel::KernelError;
use proptest::prelude::*;

pub const LONG: i32 = 1000;

/// Textbook minimax: `LONG - plies` for a win of the side to move, the negative for a loss.
pub fn minimax<P: Position>(position: &mut P, seen: &mut HashMap<u64, i32>) -> i32 {
    let key = position.key();
    if let Some(score) = seen.get(&key) {
        return *score;
    }
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let score = moves
        .iter()
        .map(|mv| after(position, *mv, seen))
        .max()
        .unwrap();
    seen.insert(key, score);
    score
}

/// The score of a move for its mover.
fn after<P: Position>(position: &mut P, mv: i16, seen: &mut HashMap<u64, i32>) -> i32 {
    let me = position.turn();
    let undo = position.play(mv);
    let score = match position.outcome() {
        Some(Outcome::Draw) => 0,
        Some(Outcome::Win(seat)) if seat == me => LONG - 1,
        Some(Outcome::Win(_)) => 1 - LONG,
        None => {
            let theirs = minimax(position, seen);
            -(theirs - theirs.signum())
        }
    };
    position.undo(undo);
    score
}

fn read(score: i32) -> (Value, Option<u32>) {
    match score.signum() {
        0 => (Value::Draw, None),
        1 => (Value::Win, Some((LONG - score) as u32)),
        _ => (Value::Loss, Some((LONG + score) as u32)),
    }
}

fn solved<P: Solve>(position: &P, options: &Options) -> Verdict {
    position.solve(options, &unlimited()).unwrap()
}

/// Value, distance, best moves, line and map, all as minimax has them.
pub fn check<P: Solve>(position: &P, seen: &mut HashMap<u64, i32>, options: &Options) {
    let mut twin = position.clone();
    let mut moves = Vec::new();
    twin.legal_moves(&mut moves);
    let score = minimax(&mut twin, seen);
    let verdict = solved(position, options);
    let cells: Vec<_> = (0..position.cells()).map(|c| position.at(c)).collect();
    let (value, distance) = read(score);
    let context = format!("{cells:?} turn {} {options:?} {verdict:?}", position.turn());
    assert_eq!(verdict.value(), Some(value), "{context}");
    assert_eq!(verdict.distance(), distance, "{context}");
    assert!(verdict.proven() && verdict.stopped.is_none());
    let scores: Vec<i32> = moves.iter().map(|mv| after(&mut twin, *mv, seen)).collect();
    let best: Vec<i16> = moves
        .iter()
        .zip(&scores)
        .filter(|(_, s)| **s == score)
        .map(|(mv, _)| *mv)
        .collect();
    assert_eq!(verdict.best, best, "{context}");
    for mv in &verdict.line {
        assert!(twin.outcome().is_none());
        let now = minimax(&mut twin, seen);
        assert_eq!(after(&mut twin, *mv, seen), now, "{context}");
        twin.play(*mv);
    }
    assert!(twin.outcome().is_some(), "the line stops early: {context}");
    if let Some(distance) = distance {
        assert_eq!(verdict.line.len(), distance as usize);
    }
    let map = position.map(options, &unlimited()).unwrap();
    let seen: Vec<_> = map
        .moves
        .iter()
        .map(|m| (m.mv, m.bounds.value().unwrap(), m.bounds.distance()))
        .collect();
    let want: Vec<_> = moves
        .iter()
        .zip(&scores)
        .map(|(mv, s)| (*mv, read(*s).0, read(*s).1))
        .collect();
    assert_eq!(seen, want, "{context}");
}

/// Every way to run the solver that must not matter.
pub fn variants() -> Vec<Options> {
    let all = Options::default();
    vec![
        all,
        Options {
            symmetry: false,
            ..all
        },
        Options {
            table: false,
            ..all
        },
        Options {
            pairing: false,
            ..all
        },
        Options {
            forced: false,
            ..all
        },
        Options {
            zones: false,
            ..all
        },
        Options {
            table_memory: 1 << 10,
            ..all
        },
        Options {
            symmetry: false,
            pairing: false,
            forced: false,
            zones: false,
            ..all
        },
    ]
}

fn every_position(tables: &LinesTables) {
    let start = Lines::<u64>::new(tables).unwrap();
    let mut seen = HashMap::new();
    let mut known = std::collections::HashSet::new();
    let mut todo = vec![start];
    let mut count = 0;
    while let Some(position) = todo.pop() {
        if position.outcome().is_some() || !known.insert(position.key()) {
            continue;
        }
        let options = variants();
        check(&position, &mut seen, &options[count % options.len()]);
        count += 1;
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        for mv in moves {
            let mut next = position.clone();
            next.play(mv);
            todo.push(next);
        }
    }
    assert!(count > 1000);
}

#[test]
fn every_3x3_position_as_minimax_has_it() {
    every_position(&grid(&[3, 3], 3));
}

#[test]
fn every_misere_3x3_position_as_minimax_has_it() {
    every_position(&misere(&[3, 3], 3));
}

/// Random legal positions with a number of empty cells left.
fn endgame<B: Bits>(tables: &LinesTables, left: usize, rng: &mut Rng) -> Option<Lines<B>> {
    let mut position = Lines::<B>::new(tables).unwrap();
    let mut moves = Vec::new();
    loop {
        position.legal_moves(&mut moves);
        if moves.is_empty() {
            return None;
        }
        if moves.len() <= left {
            return Some(position);
        }
        position.play(moves[rng.below(moves.len() as u32) as usize]);
    }
}

#[test]
fn random_endgames_as_minimax_has_them() {
    let corners = {
        let mut tables = grid(&[4, 4], 4);
        for set in [[0, 3, 12], [0, 3, 15], [0, 12, 15], [3, 12, 15]] {
            tables.sets.push(WinningSet::new(set.to_vec()));
        }
        tables
    };
    let games = [
        (grid(&[4, 4], 4), 11),
        (grid(&[4, 4], 3), 9),
        (corners, 11),
        (grid(&[4, 3], 3), 9),
        (grid(&[5, 4], 4), 11),
        (grid(&[5, 5], 4), 11),
        (grid(&[3, 3, 3], 3), 11),
        (misere(&[4, 4], 4), 9),
        (misere(&[4, 4], 3), 9),
        (exactly(&[5, 4], 3), 9),
        (exactly(&[2, 7], 3), 9),
        (
            LinesTables {
                early_draw: true,
                ..grid(&[4, 4], 4)
            },
            11,
        ),
    ];
    let mut rng = Rng::new(11, 0);
    for (tables, most) in &games {
        let options = variants();
        let mut done = 0;
        while done < 28 {
            let left = 3 + rng.below(*most as u32 - 2) as usize;
            let Some(position) = endgame::<u64>(tables, left, &mut rng) else {
                continue;
            };
            check(
                &position,
                &mut HashMap::new(),
                &options[done % options.len()],
            );
            done += 1;
        }
    }
    for _ in 0..12 {
        if let Some(position) = endgame::<Wide>(&grid(&[5, 4], 4), 9, &mut rng) {
            check(&position, &mut HashMap::new(), &Options::default());
        }
    }
}

fn tables() -> impl Strategy<Value = LinesTables> {
    (5usize..11, any::<bool>(), 0usize..2, 1usize..4).prop_flat_map(
        |(cells, misere, caps, least)| {
            let all: Vec<u16> = (0..cells as u16).collect();
            let list = proptest::sample::subsequence(all, least..=4).prop_shuffle();
            let set = (list, 0..=caps).prop_map(|(mut cells, caps)| {
                let keep = cells.len() - caps.min(cells.len() - 1);
                let caps = cells.split_off(keep);
                WinningSet { cells, caps }
            });
            proptest::collection::vec(set, 1..12).prop_map(move |sets| LinesTables {
                cells,
                players: 2,
                sets,
                misere,
                ..LinesTables::default()
            })
        },
    )
}

proptest! {
    /// Games nobody plays: sets of any sizes, any marks, either seat to move.
    #[test]
    fn random_games_as_minimax_has_them(
        tables in tables(),
        marks in proptest::collection::vec(proptest::option::weighted(0.15, 0u8..2), 10),
        turn in 0u8..2,
        which in 0usize..8,
    ) {
        let cells = &marks[..tables.cells];
        if let Ok(position) = Lines::<u64>::setup(&tables, cells, turn) {
            if position.outcome().is_none() {
                check(&position, &mut HashMap::new(), &variants()[which]);
            }
        }
    }
}

/// Positions far beyond minimax: whatever is switched off, the verdict stays the same.
#[test]
fn options_change_the_work_and_not_the_answer() {
    let all = Options::default();
    let mut rng = Rng::new(5, 0);
    for (tables, left) in [
        (grid(&[5, 5], 4), 19),
        (grid(&[6, 5], 4), 20),
        (grid(&[6, 6], 4), 20),
        (grid(&[7, 7], 4), 18),
        (grid(&[4, 4, 4], 4), 26),
        (grid(&[3, 3, 3], 3), 23),
    ] {
        let mut done = 0;
        while done < 8 {
            let Some(position) = endgame::<u64>(&tables, left, &mut rng) else {
                continue;
            };
            done += 1;
            let first = solved(&position, &all);
            for options in [
                Options {
                    symmetry: false,
                    ..all
                },
                Options {
                    zones: false,
                    ..all
                },
                Options {
                    pairing: false,
                    ..all
                },
                Options {
                    forced: false,
                    ..all
                },
                Options {
                    table_memory: 1 << 12,
                    ..all
                },
            ] {
                let other = solved(&position, &options);
                assert_eq!(first.bounds, other.bounds, "{options:?}");
                assert_eq!((&first.best, &first.line), (&other.best, &other.line));
            }
        }
    }
}

fn value(tables: &LinesTables) -> (Value, Option<u32>) {
    let verdict = match AnyLines::new(tables).unwrap() {
        AnyLines::Small(start) => start.solve(&Options::default(), &unlimited()),
        AnyLines::Wide(start) => start.solve(&Options::default(), &unlimited()),
    };
    let verdict = verdict.unwrap();
    (verdict.value().unwrap(), verdict.distance())
}

#[test]
fn published_and_enumerated_values() {
    for (dims, k, want) in [
        (&[3, 3][..], 3, Value::Draw),
        (&[4, 4], 4, Value::Draw),
        (&[5, 4], 4, Value::Draw),
        (&[6, 4], 4, Value::Draw),
        (&[7, 4], 4, Value::Draw),
        (&[5, 5], 4, Value::Draw),
        (&[5, 5], 5, Value::Draw),
        (&[6, 6], 5, Value::Draw),
        (&[7, 6], 5, Value::Draw),
        (&[7, 7], 5, Value::Draw),
        (&[6, 5], 4, Value::Win),
        (&[6, 6], 4, Value::Win),
        (&[4, 3], 3, Value::Win),
        (&[4, 4], 3, Value::Win),
        (&[3, 3, 3], 3, Value::Win),
    ] {
        assert_eq!(value(&grid(dims, k)).0, want, "{dims:?} k={k}");
    }
    assert_eq!(value(&misere(&[3, 3], 3)).0, Value::Draw);
    assert_eq!(value(&misere(&[4, 4], 4)).0, Value::Draw);
}

#[test]
fn only_the_centre_wins_the_small_cube() {
    let start = Lines::<u64>::new(&grid(&[3, 3, 3], 3)).unwrap();
    let verdict = solved(&start, &Options::default());
    assert_eq!(verdict.best, [13]);
    let map = start.map(&Options::default(), &unlimited()).unwrap();
    let lost = |m: &&noughts_kernel::search::MoveValue| m.bounds.value() == Some(Value::Loss);
    assert_eq!(map.moves.iter().filter(lost).count(), 26);
}

#[test]
fn only_the_centre_holds_misere_3x3() {
    let start = Lines::<u64>::new(&misere(&[3, 3], 3)).unwrap();
    assert_eq!(solved(&start, &Options::default()).best, [4]);
}

#[test]
fn a_limit_reached_is_an_honest_unknown() {
    let start = Lines::<u64>::new(&grid(&[8, 8], 5)).unwrap();
    let limits = Limits {
        nodes: Some(20_000),
        ..unlimited()
    };
    let verdict = start.solve(&Options::default(), &limits).unwrap();
    assert_eq!(verdict.value(), None);
    assert_eq!(verdict.stopped, Some(Stop::Nodes));
    assert_eq!(
        (verdict.bounds.upper, verdict.distance()),
        (Value::Win, None)
    );
    assert!(verdict.bounds.least > 1 && verdict.nodes <= 20_100);
    let map = start.map(&Options::default(), &limits).unwrap();
    assert_eq!(map.moves.len(), 64);
    assert_eq!(map.stopped, Some(Stop::Nodes));
}

#[test]
fn a_flag_stops_a_solve_at_once() {
    let start = Lines::<u64>::new(&grid(&[8, 8], 5)).unwrap();
    let flag = Arc::new(AtomicBool::new(false));
    let limits = Limits {
        cancel: Some(flag.clone()),
        ..unlimited()
    };
    let setter = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(50));
        flag.store(true, std::sync::atomic::Ordering::Relaxed);
        Instant::now()
    });
    let verdict = start.solve(&Options::default(), &limits).unwrap();
    let late = setter.join().unwrap().elapsed();
    assert_eq!(verdict.stopped, Some(Stop::Cancelled));
    assert!(late < Duration::from_millis(500), "{late:?}");
}

#[test]
fn more_than_two_players_are_refused_plainly() {
    let tables = LinesTables {
        players: 3,
        ..grid(&[3, 3], 3)
    };
    let start = Lines::<u64>::new(&tables).unwrap();
    let refused = start.solve(&Options::default(), &unlimited());
    assert!(matches!(refused, Err(KernelError::Unsupported(_))));
}

#[test]
fn a_finished_game_is_at_distance_zero() {
    let [x, o, n] = [Some(0), Some(1), None];
    let won = [x, x, x, o, o, n, n, n, n];
    let position = Lines::<u64>::setup(&grid(&[3, 3], 3), &won, 0).unwrap();
    let verdict = solved(&position, &Options::default());
    assert_eq!(
        (verdict.value(), verdict.distance()),
        (Some(Value::Win), Some(0))
    );
    assert!(verdict.best.is_empty() && verdict.line.is_empty());
}
