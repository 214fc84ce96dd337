//! The words of chrF++: Python's `str.split`, then one punctuation mark taken off each word.

use crate::text::whitespace;

/// Calls `each` with the words of a text in order.
///
/// A word of two or more code points that ends in an ASCII punctuation mark becomes two, the mark last; otherwise one
/// that begins with a mark becomes two, the mark first. So `(hi)` gives `(hi` and `)`: a quirk of the first
/// chrF++ program that sacreBLEU keeps (mjpost/sacrebleu#124).
pub(super) fn for_each_word<'t>(text: &'t str, mut each: impl FnMut(&'t str)) {
    for word in whitespace::split(text) {
        // An ASCII punctuation mark is one byte, so byte positions beside it are character borders.
        let bytes = word.as_bytes();
        let cut = match bytes {
            [_, .., last] if last.is_ascii_punctuation() => bytes.len() - 1,
            [first, _, ..] if first.is_ascii_punctuation() => 1,
            _ => 0,
        };
        let (left, right) = word.split_at(cut);
        if !left.is_empty() {
            each(left);
        }
        each(right);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<&str> {
        let mut found = Vec::new();
        for_each_word(text, |word| found.push(word));
        found
    }

    #[test]
    fn one_mark_leaves_each_word() {
        assert_eq!(words("(hi) \"hot tea!!\u{1c}x"), ["(hi", ")", "\"", "hot", "tea!", "!", "x"]);
        assert_eq!(words("! !? é! ¿é"), ["!", "!", "?", "é", "!", "¿é"]);
        assert_eq!(words(" \u{3000}"), [""; 0]);
    }
}
