//! Token F1 of teapot-nlp's example scorer: how many words each side shares with the other.

use rustc_hash::FxHashSet;

use super::SentenceMetric;
use crate::text::whitespace::split;

/// Token F1 (`f1`), without parameters.
///
/// Texts are split at whitespace. Precision is the share of the hypothesis' words that occur in the reference, recall
/// the share of the reference's words that occur in the hypothesis, each occurrence counted, however often the other
/// side has the word: `tea tea tea` against `tea` scores 1. F1 = 2·P·R / (P + R), 0 without a common word.
///
/// Two blank sides give 1, one blank side 0 (teapot-nlp divides by zero). With several references the best counts.
///
/// Source: teapot-nlp 0.2.2, `examples/custom_scorers.py`. For clipped counts see [`squad`](super::squad).
///
/// ```
/// use teapot_core::score::{SentenceMetric, token_f1::TokenF1};
/// let score = TokenF1.score_pair("we drink tea", "we drink green tea", &mut Default::default());
/// assert!((score - 6.0 / 7.0).abs() < 1e-15);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TokenF1;

/// References of one segment, prepared by [`TokenF1`].
#[derive(Clone, Debug)]
pub struct TokenF1References {
    references: Vec<String>,
}

/// Buffers of [`TokenF1`], reused between calls.
#[derive(Clone, Debug, Default)]
pub struct TokenF1Scratch {}

#[expect(clippy::cast_precision_loss, reason = "a text has fewer than 2^53 words")]
fn f1(hypothesis: &str, reference: &str) -> f64 {
    let hypothesis: Vec<&str> = split(hypothesis).collect();
    let reference: Vec<&str> = split(reference).collect();
    if hypothesis.is_empty() || reference.is_empty() {
        return f64::from(u8::from(hypothesis.is_empty() && reference.is_empty()));
    }
    let share = |words: &[&str], others: &[&str]| {
        let others: FxHashSet<&str> = others.iter().copied().collect();
        words.iter().filter(|&word| others.contains(word)).count() as f64 / words.len() as f64
    };
    let precision = share(&hypothesis, &reference);
    let recall = share(&reference, &hypothesis);
    if precision + recall == 0.0 { 0.0 } else { 2.0 * precision * recall / (precision + recall) }
}

impl SentenceMetric for TokenF1 {
    type References = TokenF1References;
    type Scratch = TokenF1Scratch;

    fn prepare(&self, references: &[&str], _scratch: &mut TokenF1Scratch) -> TokenF1References {
        TokenF1References { references: references.iter().map(|&text| text.to_owned()).collect() }
    }

    fn score(
        &self,
        hypothesis: &str,
        references: &TokenF1References,
        _scratch: &mut TokenF1Scratch,
    ) -> f64 {
        references.references.iter().map(|reference| f1(hypothesis, reference)).fold(0.0, f64::max)
    }
}
