//! Spans of a text that no edit may touch: label words, placeholders, quotations, regular expressions.

use regex::Regex;

use crate::error::{Error, Result};
use crate::text::whitespace::is_whitespace;

use super::span::{Span, merge};
use super::words::continues_word;

/// Quotation marks and colons that belong to a protected word when they adjoin it.
const ADJOINING: [char; 14] =
    ['\'', '"', '`', ':', '‘', '’', '‚', '‛', '“', '”', '„', '«', '»', '：'];

/// Marks that open a quotation and those that close it. The straight single quote is an apostrophe as well: see
/// [`Protection::quoted`].
const QUOTATIONS: [(char, char); 8] = [
    ('"', '"'),
    ('`', '`'),
    ('“', '”'),
    ('„', '“'),
    ('«', '»'),
    ('‘', '’'),
    ('「', '」'),
    ('\'', '\''),
];

/// What is protected from edits.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Protection {
    /// Words or phrases, found in any case, wherever no letter, number or low line continues them. Quotation marks and
    /// colons that adjoin them are protected too. Empty texts protect nothing.
    pub words: Vec<String>,
    /// `{placeholders}`: from an opening brace to the next closing one without another opening one between, with
    /// doubled braces around them.
    pub placeholders: bool,
    /// Quoted text with its marks: `"…"`, `“…”`, `„…“`, `«…»`, `‘…’`, `「…」`, backquotes, and `'…'` where the
    /// opening mark follows no letter or number and the closing one is followed by none. A mark without its partner
    /// protects nothing.
    pub quoted: bool,
    /// Every match of these expressions.
    pub patterns: Vec<Regex>,
}

impl Protection {
    /// Adds a regular expression in the syntax of Rust's `regex` crate, which matches in linear time.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::InvalidOption`](crate::error::ErrorKind::InvalidOption) for an expression that doesn't compile.
    ///
    /// ```
    /// use teapot_core::perturb::Protection;
    /// let mut protection = Protection::default();
    /// protection.add_pattern(r"https?://\S+")?;
    /// assert!(protection.add_pattern("(").is_err());
    /// # Ok::<(), teapot_core::error::Error>(())
    /// ```
    pub fn add_pattern(&mut self, pattern: &str) -> Result<()> {
        let expression = Regex::new(pattern).map_err(|error| {
            // The message of the crate draws the place over several lines; its last line says what is wrong.
            let reason = error.to_string();
            let last = reason.rsplit('\n').next().unwrap_or_default();
            let expected = format!("a regular expression: {}", last.replace("error: ", ""));
            Error::invalid_option("protect-pattern", format!("`{pattern}`"), expected)
        })?;
        self.patterns.push(expression);
        Ok(())
    }

    /// The protected spans of a text, in order, apart from each other; `characters` are those of `text`.
    pub(super) fn find(&self, text: &str, characters: &[char], spans: &mut Vec<Span>) {
        spans.clear();
        for word in &self.words {
            find_phrase(word, characters, spans);
        }
        if self.placeholders {
            find_placeholders(characters, spans);
        }
        if self.quoted {
            find_quotations(characters, spans);
        }
        for pattern in &self.patterns {
            find_matches(pattern, text, spans);
        }
        merge(spans);
    }
}

/// The lower-case form of a character, itself where that has several characters.
fn fold(character: char) -> char {
    let mut lower = character.to_lowercase();
    match (lower.next(), lower.next()) {
        (Some(single), None) => single,
        _ => character,
    }
}

fn find_phrase(phrase: &str, characters: &[char], spans: &mut Vec<Span>) {
    let phrase: Vec<char> = phrase.chars().map(fold).collect();
    let Some((&first, &last)) = phrase.first().zip(phrase.last()) else { return };
    let continues = |edge: char, beside: Option<&char>| {
        continues_word(edge) && beside.is_some_and(|&c| continues_word(c))
    };
    let mut marks = Span::default();
    for (start, window) in characters.windows(phrase.len()).enumerate() {
        let end = start + phrase.len();
        let before = start.checked_sub(1).and_then(|index| characters.get(index));
        if window.iter().map(|&c| fold(c)).eq(phrase.iter().copied())
            && !continues(first, before)
            && !continues(last, characters.get(end))
        {
            let first = marks_around(characters, start, &mut marks).start;
            let last = marks_around(characters, end, &mut marks).end;
            spans.push(Span::new(first, last));
        }
    }
}

/// The run of adjoining marks that a place between two characters is in or at the edge of; empty if there is none.
///
/// `last` is the run that was found last: in a line of quotation marks every place has the same one.
fn marks_around(characters: &[char], place: usize, last: &mut Span) -> Span {
    if !(last.start <= place && place <= last.end && !last.is_empty()) {
        let adjoins = |c: &&char| ADJOINING.contains(c);
        let before = characters[..place].iter().rev().take_while(adjoins).count();
        let after = characters[place..].iter().take_while(adjoins).count();
        *last = Span::new(place - before, place + after);
    }
    *last
}

