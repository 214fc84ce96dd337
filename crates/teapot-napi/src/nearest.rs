//! The nearest rows of a table of vectors.

use napi::bindgen_prelude::{AsyncTask, Float32Array};
use napi_derive::napi;
use teapot_core::nearest;

use crate::error::from_core;
use crate::task::{Cancellation, Job, flag_of, spawn};

/// The rows that were found for one query.
#[napi(object)]
pub struct NearestRows {
    /// Numbers of rows, the nearest first.
    pub rows: Vec<u32>,
}

/// Finds for each query (the number of a row) the `most` rows with the largest dot products, on the thread pool: the nearest first, ties by
/// row, itself included, none below `minCosine`. The table holds rows of `size` numbers and must not change meanwhile: it is not copied.
#[napi(ts_return_type = "Promise<Array<NearestRows>>")]
pub fn nearest_rows(
    values: Float32Array,
    size: u32,
    queries: Vec<u32>,
    most: u32,
    min_cosine: f64,
    cancellation: Option<&Cancellation>,
) -> AsyncTask<Job<Vec<NearestRows>>> {
    let cancelled = flag_of(cancellation);
    spawn(move || {
        let queries: Vec<usize> = queries.into_iter().map(|query| query as usize).collect();
        let (size, most) = (size as usize, most as usize);
        let found = nearest::nearest_rows(&values, size, &queries, most, min_cosine, 0, &cancelled);
        let found = found.map_err(from_core)?;
        let numbers = |rows: Vec<usize>| rows.into_iter().filter_map(|row| u32::try_from(row).ok());
        Ok(found.into_iter().map(|rows| NearestRows { rows: numbers(rows).collect() }).collect())
    })
}
