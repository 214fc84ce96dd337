//! TER, translation edit rate, as sacreBLEU 2.6.0 computes it: a port of its tercom port.

mod beam;
mod shift;
mod tokenizer;

use rustc_hash::FxHashMap;

use super::{CorpusMetric, SentenceMetric};
use crate::error::{Error, ErrorKind, Result};
use crate::text::whitespace;

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

/// References of one segment, prepared by [`Ter`].
#[derive(Clone, Debug)]
pub struct TerReferences {
    /// Numbers of the words of all references: equal words have equal numbers.
    numbers: FxHashMap<String, u32>,
    references: Vec<Vec<u32>>,
}

/// Buffers of [`Ter`], reused between calls.
#[derive(Clone, Debug, Default)]
pub struct TerScratch {
    hypothesis: Vec<u32>,
}

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
        let mut scratch = TerScratch::default();
        let references = self.prepare(references, &mut scratch);
        Ok(self.edits_of(hypothesis, &references, &mut scratch))
    }

    #[expect(clippy::cast_precision_loss, reason = "a segment has fewer than 2⁵³ words")]
    fn edits_of(
        &self,
        hypothesis: &str,
        references: &TerReferences,
        scratch: &mut TerScratch,
    ) -> TerEdits {
        let tokens = tokenizer::tokenize(self, hypothesis);
        scratch.hypothesis.clear();
        let mut unseen = FxHashMap::default();
        for word in whitespace::split(&tokens) {
            let next = references.numbers.len() + unseen.len();
            let number = match references.numbers.get(word) {
                Some(&number) => number,
                None => *unseen.entry(word).or_insert(number_of(next)),
            };
            scratch.hypothesis.push(number);
        }
        let mut edits = usize::MAX;
        let mut words = 0;
        for reference in &references.references {
            edits = edits.min(shift::edits(&scratch.hypothesis, reference));
            words += reference.len();
        }
        TerEdits { edits, reference_length: words as f64 / references.references.len() as f64 }
    }
}

fn number_of(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

impl SentenceMetric for Ter {
    type References = TerReferences;
    type Scratch = TerScratch;

    fn prepare(&self, references: &[&str], _scratch: &mut TerScratch) -> TerReferences {
        let mut numbers = FxHashMap::default();
        let references = references
            .iter()
            .map(|reference| {
                whitespace::split(&tokenizer::tokenize_reference(self, reference))
                    .map(|word| {
                        let next = number_of(numbers.len());
                        *numbers.entry(word.to_owned()).or_insert(next)
                    })
                    .collect()
            })
            .collect();
        TerReferences { numbers, references }
    }

    fn score(&self, hypothesis: &str, references: &TerReferences, scratch: &mut TerScratch) -> f64 {
        1.0 - self.edits_of(hypothesis, references, scratch).rate().min(1.0)
    }
}

impl CorpusMetric for Ter {
    /// `[edits, reference length]`: sacreBLEU's statistics.
    #[expect(clippy::cast_precision_loss, reason = "a segment has fewer than 2⁵³ words")]
    fn statistics(&self, hypothesis: &str, references: &[&str]) -> Result<Vec<f64>> {
        let counts = self.edits(hypothesis, references)?;
        Ok(vec![counts.edits as f64, counts.reference_length])
    }

    /// TER itself, not 1 − TER: 0 is best and there is no upper bound.
    fn corpus_score(&self, statistics: &[f64]) -> f64 {
        match *statistics {
            [edits, reference_length] => rate(edits, reference_length),
            _ => 0.0,
        }
    }
}
