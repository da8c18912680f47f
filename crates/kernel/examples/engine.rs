//! Times the engine on fixed 15x15 positions, and plays it against MCTS.
//!
//! `cargo run --release --example engine [speed] [threads] [match] [seconds=1] [depth=8] [fours=40]
//! [games=10]`
#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "../tests/kernel/boards/mod.rs"]
mod boards;

use std::time::Duration;

use boards::grid;
use noughts_kernel::bits::Wide;
use noughts_kernel::host::Clock;
use noughts_kernel::limits::Limits;
use noughts_kernel::lines::Lines;
use noughts_kernel::mcts::{mcts, MctsOptions};
use noughts_kernel::native::{within, Native};
use noughts_kernel::position::{Move, Outcome, Position};
use noughts_kernel::rng::Rng;
use noughts_kernel::search::{think, Engine, EngineOptions};

type Gomoku = Lines<Wide>;

/// Middle games: undecided positions of 10 to 29 plies, each line the cells played on a 15x15 board.
const POSITIONS: &str = include_str!("../../../benchmarks/gomoku.txt");

fn positions() -> Vec<Vec<Move>> {
    let cells = |line: &str| line.split(' ').map(|cell| cell.parse().unwrap()).collect();
    POSITIONS.lines().map(cells).collect()
}

fn after(moves: &[Move]) -> Gomoku {
    let mut game = Gomoku::new(&grid(&[15, 15], 5)).unwrap();
    for mv in moves {
        game.try_play(*mv).unwrap();
    }
    game
}

fn seconds_of(seconds: f64) -> Limits<'static> {
    within(Duration::from_secs_f64(seconds))
}

/// Seconds this thread has run; on a busy machine less than the wall clock says.
fn cpu() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(text.split(' ').next()?.parse::<f64>().ok()? / 1e9)
}

fn speed(seconds: f64, threads: usize, depth: Option<u32>, fours: u32) {
    let options = EngineOptions {
        threads,
        depth,
        fours,
        ..EngineOptions::default()
    };
    let (mut nodes, mut time, mut depths) = (0, 0.0, 0);
    let began = cpu();
    for (index, moves) in positions().iter().enumerate() {
        let found = think(&after(moves), &options, &seconds_of(seconds)).unwrap();
        let spent = found.elapsed.as_secs_f64();
        println!(
            "engine   position {index} ({:>2} plies) depth {:>2}, {:>9.0} nodes/s, {spent:.3} s, move {:>3}, score {}, {:?}",
            moves.len(),
            found.depth,
            found.nodes as f64 / spent,
            found.best,
            found.score,
            found.proven,
        );
        nodes += found.nodes;
        time += spent;
        depths += found.depth;
    }
    println!(
        "engine   {threads} thread(s), {seconds} s each: {nodes} nodes, {:.0} nodes/s, mean depth {:.1}",
        nodes as f64 / time,
        f64::from(depths) / positions().len() as f64
    );
    if let (1, Some(began), Some(ended)) = (threads, began, cpu()) {
        println!(
            "engine   {:.0} nodes per second of processor time, which was {:.0} % of the time",
            nodes as f64 / (ended - began),
            100.0 * (ended - began) / time
        );
    }
}

/// Plays one game from an opening; returns the winner.
fn play(opening: &[Move], engine_seat: u8, seconds: f64, seed: u64) -> Option<u8> {
    let mut game = after(opening);
    let mut engine = Engine::new();
    while game.outcome().is_none() {
        let limits = seconds_of(seconds);
        let mv = if game.turn() == engine_seat {
            let found = engine
                .think(&game, &EngineOptions::default(), &limits)
                .unwrap();
            assert!(Native.now() <= limits.deadline.unwrap(), "late");
            found.best
        } else {
            let options = MctsOptions {
                simulations: u64::MAX >> 8,
                seed,
                ..MctsOptions::default()
            };
            mcts(&game, &options, &limits).unwrap().best.unwrap()
        };
        game.try_play(mv).unwrap();
    }
    match game.outcome() {
        Some(Outcome::Win(seat)) => Some(seat),
        _ => None,
    }
}

/// Two first moves near the middle, different for each number.
fn opening(number: u64) -> Vec<Move> {
    let mut rng = Rng::new(7, number);
    let mut near = || (4 + rng.below(7)) as Move * 15 + (4 + rng.below(7)) as Move;
    let first = near();
    loop {
        let second = near();
        if second != first {
            return vec![first, second];
        }
    }
}

fn tournament(seconds: f64, games: u64) {
    let (mut won, mut drawn) = (0, 0);
    for number in 0..games {
        let seat = (number % 2) as u8;
        match play(&opening(number / 2), seat, seconds, number) {
            Some(winner) if winner == seat => won += 1,
            None => drawn += 1,
            Some(_) => {}
        }
    }
    println!("engine   {won} won, {drawn} drawn of {games} games against mcts, {seconds} s a move");
}

fn main() {
    let asked: Vec<String> = std::env::args().skip(1).collect();
    let wants = |what: &str| {
        let modes: Vec<_> = asked.iter().filter(|a| !a.contains('=')).collect();
        modes.is_empty() || modes.iter().any(|a| *a == what)
    };
    let value = |name: &str| {
        let found = asked
            .iter()
            .find_map(|a| a.strip_prefix(name)?.strip_prefix('='));
        found.map(|number| number.parse::<f64>().unwrap())
    };
    let depth = value("depth").map(|depth| depth as u32);
    let fours = value("fours").map_or(EngineOptions::default().fours, |fours| fours as u32);
    if wants("speed") {
        speed(value("seconds").unwrap_or(1.0), 1, depth, fours);
    }
    if wants("threads") {
        speed(value("seconds").unwrap_or(1.0), 2, depth, fours);
    }
    if wants("match") {
        let games = value("games").unwrap_or(10.0) as u64;
        tournament(value("seconds").unwrap_or(0.1), games);
    }
}
