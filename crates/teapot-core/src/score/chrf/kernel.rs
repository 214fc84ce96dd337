//! Chooses how the n-grams of a pair are counted. All ways give the same counts.

use super::classes::Classes;
use super::direct::{self, Direct};
use super::lanes::{self, LANES, Positions};
use super::rest::Rest;
use super::runs::{self, Core};
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
    cores: Vec<Core>,
    rest_a: Rest,
    rest_b: Rest,
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
        if hypothesis == reference {
            let length = symbols::count(hypothesis, keep_whitespace);
            for (shorter, matches) in matches.iter_mut().enumerate() {
                *matches = length.saturating_sub(shorter) as u64;
            }
            return [length; 2];
        }
        if matches.len() <= LANES {
            self.alphabet.start(keep_whitespace);
            if let Some(lengths) =
                self.nearly_equal(hypothesis, reference, keep_whitespace, matches)
            {
                return lengths;
            }
            self.alphabet.start(keep_whitespace);
            if let Some(lengths) = self.narrow(hypothesis, reference, matches) {
                return lengths;
            }
        }
        symbols::code_points(hypothesis, keep_whitespace, &mut self.wide_a);
        symbols::code_points(reference, keep_whitespace, &mut self.wide_b);
        self.classes.matches(&self.wide_a, &self.wide_b, matches);
        [self.wide_a.len(), self.wide_b.len()]
    }

    /// Counts what is left after taking out the runs that both texts have.
    fn nearly_equal(
        &mut self,
        hypothesis: &str,
        reference: &str,
        keep_whitespace: bool,
        matches: &mut [u64],
    ) -> Option<[usize; 2]> {
        let Self { alphabet, cores, rest_a, rest_b, one, two, .. } = self;
        if !runs::find_cores(hypothesis, reference, 10, cores) {
            return None;
        }
        let inside_a = rest_a.collect(hypothesis, cores.iter().map(|core| core.a), alphabet)?;
        let inside_b = rest_b.collect(reference, cores.iter().map(|core| core.b), alphabet)?;
        let unmatched = if rest_b.symbols().len() <= lanes::capacity(1) {
            one.unmatched_rest(rest_a, rest_b)
        } else if rest_b.symbols().len() <= lanes::capacity(2) {
            two.unmatched_rest(rest_a, rest_b)
        } else {
            return None;
        };
        let length_a = symbols::count(hypothesis, keep_whitespace);
        let length_b = length_a - inside_a + inside_b;
        subtract(length_b, unmatched, matches);
        Some([length_a, length_b])
    }

    /// Counts texts of few symbols, if they are short enough.
    fn narrow(
        &mut self,
        hypothesis: &str,
        reference: &str,
        matches: &mut [u64],
    ) -> Option<[usize; 2]> {
        for (text, out) in [(hypothesis, &mut self.a), (reference, &mut self.b)] {
            out.clear();
            out.resize(text.len() + 1, 0);
            let (length, _) = self.alphabet.encode(text, usize::MAX, out)?;
            out.truncate(length);
        }
        let lengths = [self.a.len(), self.b.len()];
        // The longer side becomes bit sets unless that takes one word more.
        let (mut a, mut b) = (self.a.as_slice(), self.b.as_slice());
        if a.len() > b.len() {
            (a, b) = (b, a);
        }
        let words =
            |text: &[u8]| (1..3).find(|&words| text.len() <= lanes::capacity(words)).unwrap_or(3);
        if words(a) < words(b) {
            (a, b) = (b, a);
        }
        let unmatched = if b.len() <= lanes::capacity(1) {
            self.one.unmatched(a, b)
        } else if b.len() <= lanes::capacity(2) {
            self.two.unmatched(a, b)
        } else if b.len() <= direct::CAPACITY {
            self.direct.matches(b, a, matches);
            return Some(lengths);
        } else {
            return None;
        };
        subtract(b.len(), unmatched, matches);
        Some(lengths)
    }

    /// Clipped matches of n-grams of numbered words.
    pub(super) fn words(&mut self, a: &[u32], b: &[u32], matches: &mut [u64]) {
        self.classes.matches(a, b, matches);
    }
}

/// Matches per order from the length of one side and how many of its n-grams have no partner.
fn subtract(length: usize, unmatched: [u32; LANES], matches: &mut [u64]) {
    for (shorter, (matches, unmatched)) in matches.iter_mut().zip(unmatched).enumerate() {
        *matches = length.saturating_sub(shorter) as u64 - u64::from(unmatched);
    }
}
