//! Tables of the family, checked and compiled.

use std::sync::OnceLock;

use crate::bits::Bits;
use crate::error::KernelError;
use crate::graph::Graph;
use crate::rng::Rng;
use crate::symmetry::check_permutation;

/// How many fillings of a board are tried.
const FILLINGS: u64 = 600;

/// What a game of this family is made of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConnectTables {
    /// The number of cells.
    pub cells: usize,
    /// By cell, the cells it touches; touching is mutual.
    pub neighbours: Vec<Vec<u16>>,
    /// By seat, the cells of the two edges it joins.
    pub edges: [[Vec<u16>; 2]; 2],
    /// Where a taken-over stone goes (`swap[from] = to`); `None` in a game without the swap.
    pub swap: Option<Vec<u16>>,
    /// Permutations of the cells (`permutation[from] = to`) that keep the neighbours, the edges of
    /// each seat and the swap.
    pub symmetries: Vec<Vec<u16>>,
}

#[derive(Debug)]
pub(super) struct Rules<B: Bits> {
    pub graph: Graph<B>,
    /// By seat, the two edges.
    pub edges: [[B; 2]; 2],
    pub swap: Option<Vec<u16>>,
    /// The neighbours of all cells one after the other, and where each cell's begin.
    list: Vec<u16>,
    begins: Vec<usize>,
    /// By cell and seat: bit 0 and 1 for the edges of the seat that hold the cell.
    pub touches: Vec<[u16; 2]>,
    /// By cell, how far it is from the edges, from 0 to 100.
    pub central: Vec<i32>,
    /// By cell: the cells a bridge away, each with the two cells between.
    pub bridges: Vec<Vec<(u16, [u16; 2])>>,
    decides: OnceLock<bool>,
}

fn bad<T>(why: String) -> Result<T, KernelError> {
    Err(KernelError::Tables(why))
}

/// The cells a bridge away from a cell: two of their neighbours are also its own, and no more.
fn bridges<B: Bits>(graph: &Graph<B>, cell: usize) -> Vec<(u16, [u16; 2])> {
    let near = graph.neighbours[cell];
    let mut far = graph.around(near).minus(&near);
    far.remove(cell);
    far.iter()
        .filter_map(|other| {
            let mut between = near.and(&graph.neighbours[other]).iter();
            match (between.next(), between.next(), between.next()) {
                (Some(a), Some(b), None) => Some((other as u16, [a as u16, b as u16])),
                _ => None,
            }
        })
        .collect()
}

/// By cell, how far it is from the edges: 0 on an edge, 100 where that is farthest.
fn central<B: Bits>(graph: &Graph<B>, edges: &[[B; 2]; 2]) -> Vec<i32> {
    let mut far = vec![0; graph.cells];
    let mut reached = edges
        .iter()
        .flatten()
        .fold(B::default(), |all, edge| all.or(edge));
    let mut fresh = reached;
    let mut steps = 0;
    while !fresh.is_empty() {
        fresh.iter().for_each(|cell| far[cell] = steps);
        steps += 1;
        fresh = graph.around(fresh).minus(&reached);
        reached = reached.or(&fresh);
    }
    far.iter()
        .map(|far| 100 * far / (steps - 1).max(1))
        .collect()
}

impl<B: Bits> Rules<B> {
    /// Checks and compiles the tables.
    pub fn new(tables: &ConnectTables) -> Result<Self, KernelError> {
        let graph = Graph::<B>::new(tables.cells, &tables.neighbours, &tables.symmetries)?;
        let mut edges = [[B::default(); 2]; 2];
        for (seat, pair) in tables.edges.iter().enumerate() {
            for (side, cells) in pair.iter().enumerate() {
                for &cell in cells {
                    if usize::from(cell) >= graph.cells {
                        return bad(format!(
                            "an edge of seat {seat} has cell {cell}, past the board"
                        ));
                    }
                    edges[seat][side].insert(usize::from(cell));
                }
                if cells.is_empty() {
                    return bad(format!("edge {side} of seat {seat} has no cells"));
                }
            }
        }
        if let Some(swap) = &tables.swap {
            check_permutation("the swap", swap, graph.cells)?;
        }
        for symmetry in &graph.symmetries {
            for (seat, [a, b]) in edges.iter().enumerate() {
                let image = [a.map(symmetry), b.map(symmetry)];
                if image != [*a, *b] && image != [*b, *a] {
                    return bad(format!("a symmetry does not keep the edges of seat {seat}"));
                }
            }
            if let Some(swap) = &tables.swap {
                let moved = |cell: usize| {
                    (
                        symmetry[usize::from(swap[cell])],
                        swap[usize::from(symmetry[cell])],
                    )
                };
                if (0..graph.cells).any(|cell| moved(cell).0 != moved(cell).1) {
                    return bad("a symmetry does not keep the swap".to_string());
                }
            }
        }
        let mut list = Vec::new();
        let mut begins = vec![0];
        for set in &graph.neighbours {
            list.extend(set.iter().map(|cell| cell as u16));
            begins.push(list.len());
        }
        let touches = (0..graph.cells)
            .map(|cell| edges.map(|[a, b]| u16::from(a.has(cell)) | u16::from(b.has(cell)) << 1))
            .collect();
        let bridges = (0..graph.cells).map(|cell| bridges(&graph, cell)).collect();
        let central = central(&graph, &edges);
        Ok(Self {
            bridges,
            central,
            graph,
            edges,
            swap: tables.swap.clone(),
            list,
            begins,
            touches,
            decides: OnceLock::new(),
        })
    }

