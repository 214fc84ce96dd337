//! A word becomes one of a list.

use std::collections::HashMap;
use std::sync::Arc;

use super::WordContext;
use super::character::Choice;
use crate::error::{Error, Result};
use crate::perturb::candidates::Candidates;
use crate::perturb::edit::EditKind;
use crate::text::whitespace::strip;

use super::Draw;

/// Words with those that may stand for them.
///
/// Looked up as written, then in small letters. A replacement takes the case of the word it replaces: small letters,
/// capitals or a capital first letter; of a word in mixed case it keeps its own (TextAttack's rule for embeddings).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Replacements(HashMap<String, Vec<String>>);

impl Replacements {
    /// Reads a table: one word a line, then its replacements, separated by tabs. Blank lines are skipped; a word that
    /// comes twice takes the replacements of both lines.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::InvalidOption`](crate::error::ErrorKind::InvalidOption) for a line without word or replacement,
    /// with its number.
    ///
    /// ```
    /// use teapot_core::perturb::Replacements;
    /// let table = Replacements::from_table("kettle\tpot\tboiler\n\ncup\tmug\n")?;
    /// assert_eq!(table.of("kettle"), ["pot", "boiler"]);
    /// assert!(Replacements::from_table("kettle").is_err());
    /// # Ok::<(), teapot_core::error::Error>(())
    /// ```
    pub fn from_table(table: &str) -> Result<Self> {
        let mut words: HashMap<String, Vec<String>> = HashMap::new();
        for (index, line) in table.split('\n').enumerate() {
            if strip(line).is_empty() {
                continue;
            }
            let mut fields = line.split('\t').map(strip).filter(|field| !field.is_empty());
            let word = fields.next().unwrap_or_default();
            let replacements: Vec<String> = fields.map(str::to_owned).collect();
            if replacements.is_empty() {
                return Err(Error::invalid_option(
                    "replacements",
                    format!("`{word}` on line {}", index + 1),
                    "a word and its replacements, separated by tabs",
                ));
            }
            words.entry(word.to_owned()).or_default().extend(replacements);
        }
        Ok(Self(words))
    }

    /// The replacements of a word as written, in order; none of an unknown word.
    pub fn of(&self, word: &str) -> &[String] {
        self.0.get(word).map_or(&[], Vec::as_slice)
    }
}

/// Replaces a word by one of a list. With [`Choice::All`] a word has a candidate for each replacement, else one drawn
/// among those that differ from the word.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Replace {
    /// One random candidate a word, or all.
    pub choice: Choice,
    /// The replacements.
    pub replacements: Arc<Replacements>,
}

impl Replace {
    /// Makes the candidates of one word.
    pub(super) fn generate(
        &self,
        context: WordContext<'_>,
        draw: Draw,
        candidates: &mut Candidates,
    ) {
        let word = context.text.slice_text(context.span());
        let mut replacements = self.replacements.of(word);
        if replacements.is_empty() {
            replacements = self.replacements.of(&word.to_lowercase());
        }
        let case = Case::of(word);
        let recased = replacements.iter().map(|replacement| case.applied_to(replacement));
        let changed: Vec<String> = recased.filter(|replacement| replacement != word).collect();
        let chosen = match self.choice {
            Choice::All => changed.as_slice(),
            Choice::RandomOne => {
                draw.generator().choose(&changed).map(std::slice::from_ref).unwrap_or_default()
            }
        };
        for replacement in chosen {
            candidates.push(context.text, Some(context.index), EditKind::Replace, |text| {
                text.push_str(replacement);
                context.span()
            });
        }
    }
}

/// How a word is written.
#[derive(Clone, Copy)]
enum Case {
    Lower,
    Upper,
    Capitalised,
    Mixed,
}

impl Case {
    fn of(word: &str) -> Self {
        let cased: Vec<char> =
            word.chars().filter(|c| c.is_lowercase() || c.is_uppercase()).collect();
        let Some((first, rest)) = cased.split_first() else { return Self::Mixed };
        let rest_is_lower = rest.iter().all(|c| c.is_lowercase());
        match (first.is_uppercase(), rest_is_lower) {
            (false, true) => Self::Lower,
            (true, true) => Self::Capitalised,
            (true, false) if rest.iter().all(|c| c.is_uppercase()) => Self::Upper,
            _ => Self::Mixed,
        }
    }

    fn applied_to(self, word: &str) -> String {
        match self {
            Self::Lower => word.to_lowercase(),
            Self::Upper => word.to_uppercase(),
            Self::Capitalised => {
                let mut characters = word.chars();
                let first = characters.next().into_iter().flat_map(char::to_uppercase);
                first.chain(characters.as_str().chars()).collect()
            }
            Self::Mixed => word.to_owned(),
        }
    }
}
