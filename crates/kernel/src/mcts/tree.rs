//! The tree: nodes in one arena, the children of a node side by side in a block that grows.

use crate::error::KernelError;
use crate::position::{Move, Outcome};

/// Blocks hold `1 << class` nodes; smaller classes are not worth their bookkeeping.
const FIRST_CLASS: u8 = 2;

/// Classes there can be: the largest block holds more moves than any game has.
const CLASSES: usize = 16;

/// An outcome in a byte, or none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Fact(u8);

impl Fact {
    pub const NONE: Self = Self(0);

    pub fn known(self) -> bool {
        self.0 != 0
    }

    pub fn outcome(self) -> Option<Outcome> {
        match self.0 {
            0 => None,
            1 => Some(Outcome::Draw),
            seat => Some(Outcome::Win(seat - 2)),
        }
    }

    /// The result for a seat: 1, 0 or -1.
    #[inline]
    pub fn score(self, seat: u8) -> i32 {
        match self.0 {
            0 | 1 => 0,
            winner if winner - 2 == seat => 1,
            _ => -1,
        }
    }
}

impl From<Outcome> for Fact {
    #[inline]
    fn from(outcome: Outcome) -> Self {
        Self(match outcome {
            Outcome::Draw => 1,
            Outcome::Win(seat) => seat.saturating_add(2),
        })
    }
}

/// A position of the tree and the move that led to it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Node {
    /// `sum / visits`, or minus infinity where the search has nothing left to do.
    pub mean: f32,
    /// One over the root of `visits`.
    pub spread: f32,
    /// The sum of results for the seat that moved here.
    pub sum: i32,
    pub visits: u32,
    /// Where the children are.
    first: u32,
    pub mv: Move,
    /// Children there are.
    pub tried: u16,
    /// Legal moves; 0 until the first child is made.
    pub legal: u16,
    /// The outcome under best play.
    pub proven: Fact,
    /// The best proven outcome among the children, for the seat to move.
    pub floor: Fact,
    /// The seat to move.
    pub seat: u8,
    class: u8,
}

impl Node {
    /// Counts a visit with its result for the seat that moved here; `spreads` are those of the
    /// first numbers of visits.
    #[inline]
    pub fn visit(&mut self, score: i32, spreads: &[f32]) {
        self.visits = self.visits.saturating_add(1);
        self.sum = self.sum.saturating_add(score);
        self.spread = match spreads.get(self.visits as usize) {
            Some(&spread) => spread,
            None => 1.0 / (self.visits as f32).sqrt(),
        };
        self.mean = self.sum as f32 * self.spread * self.spread;
    }
}

/// The arena.
pub(super) struct Tree {
    nodes: Vec<Node>,
    /// By class, where free blocks begin.
    free: [Vec<u32>; CLASSES],
    most: usize,
    pub full: bool,
}

/// The root's place.
pub(super) const ROOT: usize = 0;

impl Tree {
    /// An arena of at most `bytes` bytes with a root in it.
    pub fn new(bytes: usize, wanted: usize) -> Result<Self, KernelError> {
        let size = std::mem::size_of::<Node>();
        // Free lists may hold one index per block of four nodes.
        let most = (bytes / (size + 1)).min(wanted).min(u32::MAX as usize);
        if most == 0 {
            return Err(KernelError::Memory {
                needed: size + 1,
                given: bytes,
            });
        }
        let mut nodes = Vec::new();
        nodes
            .try_reserve_exact(most)
            .map_err(|_| KernelError::Memory {
                needed: most * size,
                given: bytes,
            })?;
        nodes.push(Node::default());
        Ok(Self {
            nodes,
            free: Default::default(),
            most,
            full: false,
        })
    }

    pub fn bytes(&self) -> usize {
        self.nodes.len() * std::mem::size_of::<Node>()
    }

    #[inline]
    pub fn node(&self, at: usize) -> &Node {
        &self.nodes[at]
    }

    #[inline]
    pub fn node_mut(&mut self, at: usize) -> &mut Node {
        &mut self.nodes[at]
    }

    #[inline]
    pub fn children(&self, at: usize) -> &[Node] {
        let node = &self.nodes[at];
        let first = node.first as usize;
        &self.nodes[first..first + usize::from(node.tried)]
    }

    /// The place of a child.
    #[inline]
    pub fn child(&self, at: usize, index: usize) -> usize {
        self.nodes[at].first as usize + index
    }

    /// Adds a child for a move; its place, or `None` when the arena is full.
    pub fn add(&mut self, at: usize, mv: Move) -> Option<usize> {
        let node = self.nodes[at];
        let tried = usize::from(node.tried);
        if node.tried == 0 || tried == 1 << node.class {
            let class = if node.tried == 0 {
                FIRST_CLASS
            } else {
                node.class + 1
            };
            let first = self.block(class)?;
            let old = node.first as usize;
            self.nodes.copy_within(old..old + tried, first);
            if node.tried != 0 {
                self.free[usize::from(node.class)].push(node.first);
            }
            self.nodes[at].first = first as u32;
            self.nodes[at].class = class;
        }
        let place = self.nodes[at].first as usize + tried;
        self.nodes[place] = Node {
            mv,
            ..Node::default()
        };
        self.nodes[at].tried += 1;
        Some(place)
    }

    fn block(&mut self, class: u8) -> Option<usize> {
        let free = self.free.get_mut(usize::from(class))?;
        if let Some(first) = free.pop() {
            return Some(first as usize);
        }
        let first = self.nodes.len();
        let end = first + (1 << class);
        if end > self.most {
            self.full = true;
            return None;
        }
        self.nodes.resize(end, Node::default());
        Some(first)
    }
}
