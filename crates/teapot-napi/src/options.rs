//! Metric options as JavaScript writes them, turned into metrics of the core.

use std::str::FromStr;

use napi_derive::napi;
use teapot_core::error::Error as CoreError;
use teapot_core::score::bleu::{Bleu, Smoothing};
use teapot_core::score::chrf::Chrf;
use teapot_core::score::edit::Edit;
use teapot_core::score::exact_match::ExactMatch;
use teapot_core::score::metric::Metric;
use teapot_core::score::squad::{SquadExactMatch, SquadF1, SquadVersion};
use teapot_core::score::ter::Ter;
use teapot_core::score::token_f1::TokenF1;

use crate::error::{Code, Error, Result, from_core};

/// A metric and its parameters; what is left out has the metric's default. `src/score/registry.ts` says which parameters a
/// kind takes.
#[napi(object)]
#[derive(Clone, Default)]
pub struct MetricOptions {
    /// `chrf`, `bleu`, `ter`, `exact_match`, `token_f1`, `squad_f1`, `squad_em` or `edit`.
    pub kind: String,
    /// chrF: longest character n-gram.
    pub char_order: Option<u32>,
    /// chrF: longest word n-gram.
    pub word_order: Option<u32>,
    /// chrF: weight of recall against precision.
    pub beta: Option<f64>,
    /// chrF, BLEU, exact match: compare lowercased texts.
    pub lowercase: Option<bool>,
    /// chrF: keep whitespace in character n-grams.
    pub whitespace: Option<bool>,
    /// chrF: epsilon smoothing instead of effective order.
    pub eps_smoothing: Option<bool>,
    /// BLEU: `13a`, `none`, `char`, `intl` or `zh`.
    pub tokenizer: Option<String>,
    /// BLEU: `none`, `floor`, `add-k` or `exp`.
    pub smoothing: Option<String>,
    /// BLEU: the value of `floor` and `add-k`.
    pub smooth_value: Option<f64>,
    /// BLEU: longest n-gram.
    pub max_order: Option<u32>,
    /// BLEU: leave orders without n-grams out.
    pub effective_order: Option<bool>,
    /// Exact match: leave trailing whitespace out of the comparison.
    pub strip: Option<bool>,
    /// SQuAD: `1` or `2`.
    pub version: Option<u32>,
    /// Edit similarity: `levenshtein`, `osa`, `indel` or `jaro_winkler`.
    pub distance: Option<String>,
    /// Edit similarity: `char` or `word`.
    pub unit: Option<String>,
    /// TER: tercom's normalisation.
    pub normalized: Option<bool>,
    /// TER: remove punctuation.
    pub no_punct: Option<bool>,
    /// TER: split Asian characters.
    pub asian_support: Option<bool>,
    /// TER: distinguish case.
    pub case_sensitive: Option<bool>,
}

impl TryFrom<&MetricOptions> for Metric {
    type Error = Error;

    fn try_from(options: &MetricOptions) -> Result<Self> {
        match options.kind.as_str() {
            "chrf" => chrf(options).map(Self::Chrf),
            "bleu" => bleu(options).map(Self::Bleu),
            "ter" => Ok(Self::Ter(ter(options))),
            "exact_match" => Ok(Self::ExactMatch(exact_match(options))),
            "token_f1" => Ok(Self::TokenF1(TokenF1)),
            "squad_f1" => Ok(Self::SquadF1(SquadF1 { version: squad_version(options)? })),
            "squad_em" => {
                Ok(Self::SquadExactMatch(SquadExactMatch { version: squad_version(options)? }))
            }
            "edit" => edit(options).map(Self::Edit),
            other => Err(Error::new(
                Code::InvalidOption,
                format!("kind is {other}, expected a native metric"),
            )),
        }
    }
}

fn chrf(options: &MetricOptions) -> Result<Chrf> {
    let default = Chrf::default();
    let metric = Chrf {
        char_order: options.char_order.map_or(default.char_order, |order| order as usize),
        word_order: options.word_order.map_or(default.word_order, |order| order as usize),
        beta: options.beta.unwrap_or(default.beta),
        lowercase: options.lowercase.unwrap_or(default.lowercase),
        whitespace: options.whitespace.unwrap_or(default.whitespace),
        eps_smoothing: options.eps_smoothing.unwrap_or(default.eps_smoothing),
    };
    metric.validate().map_err(from_core)?;
    Ok(metric)
}

fn bleu(options: &MetricOptions) -> Result<Bleu> {
    let default = Bleu::default();
    let smoothing = match options.smoothing.as_deref() {
        None => default.smoothing,
        Some(name) => Smoothing::from_name(name).ok_or_else(|| {
            let expected = Smoothing::NAMES.join(", ");
            Error::new(
                Code::InvalidOption,
                format!("smoothing is {name}, expected one of {expected}"),
            )
        })?,
    };
    let smoothing = match (smoothing, options.smooth_value) {
        (_, None) => smoothing,
        (Smoothing::Floor(_), Some(value)) => Smoothing::Floor(value),
        (Smoothing::AddK(_), Some(value)) => Smoothing::AddK(value),
        (Smoothing::None | Smoothing::Exp, Some(_)) => {
            let message = format!("smoothing {} takes no smooth_value", smoothing.name());
            return Err(Error::new(Code::InvalidOption, message));
        }
    };
    let metric = Bleu {
        tokenizer: parsed(options.tokenizer.as_deref(), default.tokenizer)?,
        lowercase: options.lowercase.unwrap_or(default.lowercase),
        smoothing,
        max_order: options.max_order.map_or(default.max_order, |order| order as usize),
        effective_order: options.effective_order.unwrap_or(default.effective_order),
    };
    metric.validate().map_err(from_core)?;
    Ok(metric)
}

fn ter(options: &MetricOptions) -> Ter {
    let default = Ter::default();
    Ter {
        normalized: options.normalized.unwrap_or(default.normalized),
        no_punct: options.no_punct.unwrap_or(default.no_punct),
        asian_support: options.asian_support.unwrap_or(default.asian_support),
        case_sensitive: options.case_sensitive.unwrap_or(default.case_sensitive),
    }
}

fn exact_match(options: &MetricOptions) -> ExactMatch {
    let default = ExactMatch::default();
    ExactMatch {
        lowercase: options.lowercase.unwrap_or(default.lowercase),
        strip: options.strip.unwrap_or(default.strip),
    }
}

fn squad_version(options: &MetricOptions) -> Result<SquadVersion> {
    match options.version {
        None | Some(2) => Ok(SquadVersion::V2),
        Some(1) => Ok(SquadVersion::V1),
        Some(other) => {
            Err(Error::new(Code::InvalidOption, format!("version is {other}, expected 1 or 2")))
        }
    }
}

fn edit(options: &MetricOptions) -> Result<Edit> {
    let default = Edit::default();
    Ok(Edit {
        distance: parsed(options.distance.as_deref(), default.distance)?,
        unit: parsed(options.unit.as_deref(), default.unit)?,
    })
}

/// The value of a word, or the default when there is none.
fn parsed<T: FromStr<Err = CoreError>>(word: Option<&str>, default: T) -> Result<T> {
    word.map_or(Ok(default), str::parse).map_err(from_core)
}
