//! All distances against the rapidfuzz crate's, over code points and over words, with buffers that were used before.

#[path = "../../tests/reference/comparators.rs"]
mod comparators;

use teapot_core::distance::{DistanceScratch, Unit};

/// Two texts; the first byte says where to cut.
pub fn pair(data: &[u8]) {
    let [share, texts @ ..] = data else { return };
    let (left, right) = texts.split_at(texts.len() * usize::from(*share) / 256);
    let (left, right) = (String::from_utf8_lossy(left), String::from_utf8_lossy(right));
    let mut scratch = DistanceScratch::default();
    for unit in [Unit::Char, Unit::Word] {
        comparators::agree(&left, &right, unit, &mut scratch);
        comparators::agree(&right, &left, unit, &mut scratch);
    }
}
