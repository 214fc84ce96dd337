//! Edits between two texts: they are in order, and what they say stands in the texts.

use teapot_core::distance::{Unit, levenshtein};
use teapot_core::edits::edits;

/// Two texts; the first byte says where to cut.
pub fn pair(data: &[u8]) {
    let [share, texts @ ..] = data else { return };
    let (left, right) = texts.split_at(texts.len() * usize::from(*share) / 256);
    let (left, right) = (String::from_utf8_lossy(left), String::from_utf8_lossy(right));
    let report = edits(&left, &right);
    assert_eq!(report.edits.is_empty(), left == right, "{left:?} {right:?}");
    assert_eq!(report.char_distance, Some(levenshtein(&left, &right, Unit::Char)));
    assert_eq!(report.word_distance, Some(levenshtein(&left, &right, Unit::Word)));
    let stands = |text: &str, position: usize, part: &str| {
        text.chars().skip(position).take(part.chars().count()).eq(part.chars())
    };
    for edit in &report.edits {
        assert!(stands(&left, edit.original_position, &edit.original), "{edit:?} {left:?}");
        assert!(stands(&right, edit.edited_position, &edit.edited), "{edit:?} {right:?}");
    }
}
