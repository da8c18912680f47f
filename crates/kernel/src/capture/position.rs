//! Tables and positions of the family.
//!
//! What must stay true: marks never leave the board, so the number of marks tells the opening,
//! `touched` only grows, and the game is over exactly when no empty cell touches a mark.

use std::sync::Arc;

use crate::bits::{paint, paint_two, Bits, Wide};
use crate::encode::Encode;
use crate::error::KernelError;
use crate::graph::{read_marks, seat_in, Graph, TURN_KEY};
use crate::position::{Move, Outcome, Position, PASS};
use crate::rng::Rng;

/// How many marks the opening has: one per seat.
const OPENING: u32 = 2;

/// What a game of this family is made of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CaptureTables {
    /// The number of cells.
    pub cells: usize,
    /// By cell, the cells it touches; touching is mutual.
    pub neighbours: Vec<Vec<u16>>,
    /// Whether the two opening marks capture nothing.
    pub peaceful: bool,
    /// Permutations of the cells (`permutation[from] = to`) that keep the neighbours.
    pub symmetries: Vec<Vec<u16>>,
}

#[derive(Debug)]
pub(super) struct Rules<B: Bits> {
    pub graph: Graph<B>,
    pub peaceful: bool,
}

impl<B: Bits> Rules<B> {
    fn new(tables: &CaptureTables) -> Result<Self, KernelError> {
        Ok(Self {
            graph: Graph::new(tables.cells, &tables.neighbours, &tables.symmetries)?,
            peaceful: tables.peaceful,
        })
    }
}

/// One moment of a game, on boards that fit into `B`.
#[derive(Clone, Debug)]
pub struct Capture<B: Bits> {
    pub(super) rules: Arc<Rules<B>>,
    pub(super) marks: [B; 2],
    /// Every cell that touches a mark.
    touched: B,
    key: u64,
    pub(super) turn: u8,
    over: bool,
}

/// What it takes to undo one move.
#[derive(Clone, Copy, Debug)]
pub struct CaptureUndo<B: Bits> {
    marks: [B; 2],
    touched: B,
    key: u64,
    turn: u8,
}

impl<B: Bits> Capture<B> {
    /// The empty board with the first seat to move.
    pub fn new(tables: &CaptureTables) -> Result<Self, KernelError> {
        let rules = Rules::new(tables)?;
        let cells = vec![None; rules.graph.cells];
        Self::with_rules(Arc::new(rules), &cells, 0)
    }

    /// Any position: whose mark is in each cell, and whose turn it is. All else is derived.
    pub fn setup(
        tables: &CaptureTables,
        cells: &[Option<u8>],
        turn: u8,
    ) -> Result<Self, KernelError> {
        Self::with_rules(Arc::new(Rules::new(tables)?), cells, turn)
    }

    /// Another position of the same game, without compiling the tables again.
    pub fn with_cells(&self, cells: &[Option<u8>], turn: u8) -> Result<Self, KernelError> {
        Self::with_rules(Arc::clone(&self.rules), cells, turn)
    }

    fn with_rules(
        rules: Arc<Rules<B>>,
        cells: &[Option<u8>],
        turn: u8,
    ) -> Result<Self, KernelError> {
        let marks: [B; 2] = read_marks(cells, rules.graph.cells)?;
        if turn > 1 {
            return Err(KernelError::Position(format!(
                "seat {turn} to move, there are two"
            )));
        }
        let touched = rules.graph.around(marks[0].or(&marks[1]));
        let key = rules.graph.key(&marks) ^ if turn == 1 { TURN_KEY } else { 0 };
        let mut position = Self {
            rules,
            marks,
            touched,
            key,
            turn,
            over: false,
        };
        position.over = position.is_over();
        Ok(position)
    }

    #[inline]
    fn is_over(&self) -> bool {
        let taken = self.marks[0].or(&self.marks[1]);
        if self.rules.graph.all == taken {
            return true;
        }
        self.touched.minus(&taken).is_empty() && taken.count() >= OPENING
    }

    /// Where the seat to move may place.
    #[inline]
    pub(super) fn placements(&self) -> B {
        let taken = self.marks[0].or(&self.marks[1]);
        if taken.count() < OPENING {
            return self.rules.graph.all.minus(&taken);
        }
        let own = self.marks[usize::from(self.turn & 1)];
        let mut places = B::default();
        for cell in self.touched.minus(&taken).iter() {
            if self.rules.graph.neighbours[cell].meets(&own) {
                places.insert(cell);
            }
        }
        places
    }

    /// The marks a placement would turn.
    #[inline]
    pub(super) fn captures(&self, cell: usize) -> B {
        if self.rules.peaceful && self.marks[0].or(&self.marks[1]).count() < OPENING {
            return B::default();
        }
        self.rules.graph.neighbours[cell].and(&self.marks[usize::from(1 - (self.turn & 1))])
    }
}

