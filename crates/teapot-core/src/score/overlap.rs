//! Words that two texts share.

use super::positions::{KeyedTokens, MediumTable, Positions, ShortTable};
use crate::text::word_numbers::WordNumbers;

/// Counts shared words, with buffers that are reused between calls.
#[derive(Clone, Debug, Default)]
pub(super) struct Overlap {
    short: ShortTable,
    short_at: Vec<u64>,
    medium: MediumTable,
    medium_at: Vec<u128>,
    table: Table,
}

/// How many words two texts share, by three ways of counting.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Shared {
    /// Words of the hypothesis that are in the reference, each occurrence counted.
    pub(super) in_reference: usize,
    /// Words of the reference that are in the hypothesis, each occurrence counted.
    pub(super) in_hypothesis: usize,
    /// Words of both, each as often as both have it.
    pub(super) clipped: usize,
}

impl Overlap {
    /// Counts the words that two texts share.
    pub(super) fn shared(&mut self, hypothesis: &KeyedTokens, reference: &KeyedTokens) -> Shared {
        let length = reference.tokens.len();
        if length <= u64::CAPACITY {
            self.short.look_up(hypothesis, reference, 0, &mut self.short_at);
            by_positions(&self.short_at)
        } else if length <= u128::CAPACITY {
            self.medium.look_up(hypothesis, reference, 0, &mut self.medium_at);
            by_positions(&self.medium_at)
        } else {
            self.table.shared(hypothesis, reference)
        }
    }
}

/// `at` holds, for each word of the hypothesis, its positions in the reference.
fn by_positions<P: Positions>(at: &[P]) -> Shared {
    let (mut in_reference, mut met, mut taken) = (0, P::default(), P::default());
    for &at in at {
        in_reference += usize::from(at != P::default());
        met |= at;
        taken |= (at & !taken).first();
    }
    Shared { in_reference, in_hypothesis: met.count(), clipped: taken.count() }
}

/// Counts of the words of long texts, with buffers that are reused.
#[derive(Clone, Debug, Default)]
struct Table {
    numbers: WordNumbers,
    /// Occurrences of each word of the reference on both sides.
    counts: Vec<[usize; 2]>,
}

impl Table {
    fn shared(&mut self, hypothesis: &KeyedTokens, reference: &KeyedTokens) -> Shared {
        self.numbers.clear();
        self.counts.clear();
        for word in reference.tokens.iter() {
            let number = self.numbers.learn(word) as usize;
            if number == self.counts.len() {
                self.counts.push([0, 0]);
            }
            self.counts[number][1] += 1;
        }
        for word in hypothesis.tokens.iter() {
            if let Some(number) = self.numbers.find(word) {
                self.counts[number as usize][0] += 1;
            }
        }
        let mut shared = Shared::default();
        for &[here, there] in self.counts.iter().filter(|[here, _]| *here > 0) {
            shared.in_reference += here;
            shared.in_hypothesis += there;
            shared.clipped += here.min(there);
        }
        shared
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::tokenize::Tokenizer;
    use proptest::prelude::*;

    fn words(text: &str) -> KeyedTokens {
        let mut words = KeyedTokens::default();
        words.tokenize(Tokenizer::None, text);
        words
    }

    proptest! {
        /// References of up to 64, up to 128 and more words, words of more than seven bytes, and repetitions.
        #[test]
        fn bit_sets_and_tables_agree(
            hypothesis in "([a-d]|[ab]{7,9}|[é中]{2,4}| ){0,150}",
            reference in "([a-d] |[ab]{7,9} |[é中]{2,4} ){0,150}",
        ) {
            let (hypothesis, reference) = (words(&hypothesis), words(&reference));
            let mut overlap = Overlap::default();
            let expected = Table::default().shared(&hypothesis, &reference);
            prop_assert_eq!(overlap.shared(&hypothesis, &reference), expected);
            let turned = overlap.shared(&reference, &hypothesis);
            prop_assert_eq!(turned.in_reference, expected.in_hypothesis);
            prop_assert_eq!(turned.in_hypothesis, expected.in_reference);
            prop_assert_eq!(turned.clipped, expected.clipped);
        }
    }
}
