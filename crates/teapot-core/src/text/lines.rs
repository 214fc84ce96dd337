//! Which characters end a line: `\n` alone, and one `\r` before it goes with it.
//!
//! This is sacreBLEU's rule for files (`newline="\n"`), with the line end of Windows taken off. Python's text mode,
//! which teapot-nlp reads with, also ends lines at a lone `\r`, and `str.splitlines` at eight characters more: both
//! shift every later pair of a parallel corpus. Here a lone `\r` stays in the text, where it is whitespace, and can
//! be counted.

use memchr::{memchr, memchr_iter};

/// The lines of a text, in order, without their line ends.
///
/// The text after the last `\n` is a line when it isn't empty: `"a\nb"` and `"a\nb\n"` have two lines each, `""` has
/// none, `"\n"` has one empty line. The last line's `\r` stays if no `\n` follows it.
///
/// ```
/// use teapot_core::text::lines::lines;
/// assert_eq!(lines("hot\rtea\r\n\nmilk").collect::<Vec<_>>(), ["hot\rtea", "", "milk"]);
/// ```
pub fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let Some(end) = memchr(b'\n', rest.as_bytes()) else {
            return Some(std::mem::take(&mut rest));
        };
        let line = &rest[..end];
        rest = &rest[end + 1..];
        Some(line.strip_suffix('\r').unwrap_or(line))
    })
}

/// The lines of a byte string, by the same rule as [`lines`].
///
/// ```
/// use teapot_core::text::lines::byte_lines;
/// assert_eq!(byte_lines(b"1\r\n0\n").collect::<Vec<_>>(), [b"1", b"0"]);
/// ```
pub fn byte_lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let Some(end) = memchr(b'\n', rest) else {
            return Some(std::mem::take(&mut rest));
        };
        let line = without_line_end(&rest[..=end]);
        rest = &rest[end + 1..];
        Some(line)
    })
}

/// A line of bytes without its line end: without a last `\n`, and then without one last `\r` before it.
///
/// Bytes that don't end in `\n` come back whole.
///
/// ```
/// use teapot_core::text::lines::without_line_end;
/// assert_eq!(without_line_end(b"tea\r\r\n"), b"tea\r");
/// assert_eq!(without_line_end(b"tea\r"), b"tea\r");
/// ```
pub fn without_line_end(line: &[u8]) -> &[u8] {
    match line.strip_suffix(b"\n") {
        Some(line) => line.strip_suffix(b"\r").unwrap_or(line),
        None => line,
    }
}

/// How many carriage returns a line holds that don't belong to its line end: characters that other tools may have
/// taken for one. `line` comes from [`lines`] or [`byte_lines`]; 0 for the empty line.
///
/// ```
/// use teapot_core::text::lines::lone_carriage_returns;
/// assert_eq!(lone_carriage_returns(b"hot\rtea"), 1);
/// ```
pub fn lone_carriage_returns(line: &[u8]) -> usize {
    memchr_iter(b'\r', line).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn both(text: &str) -> Vec<&str> {
        let found: Vec<&str> = lines(text).collect();
        let bytes: Vec<&[u8]> = byte_lines(text.as_bytes()).collect();
        assert_eq!(found.iter().map(|line| line.as_bytes()).collect::<Vec<_>>(), bytes);
        found
    }

    /// B18, mjpost/sacrebleu PR#24: a carriage return inside a sentence starts no line.
    #[test]
    fn a_lone_carriage_return_stays_in_the_text() {
        assert_eq!(both("hot\rtea\nmilk\n"), ["hot\rtea", "milk"]);
        assert_eq!(lone_carriage_returns(b"hot\rtea"), 1);
        assert_eq!(both("a\u{b}b\u{c}c\u{1c}d\u{85}e\u{2028}f\n").len(), 1);
    }

    /// B19, mholt/PapaParse#1132: `\r\n` on one side only leaves nothing on the field.
    #[test]
    fn a_windows_line_end_is_no_part_of_the_line() {
        assert_eq!(both("1\r\n0\r\n"), both("1\n0\n"));
        assert_eq!(both("a\r\r\n"), ["a\r"]);
        assert_eq!(both("a\r"), ["a\r"]);
    }

    /// B28, awslabs/sockeye PR#119: the last line end is optional, blank lines count, a tab ends nothing.
    #[test]
    fn lines_are_counted_as_wc_does() {
        assert_eq!(both("x\ny"), both("x\ny\n"));
        assert_eq!(both("x\n\ny\n"), ["x", "", "y"]);
        assert_eq!(both("hot\ttea"), ["hot\ttea"]);
        assert_eq!(both("").len(), 0);
        assert_eq!(both("\n"), [""]);
    }

    proptest! {
        #[test]
        fn joining_the_lines_gives_the_text(text in "[a\r\n\u{2028}é]{0,40}") {
            let found = both(&text);
            // Of two carriage returns before a line end only one goes with it, as in `replace`.
            let plain = text.replace("\r\n", "\n");
            prop_assert_eq!(found.join("\n"), plain.strip_suffix('\n').unwrap_or(&plain));
        }
    }
}