    /// The neighbours of a cell.
    #[inline]
    pub fn around(&self, cell: u16) -> &[u16] {
        let at = usize::from(cell);
        &self.list[self.begins[at]..self.begins[at + 1]]
    }

    /// The cells of `stones` that `from` reaches inside `stones`.
    #[inline]
    pub fn flood(&self, from: B, stones: B) -> B {
        let mut reached = from.and(&stones);
        let mut fresh = reached;
        while let Some(cell) = fresh.first() {
            fresh.remove(cell);
            let more = self.graph.neighbours[cell].and(&stones).minus(&reached);
            reached = reached.or(&more);
            fresh = fresh.or(&more);
        }
        reached
    }

    /// Whether a seat's stones join its edges.
    #[inline]
    pub fn joined(&self, seat: usize, stones: B) -> bool {
        let [a, b] = &self.edges[seat];
        stones.meets(b) && self.flood(*a, stones).meets(b)
    }

    /// Whether a seat's stones join its edges, knowing that they did not before the one in `cell`.
    #[inline]
    pub fn joins(&self, seat: usize, stones: B, cell: usize) -> bool {
        let [a, b] = &self.edges[seat];
        let contacts = self.graph.neighbours[cell].and(&stones).count()
            + u32::from(a.has(cell))
            + u32::from(b.has(cell));
        // A stone that links nothing to nothing cannot complete a chain.
        if contacts < 2 {
            return false;
        }
        let chain = self.flood(B::one(cell), stones);
        chain.meets(a) && chain.meets(b)
    }

    /// Whether a seat could join its edges with at most `stones` more, were it alone.
    #[inline]
    pub fn reaches(&self, seat: usize, stones: B, empties: B, most: u32) -> bool {
        let [from, to] = self.edges[seat];
        let mut chain = self.flood(from, stones);
        let mut near = from.or(&self.graph.around(chain));
        if chain.meets(&to) {
            return true;
        }
        let mut left = empties;
        for _ in 0..most {
            let ring = near.and(&left);
            left = left.minus(&ring);
            let fresh = self.flood(self.graph.around(ring), stones.minus(&chain));
            chain = chain.or(&fresh);
            if ring.meets(&to) || fresh.meets(&to) {
                return true;
            }
            near = self.graph.around(ring.or(&fresh));
        }
        false
    }

    /// Whether every filling of the board has exactly one winner, which the solver relies on:
    /// all of them on small boards, a sample on others. Found out once per game.
    pub fn decides(&self) -> bool {
        *self.decides.get_or_init(|| self.fillings_decide())
    }

    fn fillings_decide(&self) -> bool {
        let cells = self.graph.cells;
        let one =
            |stones: B| self.joined(0, stones) != self.joined(1, self.graph.all.minus(&stones));
        if cells <= 12 {
            return (0..1u32 << cells).all(|filling| {
                let taken = (0..cells).filter(|cell| filling >> cell & 1 == 1);
                one(taken.fold(B::default(), |set, cell| set.or(&B::one(cell))))
            });
        }
        (0..FILLINGS).all(|sample| {
            let mut rng = Rng::new(sample, 0);
            // From sparse to dense, so that thin walls and wide gaps both come up.
            let share = 1 + sample % 15;
            let taken = (0..cells).filter(|_| u64::from(rng.below(16)) < share);
            one(taken.fold(B::default(), |set, cell| set.or(&B::one(cell))))
        })
    }
}
