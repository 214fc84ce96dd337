//! What is left of a text after taking out the runs that both texts have, as the kernels read it.

use super::symbols::Alphabet;

/// Longest order that counts here: the kernels for short texts hold as many.
pub(super) const ORDERS: usize = 6;

/// All orders, as a set of bits (bit 0: order 1).
pub(super) const ALL: u8 = (1 << ORDERS) - 1;

/// Symbols before and behind a core that n-grams of the longest order reach.
const REACH: usize = ORDERS - 1;

/// Texts that leave more symbols than this are counted whole.
pub(super) const CAPACITY: usize = 4000;

/// Symbols behind the last one that may be read: they never decide anything.
pub(super) const PADDING: usize = 7;

/// What is left of one text: each core with the symbols that n-grams across its borders reach.
#[derive(Clone, Debug, Default)]
pub(super) struct Rest {
    /// The symbols, then whatever the last text left there.
    symbols: Vec<u8>,
    /// For each symbol the orders whose n-grams start there and count.
    orders: Vec<u8>,
    length: usize,
    inside: usize,
}

impl Rest {
    /// How many symbols are left.
    pub(super) fn len(&self) -> usize {
        self.length
    }

    /// How many symbols are inside cores.
    pub(super) fn inside(&self) -> usize {
        self.inside
    }

    /// The symbols in order.
    pub(super) fn symbols(&self) -> &[u8] {
        &self.symbols[..self.length]
    }

    /// The symbols and those behind them, in steps of one: one window for each symbol.
    pub(super) fn windows<const SIZE: usize>(&self) -> impl Iterator<Item = &[u8; SIZE]> {
        self.symbols[..self.length + SIZE - 1].array_windows()
    }

    /// For each symbol the orders of the n-grams that start there and count, as a set of bits.
    pub(super) fn orders(&self) -> &[u8] {
        &self.orders[..self.length]
    }

    /// Makes this a whole text of small numbers; false when there are too many or they are too large.
    pub(super) fn set(&mut self, numbers: &[u32]) -> bool {
        self.symbols.resize(CAPACITY + PADDING, 0);
        self.orders.resize(CAPACITY, 0);
        self.orders[..self.length].fill(0);
        self.length = 0;
        if numbers.len() > CAPACITY {
            return false;
        }
        for (symbol, &number) in self.symbols.iter_mut().zip(numbers) {
            let Ok(number) = u8::try_from(number) else { return false };
            *symbol = number;
        }
        self.length = numbers.len();
        self.orders[..self.length].fill(ALL);
        self.cut_end();
        true
    }

    /// Collects what is left of a text around its cores; nothing when there are too many symbols, left over or
    /// distinct.
    pub(super) fn collect(
        &mut self,
        text: &str,
        cores: impl Iterator<Item = [usize; 2]>,
        alphabet: &mut Alphabet,
    ) -> Option<()> {
        self.symbols.resize(CAPACITY + PADDING, 0);
        self.orders.resize(CAPACITY, 0);
        // No n-gram counts unless it is said to, below.
        self.orders[..self.length].fill(0);
        self.length = 0;
        self.inside = 0;
        let mut collected = 0;
        let mut cores = cores.peekable();
        while let Some([start, end]) = cores.next() {
            let run = &text[collected..start];
            self.push(&run[alphabet.last(run, REACH)..], usize::MAX, alphabet)?;
            // An n-gram that starts so many symbols before the core leaves the run when its order is above that. If the
            // run is short, its first symbols stand already behind the last core.
            for (far, orders) in (1..ORDERS).zip(self.orders[..self.length].iter_mut().rev()) {
                *orders |= ALL << far & ALL;
            }
            let core = self.length;
            self.push_core(&text[start..end], alphabet)?;
            self.inside += self.length - core;
            let next = cores.peek().map_or(text.len(), |next| next[0]);
            collected = end + self.push(&text[end..next], REACH, alphabet)?;
        }
        self.cut_end();
        Some(())
    }

    /// Takes out the n-grams that would end behind the last symbol, which is the last of the text or in a run.
    fn cut_end(&mut self) {
        for (left, orders) in (1..ORDERS).zip(self.orders[..self.length].iter_mut().rev()) {
            *orders &= !(ALL << left);
        }
    }

    /// Appends the first symbols of a stretch outside of cores, and returns the bytes read.
    fn push(&mut self, text: &str, most: usize, alphabet: &mut Alphabet) -> Option<usize> {
        let slots = &mut self.symbols[self.length..CAPACITY];
        let (symbols, bytes) = alphabet.encode(text, most, slots)?;
        self.length += symbols;
        Some(bytes)
    }

    fn push_core(&mut self, text: &str, alphabet: &mut Alphabet) -> Option<()> {
        let start = self.length;
        self.length += alphabet.encode_all(text, &mut self.symbols[start..CAPACITY])?;
        for orders in &mut self.orders[start..self.length] {
            // Not just `=`: that becomes a call, which costs more than a core of two symbols.
            *orders |= ALL;
        }
        Some(())
    }
}
