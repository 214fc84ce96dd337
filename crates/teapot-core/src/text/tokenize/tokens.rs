//! What a tokenizer leaves: where the tokens of a text lie.

use std::fmt;

/// The tokens of a text: a copy of the text and where each token lies in it. Reused, it allocates nothing.
///
/// ```
/// use teapot_core::text::tokenize::{Tokenizer, Tokens};
/// let mut tokens = Tokens::default();
/// Tokenizer::None.tokenize("green tea", &mut tokens);
/// assert_eq!(tokens.iter().collect::<Vec<_>>(), ["green", "tea"]);
/// ```
#[derive(Clone, Default)]
pub struct Tokens {
    /// The text, then spaces: whole blocks, and at least [`MARGIN`] spaces.
    padded: String,
    /// Bytes of the text alone.
    length: usize,
    spans: Spans,
}

/// Where tokens lie: byte offsets.
#[derive(Clone, Default)]
pub(super) struct Spans {
    /// Where each token starts.
    pub(super) starts: Vec<usize>,
    /// Where each token ends (exclusive).
    pub(super) ends: Vec<usize>,
}

impl Spans {
    /// Adds the token that lies between two byte offsets of the text.
    pub(super) fn push(&mut self, start: usize, end: usize) {
        self.starts.push(start);
        self.ends.push(end);
    }

    fn get(&self, index: usize) -> Option<(usize, usize)> {
        Some((*self.starts.get(index)?, *self.ends.get(index)?))
    }

    fn iter(&self) -> impl ExactSizeIterator<Item = (usize, usize)> {
        self.starts.iter().copied().zip(self.ends.iter().copied())
    }
}

/// Bytes that the block scanner looks at together.
pub(super) const BLOCK: usize = 64;

/// Bytes that can be read from the start of any token on, whatever its length.
const MARGIN: usize = 8;

/// What [`Tokens::reset`] takes spaces from.
const SPACES: &str = match str::from_utf8(&[b' '; BLOCK + MARGIN]) {
    Ok(spaces) => spaces,
    Err(_) => "",
};

/// Set in the key of a token that doesn't fit into its key.
const LONG: u64 = 1 << 63;

impl Tokens {
    /// How many tokens there are.
    pub fn len(&self) -> usize {
        self.spans.starts.len()
    }

    /// Tells whether there is no token: the text was blank.
    pub fn is_empty(&self) -> bool {
        self.spans.starts.is_empty()
    }

    /// The tokens in order. None is empty or holds whitespace.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> {
        self.spans.iter().map(|(start, end)| &self.padded[start..end])
    }

    /// The bytes of the token with this index; empty for an index out of range.
    pub(crate) fn bytes(&self, index: usize) -> &[u8] {
        self.spans.get(index).map_or(&[], |(start, end)| &self.padded.as_bytes()[start..end])
    }

    /// A number for each token, in order. Equal tokens have equal keys. Equal keys mean equal tokens, unless
    /// [`is_hash`](Self::is_hash) says that the bytes decide. No key is 0.
    pub(crate) fn keys(&self) -> impl ExactSizeIterator<Item = u64> {
        let bytes = self.padded.as_bytes();
        self.spans.iter().map(|(start, end)| key(&bytes[start..], end - start))
    }

    /// Keeps the tokens that a condition on their bytes holds for.
    pub(crate) fn retain(&mut self, mut keep: impl FnMut(&[u8]) -> bool) {
        let mut kept = 0;
        for index in 0..self.len() {
            if keep(self.bytes(index)) {
                self.spans.starts[kept] = self.spans.starts[index];
                self.spans.ends[kept] = self.spans.ends[index];
                kept += 1;
            }
        }
        self.spans.starts.truncate(kept);
        self.spans.ends.truncate(kept);
    }

    /// Tells whether a key is that of a token too long to be its own key.
    pub(crate) fn is_hash(key: u64) -> bool {
        key & LONG != 0
    }

    /// The text.
    pub(super) fn text(&self) -> &str {
        &self.padded[..self.length]
    }

    /// The text, the text in whole blocks (spaces follow it), and where tokens go.
    pub(super) fn parts(&mut self) -> (&str, &str, &mut Spans) {
        (&self.padded[..self.length], &self.padded, &mut self.spans)
    }

    /// Starts over with this text and no token.
    pub(super) fn reset(&mut self, text: &str) {
        self.spans.starts.clear();
        self.spans.ends.clear();
        self.padded.clear();
        self.padded.push_str(text);
        self.length = text.len();
        let padded = (self.length + MARGIN).next_multiple_of(BLOCK);
        self.padded.push_str(&SPACES[..padded - self.length]);
    }
}

impl fmt::Debug for Tokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// The key of the token in the first `length` bytes of `bytes`, which go on for [`MARGIN`] bytes or more.
///
/// Up to seven bytes: the bytes themselves and, in the eighth, their number. More: a hash with [`LONG`] set.
#[inline]
fn key(bytes: &[u8], length: usize) -> u64 {
    if length < 8 {
        let mask = (1 << (8 * length)) - 1;
        word(bytes) & mask | (length as u64) << 56
    } else {
        hash(&bytes[..length]) | LONG
    }
}

fn hash(bytes: &[u8]) -> u64 {
    /// 2⁶⁴ divided by the golden ratio, odd.
    const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;
    let step = |hash: u64, word: u64| (hash.rotate_left(5) ^ word).wrapping_mul(MULTIPLIER);
    let whole = bytes
        .as_chunks::<8>()
        .0
        .iter()
        .fold(bytes.len() as u64, |hash, word| step(hash, u64::from_le_bytes(*word)));
    // The last eight bytes, which overlap the whole words.
    let last = step(whole, word(&bytes[bytes.len().saturating_sub(8)..]));
    last ^ (last >> 32)
}

/// The first eight bytes as a number; 0 if there are fewer.
#[inline]
fn word(bytes: &[u8]) -> u64 {
    bytes.first_chunk().map_or(0, |word| u64::from_le_bytes(*word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::tokenize::Tokenizer;
    use proptest::prelude::*;

    fn tokens(text: &str) -> Tokens {
        let mut tokens = Tokens::default();
        Tokenizer::None.tokenize(text, &mut tokens);
        tokens
    }

    #[test]
    fn a_zero_character_is_no_padding() {
        let tokens = tokens("a a\0 \0a seventy seventy\0");
        let keys: Vec<u64> = tokens.keys().collect();
        for (i, key) in keys.iter().enumerate() {
            assert!(*key != 0 && !keys[..i].contains(key));
        }
        assert_eq!(format!("{tokens:?}"), r#"["a", "a\0", "\0a", "seventy", "seventy\0"]"#);
    }

    proptest! {
        #[test]
        fn keys_tell_tokens_apart(text in "(a{1,12} |[ab]{1,9} |.{0,30}|é{1,6} ){0,20}") {
            let tokens = tokens(&text);
            let keys: Vec<u64> = tokens.keys().collect();
            for (i, a) in tokens.iter().enumerate() {
                prop_assert_eq!(tokens.bytes(i), a.as_bytes());
                prop_assert_eq!(Tokens::is_hash(keys[i]), a.len() > 7);
                for (j, b) in tokens.iter().enumerate() {
                    prop_assert_eq!(keys[i] == keys[j], a == b);
                }
            }
        }
    }
}
