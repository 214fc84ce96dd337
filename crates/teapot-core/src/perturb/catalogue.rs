//! Attacks and transformations by name, with their parameters.

use std::sync::Arc;

use crate::error::{Error, Result};

use super::attack::{Attack, Resources, Unit};
use super::constraints::Constraints;
use super::homoglyphs::HomoglyphTable;
use super::parameters::Parameters;
use super::stop_words::english_stop_words;
use super::transform::{
    Append, CaseMode, CharSwap, CharacterOptions, Choice, Replace, Transformation,
};

/// What can be asked for by name.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The name.
    pub name: &'static str,
    /// What it does, in one line.
    pub description: &'static str,
    /// Who described it first, with the version or year of what was followed.
    pub source: &'static str,
    /// Its parameters as `name=value|value`; the first value is the default.
    pub parameters: &'static [&'static str],
    build: fn(&Parameters<'_>, &Resources) -> Result<Attack>,
}

/// The parameters of every transformation of characters.
const CHARACTERS: &[&str] =
    &["positions=one|all", "skip=none|first|last|both", "unit=word|character"];

/// Every attack, then every transformation, each with its own name.
pub const CATALOGUE: [Entry; 31] = [
    Entry {
        name: "charswap",
        description: "two inner characters of a word change places, or its last one is repeated",
        source: "Michel et al. 2019 (TEAPOT's paper), section 4.2",
        parameters: &["positions=one|all"],
        build: |parameters, resources| {
            let (choice, vocabulary) = (parameters.choice()?, resources.vocabulary.clone());
            Ok(words([Transformation::CharSwap(CharSwap { choice, vocabulary })]))
        },
    },
    Entry {
        name: "deepwordbug",
        description: "a swap, substitution, deletion or insertion of a character; stop words kept",
        source: "Gao et al. 2018; TextAttack 0.3.11",
        parameters: CHARACTERS,
        build: |parameters, _| {
            use Transformation::{Delete, Insert, Substitute, Swap};
            let mut attack = characters(parameters, &[Swap, Substitute, Delete, Insert])?;
            attack.constraints.stop_words = Some(Arc::new(english_stop_words()));
            attack.constraints.max_edit_distance = Some(30);
            Ok(attack)
        },
    },
    Entry {
        name: "textbugger",
        description: "a space, a deletion, a swap or a homoglyph inside a word; stop words kept",
        source: "Li et al. 2019 (its character part); TextAttack 0.3.11",
        parameters: &["positions=one|all"],
        build: |parameters, _| {
            use Transformation::{Delete, Homoglyph, Space, Swap};
            let choice = parameters.choice()?;
            let inner = CharacterOptions::inner(choice);
            let any = CharacterOptions { choice, ..CharacterOptions::default() };
            let homoglyph = Homoglyph(any, HomoglyphTable::TextAttack);
            let mut attack = words([Space(inner), Delete(inner), Swap(inner), homoglyph]);
            attack.constraints.stop_words = Some(Arc::new(english_stop_words()));
            Ok(attack)
        },
    },
    Entry {
        name: "pruthi",
        description: "a swap, deletion, insertion or keyboard slip inside a word of four letters or more; stop words kept",
        source: "Pruthi et al. 2019; TextAttack 0.3.11",
        parameters: &["positions=one|all"],
        build: |parameters, _| {
            use Transformation::{Delete, Insert, Keyboard, Swap};
            let inner = CharacterOptions::inner(parameters.choice()?);
            let mut attack = words([Swap(inner), Delete(inner), Insert(inner), Keyboard(inner)]);
            attack.constraints.min_word_length = 4;
            attack.constraints.stop_words = Some(Arc::new(english_stop_words()));
            Ok(attack)
        },
    },
    Entry {
        name: "typo",
        description: "a keyboard slip, a swap, a missing or a doubled letter",
        source: "common slips of typists; Belinkov and Bisk 2018",
        parameters: CHARACTERS,
        build: |parameters, _| {
            use Transformation::{Delete, Keyboard, Repeat, Swap};
            characters(parameters, &[Keyboard, Swap, Delete, Repeat])
        },
    },
    Entry {
        name: "bad-characters",
        description: "an intentional homoglyph, an invisible character, a reordering or a deletion control",
        source: "Boucher et al. 2021; garak 0.16 badchars",
        parameters: CHARACTERS,
        build: |parameters, _| {
            use Transformation::{DeletionControl, Homoglyph, Invisible, Reorder};
            let homoglyph = |options| Homoglyph(options, HomoglyphTable::Intentional);
            characters(parameters, &[homoglyph, Invisible, Reorder, DeletionControl])
        },
    },
    Entry {
        name: "viper",
        description: "accents on a share of all letters (default rate 0.3)",
        source: "Eger et al. 2019 (eces); OpenAttack's probability",
        parameters: &["skip=none|first|last|both"],
        build: |parameters, _| {
            let mut options = parameters.character_options()?;
            options.choice = Choice::All;
            let transformations = vec![Transformation::Accent(options)];
            Ok(Attack { transformations, unit: Unit::Character, rate: 0.3, ..Attack::default() })
        },
    },
    Entry {
        name: "contractions",
        description: "contractions are made or written out",
        source: "Ribeiro et al. 2020 (CheckList); TextAttack 0.3.11",
        parameters: &[],
        build: |_, _| Ok(words([Transformation::Contract, Transformation::Expand])),
    },
    Entry {
        name: "checklist",
        description: "a random string of letters and digits behind the last word",
        source: "PromptBench 0.0.4",
        parameters: &["count=50", "length=10"],
        build: |parameters, _| {
            let count = parameters.number("count", 50)?;
            let length = parameters.number("length", 10)?;
            Ok(text(Append::CheckList { count, length }))
        },
    },
    Entry {
        name: "stresstest",
        description: "`and true is true`, `and false is not true`, or the first five times, behind the last word",
        source: "Naik et al. 2018; PromptBench 0.0.4",
        parameters: &[],
        build: |_, _| Ok(text(Append::StressTest)),
    },
    Entry {
        name: "swap",
        description: "two neighbouring characters change places",
        source: "TextAttack 0.3.11",
        parameters: CHARACTERS,
        build: |parameters, _| characters(parameters, &[Transformation::Swap]),
    },
    Entry {
        name: "delete",
        description: "a character is removed",
        source: "TextAttack 0.3.11",
        parameters: CHARACTERS,
        build: |parameters, _| characters(parameters, &[Transformation::Delete]),
    },
    Entry {
        name: "insert",
        description: "a random letter is put in",
        source: "TextAttack 0.3.11",
        parameters: CHARACTERS,
        build: |parameters, _| characters(parameters, &[Transformation::Insert]),
    },
    Entry {
        name: "substitute",
        description: "a character becomes a random letter",
        source: "TextAttack 0.3.11",
        parameters: CHARACTERS,
        build: |parameters, _| characters(parameters, &[Transformation::Substitute]),
    },
    Entry {
        name: "repeat",
        description: "a character is doubled",
        source: "common slips of typists",
        parameters: CHARACTERS,
        build: |parameters, _| characters(parameters, &[Transformation::Repeat]),
    },
    Entry {
        name: "keyboard",
        description: "a letter becomes one beside it on a QWERTY keyboard, case kept",
        source: "TextAttack 0.3.11, with a table of our own",
        parameters: CHARACTERS,
        build: |parameters, _| characters(parameters, &[Transformation::Keyboard]),
    },
    Entry {
        name: "homoglyph",
        description: "a character becomes one that looks like it",
        source: "TextAttack 0.3.11; Unicode UTS #39 intentional",
        parameters: &[
            "table=textattack|intentional",
            "positions=one|all",
            "skip=none|first|last|both",
            "unit=word|character",
        ],
        build: |parameters, _| {
            let tables = [
                ("textattack", HomoglyphTable::TextAttack),
                ("intentional", HomoglyphTable::Intentional),
            ];
            let table = parameters.one_of("table", &tables)?;
            characters(parameters, &[move |options| Transformation::Homoglyph(options, table)])
        },
    },
    Entry {
        name: "invisible",
        description: "a zero width space, joiner or non-joiner is put between two characters",
        source: "Boucher et al. 2021; TextAttack 0.3.11",
        parameters: CHARACTERS,
        build: |parameters, _| characters(parameters, &[Transformation::Invisible]),
    },
    Entry {
        name: "reorder",
        description: "two characters change places and are displayed in their old order",
        source: "Boucher et al. 2021; TextAttack 0.3.11",
        parameters: CHARACTERS,
        build: |parameters, _| characters(parameters, &[Transformation::Reorder]),
    },
    Entry {
        name: "deletion-control",
        description: "a character and a backspace are put in",
        source: "Boucher et al. 2021; TextAttack 0.3.11",
        parameters: CHARACTERS,
        build: |parameters, _| characters(parameters, &[Transformation::DeletionControl]),
    },
    Entry {
        name: "accent",
        description: "a letter gets an accent",
        source: "Eger et al. 2019 (VIPER, eces), with accents of our own choice",
        parameters: CHARACTERS,
        build: |parameters, _| characters(parameters, &[Transformation::Accent]),
    },
    Entry {
        name: "case",
        description: "a letter, or a whole word, changes its case",
        source: "common",
        parameters: &[
            "mode=letter|upper|lower|title|swap",
            "positions=one|all",
            "skip=none|first|last|both",
            "unit=word|character",
        ],
        build: |parameters, _| {
            let modes = [
                ("letter", CaseMode::Letter),
                ("upper", CaseMode::Upper),
                ("lower", CaseMode::Lower),
                ("title", CaseMode::Title),
                ("swap", CaseMode::Swap),
            ];
            let mode = parameters.one_of("mode", &modes)?;
            characters(parameters, &[move |options| Transformation::Case(options, mode)])
        },
    },
    Entry {
        name: "space",
        description: "a space is put between two characters of a word",
        source: "TextAttack 0.3.11 (TextBugger)",
        parameters: CHARACTERS,
        build: |parameters, _| characters(parameters, &[Transformation::Space]),
    },
    Entry {
        name: "contract",
        description: "two words become their contraction (`do not`, `don't`)",
        source: "TextAttack 0.3.11, with a list of our own",
        parameters: &[],
        build: |_, _| Ok(words([Transformation::Contract])),
    },
    Entry {
        name: "expand",
        description: "a contraction is written out (`don't`, `do not`)",
        source: "TextAttack 0.3.11, with a list of our own",
        parameters: &[],
        build: |_, _| Ok(words([Transformation::Expand])),
    },
    Entry {
        name: "word-delete",
        description: "a word is removed with one space beside it",
        source: "TextAttack 0.3.11",
        parameters: &[],
        build: |_, _| Ok(words([Transformation::WordDelete])),
    },
    Entry {
        name: "word-drop",
        description: "a word is removed and the spaces on both sides are kept",
        source: "common",
        parameters: &[],
        build: |_, _| Ok(words([Transformation::WordDrop])),
    },
    Entry {
        name: "word-duplicate",
        description: "a word is written twice",
        source: "common",
        parameters: &[],
        build: |_, _| Ok(words([Transformation::WordDuplicate])),
    },
    Entry {
        name: "word-swap",
        description: "a word changes places with the next one",
        source: "TextAttack 0.3.11, with the next word instead of any other",
        parameters: &[],
        build: |_, _| Ok(words([Transformation::WordSwap])),
    },
    Entry {
        name: "replace",
        description: "a word becomes one of a list (--replacements)",
        source: "common",
        parameters: &["positions=one|all"],
        build: |parameters, resources| {
            let Some(replacements) = &resources.replacements else {
                return Err(Error::invalid_option("replacements", "missing", NEEDS_REPLACEMENTS));
            };
            let (choice, replacements) = (parameters.choice()?, Arc::clone(replacements));
            Ok(words([Transformation::Replace(Replace { choice, replacements })]))
        },
    },
    Entry {
        name: "append",
        description: "a text of your own is put behind the last word (--suffix)",
        source: "common",
        parameters: &[],
        build: |_, resources| {
            if resources.suffixes.is_empty() {
                return Err(Error::invalid_option("suffix", "missing", NEEDS_SUFFIX));
            }
            Ok(text(Append::Texts(resources.suffixes.clone())))
        },
    },
];

