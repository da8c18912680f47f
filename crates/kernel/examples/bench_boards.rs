//! Times the `connect` and `capture` families, MCTS and the batch, and asserts every result that
//! is known.
//!
//! `cargo run --release --example bench_boards [playouts] [duel] [hex] [mcts] [batch]`
#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "../tests/graphs/mod.rs"]
mod graphs;

#[path = "../tests/boards/mod.rs"]
mod boards;

use std::time::Instant;

use boards::grid;
use graphs::{duel, hex};
use noughts_kernel::bits::{Wide, Words};
use noughts_kernel::capture::Capture;
use noughts_kernel::connect::{solve, Connect, SolveOptions};
use noughts_kernel::limits::Limits;
use noughts_kernel::lines::Lines;
use noughts_kernel::mcts::{mcts, MctsOptions};
use noughts_kernel::playouts::playouts;
use noughts_kernel::position::Position;

fn simulate<P: Position>(name: &str, start: &P, simulations: u64) {
    let options = MctsOptions {
        simulations,
        ..MctsOptions::default()
    };
    for solver in [false, true] {
        let options = MctsOptions { solver, ..options };
        let found = mcts(start, &options, &Limits::default()).unwrap();
        println!(
            "mcts     {name:<12} {:>12.0} simulations/s, solver {solver:<5} {} simulations, proven {:?}, best {:?}, {} bytes full {}",
            found.simulations as f64 / found.elapsed.as_secs_f64(),
            found.simulations,
            found.proven,
            found.best,
            found.bytes, found.full
        );
    }
}

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
    if wants("mcts") {
        let small = |dims: &[usize], k| Lines::<u64>::new(&grid(dims, k)).unwrap();
        simulate("3x3", &small(&[3, 3], 3), 1_000_000);
        simulate("4x4", &small(&[4, 4], 4), 500_000);
        simulate(
            "15x15 k=5",
            &Lines::<Wide>::new(&grid(&[15, 15], 5)).unwrap(),
            100_000,
        );
        simulate(
            "hex 11",
            &Connect::<Words<2>>::new(&hex(11, false)).unwrap(),
            100_000,
        );
        simulate(
            "duel 6",
            &Capture::<u64>::new(&duel(6, 6, true)).unwrap(),
            100_000,
        );
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
