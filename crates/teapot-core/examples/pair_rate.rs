//! How many pairs a second one core scores: the measuring half of `bench/`.
//!
//! `pair_rate METRIC HYPOTHESES REFERENCES SECONDS` reads two line-aligned files, scores all pairs again and again for
//! about that long, and prints one line of JSON: pairs a second (median and extremes over the repetitions) and the sum
//! of the scores, so that the caller can check that a rival computes the same. Rates are of processor time.
#![expect(clippy::print_stdout, reason = "a program that prints its result")]

mod common;

use std::time::{Duration, Instant};

use teapot_core::distance::{DistanceScratch, Unit, try_levenshtein};
use teapot_core::patience::Patience;
use teapot_core::score::SentenceMetric;
use teapot_core::score::bleu::Bleu;
use teapot_core::score::chrf::Chrf;
use teapot_core::score::edit::Edit;
use teapot_core::score::ter::Ter;
use teapot_core::score::token_f1::TokenF1;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [metric, hypotheses, references, seconds] = arguments.as_slice() else {
        return Err("usage: pair_rate METRIC HYPOTHESES REFERENCES SECONDS".into());
    };
    let hypotheses = std::fs::read_to_string(hypotheses)?;
    let references = std::fs::read_to_string(references)?;
    let pairs: Vec<(&str, &str)> = hypotheses
        .trim_end_matches('\n')
        .split('\n')
        .zip(references.trim_end_matches('\n').split('\n'))
        .collect();
    let duration = Duration::from_secs_f64(seconds.parse()?);
    let result = match metric.as_str() {
        "chrf" => measure(&Chrf::default(), &pairs, duration),
        "chrf++" => measure(&Chrf { word_order: 2, ..Chrf::default() }, &pairs, duration),
        "bleu" => measure(&Bleu::default(), &pairs, duration),
        "ter" => measure(&Ter::default(), &pairs, duration),
        "f1" => measure(&TokenF1, &pairs, duration),
        "levenshtein" => {
            let (mut scratch, patience) = (DistanceScratch::default(), Patience::endless());
            repeat(&pairs, duration, |hypothesis, reference| {
                let distance =
                    try_levenshtein(hypothesis, reference, Unit::Char, &mut scratch, &patience);
                f64::from(
                    distance.map_or(u32::MAX, |found| u32::try_from(found).unwrap_or(u32::MAX)),
                )
            })
        }
        other => match other.parse() {
            Ok(distance) => measure(&Edit { distance, ..Edit::default() }, &pairs, duration),
            Err(_) => return Err(format!("unknown metric {other}").into()),
        },
    };
    println!("{result}");
    Ok(())
}

fn measure<M: SentenceMetric>(metric: &M, pairs: &[(&str, &str)], duration: Duration) -> String {
    let (mut prepared, patience) = (M::References::default(), Patience::endless());
    repeat(pairs, duration, |hypothesis, reference| {
        metric.prepare(&[reference], &mut prepared);
        metric.score(hypothesis, &mut prepared, &patience).unwrap_or(f64::NAN)
    })
}

#[expect(clippy::cast_precision_loss, reason = "counts of pairs are small")]
fn repeat(
    pairs: &[(&str, &str)],
    duration: Duration,
    mut score: impl FnMut(&str, &str) -> f64,
) -> String {
    let started = Instant::now();
    let mut rates = Vec::new();
    let mut sum = 0.0;
    while rates.len() < 3 || started.elapsed() < duration {
        let (seconds, total) = common::timed(|| {
            pairs.iter().map(|&(hypothesis, reference)| score(hypothesis, reference)).sum()
        });
        sum = total;
        rates.push(pairs.len() as f64 / seconds);
    }
    rates.sort_by(f64::total_cmp);
    let (low, high) = (rates[0], rates[rates.len() - 1]);
    let median = rates[rates.len() / 2];
    format!(r#"{{"rate":{median},"low":{low},"high":{high},"rounds":{},"sum":{sum}}}"#, rates.len())
}
