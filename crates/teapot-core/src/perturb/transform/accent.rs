//! A letter gets an accent.

use super::character::CharacterEdit;
use crate::perturb::edit::EditKind;
use crate::perturb::span::Span;

/// The letters `a` to `z` with one accent each; `q` has none ready-made and takes a combining circumflex.
const LOWER: [&str; 26] = [
    "â", "ḃ", "ĉ", "ḋ", "ê", "ḟ", "ĝ", "ĥ", "î", "ĵ", "ḱ", "ĺ", "ṁ", "ñ", "ô", "ṗ", "q\u{302}",
    "ř", "ŝ", "ṫ", "û", "ṽ", "ŵ", "ẋ", "ŷ", "ẑ",
];

/// The letters `A` to `Z` with the same accents.
const UPPER: [&str; 26] = [
    "Â", "Ḃ", "Ĉ", "Ḋ", "Ê", "Ḟ", "Ĝ", "Ĥ", "Î", "Ĵ", "Ḱ", "Ĺ", "Ṁ", "Ñ", "Ô", "Ṗ", "Q\u{302}",
    "Ř", "Ŝ", "Ṫ", "Û", "Ṽ", "Ŵ", "Ẋ", "Ŷ", "Ẑ",
];

/// Replaces the ASCII letter `i` of a word of any length by the same letter with one accent: `i` from 0 to `n - 1`, or
/// from 1 to `n - 2` when both ends are skipped. A word has one candidate a letter. The idea is the easy character
/// embedding space (`eces`) of Eger et al., *Text processing like humans do* (VIPER), 2019; the 52 accents are our own
/// choice.
pub(super) struct Accent;

impl CharacterEdit for Accent {
    const KIND: EditKind = EditKind::Accent;
    const MIN_LENGTH: usize = 1;

    fn alternatives(&self, word: &[char], place: usize) -> usize {
        usize::from(accented(word[place]).is_some())
    }

    fn write(&self, word: &[char], place: usize, _: usize, text: &mut String) -> Span {
        text.push_str(accented(word[place]).unwrap_or_default());
        Span::new(place, place + 1)
    }
}

fn accented(letter: char) -> Option<&'static str> {
    let code = u8::try_from(letter).ok()?;
    match code {
        b'a'..=b'z' => LOWER.get(usize::from(code - b'a')).copied(),
        b'A'..=b'Z' => UPPER.get(usize::from(code - b'A')).copied(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_cases_have_the_same_accents() {
        for (lower, upper) in LOWER.iter().zip(UPPER) {
            assert_eq!(lower.to_uppercase(), upper);
        }
    }
}
