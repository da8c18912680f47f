//! Complete counting: every reachable position, every way a game can go.
//!
//! Positions are enumerated ply by ply, one representative per orbit of the symmetries that fix
//! the starting position, each with the number of move sequences that lead to it.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::bits::scramble;
use crate::encode::Encode;
use crate::error::KernelError;
use crate::limits::{Limits, Meter};
use crate::position::Outcome;

/// Numbers by outcome.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ByOutcome {
    /// Won, by seat.
    pub wins: Vec<u128>,
    /// Drawn.
    pub draws: u128,
}

impl ByOutcome {
    fn new(players: u8) -> Self {
        Self {
            wins: vec![0; usize::from(players)],
            draws: 0,
        }
    }

    fn add(&mut self, outcome: Outcome, count: u128) -> Result<(), KernelError> {
        let slot = match outcome {
            Outcome::Win(seat) => self.wins.get_mut(usize::from(seat)),
            Outcome::Draw => Some(&mut self.draws),
        };
        slot.map_or(Ok(()), |slot| grow(slot, count))
    }

    /// All of them together.
    pub fn total(&self) -> Result<u128, KernelError> {
        let sum = |sum: u128, more: &u128| sum.checked_add(*more);
        let wins = self.wins.iter().try_fold(self.draws, sum);
        wins.ok_or(KernelError::Overflow)
    }
}

/// What one ply holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ply {
    /// Distinct positions.
    pub positions: u128,
    /// Positions modulo all symmetries of the board.
    pub canonical: u128,
    /// Positions where the game is over.
    pub terminals: ByOutcome,
    /// Move sequences of this length.
    pub sequences: u128,
    /// Games that end here.
    pub games: ByOutcome,
}

/// Everything there is to count about a game, by ply and in total.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Count {
    /// Ply 0 is the starting position.
    pub plies: Vec<Ply>,
    /// Distinct positions.
    pub positions: u128,
    /// Positions modulo all symmetries of the board.
    pub canonical: u128,
    /// Positions where the game is over.
    pub terminals: ByOutcome,
    /// Complete games.
    pub games: ByOutcome,
}

/// A hasher for codes that are numbers already.
#[derive(Clone, Copy, Default)]
pub(crate) struct Mix(u64);

impl Hasher for Mix {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(u64::from(*byte));
        }
    }
    fn write_u64(&mut self, word: u64) {
        self.0 = scramble(self.0 ^ word);
    }
    fn write_u128(&mut self, word: u128) {
        self.write_u64(word as u64 ^ ((word >> 64) as u64).rotate_left(29));
    }
}

type Layer = HashMap<u128, u128, BuildHasherDefault<Mix>>;

/// Bytes a layer takes per place: the pair and a byte of the map's own.
const PLACE: usize = 33;

fn grow(slot: &mut u128, by: u128) -> Result<(), KernelError> {
    *slot = slot.checked_add(by).ok_or(KernelError::Overflow)?;
    Ok(())
}

