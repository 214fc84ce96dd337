//! Edit similarity: 1 minus the normalised edit distance, as a metric.

use super::SentenceMetric;
use crate::distance::{Distance, DistanceScratch, Unit, symbols::Vocabulary};
use crate::error::Result;
use crate::patience::Patience;

/// Parameters of the edit similarity: which distance, over which unit.
///
/// The score is the distance's `normalized_similarity`: 1 − distance / largest possible distance (Jaro-Winkler: its
/// similarity). Two blank sides give 1, one blank side 0. With several references the best similarity counts.
///
/// Blank: [`Unit::Char`] takes every code point as it is, so whitespace counts; [`Unit::Word`] sees words only.
///
/// Source: `RapidFuzz` 3.14.6 `normalized_similarity`.
///
/// ```
/// use teapot_core::score::{SentenceMetric, edit::Edit};
/// let score = Edit::default().score_pair("tea🍵", "tea", &mut Default::default());
/// assert!((score - 0.75).abs() < 1e-15);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Edit {
    /// Which edits count. Default Levenshtein.
    pub distance: Distance,
    /// What is edited: code points or words. Default code points.
    pub unit: Unit,
}

/// References of one segment, prepared by [`Edit`].
#[derive(Clone, Debug)]
pub struct EditReferences {
    references: Vec<Prepared>,
}

#[derive(Clone, Debug)]
enum Prepared {
    /// Of [`Unit::Char`]: the distances look at texts as they are.
    Text(String),
    /// Of [`Unit::Word`]: the numbers of the words.
    Words(Vocabulary, Vec<u32>),
}

/// Buffers of [`Edit`], reused between calls.
pub type EditScratch = DistanceScratch;

impl SentenceMetric for Edit {
    type References = EditReferences;
    type Scratch = EditScratch;

    fn prepare(&self, references: &[&str], _scratch: &mut EditScratch) -> EditReferences {
        let prepare = |reference: &&str| match self.unit {
            Unit::Char => Prepared::Text((*reference).to_owned()),
            Unit::Word => {
                let mut vocabulary = Vocabulary::new(Unit::Word);
                let words = vocabulary.learn(reference);
                Prepared::Words(vocabulary, words)
            }
        };
        EditReferences { references: references.iter().map(prepare).collect() }
    }

    fn score(
        &self,
        hypothesis: &str,
        references: &EditReferences,
        scratch: &mut EditScratch,
    ) -> f64 {
        self.try_score(hypothesis, references, scratch, &Patience::endless()).unwrap_or(0.0)
    }

    fn score_pair(&self, hypothesis: &str, reference: &str, scratch: &mut EditScratch) -> f64 {
        self.try_score_pair(hypothesis, reference, scratch, &Patience::endless()).unwrap_or(0.0)
    }

    fn try_score(
        &self,
        hypothesis: &str,
        references: &EditReferences,
        scratch: &mut EditScratch,
        patience: &Patience,
    ) -> Result<f64> {
        let mut best = 0.0_f64;
        for reference in &references.references {
            let similarity = match reference {
                Prepared::Text(text) => self.try_score_pair(hypothesis, text, scratch, patience)?,
                Prepared::Words(vocabulary, words) => {
                    let prepared = (vocabulary, &words[..]);
                    self.distance
                        .try_normalized_similarity_to(hypothesis, prepared, scratch, patience)?
                }
            };
            best = best.max(similarity);
        }
        Ok(best)
    }

    fn try_score_pair(
        &self,
        hypothesis: &str,
        reference: &str,
        scratch: &mut EditScratch,
        patience: &Patience,
    ) -> Result<f64> {
        self.distance.try_normalized_similarity(hypothesis, reference, self.unit, scratch, patience)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn best_reference_counts_and_blank_sides_are_defined() {
        let edit = Edit { unit: Unit::Word, ..Edit::default() };
        let mut scratch = EditScratch::default();
        let prepared = edit.prepare(&["hot tea", "green tea please"], &mut scratch);
        let score = edit.score("green tea", &prepared, &mut scratch);
        assert!((score - 2.0 / 3.0).abs() < 1e-15);
        for (hyp, reference, expected) in [("", "", 1.0), ("", "tea", 0.0), ("tea", "", 0.0)] {
            for distance in
                [Distance::Levenshtein, Distance::Osa, Distance::Indel, Distance::JaroWinkler]
            {
                let score =
                    Edit { distance, ..Edit::default() }.score_pair(hyp, reference, &mut scratch);
                assert!((score - expected).abs() < 1e-15, "{hyp:?} {reference:?} {score}");
            }
        }
    }
}
