//! The one error type of the core: what was wrong with the input, as values a caller can act on.

use std::borrow::Cow;
use std::fmt;

/// Result of a core function.
pub type Result<T> = std::result::Result<T, Error>;

/// What went wrong. Opaque, small, and opened by [`Error::kind`].
#[derive(Clone, Debug, PartialEq)]
pub struct Error(Box<ErrorKind>);

/// The kinds of failure of the core.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// Two arrays that must be aligned have different lengths.
    LengthMismatch {
        /// What the first array holds, for example `hypotheses`.
        left: &'static str,
        /// Its length.
        left_length: usize,
        /// What the second array holds, for example `references`.
        right: &'static str,
        /// Its length.
        right_length: usize,
    },
    /// An input that must hold something is empty.
    EmptyInput {
        /// What is empty, for example `references`.
        what: &'static str,
    },
    /// An option has a value outside its range.
    InvalidOption {
        /// The option's name as the command line spells it.
        option: &'static str,
        /// The value found.
        found: String,
        /// The values allowed.
        expected: String,
    },
    /// The work was cancelled by its caller.
    Cancelled,
}

impl Error {
    /// Makes an error of this kind.
    pub fn new(kind: ErrorKind) -> Self {
        Self(Box::new(kind))
    }

    /// Two arrays that must be aligned have different lengths.
    pub fn length_mismatch(
        left: &'static str,
        left_length: usize,
        right: &'static str,
        right_length: usize,
    ) -> Self {
        Self::new(ErrorKind::LengthMismatch { left, left_length, right, right_length })
    }

    /// An option has a value outside its range.
    #[expect(clippy::needless_pass_by_value, reason = "callers pass numbers and literals")]
    pub fn invalid_option(
        option: &'static str,
        found: impl ToString,
        expected: impl Into<String>,
    ) -> Self {
        Self::new(ErrorKind::InvalidOption {
            option,
            found: shortened(&found.to_string()).into_owned(),
            expected: expected.into(),
        })
    }

    /// What went wrong, as a value.
    pub fn kind(&self) -> &ErrorKind {
        &self.0
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind() {
            ErrorKind::LengthMismatch { left, left_length, right, right_length } => {
                write!(f, "{left_length} {left} but {right_length} {right}: pass one for each")
            }
            ErrorKind::EmptyInput { what } => write!(f, "no {what}: pass at least one"),
            ErrorKind::InvalidOption { option, found, expected } => {
                write!(f, "{option} is {found}, expected {expected}")
            }
            ErrorKind::Cancelled => f.write_str("cancelled"),
        }
    }
}

impl std::error::Error for Error {}

/// The most characters of a name or a value that a message repeats.
const MOST_QUOTED: usize = 200;

/// A text as messages repeat it: whole, or its beginning with its length.
///
/// ```
/// use teapot_core::error::shortened;
/// assert_eq!(shortened("tea.txt"), "tea.txt");
/// assert!(shortened(&"x".repeat(5000)).ends_with("xxx… (5000 characters)"));
/// ```
pub fn shortened(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(MOST_QUOTED) {
        None => text.into(),
        Some((end, _)) => format!("{}… ({} characters)", &text[..end], text.chars().count()).into(),
    }
}
