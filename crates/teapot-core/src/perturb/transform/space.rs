//! A space is put into a word.

use std::ops::Range;

use super::character::{CharacterEdit, CharacterOptions};
use super::invisible::between;
use crate::perturb::edit::EditKind;
use crate::perturb::span::Span;

/// Puts a space between the characters `i - 1` and `i` of a word: `i` from 1 to `n - 1`, or to `n - 2` when the last
/// character is skipped. Skipping the first character changes nothing, since a space never stands in front of a word;
/// so a word has `n - 1` candidates, or `n - 2` as in TextBugger. Source: TextAttack 0.3.11, recipe TextBugger
/// (`WordSwapRandomCharacterInsertion` with a space).
pub(super) struct Space;

impl CharacterEdit for Space {
    const KIND: EditKind = EditKind::Space;

    fn places(&self, length: usize, options: CharacterOptions) -> Range<usize> {
        between(length, CharacterOptions { skip_first: false, ..options })
    }

    fn alternatives(&self, _: &[char], _: usize) -> usize {
        1
    }

    fn write(&self, _: &[char], place: usize, _: usize, text: &mut String) -> Span {
        text.push(' ');
        Span::new(place, place)
    }
}
