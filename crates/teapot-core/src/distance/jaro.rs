//! Jaro similarity: symbols that match within a window, and how many of them are out of order.
//!
//! With m matches within half the longer length (minus one) and t half the matches out of order, the similarity is
//! (m / |hypothesis| + m / |reference| + (m − t) / m) / 3. Source: Jaro 1989; `RapidFuzz` 3.14.6 `Jaro`.
//!
//! ```
//! use teapot_core::distance::{Unit, jaro};
//! assert_eq!(jaro::similarity("", "", Unit::Char), 1.0);
//! assert_eq!(jaro::similarity("", "tea", Unit::Char), 0.0);
//! ```

use rapidfuzz::distance::jaro as rapidfuzz_crate;

use super::family;
use super::symbol_table::SymbolTable;

family::graded!(rapidfuzz_crate::BatchComparator<u32>);

pub(super) fn of_symbols(
    left: &[u32],
    right: &[u32],
    buffers: &mut Buffers,
    patience: &Patience,
) -> Result<f64> {
    // Linear: for each symbol of the reference, the places that are still free are met in order.
    patience.spend(10 * (left.len() + right.len()))?;
    Ok(buffers.chains.similarity(left, right))
}

/// Where each symbol of the hypothesis is, with buffers that are reused.
#[derive(Clone, Debug, Default)]
pub(super) struct Chains {
    /// Of each symbol: its first place that may still match, from 1.
    first: SymbolTable,
    /// Of each place: the next one with the same symbol, from 1; 0 for none.
    next: Vec<u32>,
    is_matched: Vec<bool>,
    /// The symbols of the reference that match, in order.
    matches: Vec<u32>,
}

impl Chains {
    #[expect(clippy::cast_precision_loss, reason = "texts are shorter than 2⁵³ symbols")]
    fn similarity(&mut self, left: &[u32], right: &[u32]) -> f64 {
        let lengths = [left.len(), right.len()];
        match lengths {
            [0, 0] => return 1.0,
            [0, _] | [_, 0] => return 0.0,
            [1, 1] => return f64::from(u8::from(left == right)),
            _ => {}
        }
        self.find_matches(left, right, left.len().max(right.len()) / 2 - 1);
        if self.matches.is_empty() {
            return 0.0;
        }
        let matched = left.iter().zip(&self.is_matched).filter(|(_, is_matched)| **is_matched);
        let moved = matched.zip(&self.matches).filter(|((left, _), right)| left != right).count();
        let transpositions = moved / 2;
        let count = self.matches.len() as f64;
        let sum = count / lengths[0] as f64
            + count / lengths[1] as f64
            + (count - transpositions as f64) / count;
        sum / 3.0
    }

    /// Pairs each symbol of `right`, in order, with the first equal one of `left` that is free and at most `window` away.
    fn find_matches(&mut self, left: &[u32], right: &[u32], window: usize) {
        self.first.clear();
        self.next.clear();
        self.next.resize(left.len(), 0);
        self.is_matched.clear();
        self.is_matched.resize(left.len(), false);
        self.matches.clear();
        for (place, &symbol) in left.iter().enumerate().rev() {
            self.next[place] = self.first.get(symbol);
            self.first.set(symbol, u32::try_from(place + 1).unwrap_or(u32::MAX));
        }
        for (place, &symbol) in right.iter().enumerate() {
            let mut first = self.first.get(symbol);
            if first == 0 {
                continue;
            }
            // What is too far behind now stays so.
            while let Some(found) = (first as usize).checked_sub(1)
                && found + window < place
            {
                first = self.next[found];
            }
            if let Some(found) = (first as usize).checked_sub(1)
                && found <= place + window
            {
                self.is_matched[found] = true;
                self.matches.push(symbol);
                first = self.next[found];
            }
            self.first.set(symbol, first);
        }
    }
}
