//! `intl`: punctuation and symbols of all scripts off words, except punctuation between numbers.
//!
//! Source: sacreBLEU 2.6.0, `tokenizers/tokenizer_intl.py`, whose `regex` module (2026) knows Unicode 18.

use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

use super::Tokens;
use super::separate::{Class, separate};
use crate::text::whitespace::is_whitespace;

pub(super) fn tokenize(text: &str, tokens: &mut Tokens) {
    tokens.reset(text);
    separate(tokens, false, classify);
}

/// The classes `\p{N}`, `\p{P}` and `\p{S}` of Unicode's general category.
fn classify(c: char) -> Class {
    match c {
        'a'..='z' | 'A'..='Z' => Class::Word,
        c if is_whitespace(c) => Class::Space,
        c => match c.general_category_group() {
            GeneralCategoryGroup::Number => Class::Digit,
            GeneralCategoryGroup::Punctuation => Class::Mark,
            GeneralCategoryGroup::Symbol => Class::Symbol,
            _ => Class::Word,
        },
    }
}
