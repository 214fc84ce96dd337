//! Where the symbols of a long pattern occur: one row of bits for each different symbol.

use rustc_hash::FxHashMap;

use super::bits::place;

/// Bit sets of a pattern of any length.
pub(super) struct Masks {
    words: usize,
    /// The first row is that of symbols that the pattern lacks.
    rows: Vec<u64>,
    direct: [u32; 256],
    others: FxHashMap<u32, u32>,
}

impl Masks {
    pub(super) fn new(pattern: impl Iterator<Item = u32>, length: usize) -> Self {
        let words = length.div_ceil(64);
        let mut rows = Vec::with_capacity(64 * words);
        rows.resize(words, 0);
        let mut masks = Self { words, rows, direct: [0; 256], others: FxHashMap::default() };
        for (position, symbol) in pattern.enumerate() {
            let (word, bit) = place(position);
            let row = masks.row(symbol);
            masks.rows[row + word] |= bit;
        }
        masks
    }

    /// Where the row of a symbol starts; made when it is new.
    fn row(&mut self, symbol: u32) -> usize {
        let row = match u8::try_from(symbol) {
            Ok(byte) => &mut self.direct[usize::from(byte)],
            Err(_) => self.others.entry(symbol).or_insert(0),
        };
        if *row == 0 {
            // A pattern of 2³² different symbols would not fit in memory.
            *row = u32::try_from(self.rows.len() / self.words).unwrap_or_default();
            self.rows.resize(self.rows.len() + self.words, 0);
        }
        *row as usize * self.words
    }

    /// The words of the pattern.
    pub(super) fn words(&self) -> usize {
        self.words
    }

    /// The positions of a symbol.
    #[inline]
    pub(super) fn get(&self, symbol: u32) -> &[u64] {
        let row = match u8::try_from(symbol) {
            Ok(byte) => self.direct[usize::from(byte)],
            Err(_) => self.others.get(&symbol).copied().unwrap_or(0),
        };
        let start = row as usize * self.words;
        &self.rows[start..start + self.words]
    }
}
