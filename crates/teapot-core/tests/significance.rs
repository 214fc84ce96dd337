//! sacreBLEU's significance tests: `golden/significance.json`, and the generator behind them.
#![expect(clippy::unwrap_used, reason = "a test that can't read its material fails")]

mod common;

use std::collections::HashMap;

use serde_json::Value;
use teapot_core::resample::corpus::{
    CorpusInterval, CorpusTestOptions, SegmentCounts, approximate_randomization,
    bootstrap_interval, paired_bootstrap,
};
use teapot_core::resample::numpy::NumpyGenerator;
use teapot_core::score::CorpusMetric;
use teapot_core::score::bleu::Bleu;
use teapot_core::score::chrf::Chrf;
use teapot_core::score::ter::Ter;

const SYSTEMS: [&str; 4] = ["base.en", "adv.charswap.en", "adv.knn.en", "adv.unconstrained.en"];

/// Compares a field of a row, which is on the scale 0–100 (p-values: 0–1) and missing or null where a test has no such
/// number.
fn check(row: &Value, name: &str, found: f64, tolerance: f64) {
    if let Some(expected) = row[name].as_f64() {
        let (metric, system, test) = (&row["metric"], &row["system"], &row["test"]);
        let off = (found - expected).abs();
        assert!(off <= tolerance, "{test} {metric} {system} {name}: {found}, not {expected}");
    }
}

fn check_interval(row: &Value, interval: &CorpusInterval) {
    check(row, "score", 100.0 * interval.score, 1e-9);
    for (field, value) in [("mean", interval.mean), ("ci", interval.half_width)] {
        check(row, field, 100.0 * value, 1e-4);
        check(row, &format!("{field}_f64"), 100.0 * value, 1e-9);
    }
    if let Some(first) = row["first_resample_scores_f64"].as_array() {
        for (expected, found) in first.iter().zip(&interval.resampled) {
            assert!((100.0 * found - expected.as_f64().unwrap()).abs() <= 1e-9);
        }
    }
}

fn rows_hold<M: CorpusMetric>(metric: &M, name: &str) {
    let Some(rows) = common::golden("significance.json") else { return };
    let lines = |file: &str| common::lines(&format!("MT/{file}")).unwrap();
    let references = lines("ref.en");
    let counts: HashMap<&str, Vec<Vec<f64>>> = SYSTEMS
        .map(|system| {
            let lines = lines(system);
            let pairs = lines.iter().zip(&references);
            (system, pairs.map(|(hyp, text)| metric.statistics(hyp, &[text]).unwrap()).collect())
        })
        .into();
    let mut checked = 0;
    for row in rows.iter().filter(|row| row["metric"] == name) {
        let taken = if row["lines"] == "first 100" { 100 } else { references.len() };
        let of = |key: &str| {
            let rows: &Vec<Vec<f64>> = &counts[row[key].as_str().unwrap()];
            SegmentCounts::new(rows[..taken].iter().cloned()).unwrap()
        };
        let system = of("system");
        let options = CorpusTestOptions::default();
        if row["test"] == "ci" || row["system"] == row["baseline"] {
            check_interval(row, &bootstrap_interval(metric, &system, &options).unwrap());
        } else {
            let test = match row["test"].as_str().unwrap() {
                "paired_bootstrap" => paired_bootstrap(metric, &of("baseline"), &system, &options),
                _ => approximate_randomization(metric, &of("baseline"), &system, &options),
            }
            .unwrap();
            check_interval(row, &test.interval);
            check(row, "diff", 100.0 * test.difference, 1e-9);
            check(row, "p_value", test.p_value, 1e-9);
            check(row, "p_value_f64", test.p_value, 1e-9);
        }
        checked += 1;
    }
    assert_eq!(checked, 20);
}

#[test]
fn bleu_rows_hold() {
    rows_hold(&Bleu::sacrebleu_corpus(), "BLEU");
}

#[test]
fn chrf_rows_hold() {
    rows_hold(&Chrf::default(), "chrF2");
}

#[test]
fn chrf_plus_plus_rows_hold() {
    rows_hold(&Chrf::plus_plus(), "chrF2++");
}

#[test]
fn ter_rows_hold() {
    rows_hold(&Ter::default(), "TER");
}

/// The generator against the numbers in the header of the golden file.
#[test]
fn draws_are_numpys() {
    let Some(shared) = common::shared() else { return };
    let text = std::fs::read_to_string(shared.join("golden/significance.json")).unwrap();
    let rng = &serde_json::from_str::<Value>(&text).unwrap()["header"]["rng"];
    let strings = rng["raw_uint64_first8"].as_array().unwrap().iter();
    let raw: Vec<u64> = strings.map(|text| text.as_str().unwrap().parse().unwrap()).collect();
    let mut generator = NumpyGenerator::new(12_345);
    assert_eq!(raw, [(); 8].map(|()| generator.next_u64()));

    let numbers = |value: &Value| -> Vec<u64> {
        value.as_array().unwrap().iter().map(|number| number.as_u64().unwrap()).collect()
    };
    for (key, bound) in [("bootstrap_indices", 1000), ("bootstrap_indices_100", 100)] {
        let mut generator = NumpyGenerator::new(12_345);
        let drawn: Vec<u64> = (0..1000 * bound).map(|_| generator.below(bound)).collect();
        assert!(drawn.starts_with(&numbers(&rng[key]["first20_of_row0"])));
        assert_eq!(drawn.iter().sum::<u64>(), rng[key]["sum"].as_u64().unwrap());
    }

    let mut generator = NumpyGenerator::new(12_345);
    let mut coins = vec![false; 10_000_000];
    generator.fill_bools(&mut coins);
    let text = |row: usize| -> String {
        coins[row * 1000..][..40].iter().map(|&coin| if coin { '1' } else { '0' }).collect()
    };
    let masks = &rng["ar_masks"];
    assert_eq!(masks["first40_of_row0"], text(0));
    assert_eq!(masks["first40_of_row9999"], text(9999));
    assert_eq!(masks["ones"], coins.iter().filter(|&&coin| coin).count());
    let drawn: Vec<u64> = (0..1_000_000).map(|_| generator.below(1000)).collect();
    assert_eq!(rng["ar_confidence_indices"]["sum"], drawn.iter().sum::<u64>());
}
