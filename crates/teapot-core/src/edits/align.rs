//! The steps that turn one sequence into another with the fewest edits, swaps of neighbours included.

use crate::distance::trim;
use crate::error::Result;
use crate::patience::Patience;

/// A table with more cells than this is not filled: the caller takes the sequences as replaced.
pub(super) const MAX_CELLS: usize = 4_000_000;

/// About how many nanoseconds a cell takes.
const CELL_STEPS: usize = 4;

/// One step from the left sequence to the right one; indexes point into both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Both symbols are equal.
    Keep(usize, usize),
    /// A left symbol stands for a right one.
    Substitute(usize, usize),
    /// A left symbol is gone.
    Delete(usize, usize),
    /// A right symbol is new.
    Insert(usize, usize),
    /// Two neighbours change places: the first of both on each side.
    Swap(usize, usize),
}

/// Aligns two sequences with the fewest insertions, deletions, substitutions and swaps of neighbours (optimal string
/// alignment). Among equal alignments symbols are kept as far right as possible; a swap goes before a substitution, a
/// substitution before a deletion, a deletion before an insertion.
///
/// Time and memory O(n · m) of what differs between the common ends; `None` when that is over four million cells.
///
/// # Errors
///
/// [`ErrorKind::Cancelled`](crate::error::ErrorKind::Cancelled) when the patience ends.
pub(super) fn align<T: PartialEq>(
    left: &[T],
    right: &[T],
    patience: &Patience,
) -> Result<Option<Vec<Step>>> {
    let start = common_start(left, right);
    let (inner_left, inner_right) = trim::symbols(left, right);
    let end = left.len() - start - inner_left.len();

    let mut steps: Vec<Step> = (0..start).map(|index| Step::Keep(index, index)).collect();
    let Some(inner) = align_inner(inner_left, inner_right, patience)? else { return Ok(None) };
    steps.extend(inner.into_iter().map(|step| shift(step, start)));
    let (left_end, right_end) = (left.len() - end, right.len() - end);
    steps.extend((0..end).map(|index| Step::Keep(left_end + index, right_end + index)));
    Ok(Some(steps))
}

fn common_start<T: PartialEq>(left: &[T], right: &[T]) -> usize {
    left.iter().zip(right).take_while(|(left, right)| left == right).count()
}

fn shift(step: Step, by: usize) -> Step {
    match step {
        Step::Keep(left, right) => Step::Keep(left + by, right + by),
        Step::Substitute(left, right) => Step::Substitute(left + by, right + by),
        Step::Delete(left, right) => Step::Delete(left + by, right + by),
        Step::Insert(left, right) => Step::Insert(left + by, right + by),
        Step::Swap(left, right) => Step::Swap(left + by, right + by),
    }
}

fn align_inner<T: PartialEq>(
    left: &[T],
    right: &[T],
    patience: &Patience,
) -> Result<Option<Vec<Step>>> {
    let width = right.len() + 1;
    let cells = (left.len() + 1).checked_mul(width).filter(|&cells| cells <= MAX_CELLS);
    let Some(cells) = cells else { return Ok(None) };
    let mut costs = vec![0_u32; cells];
    for (column, cost) in (0_u32..).zip(&mut costs[..width]) {
        *cost = column;
    }
    for (row, cost) in (1_u32..).zip(1..=left.len()) {
        costs[cost * width] = row;
        patience.spend(CELL_STEPS * width)?;
        for column in 1..width {
            let at = cost * width + column;
            let differs = u32::from(left[cost - 1] != right[column - 1]);
            let mut best = costs[at - width - 1] + differs;
            best = best.min(costs[at - width] + 1).min(costs[at - 1] + 1);
            if is_swap(left, right, cost, column) {
                best = best.min(costs[at - 2 * width - 2] + 1);
            }
            costs[at] = best;
        }
    }
    Ok(Some(trace_back(left, right, &costs, width)))
}

