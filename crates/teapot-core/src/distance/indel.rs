//! Indel distance: the least number of insertions and deletions of one symbol.
//!
//! Maximum: the sum of the lengths. Equal to both lengths minus twice the longest common subsequence. Symmetric,
//! and a metric. Source: `RapidFuzz` 3.14.6 `Indel`.
//!
//! ```
//! use teapot_core::distance::{Unit, indel};
//! assert_eq!(indel::distance("tea", "tee", Unit::Char), 2);
//! ```

use rapidfuzz::distance::indel as rapidfuzz_crate;

use super::bits::{self, subsequence::Indel};
use super::family;

family::counted!(rapidfuzz_crate::BatchComparator<u32>);
family::by_bits!(Indel);

/// The largest distance of texts of these lengths.
fn maximum(left: usize, right: usize) -> usize {
    left + right
}
