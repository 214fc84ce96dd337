//! Scoring texts that JavaScript holds.

use napi::bindgen_prelude::{AsyncTask, Float64Array};
use napi_derive::napi;
use teapot_core::patience::Patience;
use teapot_core::score::metric::{Metric, count_batch as count_pairs, score_batch as score_pairs};

use crate::error::{Code, Error, Result, from_core};
use crate::options::MetricOptions;
use crate::task::{Cancellation, Job, flag_of, guard, spawn};

/// Scores N hypotheses against their references on the thread pool.
///
/// `references` holds the references of all hypotheses one after the other; `referenceCounts` says how many belong to each
/// hypothesis, one each when it is missing. Gives N fractions in [0, 1] in the same order.
#[napi(ts_return_type = "Promise<Float64Array>")]
pub fn score_batch(
    metric: MetricOptions,
    hypotheses: Vec<String>,
    references: Vec<String>,
    reference_counts: Option<Vec<u32>>,
    threads: Option<u32>,
    cancellation: Option<&Cancellation>,
) -> AsyncTask<Job<Float64Array>> {
    let cancelled = flag_of(cancellation);
    spawn(move || {
        let metric = Metric::try_from(&metric)?;
        let references = group(references, reference_counts.as_deref())?;
        let threads = threads.unwrap_or(0) as usize;
        let scores = score_pairs(&metric, &hypotheses, &references, threads, &cancelled)
            .map_err(from_core)?;
        Ok(scores.into())
    })
}

/// Scores one hypothesis against its references, on this thread: a fraction in [0, 1].
///
/// # Errors
///
/// `ERR_TEAPOT_INVALID_OPTION` for the metric's options, `ERR_TEAPOT_EMPTY_INPUT` without references.
#[napi]
pub fn score_sentence(
    metric: MetricOptions,
    hypothesis: String,
    references: Vec<String>,
) -> Result<f64> {
    guard(|| {
        let metric = Metric::try_from(&metric)?;
        let texts: Vec<&str> = references.iter().map(String::as_str).collect();
        if texts.is_empty() {
            return Err(Error::new(
                Code::EmptyInput,
                "no references: pass at least one".to_owned(),
            ));
        }
        let mut score = [0.0];
        metric
            .scorer()
            .score(&[&hypothesis], &texts, &mut score, &Patience::endless())
            .map_err(from_core)?;
        Ok(score[0])
    })
}

/// The score of a whole corpus, for metrics with a corpus level: counts are added first. A fraction; TER may exceed 1.
#[napi(ts_return_type = "Promise<number>")]
pub fn corpus_score(
    metric: MetricOptions,
    hypotheses: Vec<String>,
    references: Vec<String>,
    reference_counts: Option<Vec<u32>>,
    cancellation: Option<&Cancellation>,
) -> AsyncTask<Job<f64>> {
    let cancelled = flag_of(cancellation);
    spawn(move || {
        let metric = Metric::try_from(&metric)?;
        let references = group(references, reference_counts.as_deref())?;
        metric.corpus_score(&hypotheses, &references, &cancelled).map_err(from_core)
    })
}

/// What a metric counts of N hypotheses for its corpus level: one row of counts a hypothesis, one after the other.
///
/// `references` and `referenceCounts` are those of `scoreBatch`. `ERR_TEAPOT_INVALID_OPTION` for a metric without a corpus
/// level.
#[napi(ts_return_type = "Promise<Float64Array>")]
pub fn corpus_counts(
    metric: MetricOptions,
    hypotheses: Vec<String>,
    references: Vec<String>,
    reference_counts: Option<Vec<u32>>,
    cancellation: Option<&Cancellation>,
) -> AsyncTask<Job<Float64Array>> {
    let cancelled = flag_of(cancellation);
    spawn(move || {
        let metric = Metric::try_from(&metric)?;
        let references = group(references, reference_counts.as_deref())?;
        let counts = count_pairs(&metric, &hypotheses, &references, 0, &cancelled);
        Ok(counts.map_err(from_core)?.into())
    })
}

/// How many counts a segment has for the corpus level of a metric; 0 for a metric without one.
///
/// # Errors
///
/// `ERR_TEAPOT_INVALID_OPTION` for the metric's options.
#[napi]
pub fn corpus_counts_width(metric: MetricOptions) -> Result<u32> {
    guard(|| {
        let width = Metric::try_from(&metric)?.counts_width();
        Ok(u32::try_from(width).unwrap_or(u32::MAX))
    })
}

/// The similarity of a corpus from its summed counts: a fraction in [0, 1], for TER 1 - min(1, TER); null for a metric
/// without a corpus level.
///
/// # Errors
///
/// `ERR_TEAPOT_INVALID_OPTION` for the metric's options.
#[napi]
pub fn corpus_similarity(metric: MetricOptions, sums: Vec<f64>) -> Result<Option<f64>> {
    guard(|| Ok(Metric::try_from(&metric)?.corpus_similarity(&sums)))
}

/// The n-grams of one order that a hypothesis shares with its reference.
#[napi(object)]
pub struct NgramCounts {
    /// N-grams of the hypothesis.
    pub hypothesis: u32,
    /// N-grams of the reference.
    pub reference: u32,
    /// Shared n-grams, clipped.
    pub matches: u32,
}

/// What chrF counts of a pair of texts: one entry an order, characters first, then words, whatever the orders count in the
/// score. With several references those of the one that scores best.
///
/// # Errors
///
/// `ERR_TEAPOT_INVALID_OPTION` for another metric or its options, `ERR_TEAPOT_EMPTY_INPUT` without references.
#[napi]
pub fn chrf_counts(
    metric: MetricOptions,
    hypothesis: String,
    references: Vec<String>,
) -> Result<Vec<NgramCounts>> {
    guard(|| {
        let Metric::Chrf(chrf) = Metric::try_from(&metric)? else {
            let message = format!("kind is {}, expected chrf", metric.kind);
            return Err(Error::new(Code::InvalidOption, message));
        };
        let texts: Vec<&str> = references.iter().map(String::as_str).collect();
        let counts = chrf.counts(&hypothesis, &texts).map_err(from_core)?;
        let narrow = |count: u64| u32::try_from(count).unwrap_or(u32::MAX);
        Ok(counts
            .iter()
            .map(|order| NgramCounts {
                hypothesis: narrow(order.hypothesis),
                reference: narrow(order.reference),
                matches: narrow(order.matches),
            })
            .collect())
    })
}

/// The references of each hypothesis.
fn group(references: Vec<String>, counts: Option<&[u32]>) -> Result<Vec<Vec<String>>> {
    let Some(counts) = counts else {
        return Ok(references.into_iter().map(|reference| vec![reference]).collect());
    };
    let expected: usize = counts.iter().map(|&count| count as usize).sum();
    if expected != references.len() {
        return Err(Error::new(
            Code::LengthMismatch,
            format!("{} references but the counts add up to {expected}", references.len()),
        ));
    }
    let mut references = references.into_iter();
    Ok(counts.iter().map(|&count| references.by_ref().take(count as usize).collect()).collect())
}
