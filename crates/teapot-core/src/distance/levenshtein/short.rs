//! The whole column of the matrix in W words, which stay in registers.

use super::bits::{Carries, place, step};

/// The distance of a pattern of `length` symbols from a text. The last symbol is in the last word: `length` is above
/// 64 · (W − 1) and at most 64 · W.
pub(super) fn distance<const W: usize, M: Masks<W>>(
    pattern: impl Iterator<Item = u32>,
    length: usize,
    text: impl Iterator<Item = u32>,
) -> usize {
    let mut masks = M::new();
    for (position, symbol) in pattern.enumerate() {
        let (word, bit) = place(position);
        masks.at(symbol)[word] |= bit;
    }
    let (mut plus, mut minus) = ([u64::MAX; W], [0_u64; W]);
    let last = (length - 1) % 64;
    let mut score = length;
    for symbol in text {
        let mask = masks.get(symbol);
        let mut carries = Carries::top();
        let mut bottom = (0, 0);
        for word in 0..W {
            bottom = step(mask[word], &mut plus[word], &mut minus[word], &mut carries);
        }
        score += usize::from(bottom.0 >> last & 1 == 1);
        score -= usize::from(bottom.1 >> last & 1 == 1);
    }
    score
}

/// Where the symbols of the pattern occur: bit sets of W words.
pub(super) trait Masks<const W: usize> {
    /// No symbol anywhere.
    fn new() -> Self;
    /// The positions of a symbol of the pattern, to be set.
    fn at(&mut self, symbol: u32) -> &mut [u64; W];
    /// The positions of any symbol.
    fn get(&self, symbol: u32) -> [u64; W];
}

/// Of symbols below 256.
pub(super) struct ByteMasks<const W: usize>([[u64; W]; 256]);

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
pub(super) struct HashedMasks<const W: usize, const SLOTS: usize> {
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
