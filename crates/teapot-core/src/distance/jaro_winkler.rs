//! Jaro-Winkler similarity: Jaro plus a bonus for a common prefix of up to four symbols.
//!
//! With J the Jaro similarity and ℓ the length of the common prefix (at most 4), it is J + 0.1 · ℓ · (1 − J) when
//! J > 0.7, else J. Source: Winkler 1990; `RapidFuzz` 3.14.6 `JaroWinkler` with `prefix_weight` 0.1.
//!
//! ```
//! use teapot_core::distance::{Unit, jaro_winkler};
//! assert_eq!(jaro_winkler::similarity("tea", "tea", Unit::Char), 1.0);
//! ```

use rapidfuzz::distance::jaro_winkler as rapidfuzz_crate;

use super::family;

family::graded!(rapidfuzz_crate::BatchComparator<u32>);

fn kernel(left: &[u32], right: &[u32]) -> f64 {
    rapidfuzz_crate::similarity(left.iter().copied(), right.iter().copied())
}
