//! A number for each symbol that was given one.

use super::symbols::UNKNOWN;

/// Code points and numbers of words are small enough to be places in an array. Memory is kept and reused.
#[derive(Clone, Debug, Default)]
pub(super) struct SymbolTable {
    numbers: Vec<u32>,
    used: Vec<u32>,
    /// That of [`UNKNOWN`].
    unknown: u32,
}

impl SymbolTable {
    /// Forgets all numbers.
    pub(super) fn clear(&mut self) {
        for symbol in self.used.drain(..) {
            self.numbers[symbol as usize] = 0;
        }
        self.unknown = 0;
    }

    /// The number of a symbol, 0 when it has none.
    #[inline]
    pub(super) fn get(&self, symbol: u32) -> u32 {
        match self.numbers.get(symbol as usize) {
            Some(&number) => number,
            None if symbol == UNKNOWN => self.unknown,
            None => 0,
        }
    }

    /// Gives a symbol a number.
    pub(super) fn set(&mut self, symbol: u32, number: u32) {
        if symbol == UNKNOWN {
            self.unknown = number;
            return;
        }
        let place = symbol as usize;
        if place >= self.numbers.len() {
            self.numbers.resize((place + 1).max(256), 0);
        }
        if self.numbers[place] == 0 {
            self.used.push(symbol);
        }
        self.numbers[place] = number;
    }
}
