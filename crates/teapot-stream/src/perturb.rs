//! A file of lines perturbed block by block, on worker threads, in flat memory.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};

use teapot_core::parallel;
use teapot_core::patience::Patience;
use teapot_core::perturb::{EditKind, Perturbed, Perturber, Session};

use crate::error::{Error, Fault, Result};
use crate::lines::{LineBlock, LineReader};

/// Lines that a worker takes at once.
const WORKER_LINES: usize = 256;

/// Perturbs the lines of an input. A line's position in the file decides its draws, so the outcome is the same for any
/// number of threads and any size of blocks.
pub struct LinePerturber {
    reader: LineReader,
    perturber: Perturber,
    plan: PerturbPlan,
}

/// What is made of each line.
#[derive(Clone, Copy, Debug)]
pub struct PerturbPlan {
    /// Perturbed texts for each line, at least 1.
    pub variants: u64,
    /// Describe the edits as well.
    pub edits: bool,
    /// Worker threads; 0: one a core.
    pub threads: usize,
}

impl Default for PerturbPlan {
    /// One variant, no description of edits, all cores.
    fn default() -> Self {
        Self { variants: 1, edits: false, threads: 0 }
    }
}

impl PerturbPlan {
    fn validate(self) -> Result<()> {
        if self.variants == 0 {
            return Err(Error::new(Fault::Option, "variants is 0, expected at least 1"));
        }
        Ok(())
    }
}

/// The perturbed texts of some consecutive lines.
#[derive(Clone, Debug, Default)]
pub struct PerturbedBlock {
    /// Lines read.
    pub lines: u64,
    /// Perturbed texts: fewer than lines times variants where a line has fewer.
    pub texts: u64,
    /// Perturbed texts that differ from their line.
    pub changed: u64,
    /// Edits by kind, in the order of [`EditKind::ALL`].
    pub edits: [u64; EditKind::ALL.len()],
    /// The perturbed texts, each with a line feed; the variants of a line follow each other, and none is there twice.
    pub text: String,
    /// One JSON object a perturbed text, each with a line feed; empty unless asked for.
    ///
    /// `{"line":1,"variant":0,"edits":[{"start":0,"end":2,"replacement":"ab","kind":"swap"}]}`: the line counts from 1,
    /// positions are code points of the original line from 0. `"s_src"` stands before `edits` where a least similarity
    /// was asked for.
    pub edits_jsonl: String,
}

impl LinePerturber {
    /// Perturbs what `reader` gives.
    ///
    /// # Errors
    ///
    /// [`Fault::Option`] for no variants.
    pub fn new(reader: LineReader, perturber: Perturber, plan: PerturbPlan) -> Result<Self> {
        plan.validate()?;
        Ok(Self { reader, perturber, plan })
    }

    /// The input.
    pub fn reader(&self) -> &LineReader {
        &self.reader
    }

    /// Perturbs the next lines: about `lines` of them, unless the input ends before. `None` after the last one.
    ///
    /// # Errors
    ///
    /// Those of [`LineReader::read_block`], and [`Fault::Cancelled`].
    pub fn next_block(
        &mut self,
        lines: usize,
        cancelled: &AtomicBool,
    ) -> Result<Option<PerturbedBlock>> {
        let Self { reader, perturber, plan } = self;
        let mut taken = 0;
        let parts = parallel::map_ordered(
            parallel::thread_count(plan.threads),
            || {
                if cancelled.load(Ordering::Relaxed) {
                    return Err(Error::cancelled());
                }
                if taken >= lines {
                    return Ok(None);
                }
                let first = reader.line_count();
                let block = reader.read_block(WORKER_LINES, WORKER_BYTES)?;
                taken += block.len();
                Ok((!block.is_empty()).then_some((first, block)))
            },
            || perturber.session(),
            |session, (first, block)| perturb_block(session, first, &block, *plan, cancelled),
        )?;
        if parts.is_empty() {
            return Ok(None);
        }
        Ok(Some(parts.iter().fold(PerturbedBlock::default(), PerturbedBlock::joined)))
    }
}

/// Bytes after which a worker's share is full, however few its lines.
const WORKER_BYTES: usize = 256 * 1024;

impl PerturbedBlock {
    fn joined(mut self, next: &Self) -> Self {
        self.lines += next.lines;
        self.texts += next.texts;
        self.changed += next.changed;
        for (sum, count) in self.edits.iter_mut().zip(next.edits) {
            *sum += count;
        }
        self.text.push_str(&next.text);
        self.edits_jsonl.push_str(&next.edits_jsonl);
        self
    }
}

fn perturb_block(
    session: &mut Session<'_>,
    first: u64,
    block: &LineBlock,
    plan: PerturbPlan,
    cancelled: &AtomicBool,
) -> Result<PerturbedBlock> {
    let mut result = PerturbedBlock::default();
    result.text.reserve(block.bytes() + block.bytes() / 8);
    for (item, line) in (first..).zip(block.lines()) {
        result.texts +=
            perturb_line(session, item, line, plan, cancelled, |variant, perturbed| {
                result.changed += u64::from(perturbed.text != line);
                result.text.push_str(perturbed.text);
                result.text.push('\n');
                for edit in perturbed.edits() {
                    result.edits[edit.kind as usize] += 1;
                }
                if plan.edits {
                    write_edits(&mut result.edits_jsonl, item + 1, variant, perturbed)?;
                    result.edits_jsonl.push('\n');
                }
                Ok(())
            })?;
        result.lines += 1;
    }
    Ok(result)
}

