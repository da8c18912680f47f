//! scratch
use crate::bits::Bits;
use crate::connect::position::Connect;
use crate::connect::search::Search;
use crate::limits::{Limits, Meter};
use crate::position::Position;

/// scratch
pub fn try_map<B: Bits>(position: &Connect<B>, limits: &Limits<'_>) -> (String, u64) {
    let mut search = Search::new(&position.rules, Meter::new(limits), true, true);
    let root = search.node(position);
    let mut out = String::new();
    for cell in 0..position.cells() {
        if position.at(cell).is_some() {
            out.push('x');
            continue;
        }
        let (child, won) = search.child(&root, cell);
        let win = won || search.search(&child).solved() == Some(false);
        out.push(if win { 'W' } else { '.' });
    }
    (out, search.meter.nodes())
}
