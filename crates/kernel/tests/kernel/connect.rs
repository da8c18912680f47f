//! Hex: facts, a naive twin, and the solver against plain minimax.

use std::time::Duration;

use crate::graphs::{
    advancing_agrees, any_graph, counting_agrees, hex, legal, legality_agrees, slab, told,
};
use noughts_kernel::bits::{Bits, Wide, Words};
use noughts_kernel::connect::{Connect, ConnectTables};
use noughts_kernel::error::KernelError;
use noughts_kernel::limits::{Limits, Stop};
use noughts_kernel::native::{unlimited, within};
use noughts_kernel::playouts::{playout_by_rules, playouts, Scratch, Tally};
use noughts_kernel::position::{Move, Outcome, Position, SWAP};
use noughts_kernel::rng::Rng;
use noughts_kernel::search::{Options, Solve, Value, ValueMap};
use proptest::prelude::*;

/// The rules word by word, on a plain vector.
#[derive(Clone, Debug)]
struct Naive {
    tables: ConnectTables,
    cells: Vec<Option<u8>>,
    turn: u8,
    swap: bool,
}

impl Naive {
    fn joined(&self, seat: u8) -> bool {
        let [from, to] = &self.tables.edges[usize::from(seat)];
        let mut reached: Vec<u16> = from.clone();
        reached.retain(|&cell| self.cells[usize::from(cell)] == Some(seat));
        let mut next = 0;
        while next < reached.len() {
            for &other in &self.tables.neighbours[usize::from(reached[next])] {
                if self.cells[usize::from(other)] == Some(seat) && !reached.contains(&other) {
                    reached.push(other);
                }
            }
            next += 1;
        }
        reached.iter().any(|cell| to.contains(cell))
    }

    fn outcome(&self) -> Option<Outcome> {
        match (self.joined(0), self.joined(1)) {
            (true, _) => Some(Outcome::Win(0)),
            (_, true) => Some(Outcome::Win(1)),
            _ if self.cells.iter().all(Option::is_some) => Some(Outcome::Draw),
            _ => None,
        }
    }

    fn legal(&self) -> Vec<Move> {
        if self.outcome().is_some() {
            return Vec::new();
        }
        let mut moves: Vec<Move> = (0..self.cells.len())
            .filter(|&cell| self.cells[cell].is_none())
            .map(|cell| cell as Move)
            .collect();
        let stones: Vec<u8> = self.cells.iter().flatten().copied().collect();
        if self.swap && stones == [1 - self.turn] && self.tables.swap.is_some() {
            moves.push(SWAP);
        }
        moves
    }

    fn play(&mut self, mv: Move) {
        if self.cells.iter().any(Option::is_some) {
            self.swap = false;
        }
        if mv == SWAP {
            let from = self.cells.iter().position(Option::is_some).unwrap();
            let to = self.tables.swap.as_ref().unwrap()[from];
            self.cells[from] = None;
            self.cells[usize::from(to)] = Some(self.turn);
        } else {
            self.cells[mv as usize] = Some(self.turn);
        }
        if self.outcome().is_none() {
            self.turn = 1 - self.turn;
        }
    }

    /// Value and distance for the seat to move, and the best moves.
    fn solve(&self) -> (Value, u32, Vec<Move>) {
        match self.outcome() {
            Some(Outcome::Win(seat)) if seat == self.turn => return (Value::Win, 0, Vec::new()),
            Some(Outcome::Win(_)) => return (Value::Loss, 0, Vec::new()),
            Some(Outcome::Draw) => return (Value::Draw, 0, Vec::new()),
            None => {}
        }
        let rank = |value: Value, plies: u32| {
            let plies = i64::from(plies);
            (value, if value == Value::Win { -plies } else { plies })
        };
        let mut best: Option<(Value, u32, Vec<Move>)> = None;
        for mv in self.legal() {
            let mut next = self.clone();
            next.play(mv);
            let (value, plies, _) = next.solve();
            let value = if next.turn == self.turn {
                value
            } else {
                value.flipped()
            };
            match &mut best {
                Some((top, least, moves)) if rank(*top, *least) == rank(value, plies + 1) => {
                    moves.push(mv);
                }
                Some((top, least, _)) if rank(*top, *least) > rank(value, plies + 1) => {}
                _ => best = Some((value, plies + 1, vec![mv])),
            }
        }
        best.unwrap()
    }
}

