//! Edit distances over code points or words: `RapidFuzz`'s family, the same four names for each distance.
//!
//! Every module has `distance`, `similarity`, `normalized_distance`, `normalized_similarity` and a
//! `BatchComparator` that prepares one text for many comparisons; [`Distance`] chooses one at run time.
//! [`edits`](crate::edits) gives the edits themselves instead of their number.
//!
//! Texts are taken as they are: no normal form, no case folding, nothing stripped. Values are those of
//! `RapidFuzz` 3.14.6 without processor, weights or cutoff.

pub(crate) mod bits;
mod family;
mod scratch;
mod symbol_table;
pub(crate) mod symbols;
mod trim;

pub mod damerau_levenshtein;
pub mod indel;
pub mod jaro;
pub mod jaro_winkler;
pub mod lcs_seq;
pub mod levenshtein;
pub mod osa;

use std::str::FromStr;

pub use scratch::DistanceScratch;

use crate::error::{Error, Result};
use crate::patience::Patience;
use crate::text::whitespace;

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

/// The distances, to choose one at run time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Distance {
    /// Insertions, deletions and replacements: [`levenshtein`].
    #[default]
    Levenshtein,
    /// Levenshtein and swaps of neighbours that are not edited again: [`osa`].
    Osa,
    /// Levenshtein and swaps of neighbours: [`damerau_levenshtein`].
    DamerauLevenshtein,
    /// Insertions and deletions: [`indel`].
    Indel,
    /// What the longest common subsequence leaves of the longer text: [`lcs_seq`].
    LcsSeq,
    /// Matches within a window and their order: [`jaro`].
    Jaro,
    /// Jaro with a bonus for a common prefix: [`jaro_winkler`].
    JaroWinkler,
}

/// The names that [`Distance::from_str`] reads.
const NAMES: &str = "levenshtein, osa, damerau_levenshtein, indel, lcs_seq, jaro or jaro_winkler";

impl FromStr for Distance {
    type Err = Error;

    /// Reads a distance's name, which is its module's name.
    fn from_str(name: &str) -> Result<Self> {
        match name {
            "levenshtein" => Ok(Self::Levenshtein),
            "osa" => Ok(Self::Osa),
            "damerau_levenshtein" => Ok(Self::DamerauLevenshtein),
            "indel" => Ok(Self::Indel),
            "lcs_seq" => Ok(Self::LcsSeq),
            "jaro" => Ok(Self::Jaro),
            "jaro_winkler" => Ok(Self::JaroWinkler),
            _ => Err(Error::invalid_option("distance", name, NAMES)),
        }
    }
}

/// Calls one of the functions of the module that a [`Distance`] names.
macro_rules! dispatch_as_is {
    ($distance:expr, $function:ident, $arguments:tt) => {
        match $distance {
            Distance::Levenshtein => levenshtein::$function $arguments,
            Distance::Osa => osa::$function $arguments,
            Distance::DamerauLevenshtein => damerau_levenshtein::$function $arguments,
            Distance::Indel => indel::$function $arguments,
            Distance::LcsSeq => lcs_seq::$function $arguments,
            Distance::Jaro => jaro::$function $arguments,
            Distance::JaroWinkler => jaro_winkler::$function $arguments,
        }
    };
}

/// The same for functions of which some count, as a float.
macro_rules! dispatch {
    ($distance:expr, $function:ident, $arguments:tt) => {
        match $distance {
            Distance::Levenshtein => family::Value::value(levenshtein::$function $arguments),
            Distance::Osa => family::Value::value(osa::$function $arguments),
            Distance::DamerauLevenshtein => family::Value::value(damerau_levenshtein::$function $arguments),
            Distance::Indel => family::Value::value(indel::$function $arguments),
            Distance::LcsSeq => family::Value::value(lcs_seq::$function $arguments),
            Distance::Jaro => family::Value::value(jaro::$function $arguments),
            Distance::JaroWinkler => family::Value::value(jaro_winkler::$function $arguments),
        }
    };
}

impl Distance {
    /// The module's `distance`: a count of edits, or a fraction for Jaro and Jaro-Winkler.
    pub fn distance(self, hypothesis: &str, reference: &str, unit: Unit) -> f64 {
        dispatch!(self, distance, (hypothesis, reference, unit))
    }

    /// The module's `similarity`: the largest possible distance minus the distance.
    pub fn similarity(self, hypothesis: &str, reference: &str, unit: Unit) -> f64 {
        dispatch!(self, similarity, (hypothesis, reference, unit))
    }

    /// The module's `normalized_distance`, in `[0, 1]`.
    pub fn normalized_distance(self, hypothesis: &str, reference: &str, unit: Unit) -> f64 {
        dispatch!(self, normalized_distance, (hypothesis, reference, unit))
    }

    /// The module's `normalized_similarity`, in `[0, 1]`.
    pub fn normalized_similarity(self, hypothesis: &str, reference: &str, unit: Unit) -> f64 {
        dispatch!(self, normalized_similarity, (hypothesis, reference, unit))
    }

    /// [`normalized_similarity`](Self::normalized_similarity) with buffers that are reused, to be broken off.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Cancelled`](crate::error::ErrorKind::Cancelled) when the patience ends.
    pub fn try_normalized_similarity(
        self,
        hypothesis: &str,
        reference: &str,
        unit: Unit,
        scratch: &mut DistanceScratch,
        patience: &Patience,
    ) -> Result<f64> {
        dispatch_as_is!(
            self,
            try_normalized_similarity,
            (hypothesis, reference, unit, scratch, patience)
        )
    }

    /// The same of a text and a prepared one: the numbers of its words, and its symbols.
    pub(crate) fn try_normalized_similarity_to(
        self,
        hypothesis: &str,
        (vocabulary, reference): (&symbols::Vocabulary, &[u32]),
        scratch: &mut DistanceScratch,
        patience: &Patience,
    ) -> Result<f64> {
        let (left, buffers) = scratch.encoded(hypothesis, vocabulary);
        dispatch_as_is!(
            self,
            normalized_similarity_of_symbols,
            (left, reference, buffers, patience)
        )
    }
}
