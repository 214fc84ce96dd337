//! A corpus scored block by block: reading, scoring and what the caller does with the scores overlap.

use std::sync::atomic::{AtomicBool, Ordering};

use teapot_core::parallel;
use teapot_core::patience::Patience;
use teapot_core::score::metric::{Metric, SegmentScorer};
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
    /// The metric of the source side; `None` leaves that side out.
    pub s_src: Option<Metric>,
    /// The metric of the target side; `None` leaves that side out.
    pub s_tgt: Option<Metric>,
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

/// The scores of some consecutive segments: fractions in `[0, 1]`, one vector an attack, each as long as the block.
#[derive(Clone, Debug, Default)]
pub struct ScoredBlock {
    /// The number of segments before this block.
    pub first_segment: u64,
    /// The number of segments.
    pub segments: usize,
    /// score(x′, x), one vector an attack; empty without a source side.
    pub s_src: Vec<Vec<f64>>,
    /// score(y(x), y*); empty without references.
    pub base: Vec<f64>,
    /// score(y(x′), y*) or, without references, score(y(x′), y(x)), one vector an attack; empty without a target side.
    pub attacked: Vec<Vec<f64>>,
    /// Segments in which a text of the source side is blank.
    pub blank_source: u64,
    /// Segments in which a text of the target side is blank.
    pub blank_target: u64,
}

/// Scores a corpus on worker threads.
pub struct CorpusScorer {
    reader: CorpusReader,
    plan: ScorePlan,
    threads: usize,
}

/// The two scorers of one worker.
struct Worker<'plan> {
    s_src: Option<Box<dyn SegmentScorer + 'plan>>,
    s_tgt: Option<Box<dyn SegmentScorer + 'plan>>,
}

impl CorpusScorer {
    /// Scores what `reader` gives as `plan` says, on `threads` threads (0: one a core).
    ///
    /// # Errors
    ///
    /// [`Fault::Option`] when the plan names a metric for a side without texts, or a column that is no input.
    pub fn new(reader: CorpusReader, plan: ScorePlan, threads: usize) -> Result<Self> {
        let layout = &plan.layout;
        if plan.s_src.is_some() && (layout.src.is_none() || layout.adv_src.is_empty()) {
            return Err(Error::new(Fault::Option, "the source side needs src and adv_src"));
        }
        if plan.s_tgt.is_some() && (layout.out.is_none() || layout.adv_out.is_empty()) {
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
            || Worker {
                s_src: plan.s_src.as_ref().map(Metric::scorer),
                s_tgt: plan.s_tgt.as_ref().map(Metric::scorer),
            },
            |worker, block| worker.score(&plan.layout, &block, cancelled),
        )?;
        Ok(join(parts))
    }
}

impl Worker<'_> {
    fn score(
        &mut self,
        layout: &Layout,
        block: &CorpusBlock,
        cancelled: &AtomicBool,
    ) -> Result<ScoredBlock> {
        let segments = block.len();
        let mut result =
            ScoredBlock { first_segment: block.first_segment, segments, ..ScoredBlock::default() };
        let is_cancelled = || cancelled.load(Ordering::Relaxed);
        let patience = Patience::new(&is_cancelled);
        if let (Some(scorer), Some(src)) = (&mut self.s_src, layout.src) {
            result.s_src = layout.adv_src.iter().map(|_| Vec::with_capacity(segments)).collect();
            let mut scores = vec![0.0; layout.adv_src.len()];
            let mut hypotheses = Vec::with_capacity(scores.len());
            for line in 0..segments {
                patience.ask()?;
                let reference = block.columns[src].line(line);
                hypotheses.clear();
                hypotheses
                    .extend(layout.adv_src.iter().map(|&column| block.columns[column].line(line)));
                scorer.score(&hypotheses, &[reference], &mut scores, &patience)?;
                for (vector, &score) in result.s_src.iter_mut().zip(&scores) {
                    vector.push(score);
                }
                result.blank_source += u64::from(any_blank(&hypotheses, &[reference]));
            }
        }
        if let (Some(scorer), Some(out)) = (&mut self.s_tgt, layout.out) {
            result.attacked = layout.adv_out.iter().map(|_| Vec::with_capacity(segments)).collect();
            let against_references = !layout.refs.is_empty();
            let mut hypotheses = Vec::with_capacity(layout.adv_out.len() + 1);
            let mut references = Vec::with_capacity(layout.refs.len().max(1));
            let mut scores = vec![0.0; layout.adv_out.len() + usize::from(against_references)];
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
                scorer.score(&hypotheses, &references, &mut scores, &patience)?;
                let attacked = if let (true, Some((&base, attacked))) =
                    (against_references, scores.split_first())
                {
                    result.base.push(base);
                    attacked
                } else {
                    &scores
                };
                for (vector, &score) in result.attacked.iter_mut().zip(attacked) {
                    vector.push(score);
                }
                result.blank_target += u64::from(any_blank(&hypotheses, &references));
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
        whole.base.extend(part.base);
        for (vector, more) in whole.s_src.iter_mut().zip(part.s_src) {
            vector.extend(more);
        }
        for (vector, more) in whole.attacked.iter_mut().zip(part.attacked) {
            vector.extend(more);
        }
        whole.blank_source += part.blank_source;
        whole.blank_target += part.blank_target;
    }
    Some(whole)
}
