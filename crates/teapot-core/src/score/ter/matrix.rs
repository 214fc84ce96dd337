//! The matrix of edit distances between the beginnings of a hypothesis and of a reference, and what a shift makes of it.
//!
//! A shift swaps two neighbouring runs of words. The rows above them stay, and the rows below them need not be computed: a
//! second matrix holds the distances between the ends of both texts, so the distance after the shift is the least sum
//! of both along the row where the runs end.

use super::band::Band;
use super::row::Row;
use super::wide::Wide;
use super::{Reference, Shift};
use crate::error::Result;
use crate::patience::Patience;

/// Up to so many rows behind a shift are computed: setting up the second matrix costs more.
const FEW_ROWS: usize = 32;

/// About how long a row takes, in nanoseconds.
pub(super) const ROW_STEPS: usize = 10;

/// Distances within the beam, and buffers that are reused.
#[derive(Clone, Debug, Default)]
pub(super) struct Matrix {
    band: Band,
    /// Row i: distances of the first i words from the beginnings of the reference.
    rows: Vec<Row>,
    /// Row i: distances of the last i words from the ends of the reference, as many rows as were needed so far.
    ends: Vec<Row>,
    wide: Wide,
}

impl Matrix {
    /// Starts over with the words of a hypothesis and a reference.
    pub(super) fn fill(
        &mut self,
        words: &[u32],
        reference: &Reference,
        patience: &Patience,
    ) -> Result<()> {
        self.band = Band::new(words.len(), reference.words.len());
        self.rows.clear();
        self.rows.push(Row::top(0, reference.words.len() + 1));
        self.ends.clear();
        self.refill(words, reference, 0, patience)
    }

    /// Computes the rows again after a shift was made: `words` are those behind it.
    pub(super) fn make(
        &mut self,
        shift: Shift,
        words: &[u32],
        reference: &Reference,
        patience: &Patience,
    ) -> Result<()> {
        self.ends.truncate(words.len() - shift.end + 1);
        self.refill(words, reference, shift.start, patience)
    }

    /// Computes all rows below one.
    fn refill(
        &mut self,
        words: &[u32],
        reference: &Reference,
        above: usize,
        patience: &Patience,
    ) -> Result<()> {
        if !self.band.is_narrow() {
            return self.wide.refill(&self.band, words, &reference.words, above, patience);
        }
        patience.spend(ROW_STEPS * (words.len() - above))?;
        self.rows.truncate(above + 1);
        let mut row = self.rows[above];
        for (number, &word) in (above + 1..).zip(&words[above..]) {
            row = row.below(self.band.row(number), |column| reference.masks.from(word, column - 1));
            self.rows.push(row);
        }
        Ok(())
    }

    /// A cell; nothing outside the beam.
    #[inline]
    pub(super) fn cell(&self, row: usize, column: usize) -> Option<u32> {
        if self.band.is_narrow() {
            self.rows[row].cell(column)
        } else {
            self.wide.cell(&self.band, row, column)
        }
    }

    /// The distance of the whole texts.
    pub(super) fn distance(&self) -> u32 {
        self.cell(self.band.last_row(), self.band.last_column()).unwrap_or(u32::MAX)
    }

    /// The distance after a shift of the words that the matrix was made of.
    pub(super) fn distance_after(
        &mut self,
        shift: Shift,
        words: &[u32],
        reference: &Reference,
        patience: &Patience,
    ) -> Result<u32> {
        if shift.middle == shift.end {
            return Ok(self.distance());
        }
        if !self.band.is_narrow() {
            return self.wide.distance_after(&self.band, shift, words, &reference.words, patience);
        }
        let meets = words.len() - shift.end > FEW_ROWS;
        let rest = if meets { &[] } else { &words[shift.end..] };
        let moved = words[shift.middle..shift.end].iter().chain(&words[shift.start..shift.middle]);
        patience.spend(ROW_STEPS * (shift.end - shift.start + FEW_ROWS))?;
        let mut row = self.rows[shift.start];
        for (number, &word) in (shift.start + 1..).zip(moved.chain(rest)) {
            row = row.below(self.band.row(number), |column| reference.masks.from(word, column - 1));
        }
        if !meets {
            return Ok(row.cell(self.band.last_column()).unwrap_or(u32::MAX));
        }
        self.fill_ends(shift.end, words, reference, patience)?;
        Ok(least_sum(&row, &self.ends[words.len() - shift.end], self.band.last_column()))
    }

    /// Computes the rows of the ends up to that of the words from `start` on: the same rules, from back to front.
    fn fill_ends(
        &mut self,
        start: usize,
        words: &[u32],
        reference: &Reference,
        patience: &Patience,
    ) -> Result<()> {
        let columns = self.band.last_column() + 1;
        let mirrored = |row| {
            let (first, end) = self.band.row(row);
            (columns - end, columns - first)
        };
        if self.ends.is_empty() {
            let (first, end) = mirrored(words.len());
            self.ends.push(Row::top(first, end));
        }
        let done = self.ends.len() - 1;
        patience.spend(ROW_STEPS * (words.len() - start).saturating_sub(done))?;
        for number in (start..words.len() - done).rev() {
            let row = self.ends[words.len() - number - 1].below(mirrored(number), |column| {
                reference.masks.down_from(words[number], columns - 1 - column)
            });
            self.ends.push(row);
        }
        Ok(())
    }
}

/// The least sum of a distance of beginnings and a distance of ends, over the columns where a beginning ends.
fn least_sum(row: &Row, ends: &Row, last_column: usize) -> u32 {
    let (first, end) = (row.first(), row.end());
    let value = |row: &Row, column| row.cell(column).map_or(i32::MAX / 2, u32::cast_signed);
    let mut sum = value(row, first) + value(ends, last_column - first);
    let mut least = sum;
    for column in first + 1..end {
        sum += row.rise(column) - ends.rise(last_column - column + 1);
        least = least.min(sum);
    }
    u32::try_from(least).unwrap_or(0)
}
