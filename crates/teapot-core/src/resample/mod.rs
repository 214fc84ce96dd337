//! Resampling: bootstrap intervals and paired tests, seeded and the same for any number of threads.
//!
//! - [`corpus`]: sacreBLEU's tests of corpus scores, with its numbers to the digit ([`numpy`] is its generator).

pub mod corpus;
pub mod numpy;
