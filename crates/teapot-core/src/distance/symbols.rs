//! Texts as sequences of `u32` symbols: code points, or numbers given to words.

use super::Unit;
use crate::text::whitespace;
use crate::text::word_numbers::WordNumbers;

/// The symbol of a word that the vocabulary lacks. It equals no symbol of the text that the vocabulary
/// was made from, which is all that a distance asks: it never compares two symbols of one text. (Not `u32::MAX`, so that every symbol has a successor.)
pub(super) const UNKNOWN: u32 = u32::MAX - 1;

/// Appends the symbols of a text whose words are numbered as they are met.
pub(super) fn learn(text: &str, unit: Unit, numbers: &mut WordNumbers, symbols: &mut Vec<u32>) {
    match unit {
        Unit::Char => symbols.extend(text.chars().map(u32::from)),
        Unit::Word => symbols.extend(whitespace::split(text).map(|word| numbers.learn(word))),
    }
}

/// Appends the symbols of another text; words that were not learnt share one symbol that matches nothing.
pub(super) fn encode(text: &str, unit: Unit, numbers: &WordNumbers, symbols: &mut Vec<u32>) {
    match unit {
        Unit::Char => symbols.extend(text.chars().map(u32::from)),
        Unit::Word => {
            let number = |word| numbers.find(word).unwrap_or(UNKNOWN);
            symbols.extend(whitespace::split(text).map(number));
        }
    }
}

/// The numbers of the words of one text, against which others are encoded.
#[derive(Clone, Debug, Default)]
pub(crate) struct Vocabulary {
    numbers: WordNumbers,
}

impl Vocabulary {
    /// Starts over with the words of a text, and leaves their numbers in `symbols`.
    pub(crate) fn learn(&mut self, text: &str, symbols: &mut Vec<u32>) {
        self.numbers.clear();
        symbols.clear();
        learn(text, Unit::Word, &mut self.numbers, symbols);
    }

    /// Appends the numbers of the words of another text.
    pub(super) fn encode_into(&self, text: &str, symbols: &mut Vec<u32>) {
        encode(text, Unit::Word, &self.numbers, symbols);
    }
}
