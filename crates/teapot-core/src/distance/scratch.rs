//! What the distances need beside their texts.

use super::Unit;
use super::bits::band::Band;
use super::bits::masks::Masks;
use super::jaro_winkler::Chains;
use super::symbols;
use crate::text::word_numbers::WordNumbers;

/// Buffers of the distances, reused between calls: once they have grown, a pair allocates nothing.
#[derive(Clone, Debug, Default)]
pub struct DistanceScratch {
    left: Vec<u32>,
    right: Vec<u32>,
    numbers: WordNumbers,
    buffers: Buffers,
}

impl DistanceScratch {
    /// The symbols of two texts, and the buffers of the kernels.
    pub(super) fn symbols(
        &mut self,
        left_text: &str,
        right_text: &str,
        unit: Unit,
    ) -> (&[u32], &[u32], &mut Buffers) {
        let Self { left, right, numbers, buffers } = self;
        left.clear();
        right.clear();
        numbers.clear();
        symbols::learn(left_text, unit, numbers, left);
        symbols::encode(right_text, unit, numbers, right);
        (left, right, buffers)
    }

    /// The symbols of a text, given the words of the text that it is compared with, and the buffers of the kernels.
    pub(super) fn encoded(
        &mut self,
        text: &str,
        vocabulary: &symbols::Vocabulary,
    ) -> (&[u32], &mut Buffers) {
        self.left.clear();
        vocabulary.encode_into(text, &mut self.left);
        (&self.left, &mut self.buffers)
    }

    /// The buffers of the kernels.
    pub(super) fn buffers(&mut self) -> &mut Buffers {
        &mut self.buffers
    }
}

/// Buffers of the kernels: each uses its own part.
#[derive(Clone, Debug, Default)]
pub(super) struct Buffers {
    pub(super) masks: Masks,
    pub(super) band: Band,
    pub(super) column: Vec<u64>,
    pub(super) chains: Chains,
}
