//! MCTS: proves what is small, keeps to its limits, and repeats itself by seed.

use std::sync::atomic::AtomicBool;
use std::sync::Arc;

use crate::boards::{grid, misere};
use crate::graphs::{any_graph, duel, hex, legal};
use noughts_kernel::bits::{Wide, Words};
use noughts_kernel::capture::{Capture, CaptureTables};
use noughts_kernel::connect::{Connect, ConnectTables};
use noughts_kernel::error::KernelError;
use noughts_kernel::limits::{Limits, Stop};
use noughts_kernel::lines::{Lines, LinesTables};
use noughts_kernel::mcts::{mcts, MctsOptions, MctsResult};
use noughts_kernel::native::unlimited;
use noughts_kernel::position::{Outcome, Position, SWAP};
use noughts_kernel::search::{Options, Solve, Value};
use proptest::prelude::*;

fn run<P: Position>(position: &P, simulations: u64, seed: u64) -> MctsResult {
    let options = MctsOptions {
        simulations,
        seed,
        ..MctsOptions::default()
    };
    mcts(position, &options, &unlimited()).unwrap()
}

fn tictactoe() -> Lines<u64> {
    Lines::new(&grid(&[3, 3], 3)).unwrap()
}

#[test]
fn proves_three_by_three_a_draw_and_stops() {
    for seed in 0..5 {
        let found = run(&tictactoe(), 10_000_000, seed);
        assert_eq!(found.proven, Some(Outcome::Draw));
        assert!(found.simulations < 1_000_000, "{}", found.simulations);
        assert_eq!(found.best, Some(0));
        assert_eq!(found.value, 0.0);
        assert_eq!(found.stopped, None);
        assert!(found
            .moves
            .iter()
            .all(|entry| entry.proven == Some(Outcome::Draw)));
    }
}

#[test]
fn proves_small_hex_duel_and_misere() {
    let found = run(&Connect::<u64>::new(&hex(3, false)).unwrap(), 1_000_000, 1);
    assert_eq!(found.proven, Some(Outcome::Win(0)));
    // Only winning first moves may be called so: ..W/WWW/W..
    assert!([2, 3, 4, 5, 6].contains(&found.best.unwrap()));
    let found = run(&Connect::<u64>::new(&hex(3, true)).unwrap(), 1_000_000, 1);
    assert_eq!(found.proven, Some(Outcome::Win(1)));
    let found = run(
        &Capture::<u64>::new(&duel(2, 3, false)).unwrap(),
        1_000_000,
        1,
    );
    assert_eq!(found.proven, Some(Outcome::Win(1)));
    let found = run(
        &Capture::<u64>::new(&duel(3, 3, true)).unwrap(),
        3_000_000,
        1,
    );
    assert_eq!(found.proven, Some(Outcome::Win(0)));
    assert_eq!(found.best, Some(4));
    let start = Lines::<u64>::new(&misere(&[3, 3], 3)).unwrap();
    let found = run(&start, 3_000_000, 1);
    assert_eq!(found.proven, Some(Outcome::Draw));
    assert_eq!(found.best, Some(4));
}

#[test]
fn takes_a_win_and_blocks_a_loss() {
    // X X .
    // O O .
    // . . .
    let mut position = tictactoe();
    for mv in [0, 3, 1, 4] {
        position.play(mv);
    }
    let found = run(&position, 10_000, 7);
    assert_eq!((found.best, found.proven), (Some(2), Some(Outcome::Win(0))));
    assert_eq!(found.line, [2]);
    assert_eq!(found.value, 1.0);
    // O must take c1 or lose.
    let mut position = tictactoe();
    for mv in [0, 4, 1] {
        position.play(mv);
    }
    assert_eq!(run(&position, 50_000, 7).best, Some(2));
}

