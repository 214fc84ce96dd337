//! Python's whitespace: the one definition that every split and trim of teapot uses.
//!
//! `str.isspace`, `str.split` and `str.rstrip` of `CPython` share one set of 29 characters: Unicode's `White_Space`
//! plus the four separators U+001C to U+001F, which Rust's `char::is_whitespace` lacks. U+200B (zero width space) and
//! U+FEFF (BOM) are in neither. Source: `CPython` 3.11, `Objects/unicodetype_db.h`, `_PyUnicode_IsWhitespace`.

/// Tells whether Python calls this character whitespace (`str.isspace` of one character).
///
/// ```
/// use teapot_core::text::whitespace::is_whitespace;
/// assert!(is_whitespace('\u{1c}') && is_whitespace('\u{85}') && is_whitespace('\u{3000}'));
/// assert!(!is_whitespace('\u{200b}') && !is_whitespace('\u{feff}'));
/// ```
#[inline]
pub fn is_whitespace(character: char) -> bool {
    match character {
        '\t'..='\r' | '\u{1c}'..='\u{1f}' | ' ' => true,
        '\0'..='\u{84}' => false,
        _ => matches!(
            character,
            '\u{85}' | '\u{a0}' | '\u{1680}' | '\u{2000}'
                ..='\u{200a}' | '\u{2028}' | '\u{2029}' | '\u{202f}' | '\u{205f}' | '\u{3000}'
        ),
    }
}

/// Python's `text.split()`: the maximal runs of non-whitespace, in order; none for a blank text.
pub fn split(text: &str) -> impl Iterator<Item = &str> {
    text.split(is_whitespace).filter(|token| !token.is_empty())
}

/// Python's `text.strip()`.
pub fn strip(text: &str) -> &str {
    text.trim_matches(is_whitespace)
}

/// Python's `text.rstrip()`.
pub fn strip_end(text: &str) -> &str {
    text.trim_end_matches(is_whitespace)
}

/// Tells whether a text has no character besides whitespace; true for the empty text.
pub fn is_blank(text: &str) -> bool {
    text.chars().all(is_whitespace)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `[c for c in map(chr, range(0x110000)) if c.isspace()]` in `CPython` 3.11.
    const PYTHON: [u32; 29] = [
        0x9, 0xa, 0xb, 0xc, 0xd, 0x1c, 0x1d, 0x1e, 0x1f, 0x20, 0x85, 0xa0, 0x1680, 0x2000, 0x2001,
        0x2002, 0x2003, 0x2004, 0x2005, 0x2006, 0x2007, 0x2008, 0x2009, 0x200a, 0x2028, 0x2029,
        0x202f, 0x205f, 0x3000,
    ];

    #[test]
    fn is_whitespace_is_pythons_set() {
        let found: Vec<u32> =
            ('\0'..=char::MAX).filter(|&c| is_whitespace(c)).map(u32::from).collect();
        assert_eq!(found, PYTHON);
    }

    #[test]
    fn split_and_strip_follow_python() {
        assert_eq!(
            split(" a\u{1c}b\u{a0} c\u{200b}d ").collect::<Vec<_>>(),
            ["a", "b", "c\u{200b}d"]
        );
        assert_eq!(split("\u{3000}\n").count(), 0);
        assert_eq!(strip("\u{1f} a \u{85}"), "a");
        assert_eq!(strip_end(" a\u{2028}"), " a");
        assert!(is_blank("") && is_blank("\t\u{3000}") && !is_blank("\u{feff}"));
    }
}
