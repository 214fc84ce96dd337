//! A character is removed.

use super::character::CharacterEdit;
use crate::perturb::edit::EditKind;
use crate::perturb::span::Span;

/// Removes the character `i` of a word of at least two characters: `i` from 0 to `n - 1`, or from 1 to `n - 2` when
/// both ends are skipped. Of equal neighbours only the first place counts, since each gives the same word; so there are
/// `n` candidates at most. Source: TextAttack 0.3.11, `WordSwapRandomCharacterDeletion`.
pub(super) struct Delete {
    /// The first place that may be edited: an equal character before it can't stand for it.
    pub first: usize,
}

impl CharacterEdit for Delete {
    const KIND: EditKind = EditKind::Delete;

    fn alternatives(&self, word: &[char], place: usize) -> usize {
        usize::from(place <= self.first || word[place - 1] != word[place])
    }

    fn write(&self, _: &[char], place: usize, _: usize, _: &mut String) -> Span {
        Span::new(place, place + 1)
    }
}
