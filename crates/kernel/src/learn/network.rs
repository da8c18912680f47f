//! Networks of tuples: the value of a position as a sum over small groups of cells.
//!
//! A tuple is some cells in an order. What stands in them, seen by one player (nothing, a mark of
//! its own, a mark of the other), is a number in base three that picks a weight from the tuple's
//! table; tuples that a symmetry maps onto each other share a table. The value of a position for
//! the player who made it is the hyperbolic tangent of the sum of all weights picked.
//!
//! Both seats use the same weights. Where they play for different sides of the board, the second
//! seat looks at it through a mirror, a permutation of the cells, and so sees what the first would.

use crate::error::KernelError;
use crate::position::{Move, Outcome, Position};

/// The most cells of a tuple: its table has 3 to that power weights.
const LONGEST: usize = 12;

/// The shape of a network.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TupleTables {
    /// The number of cells of the board.
    pub cells: usize,
    /// The cells of each tuple, in order.
    pub tuples: Vec<Vec<u16>>,
    /// The table of each tuple.
    pub tables: Vec<u16>,
    /// By cell, where the second seat sees it; empty where both seats see the same board.
    pub mirror: Vec<u16>,
}

/// A network and its weights.
#[derive(Clone, Debug)]
pub struct Network {
    shape: TupleTables,
    /// Where each tuple's table begins.
    offsets: Vec<u32>,
    /// By cell: each tuple it is in, and what the digit there counts. With a mirror, those of the
    /// second seat follow those of the first.
    by_cell: Vec<Vec<(u32, u32)>>,
    /// Where the second seat's cells begin in `by_cell`.
    second: usize,
    weights: Vec<f32>,
}

impl Network {
    /// A network whose weights are all 0.
    pub fn new(shape: TupleTables) -> Result<Self, KernelError> {
        let bad = |why: String| Err(KernelError::Tables(why));
        if shape.tuples.is_empty() || shape.tuples.len() != shape.tables.len() {
            return bad("as many tables as tuples, and at least one".to_string());
        }
        let mut lengths: Vec<usize> = Vec::new();
        let mut by_cell = vec![Vec::new(); shape.cells];
        for (number, (cells, table)) in shape.tuples.iter().zip(&shape.tables).enumerate() {
            let table = usize::from(*table);
            if table > lengths.len() {
                return bad(format!("table {table} without the ones before it"));
            }
            if table == lengths.len() {
                lengths.push(cells.len());
            }
            if cells.is_empty() || cells.len() > LONGEST || cells.len() != lengths[table] {
                return bad(format!("a tuple of {} cells", cells.len()));
            }
            let mut power = 1;
            for &cell in cells {
                match by_cell.get_mut(usize::from(cell)) {
                    Some(tuples) => tuples.push((number as u32, power)),
                    None => return bad(format!("cell {cell} of {}", shape.cells)),
                }
                power *= 3;
            }
        }
        let second = if shape.mirror.is_empty() {
            0
        } else {
            check_mirror(&shape)?;
            for &seen in &shape.mirror {
                by_cell.push(by_cell[usize::from(seen)].clone());
            }
            shape.cells
        };
        let mut starts = vec![0u32];
        for length in &lengths {
            let last = starts.last().copied().unwrap_or(0);
            starts.push(last + 3u32.pow(*length as u32));
        }
        let start = |table: &u16| starts[usize::from(*table)];
        Ok(Self {
            offsets: shape.tables.iter().map(start).collect(),
            weights: vec![0.0; starts[lengths.len()] as usize],
            by_cell,
            second,
            shape,
        })
    }

    /// The shape.
    pub fn shape(&self) -> &TupleTables {
        &self.shape
    }

    /// The weights of all tables, one after the other.
    pub fn weights(&self) -> &[f32] {
        &self.weights
    }

    /// The weights, to be changed.
    pub fn weights_mut(&mut self) -> &mut [f32] {
        &mut self.weights
    }

    /// The tuples that a seat sees a cell in, each with what the digit there counts.
    #[inline]
    fn around(&self, seat: usize, cell: u16) -> &[(u32, u32)] {
        &self.by_cell[seat * self.second + usize::from(cell)]
    }

    /// The number of tuples.
    pub fn tuples(&self) -> usize {
        self.offsets.len()
    }
}

/// Refuses a mirror that is not a permutation of the cells.
fn check_mirror(shape: &TupleTables) -> Result<(), KernelError> {
    let mut seen = vec![false; shape.cells];
    for &cell in &shape.mirror {
        match seen.get_mut(usize::from(cell)) {
            Some(taken) if !*taken => *taken = true,
            _ => return Err(KernelError::Tables(format!("cell {cell} in a mirror"))),
        }
    }
    if shape.mirror.len() != shape.cells {
        let why = format!("a mirror of {} cells", shape.mirror.len());
        return Err(KernelError::Tables(why));
    }
    Ok(())
}

/// What a move is worth to the player who makes it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rated {
    /// The move.
    pub mv: Move,
    /// From −1 to 1; exact when the move ends the game.
    pub value: f32,
    /// Whether the move ends the game.
    pub ends: bool,
}

/// A position with the places its tuples pick, for both seats, kept from move to move.
#[derive(Clone, Debug)]
pub struct Reader {
    /// What is in each cell: 0 for nothing, else the seat + 1.
    board: Vec<u8>,
    /// By seat, the place of each tuple's weight.
    places: [Vec<u32>; 2],
    changes: Vec<(u16, u8)>,
}

/// What a cell holding `mark` counts as for a seat.
#[inline]
fn digit(seat: usize, mark: u8) -> u32 {
    match usize::from(mark) {
        0 => 0,
        mark if mark - 1 == seat => 1,
        _ => 2,
    }
}

