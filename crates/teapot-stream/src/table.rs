//! The columns of a table as columns of a corpus: CSV, TSV and JSONL, row by row, in flat memory.
//!
//! What this reader can't read, it refuses with [`Fault::Format`]: a broken row, a column that isn't there, a field that is
//! no plain text. `src/read/table.ts` reads all of that, or explains it with file and line; so a caller goes on there.

use std::borrow::Cow;
use std::fmt;

use memchr::{memchr, memchr_iter, memchr2};
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use teapot_core::text::whitespace;

use crate::corpus::InputReport;
use crate::error::{Error, Fault, Result};
use crate::lines::{LineBlock, LineReader};

/// The longest row that is accepted, in bytes.
const MAX_ROW_BYTES: usize = 64 * 1024 * 1024;

/// How the rows of a table are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableFormat {
    /// Cells between commas, with a header (RFC 4180).
    Csv,
    /// Cells between tabs, with a header; quotes only where all cells have them or a cell needs them.
    Tsv,
    /// A JSON object a line.
    Jsonl,
}

/// A column that is asked for.
#[derive(Clone, Debug)]
pub struct TableColumn {
    /// Its name, or `#3` for the third.
    pub name: String,
    /// Its texts are labels or outputs: a bare `1.0` is the label `1`.
    pub is_label: bool,
}

/// Reads some columns of a table.
pub struct TableReader {
    lines: LineReader,
    format: TableFormat,
    columns: Vec<TableColumn>,
    header: Option<Header>,
    keep_trailing_whitespace: bool,
    rows: u64,
    /// Rows that repeat the header, by their lines.
    repeated_headers: Vec<u64>,
    /// The header was read: another one repeats it.
    repeats: bool,
    tokenized: u64,
    lone_carriage_returns: u64,
    cells: Vec<Cell>,
    fields: Vec<Option<String>>,
}

/// The first row of a delimited table.
struct Header {
    dialect: Dialect,
    names: Vec<String>,
    /// Of each column that was asked for: its position.
    places: Vec<usize>,
}

#[derive(Clone, Copy)]
struct Dialect {
    delimiter: u8,
    quotes: Quotes,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Quotes {
    /// A cell that begins with a quote ends with one.
    Strict,
    /// A quote is a character like others, except in cells that needed quotes: empty ones, and those with quotes inside.
    Minimal,
}

/// A cell of the current row: where its text is, without quotes.
#[derive(Clone, Copy, Debug, Default)]
struct Cell {
    start: usize,
    end: usize,
    is_quoted: bool,
    /// Quotes inside are written twice.
    has_quotes: bool,
}

/// What came of looking for a row.
enum Found {
    /// The row ends before this byte; what follows its line end begins at the second one.
    Row(usize, usize),
    /// The bytes end inside the row.
    More,
}

impl TableReader {
    /// Reads these columns of a table. `lines` is where the text comes from; nothing has been read from it.
    pub fn new(lines: LineReader, format: TableFormat, columns: Vec<TableColumn>) -> Self {
        Self {
            keep_trailing_whitespace: lines.rules().keep_trailing_whitespace,
            lines,
            format,
            fields: vec![None; columns.len()],
            columns,
            header: None,
            rows: 0,
            repeated_headers: Vec::new(),
            repeats: false,
            tokenized: 0,
            lone_carriage_returns: 0,
            cells: Vec::new(),
        }
    }

    /// How many columns were asked for.
    pub fn columns(&self) -> usize {
        self.columns.len()
    }

    /// How many bytes of text were read.
    pub fn bytes(&self) -> u64 {
        self.lines.byte_count()
    }

    /// About how many rows there are; `None` for a pipe.
    pub fn estimated_rows(&self) -> Option<f64> {
        #[expect(clippy::cast_precision_loss, reason = "an estimate")]
        let rows = self.rows as f64;
        Some((rows / self.lines.fraction_read()?).round())
    }

    /// What is known of the table; complete once all rows were read.
    pub fn report(&self) -> InputReport {
        InputReport {
            lines: self.rows,
            tokenized_lines: self.tokenized,
            blank_lines: None,
            lone_carriage_returns: self.lone_carriage_returns,
            repeated_headers: self.repeated_headers.clone(),
            ..InputReport::from(&self.lines)
        }
    }

