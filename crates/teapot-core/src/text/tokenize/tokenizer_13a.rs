//! `13a`: the tokenizer of mteval-v13a, sacreBLEU's default.
//!
//! Source: sacreBLEU 2.6.0, `tokenizers/tokenizer_13a.py` and `tokenizer_re.py`.

use memchr::memchr3;

use super::Tokens;
use super::blocks::{Decision, decide_lead, is_lead, scan};
use super::separate::Class;
use crate::text::whitespace::is_whitespace;

/// Replacements before the text is split, in order: each is done on the whole text, and not again on its own result
/// (`&amp;lt;` becomes `<`, `&amp;amp;` becomes `&amp;`). All contain one of the characters `<`, `&` and `\n`.
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
    if memchr3(b'<', b'&', b'\n', text.as_bytes()).is_some() {
        for (from, to) in REPLACEMENTS {
            if tokens.text().contains(from) {
                let replaced = tokens.text().replace(from, to);
                tokens.reset(&replaced);
            }
        }
    }
    let mut marks = Marks::default();
    scan(tokens, is_open, |text, at| {
        let bytes = text.as_bytes();
        match bytes[at] {
            b'.' | b',' => marks.decide(bytes, at),
            b'-' if !is_digit_before(bytes, at) => Decision::Word,
            byte if is_lead(byte) => decide_lead(text, at),
            _ => Decision::Alone,
        }
    });
}

/// Bytes that need a decision: ASCII punctuation except `'`, and what may begin whitespace.
#[inline]
fn is_open(byte: u8) -> bool {
    let is_letter = (byte | 0x20).wrapping_sub(b'a') < 26;
    let is_digit = byte.wrapping_sub(b'0') < 10;
    let is_printable = byte.wrapping_sub(b'!') < 94;
    is_printable && !is_letter && !is_digit && byte != b'\'' || is_lead(byte)
}

fn is_digit_before(bytes: &[u8], at: usize) -> bool {
    at > 0 && bytes[at - 1].is_ascii_digit()
}

/// The rule of [`separate`](super::separate) for runs of `.` and `,`, in a text with spaces at both ends.
#[derive(Default)]
struct Marks {
    /// Where the run ends that was met last.
    end: usize,
    /// Whether its last mark stays on the digit after it.
    stays: bool,
}

impl Marks {
    fn decide(&mut self, bytes: &[u8], at: usize) -> Decision {
        if at >= self.end {
            let marks = bytes[at..].iter().take_while(|byte| matches!(byte, b'.' | b',')).count();
            self.end = at + marks;
            self.stays = bytes.get(self.end).is_some_and(u8::is_ascii_digit)
                && is_digit_before(bytes, at) == (marks % 2 == 1);
        }
        if self.stays && at + 1 == self.end { Decision::Word } else { Decision::Alone }
    }
}

/// The classes of `tokenizer_re.py`, character by character: only ASCII punctuation is taken off words, and `'` stays.
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

#[cfg(test)]
mod tests {
    use super::super::separate::separate;
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        /// Long enough to fill several blocks, so that every rule is met across their borders.
        #[test]
        fn the_block_scanner_equals_the_rule_character_by_character(
            text in "([a-c0-2.,'-]|[ -%'-;=-~]|[\0-\t\u{b}-\u{1f}\u{7f}\u{85}\u{a0}\u{1680}\u{2000}-\u{200b}\u{2028}\u{205f}\u{3000}é中\u{fffd}🍵]|[a-z]{1,9}){0,150}",
        ) {
            let (mut fast, mut slow) = (Tokens::default(), Tokens::default());
            tokenize(&text, &mut fast);
            slow.reset(&text);
            separate(&mut slow, true, classify);
            prop_assert!(fast.iter().eq(slow.iter()), "{:?} {:?}", fast, slow);
        }
    }
}
