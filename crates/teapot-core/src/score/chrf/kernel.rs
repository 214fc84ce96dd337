//! Chooses how the n-grams of a pair are counted. All ways give the same counts.

use super::chains::Chains;
use super::classes::Classes;
use super::lanes::{self, Positions};
use super::rest::{ORDERS, Rest};
use super::runs::{self, Core};
use super::symbols::{self, Alphabet};
use super::words::Words;
use crate::error::Result;
use crate::patience::Patience;

/// Buffers and tables of all kernels.
#[derive(Clone, Debug, Default)]
pub(super) struct Kernel {
    alphabet: Alphabet,
    cores: Vec<Core>,
    /// What is left of the hypothesis and of the reference.
    rests: [Rest; 2],
    positions: Positions,
    chains: Chains,
    classes: Classes,
    words: Words,
    code_points: [Vec<u32>; 2],
}

impl Kernel {
    /// Clipped matches of character n-grams of each order `1..=matches.len()`, and the symbols of both sides.
    pub(super) fn characters(
        &mut self,
        hypothesis: &str,
        reference: &str,
        keep_whitespace: bool,
        matches: &mut [u64],
        patience: &Patience,
    ) -> Result<[usize; 2]> {
        if hypothesis == reference {
            let length = symbols::count(hypothesis, keep_whitespace);
            subtract(length, [], matches);
            return Ok([length; 2]);
        }
        if matches.len() <= ORDERS
            && let Some(lengths) = self.differences(hypothesis, reference, keep_whitespace, matches)
        {
            return Ok(lengths);
        }
        let [a, b] = &mut self.code_points;
        symbols::code_points(hypothesis, keep_whitespace, a);
        symbols::code_points(reference, keep_whitespace, b);
        self.classes.matches(a, b, matches, patience)?;
        Ok([a.len(), b.len()])
    }

    /// Counts what is left after taking out the runs that both texts have; `None` if too much is left.
    fn differences(
        &mut self,
        hypothesis: &str,
        reference: &str,
        keep_whitespace: bool,
        matches: &mut [u64],
    ) -> Option<[usize; 2]> {
        let Self { alphabet, cores, rests: [a, b], .. } = self;
        let alike = runs::find_cores(hypothesis, reference, cores);
        alphabet.start(keep_whitespace);
        b.collect(reference, cores.iter().map(|core| core.b), alphabet)?;
        a.collect(hypothesis, cores.iter().map(|core| core.a), alphabet)?;
        let inside = [a.inside(), b.inside()];
        let lengths = if alike {
            let length = symbols::count(hypothesis, keep_whitespace);
            [length, length - inside[0] + inside[1]]
        } else {
            inside
        };
        self.rests(lengths, matches)?;
        Some(lengths)
    }

    /// Clipped matches of word n-grams of each order `1..=matches.len()`, and the words of both sides.
    pub(super) fn words(
        &mut self,
        texts: [&str; 2],
        matches: &mut [u64],
        patience: &Patience,
    ) -> Result<[usize; 2]> {
        let ([a, b], distinct) = self.words.number(texts);
        let lengths = [a.len(), b.len()];
        if !(distinct <= 256
            && matches.len() <= ORDERS
            && self.rests[0].set(a)
            && self.rests[1].set(b)
            && self.rests(lengths, matches).is_some())
        {
            let ([a, b], _) = self.words.number(texts);
            self.classes.matches(a, b, matches, patience)?;
        }
        Ok(lengths)
    }

    /// Matches of what is left of two texts of so many symbols; `None` if that is too much work.
    fn rests(&mut self, lengths: [usize; 2], matches: &mut [u64]) -> Option<()> {
        let Self { rests: [a, b], positions, chains, .. } = self;
        let is_long = |rest: &Rest| rest.len() > lanes::CAPACITY;
        let (mut read, mut set, mut length) = (&*a, &*b, lengths[1]);
        // The longer side goes into the table, which is less work, unless only the shorter one fits into bit sets.
        if (is_long(read), set.len()) < (is_long(set), read.len()) {
            (read, set, length) = (set, read, lengths[0]);
        }
        let unmatched = if is_long(set) {
            chains.fill(set);
            chains.unmatched(read, set)?
        } else {
            positions.fill(set);
            positions.unmatched(read, set)
        };
        subtract(length, unmatched, matches);
        Some(())
    }
}

/// Matches per order from the length of one side and how many of its n-grams have no partner.
fn subtract(length: usize, unmatched: impl IntoIterator<Item = u32>, matches: &mut [u64]) {
    let unmatched = unmatched.into_iter().chain(std::iter::repeat(0));
    for (shorter, (matches, unmatched)) in matches.iter_mut().zip(unmatched).enumerate() {
        *matches = length.saturating_sub(shorter) as u64 - u64::from(unmatched);
    }
}
