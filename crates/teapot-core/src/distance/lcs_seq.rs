//! Distance of the longest common subsequence: the longer length minus the length of that subsequence.
//!
//! Maximum: the longer length. Symmetric. Source: `RapidFuzz` 3.14.6 `LCSseq`.
//!
//! ```
//! use teapot_core::distance::{Unit, lcs_seq};
//! assert_eq!(lcs_seq::distance("green tea", "tea", Unit::Char), 6);
//! ```

use rapidfuzz::distance::lcs_seq as rapidfuzz_crate;

use super::bits::{self, subsequence::Indel};
use super::family;

family::counted!(rapidfuzz_crate::BatchComparator<u32>);

/// The largest distance of texts of these lengths.
fn maximum(left: usize, right: usize) -> usize {
    left.max(right)
}

fn of_characters(
    hypothesis: &str,
    reference: &str,
    scratch: &mut DistanceScratch,
    patience: &Patience,
) -> Result<usize> {
    let indel = bits::of_characters::<Indel>(hypothesis, reference, scratch.buffers(), patience)?;
    Ok(left_over(Unit::Char.length(hypothesis), Unit::Char.length(reference), indel))
}

fn of_symbols(
    left: &[u32],
    right: &[u32],
    buffers: &mut Buffers,
    patience: &Patience,
) -> Result<usize> {
    let indel = bits::of_symbols::<Indel>(left, right, buffers, patience)?;
    Ok(left_over(left.len(), right.len(), indel))
}

/// What the subsequence leaves of the longer text: it is half of what insertions and deletions leave of both.
fn left_over(left: usize, right: usize, indel: usize) -> usize {
    left.max(right) - (left + right - indel) / 2
}
