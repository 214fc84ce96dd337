//! Attacks without a victim: files perturbed block by block, texts that JavaScript holds, and candidates for a search.

use std::sync::{Arc, Mutex, PoisonError};

use napi::bindgen_prelude::{AsyncTask, Buffer, Float64Array};
use napi_derive::napi;
use teapot_core::perturb::{
    Attack, CATALOGUE, Constraints, EditKind, PerturbOptions as CoreOptions, Perturber, Protection,
    Replacements, Resources, Similarity, attack_of, english_stop_words,
};
use teapot_core::score::metric::Metric;
use teapot_stream::corpus::InputReport as StreamReport;
use teapot_stream::input::Input;
use teapot_stream::lines::LineReader;
use teapot_stream::patient::Stop;
use teapot_stream::perturb::{
    LinePerturber as StreamPerturber, PerturbPlan, perturb_texts as perturb_all,
};

use crate::corpus::{InputReport, Opening, ReadOptions};
use crate::error::{Code, Error, Result, from_core, from_stream};
use crate::options::MetricOptions;
use crate::task::{Cancellation, Job, flag_of, spawn};

/// An attack and what it must keep. What is left out has the attack's own default.
#[napi(object)]
#[derive(Clone, Default)]
pub struct PerturbOptions {
    /// Attacks or transformations as `name` or `name:parameter=value,parameter=value`; one is drawn for each edit.
    pub attacks: Vec<String>,
    /// Share of the words (or whatever the attack counts) that are edited, a fraction.
    pub rate: Option<f64>,
    /// Most edits a text.
    pub max_edits: Option<u32>,
    /// Seed of all draws, a whole number; 12345 unless given.
    pub seed: Option<f64>,
    /// Smallest score of a text against its original, a fraction.
    pub min_s_src: Option<f64>,
    /// The metric of `minSSrc`; chrF unless given.
    pub s_src: Option<MetricOptions>,
    /// Words with fewer code points are not changed.
    pub min_word_length: Option<u32>,
    /// Words that are not changed, as written; the attack's own list unless given.
    pub stop_words: Option<Vec<String>>,
    /// Most words changed, by alignment.
    pub max_words_changed: Option<u32>,
    /// Most words changed as a share of the original's words, a fraction.
    pub max_share_changed: Option<f64>,
    /// The number of words that `maxShareChanged` allows is rounded up, as in TextAttack; false unless given.
    pub rounds_share_up: Option<bool>,
    /// Largest Levenshtein distance from the original, in code points.
    pub max_edit_distance: Option<u32>,
    /// Words and phrases that no edit may touch, in any case.
    pub protect: Option<Vec<String>>,
    /// `{placeholders}` are not touched.
    pub protect_placeholders: Option<bool>,
    /// Quoted text is not touched.
    pub protect_quoted: Option<bool>,
    /// Matches of these regular expressions (syntax of Rust's `regex`) are not touched.
    pub protect_patterns: Option<Vec<String>>,
    /// For `replace`: a word and its replacements a line, separated by tabs.
    pub replacements: Option<String>,
    /// For `charswap`: known words, one a line.
    pub vocabulary: Option<String>,
    /// For `append`: the texts.
    pub suffixes: Option<Vec<String>>,
}

impl PerturbOptions {
    fn resources(&self) -> Result<Resources> {
        let mut resources = Resources::default();
        if let Some(table) = &self.replacements {
            let table = Replacements::from_table(table).map_err(from_core)?;
            resources.replacements = Some(Arc::new(table));
        }
        resources.vocabulary = self.vocabulary.as_ref().map(|words| {
            let words = words.split('\n').map(|word| word.strip_suffix('\r').unwrap_or(word));
            Arc::new(words.map(str::to_owned).collect())
        });
        resources.suffixes = self.suffixes.clone().unwrap_or_default();
        Ok(resources)
    }

    pub(crate) fn attack(&self) -> Result<Attack> {
        let resources = self.resources()?;
        Attack::joined(self.attacks.iter().map(|name| attack_of(name, &resources)))
            .map_err(from_core)
    }

    pub(crate) fn protection(&self) -> Result<Protection> {
        let mut protection = Protection::default();
        protection.words = self.protect.clone().unwrap_or_default();
        protection.placeholders = self.protect_placeholders.unwrap_or(false);
        protection.quoted = self.protect_quoted.unwrap_or(false);
        for pattern in self.protect_patterns.iter().flatten() {
            protection.add_pattern(pattern).map_err(from_core)?;
        }
        Ok(protection)
    }

