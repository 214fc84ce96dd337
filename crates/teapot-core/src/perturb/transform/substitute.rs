//! A character becomes a random letter.

use super::LETTERS;
use super::character::CharacterEdit;
use crate::perturb::edit::EditKind;
use crate::perturb::span::Span;

/// Replaces the character `i` of a word of at least two characters by another ASCII letter: `i` from 0 to `n - 1`, or
/// from 1 to `n - 2` when both ends are skipped. One letter is drawn for each place among those that differ from the
/// character; so there are `n` candidates at most. Source: TextAttack 0.3.11, `WordSwapRandomCharacterSubstitution`
/// (which draws among all 52 and drops a draw that changes nothing).
pub(super) struct Substitute;

impl CharacterEdit for Substitute {
    const KIND: EditKind = EditKind::Substitute;
    const DRAWN: bool = true;

    fn alternatives(&self, word: &[char], place: usize) -> usize {
        LETTERS.len() - usize::from(word[place].is_ascii_alphabetic())
    }

    fn write(&self, word: &[char], place: usize, alternative: usize, text: &mut String) -> Span {
        let own = LETTERS.iter().position(|&letter| letter == word[place]);
        let skips = own.is_some_and(|own| alternative >= own);
        text.push(LETTERS[alternative + usize::from(skips)]);
        Span::new(place, place + 1)
    }
}
