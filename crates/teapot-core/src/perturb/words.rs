//! TextAttack's words, with their places in the text.
//!
//! A word is a maximal run of word characters (`\w` of Python, the 38 homoglyphs of TextAttack's table and the marks
//! `' - _ * @`) without the marks at both of its ends; a run of marks alone is no word. Everything else, whitespace
//! included, stands between words. So `U.S.` is two words, `don't` one, and `'positive'` is the word `positive`.
//! Source: TextAttack 0.3.11, `words_from_text`.
//!
//! Difference: a combining mark (Unicode's categories M) belongs to the letter before it. Python's `\w` has none of them, so TextAttack
//! cuts a decomposed `é` and most words of Hindi, Thai and vocalised Arabic into pieces.
//!
//! TextAttack gives a text with a character of U+4E00 to U+9FFF to the segmenter jieba. There is no segmenter here:
//! each character of that block is a word of its own, and the rest of the text follows the common rule.

use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

use super::homoglyphs::is_homoglyph;
use super::span::Span;

/// Marks that may stand inside a word, never at its ends.
const MARKS: [char; 5] = ['\'', '-', '_', '*', '@'];

/// Tells whether a character is one of `\w` of Python's `re`: a letter, a number or the low line.
///
/// Unicode 18.0 decides what is a letter (categories L) or a number (categories N); TextAttack takes the version of
/// its Python, for example 14.0 in `CPython` 3.11.
///
/// ```
/// use teapot_core::perturb::words::is_word_character;
/// assert!(is_word_character('é') && is_word_character('½') && is_word_character('_'));
/// assert!(!is_word_character('\u{301}') && !is_word_character('-'));
/// ```
#[inline]
pub fn is_word_character(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_alphanumeric() || character == '_';
    }
    is_letter_or_number(character)
}

fn is_letter_or_number(character: char) -> bool {
    let group = character.general_category_group();
    matches!(group, GeneralCategoryGroup::Letter | GeneralCategoryGroup::Number)
}

/// Tells whether a character goes with the one before it: an accent, a vowel sign, a variation selector.
#[inline]
fn is_combining_mark(character: char) -> bool {
    !character.is_ascii() && character.general_category_group() == GeneralCategoryGroup::Mark
}

/// Tells whether a character makes a word longer that stands before it.
///
/// ```
/// use teapot_core::perturb::words::continues_word;
/// assert!(continues_word('a') && continues_word('\u{301}') && !continues_word('-'));
/// ```
#[inline]
pub fn continues_word(character: char) -> bool {
    is_word_character(character) || is_combining_mark(character)
}

/// Tells whether a character can be part of a run that holds words.
#[inline]
pub(super) fn is_run_character(character: char) -> bool {
    continues_word(character) || MARKS.contains(&character) || is_homoglyph(character)
}

/// Tells whether a character is an ideograph that is a word of its own.
#[inline]
pub(super) fn is_ideograph(character: char) -> bool {
    ('\u{4e00}'..='\u{9fff}').contains(&character)
}

/// The words of a text as code-point spans, in order; none of a text without word characters.
///
/// ```
/// use teapot_core::perturb::{Span, words::words};
/// let text: Vec<char> = "'Good', they said".chars().collect();
/// assert_eq!(words(&text), [Span::new(1, 5), Span::new(8, 12), Span::new(13, 17)]);
/// ```
pub fn words(characters: &[char]) -> Vec<Span> {
    let mut found = Vec::new();
    find_words(characters, &mut found);
    found
}

/// [`words`] into a list that is reused.
pub(super) fn find_words(characters: &[char], found: &mut Vec<Span>) {
    found.clear();
    let mut start = 0;
    while start < characters.len() {
        let run = characters[start..].iter().take_while(|&&c| is_run_character(c)).count();
        split_run(characters, Span::new(start, start + run), found);
        start += run + 1;
    }
}

/// The words of one run: ideographs apart, what lies between them without the marks at its ends.
fn split_run(characters: &[char], run: Span, found: &mut Vec<Span>) {
    let mut start = run.start;
    for position in run.start..run.end {
        if is_ideograph(characters[position]) {
            push_trimmed(characters, Span::new(start, position), found);
            let rest = &characters[position + 1..run.end];
            let marks = rest.iter().take_while(|&&c| is_combining_mark(c)).count();
            start = position + 1 + marks;
            found.push(Span::new(position, start));
        }
    }
    push_trimmed(characters, Span::new(start, run.end), found);
}

fn push_trimmed(characters: &[char], span: Span, found: &mut Vec<Span>) {
    let part = &characters[span.start..span.end];
    let is_inner = |c: &char| !MARKS.contains(c);
    // A combining mark without a letter before it begins no word.
    let begins = |c: &char| is_inner(c) && !is_combining_mark(*c);
    if let (Some(first), Some(last)) =
        (part.iter().position(begins), part.iter().rposition(is_inner))
    {
        found.push(Span::new(span.start + first, span.start + last + 1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<String> {
        let characters: Vec<char> = text.chars().collect();
        words(&characters)
            .into_iter()
            .map(|span| characters[span.start..span.end].iter().collect())
            .collect()
    }

    #[test]
    fn words_follow_textattack_0_3_11() {
        assert_eq!(texts("U.S. 3.14 don't"), ["U", "S", "3", "14", "don't"]);
        assert_eq!(texts("'positive' 'CCC', -x- __a__"), ["positive", "CCC", "x", "a"]);
        assert_eq!(texts("me@site.org *** well-known"), ["me@site", "org", "well-known"]);
        assert_eq!(texts(""), [""; 0]);
        assert_eq!(texts(" \u{a0} - ' ... "), [""; 0]);
    }

    #[test]
    fn homoglyphs_are_word_characters() {
        // U+02D7, U+00D7 and the backquote are no `\w`, but they are in the table.
        assert_eq!(texts("a\u{d7}b \u{2d7} c`d"), ["a\u{d7}b", "\u{2d7}", "c`d"]);
    }

    #[test]
    fn typographic_apostrophes_end_a_word() {
        assert_eq!(texts("don\u{2019}t"), ["don", "t"]);
    }

    #[test]
    fn f12_a_word_keeps_its_combining_marks() {
        assert_eq!(texts("cafe\u{301}s e\u{301}te\u{301}"), ["cafe\u{301}s", "e\u{301}te\u{301}"]);
        assert_eq!(texts("नमस्ते दुनिया"), ["नमस्ते", "दुनिया"]);
        assert_eq!(texts("น้ำชา"), ["น้ำชา"]);
        assert_eq!(texts("مُحَمَّد"), ["مُحَمَّد"]);
        assert_eq!(texts("茶\u{e0100}1\u{fe0f}\u{20e3}"), ["茶\u{e0100}", "1\u{fe0f}\u{20e3}"]);
        assert_eq!(texts("\u{301} '\u{301}' \u{301}a"), ["a"]);
    }

    #[test]
    fn each_ideograph_is_a_word() {
        assert_eq!(texts("我喝3杯tea-茶"), ["我", "喝", "3", "杯", "tea", "茶"]);
    }
}
