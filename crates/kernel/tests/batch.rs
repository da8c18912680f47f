//! The batch equals single positions played side by side.

#![allow(clippy::unwrap_used, clippy::panic)]

mod boards;
mod graphs;

use boards::grid;
use graphs::{advancing_agrees, duel, hex, legal, told};
use noughts_kernel::batch::Batch;
use noughts_kernel::bits::{Bits, Wide, Words};
use noughts_kernel::capture::Capture;
use noughts_kernel::connect::Connect;
use noughts_kernel::error::KernelError;
use noughts_kernel::lines::{Lines, LinesTables};
use noughts_kernel::position::{Move, Outcome, Position, PASS, SWAP};
use proptest::prelude::*;

const MEMORY: usize = 1 << 24;

/// What [`Position::observe`] promises, from `at` alone.
fn seen<P: Position>(position: &P) -> Vec<i8> {
    (0..position.cells())
        .map(|cell| match position.at(cell) {
            None => 0,
            Some(seat) if seat == position.turn() => 1,
            Some(seat) => {
                let players = position.players();
                -(((seat + players - position.turn()) % players) as i8)
            }
        })
        .collect()
}

fn mask<P: Position>(position: &P) -> Vec<u8> {
    let moves = legal(position);
    (0..position.cells() as Move)
        .chain(position.specials().iter().copied())
        .map(|mv| u8::from(moves.contains(&mv)))
        .collect()
}

fn compare<P: Position>(start: &P, picks: &[usize]) {
    let count = 5;
    let mut batch = Batch::new(start, count, 0, MEMORY).unwrap();
    let mut single = vec![start.clone(); count];
    let (cells, actions, players) = (start.cells(), batch.actions(), usize::from(start.players()));
    let mut finished = 0;
    for row in picks.chunks_exact(count) {
        let moves: Vec<Move> = single
            .iter()
            .zip(row)
            .map(|(game, pick)| {
                let moves = legal(game);
                moves[pick % moves.len()]
            })
            .collect();
        batch.step(&moves).unwrap();
        let mut rewards = vec![7.0; count * players];
        let mut done = vec![7; count];
        batch.rewards(&mut rewards).unwrap();
        batch.done(&mut done).unwrap();
        for (game, position) in single.iter_mut().enumerate() {
            position.play(moves[game]);
            let outcome = position.outcome();
            assert_eq!(batch.outcomes()[game], outcome);
            assert_eq!(done[game], u8::from(outcome.is_some()));
            for seat in 0..players {
                let expected = match outcome {
                    Some(Outcome::Win(winner)) if usize::from(winner) == seat => 1.0,
                    Some(Outcome::Win(_)) => -1.0,
                    _ => 0.0,
                };
                assert_eq!(rewards[game * players + seat], expected);
            }
            if outcome.is_some() {
                assert_eq!(batch.margins()[game], position.margin(0));
                *position = start.clone();
                finished += 1;
            }
        }
        let mut observations = vec![7; count * cells];
        let mut flags = vec![7; count * actions];
        let mut turns = vec![7; count];
        batch.observe(&mut observations).unwrap();
        batch.legal(&mut flags).unwrap();
        batch.turns(&mut turns).unwrap();
        for (game, position) in single.iter().enumerate() {
            assert_eq!(told(&batch.games()[game]), told(position));
            assert_eq!(observations[game * cells..][..cells], seen(position));
            assert_eq!(flags[game * actions..][..actions], mask(position));
            assert_eq!(turns[game], position.turn());
        }
    }
    assert_eq!(batch.finished(), finished);
    assert!(single.iter().all(advancing_agrees));
}

fn lines<B: Bits>(dims: &[usize], k: usize, players: u8) -> Lines<B> {
    let tables = LinesTables {
        players,
        ..grid(dims, k)
    };
    Lines::new(&tables).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn equals_single_positions(picks in proptest::collection::vec(any::<usize>(), 300)) {
        compare(&lines::<u64>(&[3, 3], 3, 2), &picks);
        compare(&lines::<u64>(&[4, 4], 3, 3), &picks);
        compare(&lines::<Wide>(&[9, 9], 4, 2), &picks);
        compare(&Connect::<u64>::new(&hex(3, true)).unwrap(), &picks);
        compare(&Connect::<Words<2>>::new(&hex(9, false)).unwrap(), &picks);
        compare(&Capture::<u64>::new(&duel(3, 4, false)).unwrap(), &picks);
        compare(&Capture::<u64>::new(&duel(3, 3, true)).unwrap(), &picks);
    }
}

#[test]
fn an_illegal_move_changes_nothing() {
    let start = lines::<u64>(&[3, 3], 3, 2);
    let mut batch = Batch::new(&start, 3, 0, MEMORY).unwrap();
    batch.step(&[0, 1, 2]).unwrap();
    let before: Vec<String> = batch.games().iter().map(told).collect();
    for (mv, bad) in [([3, 1, 4], 1), ([3, 4, 9], 2), ([PASS, 4, 5], 0)] {
        let error = batch.step(&mv).unwrap_err();
        assert_eq!(
            error,
            KernelError::IllegalMoveIn {
                game: bad,
                mv: mv[bad]
            }
        );
        assert_eq!(batch.games().iter().map(told).collect::<Vec<_>>(), before);
    }
    assert!(matches!(batch.step(&[0]), Err(KernelError::Shape(_))));
    assert!(matches!(
        batch.observe(&mut [0; 5]),
        Err(KernelError::Shape(_))
    ));
}

#[test]
fn random_steps_repeat_by_seed_and_are_even() {
    let start = Connect::<u64>::new(&hex(3, true)).unwrap();
    let play = |seed| {
        let mut batch = Batch::new(&start, 64, seed, MEMORY).unwrap();
        for _ in 0..50 {
            batch.step_random();
        }
        (
            batch.finished(),
            batch.games().iter().map(told).collect::<Vec<_>>(),
        )
    };
    assert_eq!(play(1), play(1));
    assert_ne!(play(1).1, play(2).1);

    // After one stone every reply is as likely, the swap among them.
    let mut after = start.clone();
    after.play(4);
    let mut batch = Batch::new(&after, 9_000, 3, MEMORY).unwrap();
    batch.step_random();
    let swapped = batch
        .games()
        .iter()
        .filter(|game| game.at(4) == Some(1))
        .count();
    assert!((900..1100).contains(&swapped), "{swapped}");
    assert!(after.is_legal(SWAP));
}

#[test]
fn a_batch_keeps_to_its_memory_and_its_start() {
    let mut position = lines::<u64>(&[3, 3], 3, 2);
    assert!(matches!(
        Batch::new(&position, 1_000_000, 0, 1000),
        Err(KernelError::Memory { .. })
    ));
    assert!(matches!(
        Batch::new(&position, usize::MAX, 0, usize::MAX),
        Err(KernelError::Memory { .. })
    ));
    for mv in [0, 3, 1, 4, 2] {
        position.play(mv);
    }
    assert!(matches!(
        Batch::new(&position, 1, 0, MEMORY),
        Err(KernelError::Position(_))
    ));
}
