//! Two neighbouring characters change places.

use std::ops::Range;

use super::character::{CharacterEdit, CharacterOptions};
use crate::perturb::edit::EditKind;
use crate::perturb::span::Span;

/// Exchanges the characters `i` and `i + 1` of a word of `n` characters: `i` from 0 to `n - 2`, or from 1 to `n - 3`
/// when both ends are skipped. Pairs of equal characters are left out, since nothing would change; so a word of `n`
/// different neighbours has `n - 1` candidates. Source: TextAttack 0.3.11, `WordSwapNeighboringCharacterSwap`.
pub(super) struct Swap;

impl CharacterEdit for Swap {
    const KIND: EditKind = EditKind::Swap;

    fn places(&self, length: usize, options: CharacterOptions) -> Range<usize> {
        usize::from(options.skip_first)..length.saturating_sub(1 + usize::from(options.skip_last))
    }

    fn alternatives(&self, word: &[char], place: usize) -> usize {
        usize::from(word[place] != word[place + 1])
    }

    fn write(&self, word: &[char], place: usize, _: usize, text: &mut String) -> Span {
        text.extend([word[place + 1], word[place]]);
        Span::new(place, place + 2)
    }
}
