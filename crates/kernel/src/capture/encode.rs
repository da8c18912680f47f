//! Exact codes of positions, for counting.

use super::Capture;
use crate::bits::Bits;
use crate::encode::Encode;
use crate::error::KernelError;
use crate::graph_code;
use crate::position::Position;

impl<B: Bits> Encode for Capture<B> {
    fn images(&self, images: &mut Vec<u128>) -> Result<(), KernelError> {
        graph_code::images(&self.rules.graph, &self.marks, self.turn(), images)
    }

    fn decode(&self, code: u128) -> Result<Self, KernelError> {
        let (cells, rest) = graph_code::decode(self.cells(), code)?;
        self.with_cells(&cells, rest)
    }
}
