//! Analyses: their parts agree, what they call proven is true, they repeat, and they keep to limits.

use std::sync::atomic::AtomicBool;
use std::sync::Arc;

use crate::boards::{grid, misere};
use crate::graphs::{duel, hex};
use noughts_kernel::analysis::{analyse, Analysis, AnalysisOptions, Curve, Method, Worth};
use noughts_kernel::bits::{Wide, Words};
use noughts_kernel::capture::Capture;
use noughts_kernel::connect::Connect;
use noughts_kernel::limits::{Limits, Stop};
use noughts_kernel::lines::{Lines, LinesTables};
use noughts_kernel::position::Position;
use noughts_kernel::rng::Rng;
use noughts_kernel::search::{Engine, Options, Solve, Think, Value};

fn options() -> AnalysisOptions {
    let knots = vec![[0.0, -0.5, 0.0, 0.5], [1.0, 0.2, 0.9, 1.0]];
    let curve = Curve::new(knots, true, 500).unwrap();
    AnalysisOptions {
        by_engine: true,
        engine_curve: curve.clone(),
        tree_curve: curve,
        map_proofs: true,
        map_estimates: true,
        seed: 7,
        threads: 1,
        table_memory: 1 << 20,
    }
}

fn nodes(nodes: u64) -> Limits<'static> {
    Limits {
        nodes: Some(nodes),
        ..Limits::default()
    }
}

fn ask<P: Solve + Think>(position: &P, most: u64) -> Analysis {
    analyse(position, &options(), &nodes(most), &mut Engine::new()).unwrap()
}

fn wander<P: Position>(start: &P, seed: u64, plies: u32) -> Option<P> {
    let (mut game, mut rng, mut moves) = (start.clone(), Rng::new(seed, 0), Vec::new());
    for _ in 0..plies {
        game.play(game.random_move(&mut rng, &mut moves)?);
    }
    game.outcome().is_none().then_some(game)
}

/// What must hold between the parts of any analysis.
fn agrees<P: Position>(position: &P, found: &Analysis) {
    let mut legal = Vec::new();
    position.legal_moves(&mut legal);
    assert_eq!(
        found.moves.iter().map(|(mv, _)| *mv).collect::<Vec<_>>(),
        legal
    );
    let worth = |mv| found.moves.iter().find(|(each, _)| *each == mv).unwrap().1;
    let wins = |worth: &Worth| worth.certain().is_some_and(|sure| sure.value == Value::Win);
    assert!(found.best.iter().all(|mv| legal.contains(mv)));
    let Some(whole) = found.worth else {
        assert!(!found
            .moves
            .iter()
            .any(|(_, worth)| worth.as_ref().is_some_and(wins)));
        return;
    };
    let top = worth(found.best[0]).unwrap();
    assert_eq!(whole.score(), top.score());
    match whole {
        Worth::Certain(sure) => {
            assert_eq!(top.certain().map(|top| top.value), Some(sure.value));
            assert_eq!(found.bounds, (sure.value, sure.value));
        }
        Worth::Estimate(guess) => assert!(guess.low <= guess.score && guess.score <= guess.high),
    }
    for (_, worth) in &found.moves {
        assert!(worth.is_none_or(|worth| worth.score() <= whole.score()));
    }
    assert_eq!(found.line.first(), found.best.first());
    let mut along = position.clone();
    for mv in &found.line {
        along.try_play(*mv).unwrap();
    }
}

fn every_position_agrees<P: Solve + Think>(start: &P, plies: u32) {
    for seed in 0..12 {
        let Some(position) = wander(start, seed, seed as u32 * plies / 12) else {
            continue;
        };
        for most in [1, 40, 700, 5_000] {
            let found = ask(&position, most);
            agrees(&position, &found);
            assert_eq!(found, ask(&position, most));
        }
    }
}

