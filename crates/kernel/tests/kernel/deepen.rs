//! The engine on the families that judge their positions: right about what it calls proven,
//! repeatable, and within its limits.

use crate::graphs::{duel, hex};
use noughts_kernel::bits::Words;
use noughts_kernel::capture::Capture;
use noughts_kernel::connect::Connect;
use noughts_kernel::error::KernelError;
use noughts_kernel::limits::{Limits, Stop};
use noughts_kernel::native::unlimited;
use noughts_kernel::position::{Outcome, Position, PASS};
use noughts_kernel::rng::Rng;
use noughts_kernel::search::{think, EngineOptions, Options, Solve, Think, Value};

/// A position some random moves into a game, unless that is over by then.
fn played<P: Position>(start: &P, seed: u64, plies: u32) -> Option<P> {
    let (mut game, mut rng, mut moves) = (start.clone(), Rng::new(seed, 0), Vec::new());
    for _ in 0..plies {
        let mv = game.random_move(&mut rng, &mut moves)?;
        game.play(mv);
    }
    game.outcome().is_none().then_some(game)
}

fn nodes(nodes: u64) -> Limits<'static> {
    Limits {
        nodes: Some(nodes),
        ..unlimited()
    }
}

/// Without a large table to lay out each time.
fn small() -> EngineOptions {
    EngineOptions {
        table_memory: 1 << 18,
        ..EngineOptions::default()
    }
}

fn opposite(value: Value) -> Value {
    match value {
        Value::Loss => Value::Win,
        Value::Draw => Value::Draw,
        Value::Win => Value::Loss,
    }
}

/// The exact value for the seat to move, or, of a game that is over, for the one after the last.
fn truth<P: Solve + Position>(game: &P) -> Value {
    match game.outcome() {
        Some(Outcome::Draw) => Value::Draw,
        Some(Outcome::Win(seat)) if seat == game.turn() => Value::Loss,
        Some(Outcome::Win(_)) => Value::Win,
        None => {
            let options = Options {
                best: false,
                line: false,
                table_memory: 1 << 20,
                ..Options::default()
            };
            let verdict = game.solve(&options, &unlimited()).unwrap();
            assert_eq!(verdict.bounds.lower, verdict.bounds.upper);
            verdict.bounds.lower
        }
    }
}

/// Counts the wins, draws and losses that are claimed after so many random moves, each checked.
pub fn claims<P: Think + Solve>(start: &P, seeds: u64, plies: u32, most: u64) -> [u32; 3] {
    let mut claims = [0; 3];
    for seed in 0..seeds {
        let Some(game) = played(start, seed, plies + (seed % 5) as u32) else {
            continue;
        };
        let choice = think(&game, &small(), &nodes(most)).unwrap();
        assert!(game.is_legal(choice.best));
        assert_eq!(choice.line.first(), Some(&choice.best));
        let mut line = game.clone();
        for &mv in &choice.line {
            line.try_play(mv).unwrap();
        }
        if let Some(proven) = choice.proven {
            claims[proven.value as usize] += 1;
            assert_eq!(proven.value, truth(&game), "seed {seed}");
            let mut after = game.clone();
            after.play(choice.best);
            assert_eq!(opposite(truth(&after)), proven.value, "seed {seed}");
        }
    }
    claims
}

#[test]
fn what_it_proves_of_a_duel_is_so() {
    for peaceful in [false, true] {
        let game = Capture::<u64>::new(&duel(4, 4, peaceful)).unwrap();
        let claims = claims(&game, 120, 3, 6000);
        assert!(claims.iter().all(|&count| count > 3), "{claims:?}");
    }
}

#[test]
fn what_it_proves_of_hex_is_so() {
    for swap in [false, true] {
        let game = Connect::<u64>::new(&hex(4, swap)).unwrap();
        let [losses, draws, wins] = claims(&game, 40, 1, 4000);
        assert!(losses > 3 && wins > 3 && draws == 0);
        let [losses, _, wins] = claims(&Connect::<u64>::new(&hex(5, swap)).unwrap(), 20, 6, 2000);
        assert!(losses + wins > 5);
    }
}

