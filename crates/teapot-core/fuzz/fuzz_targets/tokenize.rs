//! All tokenizers against their chains of regular expressions.
#![no_main]

#[path = "../../tests/reference/tokenize.rs"]
mod reference;

use libfuzzer_sys::fuzz_target;
use teapot_core::text::tokenize::{Tokenizer, Tokens};

fuzz_target!(|data: &[u8]| {
    // Characters that the regular expressions don't know yet have another class for them.
    let text: String =
        String::from_utf8_lossy(data).chars().filter(|&c| reference::is_known(c)).collect();
    let mut tokens = Tokens::default();
    for tokenizer in Tokenizer::ALL {
        tokenizer.tokenize(&text, &mut tokens);
        let expected = reference::tokenize(tokenizer, &text);
        assert!(tokens.iter().eq(&expected), "{tokenizer}: {tokens:?} {expected:?}");
    }
});
