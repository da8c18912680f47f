//! Cells not worth trying, read off the graph in which a seat's stones are nothing but links.
//!
//! For one seat, an empty cell is *near* another when they touch or touch the same chain of the seat.
//! A cell whose near cells (and edges) are all near each other lies on no shortest chain: it is
//! dead, its colour never matters. A stone that makes a cell dead *kills* it. Then, for the seat to
//! move:
//!
//! - a dead cell is not worth a stone;
//! - a cell that another own stone would kill is dominated: the killer is at least as good;
//! - a cell that an opposing stone would kill is vulnerable: the opponent answers with that stone and
//!   has gained a move.
//!
//! Dead cells, vulnerable cells and cells dominated by one that is neither can be left out together
//! as long as something is left (Björnsson, Hayward, Johanson, van Rijswijck: Dead cell analysis
//! in Hex and the Shannon game, 2007). A loss proven without a vulnerable cell needs its killer.

use crate::bits::Bits;
use crate::connect::rules::Rules;

/// The graph of one seat: near cells, and the cells that touch either edge.
struct Links<B: Bits> {
    near: Vec<B>,
    /// Near, or at the same edge.
    wide: Vec<B>,
    at_edge: [B; 2],
}

impl<B: Bits> Links<B> {
    fn new(rules: &Rules<B>, seat: usize, stones: B, empties: B) -> Self {
        let graph = &rules.graph;
        let mut at_edge = rules.edges[seat].map(|edge| edge.and(&empties));
        let mut near: Vec<B> = graph
            .neighbours
            .iter()
            .map(|around| around.and(&empties))
            .collect();
        let mut left = stones;
        while let Some(stone) = left.first() {
            let chain = rules.flood(B::one(stone), stones);
            left = left.minus(&chain);
            let around = graph.around(chain).and(&empties);
            let mut inside = true;
            for (edge, cells) in rules.edges[seat].iter().zip(&mut at_edge) {
                if chain.meets(edge) {
                    *cells = cells.or(&around);
                    inside = false;
                }
            }
            if inside {
                for cell in around.iter() {
                    near[cell] = near[cell].or(&around);
                    near[cell].remove(cell);
                }
            }
        }
        let wide = near
            .iter()
            .enumerate()
            .map(|(cell, near)| {
                let mut wide = *near;
                for edge in &at_edge {
                    if edge.has(cell) {
                        wide = wide.or(edge);
                    }
                }
                wide
            })
            .collect();
        Self {
            near,
            wide,
            at_edge,
        }
    }

    fn dead(&self, cell: usize) -> bool {
        let near = self.near[cell];
        let [a, b] = &self.at_edge;
        if (a.has(cell) && !a.contains(&near)) || (b.has(cell) && !b.contains(&near)) {
            return false;
        }
        if a.has(cell) && b.has(cell) {
            return false;
        }
        near.iter().all(|other| {
            let mut rest = near;
            rest.remove(other);
            self.wide[other].contains(&rest)
        })
    }

    /// Whether a stone in `killer` makes `cell` dead.
    fn kills(&self, killer: usize, cell: usize) -> bool {
        let mut rest = self.near[cell];
        rest.remove(killer);
        self.wide[killer].contains(&rest)
            && self
                .at_edge
                .iter()
                .all(|edge| !edge.has(cell) || edge.has(killer))
    }

    /// The cells that could kill a cell.
    fn suspects(&self, cell: usize) -> B {
        let near = self.near[cell];
        let mut suspects = match near.first() {
            Some(first) => near.or(&self.wide[first]),
            None => B::default(),
        };
        suspects.remove(cell);
        suspects
    }
}

/// The cells a seat may leave out.
pub(super) struct Inferior<B: Bits> {
    /// All of them.
    pub cells: B,
    /// Those an opposing stone would kill.
    pub vulnerable: B,
    theirs: Links<B>,
}

impl<B: Bits> Inferior<B> {
    /// Finds them among the empty cells for the seat to move.
    pub fn new(rules: &Rules<B>, stones: &[B; 2], seat: usize, empties: B) -> Self {
        let ours = Links::new(rules, seat, stones[seat], empties);
        let theirs = Links::new(rules, 1 - seat, stones[1 - seat], empties);
        let mut cells = B::default();
        let mut vulnerable = B::default();
        for cell in empties.iter() {
            if ours.dead(cell) || theirs.dead(cell) {
                cells.insert(cell);
            } else if theirs
                .suspects(cell)
                .iter()
                .any(|killer| theirs.kills(killer, cell))
            {
                cells.insert(cell);
                vulnerable.insert(cell);
            }
        }
        for cell in empties.minus(&cells).iter() {
            // Only a cell that stays may dominate, so that every chain ends at one that stays.
            let dominated = ours
                .suspects(cell)
                .minus(&cells)
                .iter()
                .any(|killer| ours.kills(killer, cell));
            if dominated {
                cells.insert(cell);
            }
        }
        Self {
            cells,
            vulnerable,
            theirs,
        }
    }

