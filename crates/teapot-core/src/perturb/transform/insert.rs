//! A letter is put in.

use super::LETTERS;
use super::character::CharacterEdit;
use crate::perturb::edit::EditKind;
use crate::perturb::span::Span;

/// Puts one of the 52 ASCII letters in front of the character `i` of a word of at least two characters: `i` from 0 to
/// `n - 1`, never behind the last one, or from 1 to `n - 2` when both ends are skipped. One letter is drawn for each
/// place; so there are `n` candidates at most. Source: TextAttack 0.3.11, `WordSwapRandomCharacterInsertion`.
pub(super) struct Insert;

impl CharacterEdit for Insert {
    const KIND: EditKind = EditKind::Insert;
    const DRAWN: bool = true;

    fn alternatives(&self, _: &[char], _: usize) -> usize {
        LETTERS.len()
    }

    fn write(&self, _: &[char], place: usize, alternative: usize, text: &mut String) -> Span {
        text.push(LETTERS[alternative]);
        Span::new(place, place)
    }
}
