//! A text taken apart once: code points, words and protected spans.

use super::edit::{Edit, EditView};
use super::protect::Protection;
use super::span::{Span, merge};
use super::words::find_words;

/// A text with its words and protected spans, all in code points.
///
/// The buffers are kept when another text is loaded, so that a loop over lines allocates nothing.
#[derive(Clone, Debug, Default)]
pub struct ParsedText {
    text: String,
    characters: Vec<char>,
    /// Byte offset of every code point and of the end; empty for an ASCII text, where both are the same.
    offsets: Vec<usize>,
    words: Vec<Span>,
    protected: Vec<Span>,
    protected_words: Vec<bool>,
}

impl ParsedText {
    /// Takes a text apart.
    ///
    /// ```
    /// use teapot_core::perturb::{ParsedText, Protection};
    /// let text = ParsedText::new("all good here", &Protection::default());
    /// assert_eq!(text.words().len(), 3);
    /// ```
    pub fn new(text: &str, protection: &Protection) -> Self {
        let mut parsed = Self::default();
        parsed.load(text, protection);
        parsed
    }

    /// Takes a text apart of which some spans are protected besides what the protection finds; what reaches beyond the text of
    /// them is ignored.
    pub fn with_locked(text: &str, protection: &Protection, locked: &[Span]) -> Self {
        let mut parsed = Self::default();
        parsed.load_locked(text, protection, locked);
        parsed
    }

    /// Takes another text apart, into the same buffers.
    pub fn load(&mut self, text: &str, protection: &Protection) {
        self.load_locked(text, protection, &[]);
    }

    fn load_locked(&mut self, text: &str, protection: &Protection, locked: &[Span]) {
        self.text.clear();
        self.text.push_str(text);
        self.characters.clear();
        self.offsets.clear();
        if text.is_ascii() {
            self.characters.extend(text.bytes().map(char::from));
        } else {
            for (offset, character) in text.char_indices() {
                self.characters.push(character);
                self.offsets.push(offset);
            }
            self.offsets.push(text.len());
        }
        find_words(&self.characters, &mut self.words);
        protection.find(&self.text, &self.characters, &mut self.protected);
        if !locked.is_empty() {
            let length = self.characters.len();
            let within = |span: &Span| Span::new(span.start.min(length), span.end.min(length));
            self.protected.extend(locked.iter().map(within));
            merge(&mut self.protected);
        }
        self.protected_words.clear();
        let mut spans = self.protected.iter().peekable();
        for &word in &self.words {
            while spans.next_if(|span| span.end <= word.start).is_some() {}
            self.protected_words.push(spans.peek().is_some_and(|span| span.overlaps(word)));
        }
    }

    /// The text itself.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Its code points.
    pub fn characters(&self) -> &[char] {
        &self.characters
    }

    /// Its words in order ([`words`](super::words::words)).
    pub fn words(&self) -> &[Span] {
        &self.words
    }

    /// The spans that no edit may touch, in order, apart from each other.
    pub fn protected(&self) -> &[Span] {
        &self.protected
    }

    /// The code points of a span; those that exist of a span that reaches beyond the text.
    #[inline]
    pub fn slice(&self, span: Span) -> &[char] {
        let end = span.end.min(self.characters.len());
        self.characters.get(span.start..end).unwrap_or_default()
    }

    /// The text of a span; the part that exists of a span that reaches beyond the text.
    #[inline]
    pub fn slice_text(&self, span: Span) -> &str {
        self.text.get(self.offset(span.start)..self.offset(span.end)).unwrap_or_default()
    }

    /// Tells whether a word shares a character with a protected span; false of a word that doesn't exist.
    #[inline]
    pub fn is_protected_word(&self, word: usize) -> bool {
        self.protected_words.get(word).copied().unwrap_or(false)
    }

    /// Tells whether an edit would touch a protected span: replace a part of it, stand inside it, or stand at its edge
    /// without whitespace between them, where it would grow a protected word.
    pub fn is_protected(&self, edit: EditView<'_>) -> bool {
        use crate::text::whitespace::is_whitespace;
        let first = self.protected.partition_point(|span| span.end < edit.start);
        let near = self.protected[first..].iter().take_while(|span| span.start <= edit.end);
        for span in near {
            let touches = if edit.start < edit.end {
                span.overlaps(Span::new(edit.start, edit.end))
            } else if edit.start == span.end {
                !edit.replacement.starts_with(is_whitespace)
            } else if edit.start == span.start {
                !edit.replacement.ends_with(is_whitespace)
            } else {
                true
            };
            if touches {
                return true;
            }
        }
        false
    }

    /// Appends the text with these edits to `result`. The edits are in order and don't overlap
    /// ([`apply`](super::apply) checks that, this doesn't).
    #[inline]
    pub fn write_edited<'e>(
        &self,
        edits: impl IntoIterator<Item = EditView<'e>>,
        result: &mut String,
    ) {
        let mut position = 0;
        for edit in edits {
            result.push_str(self.slice_text(Span::new(position, edit.start)));
            result.push_str(edit.replacement);
            position = edit.end;
        }
        result.push_str(self.slice_text(Span::new(position, self.characters.len())));
    }

    /// The text with edits, in order, and one more that overlaps none of them, wherever it stands among them.
    pub fn edited_with(&self, edits: &[Edit], edit: EditView<'_>) -> String {
        let before =
            edits.partition_point(|made| made.start <= edit.start && made.end <= edit.start);
        let (left, right) = edits.split_at(before);
        let all = left.iter().map(Edit::view).chain([edit]).chain(right.iter().map(Edit::view));
        let mut result = String::with_capacity(self.text.len() + 16);
        self.write_edited(all, &mut result);
        result
    }

    #[inline]
    fn offset(&self, index: usize) -> usize {
        let ends = if self.offsets.is_empty() { Some(&index) } else { self.offsets.get(index) };
        ends.map_or(self.text.len(), |&offset| offset.min(self.text.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::perturb::EditKind;

    #[test]
    fn buffers_hold_one_text_at_a_time() {
        let mut parsed = ParsedText::new("é à, zut", &Protection::default());
        assert_eq!(parsed.slice_text(Span::new(2, 4)), "à,");
        parsed.load("ab cd", &Protection::default());
        assert_eq!(parsed.words(), [Span::new(0, 2), Span::new(3, 5)]);
        assert_eq!(parsed.slice_text(Span::new(3, 99)), "cd");
        assert_eq!(parsed.slice(Span::new(4, 99)), ['d']);
        parsed.load("", &Protection::default());
        assert_eq!(parsed.words(), []);
    }

    #[test]
    fn edges_of_protected_spans_are_open_to_whitespace_only() {
        let protection = Protection { words: vec!["good".into()], ..Protection::default() };
        let parsed = ParsedText::new("a good b", &protection);
        let touches = |start, end, replacement| {
            parsed.is_protected(EditView { start, end, replacement, kind: EditKind::Append })
        };
        assert!(touches(6, 6, "x") && touches(2, 2, "x") && touches(4, 4, " "));
        assert!(!touches(6, 6, " x") && !touches(2, 2, "x ") && !touches(0, 2, ""));
        assert!(touches(1, 3, "") && touches(5, 7, ""));
        assert!(!touches(6, 8, "") && !touches(0, 0, "x"));
    }
}
