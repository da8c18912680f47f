//! The batch equals single positions played side by side.

use crate::boards::grid;
use crate::graphs::{advancing_agrees, duel, hex, legal, told};
use noughts_kernel::batch::{Batch, STAY};
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

/// What [`Batch::planes`] promises of one game, from `at` alone.
fn planes<P: Position>(position: &P, seat: u8) -> Vec<i8> {
    let players = position.players();
    (0..position.cells())
        .flat_map(|cell| {
            let owners = (0..players).map(move |ahead| Some((seat + ahead) % players));
            let marks = owners.chain([None]);
            let flags = marks.map(move |owner| i8::from(position.at(cell) == owner));
            flags.chain([seat as i8]).collect::<Vec<_>>()
        })
        .collect()
}

fn held<P: Position>(start: &P, picks: &[usize]) {
    let count = 4;
    let mut batch = Batch::new(start, count, 0, MEMORY).unwrap().held();
    let mut single = vec![start.clone(); count];
    let size = start.cells() * (usize::from(start.players()) + 2);
    for row in picks.chunks_exact(count) {
        let moves: Vec<Move> = single
            .iter()
            .zip(row)
            .map(|(game, pick)| match legal(game) {
                moves if moves.is_empty() || pick % 3 == 0 => STAY,
                moves => moves[pick % moves.len()],
            })
            .collect();
        batch.step(&moves).unwrap();
        for (position, &mv) in single.iter_mut().zip(&moves) {
            if mv != STAY {
                position.play(mv);
            }
        }
        let seats: Vec<u8> = row
            .iter()
            .map(|&pick| pick as u8 % start.players())
            .collect();
        let mut seen = vec![7; count * size];
        batch.planes(&seats, &mut seen).unwrap();
        for (game, position) in single.iter().enumerate() {
            assert_eq!(told(&batch.games()[game]), told(position));
            assert_eq!(batch.outcomes()[game], position.outcome());
            assert_eq!(seen[game * size..][..size], planes(position, seats[game]));
        }
        let again: Vec<u8> = row.iter().map(|&pick| u8::from(pick % 11 == 0)).collect();
        batch.restart(&again).unwrap();
        for (position, _) in single.iter_mut().zip(&again).filter(|(_, &flag)| flag == 1) {
            position.clone_from(start);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]

    #[test]
    fn held_games_stay_where_they_are(picks in proptest::collection::vec(any::<usize>(), 300)) {
        held(&lines::<u64>(&[3, 3], 3, 2), &picks);
        held(&lines::<u64>(&[4, 4], 3, 3), &picks);
        held(&Connect::<u64>::new(&hex(3, true)).unwrap(), &picks);
        held(&Capture::<u64>::new(&duel(3, 3, true)).unwrap(), &picks);
    }
}

#[test]
fn random_moves_lead_to_a_turn_or_the_end() {
    let start = Capture::<u64>::new(&duel(3, 3, false)).unwrap();
    let mut batch = Batch::new(&start, 200, 5, MEMORY).unwrap().held();
    let seats: Vec<u8> = (0..200).map(|game| game % 2).collect();
    for _ in 0..30 {
        batch.random_until(&seats).unwrap();
        let mut moves = Vec::new();
        for (game, &seat) in batch.games().iter().zip(&seats) {
            assert!(game.outcome().is_some() || game.turn() == seat);
            moves.push(legal(game).first().copied().unwrap_or(STAY));
        }
        batch.step(&moves).unwrap();
    }
    assert!(batch.games().iter().all(|game| game.outcome().is_some()));
    let told_before: Vec<String> = batch.games().iter().map(told).collect();
    batch.random_until(&seats).unwrap();
    batch.step_random();
    assert_eq!(
        batch.games().iter().map(told).collect::<Vec<_>>(),
        told_before
    );
    assert_eq!(batch.finished(), 200);

    // Games that begin again by themselves do so at most once.
    let one = lines::<u64>(&[3, 3], 3, 2);
    let mut batch = Batch::new(&one, 50, 5, MEMORY).unwrap();
    for _ in 0..9 {
        batch.step_random();
        batch.random_until(&[1; 50]).unwrap();
        let over = batch.outcomes().iter().zip(batch.games());
        assert!(over
            .into_iter()
            .all(|(ended, game)| ended.is_some() || game.turn() == 1));
    }
}

#[test]
fn seats_and_flags_have_to_fit() {
    let start = lines::<u64>(&[3, 3], 3, 2);
    let mut batch = Batch::new(&start, 2, 0, MEMORY).unwrap();
    let shape = |result| matches!(result, Err(KernelError::Shape(_)));
    assert!(shape(batch.random_until(&[0])));
    assert!(shape(batch.restart(&[0, 1, 0])));
    assert!(shape(batch.planes(&[0], &mut [0; 72])));
    assert!(shape(batch.planes(&[0, 0], &mut [0; 71])));
    assert!(shape(batch.planes(&[0, 2], &mut [0; 72])));
    batch.planes(&[0, 1], &mut [0; 72]).unwrap();
}
