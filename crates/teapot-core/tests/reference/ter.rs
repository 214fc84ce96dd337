//! TER's search for shifts as its definition reads: a matrix for every candidate, an alignment as a map. Snover et al. 2006,
//! with the beam, the limits and the order of preferences of sacreBLEU 2.6.0.

use std::collections::HashMap;

/// More than any distance: outside the beam.
const INFINITE: usize = usize::MAX / 2;

#[derive(Clone, Copy, PartialEq)]
enum Step {
    Equal,
    Replace,
    /// A word of the hypothesis that the reference lacks.
    Surplus,
    /// A word of the reference that the hypothesis lacks.
    Missing,
}

/// Edits between two segments of words: shifts and the edit distance that is left.
pub fn edits(hypothesis: &[char], reference: &[char]) -> usize {
    if reference.is_empty() {
        return hypothesis.len();
    }
    let (mut words, mut shifts, mut tried) = (hypothesis.to_vec(), 0, 0);
    while let Some((gain, shifted)) = best_shift(&words, reference, &mut tried) {
        if tried >= 1000 || gain <= 0 {
            break;
        }
        shifts += 1;
        words = shifted;
    }
    shifts + align(&words, reference).0
}

/// The first column within the beam, and one behind the last.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "segments are short, and nothing is negative"
)]
fn beam(row: usize, rows: usize, columns: usize) -> (usize, usize) {
    let ratio = columns as f64 / rows as f64;
    let half = ratio / 2.0;
    let width = if half > 25.0 { (half + 25.0).ceil() } else { 25.0 };
    let diagonal = (row as f64 * ratio).floor();
    let end = if row == rows { columns + 1 } else { (diagonal + width) as usize };
    ((diagonal - width).max(0.0) as usize, end.min(columns + 1))
}

/// The edit distance and its steps from left to right; of equal ways replacing goes before removing before adding.
fn align(hypothesis: &[char], reference: &[char]) -> (usize, Vec<Step>) {
    let (rows, columns) = (hypothesis.len(), reference.len());
    let mut cells = vec![vec![(INFINITE, Step::Missing); columns + 1]; rows + 1];
    for (column, cell) in cells[0].iter_mut().enumerate() {
        *cell = (column, Step::Missing);
    }
    for row in 1..=rows {
        let (first, end) = beam(row, rows, columns);
        for column in first..end {
            if column == 0 {
                cells[row][0] = (cells[row - 1][0].0 + 1, Step::Surplus);
                continue;
            }
            let equal = hypothesis[row - 1] == reference[column - 1];
            let replace = if equal { Step::Equal } else { Step::Replace };
            let ways = [
                (cells[row - 1][column - 1].0 + usize::from(!equal), replace),
                (cells[row - 1][column].0 + 1, Step::Surplus),
                (cells[row][column - 1].0 + 1, Step::Missing),
            ];
            for way in ways {
                if way.0 < cells[row][column].0 {
                    cells[row][column] = way;
                }
            }
        }
    }
    let (mut row, mut column, mut steps) = (rows, columns, Vec::new());
    while row > 0 || column > 0 {
        let step = cells[row][column].1;
        steps.push(step);
        row -= usize::from(step != Step::Missing);
        column -= usize::from(step != Step::Surplus);
    }
    steps.reverse();
    (cells[rows][columns].0, steps)
}

fn best_shift(words: &[char], reference: &[char], tried: &mut usize) -> Option<(i64, Vec<char>)> {
    let (before, steps) = align(words, reference);
    let mut positions: HashMap<i64, i64> = HashMap::new();
    let (mut wrong, mut unmatched) = (Vec::new(), Vec::new());
    let (mut in_hypothesis, mut in_reference) = (-1, -1);
    for step in steps {
        let error = step != Step::Equal;
        if step != Step::Missing {
            in_hypothesis += 1;
            wrong.push(error);
        }
        if step != Step::Surplus {
            in_reference += 1;
            positions.insert(in_reference, in_hypothesis);
            unmatched.push(error);
        }
    }
    let mut best: Option<(i64, usize, i64, i64, Vec<char>)> = None;
    for start in 0..words.len() {
        for place in 0..reference.len() {
            if start.abs_diff(place) > 50 {
                continue;
            }
            for length in 1..=10 {
                let (from, to) =
                    (words.get(start..start + length), reference.get(place..place + length));
                if from.is_none() || from != to {
                    break;
                }
                let here = positions[&signed(place)];
                if !wrong[start..start + length].contains(&true)
                    || !unmatched[place..place + length].contains(&true)
                    || (signed(start)..signed(start + length)).contains(&here)
                {
                    continue;
                }
                let mut previous = -1;
                for before_place in signed(place) - 1..signed(place + length) {
                    let target = match positions.get(&before_place) {
                        _ if before_place == -1 => 0,
                        Some(position) => position + 1,
                        None => break,
                    };
                    if target == previous {
                        continue;
                    }
                    previous = target;
                    let shifted = shift(words, start, length, usize::try_from(target).unwrap());
                    let gain = signed(before) - signed(align(&shifted, reference).0);
                    *tried += 1;
                    let candidate = (gain, length, -signed(start), -target, shifted);
                    if best.as_ref().is_none_or(|best| candidate > *best) {
                        best = Some(candidate);
                    }
                }
                if *tried >= 1000 {
                    return best.map(|best| (best.0, best.4));
                }
            }
        }
    }
    best.map(|best| (best.0, best.4))
}

fn shift(words: &[char], start: usize, length: usize, target: usize) -> Vec<char> {
    let run = &words[start..start + length];
    if target < start {
        return [&words[..target], run, &words[target..start], &words[start + length..]].concat();
    }
    let end = (if target > start + length { target } else { length + target }).min(words.len());
    [&words[..start], &words[start + length..end], run, &words[end..]].concat()
}

fn signed(number: usize) -> i64 {
    i64::try_from(number).unwrap()
}
