//! Texts as sequences of `u32` symbols: code points, or numbers given to words.

use rustc_hash::FxHashMap;

use super::Unit;
use crate::text::whitespace;

/// The symbol of a word that the vocabulary lacks. It equals no symbol of the text that the vocabulary
/// was made from, which is all that a distance asks: it never compares two symbols of one text. (Not `u32::MAX`, so that every symbol has a successor.)
const UNKNOWN: u32 = u32::MAX - 1;

/// Symbols of both texts of a pair.
pub(super) fn of_pair(left: &str, right: &str, unit: Unit) -> (Vec<u32>, Vec<u32>) {
    let mut vocabulary = Vocabulary::new(unit);
    let left = vocabulary.learn(left);
    (left, vocabulary.encode(right))
}

/// The numbers of the words of one text, against which others are encoded.
#[derive(Clone, Debug)]
pub(crate) struct Vocabulary {
    unit: Unit,
    words: FxHashMap<Box<str>, u32>,
}

impl Vocabulary {
    /// An empty vocabulary.
    pub(crate) fn new(unit: Unit) -> Self {
        Self { unit, words: FxHashMap::default() }
    }

    /// The symbols of a text whose words are numbered as they are met.
    pub(crate) fn learn(&mut self, text: &str) -> Vec<u32> {
        match self.unit {
            Unit::Char => text.chars().map(u32::from).collect(),
            Unit::Word => whitespace::split(text).map(|word| self.number(word)).collect(),
        }
    }

    /// The symbols of another text; words that were not learnt share one symbol that matches nothing.
    pub(crate) fn encode(&self, text: &str) -> Vec<u32> {
        match self.unit {
            Unit::Char => text.chars().map(u32::from).collect(),
            Unit::Word => whitespace::split(text)
                .map(|word| self.words.get(word).copied().unwrap_or(UNKNOWN))
                .collect(),
        }
    }

    fn number(&mut self, word: &str) -> u32 {
        if let Some(&number) = self.words.get(word) {
            return number;
        }
        // A text of 2³² different words would need more memory than the numbers have room for.
        let number = u32::try_from(self.words.len()).unwrap_or(UNKNOWN - 1);
        self.words.insert(word.into(), number);
        number
    }
}