const NEEDS_REPLACEMENTS: &str =
    "for the attack `replace` a table with a word and its replacements a line, separated by tabs";
const NEEDS_SUFFIX: &str = "for the attack `append` at least one text to append";

/// The rate of attacks that don't name their own.
const RATE: f64 = 0.1;

/// The attack of a specification: a name of the [`CATALOGUE`], then parameters as `:name=value,name=value`.
///
/// # Errors
///
/// [`ErrorKind::InvalidOption`](crate::error::ErrorKind::InvalidOption) for an unknown name, parameter or value, or for
/// a resource that the attack needs and `resources` doesn't have.
///
/// ```
/// use teapot_core::perturb::{Resources, attack_of};
/// let attack = attack_of("swap:skip=both", &Resources::default())?;
/// assert_eq!((attack.transformations.len(), attack.rate), (1, 0.1));
/// assert!(attack_of("swap:skip=inner", &Resources::default()).is_err());
/// # Ok::<(), teapot_core::error::Error>(())
/// ```
pub fn attack_of(specification: &str, resources: &Resources) -> Result<Attack> {
    let (name, list) = specification.split_once(':').unwrap_or((specification, ""));
    let entry = CATALOGUE.iter().find(|entry| entry.name == name).ok_or_else(|| {
        let names: Vec<&str> = CATALOGUE.iter().map(|entry| entry.name).collect();
        Error::invalid_option("attack", format!("`{name}`"), format!("one of {}", names.join(", ")))
    })?;
    let parameters = Parameters::parse(entry.name, entry.parameters, list)?;
    (entry.build)(&parameters, resources)
}

