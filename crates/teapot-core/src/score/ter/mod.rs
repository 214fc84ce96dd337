//! TER, translation edit rate, as sacreBLEU 2.6.0 computes it: a port of its tercom port.

mod alignment;
mod band;
mod masks;
mod matrix;
mod row;
mod search;
mod tokenizer;
mod wide;

use super::{CorpusMetric, SentenceMetric};
use crate::error::{Error, ErrorKind, Result};
use crate::patience::Patience;
use crate::text::whitespace;
use crate::text::word_numbers::WordNumbers;
use masks::Masks;
use search::Search;
use tokenizer::Tokenizer;

/// Parameters of TER, with sacreBLEU's names and defaults.
///
/// TER = edits / reference words. Edits are insertions, deletions and replacements of words, and shifts of up to ten
/// words at once (greedily, as long as a shift lowers the edit distance; at most 50 words far and 1,000 candidates a
/// segment, within a beam of 25 around the diagonal). With several references the fewest edits count, over the mean
/// reference length. An empty reference makes TER 1, two empty sides make it 0. TER has no upper bound.
///
/// As a metric the score is 1 − min(1, TER): 1 for two blank sides, 0 for one.
///
/// Sources: Snover et al. 2006; tercom 0.10; sacreBLEU 2.6.0 `metrics/ter.py`, `metrics/lib_ter.py`, including the
/// places where that departs from tercom.
///
/// ```
/// use teapot_core::score::ter::Ter;
/// let counts = Ter::default().edits("on the mat the cat sat", &["the cat sat on the mat"])?;
/// assert_eq!((counts.edits, counts.reference_length), (1, 6.0));
/// # Ok::<(), teapot_core::error::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "four independent switches of the reference tool"
)]
pub struct Ter {
    /// Apply tercom's general and Western tokenization. Default false.
    pub normalized: bool,
    /// Drop punctuation. Default false.
    pub no_punct: bool,
    /// Apply `normalized` and `no_punct` to CJK text too. Default false.
    pub asian_support: bool,
    /// Keep upper and lower case apart. Default false.
    pub case_sensitive: bool,
}

/// Edits of a segment or corpus.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TerEdits {
    /// Insertions, deletions, replacements and shifts of words: of the reference that needs the fewest.
    pub edits: usize,
    /// Words of the reference, the mean over several ones.
    pub reference_length: f64,
}

impl TerEdits {
    /// TER as a fraction, not bounded above: edits / reference length; 1 when the references are empty but the
    /// hypothesis isn't, 0 when both are.
    #[expect(clippy::cast_precision_loss, reason = "a segment has fewer than 2⁵³ words")]
    pub fn rate(&self) -> f64 {
        rate(self.edits as f64, self.reference_length)
    }

    /// 1 − min(1, TER).
    fn score(&self) -> f64 {
        1.0 - self.rate().min(1.0)
    }
}

fn rate(edits: f64, reference_length: f64) -> f64 {
    if reference_length > 0.0 {
        edits / reference_length
    } else if edits > 0.0 {
        1.0
    } else {
        0.0
    }
}

/// References of one segment, prepared by [`Ter`], and its buffers.
#[derive(Clone, Debug, Default)]
pub struct TerReferences {
    numbers: WordNumbers,
    references: Vec<Reference>,
    tokenizer: Tokenizer,
    hypothesis: Vec<u32>,
    search: Search,
}

/// The words of a reference as numbers, and where each is.
#[derive(Clone, Debug, Default)]
struct Reference {
    words: Vec<u32>,
    masks: Masks,
}

/// The number of words that no reference has: it equals no number of a reference, and two words of a hypothesis are
/// never compared.
const UNKNOWN: u32 = u32::MAX;

impl Ter {
    /// Edits and reference length of one segment.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::EmptyInput`] without references.
    pub fn edits(&self, hypothesis: &str, references: &[&str]) -> Result<TerEdits> {
        if references.is_empty() {
            return Err(Error::new(ErrorKind::EmptyInput { what: "references" }));
        }
        let mut prepared = TerReferences::default();
        self.prepare(references, &mut prepared);
        self.edits_of(hypothesis, &mut prepared, &Patience::endless())
    }

    #[expect(clippy::cast_precision_loss, reason = "a segment has fewer than 2⁵³ words")]
    fn edits_of(
        &self,
        hypothesis: &str,
        prepared: &mut TerReferences,
        patience: &Patience,
    ) -> Result<TerEdits> {
        patience.spend(super::BYTE_STEPS * hypothesis.len())?;
        let TerReferences { numbers, references, tokenizer, hypothesis: words, search } = prepared;
        words.clear();
        let tokens = whitespace::split(tokenizer.tokenize(self, hypothesis));
        words.extend(tokens.map(|word| numbers.find(word).unwrap_or(UNKNOWN)));
        let mut edits = usize::MAX;
        let mut length = 0;
        for reference in &*references {
            edits = edits.min(search.edits(words, reference, patience)?);
            length += reference.words.len();
        }
        let reference_length = length as f64 / references.len() as f64;
        Ok(TerEdits { edits, reference_length })
    }
}

/// Two neighbouring runs of words that change places: `start..middle` and `middle..end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Shift {
    start: usize,
    middle: usize,
    end: usize,
}

impl Shift {
    /// Moves `length` words from `start` to before the word that is now at `target`, as sacreBLEU does it: to a target
    /// inside the run, the run moves on by as many words as the target is behind its start.
    fn new(start: usize, length: usize, target: usize, words: usize) -> Self {
        let behind = start + length;
        if target < start {
            Self { start: target, middle: start, end: behind }
        } else if target > behind {
            Self { start, middle: behind, end: target }
        } else {
            Self { start, middle: behind, end: (length + target).min(words) }
        }
    }
}

impl SentenceMetric for Ter {
    type References = TerReferences;

    fn prepare(&self, references: &[&str], prepared: &mut TerReferences) {
        let TerReferences { numbers, references: all, tokenizer, .. } = prepared;
        numbers.clear();
        all.resize_with(references.len(), Reference::default);
        for (text, reference) in references.iter().zip(all.iter_mut()) {
            let words = whitespace::split(tokenizer.tokenize_reference(self, text));
            reference.words.clear();
            reference.words.extend(words.map(|word| numbers.learn(word)));
        }
        for reference in all {
            reference.masks.fill(&reference.words, numbers.len());
        }
    }

    fn score(
        &self,
        hypothesis: &str,
        prepared: &mut TerReferences,
        patience: &Patience,
    ) -> Result<f64> {
        Ok(self.edits_of(hypothesis, prepared, patience)?.score())
    }
}

impl CorpusMetric for Ter {
    /// `[edits, reference length]`: sacreBLEU's statistics.
    #[expect(clippy::cast_precision_loss, reason = "a segment has fewer than 2⁵³ words")]
    fn count(
        &self,
        hypothesis: &str,
        prepared: &mut TerReferences,
        patience: &Patience,
        counts: &mut Vec<f64>,
    ) -> Result<()> {
        let edits = self.edits_of(hypothesis, prepared, patience)?;
        counts.extend([edits.edits as f64, edits.reference_length]);
        Ok(())
    }

    /// TER itself, not 1 − TER: 0 is best and there is no upper bound.
    fn corpus_score(&self, statistics: &[f64]) -> f64 {
        match *statistics {
            [edits, reference_length] => rate(edits, reference_length),
            _ => 0.0,
        }
    }
}
