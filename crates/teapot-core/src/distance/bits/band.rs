//! A band of the matrix around the diagonal, as wide as the distance asks for: patterns of any length.
//!
//! ```text
//! for a limit k, small at first:
//!     go through the columns, with the words whose rows a path of cost <= k can reach
//!     every 64 columns look at the cell on the diagonal that ends in the corner:
//!         above k         -> the distance is above k too: guess a larger k from the columns seen, begin anew
//!         else            -> k is at most this cell and a replacement for each column left
//!     corner <= k         -> that is the distance
//! ```
//!
//! Cells inside the band are costs of real paths, so never too low; and right when a path of cost at most k meets them.
//! No cell of a column can reach the corner cheaper than the one on the corner's diagonal says: a cell r rows away
//! differs by at most r from it, and needs at least r edits to come back.

use std::ops::Range;

use super::masks::Masks;
use super::step::{Carries, step, step_with_swaps};
use crate::distance::scratch::Buffers;
use crate::error::Result;
use crate::patience::Patience;

/// How many columns pass between two looks at the diagonal.
const LOOK: usize = 64;

/// Guesses up to here are tried at once.
const TRUSTED: usize = 2048;

/// The distance of a pattern from a text; lengths first, and the text is at least as long. With
/// `SWAPS` two neighbours may change places.
pub(crate) fn distance<const SWAPS: bool>(
    lengths: [usize; 2],
    pattern: impl Iterator<Item = u32> + Clone,
    text: &(impl Iterator<Item = u32> + Clone),
    Buffers { masks, band, .. }: &mut Buffers,
    patience: &Patience,
) -> Result<usize> {
    let [pattern_length, text_length] = lengths;
    masks.fill(pattern, pattern_length);
    band.fill(lengths, masks.words());
    let mut limit = (text_length - pattern_length).max(LOOK);
    loop {
        match band.run::<SWAPS>(masks, text.clone(), limit, patience)? {
            Outcome::Distance(distance) => return Ok(distance),
            // A guess from few columns may be far too high, which costs more than to begin again; but not where the whole matrix
            // is small.
            Outcome::Guess(guess) => {
                limit = guess.clamp(2 * limit, (8 * limit).max(TRUSTED)).min(text_length);
            }
        }
    }
}

/// What came of a run within a limit.
enum Outcome {
    /// The distance, which is at most the limit.
    Distance(usize),
    /// It is above the limit, maybe this.
    Guess(usize),
}

/// Differences down a column, and buffers that are reused.
#[derive(Clone, Debug, Default)]
pub(crate) struct Band {
    pattern: usize,
    text: usize,
    plus: Vec<u64>,
    minus: Vec<u64>,
    /// With swaps: the rows of the column before in which a step down the diagonal was free.
    free: Vec<u64>,
    /// The words of the band: first, and one behind the last.
    first: usize,
    end: usize,
    /// The cell below the last word. Rows behind the pattern match nothing, and change nothing above them.
    bottom: usize,
}

impl Band {
    fn fill(&mut self, [pattern, text]: [usize; 2], words: usize) {
        (self.pattern, self.text) = (pattern, text);
        for vector in [&mut self.plus, &mut self.minus, &mut self.free] {
            vector.clear();
            vector.resize(words, 0);
        }
    }

    /// The distance, when it is at most `limit`; else a guess of it. `limit` is at least the difference of the lengths.
    fn run<const SWAPS: bool>(
        &mut self,
        masks: &mut Masks,
        mut text: impl Iterator<Item = u32>,
        mut limit: usize,
        patience: &Patience,
    ) -> Result<Outcome> {
        (self.first, self.end, self.bottom) = (0, 0, 0);
        let longer = self.text - self.pattern;
        let mut column = 0_usize;
        while let Some(symbol) = text.next() {
            // Row − column is between −(limit + longer) / 2 and (limit − longer) / 2 on a path of cost <= limit.
            let first_row = (column + 1).saturating_sub(limit.midpoint(longer)).max(1);
            let last_row =
                (column + 2 + (limit - longer) / 2 + usize::from(SWAPS)).min(self.pattern);
            let before = self.first..self.end;
            self.widen(first_row, last_row);
            patience.spend(2 * (self.end - self.first + 1))?;
            if SWAPS {
                masks.load(symbol, column % 2);
                self.column_with_swaps(masks, column, before);
                column += 1;
            } else if let Some(next) = text.next() {
                masks.load(symbol, 0);
                masks.load(next, 1);
                self.two_columns(masks.row(0), masks.row(1));
                column += 2;
            } else {
                masks.load(symbol, 0);
                self.column(masks.row(0));
                column += 1;
            }
            if column.is_multiple_of(LOOK) && column > longer {
                let cell = self.cell(column - longer);
                if cell > limit {
                    return Ok(Outcome::Guess(guess(cell, column, [self.pattern, self.text])));
                }
                limit = limit.min(cell + self.text - column);
            }
        }
        let corner = self.cell(self.pattern);
        Ok(if corner > limit {
            Outcome::Guess(guess(corner, self.text, [self.pattern, self.text]))
        } else {
            Outcome::Distance(corner)
        })
    }

