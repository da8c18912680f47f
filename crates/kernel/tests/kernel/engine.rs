//! The engine: what it calls proven agrees with the solver, what is short it finds, and it keeps
//! to its limits.

use std::time::Duration;

use crate::boards::{exactly, grid, misere};
use noughts_kernel::bits::{Bits, Wide};
use noughts_kernel::limits::{Limits, Stop};
use noughts_kernel::lines::{Lines, LinesTables};
use noughts_kernel::native::{unlimited, within};
use noughts_kernel::position::{Move, Outcome, Position};
use noughts_kernel::rng::Rng;
use noughts_kernel::search::{think, Engine, EngineChoice, EngineOptions, Options, Solve, Value};
use noughts_kernel::KernelError;
use proptest::prelude::*;

fn depth(depth: u32) -> EngineOptions {
    EngineOptions {
        depth: Some(depth),
        table_memory: 1 << 20,
        ..EngineOptions::default()
    }
}

fn modest() -> Options {
    Options {
        table_memory: 4 << 20,
        ..Options::default()
    }
}

fn nodes(nodes: u64) -> Limits<'static> {
    Limits {
        nodes: Some(nodes),
        ..unlimited()
    }
}

/// Plays random moves, but never one that ends the game.
fn wander<B: Bits>(tables: &LinesTables, plies: usize, seed: u64) -> Lines<B> {
    let mut game = Lines::<B>::new(tables).unwrap();
    let mut rng = Rng::new(seed, 0);
    let mut moves = Vec::new();
    for _ in 0..plies {
        game.legal_moves(&mut moves);
        let mv = moves[rng.below(moves.len() as u32) as usize];
        let undo = game.play(mv);
        if game.outcome().is_some() {
            game.undo(undo);
            break;
        }
    }
    game
}

/// A legal best move, a legal line that starts with it, and legal moves in board order.
fn check<P: Position>(game: &P, choice: &EngineChoice) {
    assert!(game.is_legal(choice.best), "{choice:?}");
    assert_eq!(choice.line.first(), Some(&choice.best));
    let mut along = game.clone();
    for mv in &choice.line {
        along.try_play(*mv).unwrap();
    }
    assert!(choice.moves.iter().all(|(mv, _)| game.is_legal(*mv)));
    assert!(choice.moves.windows(2).all(|pair| pair[0].0 < pair[1].0));
}

/// The solver confirms what the engine claims, and the engine claims every short win.
fn agree<B: Bits>(game: &Lines<B>, choice: &EngineChoice) -> Result<(), TestCaseError> {
    check(game, choice);
    let verdict = game.solve(&modest(), &nodes(300_000)).unwrap();
    if let Some(proven) = choice.proven {
        if let Some(value) = verdict.value() {
            prop_assert_eq!(proven.value, value, "{:?} {:?}", choice, verdict);
        }
        if let Some(distance) = verdict.distance() {
            prop_assert!(proven.distance >= distance, "{:?} {:?}", choice, verdict);
        }
        let mut after = game.clone();
        after.play(choice.best);
        let value = match after.outcome() {
            Some(Outcome::Win(seat)) => Some(if seat == game.turn() {
                Value::Win
            } else {
                Value::Loss
            }),
            Some(Outcome::Draw) => Some(Value::Draw),
            None => after
                .solve(&modest(), &nodes(300_000))
                .unwrap()
                .value()
                .map(Value::flipped),
        };
        prop_assert!(
            value.is_none_or(|value| value == proven.value),
            "{:?}",
            choice
        );
    }
    Ok(())
}

