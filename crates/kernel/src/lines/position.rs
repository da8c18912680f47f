//! One moment of a `lines` game.

use std::sync::Arc;

use crate::bits::{paint, paint_two, Bits, Wide};
use crate::encode::Encode;
use crate::error::KernelError;
use crate::playouts::{Ending, Scratch};
use crate::position::{Move, Outcome, Position};
use crate::rng::Rng;
use crate::symmetry::canonical_key;

use super::rules::Rules;
use super::tables::{LinesTables, MAX_PLAYERS};

/// A position of the `lines` family on boards that fit into `B`.
#[derive(Clone, Debug)]
pub struct Lines<B: Bits> {
    pub(crate) rules: Arc<Rules<B>>,
    pub(crate) marks: [B; MAX_PLAYERS as usize],
    pub(crate) empty: B,
    /// Under gravity, the empty cells that are open; see [`Lines::playable`].
    open: B,
    turn: u8,
    outcome: Option<Outcome>,
    key: u64,
    /// With `early_draw`: every set before this one is dead, and this one is alive.
    witness: u32,
}

/// What it takes to undo a move of [`Lines`].
#[derive(Clone, Copy, Debug)]
pub struct LinesUndo {
    mv: Move,
    turn: u8,
    witness: u32,
    key: u64,
}

impl<B: Bits> Lines<B> {
    /// The empty board with the first seat to move.
    pub fn new(tables: &LinesTables) -> Result<Self, KernelError> {
        let rules = Arc::new(Rules::new(tables)?);
        Self::with_rules(rules, &vec![None; tables.cells], 0)
    }

    /// Any position: whose mark is in each cell, and whose turn it is.
    pub fn setup(
        tables: &LinesTables,
        cells: &[Option<u8>],
        turn: u8,
    ) -> Result<Self, KernelError> {
        Self::with_rules(Arc::new(Rules::new(tables)?), cells, turn)
    }

    /// Any position of a game whose tables are compiled already.
    pub fn with_rules(
        rules: Arc<Rules<B>>,
        cells: &[Option<u8>],
        turn: u8,
    ) -> Result<Self, KernelError> {
        let bad = |why: String| Err(KernelError::Position(why));
        if cells.len() != rules.cells {
            return bad(format!("{} cells, not {}", cells.len(), rules.cells));
        }
        if turn >= rules.players {
            return bad(format!("seat {turn} to move, not below {}", rules.players));
        }
        let mut marks = [B::default(); MAX_PLAYERS as usize];
        for (cell, seat) in cells.iter().enumerate() {
            let Some(seat) = *seat else { continue };
            if seat >= rules.players {
                return bad(format!("seat {seat} in cell {cell}"));
            }
            let mine = &mut marks[usize::from(seat)];
            *mine = mine.or(&B::one(cell));
        }
        let taken = |cell: usize| cells[cell].is_some();
        for cell in (0..rules.frees.len()).filter(|cell| !taken(*cell)) {
            if let Some(above) = rules.frees[cell].iter().find(|above| taken(*above)) {
                return bad(format!("cell {above} is taken before cell {cell} below it"));
            }
        }
        let done: Vec<u8> = (0..rules.players)
            .filter(|seat| rules.completed(&marks[usize::from(*seat)]))
            .collect();
        if done.len() > 1 {
            return bad(format!("seats {done:?} have all completed a set"));
        }
        Ok(Self::assemble(rules, marks, turn, done.first().copied()))
    }

    fn assemble(
        rules: Arc<Rules<B>>,
        marks: [B; MAX_PLAYERS as usize],
        turn: u8,
        done: Option<u8>,
    ) -> Self {
        let mut key = rules.turn_key(turn);
        let mut empty = rules.board;
        for seat in 0..rules.players {
            let mine = marks[usize::from(seat)];
            empty = empty.minus(&mine);
            for cell in mine.iter() {
                key ^= rules.mark_key(cell, seat);
            }
        }
        let mut position = Self {
            open: rules.open(&empty),
            rules,
            marks,
            empty,
            turn,
            outcome: None,
            key,
            witness: 0,
        };
        position.outcome = match done {
            Some(seat) => Some(position.verdict(seat)),
            None => position.drawn().then_some(Outcome::Draw),
        };
        position
    }

    /// The cells where the seat to move may put its mark while the game goes on.
    #[inline]
    pub(crate) fn playable(&self) -> &B {
        if self.rules.gravity {
            &self.open
        } else {
            &self.empty
        }
    }

