//! Boards where a cell opens when another one is taken: Connect Four and what is like it.

use std::collections::{HashMap, HashSet};

use crate::boards::{falling, grid};
use crate::deepen::claims;
use crate::lines::opens;
use crate::solve::{check, variants};
use noughts_kernel::bits::{Bits, Wide};
use noughts_kernel::count::count;
use noughts_kernel::limits::{Limits, Stop};
use noughts_kernel::lines::{Lines, LinesTables, WinningSet};
use noughts_kernel::native::unlimited;
use noughts_kernel::perft::perft;
use noughts_kernel::playouts::{playout_by_rules, playouts, Tally};
use noughts_kernel::position::Position;
use noughts_kernel::rng::Rng;
use noughts_kernel::search::{think, EngineOptions, Options, Solve, Value};
use noughts_kernel::KernelError;
use proptest::prelude::*;

fn connect_four() -> Lines<u64> {
    Lines::new(&falling(6, 7, 4)).unwrap()
}

/// The position after a mark in each of these columns, counted from 1.
fn dropped(columns: &str) -> Lines<u64> {
    let mut game = connect_four();
    for column in columns.bytes() {
        let column = i16::from(column - b'1');
        let mut moves = Vec::new();
        game.legal_moves(&mut moves);
        let mv = moves.into_iter().find(|mv| mv % 7 == column).unwrap();
        game.try_play(mv).unwrap();
    }
    game
}

#[test]
fn connect_four_has_the_known_perft() {
    let known = [7, 49, 343, 2401, 16_807, 117_649, 823_536];
    for (depth, known) in (1..).zip(known) {
        let paths = perft(&connect_four(), depth, &unlimited()).unwrap();
        assert_eq!(paths, known);
    }
}

/// OEIS A212693.
#[test]
fn connect_four_has_the_known_positions_after_each_ply() {
    let known = [1, 7, 49, 238, 1120, 4263, 16_422, 54_859];
    let mut layer = vec![connect_four()];
    for known in known {
        assert_eq!(layer.len(), known);
        let mut seen = HashSet::new();
        let mut next = Vec::new();
        for game in &layer {
            let mut moves = Vec::new();
            game.legal_moves(&mut moves);
            for mv in moves {
                let mut after = game.clone();
                after.play(mv);
                if seen.insert(after.key()) {
                    next.push(after);
                }
            }
        }
        layer = next;
    }
}

/// Tromp counts the positions of the smaller boards too.
#[test]
fn small_boards_are_counted() {
    let start = Lines::<u64>::new(&falling(4, 4, 4)).unwrap();
    let counted = count(&start, None, &unlimited()).unwrap();
    assert_eq!(counted.positions, 161_029);
    let lone = LinesTables {
        symmetries: vec![],
        ..falling(4, 4, 4)
    };
    let lone = count(&Lines::<u64>::new(&lone).unwrap(), None, &unlimited()).unwrap();
    assert_eq!(lone.positions, counted.positions);
    assert_eq!(lone.games, counted.games);
    assert!(counted.canonical < lone.canonical);
}

#[test]
fn playouts_agree_with_playing_by_the_rules() {
    fn compare<B: Bits>(tables: &LinesTables) {
        let start = Lines::<B>::new(tables).unwrap();
        let games = 20_000;
        let fast = playouts(&start, games, 5, 1, &unlimited()).unwrap();
        let mut slow = Tally::new(start.players());
        let (mut rng, mut scratch) = (Rng::new(6, 0), Default::default());
        for _ in 0..games {
            slow.add(playout_by_rules(&start, &mut rng, &mut scratch));
        }
        let share = |tally: &Tally| {
            let mean = tally.plies as f64 / games as f64 / tables.cells as f64;
            let wins = tally.wins.iter().map(|n| *n as f64 / games as f64);
            wins.chain([mean]).collect::<Vec<f64>>()
        };
        for (a, b) in share(&fast).iter().zip(share(&slow)) {
            assert!((a - b).abs() < 0.02, "{fast:?} {slow:?}");
        }
    }
    let tree = LinesTables {
        opens: vec![
            None,
            Some(0),
            Some(0),
            Some(1),
            Some(1),
            Some(2),
            None,
            Some(6),
            Some(7),
        ],
        symmetries: vec![],
        ..grid(&[3, 3], 3)
    };
    for tables in [falling(6, 7, 4), tree] {
        compare::<u64>(&tables);
        compare::<Wide>(&tables);
    }
    let three = LinesTables {
        players: 3,
        ..falling(5, 6, 3)
    };
    compare::<u64>(&three);
}

