//! Opening one input: a file or standard input, plain, gzip or Zstandard, in UTF-8 or another encoding.
//!
//! Compression is recognised by its first bytes, not by the file's name, so that standard input and misnamed files work
//! too. No text is lost to this: the magic numbers are no beginning of valid UTF-8, or hold the control character U+0018.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use flate2::bufread::GzDecoder;
use sha2::{Digest, Sha256};

use teapot_core::error::shortened;

use crate::error::{Error, Fault, Result};
use crate::patient::{PatientReader, STOPPED, Stop};

/// How the bytes of an input stand for characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8, the default; a byte order mark is removed.
    #[default]
    Utf8,
    /// ISO 8859-1: every byte is the code point of its own value.
    Latin1,
    /// Windows-1252 as the web reads it: ISO 8859-1 with letters and quotes in place of most control characters.
    Windows1252,
    /// UTF-16, little endian unless a byte order mark says otherwise.
    Utf16,
    /// Any other encoding of the WHATWG's Encoding Standard.
    Other(&'static encoding_rs::Encoding),
}

impl Encoding {
    /// The encoding of a label in any case: `utf-8`, `latin-1` (ISO 8859-1 itself, which the web takes for Windows-1252),
    /// `windows-1252`, `utf-16`, and every other label of the Encoding Standard (`gbk`, `shift_jis`, `utf-16be` …). `None`
    /// for what is no label.
    pub fn for_label(label: &str) -> Option<Self> {
        match label.to_ascii_lowercase().as_str() {
            "latin-1" | "latin1" | "iso-8859-1" => Some(Self::Latin1),
            "utf-16" | "utf16" => Some(Self::Utf16),
            other => match encoding_rs::Encoding::for_label_no_replacement(other.as_bytes())? {
                known if known == encoding_rs::UTF_8 => Some(Self::Utf8),
                known if known == encoding_rs::WINDOWS_1252 => Some(Self::Windows1252),
                known => Some(Self::Other(known)),
            },
        }
    }
}

/// The size of one read from a file.
const READ_BYTES: usize = 256 * 1024;

/// The longest window of a Zstandard frame that is read, as a power of two: the most that `zstd --long` writes.
const MAX_WINDOW_LOG: u32 = 31;

/// How long a read of an input that can't be waited for is put off.
const NON_BLOCKING_PAUSE: Duration = Duration::from_millis(1);

/// An opened input: decompressed bytes, and afterwards the hash of the bytes as they lie in the file.
pub struct Input {
    name: String,
    label: String,
    reader: Box<dyn Read + Send>,
    passed: Arc<Mutex<Passed>>,
    /// The size of a regular file.
    size: Option<u64>,
}

/// What has gone through a reader: bytes as they lie in the file.
#[derive(Clone, Default)]
struct Passed {
    hash: Sha256,
    bytes: u64,
}

impl Input {
    /// Opens a file, or standard input for `-`. Waiting for a pipe, also for its first bytes, ends by `stop`.
    ///
    /// # Errors
    ///
    /// [`Fault::Read`] when the file can't be opened, [`Fault::Format`] for a directory, [`Fault::Cancelled`] when it was
    /// stopped.
    pub fn open(path: &str, stop: &Stop) -> Result<Self> {
        let failed = |error: &io::Error| {
            let path = shortened(path);
            Error::new(Fault::Read, format!("{path}: can't be read: {}", reason_of(error)))
        };
        if path == "-" {
            let reader =
                PatientReader::start(|| Ok(io::stdin()), stop).map_err(|error| failed(&error))?;
            return Self::from_reader("<stdin>", Box::new(reader));
        }
        let metadata = fs::metadata(path).map_err(|error| failed(&error))?;
        if metadata.is_dir() {
            return Err(Error::new(
                Fault::Format,
                format!(
                    "{} is a directory: expected a text file with one segment a line",
                    shortened(path)
                ),
            ));
        }
        if metadata.is_file() {
            let file = File::open(path).map_err(|error| failed(&error))?;
            let input = Self::from_reader(path, Box::new(file))?;
            return Ok(Self { size: Some(metadata.len()), ..input });
        }
        let pipe = path.to_owned();
        let reader =
            PatientReader::start(move || File::open(pipe), stop).map_err(|error| failed(&error))?;
        Self::from_reader(path, Box::new(reader))
    }

    /// Wraps any reader; `name` stands in messages.
    ///
    /// # Errors
    ///
    /// [`Fault::Read`] when the first bytes can't be read.
    pub fn from_reader(name: &str, reader: Box<dyn Read + Send>) -> Result<Self> {
        let passed = Arc::default();
        let label = shortened(name).into_owned();
        let mut hashed = Hashed { reader, passed: Arc::clone(&passed) };
        let magic = first_bytes(&mut hashed).map_err(|error| match error.kind() {
            STOPPED => Error::cancelled(),
            _ => Error::new(Fault::Read, format!("{label}: can't be read: {}", reason_of(&error))),
        })?;
        let gzip = magic.starts_with(&[0x1f, 0x8b]);
        let zstandard = is_zstandard(&magic);
        let buffered = BufReader::with_capacity(READ_BYTES, Cursor::new(magic).chain(hashed));
        let reader: Box<dyn Read + Send> = if gzip {
            Box::new(Gzip::new(buffered))
        } else if zstandard {
            Box::new(zstandard_decoder(buffered).map_err(|error| {
                Error::new(Fault::Read, format!("{label}: Zstandard decoder: {error}"))
            })?)
        } else {
            Box::new(buffered)
        };
        Ok(Self { name: name.to_owned(), label, reader, passed, size: None })
    }

