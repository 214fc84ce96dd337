//! Optimal string alignment distance: Levenshtein plus the swap of two neighbours, when no symbol is edited twice.
//!
//! Maximum: the longer length. Symmetric, but not a metric: `ca`, `ac` and `abc` break the triangle inequality.
//! Source: `RapidFuzz` 3.14.6 `OSA`.

use super::bits::step::{Carries, step_with_swaps};
use super::bits::{Kernel, band, short};
use super::scratch::Buffers;
use crate::error::Result;
use crate::patience::Patience;

/// [`Distance::Osa`](super::Distance::Osa).
pub(super) struct Osa;

impl Kernel for Osa {
    fn short<const W: usize, M: short::Masks<W>>(
        pattern: impl Iterator<Item = u32>,
        length: usize,
        text: impl Iterator<Item = u32>,
    ) -> usize {
        let masks: M = short::masks_of(pattern);
        let (mut plus, mut minus) = ([u64::MAX; W], [0_u64; W]);
        // Of the column before: rows in which a step down the diagonal was free, and rows with its symbol.
        let (mut free, mut before) = ([0_u64; W], [0_u64; W]);
        let last = (length - 1) % 64;
        let mut score = length;
        for symbol in text {
            let mask = masks.get(symbol);
            let mut carries = Carries::top();
            let mut bottom = (0, 0, 0);
            let mut swap = 0;
            for word in 0..W {
                let begun = !free[word] & mask[word];
                let swaps = (begun << 1 | swap) & before[word];
                swap = begun >> 63;
                let (plus, minus) = (&mut plus[word], &mut minus[word]);
                bottom = step_with_swaps(mask[word], swaps, plus, minus, &mut carries);
                free[word] = bottom.2;
            }
            before = mask;
            score += usize::from(bottom.0 >> last & 1 == 1);
            score -= usize::from(bottom.1 >> last & 1 == 1);
        }
        score
    }

    fn long(
        lengths: [usize; 2],
        pattern: impl Iterator<Item = u32> + Clone,
        text: impl Iterator<Item = u32> + Clone,
        buffers: &mut Buffers,
        patience: &Patience,
    ) -> Result<usize> {
        band::distance::<true>(lengths, pattern, &text, buffers, patience)
    }
}
