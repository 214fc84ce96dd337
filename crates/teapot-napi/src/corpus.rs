//! Files scored or read block by block: the JavaScript side asks for the next block when it is ready for it.

use std::sync::{Arc, Mutex, PoisonError};

use napi::bindgen_prelude::{
    AsyncTask, FromNapiValue, Int32Array, JsObjectValue, JsValue, Object, Uint8Array, Unknown,
};
use napi_derive::napi;
use teapot_core::error::shortened;
use teapot_core::score::metric::Metric;
use teapot_stream::corpus::{CorpusBlock, CorpusReader, InputReport as StreamReport};
use teapot_stream::input::Encoding;
use teapot_stream::lines::{LineBlock, LineRules};
use teapot_stream::patient::Stop;
use teapot_stream::score::{
    CorpusScorer as StreamScorer, Layout, ScorePlan, ScoredBlock as StreamBlock, SegmentScores,
    Shard, score_block,
};
use teapot_stream::table::{TableColumn, TableFormat};

use crate::error::{Code, Error, Result, from_stream};
use crate::options::MetricOptions;
use crate::task::{Cancellation, Job, flag_of, guard, spawn};

/// How the lines of files are read.
#[napi(object)]
#[derive(Clone, Default)]
pub struct ReadOptions {
    /// `utf-8` (default), `latin-1`, `windows-1252`, `utf-16`, or any label of the Encoding Standard.
    pub encoding: Option<String>,
    /// Leave whitespace at the end of a line where it is; false unless given.
    pub keep_trailing_whitespace: Option<bool>,
}

impl ReadOptions {
    pub(crate) fn rules(&self) -> Result<LineRules> {
        let encoding = self.encoding.as_deref().map_or(Ok(Encoding::default()), |label| {
            Encoding::for_label(label).ok_or_else(|| {
                let found = shortened(label);
                Error::new(
                    Code::InvalidOption,
                    format!(
                        "encoding is {found}, expected utf-8, latin-1, windows-1252, utf-16 or another label of the \
                         Encoding Standard, such as gbk"
                    ),
                )
            })
        })?;
        Ok(LineRules {
            encoding,
            keep_trailing_whitespace: self.keep_trailing_whitespace.unwrap_or(false),
        })
    }
}

/// A table whose columns are read in place of files.
#[napi(object)]
#[derive(Clone)]
pub struct TablePlan {
    /// Its path.
    pub path: String,
    /// `csv`, `tsv` or `jsonl`.
    pub format: String,
}

/// Line-aligned files and the metrics that score them. Paths; `-` is standard input. With a table, its columns.
#[napi(object)]
#[derive(Clone)]
pub struct CorpusPlan {
    /// The table whose columns the other fields name.
    pub table: Option<TablePlan>,
    /// Original sources.
    pub src: Option<String>,
    /// Perturbed sources, one file an attack.
    pub adv_src: Option<Vec<String>>,
    /// Outputs for the original sources.
    pub out: Option<String>,
    /// Outputs for the perturbed sources, one file an attack.
    pub adv_out: Option<Vec<String>>,
    /// References, any number of files.
    pub refs: Option<Vec<String>>,
    /// Metrics of the source side; leave out to skip that side.
    pub s_src: Option<Vec<MetricOptions>>,
    /// Metrics of the target side; leave out to skip that side.
    pub s_tgt: Option<Vec<MetricOptions>>,
    /// Sum up what metrics count for their corpus level; false unless given.
    pub corpus_level: Option<bool>,
    /// Worker threads; 0 or missing: one a core.
    pub threads: Option<u32>,
    /// How lines are read.
    pub read: Option<ReadOptions>,
    /// Which part of the segments is scored; all unless given.
    pub shard: Option<ShardOptions>,
}

/// One of several parts of a corpus: every `count`-th block of segments.
#[napi(object)]
#[derive(Clone)]
pub struct ShardOptions {
    /// Which part, from 0.
    pub index: u32,
    /// The number of parts, at least 1.
    pub count: u32,
}

