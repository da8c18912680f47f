//! The alpha-beta search of the family: margins seen by the seat to move.
//!
//! A tile that touches no empty cell can never be turned again. Counting those bounds the final
//! margin from both sides, which is what cuts most of the tree.

use crate::bits::Bits;
use crate::capture::position::{Capture, Rules};
use crate::capture::solve::table::{Known, Table};
use crate::graph::TURN_KEY;
use crate::limits::Meter;
use crate::position::{Move, Position};
use crate::search::Options;
use crate::symmetry::{smallest, Keys};

/// No best move known.
const NO_MOVE: u16 = u16::MAX;

/// One position of the search: marks by seat, and the keys of its symmetric images.
#[derive(Clone, Copy)]
pub(super) struct Node<B: Bits> {
    marks: [B; 2],
    keys: Keys,
    turn: u8,
}

impl<B: Bits> Node<B> {
    #[inline]
    fn own(&self) -> B {
        self.marks[usize::from(self.turn & 1)]
    }

    #[inline]
    fn other(&self) -> B {
        self.marks[usize::from(1 - (self.turn & 1))]
    }

    /// The margin for the seat to move as the board stands.
    #[inline]
    fn standing(&self) -> i32 {
        self.own().count() as i32 - self.other().count() as i32
    }
}

/// A scored move on the shared stack.
#[derive(Clone, Copy)]
struct Candidate {
    score: i32,
    cell: u16,
}

/// The search with everything it remembers.
pub(super) struct Search<'r, 'm, B: Bits> {
    rules: &'r Rules<B>,
    symmetries: usize,
    table: Table,
    candidates: Vec<Candidate>,
    pub meter: Meter<'m>,
}

impl<'r, 'm, B: Bits> Search<'r, 'm, B> {
    pub fn new(rules: &'r Rules<B>, meter: Meter<'m>, options: &Options) -> Self {
        let bytes = if options.table {
            meter.memory().min(options.table_memory)
        } else {
            0
        };
        // There are at most 3^cells boards.
        let positions = 3usize
            .checked_pow(rules.graph.cells as u32)
            .unwrap_or(usize::MAX);
        Self {
            symmetries: if options.symmetry {
                rules.graph.images.count
            } else {
                1
            },
            table: Table::new(bytes, positions),
            candidates: Vec::new(),
            rules,
            meter,
        }
    }

    /// The search's form of a position.
    pub fn node(&self, position: &Capture<B>) -> Node<B> {
        Node {
            marks: position.marks,
            keys: self.rules.graph.images.keys(&position.marks),
            turn: position.turn(),
        }
    }

    /// The position after a move.
    #[inline]
    pub fn child(&self, node: &Node<B>, mv: Move) -> Node<B> {
        let mut child = *node;
        if let Ok(cell) = usize::try_from(mv) {
            let (own, other) = (usize::from(node.turn & 1), usize::from(1 - (node.turn & 1)));
            let turned = self.captures(node, cell);
            let images = &self.rules.graph.images;
            for mark in turned.iter() {
                images.turn(&mut child.keys, mark);
            }
            images.mark(&mut child.keys, cell, own);
            child.marks[own] = child.marks[own].or(&turned);
            child.marks[own].insert(cell);
            child.marks[other] = child.marks[other].minus(&turned);
        }
        child.turn ^= 1;
        child
    }

    #[inline]
    fn captures(&self, node: &Node<B>, cell: usize) -> B {
        if self.rules.peaceful && self.opening(node) {
            return B::default();
        }
        self.rules.graph.neighbours[cell].and(&node.other())
    }

    #[inline]
    fn opening(&self, node: &Node<B>) -> bool {
        node.marks[0].or(&node.marks[1]).count() < 2
    }

    #[inline]
    fn key(&self, node: &Node<B>) -> u64 {
        let turn = if node.turn == 1 { TURN_KEY } else { 0 };
        smallest(&node.keys, self.symmetries) ^ turn
    }

    /// Narrows bounds on a node's margin until they meet or the meter says stop. The first
    /// windows ask for the sign, so that a stopped search still knows the most useful thing.
    pub fn margin(&mut self, node: &Node<B>, bounds: (i32, i32)) -> (i32, i32) {
        self.margin_and_move(node, bounds, &[]).0
    }

    /// The same, with one of the legal moves that reaches the lower bound if one was found.
    pub fn margin_and_move(
        &mut self,
        node: &Node<B>,
        bounds: (i32, i32),
        legal: &[Move],
    ) -> ((i32, i32), Option<Move>) {
        let (mut lower, mut upper) = bounds;
        let mut best = None;
        let mut guess = 0i32.clamp(lower, upper);
        while lower < upper {
            let beta = if guess == lower { guess + 1 } else { guess };
            let value = self.search(node, beta - 1, beta);
            if self.meter.stopped().is_some() {
                break;
            }
            if value < beta {
                upper = upper.min(value);
            } else {
                lower = lower.max(value);
                // The proof is still in the table, unless the board alone says so and any move does.
                let known = self.table.get(self.key(node));
                let known = known.map(|known| known.best as Move);
                let found = known.filter(|mv| legal.contains(mv));
                let reaches = |&mv: &Move| self.reaches(node, mv, value) == Some(true);
                let first = legal.first().copied();
                best = found.into_iter().chain(first).find(reaches).or(best);
            }
            guess = value.clamp(lower, upper);
        }
        ((lower, upper), best)
    }

