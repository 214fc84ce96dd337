//! sacreBLEU's significance tests of corpus scores: bootstrap interval, paired bootstrap, approximate randomisation.
//!
//! Segments are counted once ([`SegmentCounts`]); a resample adds counts of drawn segments and scores the sum. The draws
//! are those of `numpy.random.default_rng(seed)`, so that scores, means, intervals and p-values are sacreBLEU's.
//!
//! One thing differs on purpose: sacreBLEU 2.6.0 adds the counts of the bootstrap in 32-bit floats, which makes its mean
//! and interval good for about six digits. Here counts are added in 64-bit floats, which is exact for integers;
//! so mean and interval agree with its numbers to about 1e-6 of their size, and to 1e-9 with the same code run on 64-bit floats.
//!
//! Source: sacreBLEU 2.6.0 `significance.py`, after multeval (Clark et al. 2011) and Koehn 2004.

use super::numpy::NumpyGenerator;
use crate::error::{Error, ErrorKind, Result};
use crate::score::CorpusMetric;

/// The counts of every segment of a corpus, in the order of the segments.
#[derive(Clone, Debug, PartialEq)]
pub struct SegmentCounts {
    width: usize,
    values: Vec<f64>,
}

impl SegmentCounts {
    /// Collects the counts of segments, each as [`CorpusMetric::statistics`] gives them.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::EmptyInput`] without segments, [`ErrorKind::LengthMismatch`] when they differ in width.
    pub fn new(segments: impl IntoIterator<Item = Vec<f64>>) -> Result<Self> {
        let mut values = Vec::new();
        let mut width = None;
        for counts in segments {
            let width = *width.get_or_insert(counts.len());
            if counts.len() != width {
                return Err(Error::length_mismatch("counts", counts.len(), "expected", width));
            }
            values.extend(counts);
        }
        match width {
            Some(width) if width > 0 => Ok(Self { width, values }),
            _ => Err(Error::new(ErrorKind::EmptyInput { what: "segments" })),
        }
    }

    /// How many segments there are, at least 1.
    pub fn segments(&self) -> usize {
        self.values.len() / self.width
    }

    /// The sum over all segments.
    fn total(&self) -> Vec<f64> {
        let mut sum = vec![0.0; self.width];
        for segment in 0..self.segments() {
            self.add(segment, &mut sum);
        }
        sum
    }

    fn add(&self, segment: usize, sum: &mut [f64]) {
        let counts = &self.values[segment * self.width..(segment + 1) * self.width];
        for (sum, count) in sum.iter_mut().zip(counts) {
            *sum += count;
        }
    }

    /// The scores of sums over drawn segments.
    fn scores<M: CorpusMetric>(&self, metric: &M, draws: &[Vec<usize>]) -> Vec<f64> {
        let mut sum = vec![0.0; self.width];
        draws
            .iter()
            .map(|drawn| {
                sum.fill(0.0);
                for &segment in drawn {
                    self.add(segment, &mut sum);
                }
                metric.corpus_score(&sum)
            })
            .collect()
    }
}

/// Sizes and seed of the tests, with sacreBLEU's defaults.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CorpusTestOptions {
    /// Bootstrap resamples, at least 1. Default 1,000.
    pub resamples: usize,
    /// Trials of approximate randomisation, at least 1. Default 10,000.
    pub trials: usize,
    /// Seed of the generator. Default 12,345.
    pub seed: u64,
}

impl Default for CorpusTestOptions {
    fn default() -> Self {
        Self { resamples: 1000, trials: 10_000, seed: 12_345 }
    }
}

impl CorpusTestOptions {
    /// Checks the sizes.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::InvalidOption`] for a size of 0.
    pub fn validate(&self) -> Result<()> {
        for (option, value) in [("resamples", self.resamples), ("trials", self.trials)] {
            if value == 0 {
                return Err(Error::invalid_option(option, value, "at least 1"));
            }
        }
        Ok(())
    }
}

/// A corpus score with its bootstrap interval.
#[derive(Clone, Debug, PartialEq)]
pub struct CorpusInterval {
    /// The score of the whole corpus.
    pub score: f64,
    /// The mean of the scores of the resamples.
    pub mean: f64,
    /// Half the width of the 95 % interval: with the n resampled scores sorted, half of score n − ⌊n / 40⌋ − 1 minus
    /// score ⌊n / 40⌋ (counted from 0).
    pub half_width: f64,
    /// The scores of the resamples in the order they were drawn.
    pub resampled: Vec<f64>,
}

impl CorpusInterval {
    fn new(score: f64, resampled: Vec<f64>) -> Self {
        let mut sorted = resampled.clone();
        sorted.sort_by(f64::total_cmp);
        let tail = sorted.len() / 40;
        let half_width = match (sorted.get(tail), sorted.get(sorted.len().saturating_sub(tail + 1)))
        {
            (Some(lower), Some(upper)) => 0.5 * (upper - lower),
            _ => 0.0,
        };
        Self { score, mean: mean(&resampled), half_width, resampled }
    }
}

