//! Token F1 of teapot-nlp's example scorer: how many words each side shares with the other.

use super::overlap::Overlap;
use super::positions::KeyedTokens;
use super::{BYTE_STEPS, SentenceMetric};
use crate::error::Result;
use crate::patience::Patience;
use crate::text::tokenize::Tokenizer;

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
/// let score = TokenF1.score_pair("we drink tea", "we drink green tea");
/// assert!((score - 6.0 / 7.0).abs() < 1e-15);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TokenF1;

/// References of one segment, prepared by [`TokenF1`], and its buffers.
#[derive(Clone, Debug, Default)]
pub struct TokenF1References {
    references: Vec<KeyedTokens>,
    hypothesis: KeyedTokens,
    overlap: Overlap,
}

#[expect(clippy::cast_precision_loss, reason = "a text has fewer than 2^53 words")]
fn f1(hypothesis: &KeyedTokens, reference: &KeyedTokens, overlap: &mut Overlap) -> f64 {
    let (length, other) = (hypothesis.tokens.len(), reference.tokens.len());
    if length == 0 || other == 0 {
        return f64::from(u8::from(length == other));
    }
    let shared = overlap.shared(hypothesis, reference);
    if shared.in_reference == 0 {
        return 0.0;
    }
    let precision = shared.in_reference as f64 / length as f64;
    let recall = shared.in_hypothesis as f64 / other as f64;
    2.0 * precision * recall / (precision + recall)
}

impl SentenceMetric for TokenF1 {
    type References = TokenF1References;

    fn prepare(&self, references: &[&str], prepared: &mut TokenF1References) {
        prepared.references.resize_with(references.len(), KeyedTokens::default);
        for (text, words) in references.iter().zip(&mut prepared.references) {
            words.tokenize(Tokenizer::None, text);
        }
    }

    fn score(
        &self,
        hypothesis: &str,
        prepared: &mut TokenF1References,
        patience: &Patience,
    ) -> Result<f64> {
        patience.spend(BYTE_STEPS * hypothesis.len())?;
        let TokenF1References { references, hypothesis: words, overlap } = prepared;
        words.tokenize(Tokenizer::None, hypothesis);
        Ok(references.iter().map(|reference| f1(words, reference, overlap)).fold(0.0, f64::max))
    }
}
