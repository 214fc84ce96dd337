//! BLEU: clipped precision of token n-grams with a brevity penalty, as sacreBLEU 2.6.0 computes it.

mod count;
mod formula;
mod long;
mod smoothing;

pub use smoothing::Smoothing;

use super::positions::KeyedTokens;
use super::{CorpusMetric, SentenceMetric};
use crate::error::{Error, Result};
use crate::patience::Patience;
use crate::text::lowercase::lowercase_into;
use crate::text::tokenize::Tokenizer;
use crate::text::whitespace::strip_end;
use count::{MediumCounter, ShortCounter};
use formula::Lengths;
use long::LongCounter;

/// Parameters of BLEU. The default is teapot-nlp's: sacreBLEU's sentence BLEU with smoothing `floor`, value 0.01.
///
/// With pₙ the share of the hypothesis' n-grams of tokens that occur in a reference (each at most as often as in the
/// reference that has it most often), N the highest order, h the length of the hypothesis and r that of the reference
/// closest to it (the shorter of equally close ones), in tokens:
///
/// BLEU = min(1, exp(1 − r / h)) · exp((Σ log pₙ) / N)
///
/// 0 when nothing matches, whatever the smoothing; so 0 also for a blank side, against a blank side too. Identical
/// texts with at least one token score 1 (with `effective_order` or at least `max_order` tokens).
///
/// Sources: Papineni et al. 2002, sacreBLEU 2.6.0 `metrics/bleu.py`, whose floating-point operations are kept one by
/// one. Clamped to `[0, 1]`: sacreBLEU gives identical texts 100.00000000000004.
///
/// ```
/// use teapot_core::score::{SentenceMetric, bleu::Bleu};
/// let bleu = Bleu::default();
/// let score = bleu.score_pair("we drink tea", "we drink coffee");
/// assert!((score - (2.0 / 3.0 * 1.0 / 2.0 * 0.01_f64).cbrt()).abs() < 1e-15);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Bleu {
    /// What a token is. Default `13a`.
    pub tokenizer: Tokenizer,
    /// Compare lowercased texts (Python's `str.lower`, before tokenization). Default false.
    pub lowercase: bool,
    /// What replaces a precision of 0. Default `floor` with 0.01.
    pub smoothing: Smoothing,
    /// Longest n-gram, N of the formula, at least 1. Default 4.
    pub max_order: usize,
    /// Count only the orders that the hypothesis is long enough for. Default true, as for sentences; false for corpora.
    pub effective_order: bool,
}

impl Default for Bleu {
    fn default() -> Self {
        Self {
            tokenizer: Tokenizer::default(),
            lowercase: false,
            smoothing: Smoothing::Floor(0.01),
            max_order: 4,
            effective_order: true,
        }
    }
}

/// References of one segment, prepared by [`Bleu`], and its buffers.
#[derive(Clone, Debug, Default)]
pub struct BleuReferences {
    references: Vec<KeyedTokens>,
    lowered: String,
    hypothesis: KeyedTokens,
    counters: Counters,
}

/// What counts matches: sets of 64 positions where they suffice, sets of 128 where these do, else tables.
#[derive(Clone, Debug, Default)]
struct Counters {
    short: ShortCounter,
    medium: MediumCounter,
    long: LongCounter,
    matches: Vec<usize>,
}

impl Counters {
    /// Leaves the matches of the orders up to `max_order` in `matches`.
    fn count(&mut self, hypothesis: &KeyedTokens, references: &[KeyedTokens], max_order: usize) {
        self.matches.clear();
        self.matches.resize(max_order, 0);
        if let ([reference], true) = (references, references.first() == Some(hypothesis)) {
            // Every n-gram matches itself.
            let length = reference.tokens.len();
            for (shorter, matches) in self.matches.iter_mut().enumerate() {
                *matches = length.saturating_sub(shorter);
            }
        } else if references.iter().all(ShortCounter::fits) {
            self.short.count(hypothesis, references, &mut self.matches);
        } else if references.iter().all(MediumCounter::fits) {
            self.medium.count(hypothesis, references, &mut self.matches);
        } else {
            self.long.count(hypothesis, references, &mut self.matches);
        }
    }
}

impl Bleu {
    /// The highest `max_order` that [`validate`](Self::validate) accepts.
    pub const MAX_ORDER: usize = 1000;

    /// sacreBLEU's `sentence_bleu`: smoothing `exp`, effective order.
    pub fn sacrebleu_sentence() -> Self {
        Self { smoothing: Smoothing::Exp, ..Self::default() }
    }

    /// sacreBLEU's `corpus_bleu`: smoothing `exp`, all orders.
    pub fn sacrebleu_corpus() -> Self {
        Self { effective_order: false, ..Self::sacrebleu_sentence() }
    }

