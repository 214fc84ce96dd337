//! Parameters of an attack as written behind its name: `positions=all,skip=both`.

use crate::error::{Error, Result};

use super::transform::{CharacterOptions, Choice};

/// The parameters that were given, each of which is one that the attack has.
pub(super) struct Parameters<'s> {
    attack: &'static str,
    given: Vec<(&'s str, &'s str)>,
}

impl<'s> Parameters<'s> {
    /// Reads a list; `known` are the parameters as the catalogue describes them.
    pub fn parse(attack: &'static str, known: &[&str], list: &'s str) -> Result<Self> {
        let names: Vec<&str> =
            known.iter().filter_map(|text| text.split_once('=')).map(|(name, _)| name).collect();
        let mut given: Vec<(&str, &str)> = Vec::new();
        for part in list.split(',').filter(|part| !part.is_empty()) {
            let refused = |expected: String| {
                Error::invalid_option("attack", format!("`{attack}:{part}`"), expected)
            };
            let Some((name, value)) = part.split_once('=') else {
                return Err(refused("parameters as name=value".to_owned()));
            };
            if !names.contains(&name) {
                let expected = format!("a parameter of {attack}: {}", or_list(&names));
                return Err(refused(expected));
            }
            if given.iter().any(|(other, _)| *other == name) {
                return Err(refused(format!("{name} once")));
            }
            given.push((name, value));
        }
        Ok(Self { attack, given })
    }

    fn get(&self, name: &str) -> Option<&'s str> {
        self.given.iter().find(|(other, _)| *other == name).map(|&(_, value)| value)
    }

    fn refused(&self, name: &str, value: &str, expected: String) -> Error {
        Error::invalid_option("attack", format!("`{}:{name}={value}`", self.attack), expected)
    }

    /// The value of a word among others; the first one where it isn't given.
    pub fn one_of<T: Copy + Default>(&self, name: &str, values: &[(&str, T)]) -> Result<T> {
        let Some(given) = self.get(name) else {
            return Ok(values.first().map(|&(_, value)| value).unwrap_or_default());
        };
        let found = values.iter().find(|(word, _)| *word == given);
        found.map(|&(_, value)| value).ok_or_else(|| {
            let words: Vec<&str> = values.iter().map(|(word, _)| *word).collect();
            self.refused(name, given, format!("{name} to be {}", or_list(&words)))
        })
    }

    /// A whole number from 1 to a million; `default` where it isn't given.
    pub fn number(&self, name: &str, default: usize) -> Result<usize> {
        let Some(given) = self.get(name) else { return Ok(default) };
        let number = given.parse().ok().filter(|number| (1..=1_000_000).contains(number));
        number.ok_or_else(|| {
            self.refused(name, given, format!("{name} to be a whole number from 1 to 1000000"))
        })
    }

    /// `positions`: one random candidate a word, or all.
    pub fn choice(&self) -> Result<Choice> {
        self.one_of("positions", &[("one", Choice::RandomOne), ("all", Choice::All)])
    }

    /// `positions` and `skip`.
    pub fn character_options(&self) -> Result<CharacterOptions> {
        let ends = [
            ("none", (false, false)),
            ("first", (true, false)),
            ("last", (false, true)),
            ("both", (true, true)),
        ];
        let (skip_first, skip_last) = self.one_of("skip", &ends)?;
        Ok(CharacterOptions { choice: self.choice()?, skip_first, skip_last })
    }
}

/// `a, b or c`; `none` of nothing.
fn or_list(words: &[&str]) -> String {
    match words {
        [] => "none".to_owned(),
        [one] => (*one).to_owned(),
        [most @ .., last] => format!("{} or {last}", most.join(", ")),
    }
}
