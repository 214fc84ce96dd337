//! Bootstrap intervals and paired tests of scores that JavaScript holds.

use napi::bindgen_prelude::{AsyncTask, Float64Array, Uint8Array};
use napi_derive::napi;
use teapot_core::resample::{ResampleOptions as CoreOptions, bootstrap, holm, mcnemar, paired};

use crate::error::{Code, Error, Result, from_core};
use crate::task::{Cancellation, Job, flag_of, guard, spawn};

/// Sizes, seed and threads of a bootstrap or of a randomisation test.
#[napi(object)]
#[derive(Clone, Default)]
pub struct ResampleOptions {
    /// Resamples or trials, at least 1. Default 1,000.
    pub resamples: Option<u32>,
    /// The share of resamples inside the interval, strictly between 0 and 1. Default 0.95.
    pub confidence: Option<f64>,
    /// Seed, an integer from 0 to 2^53 - 1. Default 12,345.
    pub seed: Option<f64>,
    /// Threads; 0 or missing: one a core. The result doesn't depend on it.
    pub threads: Option<u32>,
}

/// The largest integer that a JavaScript number holds with all its neighbours.
const MAX_SAFE_INTEGER: f64 = 9_007_199_254_740_991.0;

fn core_options(options: Option<ResampleOptions>) -> Result<CoreOptions> {
    let ResampleOptions { resamples, confidence, seed, threads } = options.unwrap_or_default();
    let default = CoreOptions::default();
    Ok(CoreOptions {
        resamples: resamples.map_or(default.resamples, |number| number as usize),
        confidence: confidence.unwrap_or(default.confidence),
        seed: seed.map_or(Ok(default.seed), seed_of)?,
        threads: threads.map_or(default.threads, |number| number as usize),
    })
}

fn seed_of(seed: f64) -> Result<u64> {
    if seed.fract() == 0.0 && (0.0..=MAX_SAFE_INTEGER).contains(&seed) {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "checked to be an integer in range"
        )]
        return Ok(seed as u64);
    }
    let message = format!("seed is {seed}, expected an integer from 0 to 2^53 - 1");
    Err(Error::new(Code::InvalidOption, message))
}

/// A number of lines or resamples: JavaScript's arrays hold fewer than 2³² of them.
fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// A percentile interval.
#[napi(object)]
pub struct Interval {
    /// The lower end.
    pub lower: f64,
    /// The upper end.
    pub upper: f64,
}

impl From<teapot_core::resample::Interval> for Interval {
    fn from(interval: teapot_core::resample::Interval) -> Self {
        Self { lower: interval.lower, upper: interval.upper }
    }
}

/// The percentile bootstrap interval of the mean of scores in [0, 1]; of a success rate, when they are 0 and 1.
#[napi(ts_return_type = "Promise<Interval>")]
pub fn bootstrap_mean(
    scores: Float64Array,
    options: Option<ResampleOptions>,
    cancellation: Option<&Cancellation>,
) -> AsyncTask<Job<Interval>> {
    let (scores, cancelled) = (scores.to_vec(), flag_of(cancellation));
    spawn(move || {
        let options = core_options(options)?;
        Ok(bootstrap::mean(&scores, &options, &cancelled).map_err(from_core)?.into())
    })
}

/// The interval of a performance drop rate.
#[napi(object)]
pub struct DropRateInterval {
    /// The interval over the resamples in which the rate is defined; missing when it is defined in none.
    pub interval: Option<Interval>,
    /// Resamples whose original scores sum to 0.
    pub undefined: u32,
}

/// The percentile bootstrap interval of 1 - sum of attacked / sum of original scores, over lines or prompts.
#[napi(ts_return_type = "Promise<DropRateInterval>")]
pub fn bootstrap_performance_drop_rate(
    original: Float64Array,
    attacked: Float64Array,
    options: Option<ResampleOptions>,
    cancellation: Option<&Cancellation>,
) -> AsyncTask<Job<DropRateInterval>> {
    let (original, attacked) = (original.to_vec(), attacked.to_vec());
    let cancelled = flag_of(cancellation);
    spawn(move || {
        let options = core_options(options)?;
        let rate = bootstrap::performance_drop_rate(&original, &attacked, &options, &cancelled)
            .map_err(from_core)?;
        Ok(DropRateInterval {
            interval: rate.interval.map(Interval::from),
            undefined: count(rate.undefined),
        })
    })
}

