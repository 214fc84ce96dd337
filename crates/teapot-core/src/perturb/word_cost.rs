//! How many words edits change at most, without aligning two texts: by the words around each edit.
//!
//! Only the words that an edit stands in or touches change: those of the stretch of word characters and marks around it,
//! up to the next whitespace, punctuation or ideograph on either side. If the stretch had `a` words and has `b` words
//! afterwards, equal ones at both ends left out, at most max(a, b) change. The sum over all edits is an upper bound of the
//! exact number ([`changed_words`](super::changed_words)). It is exact for edits inside words: any number of them in
//! one word count once. Other edits that stand side by side count one word each even where the exact number is smaller.

use crate::error::Result;
use crate::patience::Patience;

use super::edit::EditView;
use super::parsed_text::ParsedText;
use super::span::Span;
use super::words::{find_words, is_ideograph, is_run_character};

/// The words that the edits made so far on a text change.
#[derive(Clone, Debug, Default)]
pub(super) struct WordCosts {
    total: usize,
    /// For each word whether it has an edit that leaves it one word, or none.
    changed: Vec<bool>,
    stretch: Vec<char>,
    words: [Vec<Span>; 2],
}

impl WordCosts {
    /// Starts over with a text without edits.
    pub fn start(&mut self, text: &ParsedText) {
        self.total = 0;
        self.changed.clear();
        self.changed.resize(text.words().len(), false);
    }

    /// The most words that the edits made and one more change.
    pub fn with(
        &mut self,
        text: &ParsedText,
        edit: EditView<'_>,
        patience: &Patience,
    ) -> Result<usize> {
        let cost = match word_around(text, edit) {
            Some(word) => usize::from(!self.changed[word]),
            None => self.cost_of_stretch(text, edit, patience)?,
        };
        Ok(self.total + cost)
    }

    /// Makes an edit.
    pub fn accept(
        &mut self,
        text: &ParsedText,
        edit: EditView<'_>,
        patience: &Patience,
    ) -> Result<()> {
        self.total = self.with(text, edit, patience)?;
        if let Some(word) = word_around(text, edit) {
            self.changed[word] = true;
        }
        Ok(())
    }

    fn cost_of_stretch(
        &mut self,
        text: &ParsedText,
        edit: EditView<'_>,
        patience: &Patience,
    ) -> Result<usize> {
        let characters = text.characters();
        let joins = |c: &&char| is_run_character(**c) && !is_ideograph(**c);
        let before = characters[..edit.start].iter().rev().take_while(joins).count();
        let after = characters[edit.end..].iter().take_while(joins).count();
        let old = &characters[edit.start - before..edit.end + after];
        patience.spend(STRETCH_STEPS * (old.len() + edit.replacement.len()))?;
        let Self { stretch, words: [old_words, new_words], .. } = self;
        stretch.clear();
        stretch.extend_from_slice(&old[..before]);
        stretch.extend(edit.replacement.chars());
        stretch.extend_from_slice(&old[old.len() - after..]);
        find_words(old, old_words);
        find_words(stretch, new_words);
        let is_same = |(left, right): &(&Span, &Span)| old[left.range()] == stretch[right.range()];
        let start = old_words.iter().zip(&*new_words).take_while(is_same).count();
        let (old_words, new_words) = (&old_words[start..], &new_words[start..]);
        let end = old_words.iter().rev().zip(new_words.iter().rev()).take_while(is_same).count();
        Ok((old_words.len().max(new_words.len()) - end).max(1))
    }
}

/// About how many nanoseconds a character of a stretch takes.
const STRETCH_STEPS: usize = 20;

/// The word that an edit stands in, if it is one word or none afterwards, whatever other edits of this kind it has.
fn word_around(text: &ParsedText, edit: EditView<'_>) -> Option<usize> {
    let stays_inside = |c: char| is_run_character(c) && !is_ideograph(c);
    let first = text.words().partition_point(|word| word.end < edit.start);
    let near = text.words().iter().enumerate().skip(first).take(2);
    let mut around = near.filter(|(_, word)| word.start <= edit.start && edit.end <= word.end);
    let (index, _) = around.find(|(_, word)| !is_ideograph(text.characters()[word.start]))?;
    edit.replacement.chars().all(stays_inside).then_some(index)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::perturb::{EditKind, Protection};

    #[test]
    fn the_words_around_an_edit_bound_what_it_changes() {
        let text = ParsedText::new("one two-three, four 我喝茶", &Protection::default());
        let of = |start, end, replacement| {
            let edit = EditView { start, end, replacement, kind: EditKind::Replace };
            let mut costs = WordCosts::default();
            costs.start(&text);
            costs.with(&text, edit, &Patience::endless()).unwrap()
        };
        assert_eq!(of(5, 7, "ow"), 1);
        assert_eq!(of(7, 8, " "), 2);
        assert_eq!(of(3, 4, ""), 2);
        assert_eq!(of(0, 4, ""), 1);
        assert_eq!(of(19, 19, " four five"), 2);
        assert_eq!(of(13, 14, "!"), 1);
        assert_eq!(of(21, 22, "吃"), 1);
        assert_eq!(of(21, 22, "吃了"), 2);
        assert_eq!(of(20, 21, "x"), 1);
    }

    #[test]
    fn edits_inside_one_word_count_once() {
        let text = ParsedText::new("kettle tea", &Protection::default());
        let edit = |start, end, replacement| EditView {
            start,
            end,
            replacement,
            kind: EditKind::Substitute,
        };
        let mut costs = WordCosts::default();
        costs.start(&text);
        let patience = Patience::endless();
        costs.accept(&text, edit(0, 1, "c"), &patience).unwrap();
        assert_eq!(costs.with(&text, edit(6, 6, "s"), &patience).unwrap(), 1);
        assert_eq!(costs.with(&text, edit(7, 8, "s"), &patience).unwrap(), 2);
        assert_eq!(costs.with(&text, edit(2, 3, " "), &patience).unwrap(), 3);
    }
}