    pub(crate) fn constraints(&self) -> Result<Constraints> {
        let mut constraints = Constraints::default();
        constraints.min_word_length = self.min_word_length.map_or(0, |length| length as usize);
        constraints.stop_words =
            self.stop_words.as_ref().map(|words| Arc::new(words.iter().cloned().collect()));
        constraints.max_words_changed = self.max_words_changed.map(|words| words as usize);
        constraints.max_share_changed = fraction("max-share-changed", self.max_share_changed)?;
        constraints.rounds_share_up = self.rounds_share_up.unwrap_or(false);
        constraints.max_edit_distance = self.max_edit_distance.map(|distance| distance as usize);
        if let Some(least) = fraction("min-s-src", self.min_s_src)? {
            let chrf = MetricOptions { kind: "chrf".to_owned(), ..MetricOptions::default() };
            let metric = Metric::try_from(self.s_src.as_ref().unwrap_or(&chrf))?;
            constraints.min_similarity = Some((least, Similarity::from(&metric)));
        }
        Ok(constraints)
    }

    pub(crate) fn seed(&self) -> Result<u64> {
        let seed = self.seed.unwrap_or(12345.0);
        if seed.fract() != 0.0 || !(0.0..=9_007_199_254_740_991.0).contains(&seed) {
            return Err(invalid(format!(
                "seed is {seed}, expected a whole number from 0 to 2^53 - 1"
            )));
        }
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a whole number below 2^53"
        )]
        Ok(seed as u64)
    }

    fn perturber(&self) -> Result<Perturber> {
        let mut options = CoreOptions::default();
        options.rate = self.rate;
        options.max_edits = self.max_edits.map(|edits| edits as usize);
        options.constraints = self.constraints()?;
        options.protection = self.protection()?;
        options.seed = self.seed()?;
        Perturber::new(self.attack()?, options).map_err(from_core)
    }
}

fn fraction(option: &str, value: Option<f64>) -> Result<Option<f64>> {
    match value {
        Some(value) if !(0.0..=1.0).contains(&value) => {
            Err(invalid(format!("{option} is {value}, expected a fraction from 0 to 1")))
        }
        value => Ok(value),
    }
}

fn invalid(message: String) -> Error {
    Error::new(Code::InvalidOption, message)
}

/// What is made of each line.
#[napi(object)]
#[derive(Clone, Default)]
pub struct PerturbFileOptions {
    /// Different perturbed texts for each line; 1 unless given.
    pub variants: Option<u32>,
    /// Describe the edits as well.
    pub edits: Option<bool>,
    /// Worker threads; 0 or missing: one a core.
    pub threads: Option<u32>,
    /// How lines are read.
    pub read: Option<ReadOptions>,
}

impl PerturbFileOptions {
    fn plan(&self) -> PerturbPlan {
        PerturbPlan {
            variants: u64::from(self.variants.unwrap_or(1)),
            edits: self.edits.unwrap_or(false),
            threads: self.threads.unwrap_or(0) as usize,
        }
    }
}

/// The perturbed texts of some lines.
#[napi(object)]
pub struct PerturbedBlock {
    /// Lines read.
    pub lines: u32,
    /// Perturbed texts: fewer than lines times variants where a line has fewer.
    pub texts: f64,
    /// Perturbed texts that differ from their line.
    pub changed: f64,
    /// Number of edits of each kind, in the order of `editKinds()`.
    pub edit_counts: Float64Array,
    /// The perturbed texts in UTF-8, each with a line feed; the variants of a line follow each other.
    pub text: Buffer,
    /// One JSON object a perturbed text, each with a line feed; empty unless asked for.
    pub edits: Buffer,
    /// About how many lines there will be in all; missing for a pipe.
    pub estimated_lines: Option<f64>,
}

type State = Opening<(String, PerturbOptions, PerturbFileOptions), StreamPerturber>;

/// Perturbs a file block by block, in flat memory, on worker threads.
#[napi]
pub struct FilePerturber {
    state: Arc<Mutex<State>>,
    stop: Stop,
}

#[napi]
impl FilePerturber {
    /// Plans the run; the file (`-` is standard input) is opened by the first `next`.
    #[napi(constructor)]
    pub fn new(path: String, attack: PerturbOptions, options: Option<PerturbFileOptions>) -> Self {
        let plan = (path, attack, options.unwrap_or_default());
        Self { state: Arc::new(Mutex::new(Opening::Planned(plan))), stop: Stop::default() }
    }

