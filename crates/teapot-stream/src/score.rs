//! A corpus scored block by block: reading, scoring and what the caller does with the scores overlap.

use std::sync::atomic::{AtomicBool, Ordering};

use teapot_core::parallel;
use teapot_core::patience::Patience;
use teapot_core::score::metric::{Metric, SegmentCounter, SegmentScorer};
use teapot_core::text::whitespace;

use crate::corpus::{CorpusBlock, CorpusReader};
use crate::error::{Error, Fault, Result};

/// Segments that a worker takes at once.
const WORKER_SEGMENTS: usize = 256;

/// Which column of the corpus is what: positions in the list of inputs.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// The original sources.
    pub src: Option<usize>,
    /// The perturbed sources, one column an attack.
    pub adv_src: Vec<usize>,
    /// The outputs for the original sources.
    pub out: Option<usize>,
    /// The outputs for the perturbed sources, one column an attack.
    pub adv_out: Vec<usize>,
    /// The references, any number of columns.
    pub refs: Vec<usize>,
}

/// What is computed of a corpus.
#[derive(Clone, Debug)]
pub struct ScorePlan {
    /// Which column is what.
    pub layout: Layout,
    /// The metrics of the source side; none leaves that side out.
    pub s_src: Vec<Metric>,
    /// The metrics of the target side; none leaves that side out.
    pub s_tgt: Vec<Metric>,
    /// Whether the counts of the corpus level are summed up beside the scores.
    pub corpus_level: bool,
    /// Which part of the segments is scored; `None` for all of them.
    pub shard: Option<Shard>,
}

/// One of several parts of a corpus, which are scored apart: every `count`-th block of segments.
///
/// Each part reads all files, so that each knows their lengths and hashes; only its own blocks are scored.
#[derive(Clone, Copy, Debug)]
pub struct Shard {
    /// Which part, from 0.
    pub index: u64,
    /// The number of parts, at least 1.
    pub count: u64,
}

impl Shard {
    /// Whether a block belongs to this part. Blocks are the same in every part: they depend on the texts alone.
    fn has(self, block: &CorpusBlock) -> bool {
        block.first_segment / WORKER_SEGMENTS as u64 % self.count.max(1) == self.index
    }
}

/// The scores of some consecutive segments: fractions in `[0, 1]`.
#[derive(Clone, Debug, Default)]
pub struct ScoredBlock {
    /// The number of segments before this block.
    pub first_segment: u64,
    /// The number of segments.
    pub segments: usize,
    /// What the metrics of the source side say: score(x′, x), one an attack; no `base`.
    pub s_src: Vec<SideScores>,
    /// What the metrics of the target side say.
    pub s_tgt: Vec<SideScores>,
    /// Segments in which a text of the source side is blank.
    pub blank_source: u64,
    /// Segments in which a text of the target side is blank.
    pub blank_target: u64,
    /// A byte a segment: 1 where a text of the source side is blank, plus 2 for the target side.
    pub blank_sides: Vec<u8>,
}

/// What one metric says of one side of a block.
#[derive(Clone, Debug, Default)]
pub struct SideScores {
    /// score(y(x), y*), the same for every attack.
    pub base: Option<SegmentScores>,
    /// Of each attack: score(x′, x) on the source side; on the target side score(y(x′), y*) or, without references,
    /// score(y(x′), y(x)).
    pub attacks: Vec<SegmentScores>,
}

/// The scores of the segments of a block under one metric.
#[derive(Clone, Debug, Default)]
pub struct SegmentScores {
    /// One fraction a segment.
    pub scores: Vec<f64>,
    /// What the metric counts for its corpus level, summed up over the segments; empty unless it was asked for, and for a
    /// metric without a corpus level.
    pub sums: Vec<f64>,
}

impl SegmentScores {
    fn append(&mut self, more: Self) {
        self.scores.extend(more.scores);
        add_counts(&mut self.sums, &more.sums);
    }
}

impl SideScores {
    fn append(&mut self, more: Self) {
        if let (Some(base), Some(more)) = (&mut self.base, more.base) {
            base.append(more);
        }
        for (scores, more) in self.attacks.iter_mut().zip(more.attacks) {
            scores.append(more);
        }
    }
}

fn add_counts(sums: &mut Vec<f64>, counts: &[f64]) {
    sums.resize(sums.len().max(counts.len()), 0.0);
    for (sum, count) in sums.iter_mut().zip(counts) {
        *sum += count;
    }
}

/// Scores a corpus on worker threads.
pub struct CorpusScorer {
    reader: CorpusReader,
    plan: ScorePlan,
    threads: usize,
}

