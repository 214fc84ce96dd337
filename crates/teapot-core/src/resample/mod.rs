//! Resampling: bootstrap intervals and paired tests, seeded and the same for any number of threads.
//!
//! Of segments' scores, drawing from teapot's own [`random`](crate::random), each resample or trial on its own:
//! - [`bootstrap`]: percentile intervals of a mean, a success rate, a performance drop rate.
//! - [`paired`]: is the difference of two systems on the same lines more than chance?
//! - [`mcnemar`]: the same for successes and failures, exactly.
//! - [`holm`]: p-values of several tests at once.

pub mod bootstrap;
pub mod holm;
pub mod mcnemar;
pub mod paired;
mod population;

use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::{Error, ErrorKind, Result};
use crate::parallel;
use crate::random::{Generator, Key};

/// Sizes, seed and threads of a bootstrap or of a randomisation test.
#[derive(Clone, Debug, PartialEq)]
pub struct ResampleOptions {
    /// Bootstrap resamples or randomisation trials, at least 1. Default 1,000.
    pub resamples: usize,
    /// The share of resamples inside the interval, strictly between 0 and 1. Default 0.95.
    pub confidence: f64,
    /// Seed of the generator; resample r draws from `Key::default().then(seed).then(r)`. Default
    /// 12,345.
    pub seed: u64,
    /// Threads; 0 takes one a core. The result doesn't depend on it. Default 0.
    pub threads: usize,
}

impl Default for ResampleOptions {
    fn default() -> Self {
        Self { resamples: 1000, confidence: 0.95, seed: 12_345, threads: 0 }
    }
}

impl ResampleOptions {
    /// Checks the ranges.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::InvalidOption`] for no resamples or a confidence that is not strictly between 0 and 1.
    pub fn validate(&self) -> Result<()> {
        if self.resamples == 0 {
            return Err(Error::invalid_option("resamples", 0, "at least 1"));
        }
        if !(self.confidence > 0.0 && self.confidence < 1.0) {
            let expected = "a number strictly between 0 and 1";
            return Err(Error::invalid_option("confidence", self.confidence, expected));
        }
        Ok(())
    }
}

/// A percentile interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The lower end.
    pub lower: f64,
    /// The upper end.
    pub upper: f64,
}

impl Interval {
    /// The interval of resampled values: with n values sorted and t = ⌊n · (1 − confidence) / 2⌋ it runs from value t to
    /// value n − t − 1, counted from 0: sacreBLEU's rule, which takes ⌊n / 40⌋ for 95 %. `None` without values.
    ///
    /// ```
    /// use teapot_core::resample::Interval;
    /// let values = (0..1000).map(f64::from).collect();
    /// assert_eq!(Interval::percentile(values, 0.95), Some(Interval { lower: 25.0, upper: 974.0 }));
    /// ```
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        clippy::cast_sign_loss,
        reason = "a share of the number of values"
    )]
    pub fn percentile(mut values: Vec<f64>, confidence: f64) -> Option<Self> {
        values.sort_unstable_by(f64::total_cmp);
        // 1 − 0.9 is 0.09999999999999998: without the nudge, 1,000 values would give a tail of 49, not 50.
        let share = ((1.0 - confidence) / 2.0).clamp(0.0, 0.5) + 1e-12;
        let tail = (values.len() as f64 * share) as usize;
        let tail = tail.min(values.len().saturating_sub(1) / 2);
        let lower = *values.get(tail)?;
        let upper = *values.get(values.len() - tail - 1)?;
        Some(Self { lower, upper })
    }
}

/// How many resamples a thread takes at once.
const CHUNK: usize = 8;

/// Does `work` for every resample, on threads, and gives the results in order.
fn each_resample<T: Send>(
    options: &ResampleOptions,
    cancelled: &AtomicBool,
    work: impl Fn(&mut Generator) -> T + Sync,
) -> Result<Vec<T>> {
    let mut next = 0;
    let resamples = options.resamples;
    let key = Key::default().then(options.seed);
    let chunks = parallel::map_ordered(
        parallel::thread_count_for(options.threads, options.resamples.div_ceil(CHUNK)),
        || {
            let start = next;
            next = resamples.min(start + CHUNK);
            Ok((start < next).then_some(start..next))
        },
        || (),
        |(), range| {
            range
                .map(|resample| {
                    if cancelled.load(Ordering::Relaxed) {
                        return Err(Error::new(ErrorKind::Cancelled));
                    }
                    Ok(work(&mut key.then_index(resample).generator()))
                })
                .collect::<Result<Vec<T>>>()
        },
    )?;
    Ok(chunks.into_iter().flatten().collect())
}
