//! Levels: what is certain on every board, and errors that repeat.

use crate::boards::{exactly, falling, grid, misere};
use crate::graphs::{duel, hex};
use noughts_kernel::bits::Wide;
use noughts_kernel::capture::Capture;
use noughts_kernel::connect::Connect;
use noughts_kernel::levels::{choose, Glance, Kind, Level, LevelChoice, Notice, Saw};
use noughts_kernel::limits::Limits;
use noughts_kernel::lines::{Lines, LinesTables};
use noughts_kernel::position::{Move, Outcome, Position};
use noughts_kernel::rng::Rng;

const BLIND: Level = Level {
    depth: 1,
    width: 3,
    lapses: 1.0,
    noise: 3.0,
    careful: false,
    seed: 1,
};

fn at_most(nodes: u64) -> Limits<'static> {
    Limits {
        nodes: Some(nodes),
        ..Limits::default()
    }
}

/// Whether a move wins for the seat that makes it, loses, or neither.
fn result<P: Position>(game: &P, mv: Move) -> Option<bool> {
    let mut after = game.clone();
    after.play(mv);
    match after.outcome() {
        Some(Outcome::Win(winner)) => Some(winner == game.turn()),
        _ => None,
    }
}

fn legal<P: Position>(game: &P) -> Vec<Move> {
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    moves
}

fn wins<P: Position>(game: &P) -> Vec<Move> {
    let mut moves = legal(game);
    moves.retain(|&mv| result(game, mv) == Some(true));
    moves
}

fn hands_over<P: Position>(game: &P, mv: Move) -> bool {
    let mut after = game.clone();
    after.play(mv);
    after.outcome().is_none() && after.turn() != game.turn() && !wins(&after).is_empty()
}

fn check<P: Notice>(game: &P, seed: u64) {
    let mut glances: Vec<Glance> = Vec::new();
    game.glance(&P::Hidden::default(), &mut glances);
    let mut seen: Vec<Move> = glances.iter().map(|glance| glance.mv).collect();
    seen.sort_unstable();
    let mut moves = legal(game);
    moves.sort_unstable();
    assert_eq!(seen, moves);
    for glance in &glances {
        assert!((0.0..=1.0).contains(&glance.salience), "{glance:?}");
        let won = result(game, glance.mv) == Some(true);
        assert_eq!(glance.kind == Kind::Wins, won, "{glance:?}");
        if glance.kind == Kind::Blocks {
            // Any other move that does not end the game lets the next seat win.
            let mut others = moves.iter().filter(|&&mv| mv != glance.mv);
            let ends = |mv: Move| {
                let mut after = game.clone();
                after.play(mv);
                after.outcome().is_some()
            };
            assert!(
                others.all(|&mv| ends(mv) || hands_over(game, mv)),
                "{glance:?}"
            );
        }
    }
    for careful in [false, true] {
        let level = Level {
            careful,
            seed,
            ..BLIND
        };
        let choice = choose(game, &level, &at_most(300)).unwrap();
        assert!(moves.contains(&choice.best));
        let winning = wins(game);
        assert_eq!(winning.contains(&choice.best), !winning.is_empty());
        assert_eq!(choice.saw == Saw::Win, !winning.is_empty());
        let loses = |mv: &Move| result(game, *mv) == Some(false);
        assert!(!loses(&choice.best) || moves.iter().all(loses));
        let gives = |mv: &Move| loses(mv) || hands_over(game, *mv);
        if careful && winning.is_empty() && !moves.iter().all(gives) {
            assert!(!gives(&choice.best), "{choice:?}");
        }
        assert_eq!(choose(game, &level, &at_most(300)).unwrap(), choice);
    }
}

fn check_games<P: Notice>(start: &P, games: u64) {
    for seed in 0..games {
        let (mut game, mut rng, mut moves) = (start.clone(), Rng::new(seed, 7), Vec::new());
        while let Some(mv) = game.random_move(&mut rng, &mut moves) {
            check(&game, seed);
            game.play(mv);
        }
    }
}

fn lines(tables: &LinesTables) -> Lines<Wide> {
    Lines::new(tables).unwrap()
}

#[test]
fn wins_are_taken_and_none_is_handed_over() {
    check_games(&lines(&grid(&[3, 3], 3)), 60);
    check_games(&lines(&grid(&[4, 4], 3)), 20);
    check_games(&lines(&grid(&[3, 3, 3], 3)), 8);
    check_games(&lines(&exactly(&[6, 6], 3)), 8);
    check_games(&lines(&falling(5, 5, 3)), 20);
    check_games(&lines(&misere(&[3, 3], 3)), 40);
    let three = LinesTables {
        players: 3,
        ..grid(&[4, 4], 3)
    };
    check_games(&lines(&three), 20);
    let early = LinesTables {
        early_draw: true,
        ..grid(&[3, 3], 3)
    };
    check_games(&lines(&early), 20);
    check_games(&Connect::<u64>::new(&hex(4, true)).unwrap(), 10);
    check_games(&Capture::<u64>::new(&duel(4, 4, false)).unwrap(), 10);
}

