//! What can be done to a text: one transformation a file, each with its source, its rule and its number of candidates.

mod accent;
mod append;
mod case;
mod character;
mod charswap;
mod contraction;
mod delete;
mod deletion_control;
mod homoglyph;
mod insert;
mod invisible;
mod keyboard;
mod reorder;
mod repeat;
mod replace;
mod space;
mod substitute;
mod swap;
mod word;

use crate::random::{Generator, Key};

use super::candidates::Candidates;
use super::homoglyphs::HomoglyphTable;
use super::made_edits::MadeEdits;
use super::parsed_text::ParsedText;
use super::span::Span;

pub use append::Append;
pub use case::CaseMode;
pub use character::{CharacterOptions, Choice};
pub use charswap::{CharSwap, KnownWords};
pub use replace::{Replace, Replacements};

/// The letters that insertion and substitution draw from: `a` to `z`, then `A` to `Z`.
const LETTERS: [char; 52] = {
    let mut letters = ['a'; 52];
    let mut index = 0;
    while index < 26 {
        letters[index as usize] = (b'a' + index) as char;
        letters[index as usize + 26] = (b'A' + index) as char;
        index += 1;
    }
    letters
};

/// A transformation with its parameters. Its candidates are edits on the text as it is; edits that change nothing are
/// never made.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Transformation {
    /// Exchanges two neighbouring characters of a word.
    Swap(CharacterOptions),
    /// Removes a character of a word of at least two.
    Delete(CharacterOptions),
    /// Puts a random ASCII letter in front of a character of a word.
    Insert(CharacterOptions),
    /// Replaces a character of a word by a random ASCII letter.
    Substitute(CharacterOptions),
    /// Doubles a character of a word.
    Repeat(CharacterOptions),
    /// Replaces a letter by one beside it on a QWERTY keyboard, case kept.
    Keyboard(CharacterOptions),
    /// Replaces a character by one that looks like it.
    Homoglyph(CharacterOptions, HomoglyphTable),
    /// Puts an invisible character between two characters of a word.
    Invisible(CharacterOptions),
    /// Exchanges two characters of a word and displays them in their old order by bidirectional controls.
    Reorder(CharacterOptions),
    /// Puts a character and a backspace into a word.
    DeletionControl(CharacterOptions),
    /// Gives a letter an accent.
    Accent(CharacterOptions),
    /// Changes the case of one letter, or of a whole word.
    Case(CharacterOptions, CaseMode),
    /// Puts a space between two characters of a word.
    Space(CharacterOptions),
    /// Exchanges two inner characters of a word, or repeats its last one where that changes nothing.
    CharSwap(CharSwap),
    /// Contracts a word and the next one (`do not`, `don't`).
    Contract,
    /// Writes a contraction out (`don't`, `do not`).
    Expand,
    /// Removes a word and one space beside it.
    WordDelete,
    /// Removes a word and leaves the spaces on both sides.
    WordDrop,
    /// Writes a word twice.
    WordDuplicate,
    /// Exchanges a word with the next one.
    WordSwap,
    /// Replaces a word by one of a list.
    Replace(Replace),
    /// Appends a suffix to the text.
    Append(Append),
}

impl Transformation {
    /// Tells whether the transformation changes words; else it changes the text as a whole.
    pub const fn is_of_words(&self) -> bool {
        !matches!(self, Self::Append(_))
    }

    /// Makes the candidates of one word.
    pub(super) fn generate(
        &self,
        context: WordContext<'_>,
        draw: Draw,
        candidates: &mut Candidates,
    ) {
        use character::generate as characters;
        match self {
            Self::Swap(options) => characters(&swap::Swap, *options, context, draw, candidates),
            Self::Delete(options) => {
                let delete = delete::Delete { first: usize::from(options.skip_first) };
                characters(&delete, *options, context, draw, candidates);
            }
            Self::Insert(options) => {
                characters(&insert::Insert, *options, context, draw, candidates);
            }
            Self::Substitute(options) => {
                characters(&substitute::Substitute, *options, context, draw, candidates);
            }
            Self::Repeat(options) => {
                let repeat = repeat::Repeat { first: usize::from(options.skip_first) };
                characters(&repeat, *options, context, draw, candidates);
            }
            Self::Keyboard(options) => {
                characters(&keyboard::Keyboard, *options, context, draw, candidates);
            }
            Self::Homoglyph(options, table) => {
                let homoglyph = homoglyph::Homoglyph { table: *table };
                characters(&homoglyph, *options, context, draw, candidates);
            }
            Self::Invisible(options) => {
                characters(&invisible::Invisible, *options, context, draw, candidates);
            }
            Self::Reorder(options) => {
                characters(&reorder::Reorder, *options, context, draw, candidates);
            }
            Self::DeletionControl(options) => {
                let control = deletion_control::DeletionControl;
                characters(&control, *options, context, draw, candidates);
            }
            Self::Accent(options) => {
                characters(&accent::Accent, *options, context, draw, candidates);
            }
            Self::Case(options, CaseMode::Letter) => {
                characters(&case::CaseLetter, *options, context, draw, candidates);
            }
            Self::Case(_, mode) => case::generate(*mode, context, candidates),
            Self::Space(options) => characters(&space::Space, *options, context, draw, candidates),
            Self::CharSwap(charswap) => charswap.generate(context, draw, candidates),
            Self::Contract => contraction::contract(context, candidates),
            Self::Expand => contraction::expand(context, candidates),
            Self::WordDelete => word::delete(context, candidates),
            Self::WordDrop => word::drop(context, candidates),
            Self::WordDuplicate => word::duplicate(context, candidates),
            Self::WordSwap => word::swap(context, candidates),
            Self::Replace(replace) => replace.generate(context, draw, candidates),
            Self::Append(_) => {}
        }
    }

    /// Makes the candidates of the text as a whole.
    pub(super) fn generate_for_text(
        &self,
        text: &ParsedText,
        draw: Draw,
        candidates: &mut Candidates,
    ) {
        if let Self::Append(append) = self {
            append.generate(text, draw, candidates);
        }
    }
}

/// A word of a text.
#[derive(Clone, Copy)]
pub(super) struct WordContext<'t> {
    /// The text.
    pub text: &'t ParsedText,
    /// The word's index.
    pub index: usize,
    /// The edits made so far.
    pub made: &'t MadeEdits,
}

impl<'t> WordContext<'t> {
    /// The word's span; an empty one of a word that doesn't exist.
    #[inline]
    pub fn span(self) -> Span {
        self.text.words().get(self.index).copied().unwrap_or_default()
    }

    /// The word's characters.
    #[inline]
    pub fn characters(self) -> &'t [char] {
        self.text.slice(self.span())
    }
}

/// Where a transformation takes its random choices from. The generator is made only by those that draw.
#[derive(Clone, Copy)]
pub(super) struct Draw(Key);

impl Draw {
    /// The draws of a transformation (its index in the list) on a word, or on the whole text.
    #[inline]
    pub fn new(key: Key, word: Option<usize>, transformation: usize) -> Self {
        let key = word.map_or_else(|| key.then(u64::MAX), |word| key.then_index(word));
        Self(key.then_index(transformation))
    }

    /// The generator.
    #[inline]
    pub fn generator(self) -> Generator {
        self.0.generator()
    }
}
