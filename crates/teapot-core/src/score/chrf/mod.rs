//! chrF and chrF++: F score of character (and word) n-grams, as sacreBLEU 2.6.0 computes it.

mod chains;
mod classes;
mod f_score;
mod kernel;
mod lanes;
mod rest;
mod runs;
mod symbols;
mod words;

pub use f_score::OrderCounts;

use kernel::Kernel;

use super::{CorpusMetric, SentenceMetric};
use crate::error::{Error, ErrorKind, Result};
use crate::patience::Patience;
use crate::text::lowercase::{lowercase, lowercase_into};

/// Parameters of chrF and chrF++, with sacreBLEU's names and defaults.
///
/// For each order n from 1 to `char_order` the n-grams of code points are counted on both sides, likewise the n-grams of
/// words up to `word_order`; matches are clipped. Precision and recall are averaged over the orders in which
/// both sides have n-grams, and chrF = (1 + β²)·P·R / (β²·P + R). A blank side gives 0, also against a blank side.
/// With several references the one with the best F counts (the first of equals).
///
/// Sources: Popović 2015 (chrF), Popović 2017 (chrF++), sacreBLEU 2.6.0 `metrics/chrf.py`, whose floating-point
/// operations are kept one by one.
///
/// ```
/// use teapot_core::score::{SentenceMetric, chrf::Chrf};
/// let chrf = Chrf::default();
/// let score = chrf.score_pair("te", "tea", &mut Default::default());
/// assert!((score - 35.0 / 55.0).abs() < 1e-15);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Chrf {
    /// Longest character n-gram; 0 counts words only. Default 6.
    pub char_order: usize,
    /// Longest word n-gram; 0 is chrF, 2 is chrF++. Default 0.
    pub word_order: usize,
    /// Weight of recall against precision, positive. Default 2.
    pub beta: f64,
    /// Compare lowercased texts (Python's `str.lower`). Default false.
    pub lowercase: bool,
    /// Keep whitespace in character n-grams. Default false: Python's whitespace is removed.
    pub whitespace: bool,
    /// Average F over all orders with 1e-16 for undefined parts, instead of leaving orders without
    /// n-grams out. Default false.
    pub eps_smoothing: bool,
}

impl Default for Chrf {
    fn default() -> Self {
        Self {
            char_order: 6,
            word_order: 0,
            beta: 2.0,
            lowercase: false,
            whitespace: false,
            eps_smoothing: false,
        }
    }
}

/// References of one segment, prepared by [`Chrf`]: the texts, lowercased if that is asked for.
#[derive(Clone, Debug)]
pub struct ChrfReferences {
    texts: Vec<String>,
}

/// Buffers of [`Chrf`], reused between calls.
#[derive(Clone, Debug, Default)]
pub struct ChrfScratch {
    counter: Counter,
    best: Vec<OrderCounts>,
    hypothesis: String,
    reference: String,
}

/// What counts the n-grams of one pair.
#[derive(Clone, Debug, Default)]
struct Counter {
    kernel: Kernel,
    matches: Vec<u64>,
    counts: Vec<OrderCounts>,
}

impl Chrf {
    /// chrF++: word n-grams up to order 2 beside the character n-grams.
    pub fn plus_plus() -> Self {
        Self { word_order: 2, ..Self::default() }
    }

    /// Checks the parameters; scores of parameters that fail are defined but mean nothing.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::InvalidOption`] when `beta` is not a positive finite number or both orders are 0.
    pub fn validate(&self) -> Result<()> {
        if !(self.beta.is_finite() && self.beta > 0.0) {
            return Err(Error::invalid_option("beta", self.beta, "a positive number"));
        }
        if self.char_order + self.word_order == 0 {
            return Err(Error::invalid_option("char_order", 0, "at least 1 when word_order is 0"));
        }
        Ok(())
    }

    /// Counts per order (characters first, then words) against the best of the references.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::EmptyInput`] without references.
    pub fn counts(&self, hypothesis: &str, references: &[&str]) -> Result<Vec<OrderCounts>> {
        if references.is_empty() {
            return Err(Error::new(ErrorKind::EmptyInput { what: "references" }));
        }
        let mut scratch = ChrfScratch::default();
        self.count_best(hypothesis, references, &mut scratch);
        Ok(scratch.best)
    }

    /// Leaves the counts against the best of the references in `scratch.best`.
    fn count_best(&self, hypothesis: &str, references: &[&str], scratch: &mut ChrfScratch) {
        let hypothesis = self.fold(hypothesis, &mut scratch.hypothesis);
        let mut best = -1.0;
        for reference in references {
            let reference = self.fold(reference, &mut scratch.reference);
            scratch.counter.kernel.start(false);
            let score = self.score_folded(hypothesis, reference, &mut scratch.counter);
            if score > best {
                best = score;
                std::mem::swap(&mut scratch.best, &mut scratch.counter.counts);
            }
        }
    }