/// The outcome of a paired bootstrap.
#[napi(object)]
pub struct PairedBootstrap {
    /// Mean of the left scores minus mean of the right ones.
    pub difference: f64,
    /// The percentile interval of the difference.
    pub interval: Interval,
    /// Two-sided p-value.
    pub p_value: f64,
}

/// Paired bootstrap of the difference of the means of two systems' scores in [0, 1] on the same lines.
#[napi(ts_return_type = "Promise<PairedBootstrap>")]
pub fn paired_bootstrap(
    left: Float64Array,
    right: Float64Array,
    options: Option<ResampleOptions>,
    cancellation: Option<&Cancellation>,
) -> AsyncTask<Job<PairedBootstrap>> {
    let (left, right, cancelled) = (left.to_vec(), right.to_vec(), flag_of(cancellation));
    spawn(move || {
        let options = core_options(options)?;
        let test =
            paired::paired_bootstrap(&left, &right, &options, &cancelled).map_err(from_core)?;
        Ok(PairedBootstrap {
            difference: test.difference,
            interval: test.interval.into(),
            p_value: test.p_value,
        })
    })
}

/// The outcome of approximate randomisation.
#[napi(object)]
pub struct Randomization {
    /// Mean of the left scores minus mean of the right ones.
    pub difference: f64,
    /// Two-sided p-value.
    pub p_value: f64,
}

/// Paired approximate randomisation of the difference of the means of two systems' scores in [0, 1] on the same lines.
/// `resamples` is the number of trials.
#[napi(ts_return_type = "Promise<Randomization>")]
pub fn approximate_randomization(
    left: Float64Array,
    right: Float64Array,
    options: Option<ResampleOptions>,
    cancellation: Option<&Cancellation>,
) -> AsyncTask<Job<Randomization>> {
    let (left, right, cancelled) = (left.to_vec(), right.to_vec(), flag_of(cancellation));
    spawn(move || {
        let options = core_options(options)?;
        let test = paired::approximate_randomization(&left, &right, &options, &cancelled)
            .map_err(from_core)?;
        Ok(Randomization { difference: test.difference, p_value: test.p_value })
    })
}

/// The outcome of McNemar's exact test.
#[napi(object)]
pub struct McNemar {
    /// Lines on which only the left system succeeds.
    pub left_only: u32,
    /// Lines on which only the right system succeeds.
    pub right_only: u32,
    /// The exact two-sided p-value.
    pub p_value: f64,
}

/// McNemar's exact test of two systems' successes on the same lines: one byte a line, 0 for a failure.
///
/// # Errors
///
/// `ERR_TEAPOT_LENGTH_MISMATCH` for unequal lengths, `ERR_TEAPOT_EMPTY_INPUT` without lines.
#[napi]
pub fn mcnemar(left: Uint8Array, right: Uint8Array) -> Result<McNemar> {
    guard(|| {
        let [left, right] =
            [left, right].map(|bytes| bytes.iter().map(|&byte| byte != 0).collect::<Vec<_>>());
        let test = mcnemar::mcnemar(&left, &right).map_err(from_core)?;
        Ok(McNemar {
            left_only: count(test.left_only),
            right_only: count(test.right_only),
            p_value: test.p_value,
        })
    })
}

/// Holm's adjusted p-values of several tests, in the order given.
///
/// # Errors
///
/// `ERR_TEAPOT_INVALID_OPTION` when one is not in [0, 1].
#[napi]
pub fn holm(p_values: Vec<f64>) -> Result<Vec<f64>> {
    guard(|| {
        if let Some(value) = p_values.iter().find(|value| !(0.0..=1.0).contains(*value)) {
            let message = format!("a p-value is {value}, expected a number in [0, 1]");
            return Err(Error::new(Code::InvalidOption, message));
        }
        Ok(holm::holm(&p_values))
    })
}
