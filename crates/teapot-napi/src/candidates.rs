//! Words, candidates and edits for searches that wait for a victim in JavaScript.

use napi_derive::napi;
use teapot_core::error::shortened;
use teapot_core::patience::Patience;
use teapot_core::perturb::{
    CandidateOptions, Candidates, Constraints, Edit, EditKind, ParsedText, Protection, Span,
    Transformation, apply, candidates, changed_words as count_changed_words, invert,
};
use teapot_core::random::Key;

use crate::error::{Code, Error, Result, from_core};
use crate::perturb::PerturbOptions;
use crate::task::guard;

/// One replacement in a text: the code points `start..end` of the original become `replacement`.
#[napi(object)]
#[derive(Clone)]
pub struct AttackEdit {
    /// Index of the first code point replaced.
    pub start: u32,
    /// Index after the last code point replaced.
    pub end: u32,
    /// What stands there afterwards.
    pub replacement: String,
    /// What the edit does, for example `swap`.
    pub kind: String,
}

impl AttackEdit {
    fn to_core(&self) -> Result<Edit> {
        let kind = EditKind::ALL.into_iter().find(|kind| kind.name() == self.kind);
        let kind = kind.ok_or_else(|| {
            let message =
                format!("kind is `{}`, expected one of editKinds()", shortened(&self.kind));
            Error::new(Code::InvalidOption, message)
        })?;
        let (start, end) = (self.start as usize, self.end as usize);
        Ok(Edit { start, end, replacement: self.replacement.clone(), kind })
    }
}

impl From<Edit> for AttackEdit {
    fn from(edit: Edit) -> Self {
        Self {
            start: index(edit.start),
            end: index(edit.end),
            replacement: edit.replacement,
            kind: edit.kind.name().to_owned(),
        }
    }
}

/// A position in a text: texts from JavaScript have fewer than 2^30 code points.
fn index(position: usize) -> u32 {
    u32::try_from(position).unwrap_or(u32::MAX)
}

fn to_core(edits: &[AttackEdit]) -> Result<Vec<Edit>> {
    edits.iter().map(AttackEdit::to_core).collect()
}

/// Which candidates are asked for.
#[napi(object)]
#[derive(Clone, Default)]
pub struct CandidateRequest {
    /// The text's position among all; with the seed it decides every draw. 0 unless given.
    pub item: Option<u32>,
    /// A number that gives other draws for the same text. 0 unless given.
    pub draw: Option<u32>,
    /// Only the candidates of this word.
    pub word: Option<u32>,
    /// Edits made already, in order.
    pub edits: Option<Vec<AttackEdit>>,
    /// Give the texts as well; true unless given.
    pub texts: Option<bool>,
}

/// Candidates in their defined order.
#[napi(object)]
pub struct CandidateList {
    /// The word that each candidate changes; −1 where it changes the text as a whole.
    pub words: Vec<i32>,
    /// The edit of each candidate on the original.
    pub edits: Vec<AttackEdit>,
    /// The text with the edits made already and that of each candidate; empty unless asked for.
    pub texts: Vec<String>,
}

/// A word of a text.
#[napi(object)]
pub struct TextWord {
    /// Index of its first code point.
    pub start: u32,
    /// Index after its last code point.
    pub end: u32,
    /// The word.
    pub text: String,
    /// Tells whether it overlaps nothing that is protected.
    pub changeable: bool,
}

/// Makes the candidates of texts for one attack.
#[napi]
pub struct CandidateGenerator {
    transformations: Vec<Transformation>,
    constraints: Constraints,
    protection: Protection,
    key: Key,
}

#[napi]
impl CandidateGenerator {
    /// Prepares an attack; its `rate` and `maxEdits` mean nothing here.
    ///
    /// # Errors
    ///
    /// `ERR_TEAPOT_INVALID_OPTION`.
    #[napi(constructor)]
    pub fn new(options: PerturbOptions) -> Result<Self> {
        guard(|| {
            let attack = options.attack()?;
            Ok(Self {
                transformations: attack.transformations,
                constraints: options.constraints()?.or(attack.constraints),
                protection: options.protection()?,
                key: Key::default().then(options.seed()?),
            })
        })
    }

    /// The words of a text in order.
    #[napi]
    pub fn words(&self, text: String) -> Vec<TextWord> {
        let parsed = ParsedText::new(&text, &self.protection);
        let word = |(position, &span): (usize, &Span)| TextWord {
            start: index(span.start),
            end: index(span.end),
            text: parsed.slice_text(span).to_owned(),
            changeable: !parsed.is_protected_word(position),
        };
        parsed.words().iter().enumerate().map(word).collect()
    }

    /// The candidates of a text.
    ///
    /// # Errors
    ///
    /// `ERR_TEAPOT_INVALID_OPTION` for edits of an unknown kind, and for edits that overlap, are out of order or
    /// reach beyond the text.
    #[napi]
    pub fn candidates(
        &self,
        text: String,
        request: Option<CandidateRequest>,
    ) -> Result<CandidateList> {
        guard(|| {
            let request = request.unwrap_or_default();
            let made = to_core(request.edits.as_deref().unwrap_or_default())?;
            let parsed = ParsedText::new(&text, &self.protection);
            let mut options = CandidateOptions::default();
            let (item, draw) = (request.item.unwrap_or(0), request.draw.unwrap_or(0));
            options.key = self.key.then(u64::from(item)).then(u64::from(draw));
            options.word = request.word.map(|word| word as usize);
            options.edits = &made;
            let mut found = Candidates::default();
            candidates(
                &parsed,
                &self.transformations,
                &self.constraints,
                &options,
                &Patience::endless(),
                &mut found,
            )
            .map_err(from_core)?;
            let mut list =
                CandidateList { words: Vec::new(), edits: Vec::new(), texts: Vec::new() };
            for candidate in found.iter() {
                let word = candidate.word.and_then(|word| i32::try_from(word).ok());
                list.words.push(word.unwrap_or(-1));
                list.edits.push(candidate.edit.to_edit().into());
                if request.texts.unwrap_or(true) {
                    list.texts.push(parsed.edited_with(&made, candidate.edit));
                }
            }
            Ok(list)
        })
    }
}

/// The text with these edits, which are in order and don't overlap.
///
/// # Errors
///
/// `ERR_TEAPOT_INVALID_OPTION` for edits that overlap or reach beyond the text.
#[napi]
pub fn apply_edits(text: String, edits: Vec<AttackEdit>) -> Result<String> {
    guard(|| apply(&text, &to_core(&edits)?).map_err(from_core))
}

/// The edits that undo these edits.
///
/// # Errors
///
/// As `applyEdits`.
#[napi]
pub fn invert_edits(text: String, edits: Vec<AttackEdit>) -> Result<Vec<AttackEdit>> {
    guard(|| {
        let undo = invert(&text, &to_core(&edits)?).map_err(from_core)?;
        Ok(undo.into_iter().map(AttackEdit::from).collect())
    })
}

/// Number of words changed, by alignment of the words of both texts.
#[napi]
pub fn changed_words(original: String, edited: String) -> u32 {
    index(count_changed_words(&original, &edited))
}
