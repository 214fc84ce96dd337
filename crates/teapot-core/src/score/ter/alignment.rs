//! Which word of the hypothesis stands for which word of the reference, along the cheapest path through the matrix.

use super::matrix::{Matrix, ROW_STEPS};
use crate::error::Result;
use crate::patience::Patience;

/// The alignment of two texts, with buffers that are reused.
#[derive(Clone, Debug, Default)]
pub(super) struct Alignment {
    /// Of each word of the reference: how many words of the hypothesis stand before its place or on it.
    places: Vec<u32>,
    /// How many of the first words of the hypothesis have no equal partner, for each number of first words.
    hypothesis_errors: Vec<u32>,
    /// The same for the reference.
    reference_errors: Vec<u32>,
}

impl Alignment {
    /// Follows the cheapest path from its end. Of equal costs a match or replacement goes before a word that the
    /// reference lacks, and that before a word that the hypothesis lacks.
    pub(super) fn follow(
        &mut self,
        matrix: &Matrix,
        words: &[u32],
        reference: &[u32],
        patience: &Patience,
    ) -> Result<()> {
        let (mut row, mut column) = (words.len(), reference.len());
        patience.spend(ROW_STEPS * (row + column))?;
        self.places.clear();
        self.places.resize(column, 0);
        self.hypothesis_errors.clear();
        self.hypothesis_errors.resize(row + 1, 0);
        self.reference_errors.clear();
        self.reference_errors.resize(column + 1, 0);
        let mut value = matrix.distance();
        while row > 0 || column > 0 {
            let both = row > 0 && column > 0;
            let error = u32::from(!(both && words[row - 1] == reference[column - 1]));
            let diagonal = if both { matrix.cell(row - 1, column - 1) } else { None };
            let above = || if row > 0 { matrix.cell(row - 1, column) } else { None };
            if let Some(cell) = diagonal.filter(|cell| cell + error == value) {
                self.hypothesis_errors[row] = error;
                self.reference_errors[column] = error;
                self.places[column - 1] = u32::try_from(row).unwrap_or(u32::MAX);
                (row, column, value) = (row - 1, column - 1, cell);
            } else if column == 0 || above().is_some_and(|cell| cell + 1 == value) {
                self.hypothesis_errors[row] = 1;
                (row, value) = (row - 1, value.saturating_sub(1));
            } else {
                self.reference_errors[column] = 1;
                self.places[column - 1] = u32::try_from(row).unwrap_or(u32::MAX);
                (column, value) = (column - 1, value.saturating_sub(1));
            }
        }
        for errors in [&mut self.hypothesis_errors, &mut self.reference_errors] {
            let mut sum = 0;
            for error in errors {
                sum += *error;
                *error = sum;
            }
        }
        Ok(())
    }

    /// Where a word that is put before word `position` of the reference, or behind the last one, goes in the hypothesis.
    #[inline]
    pub(super) fn target(&self, position: usize) -> usize {
        position.checked_sub(1).map_or(0, |before| self.places[before] as usize)
    }

    /// The word of the hypothesis on the place of a word of the reference, or before it, counted from 1.
    #[inline]
    pub(super) fn place(&self, position: usize) -> usize {
        self.places[position] as usize
    }

    /// Tells whether any of some words of the hypothesis has no equal partner. The range may end behind the text.
    #[inline]
    pub(super) fn has_hypothesis_error(&self, start: usize, length: usize) -> bool {
        let end = (start + length).min(self.hypothesis_errors.len() - 1);
        self.hypothesis_errors[start] < self.hypothesis_errors[end]
    }

    /// The same for words of the reference.
    #[inline]
    pub(super) fn has_reference_error(&self, start: usize, length: usize) -> bool {
        self.reference_errors[start] < self.reference_errors[start + length]
    }
}
