//! Words as numbers: n-grams of words are then counted like n-grams of characters.

use crate::text::tokenize::{Tokens, words_chrf};

/// Numbers the words of two texts, with buffers that are reused between calls.
#[derive(Clone, Debug, Default)]
pub(super) struct Words {
    tokens: [Tokens; 2],
    numbers: [Vec<u32>; 2],
    /// Open addressing with linear search, at most half full, all empty between calls.
    slots: Vec<Slot>,
    /// The slots in use.
    used: Vec<usize>,
}

/// A distinct word.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    /// What [`Tokens::keys`] gives; 0 in an empty slot.
    key: u64,
    /// Where the word was met first: in which text, and as which word of it.
    text: usize,
    index: usize,
    number: u32,
}

impl Words {
    /// The words of two texts as numbers, equal exactly for equal words, and how many are distinct.
    pub(super) fn number(&mut self, texts: [&str; 2]) -> (&[Vec<u32>; 2], usize) {
        for (text, tokens) in texts.into_iter().zip(&mut self.tokens) {
            words_chrf(text, tokens);
        }
        let words: usize = self.tokens.iter().map(Tokens::len).sum();
        let size = (2 * words).next_power_of_two().max(64);
        if self.slots.len() < size {
            self.slots.resize(size, Slot::default());
        }
        for text in 0..2 {
            self.numbers[text].clear();
            for (index, key) in self.tokens[text].keys().enumerate() {
                let place = self.find(key, text, index);
                let slot = &mut self.slots[place];
                if slot.key == 0 {
                    let number = u32::try_from(self.used.len()).unwrap_or(u32::MAX);
                    *slot = Slot { key, text, index, number };
                    self.used.push(place);
                }
                self.numbers[text].push(slot.number);
            }
        }
        let distinct = self.used.len();
        for place in self.used.drain(..) {
            self.slots[place] = Slot::default();
        }
        (&self.numbers, distinct)
    }

    /// The slot of a word, or the empty one where it would go.
    fn find(&self, key: u64, text: usize, index: usize) -> usize {
        let hash = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let shift = u64::BITS - self.slots.len().trailing_zeros();
        let mut place = usize::try_from(hash >> shift).unwrap_or(0);
        loop {
            let slot = &self.slots[place];
            let same = slot.key == key
                && (!Tokens::is_hash(key)
                    || self.tokens[slot.text].bytes(slot.index) == self.tokens[text].bytes(index));
            if same || slot.key == 0 {
                return place;
            }
            place = (place + 1) % self.slots.len();
        }
    }
}
