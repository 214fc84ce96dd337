//! Edit similarity: 1 minus the normalised edit distance, as a metric.

use super::{SentenceMetric, refill};
use crate::distance::{Distance, DistanceScratch, Unit, symbols::Vocabulary};
use crate::error::Result;
use crate::patience::Patience;

/// Parameters of the edit similarity: which distance, over which unit.
///
/// The score is [`Distance::similarity`]: 1 − distance / largest possible distance (Jaro-Winkler: its similarity). Two blank sides give 1, one blank side 0. With several references the best similarity counts.
///
/// Blank: [`Unit::Char`] takes every code point as it is, so whitespace counts; [`Unit::Word`] sees words only.
///
/// Source: `RapidFuzz` 3.14.6 `normalized_similarity`.
///
/// ```
/// use teapot_core::score::{SentenceMetric, edit::Edit};
/// let score = Edit::default().score_pair("tea🍵", "tea");
/// assert!((score - 0.75).abs() < 1e-15);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Edit {
    /// Which edits count. Default Levenshtein.
    pub distance: Distance,
    /// What is edited: code points or words. Default code points.
    pub unit: Unit,
}

/// References of one segment, prepared by [`Edit`], and its buffers.
#[derive(Clone, Debug, Default)]
pub struct EditReferences {
    /// Of [`Unit::Char`]: the distances look at texts as they are.
    texts: Vec<String>,
    /// Of [`Unit::Word`]: the numbers of the words.
    words: Vec<(Vocabulary, Vec<u32>)>,
    scratch: DistanceScratch,
}

impl SentenceMetric for Edit {
    type References = EditReferences;

    fn prepare(&self, references: &[&str], prepared: &mut EditReferences) {
        match self.unit {
            Unit::Char => refill(&mut prepared.texts, references),
            Unit::Word => {
                prepared.words.resize_with(references.len(), Default::default);
                for (reference, (vocabulary, words)) in references.iter().zip(&mut prepared.words) {
                    vocabulary.learn(reference, words);
                }
            }
        }
    }

    fn score(
        &self,
        hypothesis: &str,
        prepared: &mut EditReferences,
        patience: &Patience,
    ) -> Result<f64> {
        let EditReferences { texts, words, scratch } = prepared;
        let mut best = 0.0_f64;
        for text in texts {
            let similarity =
                self.distance.similarity(hypothesis, text, self.unit, scratch, patience)?;
            best = best.max(similarity);
        }
        for (vocabulary, words) in words {
            let prepared = (&*vocabulary, &words[..]);
            best = best.max(self.distance.similarity_to(hypothesis, prepared, scratch, patience)?);
        }
        Ok(best)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn best_reference_counts_and_blank_sides_are_defined() {
        let edit = Edit { unit: Unit::Word, ..Edit::default() };
        let mut prepared = EditReferences::default();
        edit.prepare(&["hot tea", "green tea please"], &mut prepared);
        let score = edit.score("green tea", &mut prepared, &Patience::endless()).unwrap();
        assert!((score - 2.0 / 3.0).abs() < 1e-15);
        for (hyp, reference, expected) in [("", "", 1.0), ("", "tea", 0.0), ("tea", "", 0.0)] {
            for distance in
                [Distance::Levenshtein, Distance::Osa, Distance::Indel, Distance::JaroWinkler]
            {
                let score = Edit { distance, ..Edit::default() }.score_pair(hyp, reference);
                assert!((score - expected).abs() < 1e-15, "{hyp:?} {reference:?} {score}");
            }
        }
    }
}