#[test]
fn swaps_away_a_strong_stone() {
    let mut position = Connect::<u64>::new(&hex(3, true)).unwrap();
    position.play(4);
    let found = run(&position, 100_000, 3);
    assert_eq!(found.best, Some(SWAP));
    assert_eq!(found.moves.last().map(|entry| entry.mv), Some(SWAP));
}

#[test]
fn equal_seeds_give_equal_trees() {
    let position = Connect::<u64>::new(&hex(5, true)).unwrap();
    let plain = |found: MctsResult| MctsResult {
        elapsed: std::time::Duration::ZERO,
        ..found
    };
    assert_eq!(
        plain(run(&position, 3_000, 5)),
        plain(run(&position, 3_000, 5))
    );
    assert_ne!(
        plain(run(&position, 3_000, 5)).moves,
        plain(run(&position, 3_000, 6)).moves
    );
}

#[test]
fn memory_bounds_the_tree() {
    let position = Lines::<Wide>::new(&grid(&[15, 15], 5)).unwrap();
    let options = MctsOptions {
        simulations: 2_000,
        ..MctsOptions::default()
    };
    let limits = Limits {
        memory: 20_000,
        ..unlimited()
    };
    let found = mcts(&position, &options, &limits).unwrap();
    assert!(found.full && found.bytes <= 20_000);
    assert_eq!(found.simulations, 2_000);
    let none = Limits {
        memory: 10,
        ..unlimited()
    };
    assert!(matches!(
        mcts(&position, &options, &none),
        Err(KernelError::Memory { .. })
    ));
}

#[test]
fn a_full_tree_still_goes_on_where_everything_is_proven() {
    for memory in [40, 200, 400, 1000, 3000] {
        for position in [tictactoe(), {
            let mut late = tictactoe();
            for mv in [0, 3, 1, 4] {
                late.play(mv);
            }
            late
        }] {
            let options = MctsOptions {
                simulations: 3_000,
                ..MctsOptions::default()
            };
            let limits = Limits {
                memory,
                ..unlimited()
            };
            let found = mcts(&position, &options, &limits).unwrap();
            assert!(found.proven.is_some() || found.simulations == 3_000);
            assert!(position.is_legal(found.best.unwrap()));
        }
    }
}

#[test]
fn limits_stop_it() {
    let position = Connect::<Words<2>>::new(&hex(11, false)).unwrap();
    let options = MctsOptions {
        simulations: u64::MAX,
        ..MctsOptions::default()
    };
    let limits = Limits {
        nodes: Some(500),
        ..unlimited()
    };
    let found = mcts(&position, &options, &limits).unwrap();
    assert_eq!(found.stopped, Some(Stop::Nodes));
    assert_eq!(found.simulations, 500);
    let cancel = Limits {
        cancel: Some(Arc::new(AtomicBool::new(true))),
        ..unlimited()
    };
    let found = mcts(&position, &options, &cancel).unwrap();
    assert_eq!(found.stopped, Some(Stop::Cancelled));
    assert!(found.best.is_some());
}

#[test]
fn a_finished_game_has_no_best_move() {
    let mut position = tictactoe();
    for mv in [0, 3, 1, 4, 2] {
        position.play(mv);
    }
    let found = run(&position, 100, 0);
    assert_eq!(found.best, None);
    assert_eq!(found.proven, Some(Outcome::Win(0)));
    assert_eq!(found.simulations, 0);
}

#[test]
fn three_seats_play_too() {
    let tables = LinesTables {
        players: 3,
        ..grid(&[3, 4], 3)
    };
    let mut position = Lines::<u64>::new(&tables).unwrap();
    // X X . .   seat 0 wins with cell 2
    for mv in [0, 4, 8, 1, 5, 11] {
        position.play(mv);
    }
    let found = run(&position, 20_000, 1);
    assert_eq!(found.best, Some(2));
    assert_eq!(found.proven, Some(Outcome::Win(0)));
    let whole = run(&Lines::<u64>::new(&tables).unwrap(), 20_000, 1);
    assert_eq!(
        whole.moves.iter().map(|entry| entry.visits).sum::<u32>(),
        20_000
    );
}