    /// Whether a move's margin is at least `margin`; `None` when the meter said stop.
    pub fn reaches(&mut self, node: &Node<B>, mv: Move, margin: i32) -> Option<bool> {
        let child = self.child(node, mv);
        let value = -self.search(&child, -margin, -margin + 1);
        self.meter.stopped().is_none().then_some(value >= margin)
    }

    /// Fail-soft alpha-beta; meaningless once the meter has stopped.
    fn search(&mut self, node: &Node<B>, alpha: i32, beta: i32) -> i32 {
        if !self.meter.tick() {
            return 0;
        }
        let graph = &self.rules.graph;
        let (own, other) = (node.own(), node.other());
        let taken = own.or(&other);
        let empties = graph.all.minus(&taken);
        let opening = self.opening(node);
        if !opening && own.is_empty() {
            return -self.spread(other);
        }
        if !opening && other.is_empty() {
            return self.spread(own);
        }
        let mut places = B::default();
        let mut open = false;
        let mut near = B::default();
        for cell in empties.iter() {
            let around = graph.neighbours[cell];
            near = near.or(&around);
            if around.meets(&own) {
                places.insert(cell);
            }
            open |= around.meets(&taken);
        }
        if opening {
            places = empties;
            open = !empties.is_empty();
        }
        if !open {
            return node.standing();
        }
        let most = graph.cells as i32;
        let mut lower = 2 * own.minus(&near).count() as i32 - most;
        let mut upper = most - 2 * other.minus(&near).count() as i32;
        if lower >= beta || lower == upper {
            return lower;
        }
        if upper <= alpha {
            return upper;
        }
        if places.is_empty() {
            let child = self.child(node, crate::position::PASS);
            return -self.search(&child, -beta, -alpha);
        }
        let left = empties.count();
        if left == 1 {
            // The last cell: place, turn, count.
            let cell = places.first().unwrap_or(0);
            return node.standing() + 1 + 2 * self.captures(node, cell).count() as i32;
        }
        let key = self.key(node);
        let mut hash_move = NO_MOVE;
        if let Some(known) = self.table.get(key) {
            lower = lower.max(i32::from(known.lower));
            upper = upper.min(i32::from(known.upper));
            if lower >= beta || lower == upper {
                return lower;
            }
            if upper <= alpha {
                return upper;
            }
            hash_move = known.best;
        }
        let (value, best) = self.expand(node, places, hash_move, alpha.max(lower), beta.min(upper));
        if self.meter.stopped().is_some() {
            return 0;
        }
        if value <= alpha.max(lower) {
            upper = upper.min(value);
        } else if value >= beta.min(upper) {
            lower = lower.max(value);
        } else {
            (lower, upper) = (value, value);
        }
        self.table.put(
            key,
            Known {
                lower: lower as i16,
                upper: upper as i16,
                best,
            },
            left as u16,
        );
        value
    }

    /// How many cells a side holds in the end when it alone is on the board: all it can reach.
    fn spread(&self, marks: B) -> i32 {
        let mut reached = marks;
        loop {
            let wider = reached.or(&self.rules.graph.around(reached));
            if wider == reached {
                return reached.count() as i32;
            }
            reached = wider;
        }
    }

    /// Searches the placements of a node, best guesses first.
    fn expand(
        &mut self,
        node: &Node<B>,
        places: B,
        hash_move: u16,
        alpha: i32,
        beta: i32,
    ) -> (i32, u16) {
        let base = self.candidates.len();
        for cell in places.iter() {
            let score = if cell == usize::from(hash_move) {
                i32::MAX
            } else {
                self.score(node, cell)
            };
            self.candidates.push(Candidate {
                score,
                cell: cell as u16,
            });
        }
        let mut best = (i32::MIN, NO_MOVE);
        let mut alpha = alpha;
        for next in base..self.candidates.len() {
            let mut top = next;
            for other in next + 1..self.candidates.len() {
                if self.candidates[other].score > self.candidates[top].score {
                    top = other;
                }
            }
            self.candidates.swap(next, top);
            let cell = self.candidates[next].cell;
            let child = self.child(node, cell as Move);
            let mut value;
            if next == base {
                value = -self.search(&child, -beta, -alpha);
            } else {
                value = -self.search(&child, -alpha - 1, -alpha);
                if value > alpha && value < beta {
                    value = -self.search(&child, -beta, -alpha);
                }
            }
            if self.meter.stopped().is_some() {
                break;
            }
            if value > best.0 {
                best = (value, cell);
            }
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        self.candidates.truncate(base);
        best
    }

    /// How promising a placement looks.
    #[inline]
    fn score(&self, node: &Node<B>, cell: usize) -> i32 {
        let graph = &self.rules.graph;
        let around = graph.neighbours[cell];
        let taken = node.marks[0].or(&node.marks[1]);
        let turned = around.and(&node.other()).count() as i32;
        let empty = around.minus(&taken).count() as i32;
        4 * turned - empty
    }
}
