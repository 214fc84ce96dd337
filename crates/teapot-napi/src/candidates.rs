//! Words, candidates and edits for searches that wait for a victim in JavaScript.

use std::sync::Arc;

use napi_derive::napi;
use teapot_core::error::shortened;
use teapot_core::patience::Patience;
use teapot_core::perturb::{
    AttackRules, AttackedText as Core, Blank, Edit, EditKind, ParsedText, Protection, Span, apply,
    changed_words as count_changed_words, invert,
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

/// Makes texts ready for one attack.
#[napi]
pub struct CandidateGenerator {
    rules: Arc<AttackRules>,
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
            let mut rules = AttackRules::default();
            rules.transformations = attack.transformations;
            rules.constraints = options.constraints()?.or(attack.constraints);
            rules.protection = options.protection()?;
            rules.key = Key::default().then(options.seed()?);
            Ok(Self { rules: Arc::new(rules) })
        })
    }

    /// The words of a text in order.
    #[napi]
    pub fn words(&self, text: String) -> Vec<TextWord> {
        words_of(&ParsedText::new(&text, &self.rules.protection))
    }

    /// Takes a text apart; `item` is its position among all texts of the run: with the seed it decides every draw. `locked` are the
    /// ends of spans that no edit may touch: start, end, start, end …
    #[napi]
    pub fn open(&self, text: String, item: u32, locked: Option<Vec<u32>>) -> AttackedText {
        let ends = locked.unwrap_or_default();
        let spans = ends.chunks_exact(2).map(|ends| Span::new(ends[0] as usize, ends[1] as usize));
        let spans: Vec<Span> = spans.collect();
        AttackedText(Core::with_locked(&text, Arc::clone(&self.rules), u64::from(item), &spans))
    }
}

fn words_of(text: &ParsedText) -> Vec<TextWord> {
    let word = |(position, &span): (usize, &Span)| TextWord {
        start: index(span.start),
        end: index(span.end),
        text: text.slice_text(span).to_owned(),
        changeable: !text.is_protected_word(position),
    };
    text.words().iter().enumerate().map(word).collect()
}

/// A text under attack: what a search changes and asks about.
#[napi]
pub struct AttackedText(Core);

#[napi]
impl AttackedText {
    /// The words in order.
    #[napi]
    pub fn words(&self) -> Vec<TextWord> {
        words_of(self.0.original())
    }

    /// The positions of the words that the attack may change and has not changed yet.
    #[napi]
    pub fn changeable(&self) -> Vec<u32> {
        self.0.changeable().into_iter().map(index).collect()
    }

    /// The original with each of these words blanked: `[UNK]` stands in its place, or (`isLeftOut`) nothing, and one blank goes with it.
    #[napi]
    pub fn without(&self, words: Vec<u32>, is_left_out: bool) -> Vec<String> {
        let blank = if is_left_out { Blank::Nothing } else { Blank::Unknown };
        words.into_iter().map(|word| self.0.without(word as usize, blank)).collect()
    }

    /// Turns to the original with these edits, in order; tells whether the constraints allow the last of them beside the others.
    ///
    /// # Errors
    ///
    /// `ERR_TEAPOT_INVALID_OPTION` for edits of an unknown kind, or that overlap or reach beyond the text.
    #[napi]
    pub fn begin(&mut self, edits: Vec<AttackEdit>) -> Result<bool> {
        guard(|| self.0.begin(&to_core(&edits)?, &Patience::endless()).map_err(from_core))
    }

    /// Makes the candidates of one word, or of the whole text, beside the edits made so far, in the order of their texts, each text
    /// once. Gives their number.
    ///
    /// # Errors
    ///
    /// `ERR_TEAPOT_INTERNAL` when the core panicked.
    #[napi]
    pub fn propose(&mut self, draw: u32, word: Option<u32>) -> Result<u32> {
        guard(|| {
            let word = word.map(|word| word as usize);
            let count = self.0.propose(u64::from(draw), word, &Patience::endless());
            count.map(index).map_err(from_core)
        })
    }

    /// The texts of the proposed candidates `start..end`.
    #[napi]
    pub fn texts(&self, start: u32, end: u32) -> Vec<String> {
        self.0.texts(start as usize, end as usize)
    }

    /// The word that a proposed candidate changes; −1 where it changes the text as a whole.
    #[napi]
    pub fn word_of(&self, candidate: u32) -> i32 {
        let word = self.0.candidate(candidate as usize).and_then(|candidate| candidate.word);
        word.and_then(|word| i32::try_from(word).ok()).unwrap_or(-1)
    }

    /// The edit of a proposed candidate on the original; `null` of one that doesn't exist.
    #[napi]
    pub fn edit_of(&self, candidate: u32) -> Option<AttackEdit> {
        self.0.candidate(candidate as usize).map(|candidate| candidate.edit.to_edit().into())
    }

    /// Makes the edit of a proposed candidate.
    ///
    /// # Errors
    ///
    /// `ERR_TEAPOT_INTERNAL` when the core panicked.
    #[napi]
    pub fn accept(&mut self, candidate: u32) -> Result<()> {
        guard(|| self.0.accept(candidate as usize, &Patience::endless()).map_err(from_core))
    }

    /// The edits made so far, in order.
    #[napi]
    pub fn edits(&self) -> Vec<AttackEdit> {
        self.0.edits().map(|edit| edit.to_edit().into()).collect()
    }
}

/// Number of words of each text.
#[napi]
pub fn count_words(texts: Vec<String>) -> Vec<u32> {
    let count = |text: String| index(ParsedText::new(&text, &Protection::default()).words().len());
    texts.into_iter().map(count).collect()
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
