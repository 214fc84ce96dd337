//! Damerau-Levenshtein distance: Levenshtein plus the swap of neighbours, which may be edited again.
//!
//! Maximum: the longer length. Symmetric, and a metric. Time and memory grow with the product of the lengths.
//! Source: Zhao and Sahinalp 2020; `RapidFuzz` 3.14.6 `DamerauLevenshtein`.
//!
//! ```
//! use teapot_core::distance::{Unit, damerau_levenshtein};
//! assert_eq!(damerau_levenshtein::distance("ca", "abc", Unit::Char), 2);
//! ```

use rapidfuzz::distance::damerau_levenshtein as rapidfuzz_crate;

use super::symbol_table::SymbolTable;
use super::{family, trim};

family::counted!(rapidfuzz_crate::BatchComparator<u32>);

/// The largest distance of texts of these lengths.
fn maximum(left: usize, right: usize) -> usize {
    left.max(right)
}

fn of_characters(
    hypothesis: &str,
    reference: &str,
    scratch: &mut DistanceScratch,
    patience: &Patience,
) -> Result<usize> {
    let (left, right, buffers) = scratch.symbols(hypothesis, reference, Unit::Char);
    of_symbols(left, right, buffers, patience)
}

fn of_symbols(
    left: &[u32],
    right: &[u32],
    buffers: &mut Buffers,
    patience: &Patience,
) -> Result<usize> {
    let (left, right) = trim::symbols(left, right);
    buffers.rows.distance(left, right, patience)
}

/// Two rows of the matrix and what swaps need to know of earlier ones, with buffers that are reused.
///
/// A swap leads from the cell before the last occurrences of both symbols. It can be on a cheapest path only where one of
/// them is the neighbour, so two cells are enough: one for each column, and one for the row.
#[derive(Clone, Debug, Default)]
pub(super) struct Rows {
    /// Of each symbol of the text: its number, from 1.
    numbers: SymbolTable,
    text: Vec<u32>,
    /// The last row, from 1, that had the symbol of this number; 0 for none.
    last_row: Vec<u32>,
    /// Column by column, the first one for "before the text".
    row: Vec<u32>,
    above: Vec<u32>,
    /// Two columns to the left in the row above the last one that had the column's symbol.
    before_row: Vec<u32>,
}

impl Rows {
    fn distance(&mut self, left: &[u32], right: &[u32], patience: &Patience) -> Result<usize> {
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let infinite = number(left.len().max(right.len()) + 1);
        self.numbers.clear();
        self.text.clear();
        let mut different = 0;
        for &symbol in right {
            if self.numbers.get(symbol) == 0 {
                different += 1;
                self.numbers.set(symbol, different);
            }
            self.text.push(self.numbers.get(symbol));
        }
        self.last_row.clear();
        self.last_row.resize(different as usize + 1, 0);
        for buffer in [&mut self.row, &mut self.above, &mut self.before_row] {
            buffer.clear();
            buffer.resize(right.len() + 2, infinite);
        }
        for (cell, value) in self.row[1..].iter_mut().zip(0..) {
            *cell = value;
        }
        for (row, &symbol) in (1_u32..).zip(left) {
            patience.spend(3 * right.len())?;
            std::mem::swap(&mut self.row, &mut self.above);
            let symbol = self.numbers.get(symbol);
            self.fill_row(row, symbol, infinite);
            self.last_row[symbol as usize] = row;
        }
        Ok(self.row.last().map_or(0, |&cell| cell as usize))
    }

    /// Fills `row`, which holds the row above `above`.
    fn fill_row(&mut self, row: u32, symbol: u32, infinite: u32) {
        // The last column, from 1, that has the row's symbol; and the cell before it, two rows up.
        let (mut last_column, mut before_column) = (0, infinite);
        let mut two_up = self.row[1];
        self.row[1] = row;
        let mut left = row;
        // Of the row above: the cells two columns, one column and no column to the left.
        let (mut far, mut near) = (self.above[0], self.above[1]);
        let columns = self.row[2..].iter_mut().zip(&self.above[2..]).zip(&mut self.before_row[2..]);
        for ((column, &other), ((cell, &up), before_row)) in (1_u32..).zip(&self.text).zip(columns)
        {
            let equal = symbol == other;
            let mut best = (near + u32::from(!equal)).min(left + 1).min(up + 1);
            if equal {
                last_column = column;
                *before_row = far;
                before_column = two_up;
            } else if last_column != 0 && column - last_column == 1 {
                best = best.min(*before_row + row - self.last_row[other as usize]);
            } else if row > 1 && self.last_row[other as usize] == row - 1 {
                best = best.min(before_column + column - last_column);
            }
            two_up = *cell;
            *cell = best;
            left = best;
            (far, near) = (near, up);
        }
    }
}
