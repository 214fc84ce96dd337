//! Levenshtein distance: the least number of insertions, deletions and replacements of one symbol that turn
//! the hypothesis into the reference.
//!
//! Maximum: the longer length. Symmetric, and a metric (triangle inequality). Source: Levenshtein 1966;
//! values as `RapidFuzz` 3.14.6 `Levenshtein`.
//!
//! Computed by bit vectors (Myers 1999, Hyyrö 2003), 64 rows of the matrix in one word, after the common beginning and end
//! are cut off. With m and n the shorter and longer rest and d the distance: time O(n · ⌈m / 64⌉) up to 256 symbols, O(n ·
//! ⌈d / 64⌉) above; memory O(m) words for each different symbol of the shorter text.

use super::bits::step::{Carries, step};
use super::bits::{Kernel, band, short};
use super::scratch::Buffers;
use crate::error::Result;
use crate::patience::Patience;

/// [`Distance::Levenshtein`](super::Distance::Levenshtein).
pub(super) struct Levenshtein;

impl Kernel for Levenshtein {
    fn short<const W: usize, M: short::Masks<W>>(
        pattern: impl Iterator<Item = u32>,
        length: usize,
        text: impl Iterator<Item = u32>,
    ) -> usize {
        let masks: M = short::masks_of(pattern);
        let (mut plus, mut minus) = ([u64::MAX; W], [0_u64; W]);
        let last = (length - 1) % 64;
        let mut score = length;
        for symbol in text {
            let mask = masks.get(symbol);
            let mut carries = Carries::top();
            let mut bottom = (0, 0);
            for word in 0..W {
                bottom = step(mask[word], &mut plus[word], &mut minus[word], &mut carries);
            }
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
        band::distance::<false>(lengths, pattern, &text, buffers, patience)
    }
}
