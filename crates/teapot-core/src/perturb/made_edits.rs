//! The edits made so far on a text, in order: found, added and undone without going through them.

use std::collections::BTreeMap;
use std::ops::Range;

use super::edit::{EditKind, EditView};
use super::parsed_text::ParsedText;
use super::span::Span;

/// Edits that don't overlap, by their place: a text of a megabyte may have a hundred thousand.
#[derive(Debug, Default)]
pub(super) struct MadeEdits {
    /// An insertion comes before a replacement that starts at the same place.
    edits: BTreeMap<Span, (EditKind, Range<usize>)>,
    replacements: String,
}

impl Clone for MadeEdits {
    fn clone(&self) -> Self {
        Self { edits: self.edits.clone(), replacements: self.replacements.clone() }
    }

    fn clone_from(&mut self, source: &Self) {
        self.edits.clone_from(&source.edits);
        self.replacements.clone_from(&source.replacements);
    }
}

impl MadeEdits {
    pub fn clear(&mut self) {
        self.edits.clear();
        self.replacements.clear();
    }

    /// The edits in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = EditView<'_>> {
        self.edits.iter().map(|(span, made)| self.view(*span, made))
    }

    fn view(&self, Span { start, end }: Span, made: &(EditKind, Range<usize>)) -> EditView<'_> {
        let replacement = &self.replacements[made.1.clone()];
        EditView { start, end, replacement, kind: made.0 }
    }

    /// Adds an edit that overlaps none of those made; another insertion at the same place comes after the first.
    pub fn insert(&mut self, edit: EditView<'_>) {
        let start = self.replacements.len();
        if let Some((_, made)) = self.edits.get(&edit.span()) {
            let earlier = self.replacements[made.clone()].to_owned();
            self.replacements.push_str(&earlier);
        }
        self.replacements.push_str(edit.replacement);
        self.edits.insert(edit.span(), (edit.kind, start..self.replacements.len()));
    }

    /// The edits that overlap a span or stand at its edges, last one first.
    pub fn around(&self, span: Span) -> impl Iterator<Item = EditView<'_>> {
        self.edits
            .range(..=Span::new(span.end, usize::MAX))
            .rev()
            .take_while(move |(made, _)| made.end >= span.start)
            .map(|(span, made)| self.view(*span, made))
    }

    /// Appends the text with these edits and one more, which overlaps none of them.
    pub fn write_with(&self, text: &ParsedText, edit: EditView<'_>, result: &mut String) {
        text.write_edited(self.with(edit, 0), result);
    }

    /// These edits from a place on, which lies before none that spans it, with one more that overlaps none of them.
    pub fn with<'m>(
        &'m self,
        edit: EditView<'m>,
        from: usize,
    ) -> impl Iterator<Item = EditView<'m>> {
        let view = |(span, made): (&Span, &'m (EditKind, Range<usize>))| self.view(*span, made);
        let before = self.edits.range(Span::new(from, from)..edit.span()).map(view);
        before.chain([edit]).chain(self.edits.range(edit.span()..).map(view))
    }
}
