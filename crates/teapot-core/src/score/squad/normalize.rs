//! The normalisation of answers that both evaluation scripts of SQuAD share.

use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

use crate::text::lowercase::lowercase_into;
use crate::text::whitespace::split;

/// An answer as SQuAD compares it: lowercased, without ASCII punctuation and articles, words joined by one space.
///
/// An article is `a`, `an` or `the` where Python's `\b(a|an|the)\b` finds it: a whole run of letters, numbers and `_`.
/// A combining mark ends such a run, so of `a` and U+0301 the mark remains. Articles go after punctuation: `a-b`
/// becomes `ab`. Empty for a text that holds nothing else.
pub(super) fn normalize(text: &str, lowered: &mut String) -> String {
    lowercase_into(text, lowered);
    lowered.retain(|c| !c.is_ascii_punctuation());
    let mut normalized = String::new();
    let mut rest = lowered.as_str();
    while let Some(c) = rest.chars().next() {
        let is_run = is_word(c);
        let end = rest.find(|c| is_word(c) != is_run).unwrap_or(rest.len());
        let (run, after) = rest.split_at(end);
        normalized.push_str(if is_run && matches!(run, "a" | "an" | "the") { " " } else { run });
        rest = after;
    }
    split(&normalized).collect::<Vec<_>>().join(" ")
}

/// Python's `\w`: `str.isalnum` or `_`. Rust's `char::is_alphanumeric` would take marks and circled letters as well.
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
        ] {
            assert_eq!(normalize(text, &mut String::new()), expected, "{text:?}");
        }
    }
}
