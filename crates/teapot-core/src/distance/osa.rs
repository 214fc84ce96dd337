//! Optimal string alignment distance: Levenshtein plus the swap of two neighbours, when no symbol is edited twice.
//!
//! Maximum: the longer length. Symmetric, but not a metric: `ca`, `ac` and `abc` break the triangle inequality.
//! Source: `RapidFuzz` 3.14.6 `OSA`.
//!
//! ```
//! use teapot_core::distance::{Unit, osa};
//! assert_eq!(osa::distance("taek", "teak", Unit::Char), 1);
//! assert_eq!(osa::distance("ca", "abc", Unit::Char), 3);
//! ```

use rapidfuzz::distance::osa as rapidfuzz_crate;

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
