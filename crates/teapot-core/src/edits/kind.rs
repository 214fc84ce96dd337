//! The kinds of edits, and their names.

/// What kind of change an edit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EditKind {
    /// Two neighbouring characters changed places.
    Swap,
    /// A character is gone.
    Drop,
    /// A character is new.
    Add,
    /// A character stands for another one.
    Substitute,
    /// A character stands for one that looks like it.
    Homoglyph,
    /// An invisible character came or went.
    Invisible,
    /// A letter changed its case.
    Case,
    /// Whitespace came, went or changed.
    Whitespace,
    /// A word stands for another one that is not alike.
    WordReplaced,
    /// A word is new, between words of the original.
    WordInserted,
    /// A word is gone.
    WordDeleted,
    /// Text was put behind the last word, perhaps before a final mark.
    Appended,
    /// Text was put in front of the first word.
    Prepended,
}

impl EditKind {
    /// All kinds, in the order of reports.
    pub const ALL: [Self; 13] = [
        Self::Swap,
        Self::Drop,
        Self::Add,
        Self::Substitute,
        Self::Homoglyph,
        Self::Invisible,
        Self::Case,
        Self::Whitespace,
        Self::WordReplaced,
        Self::WordInserted,
        Self::WordDeleted,
        Self::Appended,
        Self::Prepended,
    ];

    /// The name in data: `swap`, `word_replaced`, …
    pub fn name(self) -> &'static str {
        match self {
            Self::Swap => "swap",
            Self::Drop => "drop",
            Self::Add => "add",
            Self::Substitute => "substitute",
            Self::Homoglyph => "homoglyph",
            Self::Invisible => "invisible",
            Self::Case => "case",
            Self::Whitespace => "whitespace",
            Self::WordReplaced => "word_replaced",
            Self::WordInserted => "word_inserted",
            Self::WordDeleted => "word_deleted",
            Self::Appended => "appended",
            Self::Prepended => "prepended",
        }
    }
}
