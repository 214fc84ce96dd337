//! F1 and exact match of SQuAD's evaluation scripts, versions 1.1 and 2.0.

mod normalize;

use rustc_hash::FxHashMap;

use super::SentenceMetric;
use crate::text::whitespace::split;
use normalize::normalize;

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
    references: Vec<String>,
}

/// Buffers of [`SquadF1`] and [`SquadExactMatch`], reused between calls.
#[derive(Clone, Debug, Default)]
pub struct SquadScratch {
    lowered: String,
}

impl SquadVersion {
    fn prepare(self, references: &[&str], scratch: &mut SquadScratch) -> SquadReferences {
        let mut references: Vec<String> =
            references.iter().map(|text| normalize(text, &mut scratch.lowered)).collect();
        if self == Self::V2 && references.iter().any(|text| !text.is_empty()) {
            references.retain(|text| !text.is_empty());
        }
        SquadReferences { references }
    }

    /// F1 of normalised texts.
    #[expect(clippy::cast_precision_loss, reason = "a text has fewer than 2^53 words")]
    fn f1(self, hypothesis: &str, reference: &str) -> f64 {
        if self == Self::V2 && (hypothesis.is_empty() || reference.is_empty()) {
            return f64::from(u8::from(hypothesis == reference));
        }
        let words = |text| split(text).count() as f64;
        let common = common_words(hypothesis, reference) as f64;
        if common == 0.0 {
            return 0.0;
        }
        let precision = common / words(hypothesis);
        let recall = common / words(reference);
        2.0 * precision * recall / (precision + recall)
    }
}

/// How many words two normalised texts share, each as often as both have it.
fn common_words(hypothesis: &str, reference: &str) -> usize {
    let mut counts: FxHashMap<&str, usize> = FxHashMap::default();
    for word in split(reference) {
        *counts.entry(word).or_default() += 1;
    }
    let mut common = 0;
    for word in split(hypothesis) {
        if let Some(count) = counts.get_mut(word).filter(|count| **count > 0) {
            *count -= 1;
            common += 1;
        }
    }
    common
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
        let hypothesis = normalize(hypothesis, &mut scratch.lowered);
        let score = |reference: &String| self.version.f1(&hypothesis, reference);
        references.references.iter().map(score).fold(0.0, f64::max)
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
        let hypothesis = normalize(hypothesis, &mut scratch.lowered);
        f64::from(u8::from(references.references.contains(&hypothesis)))
    }
}