#[test]
fn tables_that_cannot_be_are_refused() {
    let refused = |change: fn(&mut LinesTables)| {
        let mut tables = falling(4, 4, 4);
        change(&mut tables);
        assert!(matches!(
            Lines::<u64>::new(&tables),
            Err(KernelError::Tables(_))
        ));
    };
    refused(|tables| tables.opens.truncate(3));
    refused(|tables| tables.opens[2] = Some(16));
    refused(|tables| tables.opens[12] = Some(0)); // a ring
    refused(|tables| tables.opens[5] = Some(5));
    refused(|tables| tables.symmetries = grid(&[4, 4], 4).symmetries);
}

#[test]
fn a_mark_above_an_empty_cell_is_refused() {
    let mut cells = vec![None; 16];
    cells[8] = Some(0);
    let refused = Lines::<u64>::setup(&falling(4, 4, 4), &cells, 1);
    assert!(matches!(refused, Err(KernelError::Position(_))));
    cells[12] = Some(1);
    let position = Lines::<u64>::setup(&falling(4, 4, 4), &cells, 0).unwrap();
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    assert_eq!(moves, [4, 13, 14, 15]);
}

/// A position with so many empty cells, unless the game is over before.
fn endgame<B: Bits>(tables: &LinesTables, left: usize, rng: &mut Rng) -> Option<Lines<B>> {
    let mut game = Lines::<B>::new(tables).unwrap();
    let mut moves = Vec::new();
    for _ in left..tables.cells {
        let mv = game.random_move(rng, &mut moves)?;
        game.play(mv);
    }
    game.outcome().is_none().then_some(game)
}

#[test]
fn random_endgames_as_minimax_has_them() {
    let mut rng = Rng::new(12, 0);
    let misere = LinesTables {
        misere: true,
        ..falling(4, 4, 3)
    };
    let early = LinesTables {
        early_draw: true,
        ..falling(4, 5, 4)
    };
    let boards = [
        (falling(4, 4, 3), 16),
        (falling(4, 4, 4), 16),
        (falling(4, 5, 4), 14),
        (falling(5, 4, 3), 14),
        (falling(6, 7, 4), 13),
        (early, 12),
        (misere, 9),
    ];
    for (tables, left) in boards {
        let mut found = 0;
        for round in 0..60 {
            let left = left - round % 5;
            let Some(game) = endgame::<u64>(&tables, left, &mut rng) else {
                continue;
            };
            found += 1;
            let options = variants();
            check(&game, &mut HashMap::new(), &options[round % options.len()]);
            if round % 10 == 0 {
                let wide = endgame::<Wide>(&tables, left.min(9), &mut rng);
                if let Some(wide) = wide {
                    check(&wide, &mut HashMap::new(), &Options::default());
                }
            }
        }
        assert!(found > 5, "{found} endgames of {tables:?}");
    }
}

fn tables() -> impl Strategy<Value = LinesTables> {
    (2usize..12, 0usize..2, any::<bool>()).prop_flat_map(|(cells, caps, misere)| {
        let all: Vec<u16> = (0..cells as u16).collect();
        let list = proptest::sample::subsequence(all, 2..=cells.min(4)).prop_shuffle();
        let set = (list, 0..=caps).prop_map(|(mut cells, caps)| {
            let keep = cells.len() - caps.min(cells.len() - 1);
            let caps = cells.split_off(keep);
            WinningSet { cells, caps }
        });
        let sets = proptest::collection::vec(set, 1..10);
        (sets, opens(cells)).prop_map(move |(sets, opens)| LinesTables {
            cells,
            players: 2,
            sets,
            misere,
            opens,
            ..LinesTables::default()
        })
    })
}

