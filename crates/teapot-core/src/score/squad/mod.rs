//! F1 and exact match of SQuAD's evaluation scripts, versions 1.1 and 2.0.

mod normalize;

use super::SentenceMetric;
use super::overlap::Overlap;
use super::positions::KeyedTokens;
use normalize::Normalizer;

/// Which of SQuAD's two evaluation scripts is followed. They differ where normalisation leaves nothing.
///
/// ```
/// use teapot_core::score::{SentenceMetric, squad::{SquadF1, SquadVersion}};
/// let f1 = |version| SquadF1 { version }.score_pair("A", "A", &mut Default::default());
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

/// References of one segment, normalised.
#[derive(Clone, Debug)]
pub struct SquadReferences {
    references: Vec<KeyedTokens>,
}

/// Buffers of [`SquadF1`] and [`SquadExactMatch`], reused between calls.
#[derive(Clone, Debug, Default)]
pub struct SquadScratch {
    normalizer: Normalizer,
    hypothesis: KeyedTokens,
    reference: KeyedTokens,
    overlap: Overlap,
}

impl SquadVersion {
    fn prepare(self, references: &[&str], scratch: &mut SquadScratch) -> SquadReferences {
        let normalize = |text: &&str| {
            let mut words = KeyedTokens::default();
            scratch.normalizer.normalize(text, &mut words);
            words
        };
        let mut references: Vec<KeyedTokens> = references.iter().map(normalize).collect();
        if self == Self::V2 && references.iter().any(|words| !words.tokens.is_empty()) {
            references.retain(|words| !words.tokens.is_empty());
        }
        SquadReferences { references }
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
    type Scratch = SquadScratch;

    fn prepare(&self, references: &[&str], scratch: &mut SquadScratch) -> SquadReferences {
        self.version.prepare(references, scratch)
    }

    fn score(
        &self,
        hypothesis: &str,
        references: &SquadReferences,
        scratch: &mut SquadScratch,
    ) -> f64 {
        let SquadScratch { normalizer, hypothesis: words, overlap, .. } = scratch;
        normalizer.normalize(hypothesis, words);
        let scores =
            references.references.iter().map(|other| self.version.f1(words, other, overlap));
        scores.fold(0.0, f64::max)
    }

    fn score_pair(&self, hypothesis: &str, reference: &str, scratch: &mut SquadScratch) -> f64 {
        let SquadScratch { normalizer, hypothesis: words, reference: other, overlap } = scratch;
        normalizer.normalize(hypothesis, words);
        normalizer.normalize(reference, other);
        self.version.f1(words, other, overlap)
    }
}

impl SentenceMetric for SquadExactMatch {
    type References = SquadReferences;
    type Scratch = SquadScratch;

    fn prepare(&self, references: &[&str], scratch: &mut SquadScratch) -> SquadReferences {
        self.version.prepare(references, scratch)
    }

    fn score(
        &self,
        hypothesis: &str,
        references: &SquadReferences,
        scratch: &mut SquadScratch,
    ) -> f64 {
        scratch.normalizer.normalize(hypothesis, &mut scratch.hypothesis);
        f64::from(u8::from(references.references.contains(&scratch.hypothesis)))
    }

    fn score_pair(&self, hypothesis: &str, reference: &str, scratch: &mut SquadScratch) -> f64 {
        let SquadScratch { normalizer, hypothesis: words, reference: other, .. } = scratch;
        normalizer.normalize(hypothesis, words);
        normalizer.normalize(reference, other);
        f64::from(u8::from(words == other))
    }
}
