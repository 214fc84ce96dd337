//! A text under attack: its words, its candidates and the edits made so far, for a search that asks a victim.

use std::cmp::Ordering;
use std::sync::Arc;

use crate::error::Result;
use crate::patience::Patience;
use crate::random::Key;

use super::candidates::{Candidate, CandidateOptions, Candidates, candidates_with};
use super::check::Check;
use super::constraints::Constraints;
use super::edit::{Edit, EditKind, EditView, check_places};
use super::made_edits::MadeEdits;
use super::parsed_text::ParsedText;
use super::protect::Protection;
use super::span::Span;
use super::transform::Transformation;

/// What an attack may do to texts, and what its random choices depend on.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct AttackRules {
    /// The transformations; each makes candidates.
    pub transformations: Vec<Transformation>,
    /// What every candidate must fulfil.
    pub constraints: Constraints,
    /// What no edit may touch.
    pub protection: Protection,
    /// What random choices depend on, besides the text's position and the number of the draw.
    pub key: Key,
}

/// What stands in the place of a word whose importance is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blank {
    /// `[UNK]`.
    Unknown,
    /// Nothing: the word is left out with one blank beside it, by the rule of TextAttack 0.3.11 (`delete_word_at_index`). The first word
    /// takes the blank after it, any other the one before it unless the text ends with the word; only U+0020 counts.
    Nothing,
}

/// A text under attack. It is taken apart once; candidates are made on the text with the edits made so far.
///
/// ```
/// use std::sync::Arc;
/// use teapot_core::patience::Patience;
/// use teapot_core::perturb::*;
/// let patience = Patience::endless();
/// let attack = attack_of("delete:positions=all", &Resources::default())?;
/// let mut rules = AttackRules::default();
/// rules.transformations = attack.transformations;
/// let mut text = AttackedText::new("a cup", Arc::new(rules), 0);
/// assert_eq!(text.changeable(), [0, 1]);
/// // Candidates come in the order of their texts.
/// assert_eq!(text.propose(0, Some(1), &patience)?, 3);
/// assert_eq!(text.texts(0, 3), ["a cp", "a cu", "a up"]);
/// text.accept(1, &patience)?;
/// assert_eq!(text.edits().len(), 1);
/// assert_eq!(text.changeable(), [0]);
/// # Ok::<(), teapot_core::error::Error>(())
/// ```
pub struct AttackedText {
    rules: Arc<AttackRules>,
    text: ParsedText,
    key: Key,
    check: Check,
    found: Candidates,
    /// Positions in `found` by the candidates' texts, each text once.
    order: Vec<usize>,
}

impl AttackedText {
    /// Takes a text apart.
    ///
    /// `item` is the text's position among all texts: with the seed it decides every draw.
    pub fn new(text: &str, rules: Arc<AttackRules>, item: u64) -> Self {
        Self::with_locked(text, rules, item, &[])
    }

    /// Takes a text apart of which some spans are out of reach besides what the rules protect.
    pub fn with_locked(text: &str, rules: Arc<AttackRules>, item: u64, locked: &[Span]) -> Self {
        let text = ParsedText::with_locked(text, &rules.protection, locked);
        let mut check = Check::default();
        check.begin(&rules.constraints, &text);
        let key = rules.key.then(item);
        Self { rules, text, key, check, found: Candidates::default(), order: Vec::new() }
    }

    /// The original, taken apart.
    pub fn original(&self) -> &ParsedText {
        &self.text
    }

    /// The words that the constraints allow to change and that no edit has changed yet, in order: only they are worth a query when words
    /// are ranked (TextAttack's pre-transformation constraints).
    pub fn changeable(&self) -> Vec<usize> {
        let words = 0..self.text.words().len();
        words
            .filter(|&word| self.check.may_change(&self.rules.constraints, &self.text, word))
            .collect()
    }

    /// The original with one word blanked; the original for a word that doesn't exist.
    pub fn without(&self, word: usize, blank: Blank) -> String {
        let Some(&word) = self.text.words().get(word) else { return self.text.text().to_owned() };
        let (span, replacement) = match blank {
            Blank::Unknown => (word, "[UNK]"),
            Blank::Nothing => (self.left_out(word), ""),
        };
        let edit =
            EditView { start: span.start, end: span.end, replacement, kind: EditKind::Replace };
        self.text.edited_with(&[], edit)
    }

    /// A word with the blank that goes with it.
    fn left_out(&self, word: Span) -> Span {
        let characters = self.text.characters();
        let is_blank = |index: usize| characters.get(index) == Some(&' ');
        let is_first = self.text.words().first() == Some(&word);
        let Span { start, end } = word;
        if is_first && is_blank(end) {
            Span::new(start, end + 1)
        } else if !is_first && end < characters.len() && is_blank(start - 1) {
            Span::new(start - 1, end)
        } else {
            word
        }
    }

