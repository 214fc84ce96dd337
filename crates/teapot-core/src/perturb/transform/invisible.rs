//! An invisible character is put in.

use std::ops::Range;

use super::character::{CharacterEdit, CharacterOptions};
use crate::perturb::edit::EditKind;
use crate::perturb::span::Span;

/// Zero width space, zero width non-joiner, zero width joiner.
const INVISIBLE: [char; 3] = ['\u{200b}', '\u{200c}', '\u{200d}'];

/// Puts one of three invisible characters between the characters `i - 1` and `i` of a word: `i` from 1 to `n - 1`, from
/// 2 or to `n - 2` when an end is skipped. A word has `3 (n - 1)` candidates. Source: Boucher et al., *Bad characters*,
/// 2021; TextAttack 0.3.11, `WordSwapInvisibleCharacters`.
pub(super) struct Invisible;

impl CharacterEdit for Invisible {
    const KIND: EditKind = EditKind::Invisible;

    fn places(&self, length: usize, options: CharacterOptions) -> Range<usize> {
        between(length, options)
    }

    fn alternatives(&self, _: &[char], _: usize) -> usize {
        INVISIBLE.len()
    }

    fn write(&self, _: &[char], place: usize, alternative: usize, text: &mut String) -> Span {
        text.push(INVISIBLE[alternative]);
        Span::new(place, place)
    }
}

/// The places between two characters of a word; an end that is skipped keeps its neighbour.
pub(super) fn between(length: usize, options: CharacterOptions) -> Range<usize> {
    1 + usize::from(options.skip_first)..length.saturating_sub(usize::from(options.skip_last))
}
