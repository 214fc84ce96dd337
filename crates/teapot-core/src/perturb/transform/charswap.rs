//! CharSwap, the attack of TEAPOT's paper.

use std::collections::HashSet;
use std::sync::Arc;

use super::character::Choice;
use super::{Draw, WordContext};
use crate::perturb::candidates::Candidates;
use crate::perturb::edit::EditKind;
use crate::perturb::span::Span;

/// How often the last character may be repeated before CharSwap gives a word up.
const MAX_REPEATS: usize = 8;

/// Exchanges two neighbouring characters inside a word, its first and last character staying in place; where no
/// exchange changes the word, repeats its last character.
///
/// The new word must be out of the vocabulary: an exchange that gives a known word isn't eligible, and the last
/// character is repeated until the word is unknown (at most eight times, then the word has no candidate). Without
/// vocabulary every changed word counts as unknown, so the last character is repeated once. Places `i` from 1 to
/// `n - 3`; a word has one candidate, or with [`Choice::All`] one for every eligible place.
///
/// Source: Michel, Li, Neubig and Pino, *On evaluation of adversarial perturbations for sequence-to-sequence models*,
/// 2019, section 4.2 (`CharSwap`). The paper chooses places by the gradient of the model; here they are drawn.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct CharSwap {
    /// One random candidate a word, or all.
    pub choice: Choice,
    /// Words that a candidate must not be, as written.
    pub vocabulary: Option<Arc<KnownWords>>,
}

/// A vocabulary.
#[derive(Clone, Debug, Default)]
pub struct KnownWords {
    words: HashSet<String>,
    /// Code points of the longest word.
    longest: usize,
}

impl FromIterator<String> for KnownWords {
    fn from_iter<I: IntoIterator<Item = String>>(words: I) -> Self {
        let words: HashSet<String> = words.into_iter().collect();
        let longest = words.iter().map(|word| word.chars().count()).max().unwrap_or(0);
        Self { words, longest }
    }
}

impl KnownWords {
    /// Tells whether this is one of the words; a word longer than all of them isn't written to be looked up.
    fn contains(&self, length: usize, word: impl Iterator<Item = char>) -> bool {
        length <= self.longest && self.words.contains(&word.collect::<String>())
    }
}

impl CharSwap {
    fn is_known(&self, length: usize, word: impl Iterator<Item = char>) -> bool {
        self.vocabulary.as_ref().is_some_and(|known| known.contains(length, word))
    }

    fn is_eligible(&self, word: &[char], place: usize) -> bool {
        let swapped = || {
            let (before, after) = (&word[..place], &word[place + 2..]);
            let pair = [word[place + 1], word[place]];
            before.iter().copied().chain(pair).chain(after.iter().copied())
        };
        word[place] != word[place + 1] && !self.is_known(word.len(), swapped())
    }

    /// Makes the candidates of one word.
    pub(super) fn generate(
        &self,
        context: WordContext<'_>,
        draw: Draw,
        candidates: &mut Candidates,
    ) {
        let word = context.characters();
        let start = context.span().start;
        let places = 1..word.len().saturating_sub(2);
        let eligible = |&place: &usize| self.is_eligible(word, place);
        let count = places.clone().filter(eligible).count();
        if count == 0 {
            self.repeat_last(context, candidates);
            return;
        }
        let (skipped, taken) = match self.choice {
            Choice::RandomOne => (draw.generator().below(count), 1),
            Choice::All => (0, count),
        };
        for place in places.filter(eligible).skip(skipped).take(taken) {
            candidates.push(context.text, Some(context.index), EditKind::Swap, |text| {
                text.extend([word[place + 1], word[place]]);
                Span::new(start + place, start + place + 2)
            });
        }
    }

    fn repeat_last(&self, context: WordContext<'_>, candidates: &mut Candidates) {
        let word = context.characters();
        let Some(&last) = word.last() else { return };
        let grown = |times| word.iter().copied().chain(std::iter::repeat_n(last, times));
        let Some(times) =
            (1..=MAX_REPEATS).find(|&times| !self.is_known(word.len() + times, grown(times)))
        else {
            return;
        };
        let end = context.span().end;
        candidates.push(context.text, Some(context.index), EditKind::Repeat, |text| {
            text.extend(std::iter::repeat_n(last, times));
            Span::new(end, end)
        });
    }
}
