//! A character becomes one that looks like it.

use super::character::CharacterEdit;
use crate::perturb::edit::EditKind;
use crate::perturb::homoglyphs::HomoglyphTable;
use crate::perturb::span::Span;

/// Replaces the character `i` of a word of any length by a look-alike: `i` from 0 to `n - 1`, or from 1 to `n - 2` when
/// both ends are skipped. Characters that the table doesn't have are never drawn; each other one has one look-alike
/// ([`HomoglyphTable::TextAttack`]) or up to two ([`HomoglyphTable::Intentional`]). Source: TextAttack 0.3.11,
/// `WordSwapHomoglyphSwap`; Boucher et al., *Bad characters*, 2021.
pub(super) struct Homoglyph {
    /// Which characters look alike.
    pub table: HomoglyphTable,
}

impl CharacterEdit for Homoglyph {
    const KIND: EditKind = EditKind::Homoglyph;
    const MIN_LENGTH: usize = 1;

    fn alternatives(&self, word: &[char], place: usize) -> usize {
        self.table.of(word[place]).count()
    }

    fn write(&self, word: &[char], place: usize, alternative: usize, text: &mut String) -> Span {
        text.extend(self.table.of(word[place]).nth(alternative));
        Span::new(place, place + 1)
    }
}
