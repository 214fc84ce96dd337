//! The symbols around the differences of two texts, as the bit set kernel reads them.

use super::lanes::LANES;
use super::symbols::Alphabet;

/// Symbols before and behind a core that n-grams of the longest order reach.
const REACH: usize = LANES - 1;

/// Room for so many symbols; texts that leave more are counted whole.
const ROOM: usize = 256;

/// In [`Rest::above`]: no n-gram that starts here counts.
const NEVER: u8 = 7;

/// What is left of one text: each core with the symbols that n-grams across its borders reach.
#[derive(Clone, Debug)]
pub(super) struct Rest {
    symbols: [u8; ROOM],
    /// For each symbol: the n-grams that start there count when their order is above this.
    above: [u8; ROOM],
    length: usize,
}

impl Default for Rest {
    fn default() -> Self {
        Self { symbols: [0; ROOM], above: [NEVER; ROOM], length: 0 }
    }
}

impl Rest {
    /// The symbols in order.
    pub(super) fn symbols(&self) -> &[u8] {
        &self.symbols[..self.length]
    }

    /// For each symbol above which order the n-grams count that start there.
    pub(super) fn above(&self) -> &[u8] {
        &self.above[..self.length]
    }

    /// Collects what is left of a text around its cores, and returns the number of symbols inside the cores.
    /// Nothing when there are too many symbols, left over or distinct.
    pub(super) fn collect(
        &mut self,
        text: &str,
        cores: impl Iterator<Item = [usize; 2]>,
        alphabet: &mut Alphabet,
    ) -> Option<usize> {
        self.length = 0;
        self.above.fill(NEVER);
        let mut inside = 0;
        let mut collected = 0;
        let mut cores = cores.peekable();
        while let Some([start, end]) = cores.next() {
            let run = &text[collected..start];
            self.push(&run[alphabet.last(run, REACH)..], usize::MAX, alphabet)?;
            // An n-gram that starts so many symbols before the core leaves the run when its order is above that. If the
            // run is short, its first symbols stand already behind the last core.
            for (above, far) in self.above[..self.length].iter_mut().rev().zip(1..=5) {
                *above = (*above).min(far);
            }
            let core = self.length;
            self.push(&text[start..end], usize::MAX, alphabet)?;
            self.above[core..self.length].fill(0);
            inside += self.length - core;
            let next = cores.peek().map_or(text.len(), |next| next[0]);
            collected = end + self.push(&text[end..next], REACH, alphabet)?;
        }
        Some(inside)
    }

    /// Appends the first symbols of a text, and returns the bytes read.
    fn push(&mut self, text: &str, most: usize, alphabet: &mut Alphabet) -> Option<usize> {
        let (symbols, bytes) = alphabet.encode(text, most, &mut self.symbols[self.length..])?;
        self.length += symbols;
        Some(bytes)
    }
}
