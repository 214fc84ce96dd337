//! TER's edits against the search for shifts as its definition reads.

#[path = "../../tests/reference/ter.rs"]
mod reference;

use teapot_core::score::ter::Ter;

/// Words of each side: the slow twin takes a matrix for each of a thousand candidates.
const MAX_WORDS: usize = 120;

/// Two segments of one-letter words. The first byte says how many different words there are, the second where to cut.
pub fn pair(data: &[u8]) {
    let [alphabet, share, words @ ..] = data else { return };
    let alphabet = u32::from(*alphabet).max(1);
    let letter = |byte: &u8| char::from_u32(0x4e00 + u32::from(*byte) % alphabet).unwrap_or('a');
    let (hypothesis, reference) = words.split_at(words.len() * usize::from(*share) / 256);
    let [hypothesis, reference] = [hypothesis, reference]
        .map(|side| side.iter().take(MAX_WORDS).map(letter).collect::<Vec<char>>());
    let [left, right] = [&hypothesis, &reference]
        .map(|words| words.iter().flat_map(|&word| [word, ' ']).collect::<String>());
    let found = Ter::default().edits(&left, &[&right]).map(|counts| counts.edits);
    assert_eq!(found, Ok(reference::edits(&hypothesis, &reference)));
}