    /// Turns to the original with these edits; tells whether the constraints allow the last of them beside the others. What was
    /// proposed before is forgotten.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::InvalidOption`](crate::error::ErrorKind::InvalidOption) for edits that overlap, are out of order or reach beyond
    /// the text; [`ErrorKind::Cancelled`](crate::error::ErrorKind::Cancelled) when the patience ends.
    pub fn begin(&mut self, edits: &[Edit], patience: &Patience) -> Result<bool> {
        let Self { rules, text, check, found, order, .. } = self;
        check_places(text, edits)?;
        found.clear();
        order.clear();
        check.begin(&rules.constraints, text);
        let mut holds = true;
        for (index, edit) in edits.iter().enumerate() {
            if index + 1 == edits.len() {
                holds = check.holds(&rules.constraints, text, edit.view(), patience)?;
            }
            check.accept(&rules.constraints, text, edit.view(), patience)?;
        }
        Ok(holds)
    }

    /// The edits made so far, in order.
    pub fn edits(&self) -> impl ExactSizeIterator<Item = EditView<'_>> {
        self.check.edits().iter()
    }

    /// Makes the candidates of one word, or of all words and the text as a whole, beside the edits made so far, and gives their
    /// number. They stand in the order of their texts (by code points, as TextAttack sorts them), each text once.
    ///
    /// `draw` is a number that gives other random choices for the same text.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Cancelled`](crate::error::ErrorKind::Cancelled) when the patience ends.
    pub fn propose(
        &mut self,
        draw: u64,
        word: Option<usize>,
        patience: &Patience,
    ) -> Result<usize> {
        let Self { rules, text, key, check, found, order } = self;
        let options = CandidateOptions { key: key.then(draw), word, ..CandidateOptions::default() };
        let AttackRules { transformations, constraints, .. } = &**rules;
        candidates_with(check, text, transformations, constraints, &options, patience, found)?;
        order.clear();
        order.extend(0..found.len());
        let made = check.edits();
        let compare = |&left: &usize, &right: &usize| {
            let (left, right) = (found.get(left), found.get(right));
            left.zip(right).map_or(Ordering::Equal, |(left, right)| {
                compare_edited(text, made, left.edit, right.edit)
            })
        };
        // Stable, so that of two edits that give one text the first in the order of transformations stays.
        order.sort_by(compare);
        order.dedup_by(|next, kept| compare(kept, next) == Ordering::Equal);
        Ok(order.len())
    }

    /// The texts of the proposed candidates `start..end`, as far as they exist.
    pub fn texts(&self, start: usize, end: usize) -> Vec<String> {
        let end = end.min(self.order.len());
        let proposed = (start.min(end)..end).filter_map(|index| self.candidate(index));
        proposed
            .map(|candidate| {
                let mut edited = String::with_capacity(self.text.text().len() + 16);
                self.check.edits().write_with(&self.text, candidate.edit, &mut edited);
                edited
            })
            .collect()
    }

    /// A proposed candidate; `None` of one that doesn't exist.
    pub fn candidate(&self, index: usize) -> Option<Candidate<'_>> {
        self.order.get(index).and_then(|&position| self.found.get(position))
    }

    /// Makes the edit of a proposed candidate. The proposals stay as they are until the next ones are made.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Cancelled`](crate::error::ErrorKind::Cancelled) when the patience ends.
    pub fn accept(&mut self, index: usize, patience: &Patience) -> Result<()> {
        let Self { rules, text, check, found, order, .. } = self;
        let candidate = order.get(index).and_then(|&position| found.get(position));
        candidate.map_or(Ok(()), |candidate| {
            check.accept(&rules.constraints, text, candidate.edit, patience)
        })
    }
}

/// Compares two texts, each the original with the edits made and one more, by their bytes (which is the order of code points), without
/// writing them. Both are equal before the first of the two edits, and again where the rest is the same piece of memory.
fn compare_edited(
    text: &ParsedText,
    made: &MadeEdits,
    left: EditView<'_>,
    right: EditView<'_>,
) -> Ordering {
    let from = left.start.min(right.start);
    let mut left = pieces(text, made, left, from);
    let mut right = pieces(text, made, right, from);
    let (mut a, mut b): (&[u8], &[u8]) = (&[], &[]);
    loop {
        while a.is_empty() {
            match left.next() {
                Some(piece) => a = piece.as_bytes(),
                None => break,
            }
        }
        while b.is_empty() {
            match right.next() {
                Some(piece) => b = piece.as_bytes(),
                None => break,
            }
        }
        if a.is_empty() || b.is_empty() {
            return a.len().cmp(&b.len());
        }
        let common = a.len().min(b.len());
        if !std::ptr::eq(&raw const a[..common], &raw const b[..common]) {
            let order = a[..common].cmp(&b[..common]);
            if order != Ordering::Equal {
                return order;
            }
        }
        (a, b) = (&a[common..], &b[common..]);
    }
}

/// The pieces of a text with edits and one more, from a code point of the original on that no edit spans.
fn pieces<'p>(
    text: &'p ParsedText,
    made: &'p MadeEdits,
    added: EditView<'p>,
    from: usize,
) -> impl Iterator<Item = &'p str> {
    let mut position = from;
    made.with(added, from).map(Some).chain([None]).flat_map(move |edit| {
        let end = edit.map_or(text.characters().len(), |edit| edit.start);
        let kept = text.slice_text(Span::new(position, end));
        position = edit.map_or(end, |edit| edit.end);
        [kept, edit.map_or("", |edit| edit.replacement)]
    })
}
