//! Any sentence metric as a measure of how much of a text an attack keeps.

use std::fmt;
use std::sync::Arc;

use crate::error::Result;
use crate::patience::Patience;
use crate::score::SentenceMetric;
use crate::score::metric::{Metric, MetricVisitor};

/// A metric that scores edited texts (as hypotheses) against their original (as reference).
#[derive(Clone)]
pub struct Similarity(Arc<dyn Measure>);

impl Similarity {
    /// The similarity by a metric.
    pub fn new<M: SentenceMetric + 'static>(metric: M) -> Self {
        Self(Arc::new(OneMetric(Arc::new(metric))))
    }

    /// Prepares an original.
    pub(super) fn prepare(&self, original: &str) -> Box<dyn PreparedText> {
        self.0.prepare(original)
    }
}

impl From<&Metric> for Similarity {
    fn from(metric: &Metric) -> Self {
        struct OfMetric;
        impl MetricVisitor for OfMetric {
            type Output = Similarity;
            fn visit<M: SentenceMetric + Clone + 'static>(self, metric: &M) -> Similarity {
                Similarity::new(metric.clone())
            }
        }
        metric.visit(OfMetric)
    }
}

impl fmt::Debug for Similarity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Similarity")
    }
}

trait Measure: Send + Sync {
    fn prepare(&self, original: &str) -> Box<dyn PreparedText>;
}

/// An original that texts are compared with.
pub(super) trait PreparedText {
    /// The similarity of a text to the original, a fraction in `[0, 1]`.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Cancelled`](crate::error::ErrorKind::Cancelled) when the patience ends.
    fn similarity(&mut self, text: &str, patience: &Patience) -> Result<f64>;
}

struct OneMetric<M>(Arc<M>);

struct PreparedMetric<M: SentenceMetric> {
    metric: Arc<M>,
    references: M::References,
}

impl<M: SentenceMetric + 'static> Measure for OneMetric<M> {
    fn prepare(&self, original: &str) -> Box<dyn PreparedText> {
        let mut references = M::References::default();
        self.0.prepare(&[original], &mut references);
        Box::new(PreparedMetric { metric: Arc::clone(&self.0), references })
    }
}

impl<M: SentenceMetric> PreparedText for PreparedMetric<M> {
    fn similarity(&mut self, text: &str, patience: &Patience) -> Result<f64> {
        self.metric.score(text, &mut self.references, patience)
    }
}
