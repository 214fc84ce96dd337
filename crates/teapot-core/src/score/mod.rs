//! Similarity of a hypothesis to its references: one metric a file.
//!
//! A metric prepares the references of a segment once and scores any number of hypotheses against them. Inside, n-grams
//! and edits are counted as integers first, and floats come last; for a corpus the counts are added in between.

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
    /// The references of one segment, prepared, and the buffers of scoring: both are reused for the next segment, so that
    /// inner loops allocate nothing.
    type References: Default + Send;

    /// Prepares the references of one segment, in place of those prepared before. `references` holds at least one text.
    fn prepare(&self, references: &[&str], prepared: &mut Self::References);

    /// The score of a hypothesis against prepared references: a fraction in `[0, 1]`, never NaN.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Cancelled`] when the patience ends; the references stay prepared.
    fn score(
        &self,
        hypothesis: &str,
        prepared: &mut Self::References,
        patience: &Patience,
    ) -> Result<f64>;

    /// The score of one pair, with buffers of its own: for examples and tests.
    fn score_pair(&self, hypothesis: &str, reference: &str) -> f64 {
        let mut prepared = Self::References::default();
        self.prepare(&[reference], &mut prepared);
        self.score(hypothesis, &mut prepared, &Patience::endless())
            .expect("endless patience never ends")
    }
}

/// Copies texts into memory that is reused.
fn refill(kept: &mut Vec<String>, texts: &[&str]) {
    kept.resize_with(texts.len(), String::new);
    for (kept, text) in kept.iter_mut().zip(texts) {
        kept.clear();
        kept.push_str(text);
    }
}

/// About how many nanoseconds a metric of linear time takes for a byte.
const BYTE_STEPS: usize = 50;

/// A metric with a corpus level: integer counts of segments are added, then turned into one score.
pub trait CorpusMetric: SentenceMetric {
    /// Appends the counts of a hypothesis against prepared references to `counts`, in a fixed order that the metric
    /// documents.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Cancelled`] when the patience ends.
    fn count(
        &self,
        hypothesis: &str,
        prepared: &mut Self::References,
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
        let (mut counts, mut prepared) = (Vec::new(), Self::References::default());
        self.prepare(references, &mut prepared);
        self.count(hypothesis, &mut prepared, &Patience::endless(), &mut counts)?;
        Ok(counts)
    }

    /// The score of summed statistics, a fraction in `[0, 1]` (TER alone may exceed 1).
    fn corpus_score(&self, statistics: &[f64]) -> f64;
}
