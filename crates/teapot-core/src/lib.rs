//! What teapot computes, without I/O and without Node-API.
//!
//! - [`text`]: Python's whitespace, line ends and the tokenizers of the reference tools.
//! - [`score`]: similarity of a hypothesis to its references, one metric a file.
//! - [`distance`]: edit distances over code points or words.
//! - [`edits`]: what an attack did to a text, edit by edit.
//! - [`nearest`]: the nearest rows of a table of vectors.
//! - [`parallel`]: work on several threads with results in order.
//! - [`patience`]: breaking off long work on one segment.
//! - [`perturb`]: words, spans, edits and the character and word transformations of attacks.
//! - [`random`]: the one seeded generator of everything that draws.
//! - [`resample`]: seeded generators, bootstrap intervals and paired tests.
//!
//! Scores are fractions in `[0, 1]`. Functions return [`Result`](error::Result) and don't panic.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod distance;
pub mod edits;
pub mod error;
pub mod nearest;
pub mod parallel;
pub mod patience;
pub mod perturb;
pub mod random;
pub mod resample;
pub mod score;
pub mod text;
