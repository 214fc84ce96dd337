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
/// let score = bleu.score_pair("we drink tea", "we drink coffee", &mut Default::default());
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

/// References of one segment, prepared by [`Bleu`].
#[derive(Clone, Debug)]
pub struct BleuReferences {
    references: Vec<KeyedTokens>,
}

/// Buffers of [`Bleu`], reused between calls.
#[derive(Clone, Debug, Default)]
pub struct BleuScratch {
    lowered: String,
    hypothesis: KeyedTokens,
    reference: KeyedTokens,
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
    fn count(&mut self, hypothesis: &KeyedTokens, references: &[&KeyedTokens], max_order: usize) {
        self.matches.clear();
        self.matches.resize(max_order, 0);
        let all =
            |fits: fn(&KeyedTokens) -> bool| references.iter().all(|&reference| fits(reference));
        if all(ShortCounter::fits) {
            self.short.count(hypothesis, references, &mut self.matches);
        } else if all(MediumCounter::fits) {
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

    /// The score of `scratch.hypothesis`, whose matches it leaves in `scratch.counters`.
    fn score_tokens(
        &self,
        hypothesis: &KeyedTokens,
        references: &[&KeyedTokens],
        counters: &mut Counters,
    ) -> f64 {
        counters.count(hypothesis, references, self.max_order);
        let length = hypothesis.tokens.len();
        self.score_counts(length, closest_length(length, references), &counters.matches)
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
fn closest_length(hypothesis: usize, references: &[&KeyedTokens]) -> usize {
    let lengths = references.iter().map(|reference| reference.tokens.len());
    lengths.min_by_key(|length| (length.abs_diff(hypothesis), *length)).unwrap_or(0)
}

impl SentenceMetric for Bleu {
    type References = BleuReferences;
    type Scratch = BleuScratch;

    fn prepare(&self, references: &[&str], scratch: &mut BleuScratch) -> BleuReferences {
        let tokenize = |&reference: &&str| {
            let mut tokens = KeyedTokens::default();
            self.tokenize(reference, &mut scratch.lowered, &mut tokens);
            tokens
        };
        BleuReferences { references: references.iter().map(tokenize).collect() }
    }

    fn score(
        &self,
        hypothesis: &str,
        references: &BleuReferences,
        scratch: &mut BleuScratch,
    ) -> f64 {
        self.tokenize(hypothesis, &mut scratch.lowered, &mut scratch.hypothesis);
        if let [reference] = &references.references[..] {
            return self.score_tokens(&scratch.hypothesis, &[reference], &mut scratch.counters);
        }
        let references: Vec<&KeyedTokens> = references.references.iter().collect();
        self.score_tokens(&scratch.hypothesis, &references, &mut scratch.counters)
    }

    fn score_pair(&self, hypothesis: &str, reference: &str, scratch: &mut BleuScratch) -> f64 {
        let BleuScratch { lowered, hypothesis: tokens, reference: other, counters } = scratch;
        self.tokenize(hypothesis, lowered, tokens);
        if hypothesis == reference {
            // Every n-gram matches itself.
            let length = tokens.tokens.len();
            counters.matches.clear();
            let totals = (0..self.max_order).map(|shorter| length.saturating_sub(shorter));
            counters.matches.extend(totals);
            return self.score_counts(length, length, &counters.matches);
        }
        self.tokenize(reference, lowered, other);
        self.score_tokens(tokens, &[other], counters)
    }
}

impl CorpusMetric for Bleu {
    /// Lengths in tokens of the hypothesis and the closest reference, then the matches of each order, then the number
    /// of n-grams of each order: sacreBLEU's statistics, 2 + 2 · `max_order` numbers.
    #[expect(clippy::cast_precision_loss, reason = "a text has fewer than 2^53 tokens")]
    fn count(
        &self,
        hypothesis: &str,
        references: &[&str],
        scratch: &mut BleuScratch,
        patience: &Patience,
        counts: &mut Vec<f64>,
    ) -> Result<()> {
        patience.spend(super::BYTE_STEPS * hypothesis.len())?;
        let BleuScratch { lowered, hypothesis: tokens, reference: other, counters } = scratch;
        self.tokenize(hypothesis, lowered, tokens);
        let length = tokens.tokens.len();
        let closest = if let [reference] = references {
            self.tokenize(reference, lowered, other);
            counters.count(tokens, &[other], self.max_order);
            other.tokens.len()
        } else {
            let prepared = self.prepare(references, scratch);
            let references: Vec<&KeyedTokens> = prepared.references.iter().collect();
            scratch.counters.count(&scratch.hypothesis, &references, self.max_order);
            closest_length(length, &references)
        };
        let totals = (0..self.max_order).map(|shorter| length.saturating_sub(shorter));
        let matches = scratch.counters.matches.iter().copied();
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
