//! An attack spread over texts at random, without a victim.

use crate::error::{Error, Result};
use crate::patience::Patience;
use crate::random::{Generator, Key};

use super::attack::{Attack, Unit};
use super::candidates::{CandidateOptions, Candidates, candidates_with, word_candidates_of};
use super::check::Check;
use super::constraints::Constraints;
use super::edit::EditView;
use super::made_edits::MadeEdits;
use super::parsed_text::ParsedText;
use super::protect::Protection;
use super::span::Span;
use super::transform::WordContext;

/// How an attack is spread.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct PerturbOptions {
    /// Share of the units that are edited, a fraction in `[0, 1]`; the attack's own rate if `None`. Of `n` units that may
    /// be edited, `rate × n` are, rounded up.
    pub rate: Option<f64>,
    /// Most edits a text; no limit if `None`.
    pub max_edits: Option<usize>,
    /// Conditions besides those of the attack; what is set here takes the place of the attack's own.
    pub constraints: Constraints,
    /// What no edit may touch.
    pub protection: Protection,
    /// Seed of all draws.
    pub seed: u64,
}

/// An attack ready to be applied to texts.
#[derive(Clone, Debug)]
pub struct Perturber {
    attack: Attack,
    rate: f64,
    max_edits: usize,
    protection: Protection,
    key: Key,
}

impl Perturber {
    /// Puts an attack and its options together.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::InvalidOption`](crate::error::ErrorKind::InvalidOption) for a rate outside `[0, 1]`.
    pub fn new(mut attack: Attack, options: PerturbOptions) -> Result<Self> {
        let rate = options.rate.unwrap_or(attack.rate);
        if !(0.0..=1.0).contains(&rate) {
            return Err(Error::invalid_option("rate", rate, "a share from 0 to 1"));
        }
        attack.constraints = options.constraints.or(attack.constraints);
        Ok(Self {
            attack,
            rate,
            max_edits: options.max_edits.unwrap_or(usize::MAX),
            protection: options.protection,
            key: Key::default().then(options.seed),
        })
    }

    /// A worker with buffers of its own: one a thread.
    pub fn session(&self) -> Session<'_> {
        Session {
            perturber: self,
            text: ParsedText::default(),
            check: Check::default(),
            found: Candidates::default(),
            order: Vec::new(),
            places: Vec::new(),
            edited: String::new(),
        }
    }

    /// How many of `units` are edited.
    fn share_of(&self, units: usize) -> usize {
        #[expect(
            clippy::cast_precision_loss,
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "the share of a count is between 0 and the count"
        )]
        // A product like 0.07 · 100 lies a little above the whole number that is meant.
        let share = (self.rate * units as f64 - 1e-9).ceil() as usize;
        share.min(self.max_edits)
    }
}

/// Perturbs texts one after the other.
pub struct Session<'p> {
    perturber: &'p Perturber,
    text: ParsedText,
    check: Check,
    found: Candidates,
    order: Vec<usize>,
    places: Vec<Span>,
    edited: String,
}

/// A perturbed text.
#[derive(Clone, Copy)]
pub struct Perturbed<'s> {
    /// The text after the edits.
    pub text: &'s str,
    /// Its similarity to the original, a fraction; `None` unless the constraints bound it.
    pub similarity: Option<f64>,
    edits: &'s MadeEdits,
}

impl<'s> Perturbed<'s> {
    /// The edits on the original, in order; they don't overlap.
    pub fn edits(self) -> impl ExactSizeIterator<Item = EditView<'s>> {
        self.edits.iter()
    }
}

