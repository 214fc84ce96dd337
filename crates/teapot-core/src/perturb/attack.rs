//! An attack without a victim: transformations, how they are spread over a text, and what they must keep.

use std::collections::HashSet;
use std::sync::Arc;

use super::constraints::Constraints;
use super::transform::{Replacements, Transformation};

/// What an attack's rate counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unit {
    /// Words: one edit a word, in a share of the words.
    #[default]
    Word,
    /// Places in words: one edit a place, in a share of all places that the transformations could change.
    Character,
    /// The text: one edit.
    Text,
}

/// An attack without a victim.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Attack {
    /// The transformations; one is drawn for each edit.
    pub transformations: Vec<Transformation>,
    /// What the rate counts.
    pub unit: Unit,
    /// Share of the units that are edited unless the user says otherwise, a fraction.
    pub rate: f64,
    /// What the attack's definition demands of its edits.
    pub constraints: Constraints,
}

/// Data that attacks need and don't have built in.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Resources {
    /// Replacements of words, for `replace`.
    pub replacements: Option<Arc<Replacements>>,
    /// Known words, for `charswap`.
    pub vocabulary: Option<Arc<HashSet<String>>>,
    /// Texts to append, for `append`.
    pub suffixes: Vec<String>,
}