    /// Takes a cell off the empty ones.
    #[inline]
    fn take(&mut self, cell: usize, one: &B) {
        self.empty = self.empty.minus(one);
        if self.rules.gravity {
            self.open = self.open.minus(one).or(&self.rules.frees[cell]);
        }
    }

    /// How the game ends when a seat completes a set.
    fn verdict(&self, seat: u8) -> Outcome {
        Outcome::Win(if self.rules.misere { 1 - seat } else { seat })
    }

    #[inline]
    fn pass_turn(&mut self) {
        let next = self.rules.next_seat(self.turn);
        self.key ^= self.rules.turn_key(self.turn) ^ self.rules.turn_key(next);
        self.turn = next;
    }

    /// Whether nobody has anything to play for; moves the witness on.
    fn drawn(&mut self) -> bool {
        if self.empty.is_empty() {
            return true;
        }
        if !self.rules.early_draw {
            return false;
        }
        let marks = &self.marks[..usize::from(self.rules.players)];
        while (self.witness as usize) < self.rules.sets.len() {
            if self.rules.is_alive(self.witness as usize, marks) {
                return false;
            }
            self.witness += 1;
        }
        true
    }

    /// The compiled tables.
    pub fn rules(&self) -> &Arc<Rules<B>> {
        &self.rules
    }
}

impl<B: Bits> Position for Lines<B> {
    type Undo = LinesUndo;

    fn cells(&self) -> usize {
        self.rules.cells
    }

    fn players(&self) -> u8 {
        self.rules.players
    }

    fn turn(&self) -> u8 {
        self.turn
    }

    fn at(&self, cell: usize) -> Option<u8> {
        (0..self.rules.players).find(|seat| self.marks[usize::from(*seat)].has(cell))
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn legal_moves(&self, moves: &mut Vec<Move>) {
        moves.clear();
        if self.outcome.is_none() {
            moves.extend(self.playable().iter().map(|cell| cell as Move));
        }
    }

    fn is_legal(&self, mv: Move) -> bool {
        self.outcome.is_none() && usize::try_from(mv).is_ok_and(|cell| self.playable().has(cell))
    }

    fn play(&mut self, mv: Move) -> LinesUndo {
        let undo = LinesUndo {
            mv,
            turn: self.turn,
            witness: self.witness,
            key: self.key,
        };
        let cell = mv as usize;
        if cell >= self.rules.cells {
            return undo;
        }
        let one = B::one(cell);
        let mine = self.marks[usize::from(self.turn)].or(&one);
        self.marks[usize::from(self.turn)] = mine;
        self.take(cell, &one);
        self.key ^= self.rules.mark_key(cell, self.turn);
        if self.rules.completes(&mine, cell) {
            self.outcome = Some(self.verdict(self.turn));
        } else if self.drawn() {
            self.outcome = Some(Outcome::Draw);
        } else {
            self.pass_turn();
        }
        undo
    }

    fn advance(&mut self, mv: Move) -> LinesUndo {
        let cell = mv as usize;
        if self.rules.early_draw || cell >= self.rules.cells {
            return self.play(mv);
        }
        let undo = LinesUndo {
            mv,
            turn: self.turn,
            witness: self.witness,
            key: self.key,
        };
        let one = B::one(cell);
        let mine = &mut self.marks[usize::from(self.turn)];
        *mine = mine.or(&one);
        self.take(cell, &one);
        self.key ^= self.rules.mark_key(cell, self.turn);
        self.pass_turn();
        undo
    }

    fn undo(&mut self, undo: LinesUndo) {
        let cell = undo.mv as usize;
        if cell >= self.rules.cells {
            return;
        }
        let one = B::one(cell);
        let mine = &mut self.marks[usize::from(undo.turn)];
        *mine = mine.minus(&one);
        self.empty = self.empty.or(&one);
        if self.rules.gravity {
            self.open = self.open.or(&one).minus(&self.rules.frees[cell]);
        }
        self.turn = undo.turn;
        self.outcome = None;
        self.key = undo.key;
        self.witness = undo.witness;
    }

    fn key(&self) -> u64 {
        self.key
    }

    fn canonical_key(&self) -> u64 {
        let marks = &self.marks[..usize::from(self.rules.players)];
        let rest = self.rules.turn_key(self.turn);
        canonical_key(&self.rules.symmetries, marks, rest, |cell, seat| {
            self.rules.mark_key(cell, seat as u8)
        })
    }

    fn playout(&self, rng: &mut Rng, scratch: &mut Scratch) -> Ending {
        super::playout::playout(self, rng, scratch)
    }

    fn random_move(&self, rng: &mut Rng, _moves: &mut Vec<Move>) -> Option<Move> {
        if self.outcome.is_some() {
            return None;
        }
        let playable = self.playable();
        let cell = playable.nth(rng.below(playable.count()));
        cell.map(|cell| cell as Move)
    }

    fn observe(&self, row: &mut [i8]) {
        let players = self.rules.players.max(1);
        let seat = |ahead: u8| &self.marks[usize::from((self.turn + ahead) % players)];
        paint_two(row, seat(0), seat(1 % players));
        for ahead in 2..players {
            for cell in seat(ahead).iter() {
                if let Some(place) = row.get_mut(cell) {
                    *place = -(ahead as i8);
                }
            }
        }
    }

    fn legal_row(&self, row: &mut [u8], _moves: &mut Vec<Move>) {
        if self.outcome.is_none() {
            paint(row, self.playable());
        } else {
            row.fill(0);
        }
    }
}

impl<B: Bits> Encode for Lines<B> {
    fn images(&self, images: &mut Vec<u128>) -> Result<(), KernelError> {
        let Some(powers) = &self.rules.powers else {
            let why = format!("exact codes of {} cells", self.rules.cells);
            return Err(KernelError::Unsupported(why));
        };
        images.clear();
        let turn = u128::from(self.turn) * powers[self.rules.cells];
        images.extend(self.rules.symmetries.iter().map(|permutation| {
            let mut code = turn;
            for seat in 0..self.rules.players {
                let mut sum = 0;
                for cell in self.marks[usize::from(seat)].iter() {
                    sum += powers[usize::from(permutation[cell])];
                }
                code += sum * (u128::from(seat) + 1);
            }
            code
        }));
        Ok(())
    }

