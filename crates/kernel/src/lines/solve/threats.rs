//! Wins by threats alone: every attacker's move leaves the defender a single answer.

use crate::bits::Bits;

use super::attack::Attack;
use super::sides::{Sides, ATTACKER, DEFENDER};
use crate::search::proofs::Known;

/// A sequence of threats that wins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Path<B: Bits> {
    /// Attacker's moves, the winning one included.
    pub moves: u8,
    /// Every cell the sequence uses.
    pub cells: B,
    /// The defender's forced answers among them.
    pub answers: B,
}

impl<B: Bits> Path<B> {
    /// The defender's moves that might spoil the path if played before it: its own cells, and those
    /// of residues that its forced answers would bring close to completion.
    pub fn spoilers(&self, sides: &Sides<B>) -> B {
        sides.lists[DEFENDER]
            .iter()
            .filter(|residue| residue.minus(&self.answers).count() <= 2)
            .fold(self.cells, |spoilers, residue| spoilers.or(residue))
    }

    /// The cells that prove the path: it works even if the defender owns every other one. With
    /// `least` 3 instead of 2 it still works after any one move that is not a spoiler.
    pub fn zone(&self, sides: &Sides<B>, least: u32) -> B {
        sides.cover_beside(DEFENDER, least, self.cells, self.answers)
    }
}

/// Positions one look for threats may visit.
const MAX_PATH_NODES: u32 = 100;

const SALT: u128 = 0xc0ac_29b7_c97c_50dd_3f84_d5b5_b547_0917;

impl<B: Bits> Attack<'_, '_, B> {
    /// Looks for a win by threats alone within the usual nodes_left, which counts as nodes.
    pub fn path(&mut self, depth: usize, moves: u8) -> Option<Path<B>> {
        let mut nodes_left = MAX_PATH_NODES;
        let path = self.threats(depth, moves, &mut nodes_left);
        self.meter.tick_many(u64::from(MAX_PATH_NODES - nodes_left));
        path
    }

    /// Looks for a win by threats alone with at most `moves` moves, the attacker to move.
    /// Gives up when the nodes_left is spent.
    fn threats(&mut self, depth: usize, moves: u8, nodes_left: &mut u32) -> Option<Path<B>> {
        *nodes_left = nodes_left.checked_sub(1)?;
        let sides = &self.stack[depth];
        let mine = sides.summary(ATTACKER, 0);
        if let (Some(cell), true) = (mine.ones.first(), moves > 0) {
            let cells = B::one(cell);
            return Some(Path {
                moves: 1,
                cells,
                answers: B::default(),
            });
        }
        let theirs = sides.summary(DEFENDER, 0);
        if moves < 2 || mine.twos.is_empty() || theirs.ones.count() > 1 {
            return None;
        }
        let must = theirs.ones.first();
        let forks = match must {
            Some(cell) => mine.forks.and(&B::one(cell)),
            None => mine.forks,
        };
        if let Some(fork) = forks.first() {
            let (cells, _) = sides.star(ATTACKER, fork, false);
            return Some(Path {
                moves: 2,
                cells,
                answers: B::default(),
            });
        }
        let key = sides.key ^ SALT;
        if moves < 3 || self.table.get(key).refuted >= moves {
            return None;
        }
        let pairs: Vec<B> = sides.lists[ATTACKER]
            .iter()
            .filter(|residue| residue.count() == 2)
            .copied()
            .collect();
        for pair in pairs {
            let mut cells = pair.iter();
            let (Some(a), Some(b)) = (cells.next(), cells.next()) else {
                continue;
            };
            for (threat, answer) in [(a, b), (b, a)] {
                if must.is_some_and(|must| must != threat) {
                    continue;
                }
                self.play(depth, ATTACKER, threat);
                self.play(depth + 1, DEFENDER, answer);
                if let Some(rest) = self.threats(depth + 2, moves - 1, nodes_left) {
                    return Some(Path {
                        moves: rest.moves + 1,
                        cells: rest.cells.or(&pair),
                        answers: rest.answers.or(&B::one(answer)),
                    });
                }
                if *nodes_left == 0 {
                    return None;
                }
            }
        }
        let known = Known {
            refuted: moves,
            ..Known::nothing()
        };
        self.table.put(key, 1, &known);
        None
    }
}
