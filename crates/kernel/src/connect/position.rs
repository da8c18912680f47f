//! One moment of a game of the family.

use std::sync::Arc;

use crate::bits::{paint, paint_two, Bits, Wide, Words};
use crate::connect::playout::playout;
use crate::connect::rules::{ConnectTables, Rules};
use crate::encode::Encode;
use crate::error::KernelError;
use crate::graph::{read_marks, seat_in, SWAP_KEY, TURN_KEY};
use crate::playouts::{Ending, Scratch};
use crate::position::{Move, Outcome, Position, SWAP};
use crate::rng::Rng;

/// One moment of a game, on boards that fit into `B`.
#[derive(Clone, Debug)]
pub struct Connect<B: Bits> {
    pub(super) rules: Arc<Rules<B>>,
    pub(super) stones: [B; 2],
    key: u64,
    outcome: Option<Outcome>,
    turn: u8,
    /// The first stone may be taken over: now if it is on the board, else once it is.
    swap: bool,
}

/// What it takes to undo one move.
#[derive(Clone, Copy, Debug)]
pub struct ConnectUndo {
    key: u64,
    /// The placed cell, or the one the taken-over stone stood on.
    cell: u16,
    swapped: bool,
    turn: u8,
    swap: bool,
}

impl<B: Bits> Connect<B> {
    /// The empty board with the first seat to move; a game with the swap offers it.
    pub fn new(tables: &ConnectTables) -> Result<Self, KernelError> {
        let rules = Rules::new(tables)?;
        let cells = vec![None; rules.graph.cells];
        Self::with_rules(Arc::new(rules), &cells, 0, true)
    }

    /// Any position: whose stone is in each cell, whose turn it is, and whether the first stone
    /// may still be taken over (by the seat to move, or on an empty board by the one after). The
    /// last has no effect in a game without the swap or where it is too late for one.
    pub fn setup(
        tables: &ConnectTables,
        cells: &[Option<u8>],
        turn: u8,
        swap: bool,
    ) -> Result<Self, KernelError> {
        Self::with_rules(Arc::new(Rules::new(tables)?), cells, turn, swap)
    }

    /// Another position of the same game, without compiling the tables again.
    pub fn with_cells(
        &self,
        cells: &[Option<u8>],
        turn: u8,
        swap: bool,
    ) -> Result<Self, KernelError> {
        Self::with_rules(Arc::clone(&self.rules), cells, turn, swap)
    }

    fn with_rules(
        rules: Arc<Rules<B>>,
        cells: &[Option<u8>],
        turn: u8,
        swap: bool,
    ) -> Result<Self, KernelError> {
        let bad = |why: String| Err(KernelError::Position(why));
        let stones: [B; 2] = read_marks(cells, rules.graph.cells)?;
        if turn > 1 {
            return bad(format!("seat {turn} to move, there are two"));
        }
        let joined = [rules.joined(0, stones[0]), rules.joined(1, stones[1])];
        let outcome = match joined {
            [true, true] => return bad("both seats have joined their edges".to_string()),
            [true, false] => Some(Outcome::Win(0)),
            [false, true] => Some(Outcome::Win(1)),
            [false, false] if stones[0].or(&stones[1]) == rules.graph.all => Some(Outcome::Draw),
            [false, false] => None,
        };
        let count = stones.map(|set| set.count());
        let early = count[usize::from(turn)] == 0 && count[usize::from(1 - turn)] <= 1;
        let swap = swap && early && outcome.is_none() && rules.swap.is_some();
        let key = rules.graph.key(&stones) ^ Self::rest(turn, swap);
        Ok(Self {
            rules,
            stones,
            key,
            outcome,
            turn,
            swap,
        })
    }

    /// The part of a key that is not the stones.
    #[inline]
    fn rest(turn: u8, swap: bool) -> u64 {
        (if turn == 1 { TURN_KEY } else { 0 }) ^ (if swap { SWAP_KEY } else { 0 })
    }

    /// The empty cells.
    #[inline]
    pub(super) fn empties(&self) -> B {
        self.rules
            .graph
            .all
            .minus(&self.stones[0].or(&self.stones[1]))
    }

    /// Whether the first stone may still be taken over, now or after it is placed.
    pub fn offers_swap(&self) -> bool {
        self.swap
    }

    /// Whether the seat to move may take over the first stone.
    #[inline]
    fn may_swap(&self) -> bool {
        self.swap && self.stones[usize::from(1 - (self.turn & 1))].count() == 1
    }

    /// Ends the game or passes the turn after `cell` was taken by the seat to move.
    #[inline]
    fn finish(&mut self, cell: usize) {
        let own = usize::from(self.turn & 1);
        if self.rules.joins(own, self.stones[own], cell) {
            self.outcome = Some(Outcome::Win(self.turn));
        } else if self.stones[0].or(&self.stones[1]) == self.rules.graph.all {
            self.outcome = Some(Outcome::Draw);
        } else {
            self.turn ^= 1;
            self.key ^= TURN_KEY;
            return;
        }
        if self.swap {
            self.swap = false;
            self.key ^= SWAP_KEY;
        }
    }
}

impl<B: Bits> Position for Connect<B> {
    type Undo = ConnectUndo;

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
        seat_in(&self.stones, cell)
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn legal_moves(&self, moves: &mut Vec<Move>) {
        moves.clear();
        if self.outcome.is_some() {
            return;
        }
        moves.extend(self.empties().iter().map(|cell| cell as Move));
        if self.may_swap() {
            moves.push(SWAP);
        }
    }

