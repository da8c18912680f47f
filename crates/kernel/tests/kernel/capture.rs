//! Infinity Grid Duel: facts, a naive twin, and the solver against plain minimax.

use crate::graphs::{
    advancing_agrees, any_graph, counting_agrees, duel, legal, legality_agrees, told,
};
use noughts_kernel::bits::{Bits, Wide, Words};
use noughts_kernel::capture::{Capture, CaptureTables};
use noughts_kernel::error::KernelError;
use noughts_kernel::limits::{Limits, Stop};
use noughts_kernel::native::unlimited;
use noughts_kernel::position::{Move, Outcome, Position, PASS};
use noughts_kernel::search::{Options, Solve, Value};
use proptest::prelude::*;

/// The rules word by word, on a plain vector.
#[derive(Clone, Debug)]
struct Naive {
    tables: CaptureTables,
    cells: Vec<Option<u8>>,
    turn: u8,
}

impl Naive {
    fn tiles(&self) -> usize {
        self.cells.iter().flatten().count()
    }

    fn places(&self, seat: u8) -> Vec<Move> {
        (0..self.cells.len())
            .filter(|&cell| self.cells[cell].is_none())
            .filter(|&cell| {
                self.tiles() < 2
                    || self.tables.neighbours[cell]
                        .iter()
                        .any(|&other| self.cells[usize::from(other)] == Some(seat))
            })
            .map(|cell| cell as Move)
            .collect()
    }

    fn over(&self) -> bool {
        self.places(0).is_empty() && self.places(1).is_empty()
    }

    fn margin(&self, seat: u8) -> i32 {
        let count = |of: u8| self.cells.iter().filter(|&&mark| mark == Some(of)).count() as i32;
        count(seat) - count(1 - seat)
    }

    fn outcome(&self) -> Option<Outcome> {
        self.over().then(|| match self.margin(0) {
            0 => Outcome::Draw,
            1.. => Outcome::Win(0),
            _ => Outcome::Win(1),
        })
    }

    fn legal(&self) -> Vec<Move> {
        if self.over() {
            return Vec::new();
        }
        let places = self.places(self.turn);
        if places.is_empty() {
            vec![PASS]
        } else {
            places
        }
    }

    fn play(&mut self, mv: Move) {
        if mv != PASS {
            let opening = self.tiles() < 2;
            self.cells[mv as usize] = Some(self.turn);
            if !(opening && self.tables.peaceful) {
                for &other in &self.tables.neighbours[mv as usize] {
                    if self.cells[usize::from(other)].is_some() {
                        self.cells[usize::from(other)] = Some(self.turn);
                    }
                }
            }
        }
        if !self.over() {
            self.turn = 1 - self.turn;
        }
    }

    /// The margin under best play for the seat to move, and the length of the principal line.
    fn solve(&self) -> (i32, u32, Vec<Move>) {
        let mut best = (i32::MIN, 0, Vec::new());
        for mv in self.legal() {
            let mut next = self.clone();
            next.play(mv);
            let (margin, length, _) = next.solve();
            let margin = if next.turn == self.turn {
                margin
            } else {
                -margin
            };
            if margin > best.0 {
                best = (margin, length + 1, vec![mv]);
            } else if margin == best.0 {
                best.2.push(mv);
            }
        }
        if best.2.is_empty() {
            return (self.margin(self.turn), 0, Vec::new());
        }
        best
    }
}

fn tables_of(neighbours: Vec<Vec<u16>>, peaceful: bool) -> CaptureTables {
    CaptureTables {
        cells: neighbours.len(),
        neighbours,
        peaceful,
        symmetries: Vec::new(),
    }
}

/// Plays the picked moves on both, comparing at every step and on the way back.
fn compare<B: Bits>(naive: &mut Naive, picks: &[usize]) {
    let mut position = Capture::<B>::setup(&naive.tables, &naive.cells, naive.turn).unwrap();
    let mut undos = Vec::new();
    for &pick in picks {
        assert_eq!(legal(&position), naive.legal());
        assert!(legality_agrees(&position));
        assert!(advancing_agrees(&position));
        assert_eq!(position.outcome(), naive.outcome());
        assert_eq!(position.turn(), naive.turn);
        assert_eq!(position.margin(0), naive.margin(0));
        for (cell, &mark) in naive.cells.iter().enumerate() {
            assert_eq!(position.at(cell), mark);
        }
        let fresh = position.with_cells(&naive.cells, naive.turn).unwrap();
        assert_eq!(told(&fresh), told(&position));
        let moves = naive.legal();
        if moves.is_empty() {
            break;
        }
        let mv = moves[pick % moves.len()];
        naive.play(mv);
        undos.push((told(&position), position.play(mv)));
    }
    for (before, undo) in undos.into_iter().rev() {
        position.undo(undo);
        assert_eq!(told(&position), before);
    }
}