/// O has two in a row at the top, and X two on a diagonal elsewhere; it is X's turn.
fn threatened(set: [usize; 2]) -> Lines<u64> {
    let mut cells = vec![None; 25];
    for cell in set {
        cells[cell] = Some(1);
    }
    for cell in [19, 23] {
        cells[cell] = Some(0);
    }
    let mut tables = grid(&[5, 5], 4);
    tables.sights = tables
        .sets
        .iter()
        .map(|set| match set.cells[1] - set.cells[0] {
            1 | 5 => 100,
            _ => 0,
        })
        .collect();
    Lines::setup(&tables, &cells, 0).unwrap()
}

#[test]
fn the_same_seed_errs_in_the_same_way_and_others_differently() {
    let game = threatened([0, 1]);
    let ask = |seed| -> LevelChoice {
        let level = Level {
            depth: 3,
            width: 8,
            lapses: 0.3,
            noise: 1.0,
            careful: true,
            seed,
        };
        choose(&game, &level, &at_most(5000)).unwrap()
    };
    let answers: Vec<LevelChoice> = (0..40).map(ask).collect();
    assert_eq!(answers, (0..40).map(ask).collect::<Vec<_>>());
    let first = answers[0].best;
    assert!(answers.iter().any(|answer| answer.best != first));
}

#[test]
fn what_is_hard_to_see_is_overlooked_more_often() {
    // Three in a row to block: along a row, and on a diagonal.
    let blocks = |stones: [usize; 3], at: Move| {
        let mut cells = vec![None; 25];
        for cell in stones {
            cells[cell] = Some(1);
        }
        for cell in [14, 22] {
            cells[cell] = Some(0);
        }
        let game = threatened([0, 1]);
        let game = Lines::with_rules(game.rules().clone(), &cells, 0).unwrap();
        let ask = |seed| {
            let level = Level {
                depth: 2,
                width: 25,
                lapses: 0.3,
                noise: 0.0,
                careful: false,
                seed,
            };
            choose(&game, &level, &at_most(20_000)).unwrap().best == at
        };
        (0..200).filter(|seed| ask(*seed)).count()
    };
    let (row, diagonal) = (blocks([0, 1, 2], 3), blocks([0, 6, 12], 18));
    assert!(row > diagonal + 20, "{row} against {diagonal}");
}

#[test]
fn a_deeper_level_sees_a_fork_that_a_shallow_one_does_not() {
    // X in opposite corners, O in the middle: only an edge holds, as a corner lets X fork.
    let cells = [
        Some(0),
        None,
        None,
        None,
        Some(1),
        None,
        None,
        None,
        Some(0),
    ];
    let game = Lines::<u64>::setup(&grid(&[3, 3], 3), &cells, 1).unwrap();
    let level = Level {
        depth: 5,
        width: 9,
        lapses: 0.0,
        noise: 0.0,
        careful: true,
        seed: 0,
    };
    let choice = choose(&game, &level, &Limits::default()).unwrap();
    assert!([1, 3, 5, 7].contains(&choice.best), "{choice:?}");
    assert_eq!(choice.saw, Saw::Depth(5));
}

#[test]
fn a_limit_leaves_what_is_certain() {
    let cells = [
        Some(1),
        Some(1),
        None,
        None,
        Some(0),
        None,
        Some(0),
        None,
        None,
    ];
    let game = Lines::<u64>::setup(&grid(&[3, 3], 3), &cells, 0).unwrap();
    let level = Level {
        careful: true,
        ..BLIND
    };
    let choice = choose(&game, &level, &at_most(0)).unwrap();
    assert_eq!((choice.best, choice.saw), (2, Saw::Win));
    let game = Lines::<u64>::setup(&grid(&[3, 3], 3), &cells, 1).unwrap();
    let choice = choose(&game, &level, &at_most(0)).unwrap();
    assert_eq!((choice.best, choice.saw), (2, Saw::Win));
    let cells = [
        Some(1),
        Some(1),
        None,
        None,
        Some(0),
        None,
        None,
        None,
        None,
    ];
    let game = Lines::<u64>::setup(&grid(&[3, 3], 3), &cells, 0).unwrap();
    let choice = choose(&game, &level, &at_most(0)).unwrap();
    assert_eq!((choice.best, choice.saw), (2, Saw::Block));
}

#[test]
fn sights_are_checked() {
    let mut tables = grid(&[3, 3], 3);
    tables.sights = vec![100; 7];
    assert!(Lines::<u64>::new(&tables).is_err());
    tables.sights = vec![101; 8];
    assert!(Lines::<u64>::new(&tables).is_err());
    tables.sights = vec![100; 8];
    assert!(Lines::<u64>::new(&tables).is_ok());
}
