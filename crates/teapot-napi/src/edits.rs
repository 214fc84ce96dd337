//! Edits between texts, and texts folded to what a reader sees.

use std::sync::atomic::Ordering;

use napi::bindgen_prelude::AsyncTask;
use napi_derive::napi;
use teapot_core::edits as core;
use teapot_core::patience::Patience;
use teapot_core::text::fold::{Folding, fold};

use crate::error::{Code, Error, Result, from_core};
use crate::task::{Cancellation, Job, flag_of, spawn};

/// One edit. Positions count code points from 0.
#[napi(object)]
pub struct TextEdit {
    /// `swap`, `drop`, `add`, `substitute`, `homoglyph`, `invisible`, `case`, `whitespace`, `word_replaced`,
    /// `word_inserted`, `word_deleted`, `appended` or `prepended`.
    #[napi(
        ts_type = "'swap' | 'drop' | 'add' | 'substitute' | 'homoglyph' | 'invisible' | 'case' | 'whitespace' | 'word_replaced' | 'word_inserted' | 'word_deleted' | 'appended' | 'prepended'"
    )]
    pub kind: String,
    /// Where `original` starts in the original text.
    pub original_position: u32,
    /// Where `edited` starts in the edited text.
    pub edited_position: u32,
    /// What stood there; empty for an insertion.
    pub original: String,
    /// What stands there now; empty for a deletion.
    pub edited: String,
}

/// Everything that was done to a text.
#[napi(object)]
pub struct TextEdits {
    /// The edits in the order of the texts.
    pub edits: Vec<TextEdit>,
    /// Levenshtein distance over code points; missing for texts so long that it would take minutes.
    pub char_distance: Option<u32>,
    /// Levenshtein distance over words; missing as above.
    pub word_distance: Option<u32>,
    /// Words of the original.
    pub words: u32,
    /// Code points of the original.
    pub chars: u32,
}

/// What `foldTexts` makes the same; nothing by default.
#[napi(object)]
pub struct FoldOptions {
    /// Remove invisible characters and replace look-alikes by one of their kind (UTS 39 skeleton).
    pub confusables: Option<bool>,
    /// Lower case.
    pub case: Option<bool>,
    /// Every run of whitespace becomes one space, none at the ends.
    pub whitespace: Option<bool>,
}

/// Finds what was done to each text, on the thread pool: words aligned first, characters second. N reports, same order.
#[napi(ts_return_type = "Promise<Array<TextEdits>>")]
pub fn find_edits(
    originals: Vec<String>,
    edited: Vec<String>,
    cancellation: Option<&Cancellation>,
) -> AsyncTask<Job<Vec<TextEdits>>> {
    let cancelled = flag_of(cancellation);
    spawn(move || {
        same_length(originals.len(), edited.len())?;
        let is_cancelled = || cancelled.load(Ordering::Relaxed);
        let patience = Patience::new(&is_cancelled);
        let mut reports = Vec::with_capacity(originals.len());
        for (original, edited) in originals.iter().zip(&edited) {
            patience.ask().map_err(from_core)?;
            let report = core::try_edits(original, edited, &patience).map_err(from_core)?;
            reports.push(convert(report));
        }
        Ok(reports)
    })
}

/// Folds texts to what a reader sees, on the thread pool: for comparing, not for showing. N texts, same order.
#[napi(ts_return_type = "Promise<Array<string>>")]
pub fn fold_texts(texts: Vec<String>, options: FoldOptions) -> AsyncTask<Job<Vec<String>>> {
    spawn(move || {
        let mut folding = Folding::default();
        folding.confusables = options.confusables.unwrap_or(false);
        folding.case = options.case.unwrap_or(false);
        folding.whitespace = options.whitespace.unwrap_or(false);
        Ok(texts.iter().map(|text| fold(text, folding)).collect())
    })
}

fn same_length(originals: usize, edited: usize) -> Result<()> {
    if originals == edited {
        return Ok(());
    }
    let message =
        format!("{originals} original and {edited} edited texts: expected as many of both");
    Err(Error::new(Code::LengthMismatch, message))
}

fn convert(report: core::EditReport) -> TextEdits {
    let edits = report.edits.into_iter().map(|edit| TextEdit {
        kind: edit.kind.name().to_owned(),
        original_position: count(edit.original_position),
        edited_position: count(edit.edited_position),
        original: edit.original,
        edited: edit.edited,
    });
    TextEdits {
        edits: edits.collect(),
        char_distance: report.char_distance.map(count),
        word_distance: report.word_distance.map(count),
        words: count(report.words),
        chars: count(report.chars),
    }
}

/// A text that JavaScript holds is shorter than 2^29.
fn count(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}