/// Counts everything reachable from a position, up to `depth` plies if given.
pub fn count<P: Encode>(
    position: &P,
    depth: Option<u32>,
    limits: &Limits<'_>,
) -> Result<Count, KernelError> {
    let mut meter = Meter::new(limits);
    let players = position.players();
    let (mut images, mut after) = (Vec::new(), Vec::new());
    position.images(&mut images)?;
    let start = images[0];
    // Only symmetries that fix the start map its future onto itself.
    let fixing: Vec<usize> = (0..images.len()).filter(|i| images[*i] == start).collect();
    let whole = fixing.len() == images.len();
    let mut all = Count {
        plies: Vec::new(),
        positions: 0,
        canonical: 0,
        terminals: ByOutcome::new(players),
        games: ByOutcome::new(players),
    };
    let mut layer = Layer::default();
    layer.insert(start, 1);
    let mut moves = Vec::new();
    // What earlier plies had, in games where a position can come up again: such a position counts
    // at each of its plies and once in the totals.
    let repeats = position.repeats();
    let (mut seen, mut seen_classes) = (Layer::default(), Layer::default());
    while !layer.is_empty() {
        let number = all.plies.len() as u32;
        meter.stage("count", number);
        let last = depth.is_some_and(|depth| number >= depth);
        let mut ply = Ply {
            positions: 0,
            canonical: 0,
            terminals: ByOutcome::new(players),
            sequences: 0,
            games: ByOutcome::new(players),
        };
        let mut next = Layer::default();
        let mut classes = Layer::default();
        for (code, paths) in &layer {
            if !meter.tick() {
                meter.go_on()?;
            }
            let mut here = position.decode(*code)?;
            here.images(&mut images)?;
            let same = fixing.iter().filter(|i| images[**i] == *code).count();
            let orbit = (fixing.len() / same.max(1)) as u128;
            // `paths` leads to this representative; its images have as many each.
            let through = paths.checked_mul(orbit).ok_or(KernelError::Overflow)?;
            ply.positions += orbit;
            grow(&mut ply.sequences, through)?;
            let mut fresh = true;
            if repeats {
                let others = layer.len() + next.len() + classes.len() + seen_classes.len();
                reserve(&mut seen, others, limits.memory)?;
                fresh = seen.insert(*code, 0).is_none();
                reserve(&mut seen_classes, others + seen.len(), limits.memory)?;
                seen_classes.extend(images.iter().min().map(|class| (*class, 0)));
            }
            if fresh {
                all.positions += orbit;
            }
            if whole {
                ply.canonical += 1;
            } else if let Some(class) = images.iter().min() {
                reserve(&mut classes, layer.len() + next.len(), limits.memory)?;
                classes.insert(*class, 0);
            }
            if let Some(outcome) = here.outcome() {
                ply.terminals.add(outcome, orbit)?;
                if fresh {
                    all.terminals.add(outcome, orbit)?;
                }
                ply.games.add(outcome, through)?;
            } else if !last {
                here.legal_moves(&mut moves);
                for mv in &moves {
                    here.images_after(*mv, &images, &mut after)?;
                    let codes = fixing.iter().map(|i| after[*i]);
                    let least = codes.min().unwrap_or(start);
                    let same = fixing.iter().filter(|i| after[**i] == least).count();
                    // Each of the orbit's positions sends `paths` into the child's orbit; shared
                    // evenly over its positions that is paths * orbit / orbit of the child.
                    let share = through
                        .checked_mul(same as u128)
                        .ok_or(KernelError::Overflow)?;
                    let others = layer.len() + classes.len() + seen.len() + seen_classes.len();
                    reserve(&mut next, others, limits.memory)?;
                    grow(next.entry(least).or_insert(0), share)?;
                }
            }
        }
        // The shares were multiplied by the order of the group over the orbit, exactly.
        for share in next.values_mut() {
            *share /= fixing.len() as u128;
        }
        ply.canonical += classes.len() as u128;
        if repeats {
            all.canonical = seen_classes.len() as u128;
        } else {
            all.canonical += ply.canonical;
        }
        for (sum, part) in all.games.wins.iter_mut().zip(&ply.games.wins) {
            grow(sum, *part)?;
        }
        grow(&mut all.games.draws, ply.games.draws)?;
        all.plies.push(ply);
        layer = next;
    }
    Ok(all)
}

/// Makes room for one more, or says how much memory that would take.
fn reserve(layer: &mut Layer, others: usize, given: usize) -> Result<(), KernelError> {
    if layer.len() == layer.capacity() {
        // While it grows, the old table and one twice as large exist side by side; tables hold
        // up to 8/7 of their capacity in places.
        let needed = (others * 2 + layer.capacity().max(4) * 4) * PLACE;
        if needed > given {
            return Err(KernelError::Memory { needed, given });
        }
        layer.reserve(1);
    }
    Ok(())
}
