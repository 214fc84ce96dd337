//! What all edits of single characters have in common: which places of a word they may take, and how many of them.

use std::ops::Range;

use crate::random::Generator;

use super::{Draw, WordContext};
use crate::perturb::candidates::Candidates;
use crate::perturb::edit::EditKind;
use crate::perturb::span::Span;

/// Which of a word's candidates are made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Choice {
    /// One for each word: a place drawn at random among those whose edit changes the word, then one of its
    /// alternatives, all equally likely. (TextAttack's `random_one` draws among all places, and a draw that changes
    /// nothing gives no candidate.)
    #[default]
    RandomOne,
    /// Every place of the word with every alternative, in order.
    All,
}

/// Parameters of a transformation of characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CharacterOptions {
    /// One random candidate a word, or all.
    pub choice: Choice,
    /// Leaves the first character of a word alone.
    pub skip_first: bool,
    /// Leaves the last character of a word alone.
    pub skip_last: bool,
}

impl CharacterOptions {
    /// Every place but the ends of the word.
    pub const fn inner(choice: Choice) -> Self {
        Self { choice, skip_first: true, skip_last: true }
    }
}

/// An edit at one place of a word.
pub(super) trait CharacterEdit {
    /// What the edit does.
    const KIND: EditKind;
    /// Fewest characters of a word that is edited.
    const MIN_LENGTH: usize = 2;
    /// With [`Choice::All`], one alternative is drawn for each place instead of taking them all.
    const DRAWN: bool = false;

    /// The places of a word of this length.
    fn places(&self, length: usize, options: CharacterOptions) -> Range<usize> {
        usize::from(options.skip_first)..length.saturating_sub(usize::from(options.skip_last))
    }

    /// Number of different edits at a place; 0 where none changes the word.
    fn alternatives(&self, word: &[char], place: usize) -> usize;

    /// The edit: what is replaced, counted from the beginning of the word, and what is written instead.
    fn write(&self, word: &[char], place: usize, alternative: usize, text: &mut String) -> Span;
}

/// Makes the candidates of one word.
pub(super) fn generate<E: CharacterEdit>(
    edit: &E,
    options: CharacterOptions,
    context: WordContext<'_>,
    draw: Draw,
    candidates: &mut Candidates,
) {
    let word = context.characters();
    if word.len() < E::MIN_LENGTH {
        return;
    }
    let places = edit.places(word.len(), options);
    let mut push = |place: usize, alternative: usize| {
        let start = context.span().start;
        candidates.push(context.text, Some(context.index), E::KIND, |text| {
            let span = edit.write(word, place, alternative, text);
            Span::new(start + span.start, start + span.end)
        });
    };
    match options.choice {
        Choice::RandomOne => {
            let mut generator = draw.generator();
            if let Some((place, count)) = draw_place(edit, word, places, &mut generator) {
                push(place, generator.below(count));
            }
        }
        Choice::All if E::DRAWN => {
            let mut generator = draw.generator();
            for place in places {
                let count = edit.alternatives(word, place);
                if count > 0 {
                    push(place, generator.below(count));
                }
            }
        }
        Choice::All => {
            for place in places {
                (0..edit.alternatives(word, place))
                    .for_each(|alternative| push(place, alternative));
            }
        }
    }
}

/// One of the places that have alternatives, with their number.
fn draw_place<E: CharacterEdit>(
    edit: &E,
    word: &[char],
    places: Range<usize>,
    generator: &mut Generator,
) -> Option<(usize, usize)> {
    let eligible = |&place: &usize| edit.alternatives(word, place) > 0;
    let count = places.clone().filter(eligible).count();
    let place = places.filter(eligible).nth(generator.below(count))?;
    Some((place, edit.alternatives(word, place)))
}
