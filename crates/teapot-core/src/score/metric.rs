//! A metric that is chosen at run time, and what scores segments with it.

use std::sync::atomic::{AtomicBool, Ordering};

use super::bleu::Bleu;
use super::chrf::Chrf;
use super::edit::Edit;
use super::exact_match::ExactMatch;
use super::squad::{SquadExactMatch, SquadF1};
use super::ter::Ter;
use super::token_f1::TokenF1;
use super::{CorpusMetric, SentenceMetric};
use crate::error::{Error, ErrorKind, Result};
use crate::parallel;
use crate::patience::Patience;

/// Any metric of this crate with its parameters.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Metric {
    /// chrF and chrF++.
    Chrf(Chrf),
    /// Sentence BLEU.
    Bleu(Bleu),
    /// 1 − min(1, TER).
    Ter(Ter),
    /// String equality.
    ExactMatch(ExactMatch),
    /// teapot-nlp's example token F1.
    TokenF1(TokenF1),
    /// SQuAD F1.
    SquadF1(SquadF1),
    /// SQuAD exact match.
    SquadExactMatch(SquadExactMatch),
    /// Normalised edit similarity.
    Edit(Edit),
}

/// Scores segments one after the other, with buffers of its own: one a thread.
pub trait SegmentScorer: Send {
    /// Scores hypotheses that share their references: `scores[i]` becomes the score of `hypotheses[i]`, in `[0, 1]`.
    ///
    /// The references are prepared once; a hypothesis equal to its predecessor is scored once.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Cancelled`] when the patience ends; what `scores` holds then means nothing.
    fn score(
        &mut self,
        hypotheses: &[&str],
        references: &[&str],
        scores: &mut [f64],
        patience: &Patience,
    ) -> Result<()>;
}

struct ScorerOf<'metric, M: SentenceMetric> {
    metric: &'metric M,
    references: M::References,
}

fn scorer_of<M: SentenceMetric>(metric: &M) -> Box<dyn SegmentScorer + '_> {
    Box::new(ScorerOf { metric, references: M::References::default() })
}

impl<M: SentenceMetric> SegmentScorer for ScorerOf<'_, M> {
    fn score(
        &mut self,
        hypotheses: &[&str],
        references: &[&str],
        scores: &mut [f64],
        patience: &Patience,
    ) -> Result<()> {
        self.metric.prepare(references, &mut self.references);
        let mut previous: Option<(&str, f64)> = None;
        for (slot, hypothesis) in scores.iter_mut().zip(hypotheses) {
            *slot = match previous {
                Some((text, score)) if text == *hypothesis => score,
                _ => self.metric.score(hypothesis, &mut self.references, patience)?,
            };
            previous = Some((hypothesis, *slot));
        }
        Ok(())
    }
}

macro_rules! for_each_metric {
    ($metric:expr, $inner:ident => $body:expr) => {
        match $metric {
            Metric::Chrf($inner) => $body,
            Metric::Bleu($inner) => $body,
            Metric::Ter($inner) => $body,
            Metric::ExactMatch($inner) => $body,
            Metric::TokenF1($inner) => $body,
            Metric::SquadF1($inner) => $body,
            Metric::SquadExactMatch($inner) => $body,
            Metric::Edit($inner) => $body,
        }
    };
}

/// What is to be done with the metric behind a [`Metric`], whichever it is.
pub trait MetricVisitor {
    /// What comes of it.
    type Output;

    /// Does it.
    fn visit<M: SentenceMetric + Clone + 'static>(self, metric: &M) -> Self::Output;
}

impl Metric {
    /// A scorer with its own buffers.
    pub fn scorer(&self) -> Box<dyn SegmentScorer + '_> {
        for_each_metric!(self, metric => scorer_of(metric))
    }

    /// Hands the metric itself to a visitor.
    pub fn visit<V: MetricVisitor>(&self, visitor: V) -> V::Output {
        for_each_metric!(self, metric => visitor.visit(metric))
    }
}

/// Counts segments for the corpus level of a metric, with buffers of its own: one a thread.
pub trait SegmentCounter: Send {
    /// Counts hypotheses that share their references: the counts of `hypotheses[i]` are appended to `counts[i]`, as many
    /// as [`Metric::counts_width`] says.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Cancelled`] when the patience ends.
    fn count(
        &mut self,
        hypotheses: &[&str],
        references: &[&str],
        counts: &mut [Vec<f64>],
        patience: &Patience,
    ) -> Result<()>;
}