/// Draws in a row that repeat a variant, after which a line has no more of them.
const MOST_REPEATS: u32 = 50;

/// Hands every variant of a line to `take`, each text once: the number of the variant, and what it is. A line that has fewer
/// texts than the plan asks for gives fewer; the result is their number.
fn perturb_line(
    session: &mut Session<'_>,
    item: u64,
    line: &str,
    plan: PerturbPlan,
    cancelled: &AtomicBool,
    mut take: impl FnMut(u64, Perturbed<'_>) -> std::fmt::Result,
) -> Result<u64> {
    let is_cancelled = || cancelled.load(Ordering::Relaxed);
    let patience = Patience::new(&is_cancelled);
    patience.ask()?;
    session.load(line);
    let (mut given, mut repeats) = (0, 0);
    let mut seen = HashSet::new();
    for draw in 0.. {
        if given == plan.variants || repeats > MOST_REPEATS {
            break;
        }
        let perturbed = session.perturb(item, draw, &patience)?;
        if plan.variants > 1 && !seen.insert(perturbed.text.to_owned()) {
            repeats += 1;
            continue;
        }
        take(given, perturbed).map_err(|error| Error::new(Fault::Internal, error.to_string()))?;
        (given, repeats) = (given + 1, 0);
    }
    Ok(given)
}

/// Perturbs texts in memory: the perturbed texts, the variants of a text one after the other and none twice, how many each
/// text has, and, if the plan asks for them, their edits as the JSON objects of [`PerturbedBlock::edits_jsonl`].
///
/// `first` is the position of the first text among all: a file perturbed in parts gives what it gives whole.
///
/// # Errors
///
/// [`Fault::Option`] for no variants, [`Fault::Cancelled`].
pub fn perturb_texts(
    perturber: &Perturber,
    texts: &[String],
    first: u64,
    plan: PerturbPlan,
    cancelled: &AtomicBool,
) -> Result<PerturbedTexts> {
    plan.validate()?;
    let mut chunks = (first..).step_by(WORKER_LINES).zip(texts.chunks(WORKER_LINES));
    let parts = parallel::map_ordered(
        parallel::thread_count_for(plan.threads, texts.len().div_ceil(WORKER_LINES)),
        || Ok::<_, Error>(chunks.next()),
        || perturber.session(),
        |session, (first, texts)| {
            let mut made = PerturbedTexts::default();
            for (item, text) in (first..).zip(texts) {
                let count =
                    perturb_line(session, item, text, plan, cancelled, |variant, perturbed| {
                        made.texts.push(perturbed.text.to_owned());
                        if plan.edits {
                            let mut json = String::new();
                            write_edits(&mut json, item + 1, variant, perturbed)?;
                            made.edits.push(json);
                        }
                        Ok(())
                    })?;
                made.counts.push(count);
            }
            Ok(made)
        },
    )?;
    let mut all = PerturbedTexts::default();
    for part in parts {
        all.texts.extend(part.texts);
        all.counts.extend(part.counts);
        all.edits.extend(part.edits);
    }
    Ok(all)
}

/// What [`perturb_texts`] makes.
#[derive(Clone, Debug, Default)]
pub struct PerturbedTexts {
    /// The perturbed texts; the variants of a text follow each other.
    pub texts: Vec<String>,
    /// How many variants each text has, at most those of the plan.
    pub counts: Vec<u64>,
    /// The edits of each perturbed text as JSON; empty unless the plan asks for them.
    pub edits: Vec<String>,
}

fn write_edits(
    json: &mut String,
    line: u64,
    variant: u64,
    perturbed: Perturbed<'_>,
) -> std::fmt::Result {
    write!(json, "{{\"line\":{line},\"variant\":{variant},")?;
    if let Some(similarity) = perturbed.similarity {
        write!(json, "\"s_src\":{similarity},")?;
    }
    json.push_str("\"edits\":[");
    for (index, edit) in perturbed.edits().enumerate() {
        let comma = if index > 0 { "," } else { "" };
        write!(json, "{comma}{{\"start\":{},\"end\":{},\"replacement\":\"", edit.start, edit.end)?;
        push_escaped(json, edit.replacement)?;
        write!(json, "\",\"kind\":\"{}\"}}", edit.kind.name())?;
    }
    json.push_str("]}");
    Ok(())
}

/// Writes a text between the quotation marks of a JSON string.
fn push_escaped(json: &mut String, text: &str) -> std::fmt::Result {
    for character in text.chars() {
        match character {
            '"' => json.push_str("\\\""),
            '\\' => json.push_str("\\\\"),
            // Line separators are legal in JSON but end a line for some readers.
            '\u{0}'..='\u{1f}' | '\u{7f}' | '\u{2028}' | '\u{2029}' => {
                write!(json, "\\u{:04x}", u32::from(character))?;
            }
            _ => json.push(character),
        }
    }
    Ok(())
}
