#![allow(missing_docs, clippy::unwrap_used)]
#[path = "../tests/boards/mod.rs"]
mod boards;
use noughts_kernel::{limits::Limits, lines::Lines, mcts::*};
fn main() {
    let solver = std::env::args().nth(1).unwrap() == "1";
    let start = Lines::<u64>::new(&boards::grid(&[3, 3], 3)).unwrap();
    let clock = std::time::Instant::now();
    let mut n = 0;
    for seed in 0..60 {
        let r = mcts(
            &start,
            &MctsOptions {
                simulations: 60_000,
                seed,
                solver,
                ..Default::default()
            },
            &Limits::default(),
        )
        .unwrap();
        n += r.simulations;
    }
    println!(
        "{} sims {:.0}/s",
        n,
        n as f64 / clock.elapsed().as_secs_f64()
    );
}
