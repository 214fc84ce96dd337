//! Shifts: runs of words that the hypothesis has elsewhere, moved one after another while that lowers the distance.

use std::cmp::Reverse;

use super::alignment::Alignment;
use super::matrix::Matrix;
use super::{Reference, Shift};
use crate::error::Result;
use crate::patience::Patience;

/// Longest run of words that is moved at once.
const MAX_SHIFT_SIZE: usize = 10;
/// Farthest that a run may be from its place in the reference.
const MAX_SHIFT_DISTANCE: usize = 50;
/// Candidates that are tried for one segment.
const MAX_CANDIDATES: usize = 1000;

/// What looks for shifts, with buffers that are reused.
#[derive(Clone, Debug, Default)]
pub(super) struct Search {
    words: Vec<u32>,
    matrix: Matrix,
    alignment: Alignment,
}

/// The best shift so far: the largest gain, then the longest run, the earliest one, the earliest place.
type Ranked = (i64, usize, Reverse<usize>, Reverse<usize>);

impl Search {
    /// Edits between the words of a segment and one reference: shifts, then the edit distance that is left.
    pub(super) fn edits(
        &mut self,
        hypothesis: &[u32],
        reference: &Reference,
        patience: &Patience,
    ) -> Result<usize> {
        if reference.words.is_empty() {
            return Ok(hypothesis.len());
        }
        if hypothesis == reference.words {
            return Ok(0);
        }
        self.words.clear();
        self.words.extend_from_slice(hypothesis);
        self.matrix.fill(&self.words, reference, patience)?;
        let (mut shifts, mut tried) = (0, 0);
        while let Some(shift) = self.best_shift(reference, &mut tried, patience)? {
            self.words[shift.start..shift.end].rotate_left(shift.middle - shift.start);
            self.matrix.make(shift, &self.words, reference, patience)?;
            shifts += 1;
        }
        Ok(shifts + self.matrix.distance() as usize)
    }

    /// The shift that lowers the distance most; nothing when none does. A shift found in the round that uses the
    /// candidates up is not made: sacreBLEU's rule.
    fn best_shift(
        &mut self,
        reference: &Reference,
        tried: &mut usize,
        patience: &Patience,
    ) -> Result<Option<Shift>> {
        let Self { words, matrix, alignment } = self;
        let before = i64::from(matrix.distance());
        if before == 0 {
            return Ok(None);
        }
        alignment.follow(matrix, words, &reference.words, patience)?;
        let mut best: Option<(Ranked, Shift)> = None;
        for start in 0..words.len() {
            if !alignment.has_hypothesis_error(start, MAX_SHIFT_SIZE) {
                continue;
            }
            patience.spend(10)?;
            let nearest = start.saturating_sub(MAX_SHIFT_DISTANCE);
            let window = (start + MAX_SHIFT_DISTANCE + 1).saturating_sub(nearest);
            let mut places = window_of(reference, words[start], nearest) & ((1 << window) - 1);
            while places != 0 {
                let place = nearest + places.trailing_zeros() as usize;
                places &= places - 1;
                let pairs = words[start..].iter().zip(&reference.words[place..]);
                let longest = pairs.take(MAX_SHIFT_SIZE).take_while(|(a, b)| a == b).count();
                for length in 1..=longest {
                    let here = alignment.place(place);
                    if !alignment.has_hypothesis_error(start, length)
                        || !alignment.has_reference_error(place, length)
                        || (here > start && here <= start + length)
                    {
                        continue;
                    }
                    let mut previous = None;
                    for position in place..=place + length {
                        let target = alignment.target(position);
                        if previous == Some(target) {
                            continue;
                        }
                        previous = Some(target);
                        let shift = Shift::new(start, length, target, words.len());
                        let after = matrix.distance_after(shift, words, reference, patience)?;
                        *tried += 1;
                        let rank =
                            (before - i64::from(after), length, Reverse(start), Reverse(target));
                        if best.as_ref().is_none_or(|(best, _)| rank > *best) {
                            best = Some((rank, shift));
                        }
                    }
                    if *tried >= MAX_CANDIDATES {
                        return Ok(None);
                    }
                }
            }
        }
        Ok(best.filter(|((gain, ..), _)| *gain > 0).map(|(_, shift)| shift))
    }
}

/// The positions of a word in a reference: bit k is position `start + k`.
fn window_of(reference: &Reference, word: u32, start: usize) -> u128 {
    let [low, high] =
        [start, start + 64].map(|start| u128::from(reference.masks.from(word, start)));
    low | high << 64
}
