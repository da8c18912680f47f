//! The incremental board against one built from scratch, and its threats against the rules.
#![allow(clippy::unwrap_used)]

#[path = "../../../tests/kernel/boards/mod.rs"]
mod boards;

use proptest::prelude::*;

use super::super::threats::Situation;
use super::*;
use crate::bits::Wide;
use crate::lines::{LinesTables, WinningSet};
use crate::position::Outcome;
use boards::{exactly, grid};

/// Freestyle, exact, 3-D, sets of mixed sizes, sets of two.
fn games() -> Vec<LinesTables> {
    let mut corners = grid(&[4, 4], 4);
    for three in [[0, 3, 12], [0, 3, 15], [0, 12, 15], [3, 12, 15]] {
        corners.sets.push(WinningSet::new(three.to_vec()));
    }
    corners.symmetries.clear();
    vec![
        grid(&[9, 9], 5),
        exactly(&[8, 8], 4),
        exactly(&[9, 6], 5),
        grid(&[4, 4, 4], 4),
        corners,
        grid(&[3, 4], 2),
    ]
}

/// Everything but the order of the rosters and the places in them.
fn facts(board: &mut Board) -> impl PartialEq + std::fmt::Debug {
    board.settle();
    let sorted = |roster: &Vec<u16>| {
        let mut roster = roster.clone();
        roster.sort_unstable();
        roster
    };
    let counts = &board.counts;
    let each = (0..board.shape.cells).flat_map(|cell| [(cell, 0), (cell, 1)]);
    let sums: Vec<_> = each
        .map(|(cell, seat)| (counts.sum(cell, seat), counts.pairs(cell, seat)))
        .collect();
    let sets: Vec<_> = counts
        .sets
        .iter()
        .map(|set| (set.marks, set.caps, set.gap))
        .collect();
    (
        (board.turn, board.key, board.empties, board.owner.to_vec()),
        (sums, counts.totals, sets),
        counts.rosters.clone().map(|seat| seat.map(|r| sorted(&r))),
    )
}

fn check_places(board: &Board) {
    for (seat, rosters) in board.counts.rosters.iter().enumerate() {
        for roster in rosters {
            for (place, set) in roster.iter().enumerate() {
                let set = &board.counts.sets[usize::from(*set)];
                assert_eq!(usize::from(set.place[seat]), place);
            }
        }
    }
}

/// Plies in which the seat to move wins by force, at most `most`, by trying everything.
fn wins_in(game: &mut Lines<Wide>, most: u32) -> Option<u32> {
    (1..=most).step_by(2).find(|plies| wins(game, *plies))
}

fn wins(game: &mut Lines<Wide>, plies: u32) -> bool {
    let me = game.turn();
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    moves.iter().any(|mv| {
        let undo = game.play(*mv);
        let won = match game.outcome() {
            Some(outcome) => outcome == Outcome::Win(me),
            None => plies >= 3 && loses(game, plies - 1),
        };
        game.undo(undo);
        won
    })
}

fn loses(game: &mut Lines<Wide>, plies: u32) -> bool {
    let me = game.turn();
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    moves.iter().all(|mv| {
        let undo = game.play(*mv);
        let lost = match game.outcome() {
            Some(outcome) => outcome == Outcome::Win(1 - me),
            None => wins(game, plies - 1),
        };
        game.undo(undo);
        lost
    })
}

/// Plays the picks that are legal; stops at the end of the game.
fn reach(game: &mut Lines<Wide>, picks: &[u16]) {
    let cells = game.cells();
    for pick in picks {
        let mv = (usize::from(*pick) % cells) as i16;
        if game.is_legal(mv) {
            let undo = game.play(mv);
            if game.outcome().is_some() {
                game.undo(undo);
                return;
            }
        }
    }
}

proptest! {
    #[test]
    fn moves_and_their_undoing_leave_what_a_fresh_board_has(
        which in 0usize..6,
        steps in prop::collection::vec((any::<u16>(), 0u8..5), 1..120),
    ) {
        let tables = &games()[which];
        let mut game = Lines::<Wide>::new(tables).unwrap();
        let shape = Arc::new(Shape::new(game.rules()).unwrap());
        let mut board = Board::new(shape.clone(), &game);
        let mut undos = Vec::new();
        for (pick, kind) in steps {
            let mv = (usize::from(pick) % tables.cells) as i16;
            if kind == 0 {
                if let Some((mv, undo)) = undos.pop() {
                    game.undo(undo);
                    board.unmake(mv as usize);
                }
            } else if game.is_legal(mv) {
                let undo = game.play(mv);
                if game.outcome().is_some() {
                    game.undo(undo);
                } else {
                    undos.push((mv, undo));
                    board.make(mv as usize);
                }
            }
            prop_assert_eq!(facts(&mut board.clone()), facts(&mut Board::new(shape.clone(), &game)));
            check_places(&board);
            if kind == 1 {
                board.settle();
            }
        }
    }

    #[test]
    fn a_situation_says_what_trying_everything_says(
        which in 0usize..6,
        picks in prop::collection::vec(any::<u16>(), 4..60),
    ) {
        let tables = [
            grid(&[5, 5], 4),
            exactly(&[5, 5], 3),
            grid(&[3, 3, 3], 3),
            exactly(&[4, 6], 4),
            games()[4].clone(),
            grid(&[5, 4], 3),
        ];
        let mut game = Lines::<Wide>::new(&tables[which]).unwrap();
        reach(&mut game, &picks);
        let shape = Arc::new(Shape::new(game.rules()).unwrap());
        let board = Board::new(shape, &game);
        let soonest = wins_in(&mut game, 3);
        let lost = |game: &mut Lines<Wide>, plies| loses(game, plies);
        match board.situation() {
            Situation::Win(_) => prop_assert_eq!(soonest, Some(1)),
            Situation::Fork(cell) => {
                prop_assert_eq!(soonest, Some(3));
                game.play(cell as i16);
                prop_assert!(lost(&mut game, 2));
            }
            Situation::Lost => prop_assert!(lost(&mut game, 2)),
            Situation::Block(cell) => {
                prop_assert!(!lost(&mut game, 2));
                for mv in 0..game.cells() as i16 {
                    if game.is_legal(mv) && mv as usize != cell {
                        let undo = game.play(mv);
                        prop_assert!(wins(&mut game, 1));
                        game.undo(undo);
                    }
                }
            }
            Situation::Defend(zone) => {
                // Every other move loses, unless it makes a threat.
                for mv in 0..game.cells() as i16 {
                    let mine = |set: &u16| {
                        let (a, b) = board.gaps(*set);
                        mv as usize == a || mv as usize == b
                    };
                    if game.is_legal(mv) && !zone.has(mv as usize)
                        && !board.twos(board.turn).iter().any(mine) {
                        let undo = game.play(mv);
                        prop_assert!(wins_in(&mut game, 3).is_some());
                        game.undo(undo);
                    }
                }
            }
            Situation::Quiet => {
                prop_assert_eq!(soonest, None);
                prop_assert!(!lost(&mut game, 2));
            }
        }
    }
}