/// Which scores of a block: one array an attack, except for `base`.
#[napi(string_enum = "camelCase")]
pub enum ScoreKind {
    /// score(x′, x).
    SSrc,
    /// score(y(x), y*); the same for every attack.
    Base,
    /// score(y(x′), y*), or score(y(x′), y(x)) without references.
    Attacked,
}

/// The scores of consecutive segments: fractions in [0, 1].
///
/// They are taken one array at a time into memory that JavaScript uses again for the next block. Arrays made here would be
/// garbage of a megabyte a block, which V8 lets grow to 70 MB before it looks.
#[napi]
pub struct ScoredBlock {
    block: StreamBlock,
    estimated_segments: Option<f64>,
}

#[napi]
#[expect(clippy::cast_precision_loss, reason = "counts of lines stay far below 2^53")]
impl ScoredBlock {
    /// Segments before this block.
    #[napi(getter)]
    pub fn first_segment(&self) -> f64 {
        self.block.first_segment as f64
    }

    /// Segments in this block.
    #[napi(getter)]
    pub fn segments(&self) -> u32 {
        u32::try_from(self.block.segments).unwrap_or(u32::MAX)
    }

    /// Segments in which a text of the source side is blank.
    #[napi(getter)]
    pub fn blank_source(&self) -> f64 {
        self.block.blank_source as f64
    }

    /// Segments in which a text of the target side is blank.
    #[napi(getter)]
    pub fn blank_target(&self) -> f64 {
        self.block.blank_target as f64
    }

    /// A byte a segment: 1 where a text of the source side is blank, plus 2 for the target side.
    #[napi(getter)]
    pub fn blank_sides(&self) -> Uint8Array {
        self.block.blank_sides.clone().into()
    }

    /// About how many segments there will be in all; null when all inputs are pipes.
    #[napi(getter)]
    pub fn estimated_segments(&self) -> Option<f64> {
        self.estimated_segments
    }

    /// What a metric counts for its corpus level, summed up over the segments of the block; empty unless the plan asked for
    /// it, and for a metric without a corpus level.
    ///
    /// `metric` is its place in the plan's list; sums can be taken once.
    #[napi]
    pub fn sums(&mut self, kind: ScoreKind, metric: u32, attack: u32) -> Vec<f64> {
        let scores = self.scores(&kind, metric, attack);
        scores.map(|found| std::mem::take(&mut found.sums)).unwrap_or_default()
    }

    fn scores(&mut self, kind: &ScoreKind, metric: u32, attack: u32) -> Option<&mut SegmentScores> {
        let side = match kind {
            ScoreKind::SSrc => self.block.s_src.get_mut(metric as usize)?,
            ScoreKind::Base | ScoreKind::Attacked => self.block.s_tgt.get_mut(metric as usize)?,
        };
        match kind {
            ScoreKind::Base => side.base.as_mut(),
            ScoreKind::SSrc | ScoreKind::Attacked => side.attacks.get_mut(attack as usize),
        }
    }

    /// Moves the scores of one kind, metric (its place in the plan's list) and attack into `into`; they can be taken once.
    ///
    /// # Errors
    ///
    /// `ERR_TEAPOT_INTERNAL` unless `into` is exactly as long as there are scores, and in memory that isn't shared with
    /// other threads.
    #[napi]
    pub fn take(
        &mut self,
        kind: ScoreKind,
        metric: u32,
        attack: u32,
        #[napi(ts_arg_type = "Float64Array")] into: Object<'_>,
    ) -> Result<()> {
        guard(|| {
            let internal = |error: napi::Error| Error::new(Code::Internal, error.reason.clone());
            let memory: Unknown<'_> = into.get_named_property("buffer").map_err(internal)?;
            if !memory.is_arraybuffer().map_err(internal)? {
                let message = "the array's memory is shared with other threads".to_owned();
                return Err(Error::new(Code::Internal, message));
            }
            let into = <&mut [f64]>::from_unknown(into.to_unknown()).map_err(internal)?;
            let scores = self.scores(&kind, metric, attack);
            let scores = scores.map(|found| std::mem::take(&mut found.scores)).unwrap_or_default();
            if scores.len() != into.len() {
                let (found, expected) = (into.len(), scores.len());
                let message = format!("an array of {found} for {expected} scores");
                return Err(Error::new(Code::Internal, message));
            }
            into.copy_from_slice(&scores);
            Ok(())
        })
    }
}

