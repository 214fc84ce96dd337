//! A row of the matrix of edit distances within a beam of at most 63 columns, as bits.
//!
//! Neighbouring cells of a row differ by at most one, within the beam too: any path to one of them can be bent to the
//! other without leaving it. So a row is its first cell and two sets of bits, and the row below takes some twenty
//! operations (Myers 1999, Hyyrö 2003) instead of one for each cell.
//!
//! Cells outside the beam are infinite. They are replaced by cells that can't be on a cheapest path either:
//!
//! ```text
//! left of the first cell:      one more than the cell above it, so that going right never pays
//! behind the last cell above:  one more from cell to cell, so that going down never pays; going down to the right pays for
//!                              the first of them only, where the real row ends, so only there a match counts
//! ```

use crate::distance::bits::step::{Carries, step};

/// The cells of a row within the beam.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Row {
    /// The first column.
    first: u32,
    /// One behind the last column.
    end: u32,
    /// The first cell.
    value: u32,
    /// Bit k: the cell of column `first + 1 + k` is one above, or one below, the cell to its left. Meaningless from `end` on.
    plus: u64,
    minus: u64,
}

impl Row {
    /// The row of no words: each column costs one more.
    pub(super) fn top(first: usize, end: usize) -> Self {
        let value = number(first);
        Self { first: value, end: number(end), value, plus: u64::MAX, minus: 0 }
    }

    /// The first column.
    pub(super) fn first(&self) -> usize {
        self.first as usize
    }

    /// One behind the last column.
    pub(super) fn end(&self) -> usize {
        self.end as usize
    }

    /// The cell of a column; nothing outside the beam. Of a row that is wider than the bits, [`top`](Self::top), all
    /// cells are known.
    #[inline]
    pub(super) fn cell(&self, column: usize) -> Option<u32> {
        if column < self.first() || column >= self.end() {
            return None;
        }
        let distance = number(column) - self.first;
        if distance > 63 {
            return Some(self.value + distance);
        }
        let below = (1_u64 << distance) - 1;
        Some(self.value + (self.plus & below).count_ones() - (self.minus & below).count_ones())
    }

    /// How much the cell of a column exceeds that of the column before, both within the beam.
    #[inline]
    pub(super) fn rise(&self, column: usize) -> i32 {
        let bit = column - self.first() - 1;
        i32::from(self.plus >> bit & 1 == 1) - i32::from(self.minus >> bit & 1 == 1)
    }

    /// The row below, for columns that begin and end no earlier. `matches` tells where the columns' words equal the row's
    /// word: bit k for column c + k, given c.
    #[inline]
    pub(super) fn below(
        &self,
        (first, end): (usize, usize),
        matches: impl FnOnce(usize) -> u64,
    ) -> Self {
        // The column to the left of the first bit: the first one itself, or its left neighbour in the row above.
        let drop = (first - self.first()).saturating_sub(1);
        let is_moving = first > self.first();
        let base = self.first() + drop;
        let dropped = (1_u64 << drop) - 1;
        let value =
            self.value + (self.plus & dropped).count_ones() - (self.minus & dropped).count_ones();
        let known = self.end() - 1 - base;
        let mut matches = matches(base + 1);
        // Ones come in: what is known of the first row ends behind the bits, and there it only rises.
        let (mut plus, mut minus) = (!(!self.plus >> drop), self.minus >> drop);
        if known < 63 {
            let unknown = u64::MAX << known;
            plus |= unknown;
            minus &= !unknown;
            matches &= !(unknown << 1);
        }
        step(matches, &mut plus, &mut minus, &mut Carries::top());
        let mut row =
            Self { first: number(first), end: number(end), value: value + 1, plus, minus };
        if is_moving {
            row.value = row.value + number((plus & 1).count_ones() as usize)
                - number((minus & 1).count_ones() as usize);
            row.plus >>= 1;
            row.minus >>= 1;
        }
        row
    }
}

/// Segments have fewer than 2³¹ words.
fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
