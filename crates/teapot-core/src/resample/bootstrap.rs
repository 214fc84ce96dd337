//! Percentile bootstrap intervals of means, success rates and performance drop rates.
//!
//! A resample draws as many lines as there are, with replacement; the interval holds the middle `confidence` of the
//! resampled values (Efron 1979; the ends are [`Interval::percentile`]'s). Scores are rounded to 10⁻⁹ and summed as
//! integers, and the lines are sorted first: the interval depends on the scores, the seed and the number of resamples
//! alone, never on the order of the lines, the threads or the platform.

use std::sync::atomic::AtomicBool;

use super::population::{Population, from_units, to_units};
use super::{Interval, ResampleOptions, each_resample};
use crate::error::{Error, ErrorKind, Result};

/// The interval of the mean of scores; of a success rate, when they are 0 and 1.
///
/// `scores` holds one number in `[0, 1]` a line. One line, or equal lines, give an interval of
/// no width.
///
/// # Errors
///
/// [`ErrorKind::EmptyInput`] without scores; [`ErrorKind::InvalidOption`] for options out of range and for scores that are
/// no numbers in `[0, 1]`; [`ErrorKind::Cancelled`] soon after `cancelled` was set.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use teapot_core::resample::{ResampleOptions, bootstrap::mean};
/// let interval = mean(&[0.5; 10], &ResampleOptions::default(), &AtomicBool::new(false))?;
/// assert_eq!((interval.lower, interval.upper), (0.5, 0.5));
/// # Ok::<(), teapot_core::error::Error>(())
/// ```
pub fn mean(scores: &[f64], options: &ResampleOptions, cancelled: &AtomicBool) -> Result<Interval> {
    let lines = scores.iter().map(|&score| Ok([to_units(score, "scores")?]));
    let population = Population::new(lines.collect::<Result<_>>()?);
    let means = resampled_means(&population, options, cancelled)?;
    interval(means, options, "scores")
}

/// The means of the resamples, in the order of the resamples.
pub(super) fn resampled_means(
    population: &Population<1>,
    options: &ResampleOptions,
    cancelled: &AtomicBool,
) -> Result<Vec<f64>> {
    options.validate()?;
    let lines = number(population.len());
    each_resample(options, cancelled, |generator| {
        let [sum] = population.resample(generator);
        from_units(sum) / lines
    })
}

/// The interval of a performance drop rate, 1 − Σ attacked / Σ original.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DropRateInterval {
    /// The interval over the resamples in which the rate is defined; `None` when it is defined in none.
    pub interval: Option<Interval>,
    /// Resamples whose original scores sum to 0.
    pub undefined: usize,
}

/// The interval of the performance drop rate over lines (or prompts), each with its original and its attacked score.
///
/// # Errors
///
/// [`ErrorKind::LengthMismatch`] when the lengths differ, and those of [`mean`].
pub fn performance_drop_rate(
    original: &[f64],
    attacked: &[f64],
    options: &ResampleOptions,
    cancelled: &AtomicBool,
) -> Result<DropRateInterval> {
    options.validate()?;
    check_lengths(original, attacked, ["original scores", "attacked scores"])?;
    let lines = original.iter().zip(attacked).map(|(&original, &attacked)| {
        Ok([to_units(original, "original scores")?, to_units(attacked, "attacked scores")?])
    });
    let population = Population::new(lines.collect::<Result<_>>()?);
    let rates = each_resample(options, cancelled, |generator| {
        let [original, attacked] = population.resample(generator);
        (original != 0).then(|| 1.0 - from_units(attacked) / from_units(original))
    })?;
    let defined: Vec<f64> = rates.into_iter().flatten().collect();
    let undefined = options.resamples - defined.len();
    Ok(DropRateInterval { interval: Interval::percentile(defined, options.confidence), undefined })
}

pub(super) fn check_lengths(left: &[f64], right: &[f64], names: [&'static str; 2]) -> Result<()> {
    let [left_name, right_name] = names;
    if left.len() != right.len() {
        return Err(Error::length_mismatch(left_name, left.len(), right_name, right.len()));
    }
    if left.is_empty() {
        return Err(Error::new(ErrorKind::EmptyInput { what: left_name }));
    }
    Ok(())
}

pub(super) fn interval(
    values: Vec<f64>,
    options: &ResampleOptions,
    what: &'static str,
) -> Result<Interval> {
    if values.iter().any(|value| value.is_nan()) {
        return Err(Error::new(ErrorKind::EmptyInput { what }));
    }
    Interval::percentile(values, options.confidence)
        .ok_or_else(|| Error::new(ErrorKind::EmptyInput { what }))
}

#[expect(clippy::cast_precision_loss, reason = "there are fewer than 2⁵³ lines")]
pub(super) fn number(count: usize) -> f64 {
    count as f64
}