/// What is known of an input once it has been read.
#[napi(object)]
pub struct InputReport {
    /// The path as given, or `<stdin>`.
    pub name: String,
    /// Lines read.
    pub lines: f64,
    /// SHA-256 of the file's own bytes, in hexadecimal.
    pub sha256: String,
    /// Carriage returns inside lines.
    pub lone_carriage_returns: f64,
    /// Characters U+0080 to U+009F of an input that is read as latin-1: it is rather windows-1252.
    pub control_characters: f64,
    /// Lines that end in a space and a full stop, as tokenised text does.
    pub tokenized_lines: f64,
    /// Lines of a file that hold white space alone, or nothing; absent for a table.
    pub blank_lines: Option<f64>,
    /// The lines of a table's rows that repeat its header and were left out.
    pub repeated_headers: Option<Vec<f64>>,
}

/// Something that is opened by its first use: opening may wait for a pipe, so it happens on the thread pool.
pub(crate) enum Opening<P, T> {
    Planned(P),
    Open(T),
    Failed,
}

impl<P, T> Opening<P, T> {
    pub(crate) fn opened(&mut self, open: impl FnOnce(P) -> Result<T>) -> Result<&mut T> {
        if let Self::Planned(_) = self
            && let Self::Planned(plan) = std::mem::replace(self, Self::Failed)
        {
            *self = Self::Open(open(plan)?);
        }
        match self {
            Self::Open(value) => Ok(value),
            _ => Err(Error::new(Code::Internal, "used after it failed".to_owned())),
        }
    }
}

type Shared<P, T> = Arc<Mutex<Opening<P, T>>>;

/// Scores line-aligned files block by block, in flat memory, on worker threads.
#[napi]
pub struct CorpusScorer {
    state: Shared<CorpusPlan, StreamScorer>,
    stop: Stop,
}

#[napi]
impl CorpusScorer {
    /// Plans the run; files are opened by the first `next`.
    #[napi(constructor)]
    pub fn new(plan: CorpusPlan) -> Self {
        Self { state: Arc::new(Mutex::new(Opening::Planned(plan))), stop: Stop::default() }
    }

    /// Scores the next segments, about `segments` of them; `null` after the last one.
    #[napi(ts_return_type = "Promise<ScoredBlock | null>")]
    pub fn next(
        &self,
        segments: u32,
        cancellation: Option<&Cancellation>,
    ) -> AsyncTask<Job<Option<ScoredBlock>>> {
        let state = Arc::clone(&self.state);
        let (cancelled, stop) = (flag_of(cancellation), self.stop.clone());
        spawn(move || {
            let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
            stop.watch(&cancelled);
            let scorer = state.opened(|plan| open_scorer(&plan, &stop))?;
            let block =
                scorer.next_block(segments.max(1) as usize, &cancelled).map_err(from_stream)?;
            let estimated_segments = scorer.reader().estimated_segments();
            Ok(block.map(|block| ScoredBlock { block, estimated_segments }))
        })
    }

    /// What is known of each input, in the order src, advSrc, out, advOut, refs; complete after the last block.
    #[napi(ts_return_type = "Promise<Array<InputReport>>")]
    pub fn inputs(&self) -> AsyncTask<Job<Vec<InputReport>>> {
        let (state, stop) = (Arc::clone(&self.state), self.stop.clone());
        spawn(move || {
            let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
            let scorer = state.opened(|plan| open_scorer(&plan, &stop))?;
            Ok(scorer.reader().reports().into_iter().map(InputReport::from).collect())
        })
    }
}

/// Reads line-aligned files block by block as strings: for scorers that live outside the native core.
#[napi]
pub struct CorpusLines {
    state: Shared<(Vec<String>, ReadOptions), CorpusReader>,
    stop: Stop,
}

#[napi]
impl CorpusLines {
    /// Plans the run; files are opened by the first `next`.
    #[napi(constructor)]
    pub fn new(paths: Vec<String>, read: Option<ReadOptions>) -> Self {
        let plan = (paths, read.unwrap_or_default());
        Self { state: Arc::new(Mutex::new(Opening::Planned(plan))), stop: Stop::default() }
    }

