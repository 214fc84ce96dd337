//! The whole column of the matrix in W words, which stay in registers.

use super::step::place;

/// The positions of the symbols of a pattern.
pub(crate) fn masks_of<const W: usize, M: Masks<W>>(pattern: impl Iterator<Item = u32>) -> M {
    let mut masks = M::new();
    for (position, symbol) in pattern.enumerate() {
        let (word, bit) = place(position);
        masks.at(symbol)[word] |= bit;
    }
    masks
}

/// Where the symbols of the pattern occur: bit sets of W words.
pub(crate) trait Masks<const W: usize> {
    /// No symbol anywhere.
    fn new() -> Self;
    /// The positions of a symbol of the pattern, to be set.
    fn at(&mut self, symbol: u32) -> &mut [u64; W];
    /// The positions of any symbol.
    fn get(&self, symbol: u32) -> [u64; W];
}

/// Of symbols below 256.
pub(crate) struct ByteMasks<const W: usize>([[u64; W]; 256]);

impl<const W: usize> Masks<W> for ByteMasks<W> {
    fn new() -> Self {
        Self([[0; W]; 256])
    }

    #[inline]
    fn at(&mut self, symbol: u32) -> &mut [u64; W] {
        &mut self.0[symbol as usize % 256]
    }

    #[inline]
    fn get(&self, symbol: u32) -> [u64; W] {
        self.0[symbol as usize % 256]
    }
}

/// Of any symbols but `u32::MAX`: a hash table of twice the symbols that the pattern can have, `SLOTS` ≥ 128 · W. The
/// alphabet of a language mostly has no collisions in it.
pub(crate) struct HashedMasks<const W: usize, const SLOTS: usize> {
    /// Symbol + 1; 0 where nothing is.
    keys: [u32; SLOTS],
    masks: [[u64; W]; SLOTS],
}

impl<const W: usize, const SLOTS: usize> HashedMasks<W, SLOTS> {
    /// Where a symbol is, or would be.
    #[inline]
    fn slot(&self, symbol: u32) -> usize {
        let mut slot = symbol as usize % SLOTS;
        while self.keys[slot] != symbol + 1 && self.keys[slot] != 0 {
            slot = (slot + 1) % SLOTS;
        }
        slot
    }
}

impl<const W: usize, const SLOTS: usize> Masks<W> for HashedMasks<W, SLOTS> {
    fn new() -> Self {
        Self { keys: [0; SLOTS], masks: [[0; W]; SLOTS] }
    }

    #[inline]
    fn at(&mut self, symbol: u32) -> &mut [u64; W] {
        let slot = self.slot(symbol);
        self.keys[slot] = symbol + 1;
        &mut self.masks[slot]
    }

    #[inline]
    fn get(&self, symbol: u32) -> [u64; W] {
        self.masks[self.slot(symbol)]
    }
}
