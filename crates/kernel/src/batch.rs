//! Many games of one kind stepped at once, for training.
//!
//! Every game begins at the same position. When it ends it begins again at once, or, in a batch
//! that is [held](Batch::held), when it is told to; the step that ended it reports how. Arrays are
//! written into slices that the caller gives, one row per game. A move's place in a row of legal
//! moves is its cell; after the cells come the game's moves that are not cells, in the order of
//! [`Position::specials`].

use crate::error::KernelError;
use crate::position::{Move, Outcome, Position};
use crate::rng::Rng;

/// In the place of a move: leave this game as it is.
pub const STAY: Move = Move::MIN;

/// Games stepped together.
#[derive(Clone, Debug)]
pub struct Batch<P: Position> {
    start: P,
    games: Vec<P>,
    /// How the last step ended each game, if it did.
    ended: Vec<Option<Outcome>>,
    /// The final margin of the first seat, by game, where the last step ended it.
    margins: Vec<i32>,
    rng: Rng,
    moves: Vec<Move>,
    finished: u64,
    /// Whether games stay at their end.
    held: bool,
}

impl<P: Position> Batch<P> {
    /// `count` games that begin at `position`, which must not be over. Takes at most `memory` bytes.
    pub fn new(position: &P, count: usize, seed: u64, memory: usize) -> Result<Self, KernelError> {
        if position.outcome().is_some() {
            return Err(KernelError::Position(
                "a batch cannot start from a finished game".to_string(),
            ));
        }
        let row = std::mem::size_of::<P>()
            + std::mem::size_of::<Option<Outcome>>()
            + std::mem::size_of::<i32>();
        let needed = count.saturating_mul(row);
        let short = || KernelError::Memory {
            needed,
            given: memory,
        };
        if needed > memory {
            return Err(short());
        }
        let mut games = Vec::new();
        games.try_reserve_exact(count).map_err(|_| short())?;
        games.resize(count, position.clone());
        Ok(Self {
            games,
            ended: vec![None; count],
            margins: vec![0; count],
            start: position.clone(),
            rng: Rng::new(seed, 0),
            moves: Vec::new(),
            finished: 0,
            held: false,
        })
    }

    /// The batch with games that stay at their end until [`Self::restart`] puts them back.
    #[must_use]
    pub fn held(self) -> Self {
        Self { held: true, ..self }
    }

    /// The number of games.
    pub fn len(&self) -> usize {
        self.games.len()
    }

    /// Whether there are no games.
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// The number of moves a game has: its cells and its moves that are not cells.
    pub fn actions(&self) -> usize {
        self.start.cells() + self.start.specials().len()
    }

    /// The games as they stand.
    pub fn games(&self) -> &[P] {
        &self.games
    }

    /// How the last step ended each game; `None` for those that go on.
    pub fn outcomes(&self) -> &[Option<Outcome>] {
        &self.ended
    }

    /// The final margin of the first seat in each game that the last step ended, else 0.
    pub fn margins(&self) -> &[i32] {
        &self.margins
    }

    /// Games finished since the batch was made.
    pub fn finished(&self) -> u64 {
        self.finished
    }

    /// Puts every game back to the start.
    pub fn reset(&mut self) {
        self.games.fill(self.start.clone());
        self.ended.fill(None);
        self.margins.fill(0);
    }

    /// Puts the games back to the start whose flag is not 0.
    pub fn restart(&mut self, which: &[u8]) -> Result<(), KernelError> {
        expect("flags", which.len(), self.games.len())?;
        for (game, _) in which.iter().enumerate().filter(|(_, &flag)| flag != 0) {
            self.games[game].clone_from(&self.start);
            self.ended[game] = None;
            self.margins[game] = 0;
        }
        Ok(())
    }

    /// Plays one move in every game but those told to [`STAY`], which keep what their last move
    /// reported. If one of the moves is illegal, none is played.
    pub fn step(&mut self, moves: &[Move]) -> Result<(), KernelError> {
        expect("moves", moves.len(), self.games.len())?;
        for (game, (position, &mv)) in self.games.iter().zip(moves).enumerate() {
            if mv != STAY && !position.is_legal(mv) {
                return Err(KernelError::IllegalMoveIn { game, mv });
            }
        }
        for (game, &mv) in moves.iter().enumerate() {
            if mv != STAY {
                self.play(game, mv);
            }
        }
        Ok(())
    }

    /// Plays a uniformly random legal move in every game that goes on.
    pub fn step_random(&mut self) {
        for game in 0..self.games.len() {
            self.play_random(game);
        }
    }

    /// Plays uniformly random legal moves in the games that go on until it is each game's `seats`
    /// turn. Games where it is that already keep what their last move reported.
    pub fn random_until(&mut self, seats: &[u8]) -> Result<(), KernelError> {
        expect("seats", seats.len(), self.games.len())?;
        for (game, &seat) in seats.iter().enumerate() {
            while self.games[game].turn() != seat && self.play_random(game) {
                // It may have begun again.
                if self.ended[game].is_some() {
                    break;
                }
            }
        }
        Ok(())
    }

    fn play_random(&mut self, game: usize) -> bool {
        let mv = self.games[game].random_move(&mut self.rng, &mut self.moves);
        mv.is_some_and(|mv| {
            self.play(game, mv);
            true
        })
    }

