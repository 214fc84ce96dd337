//! Words, spans, edits and the character and word transformations of attacks.
//!
//! A text is taken apart once ([`ParsedText`]); [`candidates()`] lists every edit that [`Transformation`]s allow under
//! [`Constraints`]; [`apply`] makes a text of edits and [`invert`] undoes them. Positions are code points of the
//! original throughout. [`Perturber`] spreads an attack over texts without asking a victim; [`AttackedText`] is what a
//! search works on that asks one. Random choices are drawn per item from a named generator ([`crate::random`]).

mod alignment;
mod attack;
mod attacked_text;
mod candidates;
mod catalogue;
mod check;
mod constraints;
mod edit;
mod edit_list;
pub(crate) mod homoglyphs;
mod made_edits;
mod parameters;
mod parsed_text;
mod perturber;
mod protect;
mod similarity;
mod span;
mod stop_words;
mod transform;
mod word_cost;
pub mod words;

pub use alignment::{changed_words, words_share};
pub use attack::{Attack, Resources, Unit};
pub use attacked_text::{AttackRules, AttackedText, Blank};
pub use candidates::{Candidate, CandidateOptions, Candidates, candidates};
pub use catalogue::{CATALOGUE, Entry, attack_of};
pub use constraints::Constraints;
pub use edit::{Edit, EditKind, EditView, apply, invert};
pub use homoglyphs::HomoglyphTable;
pub use parsed_text::ParsedText;
pub use perturber::{PerturbOptions, Perturbed, Perturber, Session};
pub use protect::Protection;
pub use similarity::Similarity;
pub use span::Span;
pub use stop_words::english_stop_words;
pub use transform::{
    Append, CaseMode, CharSwap, CharacterOptions, Choice, KnownWords, Replace, Replacements,
    Transformation,
};
