//! `none`: no tokenization besides Python's split at whitespace.
//!
//! Source: sacreBLEU 2.6.0, `tokenizers/tokenizer_none.py`.

use super::Tokens;
use super::blocks::{decide_lead, is_lead, scan};

pub(super) fn tokenize(text: &str, tokens: &mut Tokens) {
    tokens.reset(text);
    scan(tokens, is_lead, decide_lead);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::whitespace::split;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_block_scanner_equals_the_split(
            text in "([ -~]|[\0-\u{1f}\u{7f}\u{85}\u{a0}\u{1680}\u{2000}-\u{200b}\u{2028}\u{205f}\u{3000}é中\u{fffd}🍵]|[a-z]{1,9}){0,150}",
        ) {
            let mut tokens = Tokens::default();
            tokenize(&text, &mut tokens);
            prop_assert!(tokens.iter().eq(split(&text)), "{:?}", tokens);
        }
    }
}
