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

use super::{family, jaro};

family::graded!(rapidfuzz_crate::BatchComparator<u32>);

/// Symbols of a common prefix that count.
const MAX_PREFIX: usize = 4;

pub(super) fn of_symbols(
    left: &[u32],
    right: &[u32],
    buffers: &mut Buffers,
    patience: &Patience,
) -> Result<f64> {
    let similarity = jaro::of_symbols(left, right, buffers, patience)?;
    let prefix = left.iter().zip(right).take(MAX_PREFIX).take_while(|(a, b)| a == b).count();
    let bonus = f64::from(u8::try_from(prefix).unwrap_or(0)) * 0.1;
    Ok(if similarity > 0.7 { similarity + bonus * (1.0 - similarity) } else { similarity })
}
