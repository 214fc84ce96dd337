//! The tokenizers of sacreBLEU 2.6.0, to the token: one file each, one enum in front.
//!
//! sacreBLEU writes each as a chain of regular expressions that put spaces into the text, and splits the result at
//! Python's whitespace. Here each is one scan that notes where tokens begin and end; the chains, pass by pass, are
//! their slow twins in the tests.

mod blocks;
mod separate;
mod tokenizer_13a;
mod tokenizer_char;
mod tokenizer_intl;
mod tokenizer_none;
mod tokenizer_zh;
mod tokens;
mod words_chrf;

use std::fmt;
use std::str::FromStr;

pub use tokens::Tokens;
pub(crate) use words_chrf::words_chrf;

use crate::error::{Error, Result};

/// A tokenizer of sacreBLEU, by the name that its `--tokenize` has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Tokenizer {
    /// `13a`, the default: ASCII punctuation off words, entities unescaped (mteval-v13a).
    #[default]
    Mteval13a,
    /// `intl`: all Unicode punctuation and symbols off words (mteval-v14 international).
    International,
    /// `zh`: each Chinese character a token, the rest like `13a` without its unescaping.
    Chinese,
    /// `char`: each character a token, whitespace dropped.
    Character,
    /// `none`: split at whitespace.
    None,
}

impl Tokenizer {
    /// All tokenizers, in the order of the documentation.
    pub const ALL: [Self; 5] =
        [Self::Mteval13a, Self::None, Self::Character, Self::International, Self::Chinese];

    /// The name in signatures and options: `13a`, `intl`, `zh`, `char` or `none`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Mteval13a => "13a",
            Self::International => "intl",
            Self::Chinese => "zh",
            Self::Character => "char",
            Self::None => "none",
        }
    }

    /// Tokenizes a text as it stands into `tokens`, whose former content is lost; no token for a blank text.
    ///
    /// The result is that of `tokenizer(text).split()` in sacreBLEU 2.6.0. Its metrics strip trailing whitespace
    /// ([`strip_end`](crate::text::whitespace::strip_end)) first, which can matter: `intl` leaves the dot of `12.`
    /// on the number at the end of a text, and takes it off in `12. `.
    ///
    /// ```
    /// use teapot_core::text::tokenize::{Tokenizer, Tokens};
    /// let mut tokens = Tokens::default();
    /// Tokenizer::Mteval13a.tokenize("Tea &amp; milk: 1,000 cups.", &mut tokens);
    /// assert_eq!(tokens.iter().collect::<Vec<_>>(), ["Tea", "&", "milk", ":", "1,000", "cups", "."]);
    /// ```
    pub fn tokenize(self, text: &str, tokens: &mut Tokens) {
        match self {
            Self::Mteval13a => tokenizer_13a::tokenize(text, tokens),
            Self::International => tokenizer_intl::tokenize(text, tokens),
            Self::Chinese => tokenizer_zh::tokenize(text, tokens),
            Self::Character => tokenizer_char::tokenize(text, tokens),
            Self::None => tokenizer_none::tokenize(text, tokens),
        }
    }
}

impl FromStr for Tokenizer {
    type Err = Error;

    /// Reads a [`name`](Self::name).
    fn from_str(name: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|tokenizer| tokenizer.name() == name).ok_or_else(|| {
            Error::invalid_option("tokenize", name, Self::ALL.map(Self::name).join(", "))
        })
    }
}

impl fmt::Display for Tokenizer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
