//! Python's `str.lower`, as the reference tools ran it: `CPython` 3.11, Unicode 14.0.
//!
//! Rust's `str::to_lowercase` follows the same rules (one character to one, except U+0130 to two; U+03A3 by its place
//! in the word) over newer tables. The characters in `NEW` are those that later Unicode versions (15 to 18) gave a
//! lowercase form or a role in the rule of the final sigma: Python 3.11 copies them and lets them end a word.

/// Code points without a role in lower-casing in Unicode 14 that have one in Unicode 18, first and last of each range.
///
/// All were unassigned in Unicode 14; the ranges span further unassigned ones.
/// Source: `unicodedata` 14.0 against the properties `Cased`, `Case_Ignorable` and `Changes_When_Lowercased` of
/// Unicode 18.
const NEW: [(char, char); 34] = [
    ('\u{558}', '\u{558}'),
    ('\u{58b}', '\u{58c}'),
    ('\u{5c8}', '\u{5c9}'),
    ('\u{897}', '\u{897}'),
    ('\u{b53}', '\u{b54}'),
    ('\u{ece}', '\u{ece}'),
    ('\u{1acf}', '\u{1af0}'),
    ('\u{1c89}', '\u{1c8a}'),
    ('\u{208f}', '\u{208f}'),
    ('\u{209d}', '\u{209f}'),
    ('\u{a7cb}', '\u{a7cf}'),
    ('\u{a7d2}', '\u{a7d2}'),
    ('\u{a7d4}', '\u{a7d4}'),
    ('\u{a7da}', '\u{a7f1}'),
    ('\u{ab6c}', '\u{ab6d}'),
    ('\u{107bb}', '\u{107bf}'),
    ('\u{10d4e}', '\u{10d85}'),
    ('\u{10ec5}', '\u{10eff}'),
    ('\u{11241}', '\u{11241}'),
    ('\u{113bb}', '\u{113e2}'),
    ('\u{11b60}', '\u{11b66}'),
    ('\u{11dd9}', '\u{11df0}'),
    ('\u{11f00}', '\u{11f5a}'),
    ('\u{13439}', '\u{13455}'),
    ('\u{1611e}', '\u{1612f}'),
    ('\u{16d40}', '\u{16d6c}'),
    ('\u{16ea0}', '\u{16ed3}'),
    ('\u{16ff2}', '\u{16ff3}'),
    ('\u{1d127}', '\u{1d128}'),
    ('\u{1d25b}', '\u{1d25c}'),
    ('\u{1d6a6}', '\u{1d6a6}'),
    ('\u{1df1f}', '\u{1dfff}'),
    ('\u{1e030}', '\u{1e08f}'),
    ('\u{1e4eb}', '\u{1e6ff}'),
];

/// A lowercase letter in Unicode 14, a letter without case since 15.1.
const PHARYNGEAL_FRICATIVE: char = 'ʕ';

/// A mark that the rule of the final sigma skips in Unicode 14, and no longer since 15.
const AHOM_MEDIAL_RA: char = '\u{1171e}';

/// The text in lower case, as `text.lower()` of `CPython` 3.11 gives it; empty for the empty text.
///
/// U+03A3 becomes U+03C2 at the end of a word and U+03C3 elsewhere; U+0130 becomes `i` and U+0307.
///
/// ```
/// use teapot_core::text::lowercase::lowercase;
/// assert_eq!(lowercase("GREEN ΤΣΑΪΣ İ"), "green τσαϊς i\u{307}");
/// ```
pub fn lowercase(text: &str) -> String {
    let mut lowered = String::new();
    lowercase_into(text, &mut lowered);
    lowered
}

/// [`lowercase`] into a buffer that is reused: its former content is lost.
pub fn lowercase_into(text: &str, lowered: &mut String) {
    lowered.clear();
    if text.is_ascii() {
        lowered.push_str(text);
        lowered.make_ascii_lowercase();
    } else if text.chars().any(is_different) {
        push_with_stand_ins(text, lowered);
    } else if text.contains('Σ') {
        // Its form depends on its place in the word.
        lowered.push_str(&text.to_lowercase());
    } else {
        lowered.extend(text.chars().flat_map(char::to_lowercase));
    }
}

/// Lowers a text with characters whose role has changed: each is replaced by one that plays its old role (a letter,
/// a mark, or something that ends a word), and put back afterwards.
fn push_with_stand_ins(text: &str, lowered: &mut String) {
    let stand_in = |c| match c {
        PHARYNGEAL_FRICATIVE => 'a',
        AHOM_MEDIAL_RA => '\u{301}',
        c if is_different(c) => '\u{e000}',
        c => c,
    };
    let with_stand_ins: String = text.chars().map(stand_in).collect();
    let replaced = with_stand_ins.to_lowercase();
    let mut replaced = replaced.chars();
    for original in text.chars() {
        let next = replaced.next().unwrap_or(original);
        lowered.push(if is_different(original) { original } else { next });
        if original == '\u{130}' {
            lowered.extend(replaced.next());
        }
    }
}

/// Tells whether Rust's tables and Unicode 14 disagree about a character.
fn is_different(c: char) -> bool {
    if c < PHARYNGEAL_FRICATIVE {
        return false;
    }
    let index = NEW.partition_point(|&(_, last)| last < c);
    matches!(c, PHARYNGEAL_FRICATIVE | AHOM_MEDIAL_RA)
        || NEW.get(index).is_some_and(|&(first, _)| first <= c)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Each from `CPython` 3.11.7: `text.lower()`.
    #[test]
    fn lowercase_is_pythons() {
        for (text, expected) in [
            ("", ""),
            ("TEA Ready", "tea ready"),
            ("İstanbul ISPARTA", "i\u{307}stanbul isparta"),
            ("ΤΣΑΪ ΠΡΑΣΙΝΟΣ.", "τσαϊ πρασινος."),
            ("Σ", "σ"),
            ("ΑΣ", "ας"),
            ("ΑΣ.Β", "ασ.β"),
            ("ΑΣ\u{301}", "ας\u{301}"),
            ("1Σ", "1σ"),
            ("ʕΣ", "ʕς"),
            ("aΣʕ", "aσʕ"),
            ("aΣ\u{897}b", "aς\u{897}b"),
            ("a\u{897}Σ", "a\u{897}σ"),
            ("aΣ\u{1171e}b", "aσ\u{1171e}b"),
            ("\u{a7cb}\u{1c89}İΣ", "\u{a7cb}\u{1c89}i\u{307}ς"),
            ("ẞÉ𐐀", "ßé𐐨"),
            ("ǅ", "ǆ"),
        ] {
            assert_eq!(lowercase(text), expected, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn stand_ins_change_nothing_else(text in "[a-zA-ZΑ-Ωİ .'\u{301}\u{1f600}]{0,30}") {
            let mut lowered = String::new();
            push_with_stand_ins(&text, &mut lowered);
            prop_assert_eq!(&lowered, &text.to_lowercase());
            prop_assert_eq!(&lowered, &lowercase(&text));
        }
    }
}