    /// The next segments: one array of lines a file, all of the same length, at most `segments`; `null` after the last one.
    #[napi(ts_return_type = "Promise<Array<Array<string>> | null>")]
    pub fn next(
        &self,
        segments: u32,
        cancellation: Option<&Cancellation>,
    ) -> AsyncTask<Job<Option<Vec<Vec<String>>>>> {
        let state = Arc::clone(&self.state);
        let (cancelled, stop) = (flag_of(cancellation), self.stop.clone());
        spawn(move || {
            let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
            stop.watch(&cancelled);
            let reader = state.opened(|(paths, read)| open_reader(&paths, &read, &stop))?;
            let block =
                reader.read_block(segments.max(1) as usize, &cancelled).map_err(from_stream)?;
            Ok(block.map(|block| {
                let lines =
                    block.columns.iter().map(|column| column.lines().map(str::to_owned).collect());
                lines.collect()
            }))
        })
    }

    /// What is known of each input, in the order of the paths; complete after the last block.
    #[napi(ts_return_type = "Promise<Array<InputReport>>")]
    pub fn inputs(&self) -> AsyncTask<Job<Vec<InputReport>>> {
        let (state, stop) = (Arc::clone(&self.state), self.stop.clone());
        spawn(move || {
            let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
            let reader = state.opened(|(paths, read)| open_reader(&paths, &read, &stop))?;
            Ok(reader.reports().into_iter().map(InputReport::from).collect())
        })
    }
}

/// A column of texts as Apache Arrow holds them (`utf8`).
#[napi(object)]
pub struct TextColumn {
    /// UTF-8 of all texts, one after the other.
    pub values: Uint8Array,
    /// Where each text begins, and where the last one ends: one more than texts. The first one stands for the first byte.
    pub offsets: Int32Array,
}

/// Texts that are there, and the metrics that score them.
#[napi(object)]
pub struct ColumnsPlan {
    /// Original sources.
    pub src: Option<TextColumn>,
    /// Perturbed sources.
    pub adv_src: Option<TextColumn>,
    /// Outputs for the original sources.
    pub out: Option<TextColumn>,
    /// Outputs for the perturbed sources.
    pub adv_out: Option<TextColumn>,
    /// References, any number of columns.
    pub refs: Vec<TextColumn>,
    /// Metric of the source side; leave out to skip that side.
    pub s_src: Option<MetricOptions>,
    /// Metric of the target side; leave out to skip that side.
    pub s_tgt: Option<MetricOptions>,
    /// Leave whitespace at the end of a text where it is; false unless given.
    pub keep_trailing_whitespace: Option<bool>,
}

/// Scores columns of texts without making strings of them: one attack, on one thread of the pool.
#[napi(ts_return_type = "Promise<ScoredBlock>")]
pub fn score_columns(
    plan: ColumnsPlan,
    cancellation: Option<&Cancellation>,
) -> AsyncTask<Job<ScoredBlock>> {
    let cancelled = flag_of(cancellation);
    // The memory of the columns is JavaScript's: what the thread reads is its own.
    let copy = |column: TextColumn| (column.values.to_vec(), column.offsets.to_vec());
    let ColumnsPlan { src, adv_src, out, adv_out, refs, s_src, s_tgt, .. } = plan;
    let sides = [src, adv_src, out, adv_out].map(|column| column.map(copy));
    let refs: Vec<_> = refs.into_iter().map(copy).collect();
    let keep = plan.keep_trailing_whitespace.unwrap_or(false);
    spawn(move || {
        let mut columns = Vec::new();
        let mut add = |(values, offsets): (Vec<u8>, Vec<i32>)| {
            columns.push(LineBlock::from_arrow(values, &offsets, keep).map_err(from_stream)?);
            Ok::<usize, Error>(columns.len() - 1)
        };
        let [src, adv_src, out, adv_out] = sides.map(|column| column.map(&mut add).transpose());
        let layout = Layout {
            src: src?,
            adv_src: adv_src?.into_iter().collect(),
            out: out?,
            adv_out: adv_out?.into_iter().collect(),
            refs: refs.into_iter().map(&mut add).collect::<Result<_>>()?,
        };
        let metric =
            |options: &Option<MetricOptions>| options.iter().map(Metric::try_from).collect();
        let s_src: Result<_> = metric(&s_src);
        let s_tgt: Result<_> = metric(&s_tgt);
        let plan =
            ScorePlan { layout, s_src: s_src?, s_tgt: s_tgt?, corpus_level: false, shard: None };
        let block = CorpusBlock { first_segment: 0, columns };
        let block = score_block(&plan, &block, &cancelled).map_err(from_stream)?;
        Ok(ScoredBlock { block, estimated_segments: None })
    })
}