#[test]
fn deep_enough_it_proves_every_small_duel() {
    let options = small();
    for (rows, columns) in [(1, 5), (2, 2), (2, 3), (3, 3)] {
        let game = Capture::<u64>::new(&duel(rows, columns, false)).unwrap();
        let choice = think(&game, &options, &unlimited()).unwrap();
        let proven = choice.proven.unwrap();
        assert_eq!(proven.value, truth(&game), "{rows}x{columns}");
        assert_eq!(choice.stopped, None);
    }
}

#[test]
fn it_passes_when_it_must() {
    // G R .
    // R R .
    let cells = [Some(1), Some(0), None, Some(0), Some(0), None];
    let game = Capture::<u64>::setup(&duel(2, 3, false), &cells, 1).unwrap();
    let choice = think(&game, &small(), &unlimited()).unwrap();
    assert_eq!((choice.best, choice.line[0]), (PASS, PASS));
    assert_eq!(choice.proven.map(|proven| proven.value), Some(Value::Loss));
}

#[test]
fn every_move_gets_its_own_score() {
    let game = Capture::<u64>::new(&duel(6, 6, false)).unwrap();
    let game = played(&game, 1, 8).unwrap();
    let score = |options: &EngineOptions| think(&game, options, &unlimited()).unwrap();
    let plain = EngineOptions {
        depth: Some(4),
        ..small()
    };
    let all = score(&EngineOptions {
        every: true,
        ..plain
    });
    let best = all.moves.iter().map(|&(_, score)| score).max();
    assert_eq!(best, Some(all.score));
    let mut legal = Vec::new();
    game.legal_moves(&mut legal);
    assert_eq!(
        legal,
        all.moves.iter().map(|&(mv, _)| mv).collect::<Vec<_>>()
    );
    assert!(all.nodes > score(&plain).nodes);
}

#[test]
fn a_limit_of_depth_or_nodes_repeats_itself() {
    let game = Connect::<Words<2>>::new(&hex(11, true)).unwrap();
    let game = played(&game, 5, 4).unwrap();
    let depth = EngineOptions {
        depth: Some(2),
        ..small()
    };
    for (options, limits) in [(depth, unlimited()), (small(), nodes(700))] {
        let [one, two] = [0, 1].map(|_| think(&game, &options, &limits).unwrap());
        assert_eq!(
            (one.best, one.score, one.nodes, &one.line, &one.moves),
            (two.best, two.score, two.nodes, &two.line, &two.moves)
        );
        assert!(one.depth <= 2 && one.nodes > 100);
    }
}

#[test]
fn it_stops_when_told_and_still_answers() {
    let game = Capture::<u64>::new(&duel(6, 6, true)).unwrap();
    let cancelled = Limits {
        cancel: Some(std::sync::Arc::new(true.into())),
        ..unlimited()
    };
    let late = Limits {
        deadline: Some(std::time::Duration::ZERO),
        ..unlimited()
    };
    let threads = EngineOptions {
        threads: 3,
        ..small()
    };
    for (limits, why) in [
        (cancelled, Stop::Cancelled),
        (late, Stop::Deadline),
        (nodes(3000), Stop::Nodes),
    ] {
        let choice = think(&game, &threads, &limits).unwrap();
        assert_eq!(choice.stopped, Some(why));
        assert!(game.is_legal(choice.best));
        assert!(choice.nodes <= limits.nodes.unwrap_or(u64::MAX));
    }
    let tight = Limits {
        memory: 100,
        ..unlimited()
    };
    let refused = think(&game, &threads, &tight);
    assert!(matches!(refused, Err(KernelError::Memory { .. })));
    let over = Capture::<u64>::setup(&duel(1, 2, false), &[Some(0), Some(0)], 1).unwrap();
    let refused = think(&over, &threads, &unlimited());
    assert!(matches!(refused, Err(KernelError::Position(_))));
}
