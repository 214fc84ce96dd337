//! Chooses how the n-grams of a pair are counted. All ways give the same counts.

use super::classes::Classes;
use super::direct::{self, Direct};
use super::lanes::{self, LANES, Positions};
use super::symbols::{self, Alphabet};

/// Buffers and tables of all kernels.
#[derive(Clone, Debug, Default)]
pub(super) struct Kernel {
    alphabet: Alphabet,
    a: Vec<u8>,
    b: Vec<u8>,
    one: Positions<1>,
    two: Positions<2>,
    direct: Direct,
    classes: Classes,
    wide_a: Vec<u32>,
    wide_b: Vec<u32>,
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
        self.alphabet.clear();
        let narrow = matches.len() <= LANES
            && self.alphabet.encode(hypothesis, keep_whitespace, &mut self.a)
            && self.alphabet.encode(reference, keep_whitespace, &mut self.b)
            && self.narrow(matches);
        if narrow {
            return [self.a.len(), self.b.len()];
        }
        symbols::code_points(hypothesis, keep_whitespace, &mut self.wide_a);
        symbols::code_points(reference, keep_whitespace, &mut self.wide_b);
        self.classes.matches(&self.wide_a, &self.wide_b, matches);
        [self.wide_a.len(), self.wide_b.len()]
    }

    /// Counts in bit sets, if the texts are short enough for that.
    fn narrow(&mut self, matches: &mut [u64]) -> bool {
        // The longer side becomes bit sets unless that takes one word more.
        let (mut a, mut b) = (self.a.as_slice(), self.b.as_slice());
        if a.len() > b.len() {
            (a, b) = (b, a);
        }
        let found = if b.len() <= lanes::capacity(1) {
            self.one.matches(a, b)
        } else if a.len() <= lanes::capacity(1) {
            self.one.matches(b, a)
        } else if b.len() <= lanes::capacity(2) {
            self.two.matches(a, b)
        } else if a.len() <= lanes::capacity(2) {
            self.two.matches(b, a)
        } else if b.len() <= direct::CAPACITY {
            self.direct.matches(b, a, matches);
            return true;
        } else {
            return false;
        };
        for (matches, found) in matches.iter_mut().zip(found) {
            *matches = u64::from(found);
        }
        true
    }

    /// Clipped matches of n-grams of numbered words.
    pub(super) fn words(&mut self, a: &[u32], b: &[u32], matches: &mut [u64]) {
        self.classes.matches(a, b, matches);
    }
}
