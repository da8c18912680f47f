//! Exact codes of positions, for counting.

use super::Connect;
use crate::bits::Bits;
use crate::encode::Encode;
use crate::error::KernelError;
use crate::graph_code;
use crate::position::Position;

impl<B: Bits> Encode for Connect<B> {
    fn images(&self, images: &mut Vec<u128>) -> Result<(), KernelError> {
        let rest = self.turn() | u8::from(self.offers_swap()) << 1;
        graph_code::images(&self.rules.graph, &self.stones, rest, images)
    }

    fn decode(&self, code: u128) -> Result<Self, KernelError> {
        let (cells, rest) = graph_code::decode(self.cells(), code)?;
        self.with_cells(&cells, rest & 1, rest & 2 != 0)
    }
}
