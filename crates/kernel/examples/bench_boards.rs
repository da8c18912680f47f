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
use noughts_kernel::connect::Connect;
use noughts_kernel::limits::Limits;
use noughts_kernel::playouts::playouts;

fn main() {
    let asked: Vec<String> = std::env::args().skip(1).collect();
    let wants = |what: &str| asked.is_empty() || asked.iter().any(|a| a == what);
    if wants("hexmap") {
        for size in 1..=asked.get(1).map_or(5, |a| a.parse().unwrap()) {
            let start = Connect::<u64>::new(&hex(size, false)).unwrap();
            let clock = Instant::now();
            let (map, nodes) = noughts_kernel::connect::solve::try_map(&start, &Limits::default());
            println!("{size} {nodes} nodes {:?}", clock.elapsed());
            for row in map.as_bytes().chunks(size) {
                println!("  {}", std::str::from_utf8(row).unwrap())
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
