//! Letters change their case.

use super::WordContext;
use super::character::CharacterEdit;
use crate::perturb::candidates::Candidates;
use crate::perturb::edit::EditKind;
use crate::perturb::span::Span;

/// What changes its case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum CaseMode {
    /// One letter takes the other case; a word has a candidate for each letter.
    #[default]
    Letter,
    /// The whole word in capitals.
    Upper,
    /// The whole word in small letters.
    Lower,
    /// The first letter as a capital, the others small.
    Title,
    /// Every letter in the other case.
    Swap,
}

/// One letter in the other case: the place `i` from 0 to `n - 1`, or from 1 to `n - 2` when both ends are skipped.
/// Characters without another case are never drawn. Case is Unicode's; a letter may become several (`ß`, `SS`).
pub(super) struct CaseLetter;

impl CharacterEdit for CaseLetter {
    const KIND: EditKind = EditKind::Case;
    const MIN_LENGTH: usize = 1;

    fn alternatives(&self, word: &[char], place: usize) -> usize {
        usize::from(!other_case(word[place]).eq([word[place]]))
    }

    fn write(&self, word: &[char], place: usize, _: usize, text: &mut String) -> Span {
        text.extend(other_case(word[place]));
        Span::new(place, place + 1)
    }
}

/// Makes the one candidate of a mode that changes the whole word; a word that is in that case already has none.
pub(super) fn generate(mode: CaseMode, context: WordContext<'_>, candidates: &mut Candidates) {
    let characters = context.characters().iter().copied();
    candidates.push(context.text, Some(context.index), EditKind::Case, |text| {
        match mode {
            CaseMode::Letter => text.extend(characters),
            CaseMode::Upper => text.extend(characters.flat_map(char::to_uppercase)),
            CaseMode::Lower => text.extend(characters.flat_map(char::to_lowercase)),
            CaseMode::Title => {
                text.extend(characters.clone().take(1).flat_map(char::to_uppercase));
                text.extend(characters.skip(1).flat_map(char::to_lowercase));
            }
            CaseMode::Swap => text.extend(characters.flat_map(other_case)),
        }
        context.span()
    });
}

fn other_case(character: char) -> impl Iterator<Item = char> + Clone {
    let is_upper = character.is_uppercase();
    let lower = is_upper.then(|| character.to_lowercase()).into_iter().flatten();
    lower.chain((!is_upper).then(|| character.to_uppercase()).into_iter().flatten())
}