fn any_position(most: usize) -> impl Strategy<Value = Naive> {
    (any_graph(most), any::<bool>(), 0u8..2).prop_flat_map(|(neighbours, peaceful, turn)| {
        let cells = neighbours.len();
        proptest::collection::vec(
            prop_oneof![2 => Just(None), 1 => Just(Some(0)), 1 => Just(Some(1))],
            cells,
        )
        .prop_map(move |cells| Naive {
            tables: tables_of(neighbours.clone(), peaceful),
            cells,
            turn,
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn equals_its_naive_twin(
        mut naive in any_position(14),
        empty in any::<bool>(),
        picks in proptest::collection::vec(any::<usize>(), 40),
    ) {
        if empty {
            naive.cells.fill(None);
        }
        compare::<u64>(&mut naive.clone(), &picks);
        compare::<Words<3>>(&mut naive, &picks);
    }

    #[test]
    fn solver_equals_plain_minimax(naive in any_position(8), table in any::<bool>()) {
        let position = Capture::<u64>::setup(&naive.tables, &naive.cells, naive.turn).unwrap();
        let (margin, distance, best) = naive.solve();
        let options = Options { table, ..Options::default() };
        let verdict = position.solve(&options, &unlimited()).unwrap();
        prop_assert_eq!(verdict.bounds.margin, Some((margin, margin)));
        prop_assert_eq!(verdict.value(), Some(Value::of_margin(margin)));
        prop_assert_eq!(verdict.distance(), Some(distance));
        prop_assert_eq!(verdict.best, best);
        prop_assert_eq!(verdict.line.len() as u32, distance);
        let map = position.map(&options, &unlimited()).unwrap();
        prop_assert_eq!(map.moves.iter().map(|entry| entry.mv).collect::<Vec<_>>(), naive.legal());
        for rated in map.moves {
            let mut next = naive.clone();
            next.play(rated.mv);
            let (margin, distance, _) = next.solve();
            let margin = if next.turn == naive.turn { margin } else { -margin };
            prop_assert_eq!(rated.bounds.margin, Some((margin, margin)));
            prop_assert_eq!(rated.bounds.distance(), Some(distance + 1));
        }
    }

    #[test]
    fn symmetric_images_share_their_canonical_key(
        rows in 1usize..5,
        columns in 1usize..5,
        picks in proptest::collection::vec(any::<usize>(), 0..30),
    ) {
        let tables = duel(rows, columns, true);
        let mut position = Capture::<u64>::new(&tables).unwrap();
        for pick in picks {
            let moves = legal(&position);
            if moves.is_empty() {
                break;
            }
            position.play(moves[pick % moves.len()]);
        }
        for symmetry in &tables.symmetries {
            let mut cells = vec![None; rows * columns];
            for (cell, &to) in symmetry.iter().enumerate() {
                cells[usize::from(to)] = position.at(cell);
            }
            let image = position.with_cells(&cells, position.turn()).unwrap();
            prop_assert_eq!(image.canonical_key(), position.canonical_key());
        }
    }

    #[test]
    fn any_tables_are_taken_or_refused(
        cells in 0usize..70,
        neighbours in proptest::collection::vec(proptest::collection::vec(0u16..8, 0..4), 0..8),
        symmetries in proptest::collection::vec(proptest::collection::vec(0u16..8, 0..8), 0..3),
        turn in 0u8..4,
    ) {
        let tables = CaptureTables { cells, neighbours, peaceful: false, symmetries };
        if let Ok(position) = Capture::<u64>::setup(&tables, &vec![None; cells], turn) {
            prop_assert!(legality_agrees(&position));
        }
    }

    #[test]
    fn means_do_not_change_the_answer(
        picks in proptest::collection::vec(any::<usize>(), 6..14),
        peaceful in any::<bool>(),
        memory in 0usize..4000,
    ) {
        let mut position = Capture::<u64>::new(&duel(4, 4, peaceful)).unwrap();
        for pick in picks {
            let moves = legal(&position);
            if moves.is_empty() {
                break;
            }
            position.play(moves[pick % moves.len()]);
        }
        let full = Options::default();
        let rich = unlimited();
        let truth = position.solve(&full, &rich).unwrap();
        let map = position.map(&full, &rich).unwrap();
        let poor = Limits { memory, ..unlimited() };
        let plain = Options { symmetry: false, ..full };
        let small = Options { table_memory: memory, ..full };
        for (options, limits) in [(full, &poor), (plain, &rich), (plain, &poor), (small, &rich)] {
            let verdict = position.solve(&options, limits).unwrap();
            prop_assert_eq!(&verdict.bounds, &truth.bounds);
            prop_assert_eq!(&verdict.best, &truth.best);
            prop_assert_eq!(&verdict.line, &truth.line);
            prop_assert_eq!(&position.map(&options, limits).unwrap().moves, &map.moves);
        }
    }
}

fn margin(rows: usize, columns: usize, peaceful: bool) -> i32 {
    let position = Capture::<u64>::new(&duel(rows, columns, peaceful)).unwrap();
    let verdict = position.solve(&Options::default(), &unlimited()).unwrap();
    let (lower, upper) = verdict.bounds.margin.unwrap();
    assert_eq!(lower, upper);
    lower
}

// Source: facts.md, enumerated by two independent programs.
#[test]
fn margins_of_small_boards() {
    for (rows, columns, fierce, peaceful) in [
        (2, 2, -4, -2),
        (3, 3, -9, 7),
        (3, 4, -12, 0),
        (4, 4, -16, 0),
        (4, 5, -20, 0),
    ] {
        assert_eq!(margin(rows, columns, false), fierce);
        assert_eq!(margin(rows, columns, true), peaceful);
    }
}

#[test]
fn one_cell_is_a_game_of_one_move() {
    let mut position = Capture::<u64>::new(&duel(1, 1, false)).unwrap();
    position.play(0);
    assert_eq!(position.outcome(), Some(Outcome::Win(0)));
    assert_eq!(position.turn(), 0);
}

#[test]
fn a_stopped_search_tells_bounds() {
    let position = Capture::<u64>::new(&duel(6, 6, true)).unwrap();
    let limits = Limits {
        nodes: Some(2000),
        ..unlimited()
    };
    let verdict = position.solve(&Options::default(), &limits).unwrap();
    assert_eq!(verdict.stopped, Some(Stop::Nodes));
    assert!(!verdict.proven());
    assert!(verdict.best.is_empty() && verdict.line.is_empty());
    assert_eq!(verdict.distance(), None);
    assert!(verdict.nodes <= 2000);
}

#[test]
fn wide_boards_play_too() {
    let mut position = Capture::<Wide>::new(&duel(20, 20, true)).unwrap();
    let mut plies = 0;
    while position.outcome().is_none() {
        let moves = legal(&position);
        position.play(moves[(plies * 7919) % moves.len()]);
        plies += 1;
    }
    assert_eq!(
        (0..400).filter(|&cell| position.at(cell).is_some()).count(),
        400
    );
    assert!(matches!(
        Capture::<u64>::new(&duel(20, 20, true)),
        Err(KernelError::Tables(_))
    ));
}

#[test]
fn counting_knows_that_positions_come_up_again() {
    for peaceful in [false, true] {
        counting_agrees(&Capture::<u64>::new(&duel(2, 2, peaceful)).unwrap());
        counting_agrees(&Capture::<u64>::new(&duel(2, 4, peaceful)).unwrap());
        counting_agrees(&Capture::<u64>::new(&duel(3, 3, peaceful)).unwrap());
    }
}

// Test threads have 2 MiB of stack; the search goes one ply deeper for every cell.
#[test]
fn the_widest_board_searches_to_its_end() {
    let position = Capture::<Wide>::new(&duel(20, 20, true)).unwrap();
    let limits = Limits {
        nodes: Some(20_000),
        memory: 1 << 20,
        ..unlimited()
    };
    let verdict = position.solve(&Options::default(), &limits).unwrap();
    assert_eq!(verdict.stopped, Some(Stop::Nodes));
}
