//! The Node-API border of teapot: options and errors are converted here, nothing is computed.
//!
//! Every asynchronous export goes through [`task::spawn`]; every synchronous one that computes through [`task::guard`].
#![expect(clippy::needless_pass_by_value, reason = "Node-API hands over owned values")]

pub mod answer_file;
pub mod candidates;
pub mod corpus;
pub mod edits;
pub mod error;
pub mod nearest;
pub mod options;
pub mod perturb;
pub mod resample;
pub mod rows;
pub mod score;
pub mod task;
pub mod zstd;

use napi::bindgen_prelude::AsyncTask;
use napi_derive::napi;

/// Version of the native core, equal to the package's version.
#[napi]
pub fn native_version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

/// Every error code that the native side can give, for the test that compares it with `src/errors.ts`.
#[napi]
pub fn native_error_codes() -> Vec<String> {
    error::CODES.iter().map(|code| code.as_ref().to_owned()).collect()
}

/// Panics on the thread pool: for the test that a panic is a rejected promise and no crash.
#[napi(ts_return_type = "Promise<number>")]
pub fn panic_for_test() -> AsyncTask<task::Job<f64>> {
    task::spawn(|| {
        let nothing: [f64; 0] = [];
        Ok(nothing[std::hint::black_box(0)])
    })
}
