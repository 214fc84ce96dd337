//! A character and a control that deletes it are put in.

use std::ops::Range;

use super::character::{CharacterEdit, CharacterOptions};
use crate::perturb::edit::EditKind;
use crate::perturb::span::Span;

/// Backspace.
const CONTROL: char = '\u{8}';
/// The printable ASCII characters but the space.
const PRINTABLE: std::ops::RangeInclusive<u8> = b'!'..=b'~';

/// Puts a printable ASCII character and a backspace in front of the character `i` of a word of any length: `i` from 0
/// to `n`, from 1 or to `n - 1` when an end is skipped. There are 94 characters; one is drawn for each place, so a word
/// has `n + 1` candidates (TextAttack makes all 94 for each place). Carriage returns, which also appear in the
/// literature, are not used: they would break lines. Source: Boucher et al., *Bad characters*, 2021; TextAttack
/// 0.3.11, `WordSwapDeletions`.
pub(super) struct DeletionControl;

impl CharacterEdit for DeletionControl {
    const KIND: EditKind = EditKind::DeletionControl;
    const MIN_LENGTH: usize = 1;
    const DRAWN: bool = true;

    fn places(&self, length: usize, options: CharacterOptions) -> Range<usize> {
        usize::from(options.skip_first)..(length + 1).saturating_sub(usize::from(options.skip_last))
    }

    fn alternatives(&self, _: &[char], _: usize) -> usize {
        PRINTABLE.len()
    }

    fn write(&self, _: &[char], place: usize, alternative: usize, text: &mut String) -> Span {
        text.extend(PRINTABLE.clone().nth(alternative).map(char::from));
        text.push(CONTROL);
        Span::new(place, place)
    }
}
