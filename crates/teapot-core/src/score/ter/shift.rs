//! Shifts: runs of words that the hypothesis has elsewhere, moved one after another while that lowers the distance.
#![expect(
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "a segment has fewer than 2³¹ words"
)]

use super::beam::{self, Step};

/// Longest run of words that is moved at once.
const MAX_SHIFT_SIZE: usize = 10;
/// Farthest that a run may be from its place in the reference.
const MAX_SHIFT_DISTANCE: usize = 50;
/// Candidates that are tried for one segment.
const MAX_CANDIDATES: usize = 1000;

/// Edits between the words of a segment and one reference: shifts, then the edit distance that is left.
pub(super) fn edits(hypothesis: &[u32], reference: &[u32]) -> usize {
    if reference.is_empty() {
        return hypothesis.len();
    }
    let mut words = hypothesis.to_vec();
    let mut shifts = 0;
    let mut tried = 0;
    loop {
        let best = best_shift(&words, reference, &mut tried);
        // A shift found in the round that uses the candidates up is not made: sacreBLEU's rule.
        match best {
            Some((gain, shifted)) if gain > 0 && tried < MAX_CANDIDATES => {
                words = shifted;
                shifts += 1;
            }
            _ => break,
        }
    }
    shifts + beam::distance(&beam::matrix(&words, reference))
}

fn best_shift(words: &[u32], reference: &[u32], tried: &mut usize) -> Option<(isize, Vec<u32>)> {
    let rows = beam::matrix(words, reference);
    let before = beam::distance(&rows) as isize;
    let alignment = Alignment::new(&beam::trace(&rows, words, reference));
    let mut best: Option<(isize, usize, isize, isize, Vec<u32>)> = None;
    for start in 0..words.len() {
        let nearest = start.saturating_sub(MAX_SHIFT_DISTANCE);
        let farthest = (start + MAX_SHIFT_DISTANCE + 1).min(reference.len());
        for place in nearest..farthest {
            let longest = words[start..].iter().zip(&reference[place..]).take(MAX_SHIFT_SIZE);
            for length in 1..=longest.take_while(|(a, b)| a == b).count() {
                if !alignment.hypothesis_errors[start..start + length].contains(&true)
                    || !alignment.reference_errors[place..place + length].contains(&true)
                {
                    continue;
                }
                let here = alignment.positions[place];
                if here >= start as isize && here < (start + length) as isize {
                    continue;
                }
                let mut previous = None;
                for offset in 0..=length {
                    let target = if place + offset == 0 {
                        0
                    } else if let Some(&position) = alignment.positions.get(place + offset - 1) {
                        (position + 1) as usize
                    } else {
                        break;
                    };
                    if previous == Some(target) {
                        continue;
                    }
                    previous = Some(target);
                    let shifted = shift(words, start, length, target);
                    let after = beam::distance(&beam::matrix(&shifted, reference)) as isize;
                    *tried += 1;
                    let candidate =
                        (before - after, length, -(start as isize), -(target as isize), shifted);
                    if best.as_ref().is_none_or(|best| candidate > *best) {
                        best = Some(candidate);
                    }
                }
                if *tried >= MAX_CANDIDATES {
                    return best.map(|best| (best.0, best.4));
                }
            }
        }
    }
    best.map(|best| (best.0, best.4))
}

fn shift(words: &[u32], start: usize, length: usize, target: usize) -> Vec<u32> {
    let mut out = words.to_vec();
    if target < start {
        out[target..start + length].rotate_right(length);
    } else if target > start + length {
        out[start..target].rotate_left(length);
    } else {
        out[start..(length + target).min(words.len())].rotate_left(length);
    }
    out
}

struct Alignment {
    positions: Vec<isize>,
    hypothesis_errors: Vec<bool>,
    reference_errors: Vec<bool>,
}

impl Alignment {
    fn new(steps: &[Step]) -> Self {
        let mut alignment =
            Self { positions: vec![], hypothesis_errors: vec![], reference_errors: vec![] };
        let mut position = -1;
        for step in steps {
            let error = *step != Step::Equal;
            if *step != Step::Delete {
                position += 1;
                alignment.hypothesis_errors.push(error);
            }
            if *step != Step::Insert {
                alignment.positions.push(position);
                alignment.reference_errors.push(error);
            }
        }
        alignment
    }
}