    /// Checks the parameters; scores of parameters that fail are defined but mean nothing.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::InvalidOption`](crate::error::ErrorKind::InvalidOption) when `max_order` is 0 or above [`MAX_ORDER`](Self::MAX_ORDER), or the value of the
    /// smoothing is negative or no finite number.
    pub fn validate(&self) -> Result<()> {
        if !(1..=Self::MAX_ORDER).contains(&self.max_order) {
            let expected = format!("from 1 to {}", Self::MAX_ORDER);
            return Err(Error::invalid_option("max_order", self.max_order, expected));
        }
        match self.smoothing.value() {
            Some(value) if !(value.is_finite() && value >= 0.0) => {
                Err(Error::invalid_option("smooth_value", value, "a number of at least 0"))
            }
            _ => Ok(()),
        }
    }

    fn tokenize(&self, text: &str, lowered: &mut String, tokens: &mut KeyedTokens) {
        let text = if self.lowercase {
            lowercase_into(text, lowered);
            lowered
        } else {
            text
        };
        tokens.tokenize(self.tokenizer, strip_end(text));
    }

    /// Leaves the matches of a hypothesis in the counters; its length and that of the closest reference, in tokens.
    fn count_matches(
        &self,
        hypothesis: &str,
        prepared: &mut BleuReferences,
        patience: &Patience,
    ) -> Result<[usize; 2]> {
        patience.spend(super::BYTE_STEPS * hypothesis.len())?;
        let BleuReferences { references, lowered, hypothesis: tokens, counters } = prepared;
        self.tokenize(hypothesis, lowered, tokens);
        counters.count(tokens, references, self.max_order);
        let length = tokens.tokens.len();
        Ok([length, closest_length(length, references)])
    }

    #[expect(clippy::cast_precision_loss, reason = "a text has fewer than 2^53 tokens")]
    fn score_counts(&self, hypothesis: usize, reference: usize, matches: &[usize]) -> f64 {
        let lengths = Lengths { hypothesis: hypothesis as f64, reference: reference as f64 };
        let totals = (0..).map(|shorter| hypothesis.saturating_sub(shorter));
        let orders =
            matches.iter().zip(totals).map(|(&matches, total)| (matches as f64, total as f64));
        formula::score(self, lengths, orders)
    }
}

/// The length of the reference that is closest in length, the shorter of equally close ones.
fn closest_length(hypothesis: usize, references: &[KeyedTokens]) -> usize {
    let lengths = references.iter().map(|reference| reference.tokens.len());
    lengths.min_by_key(|length| (length.abs_diff(hypothesis), *length)).unwrap_or(0)
}

impl SentenceMetric for Bleu {
    type References = BleuReferences;

    fn prepare(&self, references: &[&str], prepared: &mut BleuReferences) {
        prepared.references.resize_with(references.len(), KeyedTokens::default);
        for (text, tokens) in references.iter().zip(&mut prepared.references) {
            self.tokenize(text, &mut prepared.lowered, tokens);
        }
    }

    fn score(
        &self,
        hypothesis: &str,
        prepared: &mut BleuReferences,
        patience: &Patience,
    ) -> Result<f64> {
        let [length, closest] = self.count_matches(hypothesis, prepared, patience)?;
        Ok(self.score_counts(length, closest, &prepared.counters.matches))
    }
}

impl CorpusMetric for Bleu {
    /// Lengths in tokens of the hypothesis and the closest reference, then the matches of each order, then the number
    /// of n-grams of each order: sacreBLEU's statistics, 2 + 2 · `max_order` numbers.
    #[expect(clippy::cast_precision_loss, reason = "a text has fewer than 2^53 tokens")]
    fn count(
        &self,
        hypothesis: &str,
        prepared: &mut BleuReferences,
        patience: &Patience,
        counts: &mut Vec<f64>,
    ) -> Result<()> {
        let [length, closest] = self.count_matches(hypothesis, prepared, patience)?;
        let totals = (0..self.max_order).map(|shorter| length.saturating_sub(shorter));
        let matches = prepared.counters.matches.iter().copied();
        let all = [length, closest].into_iter().chain(matches).chain(totals);
        counts.extend(all.map(|count| count as f64));
        Ok(())
    }

    /// BLEU of summed statistics. sacreBLEU's corpus level has `effective_order` false:
    /// [`sacrebleu_corpus`](Bleu::sacrebleu_corpus). 0 for statistics of another `max_order`.
    fn corpus_score(&self, statistics: &[f64]) -> f64 {
        let [hypothesis, reference, counts @ ..] = statistics else { return 0.0 };
        if counts.len() != 2 * self.max_order {
            return 0.0;
        }
        let (matches, totals) = counts.split_at(self.max_order);
        let lengths = Lengths { hypothesis: *hypothesis, reference: *reference };
        formula::score(self, lengths, matches.iter().copied().zip(totals.iter().copied()))
    }
}
