//! Distance of the longest common subsequence: the longer length minus the length of that subsequence.
//!
//! Maximum: the longer length. Symmetric. Source: `RapidFuzz` 3.14.6 `LCSseq`.
//!
//! ```
//! use teapot_core::distance::{Unit, lcs_seq};
//! assert_eq!(lcs_seq::distance("green tea", "tea", Unit::Char), 6);
//! ```

use rapidfuzz::distance::lcs_seq as rapidfuzz_crate;

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
