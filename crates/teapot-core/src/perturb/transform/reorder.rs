//! Two characters change places in memory but not on the screen.

use std::ops::Range;

use super::character::{CharacterEdit, CharacterOptions};
use super::swap::Swap;
use crate::perturb::edit::EditKind;
use crate::perturb::span::Span;

/// Left-to-right override.
const LRO: char = '\u{202d}';
/// Right-to-left override.
const RLO: char = '\u{202e}';
/// Pop directional formatting: ends an override.
const PDF: char = '\u{202c}';
/// Left-to-right isolate.
const LRI: char = '\u{2066}';
/// Pop directional isolate.
const PDI: char = '\u{2069}';

/// Writes the characters `i + 1` and `i` of a word between bidirectional controls that display them in their old order:
/// `i` from 0 to `n - 2`, or from 1 to `n - 3` when both ends are skipped. A word has `n - 1` candidates at most: equal
/// neighbours are left out, as for a swap. Source: Boucher et al., *Bad characters*, 2021; TextAttack 0.3.11,
/// `WordSwapReorderings`.
pub(super) struct Reorder;

impl CharacterEdit for Reorder {
    const KIND: EditKind = EditKind::Reorder;

    fn places(&self, length: usize, options: CharacterOptions) -> Range<usize> {
        Swap.places(length, options)
    }

    fn alternatives(&self, word: &[char], place: usize) -> usize {
        Swap.alternatives(word, place)
    }

    fn write(&self, word: &[char], place: usize, _: usize, text: &mut String) -> Span {
        let [first, second] = [word[place + 1], word[place]];
        text.extend([LRO, LRI, RLO, LRI, first, PDI, LRI, second, PDI, PDF, PDI, PDF]);
        Span::new(place, place + 2)
    }
}
