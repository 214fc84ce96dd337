//! Jaro similarity: symbols that match within a window, and how many of them are out of order.
//!
//! With m matches within half the longer length (minus one) and t half the matches out of order, the similarity is
//! (m / |hypothesis| + m / |reference| + (m − t) / m) / 3. Source: Jaro 1989; `RapidFuzz` 3.14.6 `Jaro`.
//!
//! ```
//! use teapot_core::distance::{Unit, jaro};
//! assert_eq!(jaro::similarity("", "", Unit::Char), 1.0);
//! assert_eq!(jaro::similarity("", "tea", Unit::Char), 0.0);
//! ```

use rapidfuzz::distance::jaro as rapidfuzz_crate;

use super::family;

family::graded!(rapidfuzz_crate::BatchComparator<u32>);

fn kernel(left: &[u32], right: &[u32]) -> f64 {
    rapidfuzz_crate::similarity(left.iter().copied(), right.iter().copied())
}
