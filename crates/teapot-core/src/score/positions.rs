//! Where the words of a short reference are: one bit a position, so that n-grams are met by shifting and masking.
//!
//! For a reference of up to 64 (or 128) tokens, each of its distinct tokens gets a number whose bit p is set when the
//! token is at position p. The token at position i of a hypothesis is looked up once, as `at[i]`. Then
//!
//! ```text
//! gram(i, 1) = at[i]
//! gram(i, n) = gram(i, n − 1) & (at[i + n − 1] >> (n − 1))
//! ```
//!
//! has bit p set exactly when the n-gram at position i of the hypothesis is also at position p of the reference. Equal
//! n-grams have equal bits and different ones have none in common; so taking, for each i, one bit that was not taken
//! before counts clipped matches.

use std::ops::{BitAnd, BitOrAssign, Not, Shr};

use crate::text::tokenize::{Tokenizer, Tokens};

/// A set of positions in a reference.
pub(super) trait Positions:
    Copy
    + Default
    + Eq
    + BitAnd<Output = Self>
    + BitOrAssign
    + Not<Output = Self>
    + Shr<usize, Output = Self>
{
    /// How many positions there are.
    const CAPACITY: usize;
    /// The set of one position, which is below [`CAPACITY`](Self::CAPACITY).
    fn single(position: usize) -> Self;
    /// The least position in the set; [`CAPACITY`](Self::CAPACITY) for the empty set.
    fn least(self) -> usize;
    /// The set of the least position, or the empty set.
    fn first(self) -> Self;
    /// How many positions are in the set.
    fn count(self) -> usize;
}

macro_rules! impl_positions {
    ($($integer:ty),*) => {$(
        impl Positions for $integer {
            const CAPACITY: usize = <$integer>::BITS as usize;

            fn single(position: usize) -> Self {
                1 << position
            }

            fn least(self) -> usize {
                self.trailing_zeros() as usize
            }

            fn first(self) -> Self {
                self & self.wrapping_neg()
            }

            fn count(self) -> usize {
                self.count_ones() as usize
            }
        }
    )*};
}

impl_positions!(u64, u128);

/// The tokens of a text with their keys.
#[derive(Clone, Debug, Default)]
pub(super) struct KeyedTokens {
    /// The tokens.
    pub(super) tokens: Tokens,
    /// The key of each.
    keys: Vec<u64>,
}

impl KeyedTokens {
    /// Starts over with the tokens of a text.
    pub(super) fn tokenize(&mut self, tokenizer: Tokenizer, text: &str) {
        tokenizer.tokenize(text, &mut self.tokens);
        self.keys.clear();
        self.keys.extend(self.tokens.keys());
    }

    /// Keeps the tokens that a condition on their bytes holds for.
    pub(super) fn retain(&mut self, keep: impl FnMut(&[u8]) -> bool) {
        self.tokens.retain(keep);
        self.keys.clear();
        self.keys.extend(self.tokens.keys());
    }
}

/// Equal sequences of tokens.
impl PartialEq for KeyedTokens {
    fn eq(&self, other: &Self) -> bool {
        self.keys == other.keys
            && (0..).zip(&self.keys).all(|(index, &key)| {
                !Tokens::is_hash(key) || self.tokens.bytes(index) == other.tokens.bytes(index)
            })
    }
}

/// The positions of each distinct token of a reference: a hash table with linear probing, never more than half full.
#[derive(Clone, Debug)]
pub(super) struct PositionTable<P, const SLOTS: usize> {
    slots: [Slot<P>; SLOTS],
    filled: Vec<usize>,
}

/// A table for references of up to 64 tokens.
pub(super) type ShortTable = PositionTable<u64, 256>;

/// A table for references of up to 128 tokens.
pub(super) type MediumTable = PositionTable<u128, 256>;

/// A token and where it is. Its bytes are those at the first position.
#[derive(Clone, Copy, Debug, Default)]
struct Slot<P> {
    /// The token's key, or 0 in an empty slot.
    key: u64,
    positions: P,
}

impl<P: Positions, const SLOTS: usize> Default for PositionTable<P, SLOTS> {
    fn default() -> Self {
        const { assert!(SLOTS.is_power_of_two() && SLOTS >= 2 * P::CAPACITY) };
        Self { slots: [Slot::default(); SLOTS], filled: Vec::new() }
    }
}

impl<P: Positions, const SLOTS: usize> PositionTable<P, SLOTS> {
    /// Leaves in `at` the positions in `reference` of each token of `hypothesis`, then `margin` empty sets.
    ///
    /// `reference` has at most [`Positions::CAPACITY`] tokens.
    pub(super) fn look_up(
        &mut self,
        hypothesis: &KeyedTokens,
        reference: &KeyedTokens,
        margin: usize,
        at: &mut Vec<P>,
    ) {
        self.fill(reference);
        at.clear();
        at.extend(hypothesis.keys.iter().enumerate().map(|(index, &key)| {
            let token = || hypothesis.tokens.bytes(index);
            self.slots[self.find(key, token, &reference.tokens)].positions
        }));
        at.resize(at.len() + margin, P::default());
        for slot in self.filled.drain(..) {
            self.slots[slot] = Slot::default();
        }
    }

    fn fill(&mut self, reference: &KeyedTokens) {
        for (position, &key) in reference.keys.iter().enumerate() {
            let token = || reference.tokens.bytes(position);
            let index = self.find(key, token, &reference.tokens);
            let slot = &mut self.slots[index];
            if slot.key == 0 {
                slot.key = key;
                self.filled.push(index);
            }
            slot.positions |= P::single(position);
        }
    }

    /// The slot of a token, or the empty slot where it would go. `token` gives its bytes.
    #[inline]
    fn find<'t>(&self, key: u64, token: impl Fn() -> &'t [u8], reference: &Tokens) -> usize {
        let mut index = Self::home(key);
        loop {
            let slot = &self.slots[index];
            if slot.key == key || slot.key == 0 {
                let is_certain = !Tokens::is_hash(key) || slot.key == 0;
                if is_certain || reference.bytes(slot.positions.least()) == token() {
                    return index;
                }
            }
            index = (index + 1) % SLOTS;
        }
    }

    /// Where the search for a key begins: the highest bits of a product, which depend on all bits of the key.
    #[inline]
    fn home(key: u64) -> usize {
        const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;
        let highest = key.wrapping_mul(MULTIPLIER) >> (u64::BITS - SLOTS.ilog2());
        usize::try_from(highest).unwrap_or(0) % SLOTS
    }
}
