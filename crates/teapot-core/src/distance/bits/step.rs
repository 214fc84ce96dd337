//! One step of the bit-vector algorithm: 64 rows of one column of the matrix.

/// The word and the bit of a position.
#[inline]
pub(super) fn place(position: usize) -> (usize, u64) {
    (position / 64, 1 << (position % 64))
}

/// What goes down from word to word within a column.
#[derive(Clone, Copy)]
pub(crate) struct Carries {
    sum: bool,
    plus: u64,
    minus: u64,
}

impl Carries {
    /// Above the first row: every column costs one more than the one before it.
    #[inline]
    pub(crate) fn top() -> Self {
        Self { sum: false, plus: 1, minus: 0 }
    }

    /// By how much the cell below the last word differs from its left neighbour: +1 and −1.
    #[inline]
    pub(super) fn bottom(self) -> (u64, u64) {
        (self.plus, self.minus)
    }
}

/// One column of one word. `plus` and `minus` are the differences down the column, +1 and −1; the result is those along
/// the rows, from the column before to this one. `mask` tells which rows have the column's symbol.
///
/// Hyyrö 2003, figure 3, on words that together are one long number: only the carries of an addition and of two shifts
/// pass from word to word, so the words of a column overlap in the processor.
#[inline]
pub(crate) fn step(
    mask: u64,
    plus: &mut u64,
    minus: &mut u64,
    carries: &mut Carries,
) -> (u64, u64) {
    let (row_plus, row_minus, _) = step_with_swaps(mask, 0, plus, minus, carries);
    (row_plus, row_minus)
}

/// [`step`] where `swaps` tells in which rows the symbol of this column and the one before stand the other way round, and
/// the cell between is dearer than the one before it: there the swap costs no more than that cell. The third result
/// tells in which rows a step down the diagonal is free.
#[inline]
pub(crate) fn step_with_swaps(
    mask: u64,
    swaps: u64,
    plus: &mut u64,
    minus: &mut u64,
    carries: &mut Carries,
) -> (u64, u64, u64) {
    let matches = mask | *minus;
    let (sum, carry) = (matches & *plus).carrying_add(*plus, carries.sum);
    let diagonal = (sum ^ *plus) | matches | swaps;
    let row_plus = *minus | !(diagonal | *plus);
    let row_minus = *plus & diagonal;
    let shifted_plus = row_plus << 1 | carries.plus;
    let shifted_minus = row_minus << 1 | carries.minus;
    *carries = Carries { sum: carry, plus: row_plus >> 63, minus: row_minus >> 63 };
    *plus = shifted_minus | !(diagonal | shifted_plus);
    *minus = shifted_plus & diagonal;
    (row_plus, row_minus, diagonal)
}
