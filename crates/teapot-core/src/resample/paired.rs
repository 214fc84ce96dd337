//! Paired tests of two systems that were scored on the same lines: is the difference of their means more than chance?
//!
//! Both look at the differences line by line, as integers of 10⁻⁹, sorted: neither the order of the lines nor the
//! threads matter. Ties count against significance: two equal systems have p = 1.

use std::sync::atomic::AtomicBool;

use super::bootstrap::{check_lengths, interval, number, resampled_means};
use super::population::{Population, from_units, to_units};
use super::{Interval, ResampleOptions, each_resample};
use crate::error::Result;

/// The outcome of a paired bootstrap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairedBootstrap {
    /// Mean of the left scores minus mean of the right ones.
    pub difference: f64,
    /// The percentile interval of the difference.
    pub interval: Interval,
    /// Two-sided: (resamples whose difference is at least |`difference`| away from `difference`, plus 1) / (resamples + 1).
    pub p_value: f64,
}

/// Paired bootstrap of the difference of two means (Koehn 2004; the centred test of Efron and Tibshirani 1993, 16.4).
///
/// `left` and `right` hold one score in `[0, 1]` a line.
///
/// # Errors
///
/// [`LengthMismatch`](crate::error::ErrorKind::LengthMismatch) when the lengths differ, and those of
/// [`bootstrap::mean`](super::bootstrap::mean).
pub fn paired_bootstrap(
    left: &[f64],
    right: &[f64],
    options: &ResampleOptions,
    cancelled: &AtomicBool,
) -> Result<PairedBootstrap> {
    let population = Population::new(differences(left, right)?.map(|units| [units]).collect());
    let means = resampled_means(&population, options, cancelled)?;
    let [total] = population.total();
    let difference = from_units(total) / number(population.len());
    // The resampled difference of an unchanged resample is `difference` to the bit, so ties are exact.
    let far = means.iter().filter(|&mean| (mean - difference).abs() >= difference.abs()).count();
    let p_value = p_value(far, means.len());
    Ok(PairedBootstrap { difference, interval: interval(means, options, "left scores")?, p_value })
}

/// The outcome of approximate randomisation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Randomization {
    /// Mean of the left scores minus mean of the right ones.
    pub difference: f64,
    /// Two-sided: (trials whose difference is at least as large in size, plus 1) / (trials + 1).
    pub p_value: f64,
}

/// Paired approximate randomisation of the difference of two means (Noreen 1989): every trial swaps the two scores of each
/// line by a fair coin. `options.resamples` is the number of trials; `confidence` is not used.
///
/// # Errors
///
/// Those of [`paired_bootstrap`].
pub fn approximate_randomization(
    left: &[f64],
    right: &[f64],
    options: &ResampleOptions,
    cancelled: &AtomicBool,
) -> Result<Randomization> {
    options.validate()?;
    // Lines without a difference stay without one, whatever the coin says.
    let mut units: Vec<i32> = differences(left, right)?.filter(|&units| units != 0).collect();
    units.sort_unstable();
    let total: i64 = units.iter().map(|&units| i64::from(units)).sum();
    let sums = each_resample(options, cancelled, |generator| {
        units.chunks(64).map(|lines| kept(lines, generator.next_u64())).sum::<i64>()
    })?;
    // With k the sum of the lines that keep their sign, the shuffled difference is k − (total − k).
    let far = sums.iter().filter(|&&kept| (2 * kept - total).abs() >= total.abs()).count();
    let difference = from_units(total) / number(left.len());
    Ok(Randomization { difference, p_value: p_value(far, sums.len()) })
}

/// The sum of those of up to 64 lines whose bit is set.
fn kept(lines: &[i32], coins: u64) -> i64 {
    lines
        .iter()
        .enumerate()
        .map(|(line, &units)| if coins >> line & 1 == 1 { i64::from(units) } else { 0 })
        .sum()
}

/// The differences line by line, in units.
fn differences(left: &[f64], right: &[f64]) -> Result<impl Iterator<Item = i32>> {
    check_lengths(left, right, ["left scores", "right scores"])?;
    let units: Vec<i32> = left
        .iter()
        .zip(right)
        .map(
            |(&left, &right)| Ok(to_units(left, "left scores")? - to_units(right, "right scores")?),
        )
        .collect::<Result<_>>()?;
    Ok(units.into_iter())
}

fn p_value(far: usize, resamples: usize) -> f64 {
    number(far + 1) / number(resamples + 1)
}
