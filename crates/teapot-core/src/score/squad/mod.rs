//! F1 and exact match of SQuAD's evaluation scripts, versions 1.1 and 2.0.

mod normalize;

use super::overlap::Overlap;
use super::positions::KeyedTokens;
use super::{BYTE_STEPS, SentenceMetric};
use crate::error::Result;
use crate::patience::Patience;
use normalize::Normalizer;

/// Which of SQuAD's two evaluation scripts is followed. They differ where normalisation leaves nothing.
///
/// ```
/// use teapot_core::score::{SentenceMetric, squad::{SquadF1, SquadVersion}};
/// let f1 = |version| SquadF1 { version }.score_pair("A", "A");
/// assert_eq!((f1(SquadVersion::V1), f1(SquadVersion::V2)), (0.0, 1.0));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SquadVersion {
    /// Version 1.1: F1 without a common word is 0, also between two empty answers.
    V1,
    /// Version 2.0: F1 against an empty answer is 1 if both are empty, else 0. Of several references the empty ones
    /// are left out, unless all are empty.
    #[default]
    V2,
}

/// Token F1 of SQuAD (`squad_f1`).
///
/// Both texts are normalised: lowercased, ASCII punctuation removed, the articles a, an, the removed, split at
/// whitespace. With c the number of common words (each as often as both sides have it), P = c / words of the
/// hypothesis, R = c / words of the reference, F1 = 2·P·R / (P + R). With several references the best counts.
///
/// Blank sides: version 2.0 gives 1 for two and 0 for one; version 1.1 gives 0. An answer of nothing but an article or
/// punctuation is blank.
///
/// Source: Rajpurkar et al. 2016 and 2018, `evaluate-v1.1.py` and `evaluate-v2.0.py`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SquadF1 {
    /// The script's version. Default 2.0.
    pub version: SquadVersion,
}

/// Exact match of SQuAD (`squad_em`): 1 if the normalised texts are equal, else 0.
///
/// Normalisation, several references and sources as for [`SquadF1`]. Two blank sides match, one blank side doesn't.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SquadExactMatch {
    /// The script's version. Default 2.0.
    pub version: SquadVersion,
}

/// References of one segment, normalised, and the buffers of [`SquadF1`] and [`SquadExactMatch`].
#[derive(Clone, Debug, Default)]
pub struct SquadReferences {
    references: Vec<KeyedTokens>,
    /// How many of them count; the others are memory that is kept.
    count: usize,
    normalizer: Normalizer,
    hypothesis: KeyedTokens,
    overlap: Overlap,
}

impl SquadVersion {
    fn prepare(self, references: &[&str], prepared: &mut SquadReferences) {
        let SquadReferences { references: all, count, normalizer, .. } = prepared;
        if all.len() < references.len() {
            all.resize_with(references.len(), KeyedTokens::default);
        }
        for (text, words) in references.iter().zip(all.iter_mut()) {
            normalizer.normalize(text, words);
        }
        *count = references.len();
        if self == Self::V2 && all[..*count].iter().any(|words| !words.tokens.is_empty()) {
            // Blank references don't count beside others.
            let mut kept = 0;
            for index in 0..*count {
                if !all[index].tokens.is_empty() {
                    all.swap(kept, index);
                    kept += 1;
                }
            }
            *count = kept;
        }
    }

    /// F1 of normalised texts.
    #[expect(clippy::cast_precision_loss, reason = "a text has fewer than 2^53 words")]
    fn f1(self, hypothesis: &KeyedTokens, reference: &KeyedTokens, overlap: &mut Overlap) -> f64 {
        let (length, other) = (hypothesis.tokens.len(), reference.tokens.len());
        if self == Self::V2 && (length == 0 || other == 0) {
            return f64::from(u8::from(length == other));
        }
        let common = overlap.shared(hypothesis, reference).clipped;
        if common == 0 {
            return 0.0;
        }
        let precision = common as f64 / length as f64;
        let recall = common as f64 / other as f64;
        2.0 * precision * recall / (precision + recall)
    }
}

impl SentenceMetric for SquadF1 {
    type References = SquadReferences;

    fn prepare(&self, references: &[&str], prepared: &mut SquadReferences) {
        self.version.prepare(references, prepared);
    }

    fn score(
        &self,
        hypothesis: &str,
        prepared: &mut SquadReferences,
        patience: &Patience,
    ) -> Result<f64> {
        patience.spend(BYTE_STEPS * hypothesis.len())?;
        let SquadReferences { references, count, normalizer, hypothesis: words, overlap } =
            prepared;
        normalizer.normalize(hypothesis, words);
        let scores =
            references[..*count].iter().map(|other| self.version.f1(words, other, overlap));
        Ok(scores.fold(0.0, f64::max))
    }
}

impl SentenceMetric for SquadExactMatch {
    type References = SquadReferences;

    fn prepare(&self, references: &[&str], prepared: &mut SquadReferences) {
        self.version.prepare(references, prepared);
    }

    fn score(
        &self,
        hypothesis: &str,
        prepared: &mut SquadReferences,
        patience: &Patience,
    ) -> Result<f64> {
        patience.spend(BYTE_STEPS * hypothesis.len())?;
        let SquadReferences { references, count, normalizer, hypothesis: words, .. } = prepared;
        normalizer.normalize(hypothesis, words);
        Ok(f64::from(u8::from(references[..*count].contains(words))))
    }
}
