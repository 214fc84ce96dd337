//! One input as blocks of lines.
//!
//! A line ends at `\n`; one `\r` before it belongs to the line end. A lone `\r` stays in the text and is counted. A last
//! line without `\n` counts; nothing after a final `\n` is no line. Trailing whitespace (Python's set) is removed as
//! teapot-nlp does, unless asked otherwise. The rules are sacreBLEU 2.6.0's for line ends and teapot-nlp 0.2.2's for
//! trailing whitespace.

use encoding_rs::DecoderResult;
use memchr::{memchr, memchr_iter, memrchr};
use teapot_core::text::whitespace;

use crate::error::{Error, Fault, Result};
use crate::input::{Encoding, Input};

/// The longest line that is accepted. Every metric of two such lines would take minutes; a longer one is in practice a file
/// without line ends.
pub const MAX_LINE_BYTES: usize = 64 * 1024 * 1024;

/// How many decoded bytes one fill of the buffer asks for.
const FILL_BYTES: usize = 256 * 1024;

/// What is done to the lines of an input.
#[derive(Clone, Copy, Debug, Default)]
pub struct LineRules {
    /// How bytes stand for characters.
    pub encoding: Encoding,
    /// Leave whitespace at the end of a line where it is.
    pub keep_trailing_whitespace: bool,
}

/// Some consecutive lines of an input: one text, and where its lines lie.
#[derive(Clone, Debug, Default)]
pub struct LineBlock {
    text: String,
    spans: Vec<(usize, usize)>,
}

impl LineBlock {
    /// The number of lines.
    pub fn len(&self) -> usize {
        self.spans.len()
    }

    /// Tells whether there is no line.
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// A line without its line end; the empty text beyond the last one.
    pub fn line(&self, index: usize) -> &str {
        self.spans.get(index).map_or("", |&(start, end)| &self.text[start..end])
    }

    /// Appends a text as the next line.
    pub(crate) fn push(&mut self, text: &str) {
        let start = self.text.len();
        self.text.push_str(text);
        self.spans.push((start, self.text.len()));
    }

    /// The texts of a column as Apache Arrow holds them (`utf8`): text `i` lies from `offsets[i]` to `offsets[i + 1]`,
    /// counted from the first offset. Line ends inside a text belong to it.
    ///
    /// # Errors
    ///
    /// [`Fault::Format`] when the bytes are no UTF-8, or the offsets are none of such a column.
    pub fn from_arrow(
        values: Vec<u8>,
        offsets: &[i32],
        keep_trailing_whitespace: bool,
    ) -> Result<Self> {
        let bad = |what: &str| Error::new(Fault::Format, format!("a column of texts: {what}"));
        if simdutf8::basic::from_utf8(&values).is_err() {
            return Err(bad("its bytes are no UTF-8"));
        }
        let text = String::from_utf8(values).map_err(|_| bad("its bytes are no UTF-8"))?;
        let first = offsets.first().copied().unwrap_or(0);
        let spans = offsets.windows(2).map(|pair| {
            let place = |offset: i32| usize::try_from(i64::from(offset) - i64::from(first)).ok();
            let (start, end) = (place(pair[0])?, place(pair[1])?);
            let line = text.get(start..end)?;
            let kept = if keep_trailing_whitespace { line } else { whitespace::strip_end(line) };
            Some((start, start + kept.len()))
        });
        let spans: Option<Vec<_>> = spans.collect();
        let spans = spans.ok_or_else(|| bad("its offsets don't fit its bytes"))?;
        Ok(Self { text, spans })
    }

    /// All lines in order.
    pub fn lines(&self) -> impl Iterator<Item = &str> {
        self.spans.iter().map(|&(start, end)| &self.text[start..end])
    }

    /// The number of bytes the lines take.
    pub fn bytes(&self) -> usize {
        self.text.len()
    }
}

/// Reads an input block by block.
pub struct LineReader {
    input: Input,
    rules: LineRules,
    decoder: Decoder,
    /// Decoded bytes; those before `start` have been given out.
    buffer: Vec<u8>,
    start: usize,
    /// Ends of the lines that were looked ahead at, counted from `start`.
    ends: Vec<usize>,
    /// No more bytes come from the input.
    ended: bool,
    /// Lines given out.
    line: u64,
    /// Decoded bytes given out.
    offset: u64,
    lone_carriage_returns: u64,
    control_characters: u64,
    tokenized_lines: u64,
    blank_lines: u64,
}