    /// Takes in the words down to a row, and drops those above another.
    fn widen(&mut self, first_row: usize, last_row: usize) {
        self.first = self.first.max((first_row - 1) / 64);
        while self.end <= (last_row - 1) / 64 {
            self.plus[self.end] = u64::MAX;
            self.minus[self.end] = 0;
            self.end += 1;
            self.bottom += 64;
        }
    }

    fn column(&mut self, mask: &[u64]) {
        let band = self.first..self.end;
        let mut carries = Carries::top();
        let words = self.plus[band.clone()].iter_mut().zip(&mut self.minus[band.clone()]);
        for ((plus, minus), &mask) in words.zip(&mask[band]) {
            step(mask, plus, minus, &mut carries);
        }
        self.lower(carries);
    }

    /// A column where its symbol and the one before, whose masks are in the other slot, may stand the other way round
    /// in the pattern. `old` are the words of the column before.
    ///
    /// A swap needs both columns: in a word that is new the rows of the column before aren't computed, so none ends in it.
    /// It would lower a cell below what the addition of [`step_with_swaps`] takes for granted.
    fn column_with_swaps(&mut self, masks: &Masks, column: usize, old: Range<usize>) {
        let (mask, before) = (masks.row(column % 2), masks.row((column + 1) % 2));
        let missing = |free: u64, mask: u64| !free & mask;
        // A word that the column before had, and this one has dropped, still tells how its last row went.
        let mut swap = match self.first.checked_sub(1) {
            Some(dropped) if old.contains(&dropped) => {
                missing(self.free[dropped], mask[dropped]) >> 63
            }
            _ => 0,
        };
        let mut carries = Carries::top();
        for word in self.first..self.end {
            let mut swaps = 0;
            if old.contains(&word) {
                let begun = missing(self.free[word], mask[word]);
                swaps = (begun << 1 | swap) & before[word];
                swap = begun >> 63;
            }
            let (plus, minus) = (&mut self.plus[word], &mut self.minus[word]);
            self.free[word] = step_with_swaps(mask[word], swaps, plus, minus, &mut carries).2;
        }
        self.lower(carries);
    }

    /// Two columns at once, word by word: half the memory traffic.
    fn two_columns(&mut self, left: &[u64], right: &[u64]) {
        let band = self.first..self.end;
        let (mut here, mut next) = (Carries::top(), Carries::top());
        let words = self.plus[band.clone()].iter_mut().zip(&mut self.minus[band.clone()]);
        let masks = left[band.clone()].iter().zip(&right[band]);
        for ((plus, minus), (&left, &right)) in words.zip(masks) {
            let (mut both_plus, mut both_minus) = (*plus, *minus);
            step(left, &mut both_plus, &mut both_minus, &mut here);
            step(right, &mut both_plus, &mut both_minus, &mut next);
            (*plus, *minus) = (both_plus, both_minus);
        }
        self.lower(here);
        self.lower(next);
    }

    fn lower(&mut self, carries: Carries) {
        let (plus, minus) = carries.bottom();
        self.bottom += usize::from(plus == 1);
        self.bottom -= usize::from(minus == 1);
    }

    /// The cell of a row of the band in this column.
    fn cell(&self, row: usize) -> usize {
        let word = row / 64;
        let below = u64::MAX << (row % 64);
        let count = |vector: &[u64]| -> usize {
            let Some((first, rest)) = vector[..self.end].get(word..).and_then(<[u64]>::split_first)
            else {
                return 0;
            };
            let rest: u32 = rest.iter().map(|word| word.count_ones()).sum();
            ((first & below).count_ones() + rest) as usize
        };
        self.bottom + count(&self.minus) - count(&self.plus)
    }
}

/// The distance, if the columns to come cost as much as those seen; a tenth more, rather than to begin once again. The
/// difference of the lengths is paid once, and early: the corner's diagonal begins that far from the texts' beginning.
fn guess(cell: usize, columns: usize, [pattern, text]: [usize; 2]) -> usize {
    let longer = text - pattern;
    let guess = longer + cell.saturating_sub(longer) * text / columns;
    guess + guess / 10
}
