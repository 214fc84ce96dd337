//! Every edit that transformations allow on a text.

use std::ops::Range;

use crate::random::Key;

use super::constraints::Constraints;
use super::edit::{Edit, EditKind, EditView};
use super::parsed_text::ParsedText;
use super::span::Span;
use super::transform::{Draw, Transformation, WordContext};

/// A list of candidates, each one edit on a text. The memory is kept when another list is made in it.
#[derive(Clone, Debug, Default)]
pub struct Candidates {
    items: Vec<Item>,
    replacements: String,
}

/// A candidate; its replacement lies in the common memory.
#[derive(Clone, Debug)]
struct Item {
    span: Span,
    word: Option<usize>,
    kind: EditKind,
    replacement: Range<usize>,
}

/// One candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate<'c> {
    /// The word that it changes; the first one of two; `None` where it changes the text as a whole.
    pub word: Option<usize>,
    /// The edit on the text.
    pub edit: EditView<'c>,
}

impl Candidates {
    /// Number of candidates.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Tells whether there is none.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The candidate at a position, in the order of [`candidates`].
    #[inline]
    pub fn get(&self, index: usize) -> Option<Candidate<'_>> {
        self.items.get(index).map(|item| self.view(item))
    }

    /// The candidates in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Candidate<'_>> {
        self.items.iter().map(|item| self.view(item))
    }

    #[inline]
    fn view(&self, item: &Item) -> Candidate<'_> {
        let replacement = self.replacements.get(item.replacement.clone()).unwrap_or_default();
        let Span { start, end } = item.span;
        Candidate { word: item.word, edit: EditView { start, end, replacement, kind: item.kind } }
    }

    /// Drops all candidates.
    pub(super) fn clear(&mut self) {
        self.items.clear();
        self.replacements.clear();
    }

    /// Adds the edit whose replacement `write` writes and whose span it returns, unless it changes nothing.
    #[inline]
    pub(super) fn push(
        &mut self,
        text: &ParsedText,
        word: Option<usize>,
        kind: EditKind,
        write: impl FnOnce(&mut String) -> Span,
    ) {
        let before = self.replacements.len();
        let span = write(&mut self.replacements);
        let replacement = before..self.replacements.len();
        if self.replacements.get(replacement.clone()) == Some(text.slice_text(span)) {
            self.replacements.truncate(before);
        } else {
            self.items.push(Item { span, word, kind, replacement });
        }
    }

    /// Keeps the candidates from `first` on that fulfil a condition.
    fn retain_from(&mut self, first: usize, mut condition: impl FnMut(Candidate<'_>) -> bool) {
        let mut kept = first;
        for index in first..self.items.len() {
            if self.get(index).is_some_and(&mut condition) {
                self.items.swap(kept, index);
                kept += 1;
            }
        }
        self.items.truncate(kept);
    }
}

/// What [`candidates`] needs besides text and transformations.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct CandidateOptions<'o> {
    /// What random choices depend on: seed, item, and whatever else is to have draws of its own.
    pub key: Key,
    /// Only the candidates of this word; those of the text as a whole are left out. They are the same as among all.
    pub word: Option<usize>,
    /// Edits already made, in order: candidates are added to them, and no word that they changed is changed again.
    pub edits: &'o [Edit],
}

/// Makes the candidates of a text: every edit of every transformation that changes the text and fulfils the constraints.
///
/// Candidates come in the order of their word; those of one word in the order of the transformations; those of one
/// transformation by their place in the word, then in the order of its table. Candidates of the text as a whole come
/// last. Two candidates may give the same text by different edits. Random choices of a word depend on nothing but the
/// key, the word's index and the transformation's position in the list, so the candidates of one word are the same
/// whether asked alone or among all. The result is empty for a text without words that can be changed.
///
/// ```
/// use teapot_core::perturb::*;
/// let text = ParsedText::new("a cup", &Protection::default());
/// let mut found = Candidates::default();
/// let mut options = CharacterOptions::default();
/// options.choice = Choice::All;
/// candidates(
///     &text,
///     &[Transformation::Delete(options)],
///     &Constraints::default(),
///     &CandidateOptions::default(),
///     &mut found,
/// );
/// let edits: Vec<_> = found.iter().map(|candidate| candidate.edit.to_edit()).collect();
/// let texts: Vec<_> = edits.iter().map(|edit| apply("a cup", std::slice::from_ref(edit)).unwrap()).collect();
/// assert_eq!(texts, ["a up", "a cp", "a cu"]);
/// ```
pub fn candidates(
    text: &ParsedText,
    transformations: &[Transformation],
    constraints: &Constraints,
    options: &CandidateOptions<'_>,
    found: &mut Candidates,
) {
    found.clear();
    let words = match options.word {
        Some(word) => word..(word + 1).min(text.words().len()),
        None => 0..text.words().len(),
    };
    let mut check = constraints.check(text, options.edits);
    for index in words {
        if !check.may_change(index) {
            continue;
        }
        let first = found.len();
        let context = WordContext { text, index };
        for (position, transformation) in transformations.iter().enumerate() {
            if transformation.is_of_words() {
                let draw = Draw::new(options.key, Some(index), position);
                transformation.generate(context, draw, found);
            }
        }
        found.retain_from(first, |candidate| check.holds(candidate.edit));
    }
    if options.word.is_none() {
        let first = found.len();
        for (position, transformation) in transformations.iter().enumerate() {
            let draw = Draw::new(options.key, None, position);
            transformation.generate_for_text(text, draw, found);
        }
        found.retain_from(first, |candidate| check.holds(candidate.edit));
    }
}