/// Whether the two symbols before these positions stand the other way round on the other side.
fn is_swap<T: PartialEq>(left: &[T], right: &[T], row: usize, column: usize) -> bool {
    row > 1
        && column > 1
        && left[row - 1] == right[column - 2]
        && left[row - 2] == right[column - 1]
        && left[row - 1] != left[row - 2]
}

fn trace_back<T: PartialEq>(left: &[T], right: &[T], costs: &[u32], width: usize) -> Vec<Step> {
    let (mut row, mut column) = (left.len(), right.len());
    let mut steps = Vec::new();
    while row > 0 || column > 0 {
        let at = row * width + column;
        let cost = costs[at];
        let both = row > 0 && column > 0;
        if both && left[row - 1] == right[column - 1] && costs[at - width - 1] == cost {
            (row, column) = (row - 1, column - 1);
            steps.push(Step::Keep(row, column));
        } else if both && is_swap(left, right, row, column) && costs[at - 2 * width - 2] + 1 == cost
        {
            (row, column) = (row - 2, column - 2);
            steps.push(Step::Swap(row, column));
        } else if both && costs[at - width - 1] + 1 == cost {
            (row, column) = (row - 1, column - 1);
            steps.push(Step::Substitute(row, column));
        } else if row > 0 && costs[at - width] + 1 == cost {
            row -= 1;
            steps.push(Step::Delete(row, column));
        } else {
            column -= 1;
            steps.push(Step::Insert(row, column));
        }
    }
    steps.reverse();
    steps
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{any, proptest};

    use super::*;
    use crate::distance::{Distance, DistanceScratch, Unit};

    fn steps(left: &str, right: &str) -> Vec<Step> {
        let [left, right] = [left, right].map(|text| text.chars().collect::<Vec<_>>());
        align(&left, &right, &Patience::endless()).unwrap().unwrap()
    }

    fn edits(left: &str, right: &str) -> Vec<Step> {
        steps(left, right).into_iter().filter(|step| !matches!(step, Step::Keep(..))).collect()
    }

    #[test]
    fn every_edit_is_found() {
        assert_eq!(edits("green tea", "green teas"), [Step::Insert(9, 9)]);
        assert_eq!(edits("green", "geen"), [Step::Delete(1, 1)]);
        assert_eq!(edits("green", "grein"), [Step::Substitute(3, 3)]);
        assert_eq!(edits("green", "gerne"), [Step::Swap(1, 1), Step::Swap(3, 3)]);
        assert_eq!(edits("", ""), []);
        assert_eq!(edits("", "a"), [Step::Insert(0, 0)]);
    }

    #[test]
    fn a_table_too_large_is_refused() {
        let left = vec![0; 3000];
        let right = vec![1; 3000];
        let patience = Patience::endless();
        assert_eq!(align(&left, &right, &patience).unwrap(), None);
        assert!(align(&left, &left, &patience).unwrap().is_some());
    }

    proptest! {
        /// As many edits as the distance has, and the steps cover both sequences in order.
        #[test]
        fn the_edits_are_the_fewest(left in "[abc]{0,12}", right in "[abc]{0,12}", tail in any::<bool>()) {
            let right = if tail { format!("{left}{right}") } else { right };
            let found = steps(&left, &right);
            let count = found.iter().filter(|step| !matches!(step, Step::Keep(..))).count();
            let (mut scratch, patience) = (DistanceScratch::default(), Patience::endless());
            let expected = Distance::Osa.distance(&left, &right, Unit::Char, &mut scratch, &patience);
            assert!((f64::from(u32::try_from(count).unwrap()) - expected.unwrap()).abs() < 0.5);
            let mut place = (0, 0);
            for step in found {
                let (at, size) = match step {
                    Step::Keep(a, b) | Step::Substitute(a, b) => ((a, b), (1, 1)),
                    Step::Delete(a, b) => ((a, b), (1, 0)),
                    Step::Insert(a, b) => ((a, b), (0, 1)),
                    Step::Swap(a, b) => ((a, b), (2, 2)),
                };
                assert_eq!(at, place);
                place = (place.0 + size.0, place.1 + size.1);
            }
            assert_eq!(place, (left.len(), right.len()));
        }
    }
}
