//! Edit distances over code points or words, with the values of `RapidFuzz` 3.14.6 without processor, weights or cutoff.
//!
//! Texts are taken as they are: no normal form, no case folding, nothing stripped. [`edits`](crate::edits) gives the edits
//! themselves instead of their number.

pub(crate) mod bits;
mod jaro_winkler;
mod levenshtein;
mod osa;
mod scratch;
mod symbol_table;
pub(crate) mod symbols;
pub(crate) mod trim;

use std::str::FromStr;

pub use scratch::DistanceScratch;

use crate::error::{Error, Result};
use crate::patience::Patience;
use crate::text::whitespace;
use bits::subsequence::Indel;
use levenshtein::Levenshtein;
use osa::Osa;
use scratch::Buffers;

/// What one symbol of a text is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Unit {
    /// A Unicode code point (never a UTF-16 unit, a byte or a grapheme).
    #[default]
    Char,
    /// A word: a maximal run without whitespace, as Python's `str.split()` cuts.
    Word,
}

impl Unit {
    /// How many symbols a text has.
    pub fn length(self, text: &str) -> usize {
        match self {
            Self::Char => text.chars().count(),
            Self::Word => whitespace::split(text).count(),
        }
    }
}

impl FromStr for Unit {
    type Err = Error;

    /// Reads `char` or `word`.
    fn from_str(name: &str) -> Result<Self> {
        match name {
            "char" => Ok(Self::Char),
            "word" => Ok(Self::Word),
            _ => Err(Error::invalid_option("unit", name, "char or word")),
        }
    }
}

/// The distances. All are symmetric.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Distance {
    /// The least number of insertions, deletions and replacements of one symbol. At most the longer length; a metric.
    /// Source: Levenshtein 1966; `RapidFuzz` `Levenshtein`.
    #[default]
    Levenshtein,
    /// Optimal string alignment: Levenshtein and the swap of two neighbours, when no symbol is edited twice. At most
    /// the longer length; no metric: `ca`, `ac` and `abc` break the triangle inequality. Source: `RapidFuzz` `OSA`.
    Osa,
    /// Insertions and deletions only: both lengths minus twice the longest common subsequence. At most the sum of the
    /// lengths; a metric. Source: `RapidFuzz` `Indel`.
    Indel,
    /// 1 − Jaro-Winkler similarity, a fraction: matches within a window and their order, with a bonus for a common
    /// prefix. Source: Winkler 1990; `RapidFuzz` `JaroWinkler` with `prefix_weight` 0.1.
    JaroWinkler,
}

impl FromStr for Distance {
    type Err = Error;

    /// Reads a distance's name.
    fn from_str(name: &str) -> Result<Self> {
        match name {
            "levenshtein" => Ok(Self::Levenshtein),
            "osa" => Ok(Self::Osa),
            "indel" => Ok(Self::Indel),
            "jaro_winkler" => Ok(Self::JaroWinkler),
            _ => Err(Error::invalid_option(
                "distance",
                name,
                "levenshtein, osa, indel or jaro_winkler",
            )),
        }
    }
}

/// Levenshtein distance of two texts in code points or words: 0 when they are equal.
///
/// ```
/// use teapot_core::distance::{Unit, levenshtein};
/// assert_eq!(levenshtein("tea🍵", "tea", Unit::Char), 1);
/// assert_eq!(levenshtein("x a b c d", "a b c d", Unit::Word), 1);
/// ```
pub fn levenshtein(hypothesis: &str, reference: &str, unit: Unit) -> usize {
    let mut scratch = DistanceScratch::default();
    try_levenshtein(hypothesis, reference, unit, &mut scratch, &Patience::endless())
        .expect("endless patience never ends")
}

/// [`levenshtein()`] with buffers that are reused, to be broken off.
///
/// # Errors
///
/// [`ErrorKind::Cancelled`](crate::error::ErrorKind::Cancelled) when the patience ends.
pub fn try_levenshtein(
    hypothesis: &str,
    reference: &str,
    unit: Unit,
    scratch: &mut DistanceScratch,
    patience: &Patience,
) -> Result<usize> {
    match unit {
        Unit::Char => {
            let buffers = scratch.buffers();
            bits::of_characters::<Levenshtein>(hypothesis, reference, buffers, patience)
        }
        Unit::Word => {
            let (left, right, buffers) = scratch.symbols(hypothesis, reference, unit);
            bits::of_symbols::<Levenshtein>(left, right, buffers, patience)
        }
    }
}

/// [`Distance::Levenshtein`] of two sequences of symbols.
pub(crate) fn levenshtein_of_symbols(left: &[u32], right: &[u32]) -> usize {
    let (mut scratch, patience) = (DistanceScratch::default(), Patience::endless());
    bits::of_symbols::<Levenshtein>(left, right, scratch.buffers(), &patience)
        .expect("endless patience never ends")
}

