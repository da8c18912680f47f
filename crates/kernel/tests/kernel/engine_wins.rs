//! Forced wins on the full Gomoku board, checked move by move against every answer by the rules
//! alone.

use crate::boards::{exactly, grid};
use noughts_kernel::bits::Wide;
use noughts_kernel::lines::{Lines, LinesTables};
use noughts_kernel::native::unlimited;
use noughts_kernel::position::{Outcome, Position};
use noughts_kernel::rng::Rng;
use noughts_kernel::search::{think, EngineOptions, Value};

fn quick() -> EngineOptions {
    EngineOptions {
        depth: Some(1),
        table_memory: 1 << 20,
        ..EngineOptions::default()
    }
}

/// Whether the seat to move completes a set with this move; by the rules alone.
fn wins_with(game: &mut Lines<Wide>, mv: i16) -> bool {
    let me = game.turn();
    let undo = game.play(mv);
    let won = game.outcome() == Some(Outcome::Win(me));
    game.undo(undo);
    won
}

/// The moves that complete a set for the seat to move; by the rules alone.
fn winning(game: &mut Lines<Wide>) -> Vec<i16> {
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    moves.retain(|mv| wins_with(game, *mv));
    moves
}

/// Follows the engine's win: each of its moves leaves the other seat no win on the spot, and
/// threatens one itself; so all other answers lose at once, and the one that does not is played.
fn check_win(game: &mut Lines<Wide>) -> u32 {
    let me = game.turn();
    let mut plies = 0;
    loop {
        let choice = think(game, &quick(), &unlimited()).unwrap();
        let proven = choice.proven.expect("still won");
        assert_eq!(proven.value, Value::Win);
        game.try_play(choice.best).unwrap();
        plies += 1;
        if let Some(outcome) = game.outcome() {
            assert_eq!(outcome, Outcome::Win(me));
            return plies;
        }
        assert!(winning(game).is_empty(), "the other seat wins first");
        // What would complete a set if the seat had another move at once.
        let mut answers = Vec::new();
        game.legal_moves(&mut answers);
        let mut forced = Vec::new();
        for answer in answers {
            let undo = game.play(answer);
            if game.outcome().is_none() && winning(game).is_empty() {
                forced.push(answer);
            }
            game.undo(undo);
        }
        assert!(forced.len() <= 1, "no threat after {choice:?}");
        let Some(answer) = forced.first() else {
            return plies;
        };
        game.try_play(*answer).unwrap();
        plies += 1;
    }
}

/// Whether the seat that is not to move could complete a set if it were.
fn threatened(tables: &LinesTables, game: &Lines<Wide>) -> bool {
    let cells: Vec<Option<u8>> = (0..game.cells()).map(|cell| game.at(cell)).collect();
    !winning(&mut Lines::setup(tables, &cells, 1 - game.turn()).unwrap()).is_empty()
}

/// Positions with marks strewn about one side's reach, and a win by fours that is not at hand.
fn puzzles(tables: &LinesTables, wanted: usize) -> Vec<(Lines<Wide>, u32)> {
    let mut found = Vec::new();
    for seed in 0.. {
        let mut rng = Rng::new(seed, 5);
        let mut game = Lines::<Wide>::new(tables).unwrap();
        for _ in 0..60 {
            let mv = (2 + rng.below(11)) as i16 * 15 + (2 + rng.below(11)) as i16;
            if game.is_legal(mv) {
                let undo = game.play(mv);
                if game.outcome().is_some() {
                    game.undo(undo);
                    break;
                }
            }
        }
        if threatened(tables, &game) {
            continue;
        }
        let choice = think(&game, &quick(), &unlimited()).unwrap();
        // Fours only: at depth 1 a longer win has come from nothing else.
        if let Some(proven) = choice.proven {
            if proven.value == Value::Win
                && proven.distance >= 7
                && choice.depth == 1
                && choice.moves.len() == 1
            {
                found.push((game, proven.distance));
            }
        }
        if found.len() == wanted {
            return found;
        }
    }
    found
}

#[test]
fn fifty_wins_by_fours_hold_against_every_answer() {
    for tables in [grid(&[15, 15], 5), exactly(&[15, 15], 5)] {
        let mut longest = 0;
        for (game, distance) in puzzles(&tables, 25) {
            let plies = check_win(&mut game.clone());
            assert!(plies <= distance, "{plies} {distance}");
            longest = longest.max(distance);
        }
        assert!(longest >= 11, "{longest}");
    }
}
