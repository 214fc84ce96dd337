//! Answers of victims by key, in one `SQLite` file that outlives the process.
//!
//! A put returns when the answer is in the file: it survives the death of the process at any moment
//! (write-ahead log, `synchronous = NORMAL`). After a power failure the last answers may be missing; the
//! file is never damaged. Several processes may use one file at once.

use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OptionalExtension, TransactionBehavior};

use crate::error::{Error, Fault, Result};

/// Marks the file as teapot's in `SQLite`'s header ("tpot").
const APPLICATION_ID: i64 = 0x7470_6f74;

/// The version of the tables; a file with another one is refused.
const SCHEMA_VERSION: i64 = 1;

/// How long one process waits for another that is writing.
const BUSY: Duration = Duration::from_secs(15);

/// An open file of answers.
pub struct AnswerFile {
    connection: Connection,
}

impl AnswerFile {
    /// Opens a file of answers; makes it when there is none.
    ///
    /// Returns `None` when another process is at the same work: the caller tries again a little later.
    ///
    /// # Errors
    ///
    /// [`Fault::Format`] when the file is another program's, no database, or has another version;
    /// [`Fault::Read`] when it can't be opened.
    pub fn open(path: &str) -> Result<Option<Self>> {
        let opened = Connection::open(path).and_then(|connection| {
            let checked = prepare(&connection)?;
            connection.busy_timeout(BUSY)?;
            Ok((connection, checked))
        });
        match opened {
            Ok((connection, Content::Answers)) => Ok(Some(Self { connection })),
            Ok((_, Content::Foreign)) => Err(Error::new(
                Fault::Format,
                format!("{path} is a database of another program, expected a cache of teapot"),
            )),
            Ok((_, Content::Version(version))) => Err(Error::new(
                Fault::Format,
                format!(
                    "{path} is a cache of version {version}, expected {SCHEMA_VERSION}: use another file"
                ),
            )),
            Err(error) => match error.sqlite_error_code() {
                Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Ok(None),
                Some(ErrorCode::NotADatabase) => Err(Error::new(
                    Fault::Format,
                    format!("{path} is no cache of teapot ({error}): name another file"),
                )),
                _ => Err(Error::new(
                    Fault::Read,
                    format!("{path} can't be opened as a cache: {error}"),
                )),
            },
        }
    }

    /// The answer under a key.
    ///
    /// # Errors
    ///
    /// [`Fault::Read`] when the file can't be read any more.
    pub fn get(&self, key: &str) -> Result<Option<String>> {
        let read = || {
            self.connection
                .prepare_cached("SELECT answer FROM answers WHERE key = ?")?
                .query_row([key], |row| row.get(0))
                .optional()
        };
        read().map_err(|error| Error::new(Fault::Read, error.to_string()))
    }

    /// Keeps an answer unless there is one under the key already. Returns whether it was kept.
    ///
    /// # Errors
    ///
    /// [`Fault::Read`] when the file can't be written: the disk is full, another process holds it.
    pub fn put(&self, key: &str, answer: &str) -> Result<bool> {
        let write = || {
            self.connection
                .prepare_cached(
                    "INSERT INTO answers (key, answer) VALUES (?, ?) ON CONFLICT (key) DO NOTHING",
                )?
                .execute([key, answer])
        };
        write()
            .map(|changes| changes > 0)
            .map_err(|error| Error::new(Fault::Read, error.to_string()))
    }

    /// The number of answers in the file.
    ///
    /// # Errors
    ///
    /// [`Fault::Read`] when the file can't be read any more.
    pub fn count(&self) -> Result<u32> {
        self.connection
            .query_row("SELECT count(*) FROM answers", [], |row| row.get(0))
            .map_err(|error| Error::new(Fault::Read, error.to_string()))
    }

    /// Moves everything into the one file, so that a copy of it is complete, and closes it.
    pub fn close(self) {
        // Fails while another process is at work; that one then does it.
        let _moved = self.connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)");
    }
}

/// What an opened file holds.
enum Content {
    Answers,
    Foreign,
    Version(i64),
}

fn prepare(connection: &Connection) -> rusqlite::Result<Content> {
    // One transaction: another process may make the tables between two of these looks.
    let (version, id, tables) = {
        let look = connection.unchecked_transaction()?;
        let number = |sql: &str| look.query_row(sql, [], |row| row.get::<_, i64>(0));
        let found = (
            number("PRAGMA user_version")?,
            number("PRAGMA application_id")?,
            number("SELECT count(*) FROM sqlite_schema")?,
        );
        look.commit()?;
        found
    };
    let is_ours = id == APPLICATION_ID;
    if !is_ours && tables > 0 {
        return Ok(Content::Foreign);
    }
    if is_ours && version != SCHEMA_VERSION {
        return Ok(Content::Version(version));
    }
    connection.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))?;
    connection.execute_batch("PRAGMA synchronous = NORMAL")?;
    if !is_ours {
        // In one transaction: another process may do the same at this moment.
        let make =
            rusqlite::Transaction::new_unchecked(connection, TransactionBehavior::Immediate)?;
        make.execute_batch(&format!(
            "CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, answer TEXT NOT NULL) WITHOUT ROWID, STRICT;
             PRAGMA application_id = {APPLICATION_ID};
             PRAGMA user_version = {SCHEMA_VERSION};"
        ))?;
        make.commit()?;
    }
    Ok(Content::Answers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_answer_to_a_key_stays() {
        let file = AnswerFile::open(":memory:").expect("opens").expect("is free");
        assert!(file.put("key", "first").expect("is written"));
        assert!(!file.put("key", "second").expect("is written"));
        assert_eq!(file.get("key").expect("is read").as_deref(), Some("first"));
        assert_eq!(file.get("other").expect("is read"), None);
        assert_eq!(file.count().expect("is read"), 1);
    }
}