impl LineReader {
    /// Reads this input under these rules.
    pub fn new(input: Input, rules: LineRules) -> Self {
        Self {
            input,
            rules,
            decoder: Decoder::new(rules.encoding),
            buffer: Vec::new(),
            start: 0,
            ends: Vec::new(),
            ended: false,
            line: 0,
            offset: 0,
            lone_carriage_returns: 0,
            control_characters: 0,
            tokenized_lines: 0,
            blank_lines: 0,
        }
    }

    /// The path as given, or `<stdin>`.
    pub fn name(&self) -> &str {
        self.input.name()
    }

    /// The name as it stands in messages: cut if it is very long.
    pub fn label(&self) -> &str {
        self.input.label()
    }

    /// The number of lines given out so far.
    pub fn line_count(&self) -> u64 {
        self.line
    }

    /// The number of decoded bytes given out so far.
    pub fn byte_count(&self) -> u64 {
        self.offset
    }

    /// How many carriage returns inside lines were met so far.
    pub fn lone_carriage_returns(&self) -> u64 {
        self.lone_carriage_returns
    }

    /// How many characters U+0080 to U+009F were met so far in an input that is read as ISO 8859-1: it is rather
    /// Windows-1252. 0 in other encodings.
    pub fn control_characters(&self) -> u64 {
        self.control_characters
    }

    /// How many lines so far end in a space and a full stop, as tokenised text does (teapot-nlp 0.2.2 warns about such files).
    pub fn tokenized_lines(&self) -> u64 {
        self.tokenized_lines
    }

    /// How many lines so far hold white space alone, or nothing.
    pub fn blank_lines(&self) -> u64 {
        self.blank_lines
    }

    /// How this input is read.
    pub(crate) fn rules(&self) -> LineRules {
        self.rules
    }

    /// The part of the file that has been read; `None` for a pipe.
    pub(crate) fn fraction_read(&self) -> Option<f64> {
        self.input.fraction_read()
    }

    /// Decoded bytes that were not given out yet.
    pub(crate) fn pending(&self) -> &[u8] {
        &self.buffer[self.start..]
    }

    /// No more bytes come from the input.
    pub(crate) fn is_ended(&self) -> bool {
        self.ended
    }

    /// Gives out bytes that end at a line end, or at the end of the input.
    pub(crate) fn advance(&mut self, bytes: usize) {
        let given = &self.buffer[self.start..self.start + bytes];
        self.line += memchr_iter(b'\n', given).count() as u64;
        self.start += bytes;
        self.offset += bytes as u64;
    }

    /// How many lines there will be, by the part of the file that the lines given out so far have taken; `None` for a pipe.
    /// Exact at the end.
    pub fn estimated_lines(&self) -> Option<f64> {
        #[expect(clippy::cast_precision_loss, reason = "an estimate")]
        let lines = self.line as f64;
        Some((lines / self.input.fraction_read()?).round())
    }

    /// SHA-256 of the file's own bytes; of the whole file once all lines have been read.
    pub fn sha256(&self) -> String {
        self.input.sha256()
    }

    /// Reads the next lines: at most `max_lines`, and no more once they take `max_bytes`; at least one unless the input has
    /// ended. The block is empty at the end.
    ///
    /// # Errors
    ///
    /// [`Fault::Read`]; [`Fault::Format`] with file and line for bytes that are not text in the encoding, a line over
    /// [`MAX_LINE_BYTES`], damaged compression.
    pub fn read_block(&mut self, max_lines: usize, max_bytes: usize) -> Result<LineBlock> {
        let lines = self.look_ahead(max_lines, max_bytes)?;
        self.take(lines)
    }

    /// How many lines [`read_block`](Self::read_block) would give: they are read, and wait for [`take`](Self::take).
    ///
    /// # Errors
    ///
    /// As [`read_block`](Self::read_block).
    pub fn look_ahead(&mut self, max_lines: usize, max_bytes: usize) -> Result<usize> {
        let mut ends = std::mem::take(&mut self.ends);
        ends.clear();
        let outcome = self.find_ends(max_lines, max_bytes, &mut ends);
        self.ends = ends;
        outcome.map(|()| self.ends.len())
    }

