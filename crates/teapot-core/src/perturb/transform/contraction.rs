//! English contractions, written out and back.

use super::WordContext;
use crate::perturb::candidates::Candidates;
use crate::perturb::edit::EditKind;
use crate::perturb::span::Span;

/// Words that take the ending `n't`.
const BEFORE_NOT: &[&str] = &[
    "are", "could", "did", "does", "do", "had", "has", "have", "is", "might", "must", "need",
    "should", "was", "were", "would",
];
/// Words that take `'re`.
const BEFORE_ARE: &[&str] = &["you", "we", "they"];
/// Words that take `'s` for *is*.
const BEFORE_IS: &[&str] =
    &["he", "she", "it", "that", "there", "here", "what", "who", "where", "when", "how"];
/// Words that take `'ve`.
const BEFORE_HAVE: &[&str] =
    &["i", "you", "we", "they", "could", "should", "would", "might", "must"];
/// Words that take `'ll`.
const BEFORE_WILL: &[&str] =
    &["i", "you", "he", "she", "it", "we", "they", "that", "there", "who", "what"];
/// Words that take `'d` for *would*.
const BEFORE_WOULD: &[&str] = &["i", "you", "he", "she", "we", "they", "who", "there"];

/// The regular contractions: the word written out, its ending, the words before it. An ending stands for one word only,
/// so that writing out is the inverse of contracting.
const REGULAR: [(&str, &str, &[&str]); 7] = [
    ("not", "n't", BEFORE_NOT),
    ("am", "'m", &["i"]),
    ("are", "'re", BEFORE_ARE),
    ("is", "'s", BEFORE_IS),
    ("have", "'ve", BEFORE_HAVE),
    ("will", "'ll", BEFORE_WILL),
    ("would", "'d", BEFORE_WOULD),
];

/// Contractions whose first word changes: first word, second word, contraction.
const IRREGULAR: [(&str, &str, &str); 4] = [
    ("can", "not", "can't"),
    ("will", "not", "won't"),
    ("shall", "not", "shan't"),
    ("let", "us", "let's"),
];

/// Contracts a word and the next one where they stand in the table with one space between them; `cannot` alone becomes
/// `can't`. One candidate at most. The case of the first word is kept; the ending is in capitals if the second word is.
///
/// Source of the idea: Ribeiro et al., *Beyond accuracy* (CheckList), 2020; TextAttack 0.3.11, `WordSwapContract`.
/// The list is our own.
pub(super) fn contract(context: WordContext<'_>, candidates: &mut Candidates) {
    let first = context.span();
    let mut push = |span: Span, contraction: &str, kept: usize, is_upper: bool| {
        candidates.push(context.text, Some(context.index), EditKind::Contract, |text| {
            text.extend(&context.characters()[..kept]);
            push_cased(text, contraction.chars().skip(kept), is_upper);
            span
        });
    };
    if is(context.characters(), "cannot") {
        push(first, "can't", 3, is_upper(context.characters()));
        return;
    }
    let Some(&second) = context.text.words().get(context.index + 1) else { return };
    let between = context.text.slice(Span::new(first.end, second.start));
    if between != [' '] {
        return;
    }
    let span = Span::new(first.start, second.end);
    let (word, next) = (context.characters(), context.text.slice(second));
    for (one, two, contraction) in IRREGULAR {
        if is(word, one) && is(next, two) {
            let kept = common_prefix(one, contraction);
            push(span, contraction, kept, is_upper(next));
            return;
        }
    }
    for (full, ending, bases) in REGULAR {
        if is(next, full) && bases.iter().any(|base| is(word, base)) {
            candidates.push(context.text, Some(context.index), EditKind::Contract, |text| {
                text.extend(word);
                push_cased(text, ending.chars(), is_upper(next));
                span
            });
            return;
        }
    }
}

/// Writes a contraction of the table out as two words. One candidate at most. The case of the first word is kept; the
/// second word is in capitals if the ending is. `'s` is read as *is* and `'d` as *would*, after the words where they
/// mean that most often.
///
/// Source: as [`contract`]; TextAttack 0.3.11, `WordSwapExtend`.
pub(super) fn expand(context: WordContext<'_>, candidates: &mut Candidates) {
    let word = context.characters();
    let mut push = |kept: usize, rest: &str, second: &str| {
        let ending = &word[kept..];
        candidates.push(context.text, Some(context.index), EditKind::Expand, |text| {
            text.extend(&word[..kept]);
            push_cased(text, rest.chars(), is_upper(ending));
            text.push(' ');
            push_cased(text, second.chars(), is_upper(ending));
            context.span()
        });
    };
    for (one, two, contraction) in IRREGULAR {
        if is(word, contraction) {
            let kept = common_prefix(one, contraction);
            push(kept, one.get(kept..).unwrap_or_default(), two);
            return;
        }
    }
    for (full, ending, bases) in REGULAR {
        let Some(kept) = word.len().checked_sub(ending.len()) else { continue };
        if is(&word[kept..], ending) && bases.iter().any(|base| is(&word[..kept], base)) {
            push(kept, "", full);
            return;
        }
    }
}

/// Tells whether a word is this ASCII word, in any case.
fn is(word: &[char], expected: &str) -> bool {
    word.iter().map(char::to_ascii_lowercase).eq(expected.chars())
}

/// Tells whether all letters are capitals and there is one; a lone `I` isn't asked.
fn is_upper(word: &[char]) -> bool {
    let mut letters = word.iter().filter(|c| c.is_alphabetic()).peekable();
    letters.peek().is_some() && letters.all(|c| c.is_uppercase())
}

fn push_cased(text: &mut String, characters: impl Iterator<Item = char>, is_upper: bool) {
    text.extend(characters.map(|c| if is_upper { c.to_ascii_uppercase() } else { c }));
}

fn common_prefix(left: &str, right: &str) -> usize {
    left.bytes().zip(right.bytes()).take_while(|(left, right)| left == right).count()
}