    /// The path as given, or `<stdin>`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The name as it stands in messages: cut if it is very long.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// Reads decompressed bytes; 0 at the end.
    ///
    /// # Errors
    ///
    /// [`Fault::Format`] when compressed data is cut off or damaged, [`Fault::Read`] for everything else.
    pub fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        loop {
            match self.reader.read(buffer) {
                Ok(length) => return Ok(length),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(self.explain(&error)),
            }
        }
    }

    fn explain(&self, error: &io::Error) -> Error {
        let name = &self.label;
        match error.kind() {
            STOPPED => Error::cancelled(),
            io::ErrorKind::UnexpectedEof => Error::new(
                Fault::Format,
                format!(
                    "{name}: the compressed data is cut off: the end of the file is missing. Copy or compress it again"
                ),
            ),
            // The decoders report damage with these two kinds; the operating system uses neither for reading.
            io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData | io::ErrorKind::Other => {
                Error::new(
                    Fault::Format,
                    format!("{name}: the compressed data is damaged: {error}"),
                )
            }
            _ => Error::new(Fault::Read, format!("{name}: can't be read: {}", reason_of(error))),
        }
    }

    /// SHA-256 of the bytes read so far as they lie in the file (compressed), in hexadecimal.
    pub fn sha256(&self) -> String {
        let passed = self.passed.lock().unwrap_or_else(PoisonError::into_inner).clone();
        passed.hash.finalize().iter().fold(String::with_capacity(64), |mut text, byte| {
            for digit in [byte >> 4, byte & 15] {
                text.push(char::from_digit(u32::from(digit), 16).unwrap_or('0'));
            }
            text
        })
    }

    /// The part of a regular file that has been read, in `(0, 1]`; `None` for a pipe, and for an empty file.
    pub fn fraction_read(&self) -> Option<f64> {
        let size = self.size.filter(|&size| size > 0)?;
        let bytes = self.passed.lock().unwrap_or_else(PoisonError::into_inner).bytes;
        #[expect(clippy::cast_precision_loss, reason = "a progress needs no exact bytes")]
        // A file that grows meanwhile is not read beyond its end.
        let fraction = (bytes as f64 / size as f64).min(1.0);
        (fraction > 0.0).then_some(fraction)
    }
}

/// A frame of data, or one to be skipped: pzstd begins with such a one.
fn is_zstandard(magic: &[u8]) -> bool {
    let skippable = matches!(magic, [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..]);
    skippable || magic.starts_with(&[0x28, 0xb5, 0x2f, 0xfd])
}

/// A decoder that takes windows as long as `zstd --long=31` makes them. Memory grows with the text that is read, up to
/// the window.
fn zstandard_decoder<R: BufRead>(reader: R) -> io::Result<zstd::stream::read::Decoder<'static, R>> {
    let mut decoder = zstd::stream::read::Decoder::with_buffer(reader)?;
    decoder.window_log_max(MAX_WINDOW_LOG)?;
    Ok(decoder)
}

/// The first four bytes; fewer only when the input ends before. A pipe may give them one by one.
fn first_bytes(reader: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut magic = Vec::with_capacity(4);
    reader.take(4).read_to_end(&mut magic)?;
    Ok(magic)
}

/// The operating system's reason without Rust's `(os error 2)`.
fn reason_of(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "no such file".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => error.to_string(),
    }
}

/// A reader that waits for bytes and hashes what passes through it.
struct Hashed {
    reader: Box<dyn Read + Send>,
    passed: Arc<Mutex<Passed>>,
}

impl Read for Hashed {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // Whoever shares standard input with us, Node for one, may have made it non-blocking.
        let length = loop {
            match self.reader.read(buffer) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    thread::sleep(NON_BLOCKING_PAUSE);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                outcome => break outcome?,
            }
        };
        let mut passed = self.passed.lock().unwrap_or_else(PoisonError::into_inner);
        passed.hash.update(&buffer[..length]);
        passed.bytes += length as u64;
        Ok(length)
    }
}

/// A gzip file of any number of members, with any amount of zero padding after each.
///
/// `flate2::read::MultiGzDecoder` refuses the padding that tape and disk tools append.
struct Gzip<R: BufRead> {
    /// `None` only while a member is replaced.
    state: Option<Member<R>>,
}

enum Member<R: BufRead> {
    Open(GzDecoder<R>),
    Between(R),
}

impl<R: BufRead> Gzip<R> {
    fn new(reader: R) -> Self {
        Self { state: Some(Member::Open(GzDecoder::new(reader))) }
    }
}

impl<R: BufRead> Read for Gzip<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        loop {
            match self.state.take() {
                None => return Ok(0),
                Some(Member::Open(mut decoder)) => {
                    let outcome = decoder.read(buffer);
                    self.state = Some(match outcome {
                        Ok(0) => Member::Between(decoder.into_inner()),
                        _ => Member::Open(decoder),
                    });
                    match outcome {
                        Ok(0) => {}
                        other => return other,
                    }
                }
                Some(Member::Between(mut reader)) => {
                    let bytes = match reader.fill_buf() {
                        Ok([]) => return Ok(0),
                        Ok(bytes) => bytes,
                        Err(error) => {
                            // The reader may be asked again, so nothing may be lost.
                            self.state = Some(Member::Between(reader));
                            return Err(error);
                        }
                    };
                    let padding = bytes.iter().take_while(|&&byte| byte == 0).count();
                    if padding > 0 {
                        reader.consume(padding);
                        self.state = Some(Member::Between(reader));
                    } else if bytes[0] == 0x1f {
                        self.state = Some(Member::Open(GzDecoder::new(reader)));
                    } else {
                        return Err(io::Error::new(
                            io::ErrorKind::InvalidData,
                            "something that is not gzip follows the compressed data",
                        ));
                    }
                }
            }
        }
    }
}