/// The outcome of a paired test of a system against a baseline.
#[derive(Clone, Debug, PartialEq)]
pub struct CorpusTest {
    /// The system's score and interval.
    pub interval: CorpusInterval,
    /// The absolute difference of the scores of system and baseline.
    pub difference: f64,
    /// The probability of a difference at least as large if the systems were equal:
    /// (resamples or trials whose statistic is strictly above `difference`, plus 1) / (their number plus 1).
    pub p_value: f64,
}

/// The bootstrap interval of a corpus score.
///
/// # Errors
///
/// [`ErrorKind::InvalidOption`] for a size of 0.
pub fn bootstrap_interval<M: CorpusMetric>(
    metric: &M,
    counts: &SegmentCounts,
    options: &CorpusTestOptions,
) -> Result<CorpusInterval> {
    options.validate()?;
    let draws = draw(&mut NumpyGenerator::new(options.seed), counts.segments(), options.resamples);
    Ok(interval(metric, counts, &draws))
}

/// Paired bootstrap: resamples the same segments of both systems, and asks how often the absolute difference exceeds its
/// mean by more than the real difference.
///
/// # Errors
///
/// [`ErrorKind::InvalidOption`] for a size of 0, [`ErrorKind::LengthMismatch`] when the systems differ in segments.
pub fn paired_bootstrap<M: CorpusMetric>(
    metric: &M,
    baseline: &SegmentCounts,
    system: &SegmentCounts,
    options: &CorpusTestOptions,
) -> Result<CorpusTest> {
    options.validate()?;
    check_pair(baseline, system)?;
    let draws = draw(&mut NumpyGenerator::new(options.seed), system.segments(), options.resamples);
    let interval = interval(metric, system, &draws);
    let differences: Vec<f64> = baseline
        .scores(metric, &draws)
        .iter()
        .zip(&interval.resampled)
        .map(|(baseline, system)| (system - baseline).abs())
        .collect();
    let center = mean(&differences);
    let difference = (metric.corpus_score(&baseline.total()) - interval.score).abs();
    let p_value = p_value(differences.iter().map(|value| value - center), difference);
    Ok(CorpusTest { interval, difference, p_value })
}

/// Approximate randomisation: swaps the systems' segments by fair coins, and asks how often the absolute difference of
/// the shuffled systems exceeds the real one. The system's interval is drawn afterwards from the same generator.
///
/// # Errors
///
/// [`ErrorKind::InvalidOption`] for a size of 0, [`ErrorKind::LengthMismatch`] when the systems differ in segments.
pub fn approximate_randomization<M: CorpusMetric>(
    metric: &M,
    baseline: &SegmentCounts,
    system: &SegmentCounts,
    options: &CorpusTestOptions,
) -> Result<CorpusTest> {
    options.validate()?;
    check_pair(baseline, system)?;
    let mut generator = NumpyGenerator::new(options.seed);
    // The coins of all trials are one array of NumPy, so they are drawn at one go.
    let segments = system.segments();
    let mut coins = vec![false; segments * options.trials];
    generator.fill_bools(&mut coins);
    let (mut one, mut other) = (vec![0.0; system.width], vec![0.0; system.width]);
    let differences: Vec<f64> = coins
        .chunks_exact(segments)
        .map(|coins| {
            one.fill(0.0);
            other.fill(0.0);
            for (segment, &keep) in coins.iter().enumerate() {
                let (first, second) = if keep { (baseline, system) } else { (system, baseline) };
                first.add(segment, &mut one);
                second.add(segment, &mut other);
            }
            (metric.corpus_score(&one) - metric.corpus_score(&other)).abs()
        })
        .collect();
    let draws = draw(&mut generator, segments, options.resamples);
    let interval = interval(metric, system, &draws);
    let difference = (metric.corpus_score(&baseline.total()) - interval.score).abs();
    let p_value = p_value(differences.into_iter(), difference);
    Ok(CorpusTest { interval, difference, p_value })
}

fn check_pair(baseline: &SegmentCounts, system: &SegmentCounts) -> Result<()> {
    let [left, right] = [baseline, system].map(SegmentCounts::segments);
    if left != right || baseline.width != system.width {
        return Err(Error::length_mismatch(
            "segments of the baseline",
            left,
            "of the system",
            right,
        ));
    }
    Ok(())
}

/// `rng.choice(segments, size=(resamples, segments), replace=True)`.
fn draw(generator: &mut NumpyGenerator, segments: usize, resamples: usize) -> Vec<Vec<usize>> {
    let bound = segments as u64;
    (0..resamples)
        .map(|_| {
            (0..segments)
                .map(|_| usize::try_from(generator.below(bound)).unwrap_or_default())
                .collect()
        })
        .collect()
}

fn interval<M: CorpusMetric>(
    metric: &M,
    counts: &SegmentCounts,
    draws: &[Vec<usize>],
) -> CorpusInterval {
    CorpusInterval::new(metric.corpus_score(&counts.total()), counts.scores(metric, draws))
}

#[expect(clippy::cast_precision_loss, reason = "there are fewer than 2⁵³ resamples")]
fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

#[expect(clippy::cast_precision_loss, reason = "there are fewer than 2⁵³ resamples")]
fn p_value(statistics: impl ExactSizeIterator<Item = f64>, difference: f64) -> f64 {
    let number = statistics.len();
    let above = statistics.filter(|&statistic| statistic > difference).count();
    (above + 1) as f64 / (number + 1) as f64
}
