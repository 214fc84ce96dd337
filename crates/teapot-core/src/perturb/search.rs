//! Greedy searches for victims that answer at once: the same kernels as a search that waits, measured as a whole.
//!
//! A search keeps the best text so far, never asks more than its budget, takes the first of equals, and ends at the
//! goal. Source of both searches: TextAttack 0.3.11, `GreedyWordSwapWIR` and `GreedySearch`.

use crate::patience::Patience;
use crate::random::Key;

use super::candidates::{CandidateOptions, Candidates, candidates_with};
use super::check::Check;
use super::constraints::Constraints;
use super::edit::{Edit, EditKind, EditView};
use super::parsed_text::ParsedText;
use super::transform::Transformation;

/// What a victim says of a text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Verdict {
    /// How near the goal is: higher is better. NaN counts as lowest.
    pub score: f64,
    /// The goal is reached.
    pub succeeded: bool,
}

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SearchEnd {
    /// The goal was reached.
    Succeeded,
    /// The goal was reached before any edit.
    NotNeeded,
    /// No candidate was left.
    Exhausted,
    /// The budget was used up.
    BudgetExhausted,
    /// The budget didn't allow a single query.
    NotAttempted,
}

/// The outcome of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct Perturbation {
    /// The edits of the best text, in order; none if nothing was better than the original.
    pub edits: Vec<Edit>,
    /// The best text.
    pub text: String,
    /// Its score; negative infinity if no query was made.
    pub score: f64,
    /// Queries made, ranking included; at most the budget.
    pub queries: usize,
    /// Why the search ended.
    pub end: SearchEnd,
}

/// How words are ordered before they are attacked; ties by position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Ranking {
    /// By the score of the text in which `[UNK]` stands for the word, highest first.
    #[default]
    Unknown,
    /// By the score of the text without the word and one space beside it, highest first.
    Delete,
    /// At random.
    Random,
}

/// Parameters of a search.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct SearchOptions {
    /// What random choices depend on.
    pub key: Key,
    /// Most queries; no limit if `None`.
    pub budget: Option<usize>,
}

/// Attacks words in the order of their importance: each one gets its best candidate if that is strictly better than what
/// stands there.
///
/// Words that the constraints forbid are not ranked. At the goal the search ends with the best of the candidates that
/// reached it.
///
/// ```
/// use teapot_core::perturb::*;
/// // A victim that likes vowels: the fewer, the nearer the goal.
/// let vowels = |text: &str| text.chars().filter(|c| "aeiou".contains(*c)).count();
/// let victim = |text: &str| Verdict {
///     score: -(vowels(text) as f64),
///     succeeded: vowels(text) <= 3,
/// };
/// let attack = attack_of("delete:positions=all", &Resources::default())?;
/// let text = ParsedText::new("a good deed", &Protection::default());
/// let found = greedy_by_importance(
///     &text, &attack.transformations, &attack.constraints, Ranking::Delete, SearchOptions::default(), victim,
/// );
/// // The original, three texts without a word, and the three different texts each that a deletion makes of "good" and "deed".
/// assert_eq!((found.text.as_str(), found.queries), ("a god ded", 1 + 3 + 3 + 3));
/// # Ok::<(), teapot_core::error::Error>(())
/// ```
pub fn greedy_by_importance(
    text: &ParsedText,
    transformations: &[Transformation],
    constraints: &Constraints,
    ranking: Ranking,
    options: SearchOptions,
    victim: impl FnMut(&str) -> Verdict,
) -> Perturbation {
    let mut search = Search::new(text, transformations, constraints, options, victim);
    if search.begin() {
        for word in search.ranked(ranking) {
            if !search.attack(Some(word), true) {
                break;
            }
        }
    }
    search.finish()
}

/// Takes the best candidate of all words, again and again, until the goal is reached or no candidate is left; the best
/// text of all rounds is the outcome, even when a later one was worse.
pub fn greedy(
    text: &ParsedText,
    transformations: &[Transformation],
    constraints: &Constraints,
    options: SearchOptions,
    victim: impl FnMut(&str) -> Verdict,
) -> Perturbation {
    let mut search = Search::new(text, transformations, constraints, options, victim);
    if search.begin() {
        let mut made = usize::MAX;
        while made != search.check.edits().iter().len() {
            made = search.check.edits().iter().len();
            if !search.attack(None, false) {
                break;
            }
        }
    }
    search.finish()
}

/// A search under way.
struct Search<'s, V> {
    text: &'s ParsedText,
    transformations: &'s [Transformation],
    constraints: &'s Constraints,
    options: SearchOptions,
    victim: V,
    /// The edits of the current text.
    check: Check,
    found: Candidates,
    edited: String,
    /// The score of the current text.
    current: f64,
    best: f64,
    best_edits: Vec<Edit>,
    queries: usize,
    end: SearchEnd,
}

