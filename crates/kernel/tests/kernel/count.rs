//! Counting and playouts against published and independently enumerated numbers (facts.md).

use crate::boards::{exactly, grid, misere};
use noughts_kernel::bits::Wide;
use noughts_kernel::count::{count, Count};
use noughts_kernel::limits::Limits;
use noughts_kernel::lines::{Lines, LinesTables};
use noughts_kernel::native::unlimited;
use noughts_kernel::perft::perft;
use noughts_kernel::playouts::{playout_by_rules, playouts, Tally};
use noughts_kernel::position::Position;
use noughts_kernel::rng::Rng;
use noughts_kernel::KernelError;

fn all(tables: &LinesTables) -> Count {
    let start = Lines::<u64>::new(tables).unwrap();
    count(&start, None, &unlimited()).unwrap()
}

#[test]
fn counts_3x3() {
    let c = all(&grid(&[3, 3], 3));
    assert_eq!((c.positions, c.canonical), (5478, 765));
    assert_eq!(
        (c.terminals.wins.clone(), c.terminals.draws),
        (vec![626, 316], 16)
    );
    assert_eq!(
        (c.games.wins.clone(), c.games.draws),
        (vec![131_184, 77_904], 46_080)
    );
    assert_eq!(c.games.total().unwrap(), 255_168);
    let by_ply: Vec<u128> = c.plies.iter().map(|p| p.positions).collect();
    assert_eq!(by_ply, [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78]);
    let ends: Vec<u128> = c.plies.iter().map(|p| p.games.total().unwrap()).collect();
    assert_eq!(ends, [0, 0, 0, 0, 0, 1440, 5328, 47952, 72576, 127_872]);
}

#[test]
fn counts_4x4() {
    let c = all(&grid(&[4, 4], 4));
    assert_eq!((c.positions, c.canonical), (9_722_011, 1_217_977));
    assert_eq!(c.terminals.wins, [401_096, 252_940]);
    assert_eq!(c.terminals.draws, 5356);
    assert_eq!(c.games.wins, [3_225_291_101_568, 3_106_180_802_304]);
    assert_eq!(c.games.draws, 8_707_262_054_400);
    let by_ply: Vec<u128> = c.plies.iter().map(|p| p.positions).collect();
    let facts = [
        1, 16, 240, 1680, 10920, 43680, 160_160, 400_400, 895_950, 1_433_520, 1_962_576, 1_962_576,
        1_543_080, 881_760, 333_792, 83_440, 8220,
    ];
    assert_eq!(by_ply, facts);
}

#[test]
fn counting_agrees_with_perft_and_without_symmetry() {
    for tables in [
        grid(&[3, 3], 3),
        grid(&[4, 3], 3),
        misere(&[3, 3], 3),
        exactly(&[2, 5], 3),
        LinesTables {
            players: 3,
            ..grid(&[3, 3], 2)
        },
        LinesTables {
            early_draw: true,
            ..grid(&[4, 4], 4)
        },
    ] {
        let start = Lines::<u64>::new(&tables).unwrap();
        let counted = count(&start, Some(6), &unlimited()).unwrap();
        for (depth, ply) in counted.plies.iter().enumerate() {
            let walked = perft(&start, depth as u32, &unlimited()).unwrap();
            assert_eq!(walked, ply.sequences, "depth {depth}");
        }
        let plain = LinesTables {
            symmetries: vec![],
            ..tables.clone()
        };
        let start = Lines::<Wide>::new(&plain).unwrap();
        let plain = count(&start, Some(6), &unlimited()).unwrap();
        assert_eq!(plain.positions, counted.positions);
        assert_eq!(plain.games, counted.games);
        assert_eq!(plain.terminals, counted.terminals);
        assert!(plain.canonical >= counted.canonical);
    }
}

#[test]
fn counting_from_a_setup_uses_only_what_fixes_it() {
    let tables = grid(&[3, 3], 3);
    let mut start = Lines::<u64>::new(&tables).unwrap();
    start.play(1);
    start.play(4);
    let c = count(&start, None, &unlimited()).unwrap();
    let plain = LinesTables {
        symmetries: vec![],
        ..tables
    };
    let mut start = Lines::<u64>::new(&plain).unwrap();
    start.play(1);
    start.play(4);
    let p = count(&start, None, &unlimited()).unwrap();
    assert_eq!((c.positions, &c.games), (p.positions, &p.games));
    assert!(c.canonical < p.canonical);
}