/// The scorers of one worker, by side.
struct Worker<'plan> {
    s_src: Vec<SideScorer<'plan>>,
    s_tgt: Vec<SideScorer<'plan>>,
}

/// One metric of a side, with the buffers of one worker.
struct SideScorer<'plan> {
    scorer: Box<dyn SegmentScorer + 'plan>,
    counter: Option<Box<dyn SegmentCounter + 'plan>>,
    scores: Vec<f64>,
    counts: Vec<Vec<f64>>,
}

impl<'plan> SideScorer<'plan> {
    fn all(metrics: &'plan [Metric], corpus_level: bool) -> Vec<Self> {
        let new = |metric: &'plan Metric| Self {
            scorer: metric.scorer(),
            counter: if corpus_level { metric.counter() } else { None },
            scores: Vec::new(),
            counts: Vec::new(),
        };
        metrics.iter().map(new).collect()
    }

    /// Adds the scores of one segment: of `base` the first hypothesis, if there is a base, of the attacks the others.
    fn add(
        &mut self,
        hypotheses: &[&str],
        references: &[&str],
        side: &mut SideScores,
        patience: &Patience,
    ) -> Result<()> {
        self.scores.clear();
        self.scores.resize(hypotheses.len(), 0.0);
        self.scorer.score(hypotheses, references, &mut self.scores, patience)?;
        if let Some(counter) = &mut self.counter {
            self.counts.resize(hypotheses.len(), Vec::new());
            self.counts.iter_mut().for_each(Vec::clear);
            counter.count(hypotheses, references, &mut self.counts, patience)?;
        }
        for (index, into) in side.base.iter_mut().chain(&mut side.attacks).enumerate() {
            into.scores.push(self.scores[index]);
            if let Some(counts) = self.counts.get(index) {
                add_counts(&mut into.sums, counts);
            }
        }
        Ok(())
    }
}

impl CorpusScorer {
    /// Scores what `reader` gives as `plan` says, on `threads` threads (0: one a core).
    ///
    /// # Errors
    ///
    /// [`Fault::Option`] when the plan names a metric for a side without texts, or a column that is no input.
    pub fn new(reader: CorpusReader, plan: ScorePlan, threads: usize) -> Result<Self> {
        let layout = &plan.layout;
        if !plan.s_src.is_empty() && (layout.src.is_none() || layout.adv_src.is_empty()) {
            return Err(Error::new(Fault::Option, "the source side needs src and adv_src"));
        }
        if !plan.s_tgt.is_empty() && (layout.out.is_none() || layout.adv_out.is_empty()) {
            return Err(Error::new(Fault::Option, "the target side needs out and adv_out"));
        }
        let columns =
            layout.src.iter().chain(&layout.adv_src).chain(&layout.out).chain(&layout.adv_out);
        if columns.chain(&layout.refs).any(|&column| column >= reader.columns()) {
            return Err(Error::new(Fault::Option, "the plan names an input that is not there"));
        }
        Ok(Self { reader, plan, threads: parallel::thread_count(threads) })
    }

    /// The corpus that is result.
    pub fn reader(&self) -> &CorpusReader {
        &self.reader
    }

    /// Scores the next segments: at least `segments`, unless the corpus ends before, and at most one worker's share more.
    /// `None` after the last one.
    ///
    /// # Errors
    ///
    /// Those of [`CorpusReader::read_block`], and [`Fault::Cancelled`].
    pub fn next_block(
        &mut self,
        segments: usize,
        cancelled: &AtomicBool,
    ) -> Result<Option<ScoredBlock>> {
        let Self { reader, plan, threads } = self;
        let mut taken = 0;
        let parts = parallel::map_ordered(
            *threads,
            || {
                if cancelled.load(Ordering::Relaxed) {
                    return Err(Error::cancelled());
                }
                if taken >= segments {
                    return Ok(None);
                }
                loop {
                    let block = reader.read_block(WORKER_SEGMENTS, cancelled)?;
                    let Some(block) = block else { return Ok(None) };
                    if plan.shard.is_none_or(|shard| shard.has(&block)) {
                        taken += block.len();
                        return Ok(Some(block));
                    }
                    if cancelled.load(Ordering::Relaxed) {
                        return Err(Error::cancelled());
                    }
                }
            },
            || Worker::of(plan),
            |worker, block| worker.score(&plan.layout, &block, cancelled),
        )?;
        Ok(join(parts))
    }
}

