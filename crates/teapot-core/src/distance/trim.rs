//! Cutting off what two sequences have in common at their ends: it costs no edit and needs no matrix.

/// Both sequences without their common beginning and end.
pub(crate) fn symbols<'s, T: PartialEq>(left: &'s [T], right: &'s [T]) -> (&'s [T], &'s [T]) {
    let start = left.iter().zip(right).take_while(|(left, right)| left == right).count();
    let (left, right) = (&left[start..], &right[start..]);
    let ends = left.iter().rev().zip(right.iter().rev());
    let end = ends.take_while(|(left, right)| left == right).count();
    (&left[..left.len() - end], &right[..right.len() - end])
}

/// Both texts without the code points that they begin and end with in common.
pub(super) fn texts<'t>(left: &'t str, right: &'t str) -> (&'t str, &'t str) {
    let mut start = common(left.as_bytes(), right.as_bytes());
    // Where the common bytes end inside a code point, they do so on both sides.
    while !left.is_char_boundary(start) {
        start -= 1;
    }
    let (left, right) = (&left[start..], &right[start..]);
    let mut end = common_end(left.as_bytes(), right.as_bytes());
    while !left.is_char_boundary(left.len() - end) {
        end -= 1;
    }
    (&left[..left.len() - end], &right[..right.len() - end])
}

/// How many bytes are the same at the beginning: eight at once, then one by one.
fn common(left: &[u8], right: &[u8]) -> usize {
    let (eights, _) = left.as_chunks::<8>();
    let (others, _) = right.as_chunks::<8>();
    let same = 8 * eights.iter().zip(others).take_while(|(left, right)| left == right).count();
    let rest = left[same..].iter().zip(&right[same..]);
    same + rest.take_while(|(left, right)| left == right).count()
}

/// How many bytes are the same at the end.
fn common_end(left: &[u8], right: &[u8]) -> usize {
    let (_, eights) = left.as_rchunks::<8>();
    let (_, others) = right.as_rchunks::<8>();
    let eights = eights.iter().rev().zip(others.iter().rev());
    let same = 8 * eights.take_while(|(left, right)| left == right).count();
    let rest = left[..left.len() - same].iter().rev().zip(right[..right.len() - same].iter().rev());
    same + rest.take_while(|(left, right)| left == right).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_points_are_never_cut() {
        assert_eq!(texts("tea é", "tea è"), ("é", "è"));
        // U+1F375 and U+1F377 differ in their last byte, é and ũ end in the same byte.
        assert_eq!(texts("🍵", "🍷"), ("🍵", "🍷"));
        assert_eq!(texts("\u{e9}", "\u{169}"), ("\u{e9}", "\u{169}"));
        assert_eq!(texts("a🍵b", "a🍵b"), ("", ""));
        assert_eq!(texts("aaa", "aa"), ("a", ""));
        assert_eq!(texts("0123456789abcdef!", "0123456789abcdef"), ("!", ""));
        assert_eq!(texts("!0123456789abcdef", "0123456789abcdef"), ("!", ""));
    }
}
