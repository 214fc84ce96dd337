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
        let share = words_share(changed, words);
        self.max_words_changed.is_none_or(|limit| changed <= limit)
            && self.max_share_changed.is_none_or(|limit| share.is_some_and(|s| s <= limit))
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