fn compare<B: Bits>(naive: &mut Naive, picks: &[usize]) {
    let position = Connect::<B>::setup(&naive.tables, &naive.cells, naive.turn, naive.swap);
    if naive.joined(0) && naive.joined(1) {
        assert!(matches!(position, Err(KernelError::Position(_))));
        return;
    }
    let mut position = position.unwrap();
    let mut undos = Vec::new();
    for &pick in picks {
        assert_eq!(legal(&position), naive.legal());
        assert!(legality_agrees(&position));
        assert!(advancing_agrees(&position));
        assert_eq!(position.outcome(), naive.outcome());
        assert_eq!(position.turn(), naive.turn);
        for (cell, &mark) in naive.cells.iter().enumerate() {
            assert_eq!(position.at(cell), mark);
        }
        let fresh = position
            .with_cells(&naive.cells, naive.turn, naive.swap)
            .unwrap();
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

/// A random graph with random edges and a random swap.
fn any_tables(most: usize) -> impl Strategy<Value = ConnectTables> {
    any_graph(most).prop_flat_map(|neighbours| {
        let cells = neighbours.len();
        let edge = || proptest::collection::vec(0..cells as u16, 1..=cells.min(4));
        let order: Vec<u16> = (0..cells as u16).collect();
        let swap = proptest::option::of(Just(order).prop_shuffle());
        (edge(), edge(), edge(), edge(), swap).prop_map(move |(a, b, c, d, swap)| ConnectTables {
            cells,
            neighbours: neighbours.clone(),
            edges: [[a, b], [c, d]],
            swap,
            symmetries: Vec::new(),
        })
    })
}

fn check_solver(naive: &Naive, options: Options, memory: usize) {
    let position =
        Connect::<u64>::setup(&naive.tables, &naive.cells, naive.turn, naive.swap).unwrap();
    let limits = Limits {
        memory,
        ..unlimited()
    };
    let verdict = position.solve(&options, &limits).unwrap();
    let map = position.map(&options, &limits).unwrap();
    let (value, plies, best) = naive.solve();
    assert_eq!(verdict.value(), Some(value));
    assert_eq!(verdict.distance(), Some(plies));
    assert_eq!(verdict.best, best);
    assert_eq!(verdict.line.len() as u32, plies);
    assert_eq!(map.moves.len(), naive.legal().len());
    for rated in &map.moves {
        let mut next = naive.clone();
        next.play(rated.mv);
        let (value, plies, _) = next.solve();
        let value = if next.turn == naive.turn {
            value
        } else {
            value.flipped()
        };
        assert_eq!(rated.bounds.value(), Some(value));
        assert_eq!(rated.bounds.distance(), Some(plies + 1));
    }
    let far = Options {
        distance: 0,
        ..options
    };
    if !naive.legal().is_empty() {
        let quick = position.solve(&far, &limits).unwrap();
        assert_eq!(quick.value(), Some(value));
        assert_eq!(quick.distance(), None);
        let values = |map: &ValueMap| {
            map.moves
                .iter()
                .map(|rated| (rated.mv, rated.bounds.value()))
                .collect::<Vec<_>>()
        };
        assert_eq!(values(&position.map(&far, &limits).unwrap()), values(&map));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn equals_its_naive_twin(
        tables in any_tables(12),
        turn in 0u8..2,
        swap in any::<bool>(),
        picks in proptest::collection::vec(any::<usize>(), 16),
    ) {
        let mut naive = Naive { cells: vec![None; tables.cells], tables, turn, swap };
        compare::<u64>(&mut naive.clone(), &picks);
        compare::<Words<2>>(&mut naive, &picks);
    }

    #[test]
    fn any_cells_are_read_alike(
        tables in any_tables(9),
        marks in proptest::collection::vec(proptest::option::of(0u8..2), 9),
        turn in 0u8..2,
        swap in any::<bool>(),
        picks in proptest::collection::vec(any::<usize>(), 16),
    ) {
        let cells = marks[..tables.cells].to_vec();
        compare::<u64>(&mut Naive { cells, tables, turn, swap }, &picks);
    }

    #[test]
    fn solver_equals_plain_minimax(
        rows in 1usize..4,
        columns in 1usize..4,
        picks in proptest::collection::vec(any::<usize>(), 1..8),
        turn in 0u8..2,
        symmetry in any::<bool>(),
        memory in prop_oneof![Just(0), 0usize..5000, Just(1 << 20)],
    ) {
        let tables = slab(rows, columns);
        let mut naive = Naive { cells: vec![None; tables.cells], tables, turn, swap: false };
        for pick in picks {
            let moves = naive.legal();
            if moves.is_empty() {
                break;
            }
            naive.play(moves[pick % moves.len()]);
        }
        let options = Options { symmetry, ..Options::default() };
        check_solver(&naive, options, memory);
    }

    #[test]
    fn means_do_not_change_the_answer(
        rows in 3usize..6,
        columns in 3usize..6,
        turn in 0u8..2,
        picks in proptest::collection::vec(any::<usize>(), 4..12),
    ) {
        let tables = slab(rows, columns);
        let empty = vec![None; tables.cells];
        let mut position = Connect::<u64>::setup(&tables, &empty, turn, false).unwrap();
        for pick in picks {
            let moves = legal(&position);
            if moves.is_empty() {
                break;
            }
            position.play(moves[pick % moves.len()]);
        }
        let full = Options { distance: 0, ..Options::default() };
        let truth = position.map(&full, &unlimited()).unwrap();
        for options in [
            Options { inferior: false, ..full },
            Options { symmetry: false, ..full },
            Options { table_memory: 5_000, ..full },
        ] {
            let map = position.map(&options, &unlimited()).unwrap();
            prop_assert_eq!(&map.moves, &truth.moves);
        }
    }

    #[test]
    fn a_stopped_search_never_lies(
        picks in proptest::collection::vec(any::<usize>(), 0..6),
        nodes in 1u64..400,
    ) {
        let mut position = Connect::<u64>::new(&hex(4, false)).unwrap();
        for pick in picks {
            let moves = legal(&position);
            position.play(moves[pick % moves.len()]);
        }
        let full = Options { distance: 0, ..Options::default() };
        let truth = position.map(&full, &unlimited()).unwrap();
        let limits = Limits { nodes: Some(nodes), ..unlimited() };
        let told = position.map(&full, &limits).unwrap();
        for (told, truth) in told.moves.iter().zip(&truth.moves) {
            prop_assert!(told.bounds.value().is_none() || told.bounds == truth.bounds);
        }
        let verdict = position.solve(&full, &limits).unwrap();
        let whole = position.solve(&full, &unlimited()).unwrap();
        prop_assert!(verdict.value().is_none() || verdict.value() == whole.value());
        prop_assert!(verdict.best.iter().all(|mv| whole.best.contains(mv)));
    }

    #[test]
    fn solver_takes_only_boards_with_one_winner(tables in any_tables(7)) {
        let naive = Naive { cells: vec![None; tables.cells], tables, turn: 0, swap: true };
        let position = Connect::<u64>::new(&naive.tables).unwrap();
        match position.solve(&Options::default(), &unlimited()) {
            Err(error) => prop_assert!(matches!(error, KernelError::Unsupported(_))),
            Ok(verdict) => {
                let (value, plies, best) = naive.solve();
                prop_assert_eq!(verdict.value(), Some(value));
                prop_assert_eq!(verdict.distance(), Some(plies));
                prop_assert_eq!(verdict.best, best);
            }
        }
    }

    #[test]
    fn symmetric_images_share_their_canonical_key(
        size in 1usize..6,
        swap in any::<bool>(),
        picks in proptest::collection::vec(any::<usize>(), 0..20),
    ) {
        let tables = hex(size, swap);
        let mut position = Connect::<u64>::new(&tables).unwrap();
        for pick in picks {
            let moves = legal(&position);
            if moves.is_empty() {
                break;
            }
            position.play(moves[pick % moves.len()]);
        }
        let mut cells: Vec<_> = (0..size * size).map(|cell| position.at(cell)).collect();
        cells.reverse();
        let image = position
            .with_cells(&cells, position.turn(), position.offers_swap())
            .unwrap();
        prop_assert_eq!(image.canonical_key(), position.canonical_key());
    }

    #[test]
    fn any_tables_are_taken_or_refused(
        cells in 0usize..9,
        neighbours in proptest::collection::vec(proptest::collection::vec(0u16..8, 0..4), 0..8),
        edge in proptest::collection::vec(0u16..9, 0..4),
        swap in proptest::option::of(proptest::collection::vec(0u16..8, 0..8)),
        turn in 0u8..4,
    ) {
        let edges = [[edge.clone(), edge.clone()], [edge.clone(), edge]];
        let tables = ConnectTables { cells, neighbours, edges, swap, symmetries: Vec::new() };
        if let Ok(position) = Connect::<u64>::setup(&tables, &vec![None; cells], turn, true) {
            prop_assert!(legality_agrees(&position));
        }
    }
}

/// `W` where the first move wins, rows top to bottom.
fn openings(size: usize) -> String {
    let position = Connect::<u64>::new(&hex(size, false)).unwrap();
    let map = position.map(&Options::default(), &unlimited()).unwrap();
    let map: Vec<&str> = map
        .moves
        .iter()
        .map(|rated| match rated.bounds.value() {
            Some(Value::Win) => "W",
            Some(Value::Loss) => ".",
            _ => "?",
        })
        .collect();
    map.chunks(size)
        .map(|row| row.concat())
        .collect::<Vec<_>>()
        .join("/")
}

// Source: facts.md.
#[test]
fn winning_first_moves() {
    assert_eq!(openings(2), ".W/W.");
    assert_eq!(openings(3), "..W/WWW/W..");
    assert_eq!(openings(4), "...W/..W./.W../W...");
    // Proven here by two searches, depth-first and by proof numbers.
    assert_eq!(openings(5), "....W/.WWWW/.WWW./WWWW./W....");
}

#[test]
fn distances_of_three_by_three_equal_minimax() {
    let tables = hex(3, false);
    let naive = Naive {
        cells: vec![None; 9],
        tables,
        turn: 0,
        swap: false,
    };
    let options = Options::default();
    check_solver(&naive, options, 1 << 20);
}

#[test]
fn with_the_swap_the_second_player_wins() {
    for size in 2..4 {
        let naive = Naive {
            tables: hex(size, true),
            cells: vec![None; size * size],
            turn: 0,
            swap: true,
        };
        let options = Options::default();
        check_solver(&naive, options, 1 << 20);
        let mut after = naive.clone();
        after.play(1);
        check_solver(&after, options, 1 << 20);
    }
    let position = Connect::<u64>::new(&hex(4, true)).unwrap();
    let verdict = position.solve(&Options::default(), &unlimited()).unwrap();
    assert_eq!(verdict.value(), Some(Value::Loss));
}

#[test]
fn fast_playouts_are_games_by_the_rules() {
    let mut position = Connect::<u64>::new(&hex(4, true)).unwrap();
    for first in [None, Some(5), Some(6)] {
        if let Some(mv) = first {
            position.play(mv);
        }
        let games = 40_000;
        let fast = playouts(&position, games, 1, 1, &unlimited()).unwrap();
        let mut slow = Tally::new(2);
        let mut scratch = Scratch::default();
        for index in 0..games {
            let mut rng = Rng::new(2, index);
            slow.add(playout_by_rules(&position, &mut rng, &mut scratch));
        }
        let share = |tally: &Tally| tally.wins[0] as f64 / games as f64;
        let length = |tally: &Tally| tally.plies as f64 / games as f64;
        assert!((share(&fast) - share(&slow)).abs() < 0.015);
        assert!((length(&fast) - length(&slow)).abs() < 0.06);
    }
}

#[test]
fn a_stopped_search_says_so() {
    let position = Connect::<Words<2>>::new(&hex(9, false)).unwrap();
    let limits = Limits {
        nodes: Some(300),
        ..unlimited()
    };
    let verdict = position.solve(&Options::default(), &limits).unwrap();
    assert_eq!(verdict.stopped, Some(Stop::Nodes));
    assert_eq!(verdict.value(), None);
    assert!(verdict.best.is_empty());
}

#[test]
fn wide_boards_play_too() {
    let start = Connect::<Wide>::new(&hex(20, true)).unwrap();
    let tally = playouts(&start, 50, 3, 1, &unlimited()).unwrap();
    assert_eq!(tally.wins[0] + tally.wins[1], 50);
    assert!(Connect::<u64>::new(&hex(20, true)).is_err());
}

#[test]
fn counting_agrees_with_a_walk() {
    for swap in [false, true] {
        counting_agrees(&Connect::<u64>::new(&hex(2, swap)).unwrap());
        counting_agrees(&Connect::<u64>::new(&hex(3, swap)).unwrap());
    }
}

#[test]
fn the_widest_board_stops_when_told() {
    let position = Connect::<Wide>::new(&hex(20, false)).unwrap();
    let limits = Limits {
        memory: 1 << 20,
        ..within(Duration::from_millis(300))
    };
    let verdict = position.solve(&Options::default(), &limits).unwrap();
    assert_eq!(verdict.stopped, Some(Stop::Deadline));
    assert!(verdict.elapsed < Duration::from_secs(3));
}
