//! The tokenizer of TER: tercom's, as sacreBLEU 2.6.0 has it (`tokenizers/tokenizer_ter.py`).

use super::Ter;
use crate::text::{lowercase::lowercase_into, whitespace};

/// Tokenizes texts, with buffers that are reused between calls.
#[derive(Clone, Debug, Default)]
pub(super) struct Tokenizer {
    text: String,
    next: String,
}

impl Tokenizer {
    /// The text whose whitespace-separated tokens are the words of TER.
    ///
    /// Passes in order: trailing whitespace off; lower case unless `case_sensitive`; with `normalized` the general and
    /// Western rules, and with `asian_support` too, ideographs and CJK punctuation set apart; with `no_punct` the marks
    /// `. , ? : ; ! " ( )` dropped, and with `asian_support` too, the CJK ones.
    pub(super) fn tokenize(&mut self, ter: &Ter, text: &str) -> &str {
        self.text.clear();
        let text = whitespace::strip_end(text);
        if ter.case_sensitive {
            self.text.push_str(text);
        } else {
            lowercase_into(text, &mut self.text);
        }
        self.rewrite(ter);
        &self.text
    }

    /// The text of a reference: sacreBLEU prepares references twice, once when it collects them and once more when it
    /// cuts them into words. Of the passes only `normalized` can change its own output (`'s's` becomes `'s 's`, then two
    /// words).
    pub(super) fn tokenize_reference(&mut self, ter: &Ter, text: &str) -> &str {
        self.tokenize(ter, text);
        if ter.normalized {
            self.pass(|text, out| {
                for word in whitespace::split(text) {
                    if !out.is_empty() {
                        out.push(' ');
                    }
                    out.push_str(word);
                }
            });
            if !ter.case_sensitive {
                self.pass(lowercase_into);
            }
            self.rewrite(ter);
        }
        &self.text
    }

    /// The passes behind lower case.
    fn rewrite(&mut self, ter: &Ter) {
        if self.text.is_empty() {
            return;
        }
        if ter.normalized {
            self.normalize();
            if ter.asian_support {
                self.set_apart(|c| is_ideograph(c) || is_asian_punctuation(c));
            }
        }
        if ter.no_punct {
            self.text.retain(|c| !matches!(c, '.' | ',' | '?' | ':' | ';' | '!' | '"' | '(' | ')'));
            if ter.asian_support {
                self.text.retain(|c| !is_asian_punctuation(c));
            }
        }
    }

    /// The general and Western rules. The order of the passes is part of the definition: `&amp;lt;` becomes `<`.
    fn normalize(&mut self) {
        for (from, to) in [
            ("\n-", ""),
            ("\n", " "),
            ("&quot;", "\""),
            ("&amp;", "&"),
            ("&lt;", "<"),
            ("&gt;", ">"),
        ] {
            self.replace(from, to);
        }
        self.pass(|text, out| out.extend([" ", text, " "]));
        self.set_apart(is_western_punctuation);
        self.replace("'s ", " 's ");
        self.separate(|a, b| !a.is_ascii_digit() && is_point(b), ["", " ", " "]);
        self.separate(|a, b| is_point(a) && !b.is_ascii_digit(), [" ", " ", ""]);
        self.separate(|a, b| a.is_ascii_digit() && b == '-', ["", " ", " "]);
    }

    /// Rewrites the text: `write` reads it and fills the empty buffer that takes its place.
    fn pass(&mut self, write: impl FnOnce(&str, &mut String)) {
        self.next.clear();
        write(&self.text, &mut self.next);
        std::mem::swap(&mut self.text, &mut self.next);
    }

    fn replace(&mut self, from: &str, to: &str) {
        if !self.text.contains(from) {
            return;
        }
        self.pass(|text, out| {
            for (index, part) in text.split(from).enumerate() {
                if index > 0 {
                    out.push_str(to);
                }
                out.push_str(part);
            }
        });
    }

    /// Puts a space on both sides of every character of a class.
    fn set_apart(&mut self, class: impl Fn(char) -> bool) {
        self.pass(|text, out| {
            for character in text.chars() {
                if class(character) {
                    out.extend([' ', character, ' ']);
                } else {
                    out.push(character);
                }
            }
        });
    }

    /// Rewrites neighbours `a b` that belong together as `gaps[0] a gaps[1] b gaps[2]`: a regular expression of two
    /// characters, replaced from left to right without overlap.
    fn separate(&mut self, pair: impl Fn(char, char) -> bool, gaps: [&str; 3]) {
        self.pass(|text, out| {
            let mut characters = text.chars().peekable();
            while let Some(first) = characters.next() {
                if let Some(second) = characters.next_if(|&second| pair(first, second)) {
                    out.push_str(gaps[0]);
                    out.push(first);
                    out.push_str(gaps[1]);
                    out.push(second);
                    out.push_str(gaps[2]);
                } else {
                    out.push(first);
                }
            }
        });
    }
}

fn is_point(character: char) -> bool {
    matches!(character, '.' | ',')
}

/// ASCII punctuation without `'`, `,`, `-` and `.`, which have rules of their own.
fn is_western_punctuation(character: char) -> bool {
    matches!(character, ' '..='&' | '('..='+' | '/' | ':'..='@' | '['..='`' | '{'..='~')
}

/// The ranges that sacreBLEU splits to single characters.
///
/// Its rule for "enclosed letters" runs from U+3200 to U+3F22 by a slip, so it takes in all of CJK compatibility too;
/// its three rules for kana can't match, since the text starts with a space by then: kana stay together.
fn is_ideograph(character: char) -> bool {
    matches!(character,
        '\u{2e80}'..='\u{2eff}' | '\u{31c0}'..='\u{31ef}' | '\u{3200}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{fe30}'..='\u{fe4f}')
}

fn is_asian_punctuation(character: char) -> bool {
    matches!(character,
        '\u{3001}' | '\u{3002}' | '\u{3008}'..='\u{3011}' | '\u{3014}'..='\u{301f}' | '\u{30fb}'
        | '\u{ff61}'..='\u{ff65}'
        | '\u{ff01}' | '\u{ff02}' | '\u{ff08}' | '\u{ff09}' | '\u{ff0c}' | '\u{ff0e}'
        | '\u{ff1a}' | '\u{ff1b}' | '\u{ff1f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(ter: &Ter, text: &str) -> String {
        let mut tokenizer = Tokenizer::default();
        whitespace::split(tokenizer.tokenize(ter, text)).collect::<Vec<_>>().join(" ")
    }

    /// Expected values: `TercomTokenizer(…)(text)` of sacreBLEU 2.6.0.
    #[test]
    fn tokens_are_tercoms() {
        let plain = Ter::default();
        let normalized = Ter { normalized: true, ..plain.clone() };
        let asian = Ter { asian_support: true, ..normalized.clone() };
        let bare = Ter { no_punct: true, ..plain.clone() };
        for (ter, text, expected) in [
            (&plain, "The  Cat's\u{1c}HAT. ", "the cat's hat."),
            (&normalized, "The cat's 1,5-2.0 hat...", "the cat 's 1,5 - 2.0 hat . . ."),
            (&normalized, "a\n-b &amp;lt; c", "ab < c"),
            (&asian, "茶を飲む。カップ", "茶 を 飲 む 。 カップ"),
            (&bare, "Tea (hot), 3.5!", "tea hot 35"),
        ] {
            assert_eq!(words(ter, text), expected);
        }
    }
}
