//! The file of a victim's answers: see `teapot_stream::answer_file`.

use napi_derive::napi;
use teapot_stream::answer_file::AnswerFile as File;

use crate::error::{Code, Error, Result, from_stream};
use crate::task::guard;

/// Answers by key in a `SQLite` file.
#[napi]
pub struct AnswerFile {
    file: Option<File>,
}

#[napi]
impl AnswerFile {
    /// Opens a file of answers; makes it when there is none. Null when another process is at the same work: to
    /// be tried again a little later.
    ///
    /// # Errors
    ///
    /// `ERR_TEAPOT_FORMAT` when the file is something else; `ERR_TEAPOT_READ` when it can't be opened.
    #[napi]
    pub fn open(path: String) -> Result<Option<AnswerFile>> {
        guard(|| Ok(File::open(&path).map_err(from_stream)?.map(|file| Self { file: Some(file) })))
    }

    /// The answer under a key.
    ///
    /// # Errors
    ///
    /// `ERR_TEAPOT_READ` when the file can't be read any more; `ERR_TEAPOT_INTERNAL` after `close`.
    #[napi]
    pub fn get(&self, key: String) -> Result<Option<String>> {
        guard(|| self.file()?.get(&key).map_err(from_stream))
    }

    /// Keeps an answer unless there is one under the key. True when it was kept.
    ///
    /// # Errors
    ///
    /// `ERR_TEAPOT_READ` when the file can't be written; `ERR_TEAPOT_INTERNAL` after `close`.
    #[napi]
    pub fn put(&self, key: String, answer: String) -> Result<bool> {
        guard(|| self.file()?.put(&key, &answer).map_err(from_stream))
    }

    /// The number of answers in the file.
    ///
    /// # Errors
    ///
    /// `ERR_TEAPOT_READ` when the file can't be read any more; `ERR_TEAPOT_INTERNAL` after `close`.
    #[napi]
    pub fn count(&self) -> Result<u32> {
        guard(|| self.file()?.count().map_err(from_stream))
    }

    /// Moves everything into the one file and closes it. Safe to call twice.
    #[napi]
    pub fn close(&mut self) {
        if let Some(file) = self.file.take() {
            file.close();
        }
    }

    fn file(&self) -> Result<&File> {
        self.file
            .as_ref()
            .ok_or_else(|| Error::new(Code::Internal, "the file of answers was closed"))
    }
}
