//! Every class of positions a game can reach, with the moves between them.
//!
//! Two positions that a symmetry of the board maps onto each other are one class. Playing on the
//! atlas is following numbers, which is what makes tabular learning fast.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use crate::count::Mix;
use crate::encode::Encode;
use crate::error::KernelError;
use crate::limits::{Limits, Meter};
use crate::position::{Move, Outcome, Position};

/// An exact value of a win at once; a later one is worth less by one for each ply.
const WIN: i32 = 1_000_000;

/// Bytes per class: its code, its place among the edges, its result, its exact value, its place
/// in the index (twice, while that grows).
const BYTES_PER_CLASS: usize = 16 + 4 + 4 + 4 + 2 * 33;

/// All classes that can be reached from some positions, which come first.
#[derive(Debug)]
pub struct Atlas {
    codes: Vec<u128>,
    /// The edges of class `i` are `edges[first[i]..first[i + 1]]`; a class without any is over.
    first: Vec<u32>,
    edges: Vec<u32>,
    /// Who won, for classes that are over: the seat, or −1 for a draw.
    winner: Vec<i8>,
    /// What a finished game is worth to the player who made the last move.
    result: Vec<f32>,
    /// The exact value for the player who made the class, under best play.
    exact: Vec<i32>,
    index: HashMap<u128, u32, BuildHasherDefault<Mix>>,
    roots: Vec<u32>,
    turns: Vec<u8>,
}

/// How the greedy moves of a table compare with best play, over classes of positions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Grade {
    /// Classes in which there is something to choose.
    pub positions: u64,
    /// Classes whose chosen move is a best one: it wins soonest, loses latest, or is worth most.
    pub optimal: u64,
    /// Classes whose chosen move keeps the value: won stays won, drawn stays drawn.
    pub sound: u64,
    /// Points lost by the chosen moves together: 1 from a win to a loss, ½ for half of that.
    pub lost: f64,
}

/// The least code of the images.
fn least(images: &[u128]) -> u128 {
    images.iter().copied().min().unwrap_or(0)
}

impl Atlas {
    /// Explores everything that can follow the `roots`. With `tiles`, the final margin is the
    /// result and not just who won. Takes at most the memory of the limits.
    pub fn new<P: Encode>(
        roots: &[P],
        tiles: bool,
        limits: &Limits<'_>,
    ) -> Result<Self, KernelError> {
        let Some(any) = roots.first() else {
            return Err(KernelError::Position("nowhere to start from".to_string()));
        };
        if any.players() != 2 {
            return Err(KernelError::Unsupported(
                "a table of values for other than two players".to_string(),
            ));
        }
        let mut meter = Meter::new(limits);
        meter.stage("exploring", 0);
        let mut atlas = Self {
            codes: Vec::new(),
            first: vec![0],
            edges: Vec::new(),
            winner: Vec::new(),
            result: Vec::new(),
            exact: Vec::new(),
            index: HashMap::default(),
            roots: Vec::new(),
            turns: Vec::new(),
        };
        let (mut images, mut after, mut moves) = (Vec::new(), Vec::new(), Vec::new());
        for root in roots {
            root.images(&mut images)?;
            let class = atlas.class(least(&images));
            atlas.roots.push(class);
        }
        let mut next = 0;
        while let Some(&code) = atlas.codes.get(next) {
            if !meter.tick() {
                meter.go_on()?;
            }
            let needed = atlas.codes.len() * BYTES_PER_CLASS + atlas.edges.len() * 8;
            if needed > limits.memory || atlas.edges.len() > u32::MAX as usize / 2 {
                return Err(KernelError::Memory {
                    needed,
                    given: limits.memory,
                });
            }
            let mut here = any.decode(code)?;
            let (winner, result) = ending(&here, tiles);
            atlas.winner.push(winner);
            atlas.result.push(result);
            atlas.turns.push(here.turn());
            if here.outcome().is_none() {
                here.images(&mut images)?;
                here.legal_moves(&mut moves);
                for mv in &moves {
                    here.images_after(*mv, &images, &mut after)?;
                    let class = atlas.class(least(&after));
                    atlas.edges.push(class);
                }
            }
            atlas.first.push(atlas.edges.len() as u32);
            next += 1;
        }
        atlas.solve(tiles, any.cells() as i32);
        Ok(atlas)
    }

    fn class(&mut self, code: u128) -> u32 {
        let fresh = self.codes.len() as u32;
        let class = *self.index.entry(code).or_insert(fresh);
        if class == fresh {
            self.codes.push(code);
        }
        class
    }

