//! A text is put behind the last word.

use super::{Draw, LETTERS};
use crate::perturb::candidates::Candidates;
use crate::perturb::edit::EditKind;
use crate::perturb::parsed_text::ParsedText;
use crate::perturb::span::Span;

/// Marks that close what the last word stands in: the suffix comes behind them.
const CLOSING: [char; 11] = ['\'', '"', '`', '’', '”', '»', '」', ')', ']', '}', '>'];

/// The suffixes of StressTest: Naik et al., *Stress test evaluation for natural language inference*, 2018, with the
/// spaces of PromptBench 0.0.4 (which puts one more in front).
const STRESS_TEST: [&str; 3] = [
    " and true is true ",
    " and false is not true ",
    " and true is true  and true is true  and true is true  and true is true  and true is true ",
];

/// What is appended to a text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Append {
    /// Random strings of ASCII letters and digits. Source: PromptBench 0.0.4, `checklist`, with 50 fixed strings of 10
    /// characters; here they are drawn for each text.
    CheckList {
        /// Number of candidates.
        count: usize,
        /// Characters of each string.
        length: usize,
    },
    /// The three suffixes of StressTest.
    StressTest,
    /// Texts of one's own, one candidate each, in order.
    Texts(Vec<String>),
}

impl Append {
    /// CheckList with PromptBench's 50 strings of 10 characters.
    pub const CHECK_LIST: Self = Self::CheckList { count: 50, length: 10 };

    /// Makes the candidates of a text: a space and the suffix, behind the last word, the quotation marks and brackets
    /// that close behind it, and any protected span that would be split; at the end of a text without words.
    pub(super) fn generate(&self, text: &ParsedText, draw: Draw, candidates: &mut Candidates) {
        let place = place(text);
        let mut push = |suffix: &mut dyn Iterator<Item = char>| {
            candidates.push(text, None, EditKind::Append, |replacement| {
                replacement.push(' ');
                replacement.extend(suffix);
                Span::new(place, place)
            });
        };
        match self {
            Self::CheckList { count, length } => {
                let mut generator = draw.generator();
                for _ in 0..*count {
                    let mut character = || {
                        let index = generator.below(LETTERS.len() + 10);
                        LETTERS.get(index).copied().unwrap_or_else(|| digit(index - LETTERS.len()))
                    };
                    push(&mut (0..*length).map(|_| character()));
                }
            }
            Self::StressTest => {
                for suffix in STRESS_TEST {
                    push(&mut suffix.chars());
                }
            }
            Self::Texts(suffixes) => {
                for suffix in suffixes {
                    push(&mut suffix.chars());
                }
            }
        }
    }
}

fn digit(value: usize) -> char {
    u32::try_from(value).ok().and_then(|value| char::from_digit(value, 10)).unwrap_or('0')
}

fn place(text: &ParsedText) -> usize {
    let Some(last) = text.words().last() else { return text.characters().len() };
    let after = text.characters().get(last.end..).unwrap_or_default();
    let closing = last.end + after.iter().take_while(|&c| CLOSING.contains(c)).count();
    let inside = |span: &&Span| span.start < closing && closing < span.end;
    text.protected().iter().find(inside).map_or(closing, |span| span.end)
}
