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

use super::{CorpusMetric, SentenceMetric, refill};
use crate::error::{Error, ErrorKind, Result};
use crate::patience::Patience;
use crate::text::lowercase::lowercase_into;

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
/// let score = chrf.score_pair("te", "tea");
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

/// References of one segment, prepared by [`Chrf`], and its buffers: the texts, lowercased if that is asked for.
#[derive(Clone, Debug, Default)]
pub struct ChrfReferences {
    texts: Vec<String>,
    counter: PairCounter,
    best: Vec<OrderCounts>,
    hypothesis: String,
}

/// What counts the n-grams of one pair.
#[derive(Clone, Debug, Default)]
struct PairCounter {
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
        let mut prepared = ChrfReferences::default();
        self.prepare(references, &mut prepared);
        self.best(hypothesis, &mut prepared, &Patience::endless())?;
        Ok(prepared.best)
    }

    /// The score of the best of the references, from 0 to 100; leaves its counts in `prepared.best`.
    fn best(
        &self,
        hypothesis: &str,
        prepared: &mut ChrfReferences,
        patience: &Patience,
    ) -> Result<f64> {
        let ChrfReferences { texts, counter, best: counts, hypothesis: lowered } = prepared;
        let hypothesis = if self.lowercase {
            lowercase_into(hypothesis, lowered);
            lowered
        } else {
            hypothesis
        };
        let mut best = -1.0;
        for reference in texts {
            let score = self.score_folded(hypothesis, reference, counter, patience)?;
            if score > best {
                best = score;
                std::mem::swap(counts, &mut counter.counts);
            }
        }
        Ok(best)
    }

    /// The score of a pair from 0 to 100, not clamped; leaves the counts in `counter`.
    fn score_folded(
        &self,
        hypothesis: &str,
        reference: &str,
        counter: &mut PairCounter,
        patience: &Patience,
    ) -> Result<f64> {
        let PairCounter { kernel, matches, counts } = counter;
        patience.spend(super::BYTE_STEPS * (hypothesis.len() + reference.len()))?;
        counts.clear();
        matches.clear();
        matches.resize(self.char_order, 0);
        let lengths =
            kernel.characters(hypothesis, reference, self.whitespace, matches, patience)?;
        push_counts(lengths, matches, counts);
        if self.word_order > 0 {
            matches.clear();
            matches.resize(self.word_order, 0);
            let lengths = kernel.words([hypothesis, reference], matches, patience)?;
            push_counts(lengths, matches, counts);
        }
        Ok(self.f_score(counts.iter().map(|counts| counts.to_floats())))
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

    fn prepare(&self, references: &[&str], prepared: &mut ChrfReferences) {
        refill(&mut prepared.texts, references);
        if self.lowercase {
            for (text, reference) in prepared.texts.iter_mut().zip(references) {
                lowercase_into(reference, text);
            }
        }
    }

    fn score(
        &self,
        hypothesis: &str,
        prepared: &mut ChrfReferences,
        patience: &Patience,
    ) -> Result<f64> {
        Ok(f_score::unit(self.best(hypothesis, prepared, patience)?))
    }
}

impl CorpusMetric for Chrf {
    /// `[hypothesis, reference, matches]` of each order, characters first, then words: sacreBLEU's statistics,
    /// those of the best reference.
    fn count(
        &self,
        hypothesis: &str,
        prepared: &mut ChrfReferences,
        patience: &Patience,
        counts: &mut Vec<f64>,
    ) -> Result<()> {
        self.best(hypothesis, prepared, patience)?;
        counts.extend(prepared.best.iter().copied().flat_map(OrderCounts::to_floats));
        Ok(())
    }

    fn corpus_score(&self, statistics: &[f64]) -> f64 {
        f_score::unit(self.f_score(statistics.as_chunks().0.iter().copied()))
    }
}
