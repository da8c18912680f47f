//! Exact values of `lines` positions: which prover answers the questions of the driver.

mod attack;
mod gravity;
mod look;
mod misere;
mod numbers;
mod pairing;
mod residues;
mod sides;
mod threats;

use crate::bits::Bits;
use crate::error::KernelError;
use crate::limits::{Limits, Meter};
use crate::lines::Lines;
use crate::search::driver::Driver;
use crate::search::plain::Plain;
use crate::search::solve::two_players;
use crate::search::{Options, Solve, ValueMap, Verdict};

use gravity::Gravity;
use misere::Misere;
use residues::Residues;

impl<B: Bits> Solve for Lines<B> {
    fn solve(&self, options: &Options, limits: &Limits<'_>) -> Result<Verdict, KernelError> {
        two_players(self)?;
        let mut meter = Meter::new(limits);
        let plain = self.rules.capped || self.rules.gravity && self.rules.misere;
        if plain {
            Driver::new(Plain::new(*options, &mut meter)?).solve(self, options)
        } else if self.rules.gravity {
            Driver::new(Gravity::new(self, *options, &mut meter)?).solve(self, options)
        } else if self.rules.misere {
            Driver::new(Misere::new(self, *options, &mut meter)?).solve(self, options)
        } else {
            Driver::new(Residues::new(self, *options, &mut meter)?).solve(self, options)
        }
    }

    fn map(&self, options: &Options, limits: &Limits<'_>) -> Result<ValueMap, KernelError> {
        two_players(self)?;
        let mut meter = Meter::new(limits);
        let plain = self.rules.capped || self.rules.gravity && self.rules.misere;
        if plain {
            Driver::new(Plain::new(*options, &mut meter)?).map(self)
        } else if self.rules.gravity {
            Driver::new(Gravity::new(self, *options, &mut meter)?).map(self)
        } else if self.rules.misere {
            Driver::new(Misere::new(self, *options, &mut meter)?).map(self)
        } else {
            Driver::new(Residues::new(self, *options, &mut meter)?).map(self)
        }
    }
}
