//! Errors of the core become JavaScript errors with teapot's own stable codes.

use napi::{Env, JsError};
use teapot_core::error::{Error as CoreError, ErrorKind};
use teapot_stream::error::{Error as StreamError, Fault};

/// Teapot's error codes. The same strings stand in `src/errors.ts`; a test compares them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// Aligned inputs have different lengths.
    LengthMismatch,
    /// An input that must hold something is empty.
    EmptyInput,
    /// An option is out of range.
    InvalidOption,
    /// A file can't be opened or read.
    Read,
    /// A file is not what it should be.
    Format,
    /// The caller cancelled the work; `src/native.ts` turns this into an `AbortError`.
    Cancelled,
    /// A bug.
    Internal,
}

/// Every code, for the test that compares both lists.
pub const CODES: [Code; 7] = [
    Code::LengthMismatch,
    Code::EmptyInput,
    Code::InvalidOption,
    Code::Read,
    Code::Format,
    Code::Cancelled,
    Code::Internal,
];

impl AsRef<str> for Code {
    fn as_ref(&self) -> &str {
        match self {
            Self::LengthMismatch => "ERR_TEAPOT_LENGTH_MISMATCH",
            Self::EmptyInput => "ERR_TEAPOT_EMPTY_INPUT",
            Self::InvalidOption => "ERR_TEAPOT_INVALID_OPTION",
            Self::Read => "ERR_TEAPOT_READ",
            Self::Format => "ERR_TEAPOT_FORMAT",
            Self::Cancelled => "ERR_TEAPOT_CANCELLED",
            Self::Internal => "ERR_TEAPOT_INTERNAL",
        }
    }
}

/// An error on its way to JavaScript: a code and a message.
pub type Error = napi::Error<Code>;

/// Result of a binding function.
pub type Result<T> = std::result::Result<T, Error>;

/// A core error as a JavaScript error.
#[expect(clippy::needless_pass_by_value, reason = "used as a function for map_err")]
pub fn from_core(error: CoreError) -> Error {
    let code = match error.kind() {
        ErrorKind::LengthMismatch { .. } => Code::LengthMismatch,
        ErrorKind::EmptyInput { .. } => Code::EmptyInput,
        ErrorKind::InvalidOption { .. } => Code::InvalidOption,
        ErrorKind::Cancelled => Code::Cancelled,
        _ => Code::Internal,
    };
    Error::new(code, error.to_string())
}

/// An error of the streaming engine as a JavaScript error.
#[expect(clippy::needless_pass_by_value, reason = "used as a function for map_err")]
pub fn from_stream(error: StreamError) -> Error {
    let code = match error.fault() {
        Fault::Read => Code::Read,
        Fault::Format => Code::Format,
        Fault::LengthMismatch => Code::LengthMismatch,
        Fault::Empty => Code::EmptyInput,
        Fault::Option => Code::InvalidOption,
        Fault::Cancelled => Code::Cancelled,
        _ => Code::Internal,
    };
    Error::new(code, error.to_string())
}

/// The same error in the form that a task's `reject` must return: built on the JavaScript thread, thrown as it is.
pub fn into_thrown(error: Error, env: Env) -> napi::Error {
    napi::Error::from(JsError::from(error).into_unknown(env))
}