    /// Finds the ends of the next lines, counted from `start`.
    fn find_ends(
        &mut self,
        max_lines: usize,
        max_bytes: usize,
        ends: &mut Vec<usize>,
    ) -> Result<()> {
        // Bytes after `start` that are known to be searched for line ends.
        let mut searched = 0;
        loop {
            let pending = &self.buffer[self.start..];
            for found in memchr_iter(b'\n', &pending[searched..]) {
                ends.push(searched + found + 1);
                if ends.len() >= max_lines || searched + found >= max_bytes {
                    break;
                }
            }
            let taken = ends.last().copied().unwrap_or(0);
            if ends.len() >= max_lines || taken > max_bytes {
                break;
            }
            searched = pending.len();
            if searched - taken > MAX_LINE_BYTES {
                return Err(Error::new(
                    Fault::Format,
                    format!(
                        "{}: line {} is longer than {} MiB: expected one segment a line. Is it a text file with line ends?",
                        self.label(),
                        self.line + ends.len() as u64 + 1,
                        MAX_LINE_BYTES >> 20
                    ),
                ));
            }
            if self.ended {
                if taken < searched {
                    ends.push(searched);
                }
                break;
            }
            self.fill()?;
        }
        Ok(())
    }

    /// Turns the first `lines` of the lines that wait into a block.
    ///
    /// # Errors
    ///
    /// [`Fault::Format`] with file and line for bytes that are not text in the encoding.
    pub fn take(&mut self, lines: usize) -> Result<LineBlock> {
        let ends = &self.ends[..lines];
        let length = ends.last().copied().unwrap_or(0);
        let bytes = &self.buffer[self.start..self.start + length];
        // The vectorised check doesn't say where the fault is.
        let text = simdutf8::basic::from_utf8(bytes)
            .map_err(|_| {
                let valid =
                    str::from_utf8(bytes).map_or_else(|error| error.valid_up_to(), str::len);
                self.explain_invalid(bytes, valid)
            })?
            .to_owned();
        let mut spans = Vec::with_capacity(ends.len());
        let mut start = 0;
        for &end in ends {
            let mut line = &text[start..end];
            line = line
                .strip_suffix('\n')
                .map_or(line, |line| line.strip_suffix('\r').unwrap_or(line));
            let mut stop = start + line.len();
            if !self.rules.keep_trailing_whitespace {
                stop = start + whitespace::strip_end(line).len();
            }
            self.tokenized_lines += u64::from(text[start..stop].ends_with(" ."));
            self.blank_lines += u64::from(whitespace::is_blank(&text[start..stop]));
            spans.push((start, stop));
            start = end;
        }
        if memchr(b'\r', text.as_bytes()).is_some() {
            self.lone_carriage_returns += lone_carriage_returns(text.as_bytes());
        }
        if self.rules.encoding == Encoding::Latin1 {
            self.control_characters += control_characters(text.as_bytes());
        }
        self.start += length;
        self.line += lines as u64;
        self.offset += length as u64;
        Ok(LineBlock { text, spans })
    }

    /// Moves what is left to the front of the buffer and adds decoded bytes.
    pub(crate) fn fill(&mut self) -> Result<()> {
        self.buffer.drain(..self.start);
        self.start = 0;
        let first = self.offset == 0 && self.line == 0 && self.buffer.is_empty();
        self.ended = !self.decoder.fill(&mut self.input, &mut self.buffer)?;
        if first && self.rules.encoding == Encoding::Utf8 {
            // The first fill may be short on a pipe: what is checked here needs four bytes.
            while !self.ended && self.buffer.len() < 4 {
                self.ended = !self.decoder.fill(&mut self.input, &mut self.buffer)?;
            }
            if looks_like_utf16(&self.buffer) {
                return Err(Error::new(
                    Fault::Format,
                    format!(
                        "{}: line 1: the file is UTF-16, expected UTF-8. Pass the option `encoding` utf-16, or convert the file",
                        self.label()
                    ),
                ));
            }
            if self.buffer.starts_with(b"\xef\xbb\xbf") {
                self.buffer.drain(..3);
                self.offset = 3;
            }
        }
        Ok(())
    }

