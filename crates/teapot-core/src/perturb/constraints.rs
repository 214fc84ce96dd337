//! What a candidate must fulfil.

use std::collections::HashSet;
use std::sync::Arc;

use rapidfuzz::distance::levenshtein;

use super::alignment::{changed_words, words_share};
use super::edit::{Edit, EditView};
use super::parsed_text::ParsedText;
use super::similarity::Similarity;
use super::span::Span;

/// Conditions on words before they are changed, and on texts afterwards. The default allows everything but protected
/// spans, and one change a word.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Constraints {
    /// Words with fewer code points are not changed. Default 0.
    pub min_word_length: usize,
    /// Words that are not changed, compared as written (TextAttack's rule: `The` may change where `the` may not).
    pub stop_words: Option<Arc<HashSet<String>>>,
    /// Most words changed, by alignment of the original's words with the new text's ([`changed_words`]).
    pub max_words_changed: Option<usize>,
    /// Most words changed as a share of the original's words, a fraction. A text without words has no share and may not
    /// change.
    pub max_share_changed: Option<f64>,
    /// Largest Levenshtein distance from the original, in code points.
    pub max_edit_distance: Option<usize>,
    /// Smallest similarity to the original, a fraction in `[0, 1]`.
    pub min_similarity: Option<(f64, Similarity)>,
}

impl Constraints {
    /// The conditions for one text to which some edits, in order, have been made already.
    pub(super) fn check<'c>(&'c self, text: &'c ParsedText, edits: &'c [Edit]) -> Check<'c> {
        Check {
            constraints: self,
            text,
            edits,
            cost: edits.iter().map(|edit| edit_cost(edit.view())).sum(),
            edited: String::new(),
            original: None,
        }
    }
}

/// The conditions for one text.
pub(super) struct Check<'c> {
    constraints: &'c Constraints,
    text: &'c ParsedText,
    edits: &'c [Edit],
    /// Upper bound of the edit distance that the edits made so far cause.
    cost: usize,
    /// The text under test; written only for conditions that need it.
    edited: String,
    /// The original prepared for the similarity, made when first needed.
    original: Option<Box<dyn super::similarity::Prepared>>,
}

impl Check<'_> {
    /// Tells whether a word may be changed at all.
    pub fn may_change(&self, index: usize) -> bool {
        let Some(&word) = self.text.words().get(index) else { return false };
        let constraints = self.constraints;
        let is_stop_word =
            |stop_words: &Arc<HashSet<String>>| stop_words.contains(self.text.slice_text(word));
        word.len() >= constraints.min_word_length
            && !self.text.is_protected_word(index)
            && !constraints.stop_words.as_ref().is_some_and(is_stop_word)
            && !self.edits.iter().any(|edit| touches(edit.span(), word))
    }

    /// Tells whether the text may have this edit besides those made already.
    pub fn holds(&mut self, edit: EditView<'_>) -> bool {
        if self.text.is_protected(edit) || self.edits.iter().any(|made| collides(made, edit)) {
            return false;
        }
        self.is_near(edit) && self.is_aligned(edit) && self.is_similar(edit)
    }

    fn is_near(&mut self, edit: EditView<'_>) -> bool {
        let Some(limit) = self.constraints.max_edit_distance else { return true };
        if self.cost + edit_cost(edit) <= limit {
            return true;
        }
        self.write(edit);
        let original = self.text.characters().iter().copied();
        let arguments = levenshtein::Args::default().score_cutoff(limit);
        let edited = self.edited.chars().collect::<Vec<_>>();
        levenshtein::distance_with_args(original, edited, &arguments).is_some()
    }

    fn is_aligned(&mut self, edit: EditView<'_>) -> bool {
        let constraints = self.constraints;
        if constraints.max_words_changed.is_none() && constraints.max_share_changed.is_none() {
            return true;
        }
        self.write(edit);
        let changed = changed_words(self.text.text(), &self.edited);
        let share = words_share(changed, self.text.words().len());
        constraints.max_words_changed.is_none_or(|limit| changed <= limit)
            && constraints.max_share_changed.is_none_or(|limit| share.is_some_and(|s| s <= limit))
    }

    fn is_similar(&mut self, edit: EditView<'_>) -> bool {
        let Some((limit, similarity)) = &self.constraints.min_similarity else { return true };
        self.write(edit);
        let original = self.original.get_or_insert_with(|| similarity.prepare(self.text.text()));
        original.similarity(&self.edited) >= *limit
    }

    /// Writes the text with the edits made and one more, which collides with none of them.
    fn write(&mut self, edit: EditView<'_>) {
        self.edited.clear();
        let before =
            self.edits.partition_point(|made| made.start <= edit.start && made.end <= edit.start);
        let (left, right) = self.edits.split_at(before);
        let edits = left.iter().map(Edit::view).chain([edit]).chain(right.iter().map(Edit::view));
        self.text.write_edited(edits, &mut self.edited);
    }
}

/// Upper bound of the edit distance that an edit causes.
fn edit_cost(edit: EditView<'_>) -> usize {
    edit.span().len().max(edit.replacement.chars().count())
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
fn collides(made: &Edit, edit: EditView<'_>) -> bool {
    let (left, right) = (made.span(), edit.span());
    match (left.is_empty(), right.is_empty()) {
        (true, true) => left.start == right.start,
        (true, false) => right.start < left.start && left.start < right.end,
        (false, true) => left.start < right.start && right.start < left.end,
        (false, false) => left.overlaps(right),
    }
}