    /// The next rows: one block a column, of at most `max_rows` texts, and no more once they take `max_bytes`. Empty at the
    /// end.
    ///
    /// # Errors
    ///
    /// [`Fault::Format`] for what this reader can't read, and the errors of reading.
    pub fn read_block(&mut self, max_rows: usize, max_bytes: usize) -> Result<Vec<LineBlock>> {
        let mut blocks = vec![LineBlock::default(); self.columns.len()];
        let mut bytes = 0;
        let mut rows = 0;
        while rows < max_rows && bytes < max_bytes {
            let Some([end, next]) = self.next_row()? else { break };
            let Self { lines, cells, fields, columns, header, .. } = self;
            let row = simdutf8::basic::from_utf8(&lines.pending()[..end])
                .map_err(|_| refusal(lines, "no UTF-8"))?;
            let is_row = match header {
                None => take_fields(row, columns, fields).map_err(|why| refusal(lines, &why))?,
                Some(header) => match header.take(row, cells, columns) {
                    Ok(Taken::Row) => true,
                    Ok(Taken::Header) => {
                        if self.repeats {
                            self.repeated_headers.push(lines.line_count() + 1);
                        }
                        self.repeats = true;
                        false
                    }
                    Ok(Taken::Blank) => false,
                    Err(why) => return Err(refusal(lines, why)),
                },
            };
            if is_row {
                for (column, block) in blocks.iter_mut().enumerate() {
                    let text = match header {
                        Some(header) => header.text(row, cells, column, columns[column].is_label),
                        None => field(fields, columns, column)
                            .map(Cow::Owned)
                            .ok_or_else(|| refusal(lines, "a field is missing"))?,
                    };
                    let kept = if self.keep_trailing_whitespace {
                        &*text
                    } else {
                        whitespace::strip_end(&text)
                    };
                    let [tokenized, lone] = counts(kept);
                    self.tokenized += tokenized;
                    self.lone_carriage_returns += lone;
                    block.push(kept);
                }
                rows += 1;
            }
            bytes += next;
            self.lines.advance(next);
        }
        self.rows += rows as u64;
        Ok(blocks)
    }

    /// Where the next row ends; `None` at the end of the table. Fills the cells of a delimited one.
    fn next_row(&mut self) -> Result<Option<[usize; 2]>> {
        loop {
            let pending = self.lines.pending();
            if pending.is_empty() && self.lines.is_ended() {
                return Ok(None);
            }
            let found = match (self.format, &self.header) {
                (TableFormat::Jsonl, _) => line_end(pending, self.lines.is_ended()),
                (_, Some(header)) => {
                    let dialect = header.dialect;
                    split(pending, dialect, self.lines.is_ended(), &mut self.cells)
                        .map_err(|reason| refusal(&self.lines, reason))?
                }
                (format, None) => {
                    if !pending.is_empty() && (self.lines.is_ended() || pending.len() > HEAD_BYTES)
                    {
                        let dialect = dialect_of(format, pending);
                        let bare =
                            memchr(b'\n', pending).is_none() && memchr(b'\r', pending).is_some();
                        if bare {
                            return Err(refusal(&self.lines, "lines end in carriage returns"));
                        }
                        self.header =
                            Some(Header { dialect, names: Vec::new(), places: Vec::new() });
                        continue;
                    }
                    Found::More
                }
            };
            match found {
                Found::Row(end, next) => return Ok(Some([end, next])),
                Found::More if pending.len() > MAX_ROW_BYTES => {
                    return Err(refusal(&self.lines, "the row is too long"));
                }
                Found::More => self.lines.fill()?,
            }
        }
    }
}

/// What the cells of a row are.
enum Taken {
    Row,
    /// The header, for the first time or again.
    Header,
    Blank,
}

impl Header {
    /// Takes the header, or tells what the cells are.
    fn take(
        &mut self,
        row: &str,
        cells: &[Cell],
        columns: &[TableColumn],
    ) -> std::result::Result<Taken, &'static str> {
        if self.names.is_empty() {
            self.names = cells.iter().map(|cell| cell.text(row).into_owned()).collect();
            let places = columns.iter().map(|column| place(&column.name, &self.names));
            let places = places.collect::<Option<Vec<usize>>>();
            self.places = places.ok_or("a column is missing or ambiguous")?;
            return Ok(Taken::Header);
        }
        if let [cell] = cells
            && cell.start == cell.end
            && !cell.is_quoted
            && self.names.len() > 1
        {
            return Ok(Taken::Blank);
        }
        if cells.len() != self.names.len() {
            return Err("another number of cells than in the header");
        }
        let mut pairs = cells.iter().zip(&self.names);
        let is_header = cells.len() > 1 && pairs.all(|(cell, name)| cell.text(row) == *name);
        Ok(if is_header { Taken::Header } else { Taken::Row })
    }

    /// The text of a column in a row.
    fn text<'r>(
        &self,
        row: &'r str,
        cells: &[Cell],
        column: usize,
        is_label: bool,
    ) -> Cow<'r, str> {
        let cell = cells[self.places[column]];
        let text = cell.text(row);
        if is_label && !cell.is_quoted { label(text) } else { text }
    }
}

