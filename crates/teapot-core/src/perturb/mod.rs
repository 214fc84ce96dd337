//! Words, spans, edits and the character and word transformations of attacks.
//!
//! A text is taken apart once ([`ParsedText`]); [`candidates`] lists every edit that [`Transformation`]s allow under
//! [`Constraints`]; [`apply`] makes a text of edits and [`invert`] undoes them. Positions are code points of the
//! original throughout. Random choices are drawn per item from a named generator ([`crate::random`]).

mod alignment;
mod candidates;
mod constraints;
mod edit;
mod homoglyphs;
mod parsed_text;
mod protect;
mod similarity;
mod span;
mod transform;
pub mod words;

pub use alignment::{changed_words, words_share};
pub use candidates::{Candidate, CandidateOptions, Candidates, candidates};
pub use constraints::Constraints;
pub use edit::{Edit, EditKind, EditView, apply, invert};
pub use homoglyphs::HomoglyphTable;
pub use parsed_text::ParsedText;
pub use protect::Protection;
pub use similarity::Similarity;
pub use span::Span;
pub use transform::{
    Append, CaseMode, CharSwap, CharacterOptions, Choice, Replace, Replacements, Transformation,
};
