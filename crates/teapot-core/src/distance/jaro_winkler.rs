//! Jaro-Winkler similarity: symbols that match within a window, how many of them are out of order, and a common prefix.
//!
//! With m matches within half the longer length (minus one) and t half the matches out of order, Jaro's similarity is
//! J = (m / |hypothesis| + m / |reference| + (m − t) / m) / 3. With ℓ the length of the common prefix (at most 4),
//! Jaro-Winkler is J + 0.1 · ℓ · (1 − J) when J > 0.7, else J. Sources: Jaro 1989, Winkler 1990; `RapidFuzz` 3.14.6.

use super::scratch::Buffers;
use super::symbol_table::SymbolTable;
use crate::error::Result;
use crate::patience::Patience;

/// Symbols of a common prefix that count.
const MAX_PREFIX: usize = 4;

/// The similarity of sequences of symbols, in `[0, 1]`: 1 for two empty ones, 0 if one is empty.
pub(super) fn similarity(
    left: &[u32],
    right: &[u32],
    buffers: &mut Buffers,
    patience: &Patience,
) -> Result<f64> {
    // Linear: for each symbol of the reference, the places that are still free are met in order.
    patience.spend(10 * (left.len() + right.len()))?;
    let similarity = buffers.chains.similarity(left, right);
    let prefix = left.iter().zip(right).take(MAX_PREFIX).take_while(|(a, b)| a == b).count();
    let bonus = f64::from(u8::try_from(prefix).expect("at most four")) * 0.1;
    Ok(if similarity > 0.7 { similarity + bonus * (1.0 - similarity) } else { similarity })
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
