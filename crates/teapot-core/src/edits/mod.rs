//! What an attack did to a text: every edit with its kind and place, found by aligning words first and characters second.
//!
//! Comparing words by position, as `TextAttack` and `OpenAttack` do, calls everything behind one inserted word changed.
//! Here words are aligned, similar words are paired, and only inside a pair characters are compared:
//!
//! 1. Words (maximal runs without whitespace) that are equal in a shortest alignment are anchors.
//! 2. Between two anchors, words that are alike after folding (look-alikes, case, invisible characters) are paired, also
//!    one word with two neighbours that a space was put into or taken from.
//! 3. A pair gives character edits; words without a partner are replaced, inserted, deleted, appended or put in front.
//! 4. Spaces between anchors that differ are whitespace edits.

mod align;
mod chars;
mod kind;
mod pairs;
mod regions;
mod tokens;

use crate::distance::{DistanceScratch, Unit, try_levenshtein};
use crate::error::Result;
use crate::patience::Patience;
pub use kind::EditKind;
use pairs::{Pairing, pair_words};
use regions::{Region, regions};
use tokens::{Token, tokens};

/// One edit. Positions count code points from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// What kind of change it is.
    pub kind: EditKind,
    /// Where `original` starts in the original text.
    pub original_position: usize,
    /// Where `edited` starts in the edited text.
    pub edited_position: usize,
    /// What stood there; empty for an insertion.
    pub original: String,
    /// What stands there now; empty for a deletion.
    pub edited: String,
}

/// Everything that was done to a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct EditReport {
    /// The edits in the order of the texts.
    pub edits: Vec<Edit>,
    /// Levenshtein distance over code points; `None` for texts so long that it would take minutes.
    pub char_distance: Option<usize>,
    /// Levenshtein distance over words; `None` as above.
    pub word_distance: Option<usize>,
    /// Words of the original.
    pub words: usize,
    /// Code points of the original.
    pub chars: usize,
}

/// Finds what was done to a text.
///
/// Two empty texts, and equal texts, have no edits. Time grows with the product of the lengths of what differs; texts that
/// differ in thousands of words each are reported as words replaced, without looking inside.
///
/// ```
/// use teapot_core::edits::{EditKind, edits};
/// let report = edits("Rate the tea.", "R\u{430}te hte tea. Please");
/// let kinds: Vec<EditKind> = report.edits.iter().map(|edit| edit.kind).collect();
/// assert_eq!(kinds, [EditKind::Homoglyph, EditKind::Swap, EditKind::Appended]);
/// ```
pub fn edits(original: &str, edited: &str) -> EditReport {
    try_edits(original, edited, &Patience::endless()).expect("endless patience never ends")
}

/// [`edits`], to be broken off.
///
/// # Errors
///
/// [`ErrorKind::Cancelled`](crate::error::ErrorKind::Cancelled) when the patience ends.
pub fn try_edits(original: &str, edited: &str, patience: &Patience) -> Result<EditReport> {
    let left: Vec<char> = original.chars().collect();
    let right: Vec<char> = edited.chars().collect();
    let [left_tokens, right_tokens] = [tokens(&left), tokens(&right)];
    let mut texts = Texts { left: &left, right: &right, edits: Vec::new(), joined: true };
    for region in regions([&left, &right], [&left_tokens, &right_tokens], patience)? {
        texts.region(&left_tokens, &right_tokens, &region, patience)?;
    }
    texts.final_space(left_tokens.last(), right_tokens.last());
    let words = [left_tokens.len(), right_tokens.len()];
    Ok(EditReport {
        edits: texts.edits,
        char_distance: distance(
            [original, edited],
            Unit::Char,
            [left.len(), right.len()],
            patience,
        )?,
        word_distance: distance([original, edited], Unit::Word, words, patience)?,
        words: left_tokens.len(),
        chars: left.len(),
    })
}

/// The product of two lengths up to which a distance is computed: about 0.1 s.
const MAX_PRODUCT: usize = 4_000_000_000;

fn distance(
    [left, right]: [&str; 2],
    unit: Unit,
    lengths: [usize; 2],
    patience: &Patience,
) -> Result<Option<usize>> {
    if left == right {
        return Ok(Some(0));
    }
    if lengths[0].checked_mul(lengths[1]).is_none_or(|product| product > MAX_PRODUCT) {
        return Ok(None);
    }
    let mut scratch = DistanceScratch::default();
    try_levenshtein(left, right, unit, &mut scratch, patience).map(Some)
}

/// Where a word before the one with this index would stand; behind the last word when there is none.
fn place(tokens: &[Token], index: usize) -> usize {
    match (tokens.get(index), tokens.last()) {
        (Some(token), _) => token.start,
        (None, Some(last)) => last.end,
        (None, None) => 0,
    }
}

/// Both texts, and the edits found so far.
struct Texts<'t> {
    left: &'t [char],
    right: &'t [char],
    edits: Vec<Edit>,
    /// Whether the words before the next ones belong together: then the spaces between can be compared. The space beside
    /// a word that is new or gone came or went with it.
    joined: bool,
}

