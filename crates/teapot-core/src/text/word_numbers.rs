//! Numbers for the different words of a text, so that comparing words is comparing numbers.

use std::hash::Hasher;

use rustc_hash::FxHasher;

/// Numbers words from 0 in the order in which they are first met. Memory is kept and reused.
#[derive(Clone, Debug, Default)]
pub(crate) struct WordNumbers {
    /// The different words, one behind the other.
    text: String,
    words: Vec<Word>,
    /// Open addressing with linear search, at most half full: number + 1, 0 in an empty slot.
    slots: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Word {
    start: usize,
    end: usize,
    hash: u64,
    slot: usize,
}

/// The fewest slots of a table that isn't empty.
const MIN_SLOTS: usize = 64;

impl WordNumbers {
    /// Forgets all words.
    pub(crate) fn clear(&mut self) {
        // Slot by slot: behind one huge text the table is large, and the next texts are small.
        for word in self.words.drain(..) {
            self.slots[word.slot] = 0;
        }
        self.text.clear();
    }

    /// How many different words there are.
    pub(crate) fn len(&self) -> usize {
        self.words.len()
    }

    /// The number of a word, a new one when it wasn't met before. Words are fewer than 2³² − 2.
    pub(crate) fn learn(&mut self, word: &str) -> u32 {
        if 2 * (self.words.len() + 1) > self.slots.len() {
            self.grow();
        }
        let hash = hash(word);
        let slot = self.find_slot(hash, word);
        if self.slots[slot] == 0 {
            let start = self.text.len();
            self.text.push_str(word);
            self.words.push(Word { start, end: self.text.len(), hash, slot });
            self.slots[slot] = u32::try_from(self.words.len()).unwrap_or(u32::MAX);
        }
        self.slots[slot] - 1
    }

    /// The number of a word, if it was met.
    pub(crate) fn find(&self, word: &str) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        self.slots[self.find_slot(hash(word), word)].checked_sub(1)
    }

    /// The slot of a word, or the empty one where it would go.
    fn find_slot(&self, hash: u64, word: &str) -> usize {
        let mut slot = home(hash, self.slots.len());
        loop {
            let number = self.slots[slot];
            let Some(found) = number.checked_sub(1).map(|index| &self.words[index as usize]) else {
                return slot;
            };
            if found.hash == hash && &self.text[found.start..found.end] == word {
                return slot;
            }
            slot = (slot + 1) % self.slots.len();
        }
    }

    fn grow(&mut self) {
        let size = (2 * self.slots.len()).max(MIN_SLOTS);
        self.slots.clear();
        self.slots.resize(size, 0);
        for (number, word) in (1..).zip(&mut self.words) {
            let mut slot = home(word.hash, size);
            while self.slots[slot] != 0 {
                slot = (slot + 1) % size;
            }
            self.slots[slot] = number;
            word.slot = slot;
        }
    }
}

fn hash(word: &str) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(word.as_bytes());
    // The highest bits of a product depend on all bits of the hash.
    hasher.finish().wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Where the search for a hash begins in a table of `slots` slots, a power of two.
fn home(hash: u64, slots: usize) -> usize {
    usize::try_from(hash >> (u64::BITS - slots.ilog2())).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_words_have_equal_numbers() {
        let mut numbers = WordNumbers::default();
        assert_eq!(numbers.find("tea"), None);
        for _ in 0..2 {
            let found: Vec<u32> =
                ["tea", "", "té", "tea", ""].iter().map(|word| numbers.learn(word)).collect();
            assert_eq!(found, [0, 1, 2, 0, 1]);
            assert_eq!((numbers.find("té"), numbers.find("t"), numbers.len()), (Some(2), None, 3));
            numbers.clear();
            assert_eq!((numbers.find("tea"), numbers.len()), (None, 0));
        }
    }

    #[test]
    fn many_words_keep_their_numbers() {
        let mut numbers = WordNumbers::default();
        for number in 0..10_000 {
            assert_eq!(numbers.learn(&number.to_string()), number);
        }
        for number in 0..10_000 {
            assert_eq!(numbers.find(&number.to_string()), Some(number));
        }
        numbers.clear();
        assert_eq!(numbers.learn("9999"), 0);
    }
}
