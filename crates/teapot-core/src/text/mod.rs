//! Text rules of Python and of the reference tools, in one place: nothing else trims, splits or tokenizes.

pub mod fold;
pub mod lowercase;
pub mod rows;
pub mod tokenize;
pub mod whitespace;
pub(crate) mod word_numbers;
