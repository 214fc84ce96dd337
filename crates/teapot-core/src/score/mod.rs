//! Similarity of a hypothesis to its references: one metric a file.
//!
//! A metric works in the four steps of sacreBLEU: prepare the references once, count (integers), turn
//! counts into a score (floats, last), and, for a corpus, add the counts first.

pub mod bleu;
pub mod chrf;
pub mod edit;
pub mod exact_match;
pub mod metric;
mod overlap;
mod positions;
pub mod squad;
pub mod ter;
pub mod token_f1;

use crate::error::Result;

/// A segment-level metric: one hypothesis against one or several references gives a fraction in `[0, 1]`.
pub trait SentenceMetric: Send + Sync {
    /// The references of one segment, prepared once and used for every hypothesis scored against them.
    type References: Send;
    /// Buffers that are reused between calls, so that inner loops allocate nothing.
    type Scratch: Default + Send;

    /// Prepares the references of one segment. `references` holds at least one text.
    fn prepare(&self, references: &[&str], scratch: &mut Self::Scratch) -> Self::References;

    /// The score of a hypothesis against prepared references: a fraction in `[0, 1]`, never NaN.
    fn score(
        &self,
        hypothesis: &str,
        references: &Self::References,
        scratch: &mut Self::Scratch,
    ) -> f64;

    /// The score of one pair. Equal to [`prepare`](Self::prepare) followed by [`score`](Self::score) to
    /// the bit; metrics with a faster way for a pair that is met once override it.
    fn score_pair(&self, hypothesis: &str, reference: &str, scratch: &mut Self::Scratch) -> f64 {
        let references = self.prepare(&[reference], scratch);
        self.score(hypothesis, &references, scratch)
    }

    /// The scores of hypotheses that share their references: `scores[i]` becomes the score of `hypotheses[i]`, to the bit
    /// that of [`prepare`](Self::prepare) and [`score`](Self::score).
    ///
    /// A hypothesis equal to its predecessor is scored once. Metrics that can share more of the work override it.
    fn score_all(
        &self,
        hypotheses: &[&str],
        references: &[&str],
        scratch: &mut Self::Scratch,
        scores: &mut [f64],
    ) {
        let one =
            hypotheses.iter().skip(1).all(|hypothesis| Some(hypothesis) == hypotheses.first());
        if let (true, [first, ..], [reference]) = (one, hypotheses, references) {
            scores.fill(self.score_pair(first, reference, scratch));
            return;
        }
        let prepared = self.prepare(references, scratch);
        let mut previous: Option<(&str, f64)> = None;
        for (slot, hypothesis) in scores.iter_mut().zip(hypotheses) {
            *slot = match previous {
                Some((text, score)) if text == *hypothesis => score,
                _ => self.score(hypothesis, &prepared, scratch),
            };
            previous = Some((hypothesis, *slot));
        }
    }
}

/// A metric with a corpus level: integer counts of segments are added, then turned into one score.
pub trait CorpusMetric: SentenceMetric {
    /// Counts of a segment against its references, in a fixed order that the metric documents.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::EmptyInput`](crate::error::ErrorKind::EmptyInput) without references.
    fn statistics(&self, hypothesis: &str, references: &[&str]) -> Result<Vec<f64>>;

    /// The score of summed statistics, a fraction in `[0, 1]` (TER alone may exceed 1).
    fn corpus_score(&self, statistics: &[f64]) -> f64;
}