    /// Works out the exact value of every class, replies first.
    fn solve(&mut self, tiles: bool, cells: i32) {
        const OPEN: i32 = i32::MIN;
        self.exact = vec![OPEN; self.codes.len()];
        let mut stack: Vec<u32> = self.roots.clone();
        while let Some(&class) = stack.last() {
            let index = class as usize;
            if self.exact[index] != OPEN {
                stack.pop();
                continue;
            }
            let edges = self.first[index] as usize..self.first[index + 1] as usize;
            if edges.is_empty() {
                let result = self.result[index];
                self.exact[index] = if tiles {
                    (result * cells as f32).round() as i32
                } else {
                    result as i32 * WIN
                };
                continue;
            }
            let waiting = stack.len();
            let open = |class: &u32| self.exact[*class as usize] == OPEN;
            stack.extend(self.edges[edges.clone()].iter().copied().filter(open));
            if stack.len() > waiting {
                continue;
            }
            let best = self.edges[edges]
                .iter()
                .map(|child| self.exact[*child as usize])
                .max()
                .unwrap_or(0);
            self.exact[index] = if tiles {
                -best
            } else {
                -(best - best.signum())
            };
        }
    }

    /// The number of classes.
    pub fn len(&self) -> usize {
        self.codes.len()
    }

    /// Whether there is no class, which cannot be.
    pub fn is_empty(&self) -> bool {
        self.codes.is_empty()
    }

    /// The exact code of each class.
    pub fn codes(&self) -> &[u128] {
        &self.codes
    }

    /// The class of a code.
    pub fn find(&self, code: u128) -> Option<usize> {
        self.index.get(&code).map(|class| *class as usize)
    }

    /// The classes that training begins with.
    pub fn roots(&self) -> &[u32] {
        &self.roots
    }

    /// The classes after each legal move, in board order of one of the positions.
    #[inline]
    pub fn edges(&self, class: usize) -> &[u32] {
        &self.edges[self.first[class] as usize..self.first[class + 1] as usize]
    }

    /// What a finished game is worth to the player who made the last move.
    #[inline]
    pub fn result(&self, class: usize) -> f32 {
        self.result[class]
    }

    /// The seat to move, or that moved last once the game is over.
    #[inline]
    pub fn turn(&self, class: usize) -> u8 {
        self.turns[class]
    }

    /// How the game ended.
    pub fn outcome(&self, class: usize) -> Outcome {
        u8::try_from(self.winner[class]).map_or(Outcome::Draw, Outcome::Win)
    }

    /// The exact value of a class for the player who made it; only comparisons mean something.
    #[inline]
    pub fn exact(&self, class: usize) -> i32 {
        self.exact[class]
    }

    /// Compares the moves that a table prefers with best play, over all classes.
    pub fn grade(&self, values: &[f32]) -> Grade {
        let mut grade = Grade::default();
        for class in 0..self.len() {
            let edges = self.edges(class);
            let Some(&chosen) = greedy(edges, values) else {
                continue;
            };
            let best = edges.iter().map(|child| self.exact(*child as usize)).max();
            let (best, chosen) = (best.unwrap_or(0), self.exact(chosen as usize));
            grade.positions += 1;
            grade.optimal += u64::from(chosen == best);
            grade.sound += u64::from(chosen.signum() == best.signum());
            grade.lost += f64::from(best.signum() - chosen.signum()) / 2.0;
        }
        grade
    }
}

/// The first edge of the highest value.
#[inline]
pub(super) fn greedy<'a>(edges: &'a [u32], values: &[f32]) -> Option<&'a u32> {
    let mut best = edges.first()?;
    let mut top = values[*best as usize];
    for edge in &edges[1..] {
        let value = values[*edge as usize];
        if value > top {
            (best, top) = (edge, value);
        }
    }
    Some(best)
}

/// Who won, and what that is worth to the player who made the last move.
fn ending<P: Position>(position: &P, tiles: bool) -> (i8, f32) {
    let turn = position.turn();
    match position.outcome() {
        None => (-1, 0.0),
        Some(_) if tiles => {
            let margin = position.margin(turn);
            let winner = match margin.signum() {
                0 => -1,
                1 => turn as i8,
                _ => 1 - turn as i8,
            };
            (winner, margin as f32 / position.cells().max(1) as f32)
        }
        Some(Outcome::Draw) => (-1, 0.0),
        Some(Outcome::Win(seat)) => (seat as i8, if seat == turn { 1.0 } else { -1.0 }),
    }
}

/// The class code of the position after each legal move.
pub fn codes_after<P: Encode>(position: &P) -> Result<Vec<(Move, u128)>, KernelError> {
    let mut here = position.clone();
    let (mut images, mut after, mut moves) = (Vec::new(), Vec::new(), Vec::new());
    here.images(&mut images)?;
    here.legal_moves(&mut moves);
    let mut codes = Vec::with_capacity(moves.len());
    for mv in moves {
        here.images_after(mv, &images, &mut after)?;
        codes.push((mv, least(&after)));
    }
    Ok(codes)
}

/// The class code of a position.
pub(super) fn code<P: Encode>(position: &P, images: &mut Vec<u128>) -> Result<u128, KernelError> {
    position.images(images)?;
    Ok(least(images))
}
