//! Times playouts, counts and solves, and asserts every result that is known.
//!
//! `cargo run --release --example bench [playouts] [count] [solve] [beyond] [SECONDS]`: everything
//! but `beyond` when nothing is named. `beyond` gives each of its games SECONDS (default 60) and
//! 1 GiB, and says how far it came.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../tests/kernel/boards/mod.rs"]
mod boards;

use std::time::{Duration, Instant};

use boards::{grid, misere};
use noughts_kernel::bits::Wide;
use noughts_kernel::count::count;
use noughts_kernel::limits::Limits;
use noughts_kernel::lines::{Lines, LinesTables};
use noughts_kernel::native::{unlimited, within};
use noughts_kernel::playouts::playouts;
use noughts_kernel::position::Position;
use noughts_kernel::search::{Options, Solve, Value};

fn random<P: Position>(name: &str, start: &P, games: u64) {
    let time = |threads| {
        let mut best = f64::MAX;
        for _ in 0..3 {
            let clock = Instant::now();
            let tally = playouts(start, games, 1, threads, &unlimited()).unwrap();
            best = best.min(clock.elapsed().as_secs_f64());
            assert_eq!(tally.games, games);
        }
        games as f64 / best
    };
    let (one, two) = (time(1), time(2));
    println!(
        "playouts {name:<12} {one:>12.0} games/s, two threads {:.2} times that",
        two / one
    );
}

fn start(tables: &LinesTables) -> Lines<u64> {
    Lines::new(tables).unwrap()
}

/// Solves an empty board with a fresh table; the known value and distance are asserted.
fn solve(name: &str, tables: &LinesTables, value: Value, distance: Option<u32>, map: bool) {
    let position = start(tables);
    let limits = Limits {
        memory: 1 << 30,
        ..unlimited()
    };
    let verdict = position.solve(&Options::default(), &limits).unwrap();
    assert_eq!(verdict.value(), Some(value), "{name}");
    assert_eq!(verdict.distance(), distance, "{name}");
    let distance = distance.map_or(String::new(), |d| format!(" in {d}"));
    println!(
        "solve    {name:<14} {:>10.3} ms {:>10} nodes  {value:?}{distance}, {} best moves",
        verdict.elapsed.as_secs_f64() * 1e3,
        verdict.nodes,
        verdict.best.len(),
    );
    if map {
        let map = position.map(&Options::default(), &limits).unwrap();
        assert!(map.moves.iter().all(|m| m.bounds.exact()));
        println!(
            "map      {name:<14} {:>10.3} ms {:>10} nodes",
            map.elapsed.as_secs_f64() * 1e3,
            map.nodes
        );
    }
}

/// Says how far a bounded solve came.
fn attempt(name: &str, tables: &LinesTables, seconds: u64, value: Value) {
    let limits = Limits {
        memory: 1 << 30,
        ..within(Duration::from_secs(seconds))
    };
    let options = Options {
        line: false,
        ..Options::default()
    };
    let verdict = start(tables).solve(&options, &limits).unwrap();
    assert!(verdict.value().is_none_or(|found| found == value));
    println!(
        "beyond   {name:<14} {:>10.3} s {:>12} nodes  {:?} stopped by {:?}",
        verdict.elapsed.as_secs_f64(),
        verdict.nodes,
        verdict.bounds,
        verdict.stopped,
    );
}

fn main() {
    let asked: Vec<String> = std::env::args().skip(1).collect();
    let named = |what: &str| asked.iter().any(|a| a == what);
    let wants = |what: &str| asked.is_empty() || named(what);
    if wants("playouts") {
        let small = |dims: &[usize], k| Lines::<u64>::new(&grid(dims, k)).unwrap();
        random("3x3", &small(&[3, 3], 3), 4_000_000);
        random("4x4", &small(&[4, 4], 4), 2_000_000);
        random("4x4x4", &small(&[4, 4, 4], 4), 500_000);
        let gomoku = Lines::<Wide>::new(&grid(&[15, 15], 5)).unwrap();
        random("15x15 k=5", &gomoku, 100_000);
    }
    if wants("count") {
        let start = Lines::<u64>::new(&grid(&[4, 4], 4)).unwrap();
        let clock = Instant::now();
        let all = count(&start, None, &unlimited()).unwrap();
        assert_eq!((all.positions, all.canonical), (9_722_011, 1_217_977));
        assert_eq!(all.games.total().unwrap(), 15_038_733_958_272);
        println!(
            "count    4x4          {:.3} s",
            clock.elapsed().as_secs_f64()
        );
    }
    if wants("solve") {
        solve("3x3", &grid(&[3, 3], 3), Value::Draw, None, true);
        solve("4x4", &grid(&[4, 4], 4), Value::Draw, None, true);
        solve("5x5 k=4", &grid(&[5, 5], 4), Value::Draw, None, true);
        solve("6x5 k=4", &grid(&[6, 5], 4), Value::Win, Some(11), true);
        solve("6x6 k=4", &grid(&[6, 6], 4), Value::Win, Some(11), true);
        solve("7x7 k=4", &grid(&[7, 7], 4), Value::Win, Some(11), false);
        solve("5x5 k=5", &grid(&[5, 5], 5), Value::Draw, None, true);
        solve("6x6 k=5", &grid(&[6, 6], 5), Value::Draw, None, true);
        solve("7x7 k=5", &grid(&[7, 7], 5), Value::Draw, None, false);
        solve("3x3x3", &grid(&[3, 3, 3], 3), Value::Win, Some(7), true);
        solve("3x3 misere", &misere(&[3, 3], 3), Value::Draw, None, true);
        solve("4x4 misere", &misere(&[4, 4], 4), Value::Draw, None, true);
    }
    if named("beyond") {
        let seconds = asked.iter().find_map(|a| a.parse().ok()).unwrap_or(60);
        let cube = misere(&[3, 3, 3], 3);
        attempt("3x3x3 misere", &cube, seconds, Value::Win);
        attempt("4x4x4", &grid(&[4, 4, 4], 4), seconds, Value::Win);
        attempt("8x8 k=5", &grid(&[8, 8], 5), seconds, Value::Draw);
    }
}
