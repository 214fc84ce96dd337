//! Whether a text with some edits fulfils constraints with one more.
//!
//! Edit distances and changed words are bounded by the sum of what each edit costs, in constant time a candidate: a few
//! edits are refused that an alignment of the whole texts would allow, and no edit is allowed that it would refuse. The
//! similarity takes the whole text; see [`Check::settle`] for long ones.

use crate::error::Result;
use crate::patience::Patience;

use super::constraints::Constraints;
use super::edit::{EditKind, EditView};
use super::made_edits::MadeEdits;
use super::parsed_text::ParsedText;
use super::similarity::PreparedText;
use super::span::Span;
use super::word_cost::WordCosts;

/// About how many nanoseconds it takes to look at a candidate.
const CANDIDATE_STEPS: usize = 200;

/// The edits made so far on a text, and what is needed to judge another one. The memory is kept for the next text.
#[derive(Default)]
pub(super) struct Check {
    made: Made,
    /// What was made when the similarity was looked at last.
    settled: Made,
    /// Edits made between two looks at the similarity; up to 1: it is looked at for every candidate.
    batch: usize,
    /// Edits made since the last look.
    pending: usize,
    /// The text under test; written only for conditions that need it.
    edited: String,
    /// The original prepared for the similarity, made when first needed.
    original: Option<Box<dyn PreparedText>>,
}

/// Edits and what they cost.
#[derive(Debug, Default)]
struct Made {
    edits: MadeEdits,
    /// Upper bound of the edit distance that the edits cause.
    cost: usize,
    /// Words that the edits take away.
    removed: usize,
    /// Counted only where the constraints bound the number of words.
    words: WordCosts,
}

impl Made {
    fn copy_from(&mut self, other: &Self) {
        self.edits.clone_from(&other.edits);
        self.cost = other.cost;
        self.removed = other.removed;
        self.words.clone_from(&other.words);
    }
}

impl Check {
    /// Turns to a text without edits.
    pub fn begin(&mut self, constraints: &Constraints, text: &ParsedText) {
        self.made.edits.clear();
        self.made.cost = 0;
        self.made.removed = 0;
        if constraints.bound_words() {
            self.made.words.start(text);
        }
        self.batch = 1;
        self.original = None;
    }

    /// The edits made so far, in order.
    pub fn edits(&self) -> &MadeEdits {
        &self.made.edits
    }

    /// From now on the similarity is looked at after each `batch` edits, not for every candidate, unless `batch` is 1.
    pub fn look_after(&mut self, batch: usize) {
        self.batch = batch;
        self.pending = 0;
        if batch > 1 {
            self.settled.copy_from(&self.made);
        }
    }

    /// Makes an edit that [`Check::holds`] has allowed.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Cancelled`](crate::error::ErrorKind::Cancelled) when the patience ends.
    pub fn accept(
        &mut self,
        constraints: &Constraints,
        text: &ParsedText,
        edit: EditView<'_>,
        patience: &Patience,
    ) -> Result<()> {
        if constraints.bound_words() {
            self.made.words.accept(text, edit, patience)?;
        }
        self.made.cost += edit_cost(text, edit);
        self.made.removed += usize::from(removes_word(edit));
        self.made.edits.insert(edit);
        self.pending += 1;
        Ok(())
    }

    /// Looks at the similarity where it is time to, or `at_end` if any edit is left to be looked at; undoes the edits
    /// made since the last look if they make the text too unlike. Tells how many were undone.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Cancelled`](crate::error::ErrorKind::Cancelled) when the patience ends.
    pub fn settle(
        &mut self,
        constraints: &Constraints,
        text: &ParsedText,
        at_end: bool,
        patience: &Patience,
    ) -> Result<usize> {
        let Some((limit, _)) = &constraints.min_similarity else { return Ok(0) };
        if self.batch <= 1 || self.pending < if at_end { 1 } else { self.batch } {
            return Ok(0);
        }
        self.edited.clear();
        text.write_edited(self.made.edits.iter(), &mut self.edited);
        let edited = std::mem::take(&mut self.edited);
        let similarity = self.similarity(constraints, text, &edited, patience)?;
        self.edited = edited;
        let undone = if similarity.is_some_and(|similarity| similarity < *limit) {
            self.made.copy_from(&self.settled);
            self.pending
        } else {
            self.settled.copy_from(&self.made);
            0
        };
        self.pending = 0;
        Ok(undone)
    }

    /// Tells whether a word may be changed at all.
    pub fn may_change(&self, constraints: &Constraints, text: &ParsedText, index: usize) -> bool {
        text.words().get(index).is_some_and(|&word| {
            is_allowed(constraints, text, index, word)
                && !self.made.edits.around(word).any(|edit| touches(edit.span(), word))
        })
    }

