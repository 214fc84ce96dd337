//! Edit distance of words within a beam around the diagonal, and its trace.
#![expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a segment has fewer than 2³¹ words"
)]

/// Cells on each side of the diagonal that are looked at.
const BEAM_WIDTH: usize = 25;

/// More than any distance.
const INFINITY: u32 = u32::MAX / 2;

/// One step of a trace, from the reference's side: the reference is rewritten into the hypothesis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Step {
    /// Equal words.
    Equal,
    /// A word replaced by another.
    Replace,
    /// A word of the hypothesis that the reference lacks.
    Insert,
    /// A word of the reference that the hypothesis lacks.
    Delete,
}

/// The cells of one row that lie within the beam: a long segment has far more columns than that.
pub(super) struct Row {
    start: usize,
    cells: Vec<u32>,
}

impl Row {
    /// A cell; more than any distance outside the beam.
    fn at(&self, column: usize) -> u32 {
        column
            .checked_sub(self.start)
            .and_then(|index| self.cells.get(index))
            .map_or(INFINITY, |&cell| cell)
    }
}

/// The matrix of edit distances of prefixes: `hypothesis.len() + 1` rows of `reference.len() + 1` cells, of which those
/// within the beam are kept.
pub(super) fn matrix(hypothesis: &[u32], reference: &[u32]) -> Vec<Row> {
    let columns = reference.len() + 1;
    let first: Vec<u32> = (0..).take(columns).collect();
    let mut rows = vec![Row { start: 0, cells: first }];
    let ratio =
        if hypothesis.is_empty() { 1.0 } else { reference.len() as f64 / hypothesis.len() as f64 };
    let beam = if (BEAM_WIDTH as f64) < ratio / 2.0 {
        (ratio / 2.0 + BEAM_WIDTH as f64).ceil() as usize
    } else {
        BEAM_WIDTH
    };
    for i in 1..=hypothesis.len() {
        let diagonal = (i as f64 * ratio).floor() as usize;
        let start = diagonal.saturating_sub(beam);
        let end = if i == hypothesis.len() { columns } else { columns.min(diagonal + beam) };
        let above = &rows[i - 1];
        let mut row = Row { start, cells: Vec::with_capacity(end.saturating_sub(start)) };
        let mut left = INFINITY;
        for j in start..end {
            let mut best = above.at(j) + 1;
            if j > 0 {
                let differ = u32::from(hypothesis[i - 1] != reference[j - 1]);
                best = best.min(above.at(j - 1) + differ).min(left + 1);
            }
            row.cells.push(best);
            left = best;
        }
        rows.push(row);
    }
    rows
}

/// The distance of a matrix.
pub(super) fn distance(rows: &[Row]) -> usize {
    rows.last().and_then(|row| row.cells.last()).map_or(0, |&value| value as usize)
}

/// The steps of the best path, first step first. Of equal costs a match or replacement goes before an insertion into
/// the hypothesis' side, that before a deletion.
pub(super) fn trace(rows: &[Row], hypothesis: &[u32], reference: &[u32]) -> Vec<Step> {
    let (mut i, mut j) = (hypothesis.len(), reference.len());
    let mut steps = Vec::with_capacity(i.max(j));
    while i > 0 || j > 0 {
        let value = rows[i].at(j);
        let equal = i > 0 && j > 0 && hypothesis[i - 1] == reference[j - 1];
        if i > 0 && j > 0 && rows[i - 1].at(j - 1) + u32::from(!equal) == value {
            steps.push(if equal { Step::Equal } else { Step::Replace });
            i -= 1;
            j -= 1;
        } else if i > 0 && rows[i - 1].at(j) + 1 == value {
            steps.push(Step::Insert);
            i -= 1;
        } else {
            steps.push(Step::Delete);
            j -= 1;
        }
    }
    steps.reverse();
    steps
}
