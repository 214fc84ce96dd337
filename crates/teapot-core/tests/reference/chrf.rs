//! The slow twin of chrF: the definition, word for word, with an owned n-gram as the key of a table.

use std::collections::HashMap;

use teapot_core::score::chrf::{Chrf, OrderCounts};
use teapot_core::text::lowercase::lowercase;
use teapot_core::text::whitespace::{is_whitespace, split};

fn grams<T: Clone + Eq + std::hash::Hash>(symbols: &[T], order: usize) -> HashMap<Vec<T>, u64> {
    let mut table = HashMap::new();
    for gram in symbols.windows(order) {
        *table.entry(gram.to_vec()).or_default() += 1;
    }
    table
}

fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for word in split(text) {
        let word: Vec<char> = word.chars().collect();
        let (first, last) = (word[0], word[word.len() - 1]);
        if word.len() > 1 && last.is_ascii_punctuation() {
            words.push(word[..word.len() - 1].iter().collect());
            words.push(last.to_string());
        } else if word.len() > 1 && first.is_ascii_punctuation() {
            words.push(first.to_string());
            words.push(word[1..].iter().collect());
        } else {
            words.push(word.iter().collect());
        }
    }
    words
}

fn count<T: Clone + Eq + std::hash::Hash>(a: &[T], b: &[T], order: usize) -> OrderCounts {
    let (hypothesis, reference) = (grams(a, order), grams(b, order));
    let mut counts = OrderCounts::default();
    for (gram, &count) in &hypothesis {
        counts.hypothesis += if reference.is_empty() { 0 } else { count };
        counts.matches += count.min(reference.get(gram).copied().unwrap_or(0));
    }
    counts.reference = reference.values().sum();
    counts
}

/// Counts of one pair, per order.
pub fn counts(chrf: &Chrf, hypothesis: &str, reference: &str) -> Vec<OrderCounts> {
    let fold = |text: &str| if chrf.lowercase { lowercase(text) } else { text.to_owned() };
    let (hypothesis, reference) = (fold(hypothesis), fold(reference));
    let characters = |text: &str| -> Vec<char> {
        text.chars().filter(|&c| chrf.whitespace || !is_whitespace(c)).collect()
    };
    let (a, b) = (characters(&hypothesis), characters(&reference));
    let mut all: Vec<_> = (1..=chrf.char_order).map(|order| count(&a, &b, order)).collect();
    let (a, b) = (words(&hypothesis), words(&reference));
    all.extend((1..=chrf.word_order).map(|order| count(&a, &b, order)));
    all
}

/// sacreBLEU's `_compute_f_score`, statement by statement (`mean_…` is its `avg_…`), from 0 to 100.
#[allow(clippy::cast_precision_loss, clippy::allow_attributes, reason = "small counts")]
pub fn f_score(chrf: &Chrf, counts: &[OrderCounts]) -> f64 {
    let eps = 1e-16;
    let factor = chrf.beta.powi(2);
    let (mut score, mut effective_order, mut mean_precision, mut mean_recall) =
        (0.0, 0.0, 0.0, 0.0);
    for count in counts {
        let (n_hyp, n_ref) = (count.hypothesis as f64, count.reference as f64);
        let prec = if n_hyp > 0.0 { count.matches as f64 / n_hyp } else { eps };
        let rec = if n_ref > 0.0 { count.matches as f64 / n_ref } else { eps };
        let denom = factor * prec + rec;
        score += if denom > 0.0 { (1.0 + factor) * prec * rec / denom } else { eps };
        if n_hyp > 0.0 && n_ref > 0.0 {
            mean_precision += prec;
            mean_recall += rec;
            effective_order += 1.0;
        }
    }
    if chrf.eps_smoothing {
        return 100.0 * score / counts.len() as f64;
    }
    if effective_order > 0.0 {
        mean_precision /= effective_order;
        mean_recall /= effective_order;
    }
    if mean_precision + mean_recall > 0.0 {
        100.0
            * ((1.0 + factor) * mean_precision * mean_recall
                / (factor * mean_precision + mean_recall))
    } else {
        0.0
    }
}

/// The score against the best of the references, a fraction.
pub fn score(chrf: &Chrf, hypothesis: &str, references: &[&str]) -> f64 {
    let mut best = -1.0;
    for reference in references {
        let score = f_score(chrf, &counts(chrf, hypothesis, reference));
        if score > best {
            best = score;
        }
    }
    (best / 100.0).clamp(0.0, 1.0)
}
