//! The slow twin of BLEU: the definition, word for word, over tables of owned n-grams and sacreBLEU's arithmetic.

use std::collections::HashMap;

use teapot_core::score::bleu::{Bleu, Smoothing};
use teapot_core::text::lowercase::lowercase;
use teapot_core::text::tokenize::Tokens;
use teapot_core::text::whitespace::strip_end;

/// `[hypothesis length, reference length]`, matches of each order, n-grams of each order.
pub struct Counts {
    pub lengths: [usize; 2],
    pub matches: Vec<usize>,
    pub totals: Vec<usize>,
}

fn tokens(bleu: &Bleu, text: &str) -> Vec<String> {
    let text = if bleu.lowercase { lowercase(text) } else { text.to_owned() };
    let mut tokens = Tokens::default();
    bleu.tokenizer.tokenize(strip_end(&text), &mut tokens);
    tokens.iter().map(str::to_owned).collect()
}

fn grams(tokens: &[String], order: usize) -> HashMap<&[String], usize> {
    let mut table = HashMap::new();
    for gram in tokens.windows(order) {
        *table.entry(gram).or_default() += 1;
    }
    table
}

pub fn counts(bleu: &Bleu, hypothesis: &str, references: &[&str]) -> Counts {
    let hypothesis = tokens(bleu, hypothesis);
    let references: Vec<_> = references.iter().map(|text| tokens(bleu, text)).collect();
    let mut closest = references[0].len();
    for reference in &references {
        let difference = reference.len().abs_diff(hypothesis.len());
        let best = closest.abs_diff(hypothesis.len());
        if difference < best || difference == best && reference.len() < closest {
            closest = reference.len();
        }
    }
    let (mut matches, mut totals) = (Vec::new(), Vec::new());
    for order in 1..=bleu.max_order {
        let mut allowed: HashMap<&[String], usize> = HashMap::new();
        for reference in &references {
            for (gram, count) in grams(reference, order) {
                let most = allowed.entry(gram).or_default();
                *most = count.max(*most);
            }
        }
        let table = grams(&hypothesis, order);
        totals.push(table.values().sum());
        matches.push(table.iter().map(|(gram, &n)| n.min(*allowed.get(gram).unwrap_or(&0))).sum());
    }
    Counts { lengths: [hypothesis.len(), closest], matches, totals }
}

/// `compute_bleu` of sacreBLEU, divided by 100 and clamped, with the crate's own logarithm.
#[expect(clippy::cast_precision_loss, reason = "test texts are short")]
pub fn score(bleu: &Bleu, counts: &Counts) -> f64 {
    let [hypothesis, reference] = counts.lengths.map(|length| length as f64);
    if counts.matches.iter().all(|&matches| matches == 0) {
        return 0.0;
    }
    let penalty =
        if hypothesis < reference { libm::exp(1.0 - reference / hypothesis) } else { 1.0 };
    let mut precisions = vec![0.0_f64; bleu.max_order];
    let (mut halving, mut effective) = (1.0, bleu.max_order);
    for order in 1..=bleu.max_order {
        let (mut correct, mut total) =
            (counts.matches[order - 1] as f64, counts.totals[order - 1] as f64);
        if let (Smoothing::AddK(k), 2..) = (bleu.smoothing, order) {
            correct += k;
            total += k;
        }
        if total == 0.0 {
            break;
        }
        if bleu.effective_order {
            effective = order;
        }
        precisions[order - 1] = match bleu.smoothing {
            _ if correct > 0.0 => 100.0 * correct / total,
            Smoothing::Exp => {
                halving *= 2.0;
                100.0 / (halving * total)
            }
            Smoothing::Floor(value) => 100.0 * value / total,
            _ => 0.0,
        };
    }
    let logarithms = precisions[..effective]
        .iter()
        .map(|&p| if p == 0.0 { -9_999_999_999.0 } else { libm::log(p) });
    let sum = logarithms.fold(0.0, |sum, log| sum + log);
    (penalty * libm::exp(sum / effective as f64) / 100.0).clamp(0.0, 1.0)
}
