//! An attack without a victim: transformations, how they are spread over a text, and what they must keep.

use std::sync::Arc;

use crate::error::{Error, Result};

use super::constraints::Constraints;
use super::transform::{KnownWords, Replacements, Transformation};

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

impl Attack {
    /// One attack that draws among the transformations of several.
    ///
    /// They must count the same unit; rate and conditions are those of the first one that has them.
    ///
    /// # Errors
    ///
    /// The first error among the attacks; [`ErrorKind::InvalidOption`](crate::error::ErrorKind::InvalidOption) for none,
    /// or for attacks that count different units.
    pub fn joined(attacks: impl IntoIterator<Item = Result<Self>>) -> Result<Self> {
        let mut attacks = attacks.into_iter();
        let none = || Err(Error::invalid_option("attack", "missing", "the name of an attack"));
        let mut joined = attacks.next().unwrap_or_else(none)?;
        for attack in attacks {
            let attack = attack?;
            if attack.unit != joined.unit {
                return Err(Error::invalid_option(
                    "attack",
                    "a mixture of attacks on words, characters and whole texts",
                    "attacks that count the same unit; run them one after the other",
                ));
            }
            joined.transformations.extend(attack.transformations);
            joined.constraints = joined.constraints.or(attack.constraints);
        }
        Ok(joined)
    }
}

/// Data that attacks need and don't have built in.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Resources {
    /// Replacements of words, for `replace`.
    pub replacements: Option<Arc<Replacements>>,
    /// Known words, for `charswap`.
    pub vocabulary: Option<Arc<KnownWords>>,
    /// Texts to append, for `append`.
    pub suffixes: Vec<String>,
}
