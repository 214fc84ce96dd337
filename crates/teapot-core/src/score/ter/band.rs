//! Which cells of the matrix of edit distances are looked at: a beam along the diagonal, as wide as sacreBLEU's.
#![expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a segment has fewer than 2³¹ words"
)]

/// Cells on each side of the diagonal, unless the reference is more than fifty times as long as the hypothesis.
const WIDTH: usize = 25;

/// The beam of a matrix with a row for each word of the hypothesis and a column for each word of the reference, and one
/// more of both in front.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Band {
    rows: usize,
    columns: usize,
    ratio: f64,
    width: usize,
}

impl Band {
    /// The beam for texts with so many words.
    pub(super) fn new(hypothesis: usize, reference: usize) -> Self {
        let ratio = if hypothesis == 0 { 1.0 } else { reference as f64 / hypothesis as f64 };
        // So that neighbouring rows always have columns in common.
        let width = if (WIDTH as f64) < ratio / 2.0 {
            (ratio / 2.0 + WIDTH as f64).ceil() as usize
        } else {
            WIDTH
        };
        Self { rows: hypothesis, columns: reference + 1, ratio, width }
    }

    /// Words of the hypothesis, the number of the last row.
    pub(super) fn last_row(&self) -> usize {
        self.rows
    }

    /// Words of the reference, the number of the last column.
    pub(super) fn last_column(&self) -> usize {
        self.columns - 1
    }

    /// Tells whether a [`Row`](super::row::Row) holds the columns of a row, and each row begins at most one column behind
    /// the end of the row above. Where the ratio is fifty, rounding may leave a gap.
    pub(super) fn is_narrow(&self) -> bool {
        self.ratio < 49.0
    }

    /// The columns of a row: the first, and one behind the last. Both never decrease from row to row.
    pub(super) fn row(&self, row: usize) -> (usize, usize) {
        if row == 0 {
            return (0, self.columns);
        }
        // The product is not negative, so the conversion rounds down.
        let diagonal = (row as f64 * self.ratio) as usize;
        let end = if row == self.rows { self.columns } else { diagonal + self.width };
        (diagonal.saturating_sub(self.width), end.min(self.columns))
    }
}