    fn images_after(
        &mut self,
        mv: Move,
        images: &[u128],
        after: &mut Vec<u128>,
    ) -> Result<(), KernelError> {
        let undo = self.play(mv);
        let turn = self.turn;
        self.undo(undo);
        after.clear();
        let cell = mv as usize;
        let (Some(powers), true) = (&self.rules.powers, cell < self.rules.cells) else {
            return Err(KernelError::IllegalMove(mv));
        };
        let whole = powers[self.rules.cells];
        let more = u128::from(turn) * whole;
        let less = u128::from(self.turn) * whole;
        let digit = u128::from(self.turn) + 1;
        let codes = images.iter().zip(&self.rules.symmetries);
        after.extend(codes.map(|(code, permutation)| {
            code - less + more + digit * powers[usize::from(permutation[cell])]
        }));
        Ok(())
    }

    fn decode(&self, code: u128) -> Result<Self, KernelError> {
        let bad = || KernelError::Position(format!("code {code}"));
        let base = u128::from(self.rules.players) + 1;
        let mut marks = [B::default(); MAX_PLAYERS as usize];
        let mut left = code;
        for cell in 0..self.rules.cells {
            // Short division is many times faster, and most codes are short.
            let digit = if let Ok(short) = u64::try_from(left) {
                left = u128::from(short / base as u64);
                (short % base as u64) as usize
            } else {
                let digit = (left % base) as usize;
                left /= base;
                digit
            };
            if digit > 0 {
                marks[digit - 1] = marks[digit - 1].or(&B::one(cell));
            }
        }
        let turn = u8::try_from(left).map_err(|_| bad())?;
        if turn >= self.rules.players {
            return Err(bad());
        }
        let done =
            (0..self.rules.players).find(|seat| self.rules.completed(&marks[usize::from(*seat)]));
        Ok(Self::assemble(self.rules.clone(), marks, turn, done))
    }
}

/// A `lines` position on the word size its board needs.
#[derive(Clone, Debug)]
pub enum AnyLines {
    /// Up to 64 cells.
    Small(Lines<u64>),
    /// Up to [`super::MAX_CELLS`] cells.
    Wide(Box<Lines<Wide>>),
}

impl AnyLines {
    /// The empty board with the first seat to move.
    pub fn new(tables: &LinesTables) -> Result<Self, KernelError> {
        if tables.cells <= u64::CAPACITY {
            Lines::new(tables).map(Self::Small)
        } else {
            Lines::new(tables).map(|position| Self::Wide(Box::new(position)))
        }
    }
}
