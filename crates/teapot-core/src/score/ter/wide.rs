//! The matrix of edit distances cell by cell: for references so much longer than the hypothesis that the beam is wider
//! than a machine word. All cells together are no more than a few times the reference.

use super::Shift;
use super::band::Band;
use crate::error::Result;
use crate::patience::Patience;

/// More than any distance.
const INFINITY: u32 = u32::MAX / 2;

/// Cells within the beam, and buffers that are reused.
#[derive(Clone, Debug, Default)]
pub(super) struct Wide {
    /// Row by row, from the second one on; cells of the first one are their columns.
    cells: Vec<u32>,
    /// Where each of these rows begins, and where the last one ends.
    starts: Vec<usize>,
    row: Vec<u32>,
    next: Vec<u32>,
}

impl Wide {
    /// Computes all rows below one.
    pub(super) fn refill(
        &mut self,
        band: &Band,
        words: &[u32],
        reference: &[u32],
        above: usize,
        patience: &Patience,
    ) -> Result<()> {
        self.starts.truncate(above + 1);
        if self.starts.is_empty() {
            self.starts.push(0);
        }
        self.cells.truncate(self.starts[above]);
        self.load(band, above);
        for (number, &word) in (above + 1..).zip(&words[above..]) {
            self.advance(band, number, word, reference, patience)?;
            self.cells.extend_from_slice(&self.row);
            self.starts.push(self.cells.len());
        }
        Ok(())
    }

    /// A cell; nothing outside the beam.
    pub(super) fn cell(&self, band: &Band, row: usize, column: usize) -> Option<u32> {
        let (first, end) = band.row(row);
        if column < first || column >= end {
            return None;
        }
        match row.checked_sub(1) {
            None => u32::try_from(column).ok(),
            Some(row) => self.cells.get(self.starts[row] + column - first).copied(),
        }
    }

    /// The distance after a shift of the words that the matrix was made of.
    pub(super) fn distance_after(
        &mut self,
        band: &Band,
        shift: Shift,
        words: &[u32],
        reference: &[u32],
        patience: &Patience,
    ) -> Result<u32> {
        let moved = words[shift.middle..shift.end].iter().chain(&words[shift.start..shift.middle]);
        self.load(band, shift.start);
        for (number, &word) in (shift.start + 1..).zip(moved.chain(&words[shift.end..])) {
            self.advance(band, number, word, reference, patience)?;
        }
        Ok(self.row.last().copied().unwrap_or(0))
    }

    /// Puts a row of the matrix into `row`.
    fn load(&mut self, band: &Band, number: usize) {
        self.row.clear();
        match number.checked_sub(1) {
            None => self.row.extend((0..).take(band.row(0).1)),
            Some(row) => {
                self.row.extend_from_slice(&self.cells[self.starts[row]..self.starts[row + 1]]);
            }
        }
    }

    /// Puts the row below `row`, whose number and word are given, into `row`.
    fn advance(
        &mut self,
        band: &Band,
        number: usize,
        word: u32,
        reference: &[u32],
        patience: &Patience,
    ) -> Result<()> {
        let (above_first, _) = band.row(number - 1);
        let (first, end) = band.row(number);
        patience.spend(2 * (end - first))?;
        let above = |column: usize| {
            let index = column.checked_sub(above_first);
            index.and_then(|index| self.row.get(index)).map_or(INFINITY, |&cell| cell)
        };
        self.next.clear();
        let mut left = INFINITY;
        let mut diagonal = first.checked_sub(1).map_or(INFINITY, above);
        for column in first..end {
            let up = above(column);
            let differs = column.checked_sub(1).is_none_or(|place| reference[place] != word);
            left = (up + 1).min(left + 1).min(diagonal + u32::from(differs));
            diagonal = up;
            self.next.push(left);
        }
        std::mem::swap(&mut self.row, &mut self.next);
        Ok(())
    }
}
