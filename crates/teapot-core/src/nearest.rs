//! The nearest rows of a table of vectors of length 1.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::{Error, ErrorKind, Result};
use crate::parallel::{map_ordered, thread_count_for};

/// Rows compared at a time: each number of the table is read and converted once for all of them.
const GROUP: usize = 8;

/// Rows of the table between two looks at the flag.
const BLOCK: usize = 1 << 12;

/// Finds for each query the rows of a table with the largest dot products, which of vectors of length 1 are cosines.
///
/// `values` holds the rows one after the other, `size` numbers each; a query is the number of a row. Of each query the
/// `most` nearest rows with at least `min_cosine` are given, itself included, the nearest first; ties by row. Sums are of
/// 64-bit floats in the order of the numbers, so results don't depend on `threads` (0: one a core). Empty for no queries.
///
/// # Errors
///
/// [`ErrorKind::InvalidOption`] for a size of 0, numbers that are no whole rows, or a query beyond the table;
/// [`ErrorKind::Cancelled`] when the flag is set.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use teapot_core::nearest::nearest_rows;
/// let table = [1.0, 0.0, 0.0, 1.0, 0.6, 0.8];
/// let found = nearest_rows(&table, 2, &[0], 2, 0.5, 1, &AtomicBool::new(false))?;
/// assert_eq!(found, [[0, 2]]);
/// # Ok::<(), teapot_core::error::Error>(())
/// ```
pub fn nearest_rows(
    values: &[f32],
    size: usize,
    queries: &[usize],
    most: usize,
    min_cosine: f64,
    threads: usize,
    cancelled: &AtomicBool,
) -> Result<Vec<Vec<usize>>> {
    if size == 0 || !values.len().is_multiple_of(size) {
        return Err(Error::invalid_option("size", size, "a divisor of the number of values"));
    }
    let rows = values.len() / size;
    if let Some(query) = queries.iter().find(|&&query| query >= rows) {
        return Err(Error::invalid_option("query", query, format!("a row below {rows}")));
    }
    let mut groups = queries.chunks(GROUP);
    let threads = thread_count_for(threads, groups.len());
    let found = map_ordered(
        threads,
        || Ok(groups.next()),
        || (),
        |(), group| nearest_of(values, size, group, most, min_cosine, cancelled),
    )?;
    Ok(found.into_iter().flatten().collect())
}

/// A row that was found.
#[derive(Clone, Copy)]
struct Near {
    row: usize,
    cosine: f64,
}

fn nearest_of(
    values: &[f32],
    size: usize,
    group: &[usize],
    most: usize,
    min_cosine: f64,
    cancelled: &AtomicBool,
) -> Result<Vec<Vec<usize>>> {
    // The first number of each query, then the second …
    let mut queries = vec![[0.0_f64; GROUP]; size];
    for (place, &query) in group.iter().enumerate() {
        for (numbers, &value) in queries.iter_mut().zip(&values[query * size..]) {
            numbers[place] = f64::from(value);
        }
    }
    let mut found: Vec<Vec<Near>> = vec![Vec::with_capacity(most + 1); group.len()];
    for (row, vector) in values.chunks_exact(size).enumerate() {
        if row % BLOCK == 0 && cancelled.load(Ordering::Relaxed) {
            return Err(Error::new(ErrorKind::Cancelled));
        }
        let mut sums = [0.0_f64; GROUP];
        for (numbers, &value) in queries.iter().zip(vector) {
            let value = f64::from(value);
            for (sum, number) in sums.iter_mut().zip(numbers) {
                *sum += value * number;
            }
        }
        for (near, &cosine) in found.iter_mut().zip(&sums) {
            if cosine >= min_cosine {
                keep(near, Near { row, cosine }, most);
            }
        }
    }
    Ok(found.into_iter().map(|near| near.into_iter().map(|one| one.row).collect()).collect())
}

/// Puts a row in its place, after all that are as near.
fn keep(near: &mut Vec<Near>, one: Near, most: usize) {
    if near.len() == most && near.last().is_none_or(|last| one.cosine <= last.cosine) {
        return;
    }
    let at = near.partition_point(|other| other.cosine >= one.cosine);
    near.insert(at, one);
    near.truncate(most);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Key;

    #[test]
    fn rows_are_those_of_a_full_sort_for_any_number_of_threads() {
        let mut generator = Key::default().then(7).generator();
        // Few different numbers, so that there are ties.
        let values: Vec<f32> =
            (0..600 * 5).map(|_| [-1.0, 0.0, 0.5, 1.0][generator.below(4)]).collect();
        let queries: Vec<usize> = (0..37).map(|query| query * 16).collect();
        let none = AtomicBool::new(false);
        let found = nearest_rows(&values, 5, &queries, 9, 0.25, 1, &none).unwrap();
        for (query, found) in queries.iter().zip(&found) {
            let dot = |row: usize| -> f64 {
                (0..5)
                    .map(|axis| {
                        f64::from(values[row * 5 + axis]) * f64::from(values[query * 5 + axis])
                    })
                    .sum()
            };
            let mut rows: Vec<usize> = (0..600).filter(|&row| dot(row) >= 0.25).collect();
            rows.sort_by(|&left, &right| dot(right).total_cmp(&dot(left)));
            rows.truncate(9);
            assert_eq!(found, &rows);
        }
        assert_eq!(nearest_rows(&values, 5, &queries, 9, 0.25, 3, &none).unwrap(), found);
    }

    #[test]
    fn mistakes_and_cancelling() {
        let none = AtomicBool::new(false);
        assert!(nearest_rows(&[1.0; 5], 2, &[0], 1, 0.0, 1, &none).is_err());
        assert!(nearest_rows(&[], 0, &[], 1, 0.0, 1, &none).is_err());
        assert!(nearest_rows(&[1.0; 4], 2, &[2], 1, 0.0, 1, &none).is_err());
        assert!(nearest_rows(&[1.0; 4], 2, &[0], 1, 0.0, 1, &AtomicBool::new(true)).is_err());
        assert!(nearest_rows(&[1.0; 4], 2, &[], 1, 0.0, 1, &none).unwrap().is_empty());
        assert_eq!(
            nearest_rows(&[1.0; 4], 2, &[1], 0, 0.0, 1, &none).unwrap(),
            [Vec::<usize>::new()]
        );
    }
}
