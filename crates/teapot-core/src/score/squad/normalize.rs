//! The normalisation of answers that both evaluation scripts of SQuAD share.

use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

use crate::score::positions::KeyedTokens;
use crate::text::lowercase::lowercase_into;
use crate::text::tokenize::Tokenizer;

/// Buffers, reused between calls.
#[derive(Clone, Debug, Default)]
pub(super) struct Normalizer {
    lowered: String,
    without_articles: String,
}

impl Normalizer {
    /// The words of an answer as SQuAD compares them: lowercased, without ASCII punctuation and articles.
    ///
    /// An article is `a`, `an` or `the` where Python's `\b(a|an|the)\b` finds it: a whole run of letters, numbers and `_`.
    /// A combining mark ends such a run, so of `a` and U+0301 the mark remains. Articles go after punctuation: `a-b`
    /// becomes `ab`. No word for a text that holds nothing else.
    pub(super) fn normalize(&mut self, text: &str, words: &mut KeyedTokens) {
        lowercase_into(text, &mut self.lowered);
        self.lowered.retain(|c| !c.is_ascii_punctuation());
        if self.lowered.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b' ') {
            // Each word is one run.
            words.tokenize(Tokenizer::None, &self.lowered);
            words.retain(|word| !matches!(word, b"a" | b"an" | b"the"));
        } else {
            self.remove_articles();
            words.tokenize(Tokenizer::None, &self.without_articles);
        }
    }

    fn remove_articles(&mut self) {
        self.without_articles.clear();
        let mut rest = self.lowered.as_str();
        while let Some(c) = rest.chars().next() {
            let is_run = is_word(c);
            let end = rest.find(|c| is_word(c) != is_run).unwrap_or(rest.len());
            let (run, after) = rest.split_at(end);
            let is_article = is_run && matches!(run, "a" | "an" | "the");
            self.without_articles.push_str(if is_article { " " } else { run });
            rest = after;
        }
    }
}

/// Python's `\w`: `str.isalnum` or `_`, over Unicode 18 (`CPython` 3.11 has 14, to which newer letters are none).
/// Rust's `char::is_alphanumeric` would take marks and circled letters as well.
fn is_word(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric() || c == '_';
    }
    matches!(
        c.general_category_group(),
        GeneralCategoryGroup::Letter | GeneralCategoryGroup::Number
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each from the script's `normalize_answer` on `CPython` 3.11.
    #[test]
    fn normalize_is_the_scripts() {
        let (mut normalizer, mut words) = (Normalizer::default(), KeyedTokens::default());
        for (text, expected) in [
            ("", ""),
            ("A", ""),
            ("The  Green\tTea.", "green tea"),
            ("a-b an, 'the'", "ab"),
            ("the_a", "thea"),
            ("á a\u{301}", "á \u{301}"),
            ("a’s “the” tea…", "’s “ ” tea…"),
            ("theatre anthem", "theatre anthem"),
            ("a1 1a a٣ aⅣ a²", "a1 1a a٣ aⅳ a²"),
            ("aⓐ", "ⓐ"),
            ("\u{3000}An\u{85}apple\u{1f}", "apple"),
            ("a\u{200b}b", "\u{200b}b"),
            ("a\0b the\u{1}", "\0b \u{1}"),
        ] {
            normalizer.normalize(text, &mut words);
            let found: Vec<&str> = words.tokens.iter().collect();
            assert_eq!(found.join(" "), expected, "{text:?}");
        }
    }
}
