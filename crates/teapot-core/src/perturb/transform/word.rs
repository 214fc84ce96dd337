//! Whole words are removed, doubled or moved.

use super::WordContext;
use crate::perturb::candidates::Candidates;
use crate::perturb::edit::{EditKind, EditView};
use crate::perturb::span::Span;
use crate::text::whitespace::is_whitespace;

/// Removes a word and one space beside it: the whitespace character after it, else the one before it, else none; never one that an
/// edit has taken already. One candidate; none if the text has no other word. Source: TextAttack 0.3.11, `WordDeletion`.
pub(super) fn delete(context: WordContext<'_>, candidates: &mut Candidates) {
    if context.text.words().len() >= 2 {
        let span = deleted_span(context);
        candidates.push(context.text, Some(context.index), EditKind::WordDelete, |_| span);
    }
}

/// A word and one space beside it.
fn deleted_span(context: WordContext<'_>) -> Span {
    let Span { start, end } = context.span();
    let is_free_space = |index: usize| {
        let space = Span::new(index, index + 1);
        context.text.characters().get(index).is_some_and(|&character| is_whitespace(character))
            && !context.made.around(space).any(|edit| edit.span().overlaps(space))
            && !context.text.is_protected(EditView {
                start: index,
                end: index + 1,
                replacement: "",
                kind: EditKind::WordDelete,
            })
    };
    if is_free_space(end) {
        Span::new(start, end + 1)
    } else if start > 0 && is_free_space(start - 1) {
        Span::new(start - 1, end)
    } else {
        Span::new(start, end)
    }
}

/// Removes a word and leaves everything around it, so that two spaces stand where it was. One candidate; none if the
/// text has no other word.
pub(super) fn drop(context: WordContext<'_>, candidates: &mut Candidates) {
    if context.text.words().len() >= 2 {
        let span = context.span();
        candidates.push(context.text, Some(context.index), EditKind::WordDrop, |_| span);
    }
}

/// Writes a word twice with a space between. One candidate.
pub(super) fn duplicate(context: WordContext<'_>, candidates: &mut Candidates) {
    let end = context.span().end;
    candidates.push(context.text, Some(context.index), EditKind::WordDuplicate, |text| {
        text.push(' ');
        text.extend(context.characters());
        Span::new(end, end)
    });
}

/// Exchanges a word with the next one; what stands between them stays. One candidate; none of the last word and of two
/// equal words. Source of the idea: TextAttack 0.3.11, `WordInnerSwapRandom`, which takes any other word.
pub(super) fn swap(context: WordContext<'_>, candidates: &mut Candidates) {
    let first = context.span();
    let Some(&second) = context.text.words().get(context.index + 1) else { return };
    candidates.push(context.text, Some(context.index), EditKind::WordSwap, |text| {
        text.push_str(context.text.slice_text(second));
        text.push_str(context.text.slice_text(Span::new(first.end, second.start)));
        text.push_str(context.text.slice_text(first));
        Span::new(first.start, second.end)
    });
}
