//! Levenshtein distance: the least number of insertions, deletions and replacements of one symbol that turn
//! the hypothesis into the reference.
//!
//! Maximum: the longer length. Symmetric, and a metric (triangle inequality). Source: Levenshtein 1966;
//! values as `RapidFuzz` 3.14.6 `Levenshtein`.
//!
//! Computed by bit vectors (Myers 1999, Hyyrö 2003), 64 rows of the matrix in one word, after the common beginning and end
//! are cut off. With m and n the shorter and longer rest and d the distance: time O(n · ⌈m / 64⌉) up to 256 symbols, O(n ·
//! ⌈d / 64⌉) above; memory O(m) words for each different symbol of the shorter text.
//!
//! ```
//! use teapot_core::distance::{Unit, levenshtein};
//! assert_eq!(levenshtein::distance("tea🍵", "tea", Unit::Char), 1);
//! assert_eq!(levenshtein::distance("x a b c d", "a b c d", Unit::Word), 1);
//! ```

mod banded;
pub(crate) mod bits;
mod masks;
mod short;

use rapidfuzz::distance::levenshtein as rapidfuzz_crate;

use self::short::{ByteMasks, HashedMasks};
use super::{family, trim};

family::counted!(rapidfuzz_crate::BatchComparator<u32>);

/// The largest distance of texts of these lengths.
fn maximum(left: usize, right: usize) -> usize {
    left.max(right)
}

fn kernel(left: &[u32], right: &[u32]) -> usize {
    let (left, right) = trim::symbols(left, right);
    let lengths = [left.len(), right.len()];
    of_trimmed::<false, _>(lengths, left.iter().copied(), right.iter().copied())
}

/// Of texts over code points: they are taken apart on the way, so nothing is copied.
fn kernel_of_characters(hypothesis: &str, reference: &str) -> usize {
    let (left, right) = trim::texts(hypothesis, reference);
    // The largest byte tells the script: ASCII ends at U+007F, and code points from U+0100 on begin with 0xC4 or above.
    let largest = |text: &str| text.bytes().fold(0, u8::max);
    match largest(left).max(largest(right)) {
        ..0x80 => {
            let lengths = [left.len(), right.len()];
            of_trimmed::<true, _>(
                lengths,
                left.bytes().map(u32::from),
                right.bytes().map(u32::from),
            )
        }
        0x80..0xc4 => of_characters::<true>(left, right),
        0xc4.. => of_characters::<false>(left, right),
    }
}

fn of_characters<const BYTES: bool>(left: &str, right: &str) -> usize {
    let lengths = [left, right].map(|text| text.chars().count());
    of_trimmed::<BYTES, _>(lengths, left.chars().map(u32::from), right.chars().map(u32::from))
}

/// Of sequences without a common beginning or end; `BYTES` says that no symbol is above 255.
fn of_trimmed<const BYTES: bool, I: Iterator<Item = u32> + Clone>(
    lengths: [usize; 2],
    left: I,
    right: I,
) -> usize {
    let (pattern, text, [length, longer]) = match lengths {
        [short, long] if short <= long => (left, right, lengths),
        [long, short] => (right, left, [short, long]),
    };
    match (length, BYTES) {
        (0, _) => longer,
        (1..=64, true) => short::distance::<1, ByteMasks<1>>(pattern, length, text),
        (65..=128, true) => short::distance::<2, ByteMasks<2>>(pattern, length, text),
        (129..=192, true) => short::distance::<3, ByteMasks<3>>(pattern, length, text),
        (193..=256, true) => short::distance::<4, ByteMasks<4>>(pattern, length, text),
        (1..=64, false) => short::distance::<1, HashedMasks<1, 128>>(pattern, length, text),
        (65..=128, false) => short::distance::<2, HashedMasks<2, 256>>(pattern, length, text),
        (129..=192, false) => short::distance::<3, HashedMasks<3, 512>>(pattern, length, text),
        (193..=256, false) => short::distance::<4, HashedMasks<4, 512>>(pattern, length, text),
        _ => banded::distance([length, longer], pattern, &text),
    }
}