    /// The text to be compared: in lower case, for which there is a buffer, or as it is.
    fn fold<'t>(&self, text: &'t str, lowered: &'t mut String) -> &'t str {
        if !self.lowercase {
            return text;
        }
        lowercase_into(text, lowered);
        lowered
    }

    /// The score of a pair from 0 to 100, not clamped; leaves the counts in `counter`.
    fn score_folded(&self, hypothesis: &str, reference: &str, counter: &mut Counter) -> f64 {
        let Counter { kernel, matches, counts } = counter;
        counts.clear();
        matches.clear();
        matches.resize(self.char_order, 0);
        let lengths = kernel.characters(hypothesis, reference, self.whitespace, matches);
        push_counts(lengths, matches, counts);
        if self.word_order > 0 {
            matches.clear();
            matches.resize(self.word_order, 0);
            let lengths = kernel.words([hypothesis, reference], matches);
            push_counts(lengths, matches, counts);
        }
        self.f_score(counts.iter().map(|counts| counts.to_floats()))
    }

    #[expect(clippy::cast_precision_loss, reason = "orders are small numbers")]
    fn f_score(&self, counts: impl Iterator<Item = [f64; 3]>) -> f64 {
        let orders = (self.char_order + self.word_order) as f64;
        f_score::f_score(counts, orders, self.beta, self.eps_smoothing)
    }
}

/// Appends the counts of orders `1..=matches.len()` of texts with so many symbols.
fn push_counts(lengths: [usize; 2], matches: &[u64], counts: &mut Vec<OrderCounts>) {
    counts.extend((0..).zip(matches).map(|(shorter, &matches)| {
        let [hypothesis, reference] = lengths.map(|length: usize| length.saturating_sub(shorter));
        OrderCounts::of_pair(hypothesis, reference, matches)
    }));
}

impl SentenceMetric for Chrf {
    type References = ChrfReferences;
    type Scratch = ChrfScratch;

    fn prepare(&self, references: &[&str], _scratch: &mut ChrfScratch) -> ChrfReferences {
        let mut texts: Vec<String> = references.iter().map(|&text| text.to_owned()).collect();
        if self.lowercase {
            for text in &mut texts {
                *text = lowercase(text);
            }
        }
        ChrfReferences { texts }
    }

    fn score(
        &self,
        hypothesis: &str,
        references: &ChrfReferences,
        scratch: &mut ChrfScratch,
    ) -> f64 {
        let hypothesis = self.fold(hypothesis, &mut scratch.hypothesis);
        let mut best = 0.0;
        for reference in &references.texts {
            scratch.counter.kernel.start(false);
            best = self.score_folded(hypothesis, reference, &mut scratch.counter).max(best);
        }
        f_score::unit(best)
    }

    fn score_pair(&self, hypothesis: &str, reference: &str, scratch: &mut ChrfScratch) -> f64 {
        let hypothesis = self.fold(hypothesis, &mut scratch.hypothesis);
        let reference = self.fold(reference, &mut scratch.reference);
        scratch.counter.kernel.start(false);
        f_score::unit(self.score_folded(hypothesis, reference, &mut scratch.counter))
    }

    fn try_score_all(
        &self,
        hypotheses: &[&str],
        references: &[&str],
        scratch: &mut ChrfScratch,
        scores: &mut [f64],
        patience: &Patience,
    ) -> Result<()> {
        scores.fill(0.0);
        for reference in references {
            let reference = self.fold(reference, &mut scratch.reference);
            scratch.counter.kernel.start(hypotheses.len() > 1);
            let mut previous: Option<(&str, f64)> = None;
            for (hypothesis, best) in hypotheses.iter().zip(scores.iter_mut()) {
                let score = match previous {
                    Some((text, score)) if text == *hypothesis => score,
                    _ => {
                        patience.spend(super::BYTE_STEPS * (hypothesis.len() + reference.len()))?;
                        let folded = self.fold(hypothesis, &mut scratch.hypothesis);
                        self.score_folded(folded, reference, &mut scratch.counter)
                    }
                };
                *best = score.max(*best);
                previous = Some((hypothesis, score));
            }
        }
        for score in scores {
            *score = f_score::unit(*score);
        }
        Ok(())
    }
}

impl CorpusMetric for Chrf {
    /// `[hypothesis, reference, matches]` of each order, characters first, then words: sacreBLEU's statistics,
    /// those of the best reference.
    fn count(
        &self,
        hypothesis: &str,
        references: &[&str],
        scratch: &mut ChrfScratch,
        patience: &Patience,
        counts: &mut Vec<f64>,
    ) -> Result<()> {
        patience.spend(super::BYTE_STEPS * hypothesis.len())?;
        self.count_best(hypothesis, references, scratch);
        counts.extend(scratch.best.iter().copied().flat_map(OrderCounts::to_floats));
        Ok(())
    }

    fn corpus_score(&self, statistics: &[f64]) -> f64 {
        f_score::unit(self.f_score(statistics.as_chunks().0.iter().copied()))
    }
}