/// An attack on words by these transformations.
fn words<const N: usize>(transformations: [Transformation; N]) -> Attack {
    let transformations = transformations.into();
    Attack { transformations, unit: Unit::Word, rate: RATE, constraints: Constraints::default() }
}

/// An attack by transformations of characters, all with the same parameters.
fn characters(
    parameters: &Parameters<'_>,
    transformations: &[impl Fn(CharacterOptions) -> Transformation],
) -> Result<Attack> {
    let mut options = parameters.character_options()?;
    let unit =
        parameters.one_of("unit", &[("word", Unit::Word), ("character", Unit::Character)])?;
    if unit == Unit::Character {
        options.choice = Choice::All;
    }
    let transformations = transformations.iter().map(|make| make(options)).collect();
    Ok(Attack { transformations, unit, rate: RATE, constraints: Constraints::default() })
}

/// An attack that appends.
fn text(append: Append) -> Attack {
    let transformations = vec![Transformation::Append(append)];
    Attack { transformations, unit: Unit::Text, rate: RATE, constraints: Constraints::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::perturb::{EditKind, Replacements};

    fn resources() -> Resources {
        Resources {
            replacements: Some(Arc::new(Replacements::default())),
            suffixes: vec!["indeed".to_owned()],
            ..Resources::default()
        }
    }

    #[test]
    fn every_entry_builds_with_every_value_of_every_parameter() {
        for entry in CATALOGUE {
            let attack = attack_of(entry.name, &resources()).unwrap();
            assert!(!attack.transformations.is_empty(), "{}", entry.name);
            for parameter in entry.parameters {
                let (name, values) = parameter.split_once('=').unwrap();
                for value in values.split('|') {
                    let specification = format!("{}:{name}={value}", entry.name);
                    attack_of(&specification, &resources()).unwrap();
                }
            }
        }
    }

    #[test]
    fn every_kind_of_edit_has_an_entry() {
        for kind in EditKind::ALL {
            assert!(CATALOGUE.iter().any(|entry| entry.name == kind.name()), "{}", kind.name());
        }
        for (index, entry) in CATALOGUE.iter().enumerate() {
            assert!(CATALOGUE[index + 1..].iter().all(|other| other.name != entry.name));
        }
    }

    #[test]
    fn mistakes_are_named() {
        let message = |specification| {
            attack_of(specification, &Resources::default()).unwrap_err().to_string()
        };
        assert!(message("swop").starts_with("attack is `swop`, expected one of charswap, "));
        for (specification, expected) in [
            ("swap:skip=inner", "skip to be none, first, last or both"),
            ("swap:depth=2", "a parameter of swap: positions, skip or unit"),
            ("contract:a=b", "a parameter of contract: none"),
            ("swap:skip", "parameters as name=value"),
            ("checklist:count=x", "count to be a whole number from 1 to 1000000"),
        ] {
            let expected = format!("attack is `{specification}`, expected {expected}");
            assert_eq!(message(specification), expected);
        }
        assert_eq!(
            message("swap:skip=both,skip=none"),
            "attack is `swap:skip=none`, expected skip once"
        );
        assert!(message("replace").starts_with("replacements is missing, expected for the attack"));
        assert!(message("append").starts_with("suffix is missing"));
    }
}
