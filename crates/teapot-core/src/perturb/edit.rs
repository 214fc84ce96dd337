//! Edits on a text: applying and undoing them.

use crate::error::{Error, Result};

use super::parsed_text::ParsedText;
use super::span::Span;

/// What an edit does, for reports and edit statistics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum EditKind {
    /// Two neighbouring characters changed places.
    Swap,
    /// A character was removed.
    Delete,
    /// A letter was put in.
    Insert,
    /// A character became a letter.
    Substitute,
    /// A character was doubled.
    Repeat,
    /// A letter became one of its neighbours on the keyboard.
    Keyboard,
    /// A character became one that looks like it.
    Homoglyph,
    /// An invisible character was put in.
    Invisible,
    /// Two characters changed places but are displayed in their old order.
    Reorder,
    /// A character and a control character that deletes it were put in.
    DeletionControl,
    /// A letter got an accent.
    Accent,
    /// Letters changed their case.
    Case,
    /// A space was put into a word.
    Space,
    /// Two words became their contraction.
    Contract,
    /// A contraction was written out.
    Expand,
    /// A word was removed with one space beside it.
    WordDelete,
    /// A word was removed and its spaces kept.
    WordDrop,
    /// A word was doubled.
    WordDuplicate,
    /// Two neighbouring words changed places.
    WordSwap,
    /// A word became another word.
    Replace,
    /// A text was appended.
    Append,
}

impl EditKind {
    /// All kinds, in the order of their codes.
    pub const ALL: [Self; 21] = [
        Self::Swap,
        Self::Delete,
        Self::Insert,
        Self::Substitute,
        Self::Repeat,
        Self::Keyboard,
        Self::Homoglyph,
        Self::Invisible,
        Self::Reorder,
        Self::DeletionControl,
        Self::Accent,
        Self::Case,
        Self::Space,
        Self::Contract,
        Self::Expand,
        Self::WordDelete,
        Self::WordDrop,
        Self::WordDuplicate,
        Self::WordSwap,
        Self::Replace,
        Self::Append,
    ];

    /// The kind's name as reports and edit files write it, for example `word-swap`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Swap => "swap",
            Self::Delete => "delete",
            Self::Insert => "insert",
            Self::Substitute => "substitute",
            Self::Repeat => "repeat",
            Self::Keyboard => "keyboard",
            Self::Homoglyph => "homoglyph",
            Self::Invisible => "invisible",
            Self::Reorder => "reorder",
            Self::DeletionControl => "deletion-control",
            Self::Accent => "accent",
            Self::Case => "case",
            Self::Space => "space",
            Self::Contract => "contract",
            Self::Expand => "expand",
            Self::WordDelete => "word-delete",
            Self::WordDrop => "word-drop",
            Self::WordDuplicate => "word-duplicate",
            Self::WordSwap => "word-swap",
            Self::Replace => "replace",
            Self::Append => "append",
        }
    }
}

/// One replacement in a text: the code points `start..end` become `replacement`.
///
/// Positions are code-point indexes, 0-based, of the text before any edit. `start == end` is an insertion in front of
/// `start`; an empty replacement is a removal.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Edit {
    /// Index of the first code point replaced.
    pub start: usize,
    /// Index after the last code point replaced.
    pub end: usize,
    /// What stands there afterwards.
    pub replacement: String,
    /// What the edit does.
    pub kind: EditKind,
}

impl Edit {
    /// The code points that the edit replaces.
    #[inline]
    pub const fn span(&self) -> Span {
        Span::new(self.start, self.end)
    }

    /// The edit without its own memory.
    #[inline]
    pub fn view(&self) -> EditView<'_> {
        EditView {
            start: self.start,
            end: self.end,
            replacement: &self.replacement,
            kind: self.kind,
        }
    }
}

/// An [`Edit`] whose replacement lies in memory of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EditView<'e> {
    /// Index of the first code point replaced.
    pub start: usize,
    /// Index after the last code point replaced.
    pub end: usize,
    /// What stands there afterwards.
    pub replacement: &'e str,
    /// What the edit does.
    pub kind: EditKind,
}

impl EditView<'_> {
    /// The code points that the edit replaces.
    #[inline]
    pub const fn span(self) -> Span {
        Span::new(self.start, self.end)
    }

    /// The edit with its own memory.
    pub fn to_edit(self) -> Edit {
        Edit {
            start: self.start,
            end: self.end,
            replacement: self.replacement.to_owned(),
            kind: self.kind,
        }
    }
}

/// Applies edits to a text: the text with every `start..end` replaced.
///
/// `edits` are sorted by position and don't overlap; two insertions at one place are made in the order given. Without
/// edits the text comes back unchanged.
///
/// # Errors
///
/// [`ErrorKind::InvalidOption`](crate::error::ErrorKind::InvalidOption) for edits that overlap, are out of order or
/// reach beyond the text.
///
/// ```
/// use teapot_core::perturb::{Edit, EditKind, apply};
/// let edit = Edit { start: 1, end: 3, replacement: "ab".to_owned(), kind: EditKind::Swap };
/// assert_eq!(apply("tba", &[edit])?, "tab");
/// # Ok::<(), teapot_core::error::Error>(())
/// ```
pub fn apply(text: &str, edits: &[Edit]) -> Result<String> {
    let mut result = String::with_capacity(text.len() + 16);
    walk(text, edits, |kept, _, edit| {
        result.push_str(kept);
        result.push_str(edit.map_or("", |edit| &edit.replacement));
    })?;
    Ok(result)
}