impl<M: CorpusMetric> SegmentCounter for ScorerOf<'_, M> {
    fn count(
        &mut self,
        hypotheses: &[&str],
        references: &[&str],
        counts: &mut [Vec<f64>],
        patience: &Patience,
    ) -> Result<()> {
        self.metric.prepare(references, &mut self.references);
        for (hypothesis, counts) in hypotheses.iter().zip(counts) {
            self.metric.count(hypothesis, &mut self.references, patience, counts)?;
        }
        Ok(())
    }
}

fn counter_of<M: CorpusMetric>(metric: &M) -> Box<dyn SegmentCounter + '_> {
    Box::new(ScorerOf { metric, references: M::References::default() })
}

impl Metric {
    /// A counter of segments with its own buffers; `None` for a metric without a corpus level.
    pub fn counter(&self) -> Option<Box<dyn SegmentCounter + '_>> {
        match self {
            Self::Chrf(metric) => Some(counter_of(metric)),
            Self::Bleu(metric) => Some(counter_of(metric)),
            Self::Ter(metric) => Some(counter_of(metric)),
            _ => None,
        }
    }

    /// How many counts a segment has; 0 for a metric without a corpus level.
    pub fn counts_width(&self) -> usize {
        match self {
            Self::Chrf(metric) => 3 * (metric.char_order + metric.word_order),
            Self::Bleu(metric) => 2 + 2 * metric.max_order,
            Self::Ter(_) => 2,
            _ => 0,
        }
    }

    /// The similarity of a corpus from the summed counts of its segments: a fraction in `[0, 1]`.
    ///
    /// chrF and BLEU as sacreBLEU's corpus level has them, BLEU with the smoothing of the metric and all of its orders;
    /// for TER 1 − min(1, TER). `None` for a metric without a corpus level.
    pub fn corpus_similarity(&self, sums: &[f64]) -> Option<f64> {
        match self {
            Self::Chrf(metric) => Some(metric.corpus_score(sums)),
            Self::Bleu(metric) => {
                Some(Bleu { effective_order: false, ..metric.clone() }.corpus_score(sums).min(1.0))
            }
            Self::Ter(metric) => Some(1.0 - metric.corpus_score(sums).min(1.0)),
            _ => None,
        }
    }
}

impl Metric {
    /// The score of a whole corpus: the counts of all segments are added, then turned into one score.
    ///
    /// A fraction in `[0, 1]`; TER alone may exceed 1.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::LengthMismatch`] when the lengths differ, [`ErrorKind::EmptyInput`] for an empty corpus or a hypothesis
    /// without references, [`ErrorKind::InvalidOption`] for a metric without a corpus level, [`ErrorKind::Cancelled`].
    pub fn corpus_score<R: AsRef<[String]>>(
        &self,
        hypotheses: &[String],
        references: &[R],
        cancelled: &AtomicBool,
    ) -> Result<f64> {
        match self {
            Self::Chrf(metric) => corpus_score(metric, hypotheses, references, cancelled),
            Self::Bleu(metric) => corpus_score(metric, hypotheses, references, cancelled),
            Self::Ter(metric) => corpus_score(metric, hypotheses, references, cancelled),
            _ => Err(Error::invalid_option(
                "kind",
                "a metric of single segments",
                "chrf, bleu or ter",
            )),
        }
    }
}

fn corpus_score<M: CorpusMetric, R: AsRef<[String]>>(
    metric: &M,
    hypotheses: &[String],
    references: &[R],
    cancelled: &AtomicBool,
) -> Result<f64> {
    check_lengths(hypotheses, references)?;
    if hypotheses.is_empty() {
        return Err(Error::new(ErrorKind::EmptyInput { what: "hypotheses" }));
    }
    let is_cancelled = || cancelled.load(Ordering::Relaxed);
    let patience = Patience::new(&is_cancelled);
    let (mut sums, mut counts, mut texts) = (Vec::new(), Vec::new(), Vec::new());
    let mut prepared = M::References::default();
    for (hypothesis, references) in hypotheses.iter().zip(references) {
        patience.ask()?;
        texts.clear();
        texts.extend(references.as_ref().iter().map(String::as_str));
        counts.clear();
        metric.prepare(&texts, &mut prepared);
        metric.count(hypothesis, &mut prepared, &patience, &mut counts)?;
        sums.resize(counts.len(), 0.0);
        for (sum, count) in sums.iter_mut().zip(&counts) {
            *sum += count;
        }
    }
    Ok(metric.corpus_score(&sums))
}

