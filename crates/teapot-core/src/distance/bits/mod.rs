//! Edit distances by bit vectors: 64 rows of the matrix in one machine word.
//!
//! A text is taken apart after its common beginning and end with the other one are cut off. The shorter text is the
//! pattern, whose symbols are the rows; the symbols of the longer one are the columns. Patterns of up to 256 symbols stay in
//! registers ([`short`]), longer ones work in a band around the diagonal that is as wide as the distance asks for.

pub(super) mod band;
pub(super) mod masks;
pub(super) mod short;
pub(crate) mod step;
pub(super) mod subsequence;

use self::short::{ByteMasks, HashedMasks, Masks};
use super::scratch::Buffers;
use super::trim;
use crate::error::Result;
use crate::patience::Patience;

/// A distance that is computed by bit vectors.
pub(super) trait Kernel {
    /// The distance of a pattern of `length` symbols from a text. The last symbol is in the last of W words: `length` is
    /// above 64 · (W − 1) and at most 64 · W.
    fn short<const W: usize, M: Masks<W>>(
        pattern: impl Iterator<Item = u32>,
        length: usize,
        text: impl Iterator<Item = u32>,
    ) -> usize;

    /// The distance of a pattern of any length from a text that is at least as long; both lengths first.
    fn long(
        lengths: [usize; 2],
        pattern: impl Iterator<Item = u32> + Clone,
        text: impl Iterator<Item = u32> + Clone,
        buffers: &mut Buffers,
        patience: &Patience,
    ) -> Result<usize>;
}

/// The distance of sequences of symbols.
pub(super) fn of_symbols<K: Kernel>(
    left: &[u32],
    right: &[u32],
    buffers: &mut Buffers,
    patience: &Patience,
) -> Result<usize> {
    let (left, right) = trim::symbols(left, right);
    let lengths = [left.len(), right.len()];
    let sides = [left.iter().copied(), right.iter().copied()];
    of_trimmed::<K, false, _>(lengths, sides, buffers, patience)
}

/// The distance of texts over code points: they are taken apart on the way, so nothing is copied.
pub(super) fn of_characters<K: Kernel>(
    hypothesis: &str,
    reference: &str,
    buffers: &mut Buffers,
    patience: &Patience,
) -> Result<usize> {
    let (left, right) = trim::texts(hypothesis, reference);
    // The largest byte tells the script: ASCII ends at U+007F, and code points from U+0100 on begin with 0xC4 or above.
    let largest = |text: &str| text.bytes().fold(0, u8::max);
    let largest = largest(left).max(largest(right));
    if largest < 0x80 {
        let sides = [left, right].map(|text| text.bytes().map(u32::from));
        return of_trimmed::<K, true, _>([left.len(), right.len()], sides, buffers, patience);
    }
    let lengths = [left, right].map(|text| text.chars().count());
    let sides = [left, right].map(|text| text.chars().map(u32::from));
    if largest < 0xc4 {
        of_trimmed::<K, true, _>(lengths, sides, buffers, patience)
    } else {
        of_trimmed::<K, false, _>(lengths, sides, buffers, patience)
    }
}

/// Of sequences without a common beginning or end; `BYTES` says that no symbol is above 255.
fn of_trimmed<K: Kernel, const BYTES: bool, I: Iterator<Item = u32> + Clone>(
    lengths: [usize; 2],
    [left, right]: [I; 2],
    buffers: &mut Buffers,
    patience: &Patience,
) -> Result<usize> {
    let (pattern, text, [length, longer]) = match lengths {
        [short, long] if short <= long => (left, right, lengths),
        [long, short] => (right, left, [short, long]),
    };
    // The columns of short patterns take few nanoseconds each.
    patience.spend(8 * longer)?;
    Ok(match (length, BYTES) {
        (0, _) => longer,
        (1..=64, true) => K::short::<1, ByteMasks<1>>(pattern, length, text),
        (65..=128, true) => K::short::<2, ByteMasks<2>>(pattern, length, text),
        (129..=192, true) => K::short::<3, ByteMasks<3>>(pattern, length, text),
        (193..=256, true) => K::short::<4, ByteMasks<4>>(pattern, length, text),
        (1..=64, false) => K::short::<1, HashedMasks<1, 128>>(pattern, length, text),
        (65..=128, false) => K::short::<2, HashedMasks<2, 256>>(pattern, length, text),
        (129..=192, false) => K::short::<3, HashedMasks<3, 512>>(pattern, length, text),
        (193..=256, false) => K::short::<4, HashedMasks<4, 512>>(pattern, length, text),
        _ => return K::long([length, longer], pattern, text, buffers, patience),
    })
}