    fn explain_invalid(&self, bytes: &[u8], position: usize) -> Error {
        let before = &bytes[..position];
        let line = self.line + memchr_iter(b'\n', before).count() as u64 + 1;
        let column = position - memrchr(b'\n', before).map_or(0, |newline| newline + 1);
        Error::new(
            Fault::Format,
            format!(
                "{}: line {line}, byte {} of the line (byte offset {} of the text): found 0x{:02X}, which is not valid UTF-8. \
                 If the file has another encoding, pass the option `encoding` with its name (latin-1, windows-1252, utf-16, …), or convert it",
                self.label(),
                column + 1,
                self.offset + position as u64,
                bytes[position]
            ),
        )
    }
}

/// Carriage returns that are not part of a line end.
fn lone_carriage_returns(bytes: &[u8]) -> u64 {
    memchr_iter(b'\r', bytes).filter(|&position| bytes.get(position + 1) != Some(&b'\n')).count()
        as u64
}

/// The characters U+0080 to U+009F.
fn control_characters(bytes: &[u8]) -> u64 {
    memchr_iter(0xc2, bytes)
        .filter(|&position| bytes.get(position + 1).is_some_and(|byte| *byte < 0xa0))
        .count() as u64
}

/// What the bytes 0x80 to 0x9F are in Windows-1252; five of them are the control characters of ISO 8859-1.
///
/// Source: the index of windows-1252 in the WHATWG's Encoding Standard.
const WINDOWS_1252: [char; 32] = [
    '\u{20ac}', '\u{81}', '\u{201a}', '\u{192}', '\u{201e}', '\u{2026}', '\u{2020}', '\u{2021}',
    '\u{2c6}', '\u{2030}', '\u{160}', '\u{2039}', '\u{152}', '\u{8d}', '\u{17d}', '\u{8f}',
    '\u{90}', '\u{2018}', '\u{2019}', '\u{201c}', '\u{201d}', '\u{2022}', '\u{2013}', '\u{2014}',
    '\u{2dc}', '\u{2122}', '\u{161}', '\u{203a}', '\u{153}', '\u{9d}', '\u{17e}', '\u{178}',
];

/// A byte order mark of UTF-16, or ASCII text in UTF-16 without one: every second byte is zero.
fn looks_like_utf16(bytes: &[u8]) -> bool {
    let zeros = |from: usize| bytes.len() >= 4 && bytes[from] == 0 && bytes[from + 2] == 0;
    bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) || zeros(0) != zeros(1)
}

/// Turns the bytes of an input into UTF-8.
enum Decoder {
    Utf8,
    Latin1,
    Windows1252,
    Utf16 {
        pending: Vec<u8>,
        big_endian: Option<bool>,
        offset: u64,
    },
    /// The decoder takes a byte order mark of its own encoding away; `lines` counts the line ends that were decoded.
    Other {
        decoder: encoding_rs::Decoder,
        offset: u64,
        lines: u64,
    },
}

impl Decoder {
    fn new(encoding: Encoding) -> Self {
        match encoding {
            Encoding::Utf8 => Self::Utf8,
            Encoding::Latin1 => Self::Latin1,
            Encoding::Windows1252 => Self::Windows1252,
            Encoding::Utf16 => Self::Utf16 { pending: Vec::new(), big_endian: None, offset: 0 },
            Encoding::Other(encoding) => Self::Other {
                decoder: encoding.new_decoder_with_bom_removal(),
                offset: 0,
                lines: 0,
            },
        }
    }

