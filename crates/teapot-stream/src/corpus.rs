//! Several inputs read in step: line `n` of every input belongs to segment `n`.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::{Error, Fault, Result};
use crate::input::Input;
use crate::lines::{LineBlock, LineReader, LineRules};
use crate::patient::Stop;

/// How many lines are counted at once when inputs turn out to have different lengths.
const COUNT_LINES: usize = 16 * 1024;

/// The most bytes one block of lines takes of an input, so that memory stays flat when lines are long.
const BLOCK_BYTES: usize = 512 * 1024;

/// Inputs of equal length, in the order the caller gave them.
pub struct CorpusReader {
    columns: Vec<LineReader>,
    segments: u64,
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
    /// Lines that end in a space and a full stop, as tokenised text does.
    pub tokenized_lines: u64,
}

impl From<&LineReader> for InputReport {
    fn from(reader: &LineReader) -> Self {
        Self {
            name: reader.name().to_owned(),
            lines: reader.line_count(),
            sha256: reader.sha256(),
            lone_carriage_returns: reader.lone_carriage_returns(),
            tokenized_lines: reader.tokenized_lines(),
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
        Ok(Self { columns, segments: 0 })
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
        let (first, others) = self
            .columns
            .split_first_mut()
            .ok_or_else(|| Error::new(Fault::Option, "no input files: expected at least one"))?;
        let block = first.read_block(max_segments, BLOCK_BYTES)?;
        // At the end of the first input, one more line of any other shows that it is longer.
        let wanted = block.len().max(1);
        let expected = block.len();
        let mut columns = Vec::with_capacity(others.len() + 1);
        columns.push(block);
        for column in others {
            columns.push(column.read_block_exactly(wanted)?);
        }
        if columns.iter().any(|column| column.len() != expected) {
            return Err(self.unequal(cancelled));
        }
        if expected == 0 {
            return if self.segments == 0 { Err(self.empty()) } else { Ok(None) };
        }
        let first_segment = self.segments;
        self.segments += expected as u64;
        Ok(Some(CorpusBlock { first_segment, columns }))
    }

    /// The number of inputs.
    pub fn columns(&self) -> usize {
        self.columns.len()
    }

    /// The number of segments given out.
    pub fn segments(&self) -> u64 {
        self.segments
    }

    /// The number of bytes of text given out, over all inputs.
    pub fn bytes(&self) -> u64 {
        self.columns.iter().map(LineReader::byte_count).sum()
    }

    /// About how many segments there will be: see [`LineReader::estimated_lines`]. `None` when all inputs are pipes.
    pub fn estimated_segments(&self) -> Option<f64> {
        self.columns.iter().find_map(LineReader::estimated_lines)
    }

    /// What is known of each input; complete once [`read_block`](Self::read_block) gave `None`.
    pub fn reports(&self) -> Vec<InputReport> {
        self.columns.iter().map(InputReport::from).collect()
    }

    /// Reads every input to its end, without keeping a line, and names all counts.
    fn unequal(&mut self, cancelled: &AtomicBool) -> Error {
        for column in &mut self.columns {
            loop {
                if cancelled.load(Ordering::Relaxed) {
                    return Error::cancelled();
                }
                match column.read_block(COUNT_LINES, BLOCK_BYTES) {
                    Ok(block) if block.is_empty() => break,
                    Ok(_) => {}
                    Err(error) => return error,
                }
            }
        }
        let counts: Vec<String> = self
            .columns
            .iter()
            .map(|column| format!("{} has {}", column.name(), plural(column.line_count())))
            .collect();
        Error::new(
            Fault::LengthMismatch,
            format!(
                "the files have different numbers of lines: {}. Line n of every file must belong to the same example",
                counts.join(", ")
            ),
        )
    }

    fn empty(&self) -> Error {
        let names: Vec<&str> = self.columns.iter().map(LineReader::name).collect();
        Error::new(
            Fault::Empty,
            format!("no lines in {}: expected one example a line", names.join(", ")),
        )
    }
}

fn plural(lines: u64) -> String {
    if lines == 1 { "1 line".to_owned() } else { format!("{lines} lines") }
}
