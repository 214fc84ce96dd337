//! Tokens by bit masks: 64 bytes are classified at once, and the ends of words are found by shifting.
//!
//! ```text
//! text      Tea, 1,000 cups.
//! words     111..11111.1111.      letters, digits and marks that stay on them
//! alone     ...1...........1      tokens of one character
//! starts    1..1.1.....1...1      a word bit after none, or an alone bit
//! ends      ...11.....1....11     the first bit after either; the n-th start belongs to the n-th end
//! ```
//!
//! Most bytes need no decision of their own: [`classify`] is straight-line code that the compiler vectorises. The others
//! (punctuation, and bytes that may begin one of Python's whitespace characters beyond ASCII) are visited one by one.

use super::tokens::{BLOCK, Tokens};
use crate::text::whitespace::is_whitespace;

/// What a byte is that needed a decision.
pub(super) enum Decision {
    /// Part of a word.
    Word,
    /// A token by itself.
    Alone,
    /// Whitespace of this many bytes, this one being the first.
    Space(usize),
}

/// Finds the tokens of the text in `tokens`.
///
/// Bytes that `is_open` tells are decided upon one by one, from left to right, by `decide(text, position)`, where `text`
/// ends in spaces; [`is_lead`] bytes must be among them. Other bytes are ASCII whitespace or part of a word.
#[inline]
pub(super) fn scan(
    tokens: &mut Tokens,
    is_open: impl Fn(u8) -> bool,
    mut decide: impl FnMut(&str, usize) -> Decision,
) {
    let (_, text, spans) = tokens.parts();
    // Bits of the next block, as far as this one knows: the ends of words and tokens, and whitespace.
    let (mut word_before, mut alone_before, mut space_ahead) = (0, 0, 0);
    for (block, bytes) in text.as_bytes().as_chunks::<BLOCK>().0.iter().enumerate() {
        let base = block * BLOCK;
        let (mut words, mut open) = classify(bytes, &is_open);
        words &= !space_ahead;
        space_ahead = 0;
        let mut alone = 0;
        while open != 0 {
            let offset = open.trailing_zeros();
            let bit = 1 << offset;
            open ^= bit;
            match decide(text, base + offset as usize) {
                Decision::Word => words |= bit,
                Decision::Alone => alone |= bit,
                Decision::Space(length) => {
                    let span: u64 = (1 << length) - 1;
                    words &= !(span << offset);
                    space_ahead = span.checked_shr(u64::BITS - offset).unwrap_or(0);
                }
            }
        }
        let after_word = words << 1 | word_before;
        push_bits(&mut spans.starts, words & !after_word | alone, base);
        push_bits(&mut spans.ends, after_word & !words | alone << 1 | alone_before, base);
        word_before = words >> (BLOCK - 1);
        alone_before = alone >> (BLOCK - 1);
    }
}

/// Tells whether a byte may begin a character that is whitespace in Python but not ASCII.
#[inline]
pub(super) fn is_lead(byte: u8) -> bool {
    matches!(byte, 0xc2 | 0xe1..=0xe3)
}

/// Decides about an [`is_lead`] byte.
pub(super) fn decide_lead(text: &str, at: usize) -> Decision {
    match text[at..].chars().next() {
        Some(c) if is_whitespace(c) => Decision::Space(c.len_utf8()),
        _ => Decision::Word,
    }
}

/// One bit a byte: words, and bytes that need a decision. The rest is ASCII whitespace.
#[inline]
fn classify(bytes: &[u8; BLOCK], is_open: impl Fn(u8) -> bool) -> (u64, u64) {
    let (mut word, mut open) = ([0; BLOCK], [0; BLOCK]);
    for ((&byte, word), open) in bytes.iter().zip(&mut word).zip(&mut open) {
        let is_space = byte == b' ' || byte.wrapping_sub(9) < 5 || byte.wrapping_sub(0x1c) < 4;
        let needs_decision = is_open(byte);
        *open = u8::from(needs_decision);
        *word = u8::from(!is_space && !needs_decision);
    }
    (mask(&word), mask(&open))
}

/// The bits of 64 bytes that are 0 or 1, the first byte's lowest.
#[inline]
fn mask(flags: &[u8; BLOCK]) -> u64 {
    /// Moves the lowest bit of byte i to bit 56 + i, and nothing else there.
    const GATHER: u64 = 0x0102_0408_1020_4080;
    let eights = flags.as_chunks::<8>().0.iter().rev();
    eights.fold(0, |mask, eight| mask << 8 | u64::from_le_bytes(*eight).wrapping_mul(GATHER) >> 56)
}

fn push_bits(positions: &mut Vec<usize>, mut bits: u64, base: usize) {
    while bits != 0 {
        positions.push(base + bits.trailing_zeros() as usize);
        bits &= bits - 1;
    }
}