    /// Appends decoded bytes to `buffer`; false at the end of the input.
    fn fill(&mut self, input: &mut Input, buffer: &mut Vec<u8>) -> Result<bool> {
        match self {
            Self::Utf8 => {
                let length = buffer.len();
                buffer.resize(length + FILL_BYTES, 0);
                let outcome = input.read(&mut buffer[length..]);
                buffer.truncate(length + outcome.as_ref().map_or(0, |&read| read));
                Ok(outcome? > 0)
            }
            Self::Latin1 => {
                let mut bytes = vec![0; FILL_BYTES / 2];
                let read = input.read(&mut bytes)?;
                buffer.reserve(2 * read);
                for part in
                    bytes[..read].chunk_by(|left, right| left.is_ascii() == right.is_ascii())
                {
                    match part {
                        [first, ..] if first.is_ascii() => buffer.extend_from_slice(part),
                        _ => buffer.extend(
                            part.iter().flat_map(|byte| [0xc0 | byte >> 6, 0x80 | byte & 0x3f]),
                        ),
                    }
                }
                Ok(read > 0)
            }
            Self::Windows1252 => {
                let mut bytes = vec![0; FILL_BYTES / 4];
                let read = input.read(&mut bytes)?;
                let mut character = [0; 4];
                for &byte in &bytes[..read] {
                    let decoded = match byte {
                        0x80..=0x9f => WINDOWS_1252[usize::from(byte - 0x80)],
                        _ => char::from(byte),
                    };
                    buffer.extend_from_slice(decoded.encode_utf8(&mut character).as_bytes());
                }
                Ok(read > 0)
            }
            Self::Utf16 { pending, big_endian, offset } => {
                let mut bytes = vec![0; FILL_BYTES / 2];
                let read = input.read(&mut bytes)?;
                pending.extend_from_slice(&bytes[..read]);
                decode_utf16(input.label(), pending, big_endian, offset, read == 0, buffer)?;
                Ok(read > 0)
            }
            Self::Other { decoder, offset, lines } => {
                let mut bytes = vec![0; FILL_BYTES / 4];
                let read = input.read(&mut bytes)?;
                let length = buffer.len();
                let room = decoder.max_utf8_buffer_length_without_replacement(read);
                buffer.resize(length + room.unwrap_or(4 * FILL_BYTES), 0);
                let (outcome, taken, written) = decoder.decode_to_utf8_without_replacement(
                    &bytes[..read],
                    &mut buffer[length..],
                    read == 0,
                );
                buffer.truncate(length + written);
                *lines += memchr_iter(b'\n', &buffer[length..]).count() as u64;
                if let DecoderResult::Malformed(_, _) = outcome {
                    return Err(Error::new(
                        Fault::Format,
                        format!(
                            "{}: line {}: the bytes before byte offset {} are not valid {}. If the file has another \
                             encoding, pass the option `encoding` with its name, or convert it",
                            input.label(),
                            *lines + 1,
                            *offset + taken as u64,
                            decoder.encoding().name()
                        ),
                    ));
                }
                *offset += taken as u64;
                Ok(read > 0)
            }
        }
    }
}

/// Decodes the complete characters of `pending` and keeps the rest there.
fn decode_utf16(
    name: &str,
    pending: &mut Vec<u8>,
    big_endian: &mut Option<bool>,
    offset: &mut u64,
    ended: bool,
    buffer: &mut Vec<u8>,
) -> Result<()> {
    let mut start = 0;
    let order = match *big_endian {
        Some(order) => order,
        None if pending.len() < 2 && !ended => return Ok(()),
        None => {
            let order = pending.starts_with(&[0xfe, 0xff]);
            if order || pending.starts_with(&[0xff, 0xfe]) {
                start = 2;
            }
            *big_endian = Some(order);
            order
        }
    };
    let unit = |at: usize| {
        let pair = [pending[at], pending[at + 1]];
        if order { u16::from_be_bytes(pair) } else { u16::from_le_bytes(pair) }
    };
    let invalid = |at: usize, what: &str| {
        Error::new(
            Fault::Format,
            format!(
                "{name}: byte offset {}: {what}: the file is not valid UTF-16",
                *offset + at as u64
            ),
        )
    };
    let mut utf8 = [0; 4];
    while start + 2 <= pending.len() {
        let first = unit(start);
        let paired = (0xd800..0xdc00).contains(&first);
        if paired && start + 4 > pending.len() {
            break;
        }
        let units = [first, if paired { unit(start + 2) } else { 0 }];
        let decoded = char::decode_utf16(units).next();
        let Some(Ok(character)) = decoded else {
            return Err(invalid(start, "a surrogate stands alone"));
        };
        buffer.extend_from_slice(character.encode_utf8(&mut utf8).as_bytes());
        start += if paired { 4 } else { 2 };
    }
    if ended && start < pending.len() {
        return Err(invalid(start, "the last character is cut off"));
    }
    *offset += start as u64;
    pending.drain(..start);
    Ok(())
}
