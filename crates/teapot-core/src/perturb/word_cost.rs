//! Bounds of how many words an edit changes, without aligning two texts.
//!
//! An edit can only change the words of the run that it stands in: the word characters and marks around it, up to the
//! next whitespace or punctuation on either side. If the run had `a` words and has `b` words afterwards, at most
//! max(a, b) words are changed. And a word of the new run that the original text doesn't hold anywhere can't be aligned
//! with an equal one: each costs a change. Edits in different runs add up, both ways.

use super::edit::EditView;
use super::parsed_text::ParsedText;
use super::span::Span;
use super::words::{find_words, is_run_character};

/// Bounds of the words that edits change, inclusive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct WordCost {
    /// At least so many.
    pub lower: usize,
    /// At most so many.
    pub upper: usize,
}

/// Memory for counting [`WordCost`].
#[derive(Clone, Debug, Default)]
pub(super) struct WordCosts {
    run: Vec<char>,
    words: Vec<Span>,
}

impl WordCosts {
    /// The run that an edit stands in, and the most words that it changes.
    pub fn upper(&mut self, text: &ParsedText, edit: EditView<'_>) -> (Span, usize) {
        let characters = text.characters();
        let in_run = |c: &&char| is_run_character(**c);
        let before = characters[..edit.start].iter().rev().take_while(in_run).count();
        let after = characters[edit.end..].iter().take_while(in_run).count();
        let run = Span::new(edit.start - before, edit.end + after);
        let first = text.words().partition_point(|word| word.end <= run.start);
        let old = text.words()[first..].iter().take_while(|word| word.start < run.end).count();
        self.run.clear();
        self.run.extend_from_slice(&characters[run.start..edit.start]);
        self.run.extend(edit.replacement.chars());
        self.run.extend_from_slice(&characters[edit.end..run.end]);
        find_words(&self.run, &mut self.words);
        (run, old.max(self.words.len()))
    }

    /// The fewest words that the edit given to [`WordCosts::upper`] last changes.
    pub fn lower(&self, text: &ParsedText) -> usize {
        let is_new = |word: &&Span| {
            let word = &self.run[word.start..word.end];
            text.words().iter().all(|&other| text.slice(other) != word)
        };
        self.words.iter().filter(is_new).count()
    }

    /// The run and both bounds.
    pub fn of(&mut self, text: &ParsedText, edit: EditView<'_>) -> (Span, WordCost) {
        let (run, upper) = self.upper(text, edit);
        (run, WordCost { lower: self.lower(text), upper })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::perturb::{EditKind, Protection};

    #[test]
    fn a_run_bounds_what_an_edit_changes() {
        let text = ParsedText::new("one two-three, four", &Protection::default());
        let of = |start, end, replacement| {
            let edit = EditView { start, end, replacement, kind: EditKind::Replace };
            let (run, cost) = WordCosts::default().of(&text, edit);
            (run.start, run.end, cost.lower, cost.upper)
        };
        assert_eq!(of(5, 7, "ow"), (4, 13, 1, 1));
        assert_eq!(of(7, 8, " "), (4, 13, 2, 2));
        assert_eq!(of(3, 4, ""), (0, 13, 1, 2));
        assert_eq!(of(0, 4, ""), (0, 13, 0, 2));
        assert_eq!(of(19, 19, " four five"), (15, 19, 1, 3));
        assert_eq!(of(13, 14, "!"), (4, 14, 0, 1));
    }
}
