//! Chooses how the n-grams of a pair are counted. All ways give the same counts.

use super::chains::Chains;
use super::classes::Classes;
use super::lanes::{self, Positions};
use super::rest::{ORDERS, Rest};
use super::runs::{self, Core};
use super::symbols::{self, Alphabet};
use super::words::Words;

/// Buffers and tables of all kernels.
#[derive(Clone, Debug, Default)]
pub(super) struct Kernel {
    alphabet: Alphabet,
    cores: Vec<Core>,
    rests: [Rest; 2],
    one: Positions<1>,
    two: Positions<2>,
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
    ) -> [usize; 2] {
        if hypothesis == reference {
            let length = symbols::count(hypothesis, keep_whitespace);
            subtract(length, [], matches);
            return [length; 2];
        }
        if matches.len() <= ORDERS
            && let Some(lengths) = self.differences(hypothesis, reference, keep_whitespace, matches)
        {
            return lengths;
        }
        let [a, b] = &mut self.code_points;
        symbols::code_points(hypothesis, keep_whitespace, a);
        symbols::code_points(reference, keep_whitespace, b);
        self.classes.matches(a, b, matches);
        [a.len(), b.len()]
    }

    /// Counts what is left after taking out the runs that both texts have; nothing when too much is left.
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
        let inside_a = a.collect(hypothesis, cores.iter().map(|core| core.a), alphabet)?;
        let inside_b = b.collect(reference, cores.iter().map(|core| core.b), alphabet)?;
        let length_a = symbols::count(hypothesis, keep_whitespace);
        let length_b = length_a - inside_a + inside_b;
        let lengths = [length_a, length_b];
        self.rests(lengths, !alike, matches)?;
        Some(lengths)
    }

    /// Clipped matches of word n-grams of each order `1..=matches.len()`, and the words of both sides.
    pub(super) fn words(&mut self, texts: [&str; 2], matches: &mut [u64]) -> [usize; 2] {
        let ([a, b], distinct) = self.words.number(texts);
        let lengths = [a.len(), b.len()];
        let fits = distinct <= 256 && matches.len() <= ORDERS;
        if !(fits
            && self.rests[0].set(a)
            && self.rests[1].set(b)
            && self.rests(lengths, true, matches).is_some())
        {
            let ([a, b], _) = self.words.number(texts);
            self.classes.matches(a, b, matches);
        }
        lengths
    }

    /// Matches of what is left of two texts of so many symbols; nothing when that is too much work.
    fn rests(&mut self, lengths: [usize; 2], whole: bool, matches: &mut [u64]) -> Option<()> {
        let Self { rests: [a, b], one, two, chains, .. } = self;
        // The longer side becomes bit sets, which is less work, unless it takes a word more.
        let (mut read, mut set, mut length) = (&*a, &*b, lengths[1]);
        if (lanes::words(read.len()), set.len()) < (lanes::words(set.len()), read.len()) {
            (read, set, length) = (set, read, lengths[0]);
        }
        let unmatched = match (lanes::words(set.len()), whole) {
            (1, false) => one.unmatched::<false>(read, set),
            (2, false) => two.unmatched::<false>(read, set),
            (1, true) => one.unmatched::<true>(read, set),
            (2, true) => two.unmatched::<true>(read, set),
            _ => chains.unmatched(read, set)?,
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