/// The field of a column in the current line; two columns may have the same one.
fn field(fields: &mut [Option<String>], columns: &[TableColumn], column: usize) -> Option<String> {
    let first = columns.iter().position(|other| other.name == columns[column].name)?;
    fields[first].clone()
}

fn refusal(lines: &LineReader, reason: &str) -> Error {
    let line = lines.line_count() + 1;
    Error::new(Fault::Format, format!("{}:{line}: {reason}", lines.label()))
}

/// Bytes that are looked at before the dialect of a table is decided; fewer in a short table.
const HEAD_BYTES: usize = 64 * 1024;

/// Strict quotes in CSV; in TSV only where the header is quoted throughout, or as teapot 0.1 exported records.
fn dialect_of(format: TableFormat, head: &[u8]) -> Dialect {
    if format == TableFormat::Csv {
        return Dialect { delimiter: b',', quotes: Quotes::Strict };
    }
    let mut lines =
        head.split(|&byte| byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    let (header, first) = (lines.next().unwrap_or_default(), lines.next().unwrap_or_default());
    let is_quoted =
        |cell: &[u8]| cell.len() > 1 && cell.starts_with(b"\"") && cell.ends_with(b"\"");
    let is_strict = header.split(|&byte| byte == b'\t').all(is_quoted)
        || header.starts_with(b"schema\t") && first.starts_with(b"\"teapot.record/");
    Dialect { delimiter: b'\t', quotes: if is_strict { Quotes::Strict } else { Quotes::Minimal } }
}

/// The position of a column by its name or number; `None` unless there is exactly one.
fn place(name: &str, names: &[String]) -> Option<usize> {
    let mut found = names.iter().enumerate().filter(|(_, other)| *other == name);
    match (found.next(), found.next()) {
        (Some((place, _)), None) => Some(place),
        (None, _) => {
            let number: usize = name.strip_prefix('#')?.parse().ok()?;
            number.checked_sub(1).filter(|&place| place < names.len())
        }
        _ => None,
    }
}

fn line_end(bytes: &[u8], is_ended: bool) -> Found {
    match memchr(b'\n', bytes) {
        Some(end) => Found::Row(end - usize::from(bytes[..end].ends_with(b"\r")), end + 1),
        None if is_ended => Found::Row(bytes.len(), bytes.len()),
        None => Found::More,
    }
}

/// Splits the first row of some bytes into cells.
fn split(
    bytes: &[u8],
    dialect: Dialect,
    is_ended: bool,
    cells: &mut Vec<Cell>,
) -> std::result::Result<Found, &'static str> {
    cells.clear();
    if let Found::Row(end, next) = line_end(bytes, is_ended)
        && (dialect.quotes == Quotes::Minimal || memchr(b'"', &bytes[..end]).is_none())
    {
        let mut start = 0;
        for delimiter in memchr_iter(dialect.delimiter, &bytes[..end]).chain([end]) {
            cells.push(bare(bytes, start, delimiter, dialect.quotes));
            start = delimiter + 1;
        }
        return Ok(Found::Row(end, next));
    }
    let mut start = 0;
    loop {
        let after = if bytes.get(start) == Some(&b'"') {
            let mut close = start + 1;
            let mut has_quotes = false;
            loop {
                let Some(quote) = memchr(b'"', &bytes[close..]) else {
                    return if is_ended {
                        Err("a quoted cell never ends")
                    } else {
                        Ok(Found::More)
                    };
                };
                close += quote;
                match bytes.get(close + 1) {
                    Some(b'"') => (close, has_quotes) = (close + 2, true),
                    None if !is_ended => return Ok(Found::More),
                    _ => break,
                }
            }
            cells.push(Cell { start: start + 1, end: close, is_quoted: true, has_quotes });
            close + 1
        } else {
            let length = memchr2(dialect.delimiter, b'\n', &bytes[start..]);
            let Some(length) = length.or(is_ended.then_some(bytes.len() - start)) else {
                return Ok(Found::More);
            };
            let mut end = start + length;
            if bytes.get(end) != Some(&dialect.delimiter) {
                end -= usize::from(bytes[start..end].ends_with(b"\r") && end < bytes.len());
            }
            cells.push(Cell { start, end, ..Cell::default() });
            end
        };
        match bytes.get(after) {
            None => return Ok(Found::Row(after, after)),
            Some(byte) if *byte == dialect.delimiter => start = after + 1,
            Some(b'\n') => return Ok(Found::Row(after, after + 1)),
            Some(b'\r') if bytes.get(after + 1) == Some(&b'\n') => {
                return Ok(Found::Row(after, after + 2));
            }
            Some(b'\r') if after + 1 == bytes.len() && !is_ended => return Ok(Found::More),
            _ => return Err("something follows a quoted cell"),
        }
    }
}

