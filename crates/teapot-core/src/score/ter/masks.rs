//! Where the words of a reference are: one bit a position.

use rustc_hash::FxHashMap;

/// Positions of each word of a reference.
#[derive(Clone, Debug, Default)]
pub(super) struct Masks {
    /// Of references of up to 64 words: the positions of each word.
    direct: Vec<u64>,
    /// Of longer ones: the positions of a word among 64 words, for each 64 words in which it occurs.
    blocks: FxHashMap<(u32, u32), u64>,
}

impl Masks {
    /// Starts over with the words of a reference, whose numbers are below `words`.
    pub(super) fn fill(&mut self, reference: &[u32], words: usize) {
        self.direct.clear();
        self.blocks.clear();
        if reference.len() <= 64 {
            self.direct.resize(words, 0);
            for (position, &word) in reference.iter().enumerate() {
                self.direct[word as usize] |= 1 << position;
            }
            return;
        }
        for (block, chunk) in (0..).zip(reference.chunks(64)) {
            for (position, &word) in chunk.iter().enumerate() {
                *self.blocks.entry((word, block)).or_insert(0) |= 1 << position;
            }
        }
    }

    /// The positions of a word from `start` to `start + 63`: bit k is position `start + k`. None for a word that the
    /// reference lacks.
    #[inline]
    pub(super) fn from(&self, word: u32, start: usize) -> u64 {
        if self.blocks.is_empty() {
            let mask = self.direct.get(word as usize).copied().unwrap_or(0);
            return if start < 64 { mask >> start } else { 0 };
        }
        let (block, offset) = (start / 64, start % 64);
        let low = self.block(word, block) >> offset;
        if offset == 0 { low } else { low | self.block(word, block + 1) << (64 - offset) }
    }

    /// The positions of a word from `end` down to `end − 63`: bit k is position `end − k`.
    #[inline]
    pub(super) fn down_from(&self, word: u32, end: usize) -> u64 {
        match end.checked_sub(63) {
            Some(start) => self.from(word, start).reverse_bits(),
            None => (self.from(word, 0) << (63 - end)).reverse_bits(),
        }
    }

    fn block(&self, word: u32, block: usize) -> u64 {
        let block = u32::try_from(block).unwrap_or(u32::MAX);
        self.blocks.get(&(word, block)).copied().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_found_in_short_and_long_references() {
        for length in [3_u32, 64, 65, 300] {
            let reference: Vec<u32> = (0..length).map(|position| position * position % 7).collect();
            let mut masks = Masks::default();
            masks.fill(&reference, 7);
            for (word, start) in (0..8).flat_map(|word| (0..=320).map(move |start| (word, start))) {
                let has = |position: usize| reference.get(position) == Some(&word);
                let up = (0..64).filter(|&k| has(start + k)).fold(0, |bits, k| bits | 1 << k);
                assert_eq!(masks.from(word, start), up);
                let down = (0..64).filter(|&k| start.checked_sub(k).is_some_and(has));
                assert_eq!(masks.down_from(word, start), down.fold(0, |bits, k| bits | 1 << k));
            }
        }
    }
}