/// The edits that undo `edits`: applied to [`apply`]`(text, edits)` they give `text` back.
///
/// Each inverse keeps the kind of its edit; order is kept.
///
/// # Errors
///
/// As [`apply`].
///
/// ```
/// use teapot_core::perturb::{Edit, EditKind, apply, invert};
/// let edits = [Edit { start: 0, end: 0, replacement: "so ".to_owned(), kind: EditKind::Append }];
/// let undo = invert("it goes", &edits)?;
/// assert_eq!(apply(&apply("it goes", &edits)?, &undo)?, "it goes");
/// # Ok::<(), teapot_core::error::Error>(())
/// ```
pub fn invert(text: &str, edits: &[Edit]) -> Result<Vec<Edit>> {
    let mut inverse = Vec::with_capacity(edits.len());
    let mut position = 0;
    walk(text, edits, |kept, replaced, edit| {
        position += kept.chars().count();
        if let Some(edit) = edit {
            let start = position;
            position += edit.replacement.chars().count();
            inverse.push(Edit {
                start,
                end: position,
                replacement: replaced.to_owned(),
                kind: edit.kind,
            });
        }
    })?;
    Ok(inverse)
}

/// Checks that edits are in order, don't overlap and lie within a text.
pub(super) fn check_places(text: &ParsedText, edits: &[Edit]) -> Result<()> {
    let mut position = 0;
    for edit in edits {
        let in_order = position <= edit.start && edit.start <= edit.end;
        if !in_order || edit.end > text.characters().len() {
            return Err(misplaced(edit, position, text.text()));
        }
        position = edit.end;
    }
    Ok(())
}

/// Calls `visit` once for every edit with the text kept before it and the text that it replaces, and once more without
/// edit for the rest of the text.
fn walk<'t>(
    text: &'t str,
    edits: &[Edit],
    mut visit: impl FnMut(&'t str, &'t str, Option<&Edit>),
) -> Result<()> {
    let mut rest = text;
    let mut position = 0;
    for edit in edits {
        let (kept, replaced, after) =
            cut(rest, edit, position).ok_or_else(|| misplaced(edit, position, text))?;
        visit(kept, replaced, Some(edit));
        (rest, position) = (after, edit.end);
    }
    visit(rest, "", None);
    Ok(())
}

/// Cuts `rest`, which begins at code point `position`, at both ends of an edit.
fn cut<'t>(rest: &'t str, edit: &Edit, position: usize) -> Option<(&'t str, &'t str, &'t str)> {
    let (kept, tail) = rest.split_at(byte_offset(rest, edit.start.checked_sub(position)?)?);
    let (replaced, after) = tail.split_at(byte_offset(tail, edit.end.checked_sub(edit.start)?)?);
    Some((kept, replaced, after))
}

/// The byte at which code point `index` begins; the length of the text for the index after the last one.
fn byte_offset(text: &str, index: usize) -> Option<usize> {
    if text.is_ascii() {
        return (index <= text.len()).then_some(index);
    }
    text.char_indices().map(|(offset, _)| offset).chain([text.len()]).nth(index)
}

fn misplaced(edit: &Edit, position: usize, text: &str) -> Error {
    let length = text.chars().count();
    Error::invalid_option(
        "edits",
        format!("an edit of {}..{} after one that ends at {position}", edit.start, edit.end),
        format!("edits in order that don't overlap, within a text of {length} code points"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(start: usize, end: usize, replacement: &str) -> Edit {
        Edit { start, end, replacement: replacement.to_owned(), kind: EditKind::Replace }
    }

    #[test]
    fn positions_are_code_points() {
        let edits = [edit(0, 1, "a"), edit(2, 2, "😀"), edit(3, 4, "")];
        assert_eq!(apply("éß😁x", &edits).unwrap(), "aß😀😁");
        let undo = invert("éß😁x", &edits).unwrap();
        assert_eq!(undo, [edit(0, 1, "é"), edit(2, 3, ""), edit(4, 4, "x")]);
        assert_eq!(apply("aß😀😁", &undo).unwrap(), "éß😁x");
    }

    #[test]
    fn insertions_at_one_place_keep_their_order() {
        assert_eq!(apply("x", &[edit(0, 0, "1"), edit(0, 0, "2"), edit(0, 1, "")]).unwrap(), "12");
        assert_eq!(apply("", &[]).unwrap(), "");
    }

    #[test]
    fn misplaced_edits_are_refused() {
        for edits in
            [vec![edit(2, 3, "")], vec![edit(1, 0, "")], vec![edit(0, 2, ""), edit(1, 2, "")]]
        {
            let message = apply("é1", &edits).unwrap_err().to_string();
            assert!(message.contains("2 code points"), "{message}");
        }
    }

    #[test]
    fn kinds_have_distinct_names_in_the_order_of_their_codes() {
        for (code, kind) in EditKind::ALL.into_iter().enumerate() {
            assert_eq!(kind as usize, code);
            assert_eq!(EditKind::ALL.iter().filter(|other| other.name() == kind.name()).count(), 1);
        }
    }
}