/// Scores a block that is there already, on this thread.
///
/// # Errors
///
/// [`Fault::Option`] when the plan names a column that is not there, [`Fault::LengthMismatch`] when the columns have different
/// lengths, and [`Fault::Cancelled`].
pub fn score_block(
    plan: &ScorePlan,
    block: &CorpusBlock,
    cancelled: &AtomicBool,
) -> Result<ScoredBlock> {
    let Layout { src, adv_src, out, adv_out, refs } = &plan.layout;
    let mut named = src.iter().chain(adv_src).chain(out).chain(adv_out).chain(refs);
    if named.any(|&column| column >= block.columns.len()) {
        return Err(Error::new(Fault::Option, "the plan names a column that is not there"));
    }
    if let Some(column) = block.columns.iter().find(|column| column.len() != block.len()) {
        let message = format!("columns of {} and {} texts", block.len(), column.len());
        return Err(Error::new(Fault::LengthMismatch, message));
    }
    Worker::of(plan).score(&plan.layout, block, cancelled)
}

impl<'plan> Worker<'plan> {
    fn of(plan: &'plan ScorePlan) -> Self {
        Self {
            s_src: SideScorer::all(&plan.s_src, plan.corpus_level),
            s_tgt: SideScorer::all(&plan.s_tgt, plan.corpus_level),
        }
    }

    fn score(
        &mut self,
        layout: &Layout,
        block: &CorpusBlock,
        cancelled: &AtomicBool,
    ) -> Result<ScoredBlock> {
        let segments = block.len();
        let mut result = ScoredBlock {
            first_segment: block.first_segment,
            segments,
            blank_sides: vec![0; segments],
            ..ScoredBlock::default()
        };
        let is_cancelled = || cancelled.load(Ordering::Relaxed);
        let patience = Patience::new(&is_cancelled);
        let of_metrics = |scorers: &[SideScorer], base: bool, attacks: usize| -> Vec<SideScores> {
            let new = || SegmentScores { scores: Vec::with_capacity(segments), sums: Vec::new() };
            let side = || SideScores {
                base: base.then(new),
                attacks: std::iter::repeat_with(new).take(attacks).collect(),
            };
            scorers.iter().map(|_| side()).collect()
        };
        if let (false, Some(src)) = (self.s_src.is_empty(), layout.src) {
            result.s_src = of_metrics(&self.s_src, false, layout.adv_src.len());
            let mut hypotheses = Vec::with_capacity(layout.adv_src.len());
            for line in 0..segments {
                patience.ask()?;
                let reference = block.columns[src].line(line);
                hypotheses.clear();
                hypotheses
                    .extend(layout.adv_src.iter().map(|&column| block.columns[column].line(line)));
                for (scorer, side) in self.s_src.iter_mut().zip(&mut result.s_src) {
                    scorer.add(&hypotheses, &[reference], side, &patience)?;
                }
                if any_blank(&hypotheses, &[reference]) {
                    result.blank_source += 1;
                    result.blank_sides[line] |= 1;
                }
            }
        }
        if let (false, Some(out)) = (self.s_tgt.is_empty(), layout.out) {
            let against_references = !layout.refs.is_empty();
            result.s_tgt = of_metrics(&self.s_tgt, against_references, layout.adv_out.len());
            let mut hypotheses = Vec::with_capacity(layout.adv_out.len() + 1);
            let mut references = Vec::with_capacity(layout.refs.len().max(1));
            for line in 0..segments {
                patience.ask()?;
                let output = block.columns[out].line(line);
                hypotheses.clear();
                references.clear();
                if against_references {
                    hypotheses.push(output);
                    references
                        .extend(layout.refs.iter().map(|&column| block.columns[column].line(line)));
                } else {
                    references.push(output);
                }
                hypotheses
                    .extend(layout.adv_out.iter().map(|&column| block.columns[column].line(line)));
                for (scorer, side) in self.s_tgt.iter_mut().zip(&mut result.s_tgt) {
                    scorer.add(&hypotheses, &references, side, &patience)?;
                }
                if any_blank(&hypotheses, &references) {
                    result.blank_target += 1;
                    result.blank_sides[line] |= 2;
                }
            }
        }
        Ok(result)
    }
}

fn any_blank(hypotheses: &[&str], references: &[&str]) -> bool {
    hypotheses.iter().chain(references).any(|text| whitespace::is_blank(text))
}

/// Puts the parts of the workers together; `None` when there is none.
fn join(parts: Vec<ScoredBlock>) -> Option<ScoredBlock> {
    let mut parts = parts.into_iter();
    let mut whole = parts.next()?;
    for part in parts {
        whole.segments += part.segments;
        for (side, more) in whole.s_src.iter_mut().zip(part.s_src) {
            side.append(more);
        }
        for (side, more) in whole.s_tgt.iter_mut().zip(part.s_tgt) {
            side.append(more);
        }
        whole.blank_source += part.blank_source;
        whole.blank_target += part.blank_target;
        whole.blank_sides.extend(part.blank_sides);
    }
    Some(whole)
}
