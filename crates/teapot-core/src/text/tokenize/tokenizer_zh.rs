//! `zh`: each Chinese character a token, the rest by the classes of `13a`.
//!
//! Source: sacreBLEU 2.6.0, `tokenizers/tokenizer_zh.py`. Kana are not in its ranges and stay words.

use super::Tokens;
use super::separate::{Class, separate};
use super::tokenizer_13a;
use crate::text::whitespace::strip;

pub(super) fn tokenize(text: &str, tokens: &mut Tokens) {
    tokens.reset(strip(text));
    separate(tokens, false, |c| match tokenizer_13a::classify(c) {
        Class::Word if is_chinese(c) => Class::Symbol,
        class => class,
    });
}

/// Tells whether `tokenizer_zh.py` takes a character for a Chinese one.
///
/// The ranges U+2001–U+2A6D and U+2F81–U+2FA1 are what its strings `'\u20000'`–`'\u2a6d6'` and `'\u2f800'`–`'\u2fa1d'`
/// mean in Python: a character of four digits and a letter. So dashes, quotes, arrows and mathematical signs are
/// tokens, and the ideographs beyond U+FFFF that were meant are not.
fn is_chinese(c: char) -> bool {
    matches!(c,
        '\u{2001}'..='\u{2a6d}'
        | '\u{2e80}'..='\u{2fdf}'
        | '\u{2ff0}'..='\u{303f}'
        | '\u{3100}'..='\u{312f}'
        | '\u{31a0}'..='\u{31bf}'
        | '\u{31c0}'..='\u{31ef}'
        | '\u{3200}'..='\u{33ff}'
        | '\u{3400}'..='\u{4db5}'
        | '\u{4e00}'..='\u{9fbb}'
        | '\u{f900}'..='\u{fa2d}'
        | '\u{fa30}'..='\u{fa6a}'
        | '\u{fa70}'..='\u{fad9}'
        | '\u{fe10}'..='\u{fe1f}'
        | '\u{fe30}'..='\u{fe4f}'
        | '\u{ff00}'..='\u{ffef}')
}
