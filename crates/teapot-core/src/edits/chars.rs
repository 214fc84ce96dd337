//! Edits of characters inside words that are alike.

use super::align::{Step, align};
use super::{Edit, EditKind};
use crate::error::Result;
use crate::patience::Patience;
use crate::text::fold::{are_confusable, is_invisible};
use crate::text::lowercase::lowercase;
use crate::text::whitespace::is_whitespace;

/// Appends the edits between two words; `left_start` and `right_start` say where they stand in their texts.
pub(super) fn char_edits(
    left: &[char],
    right: &[char],
    [left_start, right_start]: [usize; 2],
    patience: &Patience,
    edits: &mut Vec<Edit>,
) -> Result<()> {
    let mut push = |kind, at: (usize, usize), original: &[char], edited: &[char]| {
        edits.push(Edit {
            kind,
            original_position: left_start + at.0,
            edited_position: right_start + at.1,
            original: original.iter().collect(),
            edited: edited.iter().collect(),
        });
    };
    let Some(steps) = align(left, right, patience)? else {
        push(EditKind::WordReplaced, (0, 0), left, right);
        return Ok(());
    };
    for step in steps {
        match step {
            Step::Keep(..) => {}
            Step::Swap(l, r) => push(EditKind::Swap, (l, r), &left[l..l + 2], &right[r..r + 2]),
            Step::Substitute(l, r) => {
                push(substitution(left[l], right[r]), (l, r), &left[l..=l], &right[r..=r]);
            }
            Step::Delete(l, r) => push(single(left[l], EditKind::Drop), (l, r), &left[l..=l], &[]),
            Step::Insert(l, r) => push(single(right[r], EditKind::Add), (l, r), &[], &right[r..=r]),
        }
    }
    Ok(())
}

fn substitution(from: char, to: char) -> EditKind {
    if is_whitespace(from) && is_whitespace(to) {
        EditKind::Whitespace
    } else if lowercase(from.encode_utf8(&mut [0; 4])) == lowercase(to.encode_utf8(&mut [0; 4])) {
        EditKind::Case
    } else if are_confusable(from, to) {
        EditKind::Homoglyph
    } else {
        EditKind::Substitute
    }
}

/// The kind of a character that came or went.
fn single(character: char, visible: EditKind) -> EditKind {
    if is_whitespace(character) {
        EditKind::Whitespace
    } else if is_invisible(character) {
        EditKind::Invisible
    } else {
        visible
    }
}
