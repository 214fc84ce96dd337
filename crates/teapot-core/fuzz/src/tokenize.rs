//! All tokenizers against their chains of regular expressions.
#[path = "../../tests/reference/tokenize.rs"]
mod reference;

use teapot_core::text::tokenize::{Tokenizer, Tokens};

/// A text.
pub fn text(data: &[u8]) {
    // Characters that the regular expressions don't know yet have another class for them.
    let text: String =
        String::from_utf8_lossy(data).chars().filter(|&c| reference::is_known(c)).collect();
    let mut tokens = Tokens::default();
    for tokenizer in Tokenizer::ALL {
        tokenizer.tokenize(&text, &mut tokens);
        let expected = reference::tokenize(tokenizer, &text);
        assert!(tokens.iter().eq(&expected), "{tokenizer}: {tokens:?} {expected:?}");
    }
}
