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

use crate::error::{Error, ErrorKind, Result};
use crate::patience::Patience;

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
    fn score_all(
        &self,
        hypotheses: &[&str],
        references: &[&str],
        scratch: &mut Self::Scratch,
        scores: &mut [f64],
    ) {
        let outcome =
            self.try_score_all(hypotheses, references, scratch, scores, &Patience::endless());
        debug_assert!(outcome.is_ok(), "endless patience never ends");
    }

    /// [`score`](Self::score), to be broken off. Metrics whose time grows faster than the texts override it.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Cancelled`] when the patience ends.
    fn try_score(
        &self,
        hypothesis: &str,
        references: &Self::References,
        scratch: &mut Self::Scratch,
        patience: &Patience,
    ) -> Result<f64> {
        patience.spend(BYTE_STEPS * hypothesis.len())?;
        Ok(self.score(hypothesis, references, scratch))
    }

    /// [`score_pair`](Self::score_pair), to be broken off.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Cancelled`] when the patience ends.
    fn try_score_pair(
        &self,
        hypothesis: &str,
        reference: &str,
        scratch: &mut Self::Scratch,
        patience: &Patience,
    ) -> Result<f64> {
        patience.spend(BYTE_STEPS * (hypothesis.len() + reference.len()))?;
        Ok(self.score_pair(hypothesis, reference, scratch))
    }

    /// [`score_all`](Self::score_all), to be broken off; what `scores` holds then means nothing.
    ///
    /// A hypothesis equal to its predecessor is scored once. Metrics that can share more of the work override it.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Cancelled`] when the patience ends.
    fn try_score_all(
        &self,
        hypotheses: &[&str],
        references: &[&str],
        scratch: &mut Self::Scratch,
        scores: &mut [f64],
        patience: &Patience,
    ) -> Result<()> {
        let one =
            hypotheses.iter().skip(1).all(|hypothesis| Some(hypothesis) == hypotheses.first());
        if let (true, [first, ..], [reference]) = (one, hypotheses, references) {
            scores.fill(self.try_score_pair(first, reference, scratch, patience)?);
            return Ok(());
        }
        let prepared = self.prepare(references, scratch);
        let mut previous: Option<(&str, f64)> = None;
        for (slot, hypothesis) in scores.iter_mut().zip(hypotheses) {
            *slot = match previous {
                Some((text, score)) if text == *hypothesis => score,
                _ => self.try_score(hypothesis, &prepared, scratch, patience)?,
            };
            previous = Some((hypothesis, *slot));
        }
        Ok(())
    }
}

/// About how many nanoseconds a metric of linear time takes for a byte.
const BYTE_STEPS: usize = 50;

/// A metric with a corpus level: integer counts of segments are added, then turned into one score.
pub trait CorpusMetric: SentenceMetric {
    /// Appends the counts of a segment against its references to `counts`, in a fixed order that the metric documents.
    /// `references` holds at least one text.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Cancelled`] when the patience ends.
    fn count(
        &self,
        hypothesis: &str,
        references: &[&str],
        scratch: &mut Self::Scratch,
        patience: &Patience,
        counts: &mut Vec<f64>,
    ) -> Result<()>;

    /// The counts of one segment: [`count`](Self::count) with buffers of its own.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::EmptyInput`] without references.
    fn statistics(&self, hypothesis: &str, references: &[&str]) -> Result<Vec<f64>> {
        if references.is_empty() {
            return Err(Error::new(ErrorKind::EmptyInput { what: "references" }));
        }
        let mut counts = Vec::new();
        let mut scratch = Self::Scratch::default();
        self.count(hypothesis, references, &mut scratch, &Patience::endless(), &mut counts)?;
        Ok(counts)
    }

    /// The score of summed statistics, a fraction in `[0, 1]` (TER alone may exceed 1).
    fn corpus_score(&self, statistics: &[f64]) -> f64;
}
