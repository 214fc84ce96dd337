//! What a candidate must fulfil.

use std::collections::HashSet;
use std::sync::Arc;

use super::alignment::words_share;
use super::similarity::Similarity;

/// Conditions on words before they are changed, and on texts afterwards. The default allows everything but protected
/// spans, and one change a word.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Constraints {
    /// Words with fewer code points are not changed. Default 0.
    pub min_word_length: usize,
    /// Words that are not changed, compared as written (TextAttack's rule: `The` may change where `the` may not).
    pub stop_words: Option<Arc<HashSet<String>>>,
    /// Most words changed, by alignment of the original's words with the new text's ([`changed_words`](super::changed_words)).
    pub max_words_changed: Option<usize>,
    /// Most words changed as a share of the original's words, a fraction. A text without words has no share and may not
    /// change.
    pub max_share_changed: Option<f64>,
    /// The number of words that the share allows is rounded up, as in TextAttack's `MaxWordsPerturbed`: then a text of few words may
    /// change at least one. Default false.
    pub rounds_share_up: bool,
    /// Largest Levenshtein distance from the original, in code points.
    pub max_edit_distance: Option<usize>,
    /// Smallest similarity to the original, a fraction in `[0, 1]`.
    pub min_similarity: Option<(f64, Similarity)>,
}

impl Constraints {
    /// These conditions, completed by others where nothing is set.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self {
            min_word_length: if self.min_word_length > 0 {
                self.min_word_length
            } else {
                other.min_word_length
            },
            stop_words: self.stop_words.or(other.stop_words),
            max_words_changed: self.max_words_changed.or(other.max_words_changed),
            rounds_share_up: if self.max_share_changed.is_some() {
                self.rounds_share_up
            } else {
                other.rounds_share_up
            },
            max_share_changed: self.max_share_changed.or(other.max_share_changed),
            max_edit_distance: self.max_edit_distance.or(other.max_edit_distance),
            min_similarity: self.min_similarity.or(other.min_similarity),
        }
    }

    /// Tells whether the number of words changed is bounded.
    pub(super) fn bound_words(&self) -> bool {
        self.max_words_changed.is_some() || self.max_share_changed.is_some()
    }

    /// Tells whether so many words of so many may be changed.
    pub(super) fn allow_words(&self, changed: usize, words: usize) -> bool {
        self.max_words_changed.is_none_or(|limit| changed <= limit)
            && self.max_share_changed.is_none_or(|limit| {
                // One change less has a share below the limit exactly if the limit, rounded up, allows this one.
                let whole = if self.rounds_share_up { changed.saturating_sub(1) } else { changed };
                let share = words_share(whole, words);
                let is_within = |share| {
                    if self.rounds_share_up && changed > 0 { share < limit } else { share <= limit }
                };
                words > 0 && share.is_some_and(is_within) || changed == 0
            })
    }

    /// The conditions on words alone.
    pub(super) fn of_words(&self) -> Self {
        Self {
            min_word_length: self.min_word_length,
            stop_words: self.stop_words.clone(),
            ..Self::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a7_a_share_may_be_rounded_up_as_in_textattack() {
        let mut constraints =
            Constraints { max_share_changed: Some(0.2), ..Constraints::default() };
        let most = |constraints: &Constraints, words| {
            (0..=words).rev().find(|&changed| constraints.allow_words(changed, words))
        };
        assert_eq!(
            [0, 1, 4, 5, 6, 10, 11].map(|words| most(&constraints, words)),
            [0, 0, 0, 1, 1, 2, 2].map(Some)
        );
        constraints.rounds_share_up = true;
        // ceil(0.2 · words)
        assert_eq!(
            [0, 1, 4, 5, 6, 10, 11].map(|words| most(&constraints, words)),
            [0, 1, 1, 1, 2, 2, 3].map(Some)
        );
    }
}
