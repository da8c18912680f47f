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
use noughts_kernel::connect::Connect;
use noughts_kernel::limits::Limits;
use noughts_kernel::lines::Lines;
use noughts_kernel::mcts::{mcts, MctsOptions};
use noughts_kernel::playouts::playouts;
use noughts_kernel::position::Position;
use noughts_kernel::solve::{Options, Solve, Value, ValueMap};

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

/// `W` where the first move wins, rows top to bottom.
fn openings(map: &ValueMap, size: usize) -> String {
    let marks: Vec<&str> = map
        .moves
        .iter()
        .map(|entry| match entry.bounds.value() {
            Some(Value::Win) => "W",
            Some(Value::Loss) => ".",
            _ => "?",
        })
        .collect();
    let rows: Vec<String> = marks.chunks(size).map(|row| row.concat()).collect();
    rows.join("/")
}

fn main() {
    let asked: Vec<String> = std::env::args().skip(1).collect();
    let wants = |what: &str| asked.is_empty() || asked.iter().any(|a| a == what);
    if wants("hex") {
        for (size, winning) in [
            (3, "..W/WWW/W.."),
            (4, "...W/..W./.W../W..."),
            (5, "....W/.WWWW/.WWW./WWWW./W...."),
        ] {
            let start = Connect::<u64>::new(&hex(size, false)).unwrap();
            let map = start.map(&Options::default(), &Limits::default()).unwrap();
            assert_eq!(openings(&map, size), winning);
            println!(
                "solve    hex {size} map    {:>9} nodes {:?}",
                map.nodes, map.elapsed
            );
        }
    }
    if wants("duel") {
        for (rows, columns, peaceful, margin) in [
            (4, 4, false, -16),
            (4, 4, true, 0),
            (4, 5, false, -20),
            (4, 5, true, 0),
            (5, 5, true, 5),
            (5, 6, true, 0),
        ] {
            let start = Capture::<u64>::new(&duel(rows, columns, peaceful)).unwrap();
            let verdict = start
                .solve(&Options::default(), &Limits::default())
                .unwrap();
            assert_eq!(verdict.bounds.margin, Some((margin, margin)));
            println!(
                "solve    duel {rows}x{columns} {} {:>9} nodes {:?}, margin {margin}",
                if peaceful { "peaceful" } else { "fierce  " },
                verdict.nodes,
                verdict.elapsed
            );
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
