//! The prover for normal play on sets without caps: the search over residues.

use crate::bits::Bits;
use crate::error::KernelError;
use crate::limits::Meter;
use crate::lines::Lines;
use crate::memory::left;
use crate::position::Position;

use super::attack::{Answer, Attack};
use super::sides::{Sides, ATTACKER};
use crate::search::proofs::{Table, EVER};
use crate::search::prover::{Count, Halt, Prover, Reply, FOREVER};
use crate::search::Options;

/// Fewer nodes are not worth a search by proof numbers.
const MIN_NUMBERS_NODES: u64 = 1 << 15;

/// Answers questions about [`Lines`] by way of [`Attack`].
pub(crate) struct Residues<'m, 'a, B: Bits> {
    attack: Attack<'m, 'a, B>,
}

impl<'m, 'a, B: Bits> Residues<'m, 'a, B> {
    /// A prover for the positions of one game.
    pub fn new(
        position: &Lines<B>,
        options: Options,
        meter: &'m mut Meter<'a>,
    ) -> Result<Self, KernelError> {
        let rules = &position.rules;
        // Per depth two lists of one residue per set, in vectors that may have doubled.
        let stack = 4 * (rules.cells + 2) * rules.sets.len() * size_of::<B>();
        let bytes = options.table_memory.min(left(meter.memory(), stack)?);
        let table = Table::new(if options.table { bytes / 4 * 3 } else { 0 });
        let group = rules.symmetries.clone();
        let mut attack = Attack::new(rules.cells, rules.sets.len(), group, options, table, meter);
        attack.numbers_memory = bytes / 4;
        Ok(Self { attack })
    }
}

impl<B: Bits> Residues<'_, '_, B> {
    /// Settles the question at the bottom of the stack. A far one that is not settled by trying
    /// moves in order gets a third of its budget by proof numbers.
    fn search(&mut self, side: usize, moves: u8, far: bool) -> Result<Answer<B>, Halt> {
        let (whole, nodes) = (self.attack.budget, self.attack.meter.nodes());
        let share = whole.saturating_sub(nodes) / 3;
        let both =
            far && self.attack.options.table && (MIN_NUMBERS_NODES..u64::MAX / 4).contains(&share);
        if both {
            self.attack.budget = whole - share;
        }
        let answer = if side == ATTACKER {
            self.attack.attack(0, moves)
        } else {
            self.attack.defend(0, moves)
        };
        self.attack.budget = whole;
        if both && answer == Err(Halt::Budget) {
            return self.attack.settle_by_numbers(side, moves);
        }
        answer
    }
}

impl<B: Bits> Prover<Lines<B>> for Residues<'_, '_, B> {
    fn ask(
        &mut self,
        position: &Lines<B>,
        seat: u8,
        plies: u32,
        budget: u64,
    ) -> Result<Reply, Halt> {
        let mine = &position.marks[usize::from(seat)];
        let theirs = &position.marks[usize::from(1 - seat)];
        self.attack.stack[0] = Sides::new(&position.rules.sets, mine, theirs);
        self.attack.budget = budget;
        // An attacker who moves first plays the odd plies, one who moves second the even ones.
        let first = u32::from(position.turn() == seat);
        let most = (position.empty.count() + first) / 2;
        let moves = (plies.saturating_add(first) / 2).min(most) as u8;
        let answer = self.search(1 - first as usize, moves, plies == FOREVER)?;
        let moves = u32::from(answer.moves);
        Ok(if answer.proven {
            Reply::Proven(moves * 2 - first)
        } else if answer.moves == EVER || moves >= most {
            Reply::Refuted(FOREVER)
        } else {
            Reply::Refuted((moves + 1) * 2 - first - 1)
        })
    }

    fn may_pass(&mut self, position: &Lines<B>, budget: u64) -> bool {
        let me = usize::from(position.turn());
        let (mine, theirs) = (&position.marks[me], &position.marks[1 - me]);
        self.attack.stack[0] = Sides::new(&position.rules.sets, theirs, mine);
        self.attack.budget = budget;
        // A mark more never hurts its owner, so what holds without the move holds with any.
        let most = position.empty.count().div_ceil(2) as u8;
        let answer = self.attack.attack(0, most);
        answer.is_ok_and(|answer| !answer.proven)
    }

    fn meter(&mut self) -> &mut dyn Count {
        self.attack.meter
    }
}
