//! `char`: each character a token; whitespace only separates.
//!
//! Source: sacreBLEU 2.6.0, `tokenizers/tokenizer_char.py`.

use super::Tokens;
use crate::text::whitespace::is_whitespace;

pub(super) fn tokenize(text: &str, tokens: &mut Tokens) {
    tokens.reset(text);
    let (text, _, spans) = tokens.parts();
    for (start, c) in text.char_indices() {
        if !is_whitespace(c) {
            spans.push(start, start + c.len_utf8());
        }
    }
}