impl Reader {
    /// Reads a position.
    pub fn new<P: Position>(network: &Network, position: &P) -> Self {
        let places = [network.offsets.clone(), network.offsets.clone()];
        let mut reader = Self {
            board: vec![0; position.cells()],
            places,
            changes: Vec::new(),
        };
        reader.follow(network, position);
        reader
    }

    /// Takes in whatever changed.
    pub fn follow<P: Position>(&mut self, network: &Network, position: &P) {
        self.diff(position);
        let changes = std::mem::take(&mut self.changes);
        for &(cell, mark) in &changes {
            for seat in 0..2 {
                self.shift(network, seat, cell, mark);
            }
            self.board[usize::from(cell)] = mark;
        }
        self.changes = changes;
    }

    fn diff<P: Position>(&mut self, position: &P) {
        self.changes.clear();
        for (cell, before) in self.board.iter().enumerate() {
            let mark = position.at(cell).map_or(0, |seat| seat + 1);
            if mark != *before {
                self.changes.push((cell as u16, mark));
            }
        }
    }

    #[inline]
    fn shift(&mut self, network: &Network, seat: usize, cell: u16, mark: u8) {
        let before = digit(seat, self.board[usize::from(cell)]);
        let step = digit(seat, mark).wrapping_sub(before);
        for &(tuple, power) in network.around(seat, cell) {
            let place = &mut self.places[seat][tuple as usize];
            *place = place.wrapping_add(step.wrapping_mul(power));
        }
    }

    /// The places whose weights make the value for a seat.
    pub fn places(&self, seat: u8) -> &[u32] {
        &self.places[usize::from(seat & 1)]
    }

    /// The sum of the weights for a seat.
    pub fn sum(&self, weights: &[f32], seat: u8) -> f32 {
        let picked = self.places(seat).iter();
        picked.map(|place| weights[*place as usize]).sum()
    }

    /// Rates every legal move of a position this reader has taken in. `moves` are the legal ones.
    pub fn rate<P: Position>(
        &mut self,
        network: &Network,
        position: &mut P,
        moves: &[Move],
        rated: &mut Vec<Rated>,
    ) {
        rated.clear();
        let seat = position.turn();
        let base = self.sum(&network.weights, seat);
        for &mv in moves {
            let undo = position.play(mv);
            let (value, ends) = match position.outcome() {
                Some(outcome) => (worth(outcome, seat), true),
                None => {
                    self.diff(position);
                    (self.after(network, base, seat).tanh(), false)
                }
            };
            position.undo(undo);
            rated.push(Rated { mv, value, ends });
        }
    }

    /// The sum for a seat after the changes found last.
    fn after(&mut self, network: &Network, base: f32, seat: u8) -> f32 {
        let seat = usize::from(seat & 1);
        if let [(cell, mark)] = self.changes[..] {
            let before = digit(seat, self.board[usize::from(cell)]);
            let step = digit(seat, mark).wrapping_sub(before);
            let mut sum = base;
            for &(tuple, power) in network.around(seat, cell) {
                let place = self.places[seat][tuple as usize];
                let then = place.wrapping_add(step.wrapping_mul(power));
                sum += network.weights[then as usize] - network.weights[place as usize];
            }
            return sum;
        }
        let changes = std::mem::take(&mut self.changes);
        let before = self.places[seat].clone();
        for &(cell, mark) in &changes {
            self.shift(network, seat, cell, mark);
        }
        self.changes = changes;
        let sum = self.sum(&network.weights, seat as u8);
        self.places[seat] = before;
        sum
    }
}

/// A result for a seat, from −1 to 1.
pub(super) fn worth(outcome: Outcome, seat: u8) -> f32 {
    match outcome {
        Outcome::Draw => 0.0,
        Outcome::Win(winner) if winner == seat => 1.0,
        Outcome::Win(_) => -1.0,
    }
}

/// Rates every legal move by looking `depth` plies ahead: 1 rates the positions after each move.
pub fn look<P: Position>(network: &Network, position: &P, depth: u32) -> Vec<Rated> {
    let mut here = position.clone();
    let (mut moves, mut rated) = (Vec::new(), Vec::new());
    here.legal_moves(&mut moves);
    let mut reader = Reader::new(network, &here);
    reader.rate(network, &mut here, &moves, &mut rated);
    if depth > 1 {
        for entry in rated.iter_mut().filter(|entry| !entry.ends) {
            let undo = here.play(entry.mv);
            // A full window, so that every move gets its own value.
            entry.value = -search(network, &mut here, &reader, depth - 1, (-2.0, 2.0));
            here.undo(undo);
        }
    }
    rated
}

/// The value for the side to move, by alpha-beta. A win is worth a little less for each ply.
fn search<P: Position>(
    network: &Network,
    here: &mut P,
    before: &Reader,
    depth: u32,
    window: (f32, f32),
) -> f32 {
    const LATER: f32 = 0.999;
    let (mut moves, mut rated) = (Vec::new(), Vec::new());
    let mut reader = before.clone();
    reader.follow(network, here);
    here.legal_moves(&mut moves);
    reader.rate(network, here, &moves, &mut rated);
    rated.sort_by(|a, b| b.value.total_cmp(&a.value));
    let (mut alpha, beta) = window;
    let mut best = -2.0f32;
    for entry in &rated {
        let value = if entry.ends || depth == 1 {
            entry.value
        } else {
            let undo = here.play(entry.mv);
            let value = -search(network, here, &reader, depth - 1, (-beta, -alpha));
            here.undo(undo);
            value
        };
        best = best.max(value);
        alpha = alpha.max(value);
        if alpha >= beta {
            break;
        }
    }
    best * LATER
}
