//! Several inputs read in step: line `n` of every input belongs to segment `n`.
//!
//! Memory is bounded by the longest lines, not by the number of lines: an input's buffer holds one block and one line at
//! most, a block 512 KiB or one line of each input, and there is a block for every worker thread. With N inputs and T
//! threads that is at most (T + 2)·N lines of the largest size (64 MiB), besides what the metric takes: chrF of two such
//! lines takes up to 100 bytes for each byte of a line.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::{Error, Fault, Result};
use crate::input::Input;
use crate::lines::{LineBlock, LineReader, LineRules};
use crate::patient::Stop;
use crate::table::{TableColumn, TableFormat, TableReader};

/// How many lines are counted at once when inputs turn out to have different lengths.
const COUNT_LINES: usize = 16 * 1024;

/// So many bytes further on, the end of an input isn't looked for any more.
const COUNT_BYTES: u64 = 32 * 1024 * 1024;

/// The most bytes one block of lines takes of an input, so that memory stays flat when lines are long.
const BLOCK_BYTES: usize = 512 * 1024;

/// Inputs of equal length, in the order the caller gave them.
pub struct CorpusReader {
    source: Source,
    segments: u64,
}

/// Where the columns come from.
enum Source {
    /// One input a column.
    Lines(Vec<LineReader>),
    /// A table.
    Table(Box<TableReader>),
}

/// The same consecutive segments of every input.
#[derive(Clone, Debug, Default)]
pub struct CorpusBlock {
    /// The number of segments before this block.
    pub first_segment: u64,
    /// One block of lines an input, all of the same length.
    pub columns: Vec<LineBlock>,
}

impl CorpusBlock {
    /// The number of segments.
    pub fn len(&self) -> usize {
        self.columns.first().map_or(0, LineBlock::len)
    }

    /// Tells whether there is no segment.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// What is known of an input once it has been read.
#[derive(Clone, Debug)]
pub struct InputReport {
    /// The path as given, or `<stdin>`.
    pub name: String,
    /// Lines read so far.
    pub lines: u64,
    /// SHA-256 of the file's own bytes, in hexadecimal.
    pub sha256: String,
    /// Carriage returns inside lines.
    pub lone_carriage_returns: u64,
    /// Characters U+0080 to U+009F of an input that is read as ISO 8859-1.
    pub control_characters: u64,
    /// Lines that end in a space and a full stop, as tokenised text does.
    pub tokenized_lines: u64,
    /// Lines of a file that hold white space alone, or nothing; `None` for a table.
    pub blank_lines: Option<u64>,
    /// The lines of a table's rows that repeat its header and were left out.
    pub repeated_headers: Vec<u64>,
}

impl From<&LineReader> for InputReport {
    fn from(reader: &LineReader) -> Self {
        Self {
            name: reader.name().to_owned(),
            lines: reader.line_count(),
            sha256: reader.sha256(),
            lone_carriage_returns: reader.lone_carriage_returns(),
            control_characters: reader.control_characters(),
            tokenized_lines: reader.tokenized_lines(),
            blank_lines: Some(reader.blank_lines()),
            repeated_headers: Vec::new(),
        }
    }
}

impl CorpusReader {
    /// Opens all inputs; `-` is standard input. Waiting for pipes ends by `stop`.
    ///
    /// # Errors
    ///
    /// [`Fault::Read`] or [`Fault::Format`] for the first input that can't be opened; [`Fault::Option`] without inputs.
    pub fn open(paths: &[String], rules: LineRules, stop: &Stop) -> Result<Self> {
        let columns = paths
            .iter()
            .map(|path| Ok(LineReader::new(Input::open(path, stop)?, rules)))
            .collect::<Result<Vec<_>>>()?;
        Self::from_readers(columns)
    }

    /// Reads these inputs in step.
    ///
    /// # Errors
    ///
    /// [`Fault::Option`] without inputs.
    pub fn from_readers(columns: Vec<LineReader>) -> Result<Self> {
        if columns.is_empty() {
            return Err(Error::new(Fault::Option, "no input files: expected at least one"));
        }
        Ok(Self { source: Source::Lines(columns), segments: 0 })
    }

    /// Reads these columns of a table.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    pub fn open_table(
        path: &str,
        format: TableFormat,
        columns: Vec<TableColumn>,
        rules: LineRules,
        stop: &Stop,
    ) -> Result<Self> {
        let lines = LineReader::new(Input::open(path, stop)?, rules);
        Ok(Self::from_table(TableReader::new(lines, format, columns)))
    }

    /// Reads the columns of a table.
    pub fn from_table(table: TableReader) -> Self {
        Self { source: Source::Table(Box::new(table)), segments: 0 }
    }

