//! A character is doubled.

use super::character::CharacterEdit;
use crate::perturb::edit::EditKind;
use crate::perturb::span::Span;

/// Doubles the character `i` of a word of any length: `i` from 0 to `n - 1`, or from 1 to `n - 2` when both ends are
/// skipped. Of equal neighbours only the first place counts, since each gives the same word; so there are `n`
/// candidates at most. A slip of the typist's finger.
pub(super) struct Repeat {
    /// The first place that may be edited: an equal character before it can't stand for it.
    pub first: usize,
}

impl CharacterEdit for Repeat {
    const KIND: EditKind = EditKind::Repeat;
    const MIN_LENGTH: usize = 1;

    fn alternatives(&self, word: &[char], place: usize) -> usize {
        usize::from(place <= self.first || word[place - 1] != word[place])
    }

    fn write(&self, word: &[char], place: usize, _: usize, text: &mut String) -> Span {
        text.push(word[place]);
        Span::new(place, place)
    }
}