    #[inline]
    fn play(&mut self, game: usize, mv: Move) {
        let position = &mut self.games[game];
        position.play(mv);
        let outcome = position.outcome();
        self.ended[game] = outcome;
        if outcome.is_some() {
            self.margins[game] = position.margin(0);
            if !self.held {
                position.clone_from(&self.start);
            }
            self.finished += 1;
        } else {
            self.margins[game] = 0;
        }
    }

    /// Writes what is in each cell as [`Position::observe`] does. `cells` per game.
    pub fn observe(&self, into: &mut [i8]) -> Result<(), KernelError> {
        let cells = self.start.cells();
        expect("observations", into.len(), self.games.len() * cells)?;
        for (row, game) in into.chunks_exact_mut(cells).zip(&self.games) {
            game.observe(row);
        }
        Ok(())
    }

    /// Writes each cell as one place per plane, seen by a seat: that seat's mark, then the others' in
    /// the order of their turns, then emptiness, each 0 or 1, and last the number of the seat.
    /// `cells` times `players` + 2 per game.
    pub fn planes(&self, seats: &[u8], into: &mut [i8]) -> Result<(), KernelError> {
        let (cells, players) = (self.start.cells(), usize::from(self.start.players()));
        let planes = players + 2;
        expect("seats", seats.len(), self.games.len())?;
        expect("places", into.len(), self.games.len() * cells * planes)?;
        if let Some(seat) = seats.iter().find(|&&seat| usize::from(seat) >= players) {
            return Err(KernelError::Shape(format!("there is no seat {seat}")));
        }
        let mut marks = vec![0i8; cells];
        for ((row, game), &seat) in into
            .chunks_exact_mut(cells * planes)
            .zip(&self.games)
            .zip(seats)
        {
            game.observe(&mut marks);
            if players == 2 {
                lay_two(row, &marks, seat, game.turn());
            } else {
                lay_any(row, &marks, seat, game.turn(), players);
            }
        }
        Ok(())
    }

    /// Writes 1 for each legal move and 0 for the others. `actions` per game.
    pub fn legal(&mut self, into: &mut [u8]) -> Result<(), KernelError> {
        let actions = self.actions();
        expect("legal moves", into.len(), self.games.len() * actions)?;
        for (row, game) in into.chunks_exact_mut(actions).zip(&self.games) {
            game.legal_row(row, &mut self.moves);
        }
        Ok(())
    }

    /// Writes each seat's reward for the last step: 1 for a win, -1 for a loss, 0 for a draw and
    /// where the game goes on. `players` per game.
    pub fn rewards(&self, into: &mut [f32]) -> Result<(), KernelError> {
        let players = usize::from(self.start.players());
        expect("rewards", into.len(), self.ended.len() * players)?;
        for (row, ended) in into.chunks_exact_mut(players).zip(&self.ended) {
            match ended {
                Some(Outcome::Win(winner)) => {
                    for (seat, reward) in row.iter_mut().enumerate() {
                        *reward = if seat == usize::from(*winner) {
                            1.0
                        } else {
                            -1.0
                        };
                    }
                }
                _ => row.fill(0.0),
            }
        }
        Ok(())
    }

    /// Writes 1 for each game that the last step ended, else 0.
    pub fn done(&self, into: &mut [u8]) -> Result<(), KernelError> {
        expect("done flags", into.len(), self.ended.len())?;
        for (flag, ended) in into.iter_mut().zip(&self.ended) {
            *flag = u8::from(ended.is_some());
        }
        Ok(())
    }

    /// Writes the seat to move in each game.
    pub fn turns(&self, into: &mut [u8]) -> Result<(), KernelError> {
        expect("turns", into.len(), self.games.len())?;
        for (turn, game) in into.iter_mut().zip(&self.games) {
            *turn = game.turn();
        }
        Ok(())
    }
}

/// Lays out the planes of a two-player board that `marks` show as the seat on `turn` sees it.
fn lay_two(row: &mut [i8], marks: &[i8], seat: u8, turn: u8) {
    let own = if seat == turn { 1 } else { -1 };
    for (places, &mark) in row.chunks_exact_mut(4).zip(marks) {
        places[0] = i8::from(mark == own);
        places[1] = i8::from(mark == -own);
        places[2] = i8::from(mark == 0);
        places[3] = seat as i8;
    }
}

/// The same for any number of players.
fn lay_any(row: &mut [i8], marks: &[i8], seat: u8, turn: u8, players: usize) {
    let shift = usize::from(turn) + players - usize::from(seat);
    for (places, &mark) in row.chunks_exact_mut(players + 2).zip(marks) {
        places.fill(0);
        let place = match mark {
            0 => players,
            1 => shift % players,
            ahead => (shift + usize::from(ahead.unsigned_abs())) % players,
        };
        places[place] = 1;
        places[players + 1] = seat as i8;
    }
}

fn expect(what: &str, given: usize, wanted: usize) -> Result<(), KernelError> {
    if given == wanted {
        return Ok(());
    }
    Err(KernelError::Shape(format!(
        "{given} {what} given, the batch has {wanted}"
    )))
}
