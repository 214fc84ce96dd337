//! Code points as one-byte symbols, for the kernels that index small tables by symbol.

use crate::text::whitespace;

/// First symbol that is handed out; the symbols below are ASCII characters.
const FIRST_ASSIGNED: u8 = 128;

/// Code points below this have an entry of their own in a table (all that UTF-8 writes in two bytes).
const DIRECT: u32 = 0x800;

/// Slots of the table for the other code points: four times what may be assigned.
const SLOTS: usize = 512;

/// ASCII bytes that are no whitespace for Python, as 1, and whitespace as 0.
pub(super) const KEPT: [u8; 128] = {
    let mut kept = [1; 128];
    let mut byte = 0u8;
    while byte < 128 {
        if matches!(byte, b'\t'..=b'\r' | 0x1c..=0x1f | b' ') {
            kept[byte as usize] = 0;
        }
        byte += 1;
    }
    kept
};

/// Symbols of one pair of texts: an ASCII character is its own symbol, any other code point gets the next of 128 to 255.
#[derive(Clone, Debug)]
pub(super) struct Alphabet {
    /// Symbol of a code point below [`DIRECT`]; 0 when it has none.
    direct: Box<[u8; DIRECT as usize]>,
    /// Open addressing for the others: code point (0: empty slot) and symbol.
    others: Box<[(u32, u8); SLOTS]>,
    /// Places of both tables that are in use, so that a new pair needn't clear them whole.
    used_direct: Vec<usize>,
    used_others: Vec<usize>,
}

impl Default for Alphabet {
    fn default() -> Self {
        Self {
            direct: Box::new([0; DIRECT as usize]),
            others: Box::new([(0, 0); SLOTS]),
            used_direct: Vec::new(),
            used_others: Vec::new(),
        }
    }
}

impl Alphabet {
    /// Forgets all assigned symbols.
    pub(super) fn clear(&mut self) {
        for place in self.used_direct.drain(..) {
            self.direct[place] = 0;
        }
        for place in self.used_others.drain(..) {
            self.others[place] = (0, 0);
        }
    }

    /// Writes the symbols of a text to `out`, without whitespace unless it is kept. False when the texts
    /// since [`clear`](Self::clear) have more than 128 distinct code points beyond ASCII; `out` is cut short then.
    pub(super) fn encode(&mut self, text: &str, keep_whitespace: bool, out: &mut Vec<u8>) -> bool {
        // Room for every byte: a symbol is written before it is known whether it stays.
        out.clear();
        out.resize(text.len() + 1, 0);
        let mut end = 0;
        for character in text.chars() {
            if let Ok(byte @ ..128) = u8::try_from(u32::from(character)) {
                out[end] = byte;
                end += if keep_whitespace { 1 } else { usize::from(KEPT[usize::from(byte)]) };
            } else {
                match self.symbol(character) {
                    0 if !keep_whitespace && whitespace::is_whitespace(character) => {}
                    0 => match self.assign(character) {
                        Some(symbol) => {
                            out[end] = symbol;
                            end += 1;
                        }
                        None => return false,
                    },
                    symbol => {
                        out[end] = symbol;
                        end += 1;
                    }
                }
            }
        }
        out.truncate(end);
        true
    }

    fn symbol(&self, character: char) -> u8 {
        let code = u32::from(character);
        if code < DIRECT {
            return self.direct[code as usize];
        }
        let mut place = first_place(code);
        loop {
            match self.others[place] {
                (found, symbol) if found == code => return symbol,
                (0, _) => return 0,
                _ => place = (place + 1) % SLOTS,
            }
        }
    }

    #[cold]
    fn assign(&mut self, character: char) -> Option<u8> {
        let code = u32::from(character);
        let next = self.used_direct.len() + self.used_others.len();
        let symbol = FIRST_ASSIGNED.checked_add(u8::try_from(next).ok()?)?;
        if code < DIRECT {
            self.direct[code as usize] = symbol;
            self.used_direct.push(code as usize);
        } else {
            let mut place = first_place(code);
            while self.others[place].0 != 0 {
                place = (place + 1) % SLOTS;
            }
            self.others[place] = (code, symbol);
            self.used_others.push(place);
        }
        Some(symbol)
    }
}

/// Where the search for a code point starts: Fibonacci hashing.
fn first_place(code: u32) -> usize {
    (code.wrapping_mul(0x9e37_79b9) >> 23) as usize
}

/// The code points of a text, without whitespace unless it is kept.
pub(super) fn code_points(text: &str, keep_whitespace: bool, out: &mut Vec<u32>) {
    out.clear();
    out.extend(
        text.chars()
            .filter(|&character| keep_whitespace || !whitespace::is_whitespace(character))
            .map(u32::from),
    );
}
