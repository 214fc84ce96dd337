//! Clipped matches of token n-grams in texts of any length, in time proportional to it.
//!
//! An n-gram is the (n − 1)-gram that it starts with and one more token, so a pair of numbers names it. Only n-grams
//! whose beginning is on both sides can match: the others are dropped order by order.

use rustc_hash::FxHashMap;

use crate::score::positions::KeyedTokens;
use crate::text::word_numbers::WordNumbers;

/// An n-gram that may match: the position where it starts, and its number among the n-grams of the hypothesis.
type Gram = (usize, u32);

/// The number of tokens of a reference that the hypothesis lacks.
const UNKNOWN: u32 = u32::MAX;

/// Counts for references of any length, with buffers that are reused between calls.
#[derive(Clone, Debug, Default)]
pub(super) struct LongCounter {
    vocabulary: WordNumbers,
    hypothesis: Side,
    references: Vec<Side>,
    /// Of an n-gram of the hypothesis: its number.
    numbers: FxHashMap<u64, u32>,
    /// How often the hypothesis has it, the reference that has it most often, and the reference at hand.
    counts: Vec<[usize; 3]>,
}

/// The tokens of a text as numbers, and its n-grams of the order at hand.
#[derive(Clone, Debug, Default)]
struct Side {
    tokens: Vec<u32>,
    grams: Vec<Gram>,
}

impl Side {
    fn start(&mut self, numbers: impl Iterator<Item = u32>) {
        self.tokens.clear();
        self.tokens.extend(numbers);
        self.grams.clear();
        self.grams.extend((0..self.tokens.len()).map(|start| (start, 0)));
    }
}

impl LongCounter {
    /// Adds the matches of each order to `matches`, order 1 first. Texts have fewer than 2³² tokens.
    pub(super) fn count(
        &mut self,
        hypothesis: &KeyedTokens,
        references: &[KeyedTokens],
        matches: &mut [usize],
    ) {
        let Self { vocabulary, hypothesis: side, references: sides, .. } = self;
        vocabulary.clear();
        side.start(hypothesis.tokens.iter().map(|token| vocabulary.learn(token)));
        sides.resize_with(references.len(), Side::default);
        for (side, reference) in sides.iter_mut().zip(references) {
            let number = |token| vocabulary.find(token).unwrap_or(UNKNOWN);
            side.start(reference.tokens.iter().map(number));
        }
        for (shorter, matches) in matches.iter_mut().enumerate() {
            let found = self.order(shorter);
            if found == 0 {
                break;
            }
            *matches += found;
        }
    }

    /// Counts the n-grams that are `shorter` tokens longer than one; those that can't grow any more are dropped.
    fn order(&mut self, shorter: usize) -> usize {
        let Self { hypothesis, references, numbers, counts, .. } = self;
        numbers.clear();
        counts.clear();
        let Side { tokens, grams } = hypothesis;
        grams.retain_mut(|(start, gram)| {
            let Some(&token) = tokens.get(*start + shorter) else { return false };
            let next = u32::try_from(counts.len()).unwrap_or(UNKNOWN);
            *gram = *numbers.entry(pair(*gram, token)).or_insert(next);
            if *gram == next {
                counts.push([0; 3]);
            }
            counts[*gram as usize][0] += 1;
            true
        });
        for Side { tokens, grams } in references {
            grams.retain_mut(|(start, gram)| {
                let Some(&token) = tokens.get(*start + shorter) else { return false };
                let Some(&number) = numbers.get(&pair(*gram, token)) else { return false };
                *gram = number;
                counts[number as usize][2] += 1;
                true
            });
            for [_, most, here] in counts.iter_mut() {
                *most = (*most).max(*here);
                *here = 0;
            }
        }
        grams.retain(|&(_, gram)| counts[gram as usize][1] > 0);
        counts.iter().map(|&[count, most, _]| count.min(most)).sum()
    }
}

fn pair(gram: u32, token: u32) -> u64 {
    u64::from(gram) << 32 | u64::from(token)
}