impl Session<'_> {
    /// Takes the next text.
    pub fn load(&mut self, text: &str) {
        self.text.load(text, &self.perturber.protection);
    }

    /// Perturbs the text that was loaded last.
    ///
    /// `item` is the text's position among all texts and `variant` counts the variants asked of it, both from 0: together
    /// with the seed they decide every draw. Edits that a constraint forbids are drawn again elsewhere; a text that allows
    /// fewer edits than the rate asks for gets fewer, and one that allows none stays as it is.
    ///
    /// A least similarity is tested edit by edit in texts of up to 128 words (or places, where the attack counts those).
    /// In longer ones it is tested 128 times at most: after every n-th edit, and all of them are undone if it fails.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Cancelled`](crate::error::ErrorKind::Cancelled) when the patience ends.
    pub fn perturb(
        &mut self,
        item: u64,
        variant: u64,
        patience: &Patience,
    ) -> Result<Perturbed<'_>> {
        let key = self.perturber.key.then(item).then(variant);
        let constraints = &self.perturber.attack.constraints;
        self.check.begin(constraints, &self.text);
        match self.perturber.attack.unit {
            Unit::Word => self.edit_words(key, patience)?,
            Unit::Character => self.edit_places(key, patience)?,
            Unit::Text => self.edit_text(key, patience)?,
        }
        self.edited.clear();
        self.text.write_edited(self.check.edits().iter(), &mut self.edited);
        let similarity = self.check.similarity(constraints, &self.text, &self.edited, patience)?;
        Ok(Perturbed { text: &self.edited, similarity, edits: self.check.edits() })
    }

    /// One edit a word, in words drawn without replacement.
    fn edit_words(&mut self, key: Key, patience: &Patience) -> Result<()> {
        let constraints = &self.perturber.attack.constraints;
        let words = 0..self.text.words().len();
        patience.spend(WORD_STEPS * words.len())?;
        self.order.clear();
        self.order
            .extend(words.filter(|&word| self.check.may_change(constraints, &self.text, word)));
        self.check.look_after(self.order.len().div_ceil(SIMILARITY_TESTS));
        let mut missing = self.perturber.share_of(self.order.len());
        let mut generator = order_generator(key);
        for next in 0..self.order.len() {
            if missing == 0 {
                missing = self.check.settle(constraints, &self.text, true, patience)?;
                if missing == 0 {
                    break;
                }
            }
            patience.spend(WORD_STEPS)?;
            generator.draw(&mut self.order, next);
            let word = self.order[next];
            if self.check.may_change(constraints, &self.text, word)
                && self.edit_word(word, key, &mut generator, patience)?
            {
                missing -= 1;
                missing += self.check.settle(constraints, &self.text, false, patience)?;
            }
        }
        self.check.settle(constraints, &self.text, true, patience)?;
        Ok(())
    }

    /// Edits a word by a transformation that is drawn, or by the next in the list that has a candidate; tells whether one
    /// has.
    fn edit_word(
        &mut self,
        word: usize,
        key: Key,
        generator: &mut Generator,
        patience: &Patience,
    ) -> Result<bool> {
        let Attack { transformations, constraints, .. } = &self.perturber.attack;
        let first = generator.below(transformations.len());
        for step in 0..transformations.len() {
            let position = (first + step) % transformations.len();
            let transformation = (position, &transformations[position]);
            self.found.clear();
            let found = &mut self.found;
            let context = WordContext { text: &self.text, index: word, made: self.check.edits() };
            word_candidates_of(context, transformation, candidate_key(key), found);
            found.retain_from(0, |candidate| {
                self.check.holds(constraints, &self.text, candidate.edit, patience)
            })?;
            if let Some(candidate) = found.get(generator.below(found.len())) {
                self.check.accept(constraints, &self.text, candidate.edit, patience)?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// One edit a place, in places drawn without replacement.
    fn edit_places(&mut self, key: Key, patience: &Patience) -> Result<()> {
        let Attack { transformations, constraints, .. } = &self.perturber.attack;
        let options = CandidateOptions { key: candidate_key(key), ..CandidateOptions::default() };
        // Constraints on the outcome are checked edit by edit below.
        let words_only = constraints.of_words();
        let (check, found) = (&mut self.check, &mut self.found);
        candidates_with(
            check,
            &self.text,
            transformations,
            &words_only,
            &options,
            patience,
            found,
        )?;
        let start = |index: &usize| found.get(*index).map(|candidate| candidate.edit.start);
        self.order.clear();
        self.order.extend(0..found.len());
        self.order.sort_by_key(start);
        self.places.clear();
        for group in self.order.chunk_by(|left, right| start(left) == start(right)) {
            let first = self.places.last().map_or(0, |place: &Span| place.end);
            self.places.push(Span::new(first, first + group.len()));
        }
        check.look_after(self.places.len().div_ceil(SIMILARITY_TESTS));
        let mut missing = self.perturber.share_of(self.places.len());
        let mut generator = order_generator(key);
        for next in 0..self.places.len() {
            if missing == 0 {
                missing = check.settle(constraints, &self.text, true, patience)?;
                if missing == 0 {
                    break;
                }
            }
            generator.draw(&mut self.places, next);
            let place = self.places[next];
            let drawn = self.order.get(place.start + generator.below(place.len()));
            let Some(candidate) = drawn.and_then(|&index| found.get(index)) else { continue };
            if check.holds(constraints, &self.text, candidate.edit, patience)? {
                check.accept(constraints, &self.text, candidate.edit, patience)?;
                missing -= 1;
                missing += check.settle(constraints, &self.text, false, patience)?;
            }
        }
        check.settle(constraints, &self.text, true, patience)?;
        Ok(())
    }

    /// One edit of the text as a whole.
    fn edit_text(&mut self, key: Key, patience: &Patience) -> Result<()> {
        if self.perturber.share_of(1) == 0 {
            return Ok(());
        }
        let Attack { transformations, constraints, .. } = &self.perturber.attack;
        let options = CandidateOptions { key: candidate_key(key), ..CandidateOptions::default() };
        let (check, found) = (&mut self.check, &mut self.found);
        candidates_with(
            check,
            &self.text,
            transformations,
            constraints,
            &options,
            patience,
            found,
        )?;
        if let Some(candidate) = found.get(order_generator(key).below(found.len())) {
            check.accept(constraints, &self.text, candidate.edit, patience)?;
        }
        Ok(())
    }
}

/// How often the similarity of a long text is tested.
const SIMILARITY_TESTS: usize = 128;

/// About how many nanoseconds it takes to look at a word.
const WORD_STEPS: usize = 200;

/// What decides which words or places are edited, and how.
fn order_generator(key: Key) -> Generator {
    key.then(0).generator()
}

/// What decides how the candidates of a word look.
fn candidate_key(key: Key) -> Key {
    key.then(1)
}
