//! BLEU's counts and score against the definition, with one and with several references.
#[path = "../../tests/reference/bleu.rs"]
mod reference;

use teapot_core::patience::Patience;
use teapot_core::score::bleu::{Bleu, BleuReferences, Smoothing};
use teapot_core::score::{CorpusMetric, SentenceMetric};
use teapot_core::text::tokenize::Tokenizer;

/// Parameters from three bytes, and the bytes behind them.
fn parameters(data: &[u8]) -> Option<(Bleu, &[u8])> {
    let ([order, smoothing, flags], rest) = data.split_first_chunk()?;
    let value = f64::from(smoothing / 4) / 16.0;
    let bleu = Bleu {
        tokenizer: Tokenizer::ALL[usize::from(*flags / 4) % Tokenizer::ALL.len()],
        lowercase: flags & 1 != 0,
        effective_order: flags & 2 != 0,
        smoothing: match smoothing % 4 {
            0 => Smoothing::None,
            1 => Smoothing::Floor(value),
            2 => Smoothing::AddK(value),
            _ => Smoothing::Exp,
        },
        max_order: usize::from(order % 12) + 1,
    };
    Some((bleu, rest))
}

/// A hypothesis and references, separated by bars.
#[expect(clippy::cast_precision_loss, reason = "small counts")]
pub fn pair(data: &[u8]) {
    let Some((bleu, rest)) = parameters(data) else { return };
    let text = String::from_utf8_lossy(rest);
    let mut texts = text.split('|');
    let (hypothesis, references) = (texts.next().unwrap_or(""), texts.collect::<Vec<_>>());
    let Some(first) = references.first() else { return };
    let (mut prepared, patience) = (BleuReferences::default(), Patience::endless());
    for references in [&references[..], &[*first], &[hypothesis]] {
        let slow = reference::counts(&bleu, hypothesis, references);
        let counts = slow.lengths.iter().chain(&slow.matches).chain(&slow.totals);
        let counts: Vec<f64> = counts.map(|&count| count as f64).collect();
        assert_eq!(bleu.statistics(hypothesis, references), Ok(counts));
        bleu.prepare(references, &mut prepared);
        let score = bleu.score(hypothesis, &mut prepared, &patience).expect("endless patience");
        let expected = reference::score(&bleu, &slow);
        // Identical texts have exactly 1 here.
        assert!(
            score.to_bits() == expected.to_bits() || score >= 1.0 && 1.0 - expected < 1e-14,
            "{score} {expected}"
        );
    }
}