/// [`Distance::Osa`] of two sequences of symbols.
pub(crate) fn osa_of_symbols(
    left: &[u32],
    right: &[u32],
    scratch: &mut DistanceScratch,
    patience: &Patience,
) -> Result<usize> {
    bits::of_symbols::<Osa>(left, right, scratch.buffers(), patience)
}

impl Distance {
    /// The distance: a number of edits, or a fraction for Jaro-Winkler; 0 for equal texts.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Cancelled`](crate::error::ErrorKind::Cancelled) when the patience ends.
    ///
    /// ```
    /// use teapot_core::distance::{Distance, DistanceScratch, Unit};
    /// use teapot_core::patience::Patience;
    /// let (mut scratch, patience) = (DistanceScratch::default(), Patience::endless());
    /// let mut of = |distance: Distance| distance.distance("ca", "abc", Unit::Char, &mut scratch, &patience);
    /// assert_eq!(of(Distance::Osa)?, 3.0);
    /// assert_eq!(of(Distance::Indel)?, 3.0);
    /// # Ok::<(), teapot_core::error::Error>(())
    /// ```
    pub fn distance(
        self,
        hypothesis: &str,
        reference: &str,
        unit: Unit,
        scratch: &mut DistanceScratch,
        patience: &Patience,
    ) -> Result<f64> {
        let similarity = self.similarity(hypothesis, reference, unit, scratch, patience)?;
        let lengths = [hypothesis, reference].map(|text| unit.length(text));
        let largest = self.largest(lengths);
        // A share of whole numbers below 2⁵³ has only one product that is whole.
        Ok(if self == Self::JaroWinkler {
            1.0 - similarity
        } else {
            ((1.0 - similarity) * largest).round()
        })
    }

    /// 1 − distance / largest possible distance, in `[0, 1]`; 1 for two empty texts, 0 for one. Jaro-Winkler's is its
    /// similarity.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Cancelled`](crate::error::ErrorKind::Cancelled) when the patience ends.
    pub fn similarity(
        self,
        hypothesis: &str,
        reference: &str,
        unit: Unit,
        scratch: &mut DistanceScratch,
        patience: &Patience,
    ) -> Result<f64> {
        if unit == Unit::Word || self == Self::JaroWinkler {
            let (left, right, buffers) = scratch.symbols(hypothesis, reference, unit);
            return self.similarity_of_symbols(left, right, buffers, patience);
        }
        let of_characters = match self {
            Self::Osa => bits::of_characters::<Osa>,
            Self::Indel => bits::of_characters::<Indel>,
            _ => bits::of_characters::<Levenshtein>,
        };
        let edits = of_characters(hypothesis, reference, scratch.buffers(), patience)?;
        Ok(self.share([hypothesis, reference].map(|text| unit.length(text)), edits))
    }

    /// [`similarity`](Self::similarity) of a text to a prepared one: the numbers of its words, and its symbols.
    pub(crate) fn similarity_to(
        self,
        hypothesis: &str,
        (vocabulary, reference): (&symbols::Vocabulary, &[u32]),
        scratch: &mut DistanceScratch,
        patience: &Patience,
    ) -> Result<f64> {
        let (left, buffers) = scratch.encoded(hypothesis, vocabulary);
        self.similarity_of_symbols(left, reference, buffers, patience)
    }

    fn similarity_of_symbols(
        self,
        left: &[u32],
        right: &[u32],
        buffers: &mut Buffers,
        patience: &Patience,
    ) -> Result<f64> {
        let edits = match self {
            Self::Levenshtein => bits::of_symbols::<Levenshtein>(left, right, buffers, patience)?,
            Self::Osa => bits::of_symbols::<Osa>(left, right, buffers, patience)?,
            Self::Indel => bits::of_symbols::<Indel>(left, right, buffers, patience)?,
            Self::JaroWinkler => return jaro_winkler::similarity(left, right, buffers, patience),
        };
        Ok(self.share([left.len(), right.len()], edits))
    }

    /// The largest distance of texts of these lengths.
    #[expect(clippy::cast_precision_loss, reason = "texts are shorter than 2⁵³ symbols")]
    fn largest(self, [left, right]: [usize; 2]) -> f64 {
        (if self == Self::Indel { left + right } else { left.max(right) }) as f64
    }

    /// 1 − the share of the largest distance of texts of these lengths; 1 for two empty texts.
    #[expect(clippy::cast_precision_loss, reason = "texts are shorter than 2⁵³ symbols")]
    fn share(self, lengths: [usize; 2], edits: usize) -> f64 {
        if edits == 0 { 1.0 } else { 1.0 - edits as f64 / self.largest(lengths) }
    }
}
