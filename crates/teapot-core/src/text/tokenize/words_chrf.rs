//! The words of chrF++: Python's `str.split`, then one punctuation mark taken off each word.
//!
//! Source: sacreBLEU 2.6.0, `metrics/chrf.py`, `_remove_punctuation`.

use super::Tokens;
use super::blocks::{Decision, decide_lead, is_lead, scan};
use crate::text::whitespace::{is_whitespace, split};

/// Leaves the words of a text in `tokens`, whose former content is lost.
///
/// A word of two or more code points that ends in an ASCII punctuation mark becomes two, the mark last; otherwise one
/// that begins with a mark becomes two, the mark first. So `(hi)` gives `(hi` and `)`: a quirk of the first
/// chrF++ program that sacreBLEU keeps (mjpost/sacrebleu#124).
pub(crate) fn words_chrf(text: &str, tokens: &mut Tokens) {
    tokens.reset(text);
    scan(tokens, is_open, |text, at| {
        if is_lead(text.as_bytes()[at]) {
            return decide_lead(text, at);
        }
        // A mark is one byte, so the places beside it are between characters.
        let ends = text[at + 1..].starts_with(is_whitespace);
        let begins = text[..at].chars().next_back().is_none_or(is_whitespace);
        let word_ends_in_mark =
            || split(&text[at..]).next().is_some_and(|word| word.ends_with(is_mark));
        if ends || begins && !word_ends_in_mark() { Decision::Alone } else { Decision::Word }
    });
}

fn is_mark(character: char) -> bool {
    character.is_ascii_punctuation()
}

/// Bytes that need a decision.
#[inline]
fn is_open(byte: u8) -> bool {
    // Without short circuits, so that many bytes are classified at once.
    let letter = (byte | 0x20).wrapping_sub(b'a') < 26;
    let digit = byte.wrapping_sub(b'0') < 10;
    let printable = byte.wrapping_sub(b'!') < 94;
    printable && !letter && !digit || is_lead(byte)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn words(text: &str) -> Vec<String> {
        let mut tokens = Tokens::default();
        words_chrf(text, &mut tokens);
        tokens.iter().map(str::to_owned).collect()
    }

    /// The definition.
    fn slow(text: &str) -> Vec<&str> {
        let cut = |word: &'_ str| match word.chars().count() {
            2.. if word.ends_with(is_mark) => word.len() - 1,
            2.. if word.starts_with(is_mark) => 1,
            _ => 0,
        };
        split(text)
            .flat_map(|word| <[&str; 2]>::from(word.split_at(cut(word))))
            .filter(|word| !word.is_empty())
            .collect()
    }

    #[test]
    fn one_mark_leaves_each_word() {
        assert_eq!(words("(hi) \"hot tea!!\u{1c}x"), ["(hi", ")", "\"", "hot", "tea!", "!", "x"]);
        assert_eq!(words("! !? é! ¿é"), ["!", "!", "?", "é", "!", "¿é"]);
        assert_eq!(words(" \u{3000}"), [""; 0]);
    }

    proptest! {
        #[test]
        fn the_block_scanner_equals_the_definition(
            text in "([ -~]|[\0-\u{1f}\u{7f}\u{85}\u{a0}\u{1680}\u{2000}-\u{200b}\u{3000}é中🍵]|[a-z]{1,9}|[.,(]{1,3}){0,150}",
        ) {
            prop_assert_eq!(words(&text), slow(&text));
        }
    }
}