    /// The next segments, at most `max_segments`; `None` after the last one.
    ///
    /// # Errors
    ///
    /// [`Fault::LengthMismatch`], naming every input with its number of lines, as soon as one input ends before another;
    /// [`Fault::Empty`] when there is no line at all; the errors of [`LineReader::read_block`].
    pub fn read_block(
        &mut self,
        max_segments: usize,
        cancelled: &AtomicBool,
    ) -> Result<Option<CorpusBlock>> {
        let inputs = match &mut self.source {
            Source::Lines(inputs) => inputs,
            Source::Table(table) => {
                let columns = table.read_block(max_segments, table.columns() * BLOCK_BYTES)?;
                let length = columns.first().map_or(0, LineBlock::len);
                if length == 0 && self.segments == 0 {
                    return Err(self.empty());
                }
                return Ok(self.block_of(columns));
            }
        };
        // As many lines as every column has within its budget: a block takes no more memory for another order of columns.
        let (mut expected, mut longest) = (max_segments, 0);
        for column in inputs.iter_mut() {
            let lines = column.look_ahead(expected.max(1), BLOCK_BYTES)?;
            (expected, longest) = (expected.min(lines), longest.max(lines));
        }
        if expected == 0 {
            return match (longest, self.segments) {
                (0, 0) => Err(self.empty()),
                (0, _) => Ok(None),
                _ => Err(self.unequal(cancelled)),
            };
        }
        let columns = inputs.iter_mut().map(|column| column.take(expected));
        let columns = columns.collect::<Result<Vec<_>>>()?;
        Ok(self.block_of(columns))
    }

    /// The next block of these columns; `None` if they are empty.
    fn block_of(&mut self, columns: Vec<LineBlock>) -> Option<CorpusBlock> {
        let block = CorpusBlock { first_segment: self.segments, columns };
        self.segments += block.len() as u64;
        (!block.is_empty()).then_some(block)
    }

    /// The number of inputs.
    pub fn columns(&self) -> usize {
        match &self.source {
            Source::Lines(inputs) => inputs.len(),
            Source::Table(table) => table.columns(),
        }
    }

    /// The number of segments given out.
    pub fn segments(&self) -> u64 {
        self.segments
    }

    /// The number of bytes of text given out, over all inputs.
    pub fn bytes(&self) -> u64 {
        match &self.source {
            Source::Lines(inputs) => inputs.iter().map(LineReader::byte_count).sum(),
            Source::Table(table) => table.bytes(),
        }
    }

    /// About how many segments there will be: see [`LineReader::estimated_lines`]. `None` when all inputs are pipes.
    pub fn estimated_segments(&self) -> Option<f64> {
        match &self.source {
            Source::Lines(inputs) => inputs.iter().find_map(LineReader::estimated_lines),
            Source::Table(table) => table.estimated_rows(),
        }
    }

    /// What is known of each input; complete once [`read_block`](Self::read_block) gave `None`.
    pub fn reports(&self) -> Vec<InputReport> {
        match &self.source {
            Source::Lines(inputs) => inputs.iter().map(InputReport::from).collect(),
            Source::Table(table) => vec![table.report()],
        }
    }

    /// Names the number of lines of every input: exactly where its end is near, else what it has at least.
    fn unequal(&mut self, cancelled: &AtomicBool) -> Error {
        let Source::Lines(inputs) = &mut self.source else { return self.empty() };
        let mut counts = Vec::with_capacity(inputs.len());
        for column in inputs {
            let until = column.byte_count() + COUNT_BYTES;
            let at_least = loop {
                if cancelled.load(Ordering::Relaxed) {
                    return Error::cancelled();
                }
                match column.read_block(COUNT_LINES, BLOCK_BYTES) {
                    Ok(block) if block.is_empty() => break "",
                    Ok(_) if column.byte_count() > until => break "at least ",
                    Ok(_) => {}
                    Err(error) => return error,
                }
            };
            let lines = plural(column.line_count());
            counts.push(format!("{} has {at_least}{lines}", column.label()));
        }
        Error::new(
            Fault::LengthMismatch,
            format!(
                "the files have different numbers of lines: {}. Line n of every file must belong to the same example",
                counts.join(", ")
            ),
        )
    }

    fn empty(&self) -> Error {
        let names = match &self.source {
            Source::Lines(inputs) => inputs.iter().map(LineReader::label).collect::<Vec<_>>(),
            Source::Table(_) => vec!["the table"],
        };
        Error::new(
            Fault::Empty,
            format!("no lines in {}: expected one example a line", names.join(", ")),
        )
    }
}

fn plural(lines: u64) -> String {
    if lines == 1 { "1 line".to_owned() } else { format!("{lines} lines") }
}