#[test]
fn the_parts_agree_in_every_family() {
    every_position_agrees(&Lines::<u64>::new(&grid(&[3, 3], 3)).unwrap(), 6);
    every_position_agrees(&Lines::<u64>::new(&grid(&[5, 5], 4)).unwrap(), 20);
    every_position_agrees(&Lines::<u64>::new(&misere(&[4, 4], 4)).unwrap(), 12);
    every_position_agrees(&Lines::<Wide>::new(&grid(&[10, 10], 5)).unwrap(), 30);
    every_position_agrees(&Connect::<u64>::new(&hex(5, true)).unwrap(), 15);
    every_position_agrees(&Connect::<Words<2>>::new(&hex(9, false)).unwrap(), 40);
    every_position_agrees(&Capture::<u64>::new(&duel(4, 4, true)).unwrap(), 12);
    every_position_agrees(&Capture::<u64>::new(&duel(5, 5, false)).unwrap(), 20);
}

#[test]
fn what_is_called_certain_is_true() {
    let start = Capture::<u64>::new(&duel(4, 4, true)).unwrap();
    for seed in 0..10 {
        let Some(position) = wander(&start, seed, 3 + seed as u32 % 6) else {
            continue;
        };
        let truth = position
            .map(&Options::default(), &Limits::default())
            .unwrap();
        for most in [30, 300, 3_000, 30_000] {
            for ((_, worth), entry) in ask(&position, most).moves.iter().zip(&truth.moves) {
                if let Some(Worth::Certain(sure)) = worth {
                    assert_eq!(Some(sure.value), entry.bounds.value());
                }
            }
        }
    }
}

#[test]
fn who_wins_for_certain_has_a_move_for_it() {
    let start = Capture::<u64>::new(&duel(5, 5, true)).unwrap();
    let mut proven = 0;
    for seed in 0..20 {
        let Some(position) = wander(&start, seed, 8) else {
            continue;
        };
        for most in [2_000, 10_000, 50_000] {
            let verdict = position.solve(&Options::default(), &nodes(most)).unwrap();
            if verdict.value() == Some(Value::Win) {
                assert!(!verdict.best.is_empty());
                proven += 1;
            }
        }
    }
    assert!(proven > 5);
}

#[test]
fn large_boards_have_many_candidates() {
    let start = Lines::<Wide>::new(&grid(&[15, 15], 5)).unwrap();
    let mut position = start.clone();
    for mv in [None, Some(112), Some(98)] {
        if let Some(mv) = mv {
            position.play(mv);
        }
        let found = ask(&position, 20_000);
        assert_eq!(found.method, Method::Engine);
        assert!(
            found
                .moves
                .iter()
                .filter(|(_, worth)| worth.is_some())
                .count()
                >= 40
        );
    }
}

#[test]
fn more_than_two_seats_are_asked_of_a_tree() {
    let tables = LinesTables {
        players: 3,
        ..grid(&[4, 4], 3)
    };
    let mut position = Lines::<u64>::new(&tables).unwrap();
    let found = ask(&position, 500);
    assert_eq!(found.method, Method::Tree);
    agrees(&position, &found);
    for mv in [0, 4, 8, 1, 5, 10] {
        position.play(mv);
    }
    let found = ask(&position, 500);
    assert_eq!(
        (found.method, found.best.as_slice()),
        (Method::Rules, &[2][..])
    );
    agrees(&position, &found);
}

#[test]
fn a_finished_game_is_told_by_its_rules() {
    let mut position = Lines::<u64>::new(&grid(&[3, 3], 3)).unwrap();
    for mv in [0, 3, 1, 4, 2] {
        position.play(mv);
    }
    let found = ask(&position, 100);
    assert_eq!(
        (found.method, found.bounds),
        (Method::Rules, (Value::Win, Value::Win))
    );
    assert!(found.moves.is_empty());
}

#[test]
fn a_cancelled_analysis_stops_with_what_is_known() {
    let position = Connect::<Words<2>>::new(&hex(9, false)).unwrap();
    let limits = Limits {
        cancel: Some(Arc::new(AtomicBool::new(true))),
        ..Limits::default()
    };
    let found = analyse(&position, &options(), &limits, &mut Engine::new()).unwrap();
    assert_eq!((found.worth, found.stopped), (None, Some(Stop::Cancelled)));
    agrees(&position, &found);
}

#[test]
fn nodes_are_shared_out_and_not_given_twice() {
    let position = Lines::<Wide>::new(&grid(&[15, 15], 5)).unwrap();
    let mut next = position.clone();
    next.play(112);
    for most in [1_000, 20_000] {
        let found = ask(&next, most);
        assert!(found.nodes <= most + most / 10, "{}", found.nodes);
    }
}