fn find_placeholders(characters: &[char], spans: &mut Vec<Span>) {
    let mut open = None;
    for (position, &character) in characters.iter().enumerate() {
        match character {
            '{' => open = Some(position),
            '}' => {
                if let Some(start) = open.take() {
                    let before = characters[..start].iter().rev().take_while(|&&c| c == '{');
                    let after = characters[position + 1..].iter().take_while(|&&c| c == '}');
                    let doubled = before.count().min(after.count());
                    spans.push(Span::new(start - doubled, position + 1 + doubled));
                }
            }
            _ => {}
        }
    }
}

fn find_quotations(characters: &[char], spans: &mut Vec<Span>) {
    let mut position = 0;
    // A closing mark that isn't found from one place isn't found from a later one: look for it only once.
    let mut closes = [true; QUOTATIONS.len()];
    while let Some(character) = characters.get(position) {
        let kind = QUOTATIONS.iter().position(|(open, _)| open == character);
        position += 1;
        let Some(kind) = kind.filter(|&kind| closes[kind] && opens(characters, position - 1))
        else {
            continue;
        };
        match quotation_end(characters, position, QUOTATIONS[kind].1) {
            Some(end) => {
                spans.push(Span::new(position - 1, end));
                position = end;
            }
            None => closes[kind] = false,
        }
    }
}

/// Tells whether a mark that can be an apostrophe as well has a place where it opens a quotation.
fn opens(characters: &[char], mark: usize) -> bool {
    !may_be_apostrophe(characters[mark])
        || !(mark.checked_sub(1).is_some_and(|before| is_letter(characters, before))
            || is_space(characters, mark + 1))
}

/// The end of the quotation whose text begins at `start`, its closing mark included.
fn quotation_end(characters: &[char], start: usize, close: char) -> Option<usize> {
    let closes = |&index: &usize| {
        characters[index] == close
            && !(may_be_apostrophe(close)
                && (is_letter(characters, index + 1) || is_space(characters, index - 1)))
    };
    (start..characters.len()).find(closes).map(|index| index + 1)
}

fn may_be_apostrophe(mark: char) -> bool {
    ['\'', '‘', '’'].contains(&mark)
}

fn is_letter(characters: &[char], index: usize) -> bool {
    characters.get(index).is_some_and(|&c| continues_word(c))
}

fn is_space(characters: &[char], index: usize) -> bool {
    characters.get(index).is_none_or(|&c| is_whitespace(c))
}

/// The matches of an expression as code points: bytes are counted on from match to match.
fn find_matches(pattern: &Regex, text: &str, spans: &mut Vec<Span>) {
    let (mut byte, mut position) = (0, 0);
    for found in pattern.find_iter(text) {
        let mut advance = |to: usize| {
            position += text.get(byte..to).map_or(0, |part| part.chars().count());
            byte = to;
            position
        };
        let start = advance(found.start());
        spans.push(Span::new(start, advance(found.end())));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(protection: &Protection, text: &str) -> Vec<String> {
        let characters: Vec<char> = text.chars().collect();
        let mut spans = Vec::new();
        protection.find(text, &characters, &mut spans);
        spans.iter().map(|span| characters[span.start..span.end].iter().collect()).collect()
    }

    fn words(words: &[&str]) -> Protection {
        Protection {
            words: words.iter().map(ToString::to_string).collect(),
            ..Protection::default()
        }
    }

    /// B58: label protection missed labels in quotes (QData/TextAttack#723, promptbench's doubled label list).
    #[test]
    fn b58_labels_are_found_in_quotes_and_before_colons() {
        let protection =
            Protection { placeholders: true, ..words(&["good", "bad", "Question", "Answer"]) };
        let prompt = "Say 'good' or \"BAD\". Question: {content} Answer:";
        assert_eq!(
            found(&protection, prompt),
            ["'good'", "\"BAD\"", "Question:", "{content}", "Answer:"]
        );
    }

    #[test]
    fn phrases_need_word_boundaries_where_they_end_in_letters() {
        let protection = words(&["not good", "A.", "été", ""]);
        assert_eq!(found(&protection, "Not good, not goods"), ["Not good"]);
        assert_eq!(found(&protection, "A.b or BA. or A.?"), ["A.", "A."]);
        assert_eq!(found(&protection, "L'ÉTÉ, étés"), ["'ÉTÉ"]);
    }

    #[test]
    fn placeholders_may_be_doubled_and_need_both_braces() {
        let protection = Protection { placeholders: true, ..Protection::default() };
        assert_eq!(found(&protection, "{a b} {{c}} {d {e} } {}"), ["{a b}", "{{c}}", "{e}", "{}"]);
        assert_eq!(found(&protection, "}{"), [""; 0]);
    }

    #[test]
    fn quotations_are_no_apostrophes() {
        let protection = Protection { quoted: true, ..Protection::default() };
        assert_eq!(
            found(&protection, "the dogs' 'big day' isn't “over, “ yet” \"open"),
            ["'big day'", "“over, “ yet”"]
        );
    }

    #[test]
    fn matches_are_counted_in_code_points() {
        let mut protection = Protection::default();
        protection.add_pattern(r"\d+€").unwrap();
        protection.add_pattern("x*").unwrap();
        assert_eq!(found(&protection, "é 12€ ü 3€xx"), ["12€", "3€xx"]);
        let message = protection.add_pattern("a(").unwrap_err().to_string();
        assert_eq!(
            message,
            "protect-pattern is `a(`, expected a regular expression: unclosed group"
        );
    }
}
