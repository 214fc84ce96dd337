//! Many edits in two pieces of memory, so that inner loops allocate nothing.

use std::ops::Range;

use super::edit::{EditKind, EditView};
use super::span::Span;

/// A list of edits whose replacements lie in one text.
#[derive(Clone, Debug, Default)]
pub(super) struct EditList {
    items: Vec<Item>,
    replacements: String,
}

#[derive(Clone, Debug)]
struct Item {
    span: Span,
    kind: EditKind,
    replacement: Range<usize>,
}

impl EditList {
    pub fn len(&self) -> usize {
        self.items.len()
    }

    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    pub fn clear(&mut self) {
        self.items.clear();
        self.replacements.clear();
    }

    #[inline]
    pub fn get(&self, index: usize) -> Option<EditView<'_>> {
        self.items.get(index).map(|item| self.view(item))
    }

    pub fn iter(&self) -> impl ExactSizeIterator<Item = EditView<'_>> {
        self.items.iter().map(|item| self.view(item))
    }

    #[inline]
    fn view(&self, item: &Item) -> EditView<'_> {
        let replacement = self.replacements.get(item.replacement.clone()).unwrap_or_default();
        let Span { start, end } = item.span;
        EditView { start, end, replacement, kind: item.kind }
    }

    /// Adds the edit whose replacement `write` writes and whose span it returns, if `keep` agrees.
    #[inline]
    pub fn push(
        &mut self,
        kind: EditKind,
        write: impl FnOnce(&mut String) -> Span,
        keep: impl FnOnce(EditView<'_>) -> bool,
    ) -> bool {
        let before = self.replacements.len();
        let span = write(&mut self.replacements);
        let item = Item { span, kind, replacement: before..self.replacements.len() };
        let kept = keep(self.view(&item));
        if kept {
            self.items.push(item);
        } else {
            self.replacements.truncate(before);
        }
        kept
    }

    /// Exchanges two edits.
    pub fn swap(&mut self, left: usize, right: usize) {
        self.items.swap(left, right);
    }

    /// Drops the edits from `length` on.
    pub fn truncate(&mut self, length: usize) {
        self.items.truncate(length);
    }
}
