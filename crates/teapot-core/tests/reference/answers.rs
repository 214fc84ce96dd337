//! The slow twins of exact match, token F1 and SQuAD's scores: the scripts, line for line.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use regex::Regex;
use teapot_core::score::exact_match::ExactMatch;
use teapot_core::score::squad::SquadVersion;
use teapot_core::text::lowercase::lowercase;
use teapot_core::text::whitespace::{split, strip_end};

pub fn token_f1(hypothesis: &str, reference: &str) -> f64 {
    let hypothesis: Vec<&str> = split(hypothesis).collect();
    let reference: Vec<&str> = split(reference).collect();
    if hypothesis.is_empty() || reference.is_empty() {
        return if hypothesis.len() == reference.len() { 1.0 } else { 0.0 };
    }
    let hypothesis_words: HashSet<&str> = hypothesis.iter().copied().collect();
    let reference_words: HashSet<&str> = reference.iter().copied().collect();
    let shared = hypothesis.iter().filter(|word| reference_words.contains(*word)).count();
    let precision = shared as f64 / hypothesis.len() as f64;
    let shared = reference.iter().filter(|word| hypothesis_words.contains(*word)).count();
    let recall = shared as f64 / reference.len() as f64;
    if precision + recall == 0.0 { 0.0 } else { 2.0 * precision * recall / (precision + recall) }
}

/// `normalize_answer` of both scripts.
fn normalize(text: &str) -> String {
    // Python's \w, spelled out: Rust's has marks too.
    static ARTICLES: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"(^|[^\pL\pN_])(?:a|an|the)([^\pL\pN_]|$)").unwrap());
    let lowered = lowercase(text);
    let mut text: String = lowered.chars().filter(|c| !c.is_ascii_punctuation()).collect();
    // Neighbouring articles share the character between them: replace until nothing changes.
    loop {
        let replaced = ARTICLES.replace(&text, "${1} ${2}").into_owned();
        if replaced == text {
            break;
        }
        text = replaced;
    }
    split(&text).collect::<Vec<_>>().join(" ")
}

/// `[exact, f1]`, the best over the references.
pub fn squad(version: SquadVersion, hypothesis: &str, references: &[&str]) -> [f64; 2] {
    let mut answers: Vec<String> = references.iter().map(|text| normalize(text)).collect();
    if version == SquadVersion::V2 {
        answers.retain(|answer| !answer.is_empty());
        if answers.is_empty() {
            answers.push(String::new());
        }
    }
    let hypothesis = normalize(hypothesis);
    let exact = answers.contains(&hypothesis);
    let f1 = answers.iter().map(|answer| squad_f1(version, &hypothesis, answer));
    [f64::from(u8::from(exact)), f1.fold(0.0, f64::max)]
}

fn squad_f1(version: SquadVersion, hypothesis: &str, reference: &str) -> f64 {
    let hypothesis: Vec<&str> = split(hypothesis).collect();
    let reference: Vec<&str> = split(reference).collect();
    if version == SquadVersion::V2 && (hypothesis.is_empty() || reference.is_empty()) {
        return if hypothesis == reference { 1.0 } else { 0.0 };
    }
    let count = |words: &[&str]| {
        let mut table: HashMap<String, usize> = HashMap::new();
        for word in words {
            *table.entry((*word).to_owned()).or_default() += 1;
        }
        table
    };
    let other = count(&reference);
    let common: usize =
        count(&hypothesis).iter().map(|(word, &n)| n.min(*other.get(word).unwrap_or(&0))).sum();
    if common == 0 {
        return 0.0;
    }
    let precision = common as f64 / hypothesis.len() as f64;
    let recall = common as f64 / reference.len() as f64;
    2.0 * precision * recall / (precision + recall)
}

pub fn exact_match(parameters: &ExactMatch, hypothesis: &str, reference: &str) -> bool {
    let fold = |text: &str| {
        let text = if parameters.strip { strip_end(text) } else { text };
        if parameters.lowercase { lowercase(text) } else { text.to_owned() }
    };
    fold(hypothesis) == fold(reference)
}
