//! chrF and chrF++ against the definition: any parameters, texts alike or not.

#[path = "../../tests/reference/chrf.rs"]
mod reference;

use teapot_core::patience::Patience;
use teapot_core::score::SentenceMetric;
use teapot_core::score::chrf::{Chrf, ChrfReferences};

/// Two texts that have nothing to do with each other, besides what a fuzzer finds.
pub fn pair(data: &[u8]) {
    let Some((chrf, [share, texts @ ..])) = parameters(data) else { return };
    let (hypothesis, reference) = texts.split_at(texts.len() * usize::from(*share) / 256);
    check(&chrf, &String::from_utf8_lossy(hypothesis), &String::from_utf8_lossy(reference));
}

/// A text and an edited copy of it, for which most of the counting is skipped.
pub fn edited(data: &[u8]) {
    let Some((chrf, [count, rest @ ..])) = parameters(data) else { return };
    let (edits, text) = rest.split_at(rest.len().min(4 * usize::from(count % 16)));
    let text = String::from_utf8_lossy(text);
    check(&chrf, &edit(&text, edits), &text);
}

/// Parameters from two bytes, and the bytes behind them.
fn parameters(data: &[u8]) -> Option<(Chrf, &[u8])> {
    let ([orders, flags], rest) = data.split_first_chunk()?;
    let word_order = usize::from(orders / 8 % 3);
    // Six is what the fast kernels hold and what everyone uses: every second input has it.
    let char_order = if orders & 1 == 0 { 6 } else { usize::from(orders / 24) % 9 };
    let chrf = Chrf {
        char_order: char_order.max(usize::from(word_order == 0)),
        word_order,
        beta: f64::from(flags / 8 % 8 + 1) / 2.0,
        lowercase: flags & 1 != 0,
        whitespace: flags & 2 != 0,
        eps_smoothing: flags & 4 != 0,
    };
    Some((chrf, rest))
}

/// Compares counts and scores of a pair with the slow twin: alone, with a shared reference, and with used buffers.
fn check(chrf: &Chrf, hypothesis: &str, reference: &str) {
    let counts = chrf.counts(hypothesis, &[reference]).expect("there is a reference");
    assert_eq!(counts, reference::counts(chrf, hypothesis, reference));
    let slow = reference::score(chrf, hypothesis, &[reference]).to_bits();
    assert_eq!(chrf.score_pair(hypothesis, reference).to_bits(), slow);
    let mut prepared = ChrfReferences::default();
    chrf.prepare(&[reference], &mut prepared);
    for text in [reference, hypothesis, "tea", hypothesis] {
        let score =
            chrf.score(text, &mut prepared, &Patience::endless()).expect("endless patience");
        assert!(text != hypothesis || score.to_bits() == slow);
    }
}

/// A text with edits, each of four bytes: where (two), which kind, and a character.
fn edit(text: &str, edits: &[u8]) -> String {
    let mut text: Vec<char> = text.chars().collect();
    for &[low, high, kind, byte] in edits.as_chunks::<4>().0 {
        let at = usize::from(u16::from_le_bytes([low, high])) % (text.len() + 1);
        let character = char::from(byte);
        match kind % 7 {
            0 if at + 1 < text.len() => text.swap(at, at + 1),
            1 if at < text.len() => text.insert(at, text[at]),
            2 if at < text.len() => drop(text.remove(at)),
            3 if at < text.len() => text[at] = character,
            4 => drop(text.drain(at..(at + usize::from(byte)).min(text.len()))),
            5 => {
                let copy = text[at..(at + usize::from(byte)).min(text.len())].to_vec();
                text.splice(at..at, copy);
            }
            _ => text.insert(at, character),
        }
    }
    text.into_iter().collect()
}