    /// Perturbs the next lines, about `lines` of them; `null` after the last one.
    #[napi(ts_return_type = "Promise<PerturbedBlock | null>")]
    pub fn next(
        &self,
        lines: u32,
        cancellation: Option<&Cancellation>,
    ) -> AsyncTask<Job<Option<PerturbedBlock>>> {
        let state = Arc::clone(&self.state);
        let (cancelled, stop) = (flag_of(cancellation), self.stop.clone());
        spawn(move || {
            let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
            stop.watch(&cancelled);
            let perturber = state.opened(|plan| open(plan, &stop))?;
            let block =
                perturber.next_block(lines.max(1) as usize, &cancelled).map_err(from_stream)?;
            let estimated_lines = perturber.reader().estimated_lines();
            #[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
            Ok(block.map(|block| PerturbedBlock {
                lines: u32::try_from(block.lines).unwrap_or(u32::MAX),
                texts: block.texts as f64,
                changed: block.changed as f64,
                edit_counts: block.edits.map(|count| count as f64).to_vec().into(),
                text: block.text.into_bytes().into(),
                edits: block.edits_jsonl.into_bytes().into(),
                estimated_lines,
            }))
        })
    }

    /// What is known of the file; complete after the last block.
    #[napi(ts_return_type = "Promise<InputReport>")]
    pub fn input(&self) -> AsyncTask<Job<InputReport>> {
        let (state, stop) = (Arc::clone(&self.state), self.stop.clone());
        spawn(move || {
            let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
            let perturber = state.opened(|plan| open(plan, &stop))?;
            Ok(StreamReport::from(perturber.reader()).into())
        })
    }
}

fn open(
    (path, attack, options): (String, PerturbOptions, PerturbFileOptions),
    stop: &Stop,
) -> Result<StreamPerturber> {
    let perturber = attack.perturber()?;
    // An attack on whitespace at line ends must be able to see it.
    let mut rules = options.read.clone().unwrap_or_default().rules()?;
    rules.keep_trailing_whitespace = true;
    let input = Input::open(&path, stop).map_err(from_stream)?;
    StreamPerturber::new(LineReader::new(input, rules), perturber, options.plan())
        .map_err(from_stream)
}

/// Perturbed texts and, if asked for, their edits.
#[napi(object)]
pub struct PerturbedTexts {
    /// The texts; the variants of a text follow each other, and none is there twice.
    pub texts: Vec<String>,
    /// How many variants each text has: fewer than asked for where it has fewer.
    pub counts: Vec<u32>,
    /// One JSON object a perturbed text, without line feed; empty unless asked for.
    pub edits: Vec<String>,
}

/// Perturbs texts. `firstItem` is the position of the first one among all texts: with the seed it decides every draw.
#[napi(ts_return_type = "Promise<PerturbedTexts>")]
pub fn perturb_texts(
    texts: Vec<String>,
    attack: PerturbOptions,
    options: Option<PerturbFileOptions>,
    first_item: Option<u32>,
    cancellation: Option<&Cancellation>,
) -> AsyncTask<Job<PerturbedTexts>> {
    let cancelled = flag_of(cancellation);
    spawn(move || {
        let perturber = attack.perturber()?;
        let plan = options.unwrap_or_default().plan();
        let first = u64::from(first_item.unwrap_or(0));
        let made = perturb_all(&perturber, &texts, first, plan, &cancelled).map_err(from_stream)?;
        let counts = made.counts.iter().map(|&count| u32::try_from(count).unwrap_or(u32::MAX));
        Ok(PerturbedTexts { texts: made.texts, counts: counts.collect(), edits: made.edits })
    })
}

/// An attack or transformation that can be asked for by name.
#[napi(object)]
pub struct AttackEntry {
    /// The name.
    pub name: String,
    /// What it does, in one line.
    pub description: String,
    /// Who described it first.
    pub source: String,
    /// Its parameters as `name=value|value`; the first value is the default.
    pub parameters: Vec<String>,
}

/// Every attack without a victim, then every transformation.
#[napi]
pub fn attack_entries() -> Vec<AttackEntry> {
    let entry = |entry: &teapot_core::perturb::Entry| AttackEntry {
        name: entry.name.to_owned(),
        description: entry.description.to_owned(),
        source: entry.source.to_owned(),
        parameters: entry.parameters.iter().map(ToString::to_string).collect(),
    };
    CATALOGUE.iter().map(entry).collect()
}

/// The names of the kinds of edits, in the order of their codes.
#[napi]
pub fn edit_kinds() -> Vec<String> {
    EditKind::ALL.iter().map(|kind| kind.name().to_owned()).collect()
}

/// The built-in list of English stop words, in order of the alphabet.
#[napi]
pub fn english_stop_word_list() -> Vec<String> {
    let mut words: Vec<String> = english_stop_words().into_iter().collect();
    words.sort_unstable();
    words
}
