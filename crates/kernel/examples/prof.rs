#![allow(missing_docs, clippy::unwrap_used)]
#[path = "../tests/graphs/mod.rs"]
mod graphs;
use noughts_kernel::{connect::*, limits::*, position::*, solve::*};
use std::time::*;
fn main() {
    let a: Vec<usize> = std::env::args()
        .skip(1)
        .map(|x| x.parse().unwrap())
        .collect();
    let mut p = Connect::<u64>::new(&graphs::hex(a[0], false)).unwrap();
    for m in &a[2..] {
        p.play(*m as i16);
    }
    let t = Instant::now();
    let first = std::sync::Mutex::new(None::<Duration>);
    let prog = |p: &Progress| {
        let mut f = first.lock().unwrap();
        if f.is_none_or(|x| p.elapsed - x > Duration::from_secs(10)) {
            *f = Some(p.elapsed);
            eprintln!("{p:?}");
        }
        true
    };
    let l = Limits {
        deadline: Some(t + Duration::from_secs(a[1] as u64)),
        memory: 1 << 29,
        progress: Some(&prog),
        ..Limits::default()
    };
    let v = p.solve(&Options::default(), &l).unwrap();
    println!(
        "{:?} nodes {} {:?} best {:?} {:?}",
        v.value(),
        v.nodes,
        v.elapsed,
        v.best,
        v.stopped
    );
}