impl<B: Bits> Position for Capture<B> {
    type Undo = CaptureUndo<B>;

    fn cells(&self) -> usize {
        self.rules.graph.cells
    }

    fn players(&self) -> u8 {
        2
    }

    fn turn(&self) -> u8 {
        self.turn
    }

    fn at(&self, cell: usize) -> Option<u8> {
        seat_in(&self.marks, cell)
    }

    fn outcome(&self) -> Option<Outcome> {
        if !self.over {
            return None;
        }
        Some(match self.margin(0) {
            0 => Outcome::Draw,
            1.. => Outcome::Win(0),
            _ => Outcome::Win(1),
        })
    }

    fn legal_moves(&self, moves: &mut Vec<Move>) {
        moves.clear();
        if self.over {
            return;
        }
        moves.extend(self.placements().iter().map(|cell| cell as Move));
        if moves.is_empty() {
            moves.push(PASS);
        }
    }

    fn is_legal(&self, mv: Move) -> bool {
        if self.over {
            return false;
        }
        match usize::try_from(mv) {
            Ok(cell) => self.placements().has(cell),
            Err(_) => mv == PASS && self.placements().is_empty(),
        }
    }

    fn play(&mut self, mv: Move) -> CaptureUndo<B> {
        let undo = CaptureUndo {
            marks: self.marks,
            touched: self.touched,
            key: self.key,
            turn: self.turn,
        };
        if let Ok(cell) = usize::try_from(mv) {
            if cell >= self.rules.graph.cells {
                return undo;
            }
            let turned = self.captures(cell);
            let (own, other) = (usize::from(self.turn & 1), usize::from(1 - (self.turn & 1)));
            for mark in turned.iter() {
                let keys = &self.rules.graph.keys[mark];
                self.key ^= keys[0] ^ keys[1];
            }
            self.key ^= self.rules.graph.keys[cell][own];
            self.marks[own] = self.marks[own].or(&turned);
            self.marks[own].insert(cell);
            self.marks[other] = self.marks[other].minus(&turned);
            self.touched = self.touched.or(&self.rules.graph.neighbours[cell]);
            self.over = self.is_over();
        }
        if !self.over {
            self.turn ^= 1;
            self.key ^= TURN_KEY;
        }
        undo
    }

    fn undo(&mut self, undo: CaptureUndo<B>) {
        self.marks = undo.marks;
        self.touched = undo.touched;
        self.key = undo.key;
        self.turn = undo.turn;
        self.over = false;
    }

    fn key(&self) -> u64 {
        self.key
    }

    fn canonical_key(&self) -> u64 {
        let turn = if self.turn == 1 { TURN_KEY } else { 0 };
        self.rules.graph.canonical_key(&self.marks, turn)
    }

    fn specials(&self) -> &'static [Move] {
        &[PASS]
    }

    fn random_move(&self, rng: &mut Rng, _moves: &mut Vec<Move>) -> Option<Move> {
        if self.over {
            return None;
        }
        let places = self.placements();
        match places.nth(rng.below(places.count())) {
            Some(cell) => Some(cell as Move),
            None => Some(PASS),
        }
    }

    fn legal_row(&self, row: &mut [u8], _moves: &mut Vec<Move>) {
        if self.over {
            row.fill(0);
            return;
        }
        let places = self.placements();
        let (cells, specials) = row.split_at_mut(row.len().min(self.rules.graph.cells));
        paint(cells, &places);
        specials.fill(u8::from(places.is_empty()));
    }

    fn observe(&self, row: &mut [i8]) {
        let own = usize::from(self.turn & 1);
        paint_two(row, &self.marks[own], &self.marks[1 - own]);
    }

    fn margin(&self, seat: u8) -> i32 {
        let own = usize::from(seat & 1);
        self.marks[own].count() as i32 - self.marks[1 - own].count() as i32
    }
}

impl<B: Bits> Encode for Capture<B> {
    fn images(&self, images: &mut Vec<u128>) -> Result<(), KernelError> {
        let graph = &self.rules.graph;
        graph.encode(&self.marks, u128::from(self.turn), images)
    }

    /// Games with different numbers of passes can meet.
    fn repeats(&self) -> bool {
        true
    }

    fn decode(&self, code: u128) -> Result<Self, KernelError> {
        let (cells, rest) = self.rules.graph.decode(code)?;
        self.with_cells(&cells, rest as u8)
    }
}

/// A position on the word size its board needs.
#[derive(Clone, Debug)]
pub enum AnyCapture {
    /// Up to 64 cells.
    Small(Capture<u64>),
    /// Up to 400 cells.
    Wide(Capture<Wide>),
}

impl AnyCapture {
    /// The empty board with the first seat to move.
    pub fn new(tables: &CaptureTables) -> Result<Self, KernelError> {
        if tables.cells <= u64::CAPACITY {
            Capture::new(tables).map(Self::Small)
        } else {
            Capture::new(tables).map(Self::Wide)
        }
    }
}
