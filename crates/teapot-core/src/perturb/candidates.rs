//! Every edit that transformations allow on a text.

use crate::error::Result;
use crate::patience::Patience;
use crate::random::Key;

use super::check::Check;
use super::constraints::Constraints;
use super::edit::{Edit, EditKind, EditView, check_places};
use super::edit_list::EditList;
use super::parsed_text::ParsedText;
use super::span::Span;
use super::transform::{Draw, Transformation, WordContext};

/// A list of candidates, each one edit on a text. The memory is kept when another list is made in it.
#[derive(Clone, Debug, Default)]
pub struct Candidates {
    edits: EditList,
    words: Vec<Option<usize>>,
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
        self.edits.len()
    }

    /// Tells whether there is none.
    pub fn is_empty(&self) -> bool {
        self.edits.is_empty()
    }

    /// The candidate at a position, in the order of [`candidates`].
    #[inline]
    pub fn get(&self, index: usize) -> Option<Candidate<'_>> {
        Some(Candidate { word: *self.words.get(index)?, edit: self.edits.get(index)? })
    }

    /// The candidates in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Candidate<'_>> {
        self.words.iter().zip(self.edits.iter()).map(|(&word, edit)| Candidate { word, edit })
    }

    /// Drops all candidates.
    pub(super) fn clear(&mut self) {
        self.edits.clear();
        self.words.clear();
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
        let changes = |edit: EditView<'_>| edit.replacement != text.slice_text(edit.span());
        if self.edits.push(kind, write, changes) {
            self.words.push(word);
        }
    }

    /// Keeps the candidates from `first` on that fulfil a condition.
    pub(super) fn retain_from(
        &mut self,
        first: usize,
        mut condition: impl FnMut(Candidate<'_>) -> Result<bool>,
    ) -> Result<()> {
        let mut kept = first;
        for index in first..self.len() {
            let candidate = self.get(index).expect("the index is below the length");
            if condition(candidate)? {
                self.edits.swap(kept, index);
                self.words.swap(kept, index);
                kept += 1;
            }
        }
        self.edits.truncate(kept);
        self.words.truncate(kept);
        Ok(())
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
/// # Errors
///
/// [`ErrorKind::InvalidOption`](crate::error::ErrorKind::InvalidOption) for `edits` that overlap, are out of order or
/// reach beyond the text; [`ErrorKind::Cancelled`](crate::error::ErrorKind::Cancelled) when the patience ends.
///
/// ```
/// use teapot_core::patience::Patience;
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
///     &Patience::endless(),
///     &mut found,
/// )?;
/// let edits: Vec<_> = found.iter().map(|candidate| candidate.edit.to_edit()).collect();
/// let texts: Vec<_> = edits.iter().map(|edit| apply("a cup", std::slice::from_ref(edit)).unwrap()).collect();
/// assert_eq!(texts, ["a up", "a cp", "a cu"]);
/// # Ok::<(), teapot_core::error::Error>(())
/// ```
pub fn candidates(
    text: &ParsedText,
    transformations: &[Transformation],
    constraints: &Constraints,
    options: &CandidateOptions<'_>,
    patience: &Patience,
    found: &mut Candidates,
) -> Result<()> {
    check_places(text, options.edits)?;
    let mut check = Check::default();
    check.begin(constraints, text);
    for edit in options.edits {
        check.accept(constraints, text, edit.view(), patience)?;
    }
    candidates_with(&mut check, text, transformations, constraints, options, patience, found)
}

/// [`candidates`] with a check that has the edits made so far and keeps its memory.
pub(super) fn candidates_with(
    check: &mut Check,
    text: &ParsedText,
    transformations: &[Transformation],
    constraints: &Constraints,
    options: &CandidateOptions<'_>,
    patience: &Patience,
    found: &mut Candidates,
) -> Result<()> {
    found.clear();
    let words = match options.word {
        Some(word) => word..(word + 1).min(text.words().len()),
        None => 0..text.words().len(),
    };
    for index in words {
        if check.may_change(constraints, text, index) {
            let first = found.len();
            let context = WordContext { text, index, made: check.edits() };
            for transformation in transformations.iter().enumerate() {
                word_candidates_of(context, transformation, options.key, found);
            }
            found.retain_from(first, |candidate| {
                check.holds(constraints, text, candidate.edit, patience)
            })?;
        }
    }
    if options.word.is_none() {
        let first = found.len();
        for (position, transformation) in transformations.iter().enumerate() {
            let draw = Draw::new(options.key, None, position);
            transformation.generate_for_text(text, draw, found);
        }
        found.retain_from(first, |candidate| {
            check.holds(constraints, text, candidate.edit, patience)
        })?;
    }
    Ok(())
}

/// Adds the candidates of one word by one transformation and its position in the list, whatever the constraints say.
pub(super) fn word_candidates_of(
    context: WordContext<'_>,
    (position, transformation): (usize, &Transformation),
    key: Key,
    found: &mut Candidates,
) {
    if transformation.is_of_words() {
        let draw = Draw::new(key, Some(context.index), position);
        transformation.generate(context, draw, found);
    }
}
