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
    /// What is left of the hypothesis and of the reference.
    rests: [Rest; 2],
    one: Positions<1>,
    two: Positions<2>,
    chains: Chains,
    classes: Classes,
    words: Words,
    code_points: [Vec<u32>; 2],
    held: Held,
}

/// What the buffers hold of a reference that several hypotheses are compared with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Held {
    /// Nothing, and nothing is to be held: there is one hypothesis.
    #[default]
    Never,
    /// Nothing yet.
    Nothing,
    /// The symbols of the whole reference, and the table for their number is filled with them.
    Reference,
}

impl Kernel {
    /// Says that the next calls of [`characters`](Self::characters) have a new reference; it is `shared` by all of them.
    pub(super) fn start(&mut self, shared: bool) {
        self.held = if shared { Held::Nothing } else { Held::Never };
    }

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
        self.hold(Held::Nothing);
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
        let Self { alphabet, cores, rests: [a, b], held, .. } = self;
        let alike = runs::find_cores(hypothesis, reference, cores);
        if alike || *held != Held::Reference {
            alphabet.start(keep_whitespace);
            b.collect(reference, cores.iter().map(|core| core.b), alphabet)?;
        }
        a.collect(hypothesis, cores.iter().map(|core| core.a), alphabet)?;
        let inside = [a.inside(), b.inside()];
        let lengths = if alike {
            let length = symbols::count(hypothesis, keep_whitespace);
            [length, length - inside[0] + inside[1]]
        } else {
            inside
        };
        if alike {
            self.hold(Held::Nothing);
        }
        self.rests(lengths, !alike, matches)?;
        Some(lengths)
    }

    /// Clipped matches of word n-grams of each order `1..=matches.len()`, and the words of both sides.
    pub(super) fn words(&mut self, texts: [&str; 2], matches: &mut [u64]) -> [usize; 2] {
        self.hold(Held::Nothing);
        let ([a, b], distinct) = self.words.number(texts);
        let lengths = [a.len(), b.len()];
        if !(distinct <= 256
            && matches.len() <= ORDERS
            && self.rests[0].set(a)
            && self.rests[1].set(b)
            && self.rests(lengths, true, matches).is_some())
        {
            let ([a, b], _) = self.words.number(texts);
            self.classes.matches(a, b, matches);
        }
        self.hold(Held::Nothing);
        lengths
    }

    /// Matches of what is left of two texts of so many symbols; nothing when that is too much work.
    fn rests(&mut self, lengths: [usize; 2], whole: bool, matches: &mut [u64]) -> Option<()> {
        let filled = whole && self.held == Held::Reference;
        if whole {
            self.hold(Held::Reference);
        }
        let Self { rests: [a, b], one, two, chains, held, .. } = self;
        let (mut read, mut set, mut length) = (&*a, &*b, lengths[1]);
        // The longer side goes into the table, which is less work, unless it takes a word more.
        if *held != Held::Reference
            && (lanes::words(read.len()), set.len()) < (lanes::words(set.len()), read.len())
        {
            (read, set, length) = (set, read, lengths[0]);
        }
        let words = lanes::words(set.len());
        if !filled {
            match words {
                1 => one.fill(set),
                2 => two.fill(set),
                _ => chains.fill(set),
            }
        }
        let unmatched = match (words, whole) {
            (1, false) => one.unmatched::<false>(read, set),
            (2, false) => two.unmatched::<false>(read, set),
            (1, true) => one.unmatched::<true>(read, set),
            (2, true) => two.unmatched::<true>(read, set),
            _ => chains.unmatched(read, set)?,
        };
        subtract(length, unmatched, matches);
        Some(())
    }

    /// Notes what the buffers hold now, if the reference is shared.
    fn hold(&mut self, held: Held) {
        if self.held != Held::Never {
            self.held = held;
        }
    }
}

/// Matches per order from the length of one side and how many of its n-grams have no partner.
fn subtract(length: usize, unmatched: impl IntoIterator<Item = u32>, matches: &mut [u64]) {
    let unmatched = unmatched.into_iter().chain(std::iter::repeat(0));
    for (shorter, (matches, unmatched)) in matches.iter_mut().zip(unmatched).enumerate() {
        *matches = length.saturating_sub(shorter) as u64 - u64::from(unmatched);
    }
}