fn open_reader(paths: &[String], read: &ReadOptions, stop: &Stop) -> Result<CorpusReader> {
    CorpusReader::open(paths, read.rules()?, stop).map_err(from_stream)
}

/// Opens a table; outputs and references are labels, sources aren't.
fn open_table(
    table: &TablePlan,
    names: Vec<String>,
    layout: &Layout,
    read: &ReadOptions,
    stop: &Stop,
) -> Result<CorpusReader> {
    let format = match table.format.as_str() {
        "csv" => TableFormat::Csv,
        "tsv" => TableFormat::Tsv,
        "jsonl" => TableFormat::Jsonl,
        other => {
            let message = format!("format is {}, expected csv, tsv or jsonl", shortened(other));
            return Err(Error::new(Code::InvalidOption, message));
        }
    };
    let is_source = |column: usize| layout.src == Some(column) || layout.adv_src.contains(&column);
    let columns = names.into_iter().enumerate();
    let columns = columns.map(|(column, name)| TableColumn { name, is_label: !is_source(column) });
    CorpusReader::open_table(&table.path, format, columns.collect(), read.rules()?, stop)
        .map_err(from_stream)
}

fn open_scorer(plan: &CorpusPlan, stop: &Stop) -> Result<StreamScorer> {
    let mut paths = Vec::new();
    let mut add = |path: &String| {
        paths.push(path.clone());
        paths.len() - 1
    };
    let layout = Layout {
        src: plan.src.as_ref().map(&mut add),
        adv_src: plan.adv_src.iter().flatten().map(&mut add).collect(),
        out: plan.out.as_ref().map(&mut add),
        adv_out: plan.adv_out.iter().flatten().map(&mut add).collect(),
        refs: plan.refs.iter().flatten().map(&mut add).collect(),
    };
    let metrics = |options: &Option<Vec<MetricOptions>>| {
        options.iter().flatten().map(Metric::try_from).collect::<Result<Vec<_>>>()
    };
    let shard = plan.shard.as_ref();
    let plan_of = ScorePlan {
        layout,
        s_src: metrics(&plan.s_src)?,
        s_tgt: metrics(&plan.s_tgt)?,
        corpus_level: plan.corpus_level.unwrap_or(false),
        shard: shard.map(|part| Shard { index: part.index.into(), count: part.count.into() }),
    };
    let read = plan.read.clone().unwrap_or_default();
    let reader = match &plan.table {
        None => open_reader(&paths, &read, stop)?,
        Some(table) => open_table(table, paths, &plan_of.layout, &read, stop)?,
    };
    StreamScorer::new(reader, plan_of, plan.threads.unwrap_or(0) as usize).map_err(from_stream)
}

#[expect(clippy::cast_precision_loss, reason = "counts of lines stay far below 2^53")]
impl From<StreamReport> for InputReport {
    fn from(report: StreamReport) -> Self {
        Self {
            name: report.name,
            lines: report.lines as f64,
            sha256: report.sha256,
            lone_carriage_returns: report.lone_carriage_returns as f64,
            control_characters: report.control_characters as f64,
            tokenized_lines: report.tokenized_lines as f64,
            blank_lines: report.blank_lines.map(|lines| lines as f64),
            repeated_headers: (!report.repeated_headers.is_empty())
                .then(|| report.repeated_headers.iter().map(|&line| line as f64).collect()),
        }
    }
}