proptest! {
    #[test]
    fn random_games_as_minimax_has_them(tables in tables(), which in 0usize..8) {
        let options = variants();
        let start = Lines::<u64>::new(&tables).unwrap();
        check(&start, &mut HashMap::new(), &options[which % options.len()]);
    }
}

/// Steininger 2023 gives the values and lengths of small boards; Tromp had the values before.
#[test]
fn published_values() {
    let known = [
        (4, 4, Value::Draw, None),
        (4, 5, Value::Draw, None),
        (5, 4, Value::Draw, None),
    ];
    for (rows, cols, value, distance) in known {
        let start = Lines::<u64>::new(&falling(rows, cols, 4)).unwrap();
        let verdict = start.solve(&Options::default(), &unlimited()).unwrap();
        assert_eq!(
            (verdict.value(), verdict.distance()),
            (Some(value), distance)
        );
    }
}

/// Positions with known scores, from the test sets of Pons, "Solving Connect 4" (2015): a score of n
/// means that the side to move wins with n stones of its own left, a negative one that it loses so.
#[test]
fn positions_with_known_scores() {
    let known = [
        ("2252576253462244111563365343671351441", -1),
        ("32113735114523512272777153652673", 3),
        ("23163416124767223154467471272416755633", 0),
        ("34441157374153736716346556774311552222", 0),
        ("43745416472735", -13),
        ("427631264721", 10),
        ("17516442226766", 8),
        ("51756773145177", -10),
        ("42434653771434", 9),
        ("27534134362633", 10),
    ];
    for (columns, score) in known {
        let game = dropped(columns);
        let played = columns.len() as i32;
        let (mine, theirs) = (played / 2, (played + 1) / 2);
        let (value, distance) = match score {
            0 => (Value::Draw, None),
            1.. => (Value::Win, Some(2 * (22 - score - mine) - 1)),
            _ => (Value::Loss, Some(2 * (22 + score - theirs))),
        };
        let verdict = game.solve(&Options::default(), &unlimited()).unwrap();
        assert_eq!(verdict.value(), Some(value), "{columns}");
        assert_eq!(verdict.distance().map(|n| n as i32), distance, "{columns}");
    }
}

#[test]
fn what_the_engine_proves_is_so() {
    let game = Lines::<u64>::new(&falling(4, 5, 4)).unwrap();
    let claimed = claims(&game, 150, 6, 4000);
    assert!(claimed.iter().all(|&count| count > 3), "{claimed:?}");
    let misere = LinesTables {
        misere: true,
        ..falling(4, 4, 3)
    };
    let game = Lines::<u64>::new(&misere).unwrap();
    let [losses, _, wins] = claims(&game, 60, 5, 4000);
    assert!(losses > 3 && wins > 3);
}

/// A threat on a cell that is not open yet does not have to be met.
#[test]
fn the_engine_plays_where_it_may() {
    let options = EngineOptions {
        depth: Some(8),
        table_memory: 1 << 20,
        ..EngineOptions::default()
    };
    let mut game = connect_four();
    while game.outcome().is_none() {
        let choice = think(&game, &options, &unlimited()).unwrap();
        game.try_play(choice.best).unwrap();
    }
    let three = LinesTables {
        players: 3,
        ..falling(5, 5, 3)
    };
    let refused = think(&Lines::<u64>::new(&three).unwrap(), &options, &unlimited());
    assert!(matches!(refused, Err(KernelError::Unsupported(_))));
}

#[test]
fn a_limit_reached_is_an_honest_unknown() {
    let limits = Limits {
        nodes: Some(20_000),
        ..unlimited()
    };
    let verdict = connect_four().solve(&Options::default(), &limits).unwrap();
    assert_eq!(
        (verdict.value(), verdict.stopped),
        (None, Some(Stop::Nodes))
    );
    assert!(verdict.best.is_empty());
}
