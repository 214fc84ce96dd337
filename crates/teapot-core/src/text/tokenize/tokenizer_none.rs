//! `none`: no tokenization besides Python's split at whitespace.
//!
//! Source: sacreBLEU 2.6.0, `tokenizers/tokenizer_none.py`.

use super::Tokens;
use crate::text::whitespace::is_whitespace;

pub(super) fn tokenize(text: &str, tokens: &mut Tokens) {
    tokens.reset(text);
    let mut word = None;
    for (at, c) in text.char_indices() {
        if !is_whitespace(c) {
            word = word.or(Some(at));
        } else if let Some(start) = word.take() {
            tokens.push(start, at);
        }
    }
    if let Some(start) = word {
        tokens.push(start, text.len());
    }
}
