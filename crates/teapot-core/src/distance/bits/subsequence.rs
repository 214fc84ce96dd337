//! The longest common subsequence by bit vectors (Hyyrö 2004): a bit of the column is 0 where the subsequence grows.

use super::Kernel;
use super::masks::Masks;
use super::short;
use crate::distance::scratch::Buffers;
use crate::error::Result;
use crate::patience::Patience;

/// The distance without replacements: what the longest common subsequence leaves of both texts.
pub(crate) struct Indel;

impl Kernel for Indel {
    fn short<const W: usize, M: short::Masks<W>>(
        pattern: impl Iterator<Item = u32>,
        length: usize,
        text: impl Iterator<Item = u32>,
    ) -> usize {
        let masks: M = short::masks_of(pattern);
        let mut column = [u64::MAX; W];
        let mut longer = 0;
        for symbol in text {
            let mask = masks.get(symbol);
            let mut carry = false;
            for word in 0..W {
                carry = step(mask[word], &mut column[word], carry);
            }
            longer += 1;
        }
        length + longer - 2 * zeros(&column)
    }

    fn long(
        [length, longer]: [usize; 2],
        pattern: impl Iterator<Item = u32> + Clone,
        text: impl Iterator<Item = u32> + Clone,
        buffers: &mut Buffers,
        patience: &Patience,
    ) -> Result<usize> {
        buffers.masks.fill(pattern, length);
        let mut limit = (longer - length).max(64);
        loop {
            let Buffers { masks, column, .. } = &mut *buffers;
            let found = within(limit, [length, longer], masks, text.clone(), column, patience)?;
            let distance = length + longer - 2 * found;
            if distance <= limit {
                return Ok(distance);
            }
            // A subsequence was found, so the distance is no larger.
            limit = distance.min(4 * limit);
        }
    }
}

/// The length of a common subsequence: of the longest one if the distance is at most `limit`.
fn within(
    limit: usize,
    [length, longer]: [usize; 2],
    masks: &mut Masks,
    text: impl Iterator<Item = u32>,
    column: &mut Vec<u64>,
    patience: &Patience,
) -> Result<usize> {
    column.clear();
    column.resize(masks.words(), u64::MAX);
    // Symbols left out of the text, and of the pattern.
    let skipped = limit.midpoint(longer - length);
    let dropped = (limit - (longer - length)) / 2;
    for (place, symbol) in text.enumerate() {
        let first = place.saturating_sub(skipped) / 64;
        let end = (place + 1 + dropped).min(length).div_ceil(64);
        let band = first.min(end)..end;
        patience.spend(band.len() + 2)?;
        masks.load(symbol, 0);
        let mut carry = false;
        for (word, &mask) in column[band.clone()].iter_mut().zip(&masks.row(0)[band]) {
            carry = step(mask, word, carry);
        }
    }
    Ok(zeros(column))
}

/// One column of one word: in each run of ones that holds a match, the lowest match becomes 0 and the end of the run 1.
#[inline]
fn step(mask: u64, word: &mut u64, carry: bool) -> bool {
    let matches = *word & mask;
    let (sum, carry) = word.carrying_add(matches, carry);
    *word = sum | (*word & !matches);
    carry
}

/// Rows behind the pattern match nothing and stay ones.
fn zeros(column: &[u64]) -> usize {
    column.iter().map(|word| word.count_zeros() as usize).sum()
}
