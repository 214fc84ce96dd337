//! Where the symbols of a long pattern occur.

use super::step::place;
use crate::distance::symbol_table::SymbolTable;

/// Up to so many words, all rows together are kept as bit sets: 32 MB. Above, most bits are 0, and only words with a bit are
/// kept; 100,000 different words of a text would fill gigabytes.
const MAX_DENSE_WORDS: usize = 1 << 22;

/// Bit sets of a pattern of any length, and buffers that are reused. Before a set is read it is [loaded](Self::load).
#[derive(Clone, Debug, Default)]
pub(crate) struct Masks {
    words: usize,
    /// Of each symbol of the pattern: its number, from 1.
    numbers: SymbolTable,
    /// The sets one after the other, that of symbols that the pattern lacks first; nothing where they are too many.
    dense: Vec<u64>,
    /// Words with a bit and their places, symbol by symbol, and where each symbol's begin.
    sparse: Vec<(u32, u64)>,
    starts: Vec<usize>,
    /// Words so far, and the last one, of each symbol: while the sets are made.
    last: Vec<u32>,
    loaded: [Loaded; 2],
}

/// A set that can be read.
#[derive(Clone, Debug, Default)]
struct Loaded {
    /// Where it begins in `dense`.
    start: usize,
    /// The set itself, where there is no `dense`, and the symbol that it was put together for.
    row: Vec<u64>,
    number: usize,
}

impl Masks {
    /// Starts over with a pattern.
    pub(crate) fn fill(&mut self, pattern: impl Iterator<Item = u32> + Clone, length: usize) {
        self.words = length.div_ceil(64);
        self.numbers.clear();
        let mut different = 0;
        for symbol in pattern.clone() {
            if self.numbers.get(symbol) == 0 {
                different += 1;
                self.numbers.set(symbol, different);
            }
        }
        let symbols = different as usize + 1;
        self.dense.clear();
        for loaded in &mut self.loaded {
            loaded.start = 0;
        }
        if symbols * self.words <= MAX_DENSE_WORDS {
            self.dense.resize(symbols * self.words, 0);
            for (position, symbol) in pattern.enumerate() {
                let (word, bit) = place(position);
                self.dense[self.numbers.get(symbol) as usize * self.words + word] |= bit;
            }
        } else {
            self.fill_sparse(pattern, symbols);
        }
    }

    fn fill_sparse(&mut self, pattern: impl Iterator<Item = u32> + Clone, symbols: usize) {
        self.starts.clear();
        self.starts.resize(symbols + 1, 0);
        self.visit(pattern.clone(), symbols, |masks, number, _, _, is_new| {
            masks.starts[number + 1] += usize::from(is_new);
        });
        let mut sum = 0;
        for start in &mut self.starts {
            sum += *start;
            *start = sum;
        }
        self.sparse.clear();
        self.sparse.resize(sum, (0, 0));
        // While they are filled, each start goes up to its end, which is the start of the next symbol.
        self.visit(pattern, symbols, |masks, number, word, bit, is_new| {
            masks.starts[number] += usize::from(is_new);
            masks.sparse[masks.starts[number] - 1].0 = word;
            masks.sparse[masks.starts[number] - 1].1 |= bit;
        });
        self.starts.rotate_right(1);
        self.starts[0] = 0;
        for loaded in &mut self.loaded {
            loaded.row.clear();
            loaded.row.resize(self.words, 0);
            loaded.number = 0;
        }
    }

    /// Tells of each position of a pattern its symbol's number, its word and bit, and whether that word is new for the symbol.
    fn visit(
        &mut self,
        pattern: impl Iterator<Item = u32>,
        symbols: usize,
        mut each: impl FnMut(&mut Self, usize, u32, u64, bool),
    ) {
        self.last.clear();
        self.last.resize(symbols, u32::MAX);
        for (position, symbol) in pattern.enumerate() {
            let (word, bit) = place(position);
            let word = u32::try_from(word).unwrap_or(u32::MAX);
            let number = self.numbers.get(symbol) as usize;
            let is_new = self.last[number] != word;
            self.last[number] = word;
            each(self, number, word, bit, is_new);
        }
    }

    /// The words of the pattern.
    pub(crate) fn words(&self) -> usize {
        self.words
    }

    /// Makes the positions of a symbol readable in one of two places.
    #[inline]
    pub(crate) fn load(&mut self, symbol: u32, slot: usize) {
        let number = self.numbers.get(symbol) as usize;
        if self.dense.is_empty() {
            self.load_sparse(number, slot);
        } else {
            self.loaded[slot].start = number * self.words;
        }
    }

    fn load_sparse(&mut self, number: usize, slot: usize) {
        let Self { sparse, starts, loaded, .. } = self;
        let loaded = &mut loaded[slot];
        for &(word, _) in &sparse[starts[loaded.number]..starts[loaded.number + 1]] {
            loaded.row[word as usize] = 0;
        }
        for &(word, bits) in &sparse[starts[number]..starts[number + 1]] {
            loaded.row[word as usize] = bits;
        }
        loaded.number = number;
    }

    /// The positions of a symbol that were loaded.
    #[inline]
    pub(crate) fn row(&self, slot: usize) -> &[u64] {
        let loaded = &self.loaded[slot];
        if self.dense.is_empty() {
            &loaded.row
        } else {
            &self.dense[loaded.start..loaded.start + self.words]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dense_and_sparse_sets_are_the_positions() {
        // Above four million words: 20,000 different symbols in 22,000 positions.
        for (length, different) in [(300_u32, 20_u32), (22_000, 20_000)] {
            let pattern = (0..length).map(|position| position * 7 % different);
            let mut masks = Masks::default();
            masks.fill(0..5, 5);
            masks.fill(pattern.clone(), length as usize);
            assert_eq!(masks.dense.is_empty(), different > 1000);
            let symbols: Vec<u32> = pattern.collect();
            for (slot, symbol) in [(0, 3), (1, 7), (0, different + 1), (1, 3), (0, 14)] {
                masks.load(symbol, slot);
                let row = masks.row(slot);
                assert_eq!(row.len(), masks.words());
                for (position, &other) in symbols.iter().enumerate() {
                    assert_eq!(row[position / 64] >> (position % 64) & 1 == 1, other == symbol);
                }
            }
        }
    }
}