    /// A carrier together with a killer for each of some vulnerable cells.
    pub fn answered(&self, cells: B, carrier: B) -> B {
        let mut answered = carrier;
        for cell in cells.and(&self.vulnerable).iter() {
            let mut killers = self
                .theirs
                .suspects(cell)
                .iter()
                .filter(|&killer| self.theirs.kills(killer, cell));
            let first = killers.next();
            let inside = first
                .into_iter()
                .chain(killers)
                .find(|&killer| answered.has(killer));
            if let (None, Some(first)) = (inside, first) {
                answered.insert(first);
            }
        }
        answered
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use crate::connect::position::Connect;
    use crate::connect::rules::ConnectTables;
    use crate::connect::solve::search::Search;
    use crate::limits::{Limits, Meter};
    use crate::position::{Outcome, Position};
    use crate::search::Options;
    use proptest::prelude::*;

    fn slab(rows: usize, columns: usize) -> ConnectTables {
        let at = |row: isize, column: isize| {
            let inside =
                (0..rows as isize).contains(&row) && (0..columns as isize).contains(&column);
            inside.then_some((row * columns as isize + column) as u16)
        };
        let cells = (0..(rows * columns) as isize)
            .map(|cell| (cell / columns as isize, cell % columns as isize));
        let steps = [(-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0)];
        let pick = |keep: &dyn Fn(isize, isize) -> bool| -> Vec<u16> {
            let kept = cells.clone().filter(|&(row, column)| keep(row, column));
            kept.filter_map(|(row, column)| at(row, column)).collect()
        };
        ConnectTables {
            cells: rows * columns,
            neighbours: cells
                .clone()
                .map(|(row, column)| {
                    let near = steps
                        .iter()
                        .map(|(down, right)| at(row + down, column + right));
                    near.flatten().collect()
                })
                .collect(),
            edges: [
                [
                    pick(&|row, _| row == 0),
                    pick(&|row, _| row == rows as isize - 1),
                ],
                [
                    pick(&|_, column| column == 0),
                    pick(&|_, column| column == columns as isize - 1),
                ],
            ],
            swap: None,
            symmetries: Vec::new(),
        }
    }

    /// Whether the seat to move wins, by nothing but the rules.
    fn wins(position: &mut Connect<u64>) -> bool {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let seat = position.turn();
        moves.into_iter().any(|mv| {
            let undo = position.play(mv);
            let won = match position.outcome() {
                Some(outcome) => outcome == Outcome::Win(seat),
                None => !wins(position),
            };
            position.undo(undo);
            won
        })
    }

    /// Solves a position and gives the loser every cell that the proof does not need.
    fn check(position: &Connect<u64>) {
        if position.outcome().is_some() {
            return;
        }
        let meter = Meter::new(&Limits::default());
        let mut search = Search::new(&position.rules, meter, &Options::default(), 1 << 16);
        let node = search.node(position);
        let known = search.search(&node);
        let win = known.solved().unwrap();
        let seat = position.turn();
        let loser = if win { 1 - seat } else { seat };
        let given: Vec<Option<u8>> = (0..position.cells())
            .map(|cell| match position.at(cell) {
                None if known.carrier >> cell & 1 == 0 => Some(loser),
                mark => mark,
            })
            .collect();
        let mut given = position.with_cells(&given, seat, false).unwrap();
        let won = match given.outcome() {
            Some(outcome) => outcome == Outcome::Win(seat),
            None => wins(&mut given),
        };
        assert_eq!(won, win);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1500))]

        #[test]
        fn a_carrier_is_all_its_winner_needs(
            rows in 2usize..5,
            columns in 2usize..5,
            turn in 0u8..2,
            picks in proptest::collection::vec(any::<usize>(), 3..9),
        ) {
            let tables = slab(rows, columns);
            let cells = vec![None; tables.cells];
            let mut position = Connect::<u64>::setup(&tables, &cells, turn, false).unwrap();
            for pick in picks {
                let mut moves = Vec::new();
                position.legal_moves(&mut moves);
                if moves.is_empty() {
                    break;
                }
                position.play(moves[pick % moves.len()]);
            }
            check(&position);
        }
    }

    // Without the killer of a vulnerable cell the carrier of this loss would be too small.
    #[test]
    fn a_carrier_holds_the_killers() {
        let tables = slab(4, 4);
        let mut position = Connect::<u64>::new(&tables).unwrap();
        for mv in [9, 8, 12, 10, 13, 15, 11] {
            position.play(mv);
        }
        check(&position);
    }
}