impl<'s, V: FnMut(&str) -> Verdict> Search<'s, V> {
    fn new(
        text: &'s ParsedText,
        transformations: &'s [Transformation],
        constraints: &'s Constraints,
        options: SearchOptions,
        victim: V,
    ) -> Self {
        Self {
            text,
            transformations,
            constraints,
            options,
            victim,
            check: Check::default(),
            found: Candidates::default(),
            edited: String::new(),
            current: f64::NEG_INFINITY,
            best: f64::NEG_INFINITY,
            best_edits: Vec::new(),
            queries: 0,
            end: SearchEnd::Exhausted,
        }
    }

    /// Asks for the original; tells whether the search goes on.
    fn begin(&mut self) -> bool {
        let Some(verdict) = self.ask(self.text.text()) else {
            self.end = SearchEnd::NotAttempted;
            return false;
        };
        (self.current, self.best) = (verdict.score, verdict.score);
        self.check.begin(self.constraints, self.text);
        if verdict.succeeded {
            self.end = SearchEnd::NotNeeded;
        }
        !verdict.succeeded
    }

    /// Asks the victim, if the budget allows it.
    fn ask(&mut self, text: &str) -> Option<Verdict> {
        if self.options.budget.is_some_and(|budget| self.queries >= budget) {
            self.end = SearchEnd::BudgetExhausted;
            return None;
        }
        self.queries += 1;
        let Verdict { score, succeeded } = (self.victim)(text);
        Some(Verdict { score: if score.is_nan() { f64::NEG_INFINITY } else { score }, succeeded })
    }

    /// Asks for the current text with one more edit.
    fn ask_with(&mut self, edit: EditView<'_>) -> Option<Verdict> {
        let mut edited = std::mem::take(&mut self.edited);
        edited.clear();
        self.check.edits().write_with(self.text, edit, &mut edited);
        let verdict = self.ask(&edited);
        self.edited = edited;
        verdict
    }

    /// The words that may be changed, most important first; as far as the budget goes.
    fn ranked(&mut self, ranking: Ranking) -> Vec<usize> {
        let (text, constraints) = (self.text, self.constraints);
        let words = 0..text.words().len();
        let mut words: Vec<usize> =
            words.filter(|&word| self.check.may_change(constraints, text, word)).collect();
        if ranking == Ranking::Random {
            self.options.key.then(u64::MAX).generator().shuffle(&mut words);
            return words;
        }
        let mut ranked = Vec::with_capacity(words.len());
        for word in words {
            let span = match ranking {
                Ranking::Delete => Transformation::deleted_span(text, word),
                _ => text.words()[word],
            };
            let replacement = if ranking == Ranking::Delete { "" } else { "[UNK]" };
            let (start, end) = (span.start, span.end);
            let edit = EditView { start, end, replacement, kind: EditKind::Replace };
            let Some(verdict) = self.ask_with(edit) else { break };
            ranked.push((word, verdict.score));
        }
        // Stable: equally important words keep their order.
        ranked.sort_by(|left, right| right.1.total_cmp(&left.1));
        ranked.into_iter().map(|(word, _)| word).collect()
    }

    /// Makes the best candidate of a word, or of all; only if it is better than the current text where `strictly`. Tells
    /// whether the search goes on.
    fn attack(&mut self, word: Option<usize>, strictly: bool) -> bool {
        let mut found = std::mem::take(&mut self.found);
        let options =
            CandidateOptions { key: self.options.key, word, ..CandidateOptions::default() };
        let Self { text, transformations, constraints, check, .. } = self;
        let endless = Patience::endless();
        let made = candidates_with(
            check,
            text,
            transformations,
            constraints,
            &options,
            &endless,
            &mut found,
        );
        debug_assert!(made.is_ok(), "endless patience");
        let mut top: Option<(usize, Verdict)> = None;
        for (index, candidate) in found.iter().enumerate() {
            let Some(verdict) = self.ask_with(candidate.edit) else { break };
            let is_better = top.is_none_or(|(_, best)| {
                (verdict.succeeded, verdict.score) > (best.succeeded, best.score)
            });
            if is_better {
                top = Some((index, verdict));
            }
        }
        if let Some((index, verdict)) = top
            && (verdict.succeeded || !strictly || verdict.score > self.current)
            && let Some(candidate) = found.get(index)
        {
            let made = self.check.accept(self.constraints, self.text, candidate.edit, &endless);
            debug_assert!(made.is_ok(), "endless patience");
            self.current = verdict.score;
            if verdict.succeeded || verdict.score > self.best {
                self.best = verdict.score;
                self.best_edits = self.check.edits().iter().map(EditView::to_edit).collect();
            }
            if verdict.succeeded {
                self.end = SearchEnd::Succeeded;
            }
        }
        self.found = found;
        self.end == SearchEnd::Exhausted
    }

    fn finish(mut self) -> Perturbation {
        self.edited.clear();
        self.text.write_edited(self.best_edits.iter().map(Edit::view), &mut self.edited);
        Perturbation {
            edits: self.best_edits,
            text: self.edited,
            score: self.best,
            queries: self.queries,
            end: self.end,
        }
    }
}
