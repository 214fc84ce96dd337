//! Whether a text with some edits fulfils constraints with one more.

use rapidfuzz::distance::levenshtein;

use super::alignment::changed_words;
use super::constraints::Constraints;
use super::edit::EditView;
use super::edit_list::EditList;
use super::parsed_text::ParsedText;
use super::similarity::Prepared;
use super::span::Span;
use super::word_cost::{WordCost, WordCosts};

/// The edits made so far on a text, and what is needed to judge another one. The memory is kept for the next text.
#[derive(Default)]
pub(super) struct Check {
    edits: EditList,
    /// Upper bound of the edit distance that the edits made so far cause.
    cost: usize,
    /// The runs of words that the edits made so far stand in, in order, and bounds of the words they change; counted only where the
    /// constraints bound that number. `None` when two edits stand in one run: then bounds don't add up.
    runs: Vec<Span>,
    words: Option<WordCost>,
    word_costs: WordCosts,
    /// The text under test; written only for conditions that need it.
    edited: String,
    /// The original prepared for the similarity, made when first needed.
    original: Option<Box<dyn Prepared>>,
}

impl Check {
    /// Turns to a text on which some edits, in order, have been made.
    pub fn begin<'e>(
        &mut self,
        constraints: &Constraints,
        text: &ParsedText,
        edits: impl IntoIterator<Item = EditView<'e>>,
    ) {
        self.edits.clear();
        self.cost = 0;
        self.runs.clear();
        self.words = Some(WordCost::default());
        self.original = None;
        for edit in edits {
            self.accept(constraints, text, edit);
        }
    }

    /// The edits made so far, in order.
    pub fn edits(&self) -> &EditList {
        &self.edits
    }

    /// Makes an edit that [`Check::holds`] has allowed.
    pub fn accept(&mut self, constraints: &Constraints, text: &ParsedText, edit: EditView<'_>) {
        if constraints.bound_words() {
            let (run, cost) = self.word_costs.of(text, edit);
            self.words = self.words_beside(run).map(|made| WordCost {
                lower: made.lower + cost.lower,
                upper: made.upper + cost.upper,
            });
            self.runs.insert(self.run_behind(run), run);
        }
        self.cost += edit_cost(edit);
        self.edits.insert(edit);
    }

    /// Bounds of the words changed so far, if an edit of this run adds up with them.
    fn words_beside(&self, run: Span) -> Option<WordCost> {
        let words = self.words?;
        // As long as bounds add up, all runs are apart from each other.
        let next = self.runs.get(self.run_behind(run));
        next.is_none_or(|other| run.end < other.start).then_some(words)
    }

    /// How many runs end before another begins.
    fn run_behind(&self, run: Span) -> usize {
        self.runs.partition_point(|other| other.end < run.start)
    }

    /// Tells whether a word may be changed at all.
    pub fn may_change(&self, constraints: &Constraints, text: &ParsedText, index: usize) -> bool {
        text.words().get(index).is_some_and(|&word| {
            is_allowed(constraints, text, index, word)
                && !self.edits.around(word).any(|edit| touches(edit.span(), word))
        })
    }

    /// Tells whether the text may have this edit besides those made already.
    pub fn holds(
        &mut self,
        constraints: &Constraints,
        text: &ParsedText,
        edit: EditView<'_>,
    ) -> bool {
        if text.is_protected(edit)
            || self.edits.around(edit.span()).any(|made| collides(made, edit))
        {
            return false;
        }
        self.is_near(constraints, text, edit)
            && self.is_aligned(constraints, text, edit)
            && self.is_similar(constraints, text, edit)
    }

    fn is_near(
        &mut self,
        constraints: &Constraints,
        text: &ParsedText,
        edit: EditView<'_>,
    ) -> bool {
        let Some(limit) = constraints.max_edit_distance else { return true };
        if self.cost + edit_cost(edit) <= limit {
            return true;
        }
        self.write(text, edit);
        let original = text.characters().iter().copied();
        let arguments = levenshtein::Args::default().score_cutoff(limit);
        let edited = self.edited.chars().collect::<Vec<_>>();
        levenshtein::distance_with_args(original, edited, &arguments).is_some()
    }

    fn is_aligned(
        &mut self,
        constraints: &Constraints,
        text: &ParsedText,
        edit: EditView<'_>,
    ) -> bool {
        if !constraints.bound_words() {
            return true;
        }
        let words = text.words().len();
        let (run, upper) = self.word_costs.upper(text, edit);
        if let Some(made) = self.words_beside(run) {
            if constraints.allow_words(made.upper + upper, words) {
                return true;
            }
            if !constraints.allow_words(made.lower + self.word_costs.lower(text), words) {
                return false;
            }
        }
        self.write(text, edit);
        constraints.allow_words(changed_words(text.text(), &self.edited), words)
    }

    fn is_similar(
        &mut self,
        constraints: &Constraints,
        text: &ParsedText,
        edit: EditView<'_>,
    ) -> bool {
        let Some((limit, similarity)) = &constraints.min_similarity else { return true };
        self.write(text, edit);
        let original = self.original.get_or_insert_with(|| similarity.prepare(text.text()));
        original.similarity(&self.edited) >= *limit
    }

    /// The similarity of an edited text to the original, where the constraints bound it.
    pub fn similarity(
        &mut self,
        constraints: &Constraints,
        text: &ParsedText,
        edited: &str,
    ) -> Option<f64> {
        let (_, similarity) = constraints.min_similarity.as_ref()?;
        let original = self.original.get_or_insert_with(|| similarity.prepare(text.text()));
        Some(original.similarity(edited))
    }

    /// Writes the text with the edits made and one more, which collides with none of them.
    fn write(&mut self, text: &ParsedText, edit: EditView<'_>) {
        self.edited.clear();
        write_with(text, &self.edits, edit, &mut self.edited);
    }
}

/// Appends the text with the edits of a list and one more, which overlaps none of them.
pub(super) fn write_with(
    text: &ParsedText,
    edits: &EditList,
    edit: EditView<'_>,
    result: &mut String,
) {
    let before = edits.place_of(edit);
    let rest = edits.iter().skip(before);
    text.write_edited(edits.iter().take(before).chain([edit]).chain(rest), result);
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
fn collides(made: EditView<'_>, edit: EditView<'_>) -> bool {
    let (left, right) = (made.span(), edit.span());
    match (left.is_empty(), right.is_empty()) {
        (true, true) => left.start == right.start,
        (true, false) => right.start < left.start && left.start < right.end,
        (false, true) => left.start < right.start && right.start < left.end,
        (false, false) => left.overlaps(right),
    }
}