#[test]
fn counting_keeps_to_its_memory_and_its_limits() {
    let start = Lines::<u64>::new(&grid(&[4, 4], 4)).unwrap();
    let small = Limits {
        memory: 100_000,
        ..unlimited()
    };
    assert!(matches!(
        count(&start, None, &small),
        Err(KernelError::Memory { .. })
    ));
    let short = Limits {
        nodes: Some(5000),
        ..unlimited()
    };
    assert!(matches!(
        count(&start, None, &short),
        Err(KernelError::Stopped(_))
    ));
    assert!(matches!(
        perft(&start, 9, &short),
        Err(KernelError::Stopped(_))
    ));
    let wide = Lines::<Wide>::new(&grid(&[9, 9], 5)).unwrap();
    assert!(matches!(
        count(&wide, None, &short),
        Err(KernelError::Unsupported(_))
    ));
}

#[test]
fn perft_of_the_first_plies() {
    let start = Lines::<u64>::new(&grid(&[4, 4], 4)).unwrap();
    let at = |depth| perft(&start, depth, &unlimited()).unwrap();
    assert_eq!([at(0), at(1), at(2), at(3)], [1, 16, 240, 3360]);
    let wide = Lines::<Wide>::new(&grid(&[15, 15], 5)).unwrap();
    assert_eq!(perft(&wide, 2, &unlimited()).unwrap(), 225 * 224);
}

fn fast<P: Position>(start: &P, games: u64, threads: usize) -> Tally {
    playouts(start, games, 42, threads, &unlimited()).unwrap()
}

#[test]
fn playouts_repeat_whatever_the_threads() {
    let start = Lines::<u64>::new(&grid(&[4, 4], 4)).unwrap();
    let one = fast(&start, 5000, 1);
    assert_eq!(one, fast(&start, 5000, 3));
    assert_eq!(one.games, 5000);
    assert_eq!(one.wins.iter().sum::<u64>() + one.draws, 5000);
    assert_ne!(one, playouts(&start, 5000, 43, 1, &unlimited()).unwrap());
}

/// The fast ways and the plain way draw from the same distribution.
#[test]
fn playouts_agree_with_playing_by_the_rules() {
    for tables in [
        grid(&[3, 3], 3),
        misere(&[4, 4], 3),
        exactly(&[5, 5], 3),
        LinesTables {
            players: 3,
            ..grid(&[4, 4], 3)
        },
        LinesTables {
            early_draw: true,
            ..grid(&[3, 3], 3)
        },
    ] {
        let small = Lines::<u64>::new(&tables).unwrap();
        let wide = Lines::<Wide>::new(&tables).unwrap();
        let games = 40_000;
        let mut scratch = Default::default();
        let mut plain = Tally::new(tables.players);
        for index in 0..games {
            plain.add(playout_by_rules(
                &small,
                &mut Rng::new(1, index),
                &mut scratch,
            ));
        }
        for tally in [fast(&small, games, 1), fast(&wide, games, 1)] {
            for (a, b) in tally.wins.iter().zip(&plain.wins) {
                assert!(a.abs_diff(*b) < 900, "{tally:?} {plain:?}");
            }
            assert!(tally.plies.abs_diff(plain.plies) < plain.plies / 50);
        }
    }
}

#[test]
fn playouts_of_3x3_have_the_known_shares() {
    let start = Lines::<u64>::new(&grid(&[3, 3], 3)).unwrap();
    let tally = fast(&start, 200_000, 1);
    let share = |n: u64| n as f64 / tally.games as f64;
    // Random play: 58.5 % for the first seat, 28.8 % for the second, 12.7 % drawn.
    assert!((share(tally.wins[0]) - 0.585).abs() < 0.005);
    assert!((share(tally.wins[1]) - 0.288).abs() < 0.005);
    assert!((share(tally.draws) - 0.127).abs() < 0.005);
}
