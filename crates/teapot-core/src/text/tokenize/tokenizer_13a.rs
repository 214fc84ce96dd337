//! `13a`: the tokenizer of mteval-v13a, sacreBLEU's default.
//!
//! Source: sacreBLEU 2.6.0, `tokenizers/tokenizer_13a.py` and `tokenizer_re.py`.

use super::Tokens;
use super::separate::{Class, separate};
use crate::text::whitespace::is_whitespace;

/// Replacements before the text is split, in order: each is done on the whole text, and not again on its own result
/// (`&amp;lt;` becomes `<`, `&amp;amp;` becomes `&amp;`).
const REPLACEMENTS: [(&str, &str); 7] = [
    ("<skipped>", ""),
    ("-\n", ""),
    ("\n", " "),
    ("&quot;", "\""),
    ("&amp;", "&"),
    ("&lt;", "<"),
    ("&gt;", ">"),
];

pub(super) fn tokenize(text: &str, tokens: &mut Tokens) {
    tokens.reset(text);
    for (from, to) in REPLACEMENTS {
        if tokens.text.contains(from) {
            tokens.text = tokens.text.replace(from, to);
        }
    }
    separate(tokens, true, classify);
}

/// The classes of `tokenizer_re.py`: only ASCII punctuation is taken off words, and `'` stays.
pub(super) fn classify(c: char) -> Class {
    match c {
        '0'..='9' => Class::Digit,
        '.' | ',' => Class::Mark,
        '-' => Class::Dash,
        '!'..='&' | '('..='+' | '/' | ':'..='@' | '['..='`' | '{'..='~' => Class::Symbol,
        c if is_whitespace(c) => Class::Space,
        _ => Class::Word,
    }
}
