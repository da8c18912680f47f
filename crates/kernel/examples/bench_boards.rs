//! Times the `connect` and `capture` families, MCTS and the batch, and asserts every result that
//! is known.
//!
//! `cargo run --release --example bench_boards [playouts] [duel] [hex] [mcts] [batch] [beyond]`
//!
//! Times are processor time where the system tells it. `beyond` takes about a minute and is run
//! only when asked for.
#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "../tests/kernel/graphs/mod.rs"]
mod graphs;

#[path = "../tests/kernel/boards/mod.rs"]
mod boards;

use std::sync::OnceLock;
use std::time::Instant;

use boards::grid;
use graphs::{duel, hex};
use noughts_kernel::batch::Batch;
use noughts_kernel::bits::{Wide, Words};
use noughts_kernel::capture::Capture;
use noughts_kernel::connect::Connect;
use noughts_kernel::lines::Lines;
use noughts_kernel::mcts::{mcts, MctsOptions};
use noughts_kernel::native::unlimited;
use noughts_kernel::playouts::playouts;
use noughts_kernel::position::Position;
use noughts_kernel::search::{Options, Solve, Value, ValueMap};

/// Seconds this thread has had a processor, so that a busy machine does not blur the figures; the
/// wall clock where the system does not tell.
fn processor_seconds() -> f64 {
    static START: OnceLock<Instant> = OnceLock::new();
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanos = told.and_then(|text| text.split_whitespace().next()?.parse::<f64>().ok());
    nanos.map_or_else(
        || START.get_or_init(Instant::now).elapsed().as_secs_f64(),
        |nanos| nanos / 1e9,
    )
}

/// Runs something and tells how long it took.
fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let before = processor_seconds();
    let result = work();
    (result, processor_seconds() - before)
}

fn simulate<P: Position>(name: &str, start: &P, simulations: u64) {
    let options = MctsOptions {
        simulations,
        ..MctsOptions::default()
    };
    for solver in [false, true] {
        let options = MctsOptions { solver, ..options };
        let (found, seconds) = timed(|| mcts(start, &options, &unlimited()).unwrap());
        println!(
            "mcts     {name:<12} {:>12.0} simulations/s, solver {}, {} simulations, proven {:?}",
            found.simulations as f64 / seconds,
            if solver { "on " } else { "off" },
            found.simulations,
            found.proven
        );
    }
}

fn step<P: Position>(name: &str, start: &P, steps: u64) {
    let games = 4096;
    let mut batch = Batch::new(start, games, 1, 1 << 30).unwrap();
    let (cells, actions) = (start.cells(), batch.actions());
    let mut observations = vec![0; games * cells];
    let mut legal = vec![0; games * actions];
    let mut rewards = vec![0.0; games * usize::from(start.players())];
    let mut done = vec![0; games];
    for arrays in [false, true] {
        let before = batch.finished();
        let ((), seconds) = timed(|| {
            for _ in 0..steps {
                batch.step_random();
                if arrays {
                    batch.observe(&mut observations).unwrap();
                    batch.legal(&mut legal).unwrap();
                    batch.rewards(&mut rewards).unwrap();
                    batch.done(&mut done).unwrap();
                }
            }
        });
        println!(
            "batch    {name:<12} {:>12.0} games/s, {:>12.0} steps/s{}",
            (batch.finished() - before) as f64 / seconds,
            (steps * games as u64) as f64 / seconds,
            if arrays { ", all arrays written" } else { "" }
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
            let (map, seconds) = timed(|| start.map(&Options::default(), &unlimited()).unwrap());
            assert_eq!(openings(&map, size), winning);
            println!(
                "solve    hex {size} map    {:>9} nodes {seconds:.4} s",
                map.nodes
            );
        }
    }
    if asked.iter().any(|a| a == "beyond") {
        let start = Connect::<u64>::new(&hex(6, false)).unwrap();
        let (map, seconds) = timed(|| start.map(&Options::default(), &unlimited()).unwrap());
        let winning = openings(&map, 6);
        println!(
            "solve    hex 6 map    {:>9} nodes {seconds:.2} s, {winning}",
            map.nodes
        );
        let mut start = Connect::<u64>::new(&hex(7, false)).unwrap();
        start.play(24);
        let (verdict, seconds) = timed(|| start.solve(&Options::default(), &unlimited()).unwrap());
        assert_eq!(verdict.value(), Some(Value::Loss));
        println!(
            "solve    hex 7 after the centre {:>9} nodes {seconds:.2} s",
            verdict.nodes
        );
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
            let (verdict, seconds) =
                timed(|| start.solve(&Options::default(), &unlimited()).unwrap());
            assert_eq!(verdict.bounds.margin, Some((margin, margin)));
            println!(
                "solve    duel {rows}x{columns} {} {:>9} nodes {seconds:.4} s, margin {margin}",
                if peaceful { "peaceful" } else { "fierce  " },
                verdict.nodes
            );
        }
    }
    if wants("batch") {
        let small = |dims: &[usize], k| Lines::<u64>::new(&grid(dims, k)).unwrap();
        step("3x3", &small(&[3, 3], 3), 2_000);
        step("4x4", &small(&[4, 4], 4), 1_000);
        step(
            "hex 11",
            &Connect::<Words<2>>::new(&hex(11, true)).unwrap(),
            200,
        );
        step(
            "duel 6",
            &Capture::<u64>::new(&duel(6, 6, true)).unwrap(),
            300,
        );
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
        let (tally, seconds) = timed(|| playouts(&start, 200_000, 1, 1, &unlimited()).unwrap());
        println!(
            "playouts hex 11       {:>12.0} games/s, mean length {:.2}",
            200_000.0 / seconds,
            tally.plies as f64 / 200_000.0
        );
    }
}
