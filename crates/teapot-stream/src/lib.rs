//! Files in, aligned segments and scores out, in flat memory and on all cores.
//!
//! - [`answer_file`]: answers of victims by key, in a `SQLite` file.
//! - [`input`]: opening a file or standard input, undoing gzip and Zstandard, other encodings to UTF-8, hashing.
//! - [`lines`]: one input as blocks of lines, with the text rules of the project.
//! - [`corpus`]: several inputs read in step, line by line, as one aligned corpus.
//! - [`patient`]: waiting for pipes so that the waiting can be ended.
//! - [`perturb`]: the lines of a file perturbed block by block.
//! - [`table`]: the columns of CSV, TSV and JSONL as those of a corpus.
//! - [`score`]: a corpus scored block by block on worker threads.
//!
//! This crate reads files; what a line scores is computed by `teapot-core`.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod answer_file;
pub mod corpus;
pub mod error;
pub mod input;
pub mod lines;
pub mod patient;
pub mod perturb;
pub mod score;
pub mod table;
