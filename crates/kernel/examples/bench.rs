//! Times playouts, counts and solves, and asserts every result that is known.
//!
//! `cargo run --release --example bench [playouts] [count] [solve] [beyond]`
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../tests/boards/mod.rs"]
mod boards;

use std::time::Instant;

use boards::grid;
use noughts_kernel::bits::Wide;
use noughts_kernel::count::count;
use noughts_kernel::limits::Limits;
use noughts_kernel::lines::Lines;
use noughts_kernel::playouts::playouts;
use noughts_kernel::position::Position;

fn random<P: Position>(name: &str, start: &P, games: u64) {
    let time = |threads| {
        let mut best = f64::MAX;
        for _ in 0..3 {
            let clock = Instant::now();
            let tally = playouts(start, games, 1, threads, &Limits::default()).unwrap();
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

fn main() {
    let asked: Vec<String> = std::env::args().skip(1).collect();
    let wants = |what: &str| asked.is_empty() || asked.iter().any(|a| a == what);
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
        let all = count(&start, None, &Limits::default()).unwrap();
        assert_eq!((all.positions, all.canonical), (9_722_011, 1_217_977));
        assert_eq!(all.games.total().unwrap(), 15_038_733_958_272);
        println!(
            "count    4x4          {:.3} s",
            clock.elapsed().as_secs_f64()
        );
    }
}
