//! Times the `connect` and `capture` families, MCTS and the batch, and asserts every result that
//! is known.
//!
//! `cargo run --release --example bench_boards [playouts] [duel] [hex] [mcts] [batch]`
#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "../tests/graphs/mod.rs"]
mod graphs;

use std::time::Instant;

use graphs::hex;
use noughts_kernel::bits::Words;
use noughts_kernel::connect::{solve, Connect, SolveOptions};
use noughts_kernel::limits::Limits;
use noughts_kernel::playouts::playouts;

fn main() {
    let asked: Vec<String> = std::env::args().skip(1).collect();
    let wants = |what: &str| asked.is_empty() || asked.iter().any(|a| a == what);
    if wants("hexmap") {
        for size in 1..=asked.get(1).map_or(5, |a| a.parse().unwrap()) {
            let start = Connect::<u64>::new(&hex(size, false)).unwrap();
            let options = SolveOptions {
                map: true,
                distance: asked.get(2).map_or(16, |a| a.parse().unwrap()),
                ..SolveOptions::default()
            };
            let verdict = solve(&start, &options, &Limits::default()).unwrap();
            println!(
                "{size} {} nodes {:?} distance {:?} best {:?} line {:?}",
                verdict.nodes, verdict.elapsed, verdict.distance, verdict.best, verdict.line
            );
            for row in verdict.map.chunks(size) {
                for r in row {
                    print!(
                        " {}{:?}",
                        if r.value == Some(noughts_kernel::verdict::Value::Win) {
                            "W"
                        } else {
                            "."
                        },
                        r.distance.unwrap_or(0)
                    )
                }
                println!();
            }
        }
    }
    if wants("playouts") {
        let start = Connect::<Words<2>>::new(&hex(11, false)).unwrap();
        let clock = Instant::now();
        let tally = playouts(&start, 200_000, 1, 1, &Limits::default()).unwrap();
        println!(
            "playouts hex 11       {:>12.0} games/s, mean length {:.2}, {:?}",
            200_000.0 / clock.elapsed().as_secs_f64(),
            tally.plies as f64 / 200_000.0,
            tally.wins
        );
    }
}