fn check_lengths<R: AsRef<[String]>>(hypotheses: &[String], references: &[R]) -> Result<()> {
    if hypotheses.len() != references.len() {
        return Err(Error::length_mismatch(
            "hypotheses",
            hypotheses.len(),
            "references",
            references.len(),
        ));
    }
    if references.iter().any(|segment| segment.as_ref().is_empty()) {
        return Err(Error::new(ErrorKind::EmptyInput { what: "references" }));
    }
    Ok(())
}

/// How many pairs a thread takes at once: enough to make taking them cheap, few enough to keep all threads busy.
const CHUNK_PAIRS: usize = 256;

/// Scores N hypotheses, each against its own references, on `threads` threads (0: one a core).
///
/// Gives N fractions in `[0, 1]` in the same order, the same bits for any number of threads.
///
/// # Errors
///
/// [`ErrorKind::LengthMismatch`] when the lengths differ, [`ErrorKind::EmptyInput`] when a hypothesis has no reference,
/// [`ErrorKind::Cancelled`] soon after `cancelled` was set.
pub fn score_batch<R: AsRef<[String]> + Sync>(
    metric: &Metric,
    hypotheses: &[String],
    references: &[R],
    threads: usize,
    cancelled: &AtomicBool,
) -> Result<Vec<f64>> {
    check_lengths(hypotheses, references)?;
    let mut chunks = hypotheses.chunks(CHUNK_PAIRS).zip(references.chunks(CHUNK_PAIRS));
    let threads = parallel::thread_count_for(threads, chunks.len());
    let scored = parallel::map_ordered(
        threads,
        || Ok(chunks.next()),
        || metric.scorer(),
        |scorer, (hypotheses, references)| {
            let mut scores = vec![0.0; hypotheses.len()];
            let mut texts: Vec<&str> = Vec::new();
            let is_cancelled = || cancelled.load(Ordering::Relaxed);
            let patience = Patience::new(&is_cancelled);
            for ((slot, hypothesis), references) in
                scores.iter_mut().zip(hypotheses).zip(references)
            {
                patience.ask()?;
                texts.clear();
                texts.extend(references.as_ref().iter().map(String::as_str));
                scorer.score(&[hypothesis], &texts, std::slice::from_mut(slot), &patience)?;
            }
            Ok(scores)
        },
    )?;
    Ok(scored.concat())
}

/// Counts N hypotheses, each against its own references, on `threads` threads (0: one a core).
///
/// Gives N · [`counts_width`](Metric::counts_width) numbers, segment by segment.
///
/// # Errors
///
/// As [`score_batch`], and [`ErrorKind::InvalidOption`] for a metric without a corpus level.
pub fn count_batch<R: AsRef<[String]> + Sync>(
    metric: &Metric,
    hypotheses: &[String],
    references: &[R],
    threads: usize,
    cancelled: &AtomicBool,
) -> Result<Vec<f64>> {
    check_lengths(hypotheses, references)?;
    if metric.counts_width() == 0 {
        return Err(Error::invalid_option(
            "kind",
            "a metric of single segments",
            "chrf, bleu or ter",
        ));
    }
    let mut chunks = hypotheses.chunks(CHUNK_PAIRS).zip(references.chunks(CHUNK_PAIRS));
    let threads = parallel::thread_count_for(threads, chunks.len());
    let counted = parallel::map_ordered(
        threads,
        || Ok(chunks.next()),
        || metric.counter(),
        |counter, (hypotheses, references)| {
            let mut counts = vec![Vec::with_capacity(hypotheses.len() * metric.counts_width())];
            let Some(counter) = counter else { return Ok(Vec::new()) };
            let mut texts: Vec<&str> = Vec::new();
            let is_cancelled = || cancelled.load(Ordering::Relaxed);
            let patience = Patience::new(&is_cancelled);
            for (hypothesis, references) in hypotheses.iter().zip(references) {
                patience.ask()?;
                texts.clear();
                texts.extend(references.as_ref().iter().map(String::as_str));
                counter.count(&[hypothesis], &texts, &mut counts, &patience)?;
            }
            Ok(counts.concat())
        },
    )?;
    Ok(counted.concat())
}
