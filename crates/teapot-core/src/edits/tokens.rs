//! Words with their places.

use crate::text::whitespace::is_whitespace;

/// A word, and the whitespace in front of it. Indexes count code points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token {
    /// Where the whitespace in front of the word starts; `start` when there is none.
    pub space_start: usize,
    /// Where the word starts.
    pub start: usize,
    /// Behind its last character.
    pub end: usize,
}

/// The words of a text: maximal runs without whitespace (Python's set); none in a blank text.
pub(super) fn tokens(text: &[char]) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut space_start = 0;
    let mut index = 0;
    while index < text.len() {
        if is_whitespace(text[index]) {
            index += 1;
            continue;
        }
        let start = index;
        while index < text.len() && !is_whitespace(text[index]) {
            index += 1;
        }
        tokens.push(Token { space_start, start, end: index });
        space_start = index;
    }
    tokens
}

/// Python's whitespace.
pub(super) fn is_space(character: char) -> bool {
    is_whitespace(character)
}
