//! How many words two texts differ in.

use rustc_hash::FxHashMap;

use super::words::words;
use crate::distance::{levenshtein_of_symbols, trim};

/// Number of words changed: the Levenshtein distance of the words of two texts, so that a word put in counts once and
/// moves nothing else. Words are TextAttack's ([`words`]); case counts.
///
/// ```
/// use teapot_core::perturb::changed_words;
/// assert_eq!(changed_words("a b c d", "x a b c d"), 1);
/// assert_eq!(changed_words("a b c d", "w x y z"), 4);
/// assert_eq!(changed_words("", ""), 0);
/// ```
pub fn changed_words(original: &str, edited: &str) -> usize {
    let [original, edited] = [original, edited].map(|text| text.chars().collect::<Vec<char>>());
    let [left, right] = [&original, &edited].map(|text| {
        words(text).into_iter().map(|word| &text[word.start..word.end]).collect::<Vec<_>>()
    });
    let (left, right) = trim::symbols(&left, &right);
    let mut numbers = FxHashMap::default();
    let [left, right] = [left, right].map(|words| {
        let number = |&word| {
            let next = u32::try_from(numbers.len()).expect("fewer words than 2³²");
            *numbers.entry(word).or_insert(next)
        };
        words.iter().map(number).collect::<Vec<u32>>()
    });
    levenshtein_of_symbols(&left, &right)
}

/// Words changed as a share of the original's words, at least 0 and above 1 when many words were put in: TextAttack's
/// perturbed word share and OpenAttack's modification rate with a right denominator. 0 when nothing changed; `None`
/// when words were put into a text without words.
///
/// ```
/// use teapot_core::perturb::words_share;
/// assert_eq!(words_share(1, 4), Some(0.25));
/// assert_eq!(words_share(0, 0), Some(0.0));
/// assert_eq!(words_share(1, 0), None);
/// ```
pub fn words_share(changed: usize, words: usize) -> Option<f64> {
    match (changed, words) {
        (0, _) => Some(0.0),
        (_, 0) => None,
        _ => Some(ratio(changed, words)),
    }
}

/// The quotient of two counts, exact below 2³² and rounded to that precision above.
fn ratio(numerator: usize, denominator: usize) -> f64 {
    let count = |value: usize| f64::from(u32::try_from(value).unwrap_or(u32::MAX));
    count(numerator) / count(denominator)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// B53: words were compared by position, so an insertion counted as everything changed (QData/TextAttack#451,
    /// thunlp/OpenAttack#148).
    #[test]
    fn b53_share_of_changed_words_after_an_insertion() {
        for (edited, changed, share) in
            [("x a b c d", 1, 0.25), ("w x y z", 4, 1.0), ("a b c d", 0, 0.0)]
        {
            assert_eq!(changed_words("a b c d", edited), changed);
            assert_eq!(words_share(changed, 4), Some(share));
        }
    }
}
