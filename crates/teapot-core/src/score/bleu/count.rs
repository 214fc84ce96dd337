//! Clipped matches of token n-grams, for references short enough for [`positions`](crate::score::positions).

use crate::score::positions::{KeyedTokens, PositionTable, Positions};

/// Orders that are counted in one pass: their chains of operations don't wait for each other.
const ORDERS: usize = 4;

/// Counts for references of up to 64 tokens.
pub(super) type ShortCounter = Counter<u64, 256>;

/// Counts for references of up to 128 tokens.
pub(super) type MediumCounter = Counter<u128, 256>;

/// Buffers, reused between calls.
#[derive(Clone, Debug, Default)]
pub(super) struct Counter<P: Positions, const SLOTS: usize> {
    table: PositionTable<P, SLOTS>,
    /// Of each token of the hypothesis, its positions in the reference. Of several references, one after the other.
    at: Vec<P>,
    /// Of each n-gram of the hypothesis, the positions in the reference at which it starts, n being the last order.
    grams: Vec<P>,
    one: Vec<P>,
    taken: Vec<P>,
}

impl<P: Positions, const SLOTS: usize> Counter<P, SLOTS> {
    /// Tells whether a reference is short enough for [`count`](Self::count).
    pub(super) fn fits(reference: &KeyedTokens) -> bool {
        reference.tokens.len() <= P::CAPACITY
    }

    /// Adds the matches of each order to `matches`, order 1 first.
    pub(super) fn count(
        &mut self,
        hypothesis: &KeyedTokens,
        references: &[KeyedTokens],
        matches: &mut [usize],
    ) {
        match references {
            [reference] => self.count_one(hypothesis, reference, matches),
            _ => self.count_several(hypothesis, references, matches),
        }
    }

    fn count_one(
        &mut self,
        hypothesis: &KeyedTokens,
        reference: &KeyedTokens,
        matches: &mut [usize],
    ) {
        self.table.look_up(hypothesis, reference, ORDERS - 1, &mut self.at);
        self.grams.clear();
        self.grams.resize(hypothesis.tokens.len(), !P::default());
        // No n-gram of more than `CAPACITY` tokens can be in the reference.
        for (chunk, matches) in matches.chunks_mut(ORDERS).take(P::CAPACITY / ORDERS).enumerate() {
            let shorter = chunk * ORDERS;
            let mut taken = [P::default(); ORDERS];
            let windows = self.at.get(shorter..).unwrap_or_default().windows(ORDERS);
            for (gram, at) in self.grams.iter_mut().zip(windows) {
                for (order, (taken, &at)) in taken.iter_mut().zip(at).enumerate() {
                    *gram = *gram & (at >> (shorter + order));
                    *taken |= (*gram & !*taken).first();
                }
            }
            for (matches, taken) in matches.iter_mut().zip(taken) {
                *matches += taken.count();
            }
            if taken[ORDERS - 1] == P::default() {
                break;
            }
        }
    }

    /// With several references, an n-gram counts as often as the reference has it that has it most often: the first of
    /// those lends the positions that are taken, the same for all its occurrences.
    fn count_several(
        &mut self,
        hypothesis: &KeyedTokens,
        references: &[KeyedTokens],
        matches: &mut [usize],
    ) {
        let length = hypothesis.tokens.len();
        self.at.clear();
        for reference in references {
            self.table.look_up(hypothesis, reference, 0, &mut self.one);
            self.at.extend(&self.one);
        }
        self.grams.clear();
        self.grams.resize(length * references.len(), !P::default());
        for (shorter, matches) in matches.iter_mut().enumerate().take(P::CAPACITY.min(length)) {
            self.taken.clear();
            self.taken.resize(references.len(), P::default());
            for i in 0..length - shorter {
                let (mut most, mut best, mut lender) = (0, P::default(), 0);
                for reference in 0..references.len() {
                    let gram = &mut self.grams[reference * length + i];
                    *gram = *gram & (self.at[reference * length + i + shorter] >> shorter);
                    if gram.count() > most {
                        (most, best, lender) = (gram.count(), *gram, reference);
                    }
                }
                if let Some(taken) = self.taken.get_mut(lender) {
                    *taken |= (best & !*taken).first();
                }
            }
            let found: usize = self.taken.iter().map(|taken| taken.count()).sum();
            if found == 0 {
                break;
            }
            *matches += found;
        }
    }
}