    /// Tells whether the text may have this edit besides those made already.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Cancelled`](crate::error::ErrorKind::Cancelled) when the patience ends.
    pub fn holds(
        &mut self,
        constraints: &Constraints,
        text: &ParsedText,
        edit: EditView<'_>,
        patience: &Patience,
    ) -> Result<bool> {
        patience.spend(CANDIDATE_STEPS)?;
        Ok(!text.is_protected(edit)
            && !self.made.edits.around(edit.span()).any(|made| collides(made, edit))
            && self.leaves_a_word(text, edit)
            && self.is_near(constraints, text, edit)
            && self.is_aligned(constraints, text, edit, patience)?
            && (self.batch > 1 || self.is_similar(constraints, text, edit, patience)?))
    }

    /// The last word stays: a text without words is no input.
    fn leaves_a_word(&self, text: &ParsedText, edit: EditView<'_>) -> bool {
        !removes_word(edit) || self.made.removed + 1 < text.words().len()
    }

    fn is_near(&self, constraints: &Constraints, text: &ParsedText, edit: EditView<'_>) -> bool {
        let limit = constraints.max_edit_distance;
        limit.is_none_or(|limit| self.made.cost + edit_cost(text, edit) <= limit)
    }

    fn is_aligned(
        &mut self,
        constraints: &Constraints,
        text: &ParsedText,
        edit: EditView<'_>,
        patience: &Patience,
    ) -> Result<bool> {
        if !constraints.bound_words() {
            return Ok(true);
        }
        let changed = self.made.words.with(text, edit, patience)?;
        Ok(constraints.allow_words(changed, text.words().len()))
    }

    fn is_similar(
        &mut self,
        constraints: &Constraints,
        text: &ParsedText,
        edit: EditView<'_>,
        patience: &Patience,
    ) -> Result<bool> {
        let Some((limit, _)) = &constraints.min_similarity else { return Ok(true) };
        let mut edited = std::mem::take(&mut self.edited);
        edited.clear();
        self.made.edits.write_with(text, edit, &mut edited);
        let similarity = self.similarity(constraints, text, &edited, patience)?;
        self.edited = edited;
        Ok(similarity.is_none_or(|similarity| similarity >= *limit))
    }

    /// The similarity of an edited text to the original, where the constraints bound it.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Cancelled`](crate::error::ErrorKind::Cancelled) when the patience ends.
    pub fn similarity(
        &mut self,
        constraints: &Constraints,
        text: &ParsedText,
        edited: &str,
        patience: &Patience,
    ) -> Result<Option<f64>> {
        let Some((_, similarity)) = &constraints.min_similarity else { return Ok(None) };
        patience.spend(edited.len())?;
        let original = self.original.get_or_insert_with(|| similarity.prepare(text.text()));
        original.similarity(edited, patience).map(Some)
    }
}

/// Tells whether a word may be changed in a text without edits.
pub(super) fn is_allowed(
    constraints: &Constraints,
    text: &ParsedText,
    index: usize,
    word: Span,
) -> bool {
    let is_stop_word = || {
        constraints.stop_words.as_ref().is_some_and(|words| words.contains(text.slice_text(word)))
    };
    word.len() >= constraints.min_word_length && !text.is_protected_word(index) && !is_stop_word()
}

/// Tells whether an edit takes a word away.
fn removes_word(edit: EditView<'_>) -> bool {
    matches!(edit.kind, EditKind::WordDelete | EditKind::WordDrop)
}

/// Upper bound of the edit distance that an edit causes: the longer of both sides without their common ends.
fn edit_cost(text: &ParsedText, edit: EditView<'_>) -> usize {
    let old = text.slice(edit.span());
    let new = edit.replacement.chars();
    let lengths = [old.len(), new.clone().count()];
    let start = old.iter().zip(new.clone()).take_while(|(old, new)| *old == new).count();
    let ends = old.iter().rev().zip(new.rev()).take_while(|(old, new)| *old == new).count();
    let end = ends.min(lengths[0].min(lengths[1]) - start);
    lengths[0].max(lengths[1]) - start - end
}

/// Tells whether an edit lies on a word: replaces a part of it, or stands inside it or at its edge.
fn touches(edit: Span, word: Span) -> bool {
    if edit.is_empty() {
        word.start <= edit.start && edit.start <= word.end
    } else {
        edit.overlaps(word)
    }
}

/// Tells whether two edits can't be made together: they replace a common character, or one stands inside the other, or
/// both are insertions at one place.
fn collides(made: EditView<'_>, edit: EditView<'_>) -> bool {
    let (left, right) = (made.span(), edit.span());
    match (left.is_empty(), right.is_empty()) {
        (true, true) => left.start == right.start,
        (true, false) => right.start < left.start && left.start < right.end,
        (false, true) => left.start < right.start && right.start < left.end,
        (false, false) => left.overlaps(right),
    }
}