impl Texts<'_> {
    fn region(
        &mut self,
        left: &[Token],
        right: &[Token],
        region: &Region,
        patience: &Patience,
    ) -> Result<()> {
        let (left_words, right_words) = (&left[region.left.clone()], &right[region.right.clone()]);
        if region.equal {
            self.space_before(&left_words[0], &right_words[0]);
            return Ok(());
        }
        let is_first = region.left.start == 0 && region.right.start == 0;
        let is_last = region.left.end == left.len() && region.right.end == right.len();
        if is_last && self.appended(left_words, right_words) {
            return Ok(());
        }
        for pairing in pair_words(self.left, self.right, left_words, right_words, patience)? {
            match pairing {
                Pairing::Alike(lefts, rights) => {
                    self.alike(&left_words[lefts], &right_words[rights], patience)?;
                }
                Pairing::Replaced(l, r) => {
                    self.space_before(&left_words[l], &right_words[r]);
                    self.words(EditKind::WordReplaced, Some(&left_words[l]), Some(&right_words[r]));
                }
                Pairing::Deleted(l, r) => {
                    self.joined = false;
                    let place = place(right, region.right.start + r);
                    self.gone(&left_words[l], place);
                }
                Pairing::Inserted(l, r) => {
                    self.joined = false;
                    let at_end = is_last && l == left_words.len();
                    let at_start = is_first && l == 0 && !at_end;
                    let kind = match (at_end, at_start) {
                        (true, _) => EditKind::Appended,
                        (_, true) => EditKind::Prepended,
                        _ => EditKind::WordInserted,
                    };
                    let place = place(left, region.left.start + l);
                    self.new_word(kind, &right_words[r], place);
                }
            }
        }
        Ok(())
    }

    /// Text behind the last word, or between it and a final mark: one edit for all of it.
    fn appended(&mut self, left_words: &[Token], right_words: &[Token]) -> bool {
        let (Some(first_left), Some(first_right)) = (left_words.first(), right_words.first())
        else {
            return false;
        };
        let left = &self.left[first_left.start..left_words[left_words.len() - 1].end];
        let right = &self.right[first_right.start..right_words[right_words.len() - 1].end];
        let prefix = left.iter().zip(right).take_while(|(left, right)| left == right).count();
        let suffix = left[prefix..].iter().rev().zip(right[prefix..].iter().rev());
        let suffix = suffix.take_while(|(left, right)| left == right).count();
        let inserted = &right[prefix..right.len() - suffix];
        let is_insertion = prefix + suffix == left.len() && prefix > 0;
        let ends_in_marks = !left[prefix..].iter().any(|character| character.is_alphanumeric());
        let is_text = inserted.iter().any(|character| character.is_alphanumeric());
        let is_apart = inserted.first().is_some_and(|&character| tokens::is_space(character));
        if !(is_insertion && ends_in_marks && is_text && is_apart) {
            return false;
        }
        self.space_before(first_left, first_right);
        let edited = inserted.iter().collect();
        self.edits.push(Edit {
            kind: EditKind::Appended,
            original_position: first_left.start + prefix,
            edited_position: first_right.start + prefix,
            original: String::new(),
            edited,
        });
        true
    }

    /// Similar words: their characters are compared, spaces inside them too.
    fn alike(&mut self, left: &[Token], right: &[Token], patience: &Patience) -> Result<()> {
        let [([first_left, ..], [.., last_left]), ([first_right, ..], [.., last_right])] =
            [(left, left), (right, right)]
        else {
            return Ok(());
        };
        self.space_before(first_left, first_right);
        let (left_start, right_start) = (first_left.start, first_right.start);
        let left_text = &self.left[left_start..last_left.end];
        let right_text = &self.right[right_start..last_right.end];
        let starts = [left_start, right_start];
        chars::char_edits(left_text, right_text, starts, patience, &mut self.edits)
    }

    fn words(&mut self, kind: EditKind, left: Option<&Token>, right: Option<&Token>) {
        let text = |side: &[char], token: Option<&Token>| {
            token.map_or_else(String::new, |token| side[token.start..token.end].iter().collect())
        };
        self.edits.push(Edit {
            kind,
            original_position: left.map_or(0, |token| token.start),
            edited_position: right.map_or(0, |token| token.start),
            original: text(self.left, left),
            edited: text(self.right, right),
        });
    }

    fn gone(&mut self, word: &Token, edited_position: usize) {
        self.words(EditKind::WordDeleted, Some(word), None);
        if let Some(edit) = self.edits.last_mut() {
            edit.edited_position = edited_position;
        }
    }

    /// Words that follow one another and are new in the same way are one edit when they were appended or put in front.
    fn new_word(&mut self, kind: EditKind, word: &Token, original_position: usize) {
        let joins = matches!(kind, EditKind::Appended | EditKind::Prepended);
        if let Some(last) = self.edits.last_mut()
            && joins
            && last.kind == kind
        {
            last.edited = self.right[last.edited_position..word.end].iter().collect();
            return;
        }
        self.words(kind, None, Some(word));
        if let Some(edit) = self.edits.last_mut() {
            edit.original_position = original_position;
        }
    }

    /// The whitespace in front of two words that belong together.
    fn space_before(&mut self, left: &Token, right: &Token) {
        if self.joined {
            self.space(left.space_start..left.start, right.space_start..right.start);
        }
        self.joined = true;
    }

    /// The whitespace behind the last word of each side.
    fn final_space(&mut self, left: Option<&Token>, right: Option<&Token>) {
        let left_end = left.map_or(0, |token| token.end);
        let right_end = right.map_or(0, |token| token.end);
        self.space(left_end..self.left.len(), right_end..self.right.len());
    }

    fn space(&mut self, left: std::ops::Range<usize>, right: std::ops::Range<usize>) {
        let (original, edited) = (&self.left[left.clone()], &self.right[right.clone()]);
        if original != edited {
            self.edits.push(Edit {
                kind: EditKind::Whitespace,
                original_position: left.start,
                edited_position: right.start,
                original: original.iter().collect(),
                edited: edited.iter().collect(),
            });
        }
    }
}