fn small() -> Vec<LinesTables> {
    vec![
        grid(&[6, 6], 4),
        grid(&[7, 7], 5),
        exactly(&[6, 6], 4),
        exactly(&[5, 5], 3),
        grid(&[4, 4, 4], 4),
        grid(&[3, 3, 3], 3),
        grid(&[4, 4], 4),
        grid(&[4, 5], 3),
        misere(&[4, 4], 4),
        misere(&[3, 3], 3),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn the_solver_confirms_what_is_proven(
        which in 0usize..10,
        plies in 0usize..30,
        seed in any::<u64>(),
        deep in 1u32..7,
    ) {
        let game: Lines<u64> = wander(&small()[which], plies, seed);
        let choice = think(&game, &depth(deep), &nodes(200_000)).unwrap();
        agree(&game, &choice)?;
    }

    #[test]
    fn a_short_win_is_not_missed(
        which in 0usize..8,
        plies in 4usize..26,
        seed in any::<u64>(),
    ) {
        let game: Lines<u64> = wander(&small()[which], plies, seed);
        let verdict = game.solve(&modest(), &nodes(300_000)).unwrap();
        let choice = think(&game, &depth(6), &nodes(2_000_000)).unwrap();
        agree(&game, &choice)?;
        if let (Some(distance), None) = (verdict.distance(), choice.stopped) {
            if distance <= 5 {
                let proven = choice.proven.map(|proven| proven.value);
                prop_assert_eq!(proven, verdict.value(), "{:?} {:?}", choice, verdict);
            }
        }
    }

    #[test]
    fn a_stopped_search_proves_no_less_truly(
        which in 0usize..10,
        plies in 0usize..24,
        seed in any::<u64>(),
        most in 1u64..5000,
    ) {
        let game: Lines<u64> = wander(&small()[which], plies, seed);
        let choice = think(&game, &depth(20), &nodes(most)).unwrap();
        agree(&game, &choice)?;
    }

    #[test]
    fn one_thread_repeats_itself(plies in 1usize..40, seed in any::<u64>()) {
        let game: Lines<Wide> = wander(&grid(&[12, 12], 5), plies, seed);
        let mut first = think(&game, &depth(4), &unlimited()).unwrap();
        let again = think(&game, &depth(4), &unlimited()).unwrap();
        check(&game, &first);
        first.elapsed = again.elapsed;
        prop_assert_eq!(first, again);
    }
}

#[test]
fn wins_by_fours_replay_against_every_answer() {
    // Along a win, after each of the engine's moves every answer still loses.
    let tables = grid(&[15, 15], 5);
    let mut wins = 0;
    for seed in 0..1000 {
        let game: Lines<Wide> = wander(&tables, 70, seed);
        let Some(proven) = think(&game, &depth(1), &unlimited()).unwrap().proven else {
            continue;
        };
        if proven.value == Value::Win && proven.distance > 3 {
            wins += 1;
            replay(&game, proven.distance, &mut Rng::new(seed, 1));
        }
    }
    assert!(wins >= 20, "{wins}");
}

/// Plays a proven win against random and best answers.
fn replay(game: &Lines<Wide>, distance: u32, rng: &mut Rng) {
    let me = game.turn();
    for _ in 0..3 {
        let mut game = game.clone();
        let mut left = distance;
        while game.outcome().is_none() {
            let choice = think(&game, &depth(1), &unlimited()).unwrap();
            if game.turn() == me {
                let proven = choice.proven.expect("the win is still there");
                assert_eq!(proven.value, Value::Win);
                assert!(proven.distance <= left.max(5), "{left} {choice:?}");
                left = proven.distance;
                game.try_play(choice.best).unwrap();
            } else if rng.below(2) == 0 {
                game.try_play(choice.best).unwrap();
            } else {
                let mut moves = Vec::new();
                game.legal_moves(&mut moves);
                let mv = moves[rng.below(moves.len() as u32) as usize];
                game.try_play(mv).unwrap();
            }
        }
        assert_eq!(game.outcome(), Some(Outcome::Win(me)));
    }
}

#[test]
fn opens_in_the_middle() {
    for (size, centre) in [(15, 112), (19, 180), (9, 40)] {
        for tables in [grid(&[size, size], 5), exactly(&[size, size], 5)] {
            let game = Lines::<Wide>::new(&tables).unwrap();
            let choice = think(&game, &EngineOptions::default(), &unlimited()).unwrap();
            assert_eq!(choice.best, centre);
        }
    }
}

#[test]
fn proves_small_games_from_the_start() {
    for (tables, value) in [
        (grid(&[3, 3, 3], 3), Value::Win),
        (grid(&[5, 6], 4), Value::Win),
        (misere(&[2, 2], 2), Value::Loss),
    ] {
        let game = Lines::<u64>::new(&tables).unwrap();
        let limits = nodes(20_000_000);
        let choice = think(&game, &EngineOptions::default(), &limits).unwrap();
        let solved = game.solve(&Options::default(), &unlimited()).unwrap();
        assert_eq!(solved.value(), Some(value));
        assert_eq!(choice.proven.map(|p| p.value), Some(value), "{choice:?}");
    }
}

#[test]
fn keeps_its_deadline_and_answers_even_without_time() {
    let game: Lines<Wide> = wander(&grid(&[15, 15], 5), 12, 3);
    for threads in [1, 2] {
        let options = EngineOptions {
            threads,
            ..EngineOptions::default()
        };
        for millis in [0, 5, 50, 200] {
            let limits = Limits {
                ..within(Duration::from_millis(millis))
            };
            let choice = think(&game, &options, &limits).unwrap();
            check(&game, &choice);
            assert_eq!(choice.stopped, Some(Stop::Deadline));
        }
    }
}

#[test]
fn memory_is_kept_between_moves_and_never_exceeded() {
    let tables = grid(&[15, 15], 5);
    let mut engine = Engine::new();
    let mut game: Lines<Wide> = wander(&tables, 8, 1);
    let first = engine.think(&game, &depth(5), &unlimited()).unwrap();
    let again = engine.think(&game, &depth(5), &unlimited()).unwrap();
    assert!(again.nodes < first.nodes, "{} {}", first.nodes, again.nodes);
    // The same engine in another game is not misled.
    let other: Lines<Wide> = wander(&exactly(&[15, 15], 5), 8, 1);
    let choice = engine.think(&other, &depth(5), &unlimited()).unwrap();
    check(&other, &choice);
    game.play(first.best);
    check(
        &game,
        &engine.think(&game, &depth(5), &unlimited()).unwrap(),
    );
    let little = Limits {
        memory: 1000,
        ..unlimited()
    };
    let refused = engine.think(&game, &depth(5), &little);
    assert!(matches!(refused, Err(KernelError::Memory { .. })));
}

#[test]
fn every_move_gets_its_own_score() {
    let game: Lines<u64> = wander(&grid(&[6, 6], 4), 8, 5);
    let options = EngineOptions {
        every: true,
        ..depth(4)
    };
    let choice = think(&game, &options, &unlimited()).unwrap();
    check(&game, &choice);
    let best = choice.moves.iter().map(|(_, score)| *score).max();
    assert_eq!(best, Some(choice.score));
}

#[test]
fn refuses_what_it_does_not_play() {
    let mut three = grid(&[5, 5], 4);
    three.players = 3;
    let game = Lines::<u64>::new(&three).unwrap();
    let refused = think(&game, &EngineOptions::default(), &unlimited());
    assert!(matches!(refused, Err(KernelError::Unsupported(_))));
    let mut over = Lines::<u64>::new(&grid(&[3, 3], 2)).unwrap();
    for mv in [0, 5, 1] {
        over.play(mv as Move);
    }
    let refused = think(&over, &EngineOptions::default(), &unlimited());
    assert!(matches!(refused, Err(KernelError::Position(_))));
}

#[test]
fn any_word_size_and_many_threads_choose() {
    fn chooses<B: Bits>(tables: &LinesTables) {
        let mut marks = vec![None; tables.cells];
        marks[tables.cells / 2] = Some(0);
        let game = Lines::<B>::setup(tables, &marks, 1).unwrap();
        let options = EngineOptions {
            threads: 3,
            ..depth(3)
        };
        let choice = think(&game, &options, &unlimited()).unwrap();
        assert_eq!(choice.stopped, None);
        assert!(choice.best >= 0 && choice.best as usize != tables.cells / 2);
    }
    chooses::<u64>(&grid(&[4, 4, 4], 4));
    chooses::<Wide>(&grid(&[10, 10], 5));
}
