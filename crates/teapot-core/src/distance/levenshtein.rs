//! Levenshtein distance: the least number of insertions, deletions and replacements of one symbol that turn
//! the hypothesis into the reference.
//!
//! Maximum: the longer length. Symmetric, and a metric (triangle inequality). Source: Levenshtein 1966;
//! `RapidFuzz` 3.14.6 `Levenshtein`.
//!
//! ```
//! use teapot_core::distance::{Unit, levenshtein};
//! assert_eq!(levenshtein::distance("tea🍵", "tea", Unit::Char), 1);
//! assert_eq!(levenshtein::distance("x a b c d", "a b c d", Unit::Word), 1);
//! ```

use rapidfuzz::distance::levenshtein as rapidfuzz_crate;

use super::family;

family::counted!(rapidfuzz_crate::BatchComparator<u32>);

/// The largest distance of texts of these lengths.
fn maximum(left: usize, right: usize) -> usize {
    left.max(right)
}

fn kernel(left: &[u32], right: &[u32]) -> usize {
    rapidfuzz_crate::distance(left.iter().copied(), right.iter().copied())
}
