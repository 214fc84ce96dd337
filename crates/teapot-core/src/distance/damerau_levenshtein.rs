//! Damerau-Levenshtein distance: Levenshtein plus the swap of neighbours, which may be edited again.
//!
//! Maximum: the longer length. Symmetric, and a metric. Time and memory grow with the product of the lengths.
//! Source: Zhao and Sahinalp 2020; `RapidFuzz` 3.14.6 `DamerauLevenshtein`.
//!
//! ```
//! use teapot_core::distance::{Unit, damerau_levenshtein};
//! assert_eq!(damerau_levenshtein::distance("ca", "abc", Unit::Char), 2);
//! ```

use rapidfuzz::distance::damerau_levenshtein as rapidfuzz_crate;

use super::family;

family::counted!(rapidfuzz_crate::BatchComparator<u32>);
family::characters_as_symbols!();

/// The largest distance of texts of these lengths.
fn maximum(left: usize, right: usize) -> usize {
    left.max(right)
}

fn kernel(left: &[u32], right: &[u32]) -> usize {
    rapidfuzz_crate::distance(left.iter().copied(), right.iter().copied())
}
