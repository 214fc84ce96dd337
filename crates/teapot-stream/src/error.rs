//! What can go wrong between a file and its scores: always with the file's name, and its line where there is one.

use std::fmt;

use teapot_core::error::{Error as CoreError, ErrorKind};

/// Result of a function of this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// Whose fault it is, for the error code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// The file can't be opened or read.
    Read,
    /// The file is not what it should be.
    Format,
    /// Aligned inputs have different numbers of lines, or none.
    LengthMismatch,
    /// A file that must hold lines is empty.
    Empty,
    /// An option is out of range.
    Option,
    /// The caller cancelled the work.
    Cancelled,
    /// A failure that has no place in the list above: a bug.
    Internal,
}

/// A fault and the sentence that explains it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(Box<(Fault, String)>);

impl Error {
    /// Makes an error.
    pub fn new(fault: Fault, message: impl Into<String>) -> Self {
        Self(Box::new((fault, message.into())))
    }

    /// The work was cancelled.
    pub fn cancelled() -> Self {
        Self::new(Fault::Cancelled, "cancelled")
    }

    /// Whose fault it is.
    pub fn fault(&self) -> Fault {
        self.0.0
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.1)
    }
}

impl std::error::Error for Error {}

impl From<CoreError> for Error {
    fn from(error: CoreError) -> Self {
        let fault = match error.kind() {
            ErrorKind::Cancelled => Fault::Cancelled,
            ErrorKind::InvalidOption { .. } => Fault::Option,
            _ => Fault::Internal,
        };
        Self::new(fault, error.to_string())
    }
}