    fn is_legal(&self, mv: Move) -> bool {
        if self.outcome.is_some() {
            return false;
        }
        match usize::try_from(mv) {
            Ok(cell) => self.empties().has(cell),
            Err(_) => mv == SWAP && self.may_swap(),
        }
    }

    fn play(&mut self, mv: Move) -> ConnectUndo {
        let mut undo = ConnectUndo {
            key: self.key,
            cell: 0,
            swapped: false,
            turn: self.turn,
            swap: self.swap,
        };
        let (own, other) = (usize::from(self.turn & 1), usize::from(1 - (self.turn & 1)));
        let cell = match usize::try_from(mv) {
            Ok(cell) => {
                if cell >= self.rules.graph.cells {
                    return undo;
                }
                undo.cell = cell as u16;
                if self.swap && !self.stones[other].is_empty() {
                    self.swap = false;
                    self.key ^= SWAP_KEY;
                }
                cell
            }
            Err(_) => {
                let from = self.stones[other].first().unwrap_or(0);
                let to = match self.rules.swap.as_ref().and_then(|swap| swap.get(from)) {
                    Some(&to) => usize::from(to),
                    None => return undo,
                };
                undo.cell = from as u16;
                undo.swapped = true;
                self.stones[other].remove(from);
                self.swap = false;
                self.key ^= self.rules.graph.keys[from][other] ^ SWAP_KEY;
                to
            }
        };
        self.stones[own].insert(cell);
        self.key ^= self.rules.graph.keys[cell][own];
        self.finish(cell);
        undo
    }

    fn advance(&mut self, mv: Move) -> ConnectUndo {
        let cell = match usize::try_from(mv) {
            // A swap, the first two plies and nonsense are left to the careful way.
            Ok(cell) if cell < self.rules.graph.cells && !self.swap => cell,
            _ => return self.play(mv),
        };
        let undo = ConnectUndo {
            key: self.key,
            cell: cell as u16,
            swapped: false,
            turn: self.turn,
            swap: false,
        };
        let own = usize::from(self.turn & 1);
        self.stones[own].insert(cell);
        self.key ^= self.rules.graph.keys[cell][own] ^ TURN_KEY;
        self.turn ^= 1;
        undo
    }

    fn undo(&mut self, undo: ConnectUndo) {
        self.key = undo.key;
        self.turn = undo.turn;
        self.swap = undo.swap;
        self.outcome = None;
        let (own, other) = (usize::from(self.turn & 1), usize::from(1 - (self.turn & 1)));
        if undo.swapped {
            self.stones[own] = B::default();
            self.stones[other] = B::one(usize::from(undo.cell));
        } else {
            self.stones[own].remove(usize::from(undo.cell));
        }
    }

    fn key(&self) -> u64 {
        self.key
    }

    fn canonical_key(&self) -> u64 {
        let rest = Self::rest(self.turn, self.swap);
        self.rules.graph.canonical_key(&self.stones, rest)
    }

    fn specials(&self) -> &'static [Move] {
        if self.rules.swap.is_some() {
            &[SWAP]
        } else {
            &[]
        }
    }

    fn random_move(&self, rng: &mut Rng, _moves: &mut Vec<Move>) -> Option<Move> {
        if self.outcome.is_some() {
            return None;
        }
        let empties = self.empties();
        let swaps = u32::from(self.may_swap());
        match empties.nth(rng.below(empties.count() + swaps)) {
            Some(cell) => Some(cell as Move),
            None => Some(SWAP),
        }
    }

    fn legal_row(&self, row: &mut [u8], _moves: &mut Vec<Move>) {
        if self.outcome.is_some() {
            row.fill(0);
            return;
        }
        let (cells, specials) = row.split_at_mut(row.len().min(self.rules.graph.cells));
        paint(cells, &self.empties());
        specials.fill(u8::from(self.may_swap()));
    }

    fn observe(&self, row: &mut [i8]) {
        let own = usize::from(self.turn & 1);
        paint_two(row, &self.stones[own], &self.stones[1 - own]);
    }

    fn playout(&self, rng: &mut Rng, scratch: &mut Scratch) -> Ending {
        playout(self, rng, scratch)
    }
}

impl<B: Bits> Encode for Connect<B> {
    fn images(&self, images: &mut Vec<u128>) -> Result<(), KernelError> {
        let rest = u128::from(self.turn) | u128::from(self.swap) << 1;
        self.rules.graph.encode(&self.stones, rest, images)
    }

    fn decode(&self, code: u128) -> Result<Self, KernelError> {
        let (cells, rest) = self.rules.graph.decode(code)?;
        self.with_cells(&cells, (rest & 1) as u8, rest & 2 != 0)
    }
}

/// A position on the word size its board needs.
#[derive(Clone, Debug)]
pub enum AnyConnect {
    /// Up to 64 cells.
    Small(Connect<u64>),
    /// Up to 128 cells.
    Middle(Connect<Words<2>>),
    /// Up to 400 cells.
    Wide(Connect<Wide>),
}

impl AnyConnect {
    /// The empty board; see [`Connect::new`].
    pub fn new(tables: &ConnectTables) -> Result<Self, KernelError> {
        if tables.cells <= u64::CAPACITY {
            Connect::new(tables).map(Self::Small)
        } else if tables.cells <= Words::<2>::CAPACITY {
            Connect::new(tables).map(Self::Middle)
        } else {
            Connect::new(tables).map(Self::Wide)
        }
    }
}