/// A cell without quotes, unless they are minimal ones.
fn bare(bytes: &[u8], start: usize, end: usize, quotes: Quotes) -> Cell {
    let text = &bytes[start..end];
    if quotes == Quotes::Minimal
        && let [b'"', inner @ .., b'"'] = text
    {
        // Quotes are needed around nothing, and around quotes, which are then written twice.
        let is_needed = inner.is_empty() || memchr(b'"', inner).is_some() && is_paired(inner);
        if is_needed {
            return Cell { start: start + 1, end: end - 1, is_quoted: true, has_quotes: true };
        }
    }
    Cell { start, end, ..Cell::default() }
}

/// Tells whether all quotes come in pairs.
fn is_paired(mut text: &[u8]) -> bool {
    while let Some(at) = memchr(b'"', text) {
        if text.get(at + 1) != Some(&b'"') {
            return false;
        }
        text = &text[at + 2..];
    }
    true
}

impl Cell {
    /// The cell's text in its row.
    fn text(self, row: &str) -> Cow<'_, str> {
        let text = &row[self.start..self.end];
        if self.has_quotes { text.replace("\"\"", "\"").into() } else { text.into() }
    }
}

/// `1` for `1.0` and `1.`, any other text as it is: data frames write whole numbers so beside missing values.
fn label(text: Cow<'_, str>) -> Cow<'_, str> {
    let Some((whole, zeros)) = text.split_once('.') else { return text };
    let digits = whole.strip_prefix(['+', '-']).unwrap_or(whole);
    let is_digits = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if is_digits && zeros.bytes().all(|byte| byte == b'0') {
        return whole.to_owned().into();
    }
    text
}

/// Whether a text ends as tokenised text does, and its carriage returns that belong to no line end.
fn counts(text: &str) -> [u64; 2] {
    let lone = memchr_iter(b'\r', text.as_bytes())
        .filter(|&at| text.as_bytes().get(at + 1) != Some(&b'\n'))
        .count();
    [u64::from(text.ends_with(" .")), lone as u64]
}

/// Reads the fields of columns from a line of JSON; false for a blank line.
fn take_fields(
    line: &str,
    columns: &[TableColumn],
    fields: &mut [Option<String>],
) -> std::result::Result<bool, String> {
    if line.bytes().all(|byte| matches!(byte, b' ' | b'\t')) {
        return Ok(false);
    }
    fields.fill(None);
    let mut deserializer = serde_json::Deserializer::from_str(line);
    deserializer.deserialize_map(Fields { columns, fields }).map_err(|error| error.to_string())?;
    deserializer.end().map_err(|error| error.to_string())?;
    Ok(true)
}

/// Keeps the fields that were asked for.
struct Fields<'f> {
    columns: &'f [TableColumn],
    fields: &'f mut [Option<String>],
}

impl<'de> Visitor<'de> for Fields<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<(), A::Error> {
        while let Some(key) = map.next_key::<Cow<'de, str>>()? {
            match self.columns.iter().position(|column| column.name == key) {
                // The last one of several fields with one name counts, as in JavaScript.
                Some(column) => map.next_value_seed(Text(&mut self.fields[column]))?,
                None => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(())
    }
}

/// Keeps a text, a boolean or a whole number that JavaScript holds exactly.
struct Text<'f>(&'f mut Option<String>);

impl<'de> DeserializeSeed<'de> for Text<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(
        self,
        deserializer: D,
    ) -> std::result::Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl Visitor<'_> for Text<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text")
    }

    fn visit_str<E>(self, text: &str) -> std::result::Result<(), E> {
        let kept = self.0.get_or_insert_with(String::new);
        kept.clear();
        kept.push_str(text);
        Ok(())
    }

    fn visit_bool<E>(self, value: bool) -> std::result::Result<(), E> {
        *self.0 = Some(value.to_string());
        Ok(())
    }

    fn visit_u64<E: serde::de::Error>(self, value: u64) -> std::result::Result<(), E> {
        *self.0 = Some(value.to_string());
        Ok(())
    }

    fn visit_i64<E: serde::de::Error>(self, value: i64) -> std::result::Result<(), E> {
        *self.0 = Some(value.to_string());
        Ok(())
    }

    fn visit_f64<E: serde::de::Error>(self, _: f64) -> std::result::Result<(), E> {
        Err(E::custom("a number that is not whole"))
    }
}