#[test]
fn without_the_solver_every_simulation_is_run() {
    let options = MctsOptions {
        simulations: 20_000,
        solver: false,
        ..MctsOptions::default()
    };
    let found = mcts(&tictactoe(), &options, &unlimited()).unwrap();
    assert_eq!(found.simulations, 20_000);
    assert_eq!(found.proven, None);
    assert_eq!(found.best, Some(4));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn what_it_proves_is_true_in_hex(
        picks in proptest::collection::vec(any::<usize>(), 0..6),
        seed in any::<u64>(),
    ) {
        let mut position = Connect::<u64>::new(&hex(3, true)).unwrap();
        for pick in picks {
            let moves = legal(&position);
            if moves.is_empty() {
                break;
            }
            position.play(moves[pick % moves.len()]);
        }
        let truth = position.solve(&Options::default(), &unlimited()).unwrap();
        let map = position.map(&Options::default(), &unlimited()).unwrap();
        let found = run(&position, 200_000, seed);
        if position.outcome().is_none() {
            let winner = |win| Outcome::Win(if win { position.turn() } else { 1 - position.turn() });
            let win = |value| value == Some(Value::Win);
            prop_assert_eq!(found.proven, Some(winner(win(truth.value()))));
            for (entry, rated) in found.moves.iter().zip(&map.moves) {
                prop_assert_eq!(entry.mv, rated.mv);
                if let Some(outcome) = entry.proven {
                    prop_assert_eq!(outcome, winner(win(rated.bounds.value())));
                }
            }
        }
    }

    #[test]
    fn any_board_can_be_searched(
        neighbours in any_graph(9),
        peaceful in any::<bool>(),
        memory in 33usize..2000,
        solver in any::<bool>(),
        seed in any::<u64>(),
    ) {
        let cells = neighbours.len();
        let edge = vec![0, cells as u16 - 1];
        let hex = ConnectTables {
            cells,
            neighbours: neighbours.clone(),
            edges: [[vec![0], edge.clone()], [edge, vec![0]]],
            swap: Some((0..cells as u16).rev().collect()),
            symmetries: Vec::new(),
        };
        let duel = CaptureTables { cells, neighbours, peaceful, symmetries: Vec::new() };
        let options = MctsOptions { simulations: 300, seed, solver, ..MctsOptions::default() };
        let limits = Limits { memory, ..unlimited() };
        let hex = Connect::<u64>::new(&hex).unwrap();
        let found = mcts(&hex, &options, &limits).unwrap();
        prop_assert!(found.best.is_some_and(|mv| hex.is_legal(mv)));
        let duel = Capture::<u64>::new(&duel).unwrap();
        let found = mcts(&duel, &options, &limits).unwrap();
        prop_assert!(found.best.is_some_and(|mv| duel.is_legal(mv)));
        prop_assert!(found.proven.is_some() || found.simulations == 300);
    }

    #[test]
    fn what_it_proves_is_true_in_duel(
        picks in proptest::collection::vec(any::<usize>(), 3..8),
        peaceful in any::<bool>(),
        seed in any::<u64>(),
    ) {
        let mut position = Capture::<u64>::new(&duel(3, 3, peaceful)).unwrap();
        for pick in picks {
            let moves = legal(&position);
            if moves.is_empty() {
                break;
            }
            position.play(moves[pick % moves.len()]);
        }
        let truth = position.solve(&Options::default(), &unlimited()).unwrap();
        let found = run(&position, 300_000, seed);
        let (seat, margin) = (position.turn(), truth.bounds.margin.unwrap().0);
        let outcome = match margin {
            0 => Outcome::Draw,
            1.. => Outcome::Win(seat),
            _ => Outcome::Win(1 - seat),
        };
        prop_assert_eq!(found.proven, Some(outcome));
    }
}
