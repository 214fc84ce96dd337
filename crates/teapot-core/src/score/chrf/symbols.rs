//! Code points as one-byte symbols, for the kernels that index small tables by symbol.

use crate::text::whitespace;

/// First symbol that is handed out; the symbols below are ASCII characters.
const FIRST_ASSIGNED: u8 = 128;

/// Code points below this have an entry of their own in a table (all that UTF-8 writes in two bytes).
const DIRECT: u32 = 0x800;

/// Slots of the table for the other code points: four times what may be assigned.
const SLOTS: usize = 512;

/// 1 for the ASCII characters that are no whitespace for Python, 0 for whitespace.
const NO_WHITESPACE: [u8; 128] = {
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
    keep_whitespace: bool,
    /// 1 for the ASCII characters that are symbols, 0 for those that are left out.
    kept: [u8; 128],
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
            keep_whitespace: false,
            kept: NO_WHITESPACE,
            direct: Box::new([0; DIRECT as usize]),
            others: Box::new([(0, 0); SLOTS]),
            used_direct: Vec::new(),
            used_others: Vec::new(),
        }
    }
}

impl Alphabet {
    /// Forgets the assigned symbols; from now on whitespace is a symbol too, or left out.
    pub(super) fn start(&mut self, keep_whitespace: bool) {
        for place in self.used_direct.drain(..) {
            self.direct[place] = 0;
        }
        for place in self.used_others.drain(..) {
            self.others[place] = (0, 0);
        }
        if keep_whitespace != self.keep_whitespace {
            self.keep_whitespace = keep_whitespace;
            self.kept = if keep_whitespace { [1; 128] } else { NO_WHITESPACE };
        }
    }

    /// Writes the first `most` symbols of a text to `out`; returns how many there were, and the bytes read.
    ///
    /// Nothing when `out` isn't longer than the symbols, or when the texts since [`start`](Self::start) have more than 128 distinct
    /// code points beyond ASCII.
    #[inline]
    pub(super) fn encode(
        &mut self,
        text: &str,
        most: usize,
        out: &mut [u8],
    ) -> Option<(usize, usize)> {
        let mut end = 0;
        let mut characters = text.chars();
        while end < most {
            let Some(character) = characters.next() else { break };
            end += self.encode_one(character, out.get_mut(end)?)?;
        }
        Some((end, text.len() - characters.as_str().len()))
    }

    /// The same for all symbols of a long text.
    pub(super) fn encode_all(&mut self, text: &str, out: &mut [u8]) -> Option<usize> {
        let (mut end, mut read) = (0, 0);
        // ASCII goes in steps of eight bytes, which halves the time.
        while let Some(chunk) = text.as_bytes()[read..].first_chunk::<8>() {
            if u64::from_le_bytes(*chunk) & 0x8080_8080_8080_8080 == 0 {
                let slots = out.get_mut(end..)?.first_chunk_mut::<8>()?;
                let mut kept = 0;
                for &byte in chunk {
                    slots[kept % 8] = byte;
                    kept += usize::from(self.kept[usize::from(byte) % 128]);
                }
                end += kept;
                read += 8;
            } else {
                let next = read + 8;
                let mut characters = text[read..].chars();
                while read < next {
                    let character = characters.next()?;
                    end += self.encode_one(character, out.get_mut(end)?)?;
                    read += character.len_utf8();
                }
            }
        }
        let (symbols, _) = self.encode(&text[read..], usize::MAX, &mut out[end..])?;
        Some(end + symbols)
    }

    /// Writes a character's symbol to a slot: 1, or 0 if it is left out and the slot stays free.
    #[inline]
    fn encode_one(&mut self, character: char, slot: &mut u8) -> Option<usize> {
        if let Ok(byte @ ..128) = u8::try_from(u32::from(character)) {
            *slot = byte;
            return Some(usize::from(self.kept[usize::from(byte)]));
        }
        self.encode_other(character, slot)
    }

    /// The same for a character beyond ASCII; not inlined, so that the common case is.
    #[inline(never)]
    fn encode_other(&mut self, character: char, slot: &mut u8) -> Option<usize> {
        *slot = match self.symbol(character) {
            Some(symbol) => symbol,
            None if self.is_kept(character) => self.assign(character)?,
            None => return Some(0),
        };
        Some(1)
    }

    /// Where the last `most` symbols of a text begin.
    pub(super) fn last(&self, text: &str, most: usize) -> usize {
        let bytes = text.as_bytes();
        let (mut at, mut found) = (bytes.len(), 0);
        while at > 0 && found < most {
            at -= 1;
            found += match bytes[at] {
                byte @ ..0x80 => usize::from(self.kept[usize::from(byte)]),
                0x80..0xc0 => 0,
                _ => usize::from(text[at..].starts_with(|character| self.is_kept(character))),
            };
        }
        at
    }

    fn is_kept(&self, character: char) -> bool {
        self.keep_whitespace || !whitespace::is_whitespace(character)
    }

    /// The symbol of a character beyond ASCII, if it has one already.
    #[inline]
    fn symbol(&self, character: char) -> Option<u8> {
        let code = u32::from(character);
        if code < DIRECT {
            return Some(self.direct[code as usize]).filter(|&symbol| symbol != 0);
        }
        let mut place = first_place(code);
        loop {
            match self.others[place] {
                (0, _) => return None,
                (found, symbol) if found == code => return Some(symbol),
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

/// How many symbols a text has: its code points, without whitespace unless it is kept.
pub(super) fn count(text: &str, keep_whitespace: bool) -> usize {
    if keep_whitespace {
        return text.chars().count();
    }
    let (chunks, rest) = text.as_bytes().as_chunks::<CHUNK>();
    // What fills the last chunk up doesn't count.
    let mut last = [b' '; CHUNK];
    last[..rest.len()].copy_from_slice(rest);
    let (mut kept, mut suspect) = count_chunk(&last);
    for chunk in chunks {
        let (kept_here, suspect_here) = count_chunk(chunk);
        kept += kept_here;
        suspect |= suspect_here;
    }
    if suspect {
        let spaces =
            |character: &char| !character.is_ascii() && whitespace::is_whitespace(*character);
        kept -= text.chars().filter(spaces).count();
    }
    kept
}

const CHUNK: usize = 32;

#[inline]
fn count_chunk(chunk: &[u8; CHUNK]) -> (usize, bool) {
    let (mut kept, mut suspect) = (0u8, 0u8);
    for &byte in chunk {
        let space = (byte == b' ') | (byte.wrapping_sub(b'\t') < 5) | (byte.wrapping_sub(0x1c) < 4);
        let continuation = byte & 0xc0 == 0x80;
        kept += u8::from(!(space | continuation));
        // First bytes of all whitespace beyond ASCII: U+0085 to U+00A0, U+1680, U+2000 to U+3000.
        suspect |= u8::from((byte == 0xc2) | (byte.wrapping_sub(0xe1) < 3));
    }
    (usize::from(kept), suspect != 0)
}
