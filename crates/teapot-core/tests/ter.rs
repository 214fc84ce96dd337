//! TER against sacreBLEU 2.6.0: `golden/ter.json`, `corpus.json` and `multiref.json`, and blank sides.
#![expect(clippy::unwrap_used, reason = "a test that can't read its material fails")]

mod common;
#[path = "reference/ter.rs"]
mod reference;

use std::collections::HashMap;

use proptest::prelude::*;
use serde_json::Value;
use teapot_core::distance::{Unit, levenshtein};
use teapot_core::random::Generator;
use teapot_core::score::ter::{Ter, TerEdits};
use teapot_core::score::{CorpusMetric, SentenceMetric};

/// The parameters behind the column names of the golden files.
fn metric(name: &str) -> Option<Ter> {
    let ter = Ter::default();
    let normalized = Ter { normalized: true, ..ter.clone() };
    Some(match name {
        "ter" => ter,
        "ter_norm" => normalized,
        "ter_nopunct" => Ter { no_punct: true, ..ter },
        "ter_case" => Ter { case_sensitive: true, ..ter },
        "ter_asian" => Ter { asian_support: true, ..normalized },
        "ter_asian_nopunct" => Ter { asian_support: true, no_punct: true, ..normalized },
        _ => return None,
    })
}

fn close(found: f64, expected: f64) -> bool {
    (found - expected).abs() <= 1e-9
}

fn check_counts(counts: TerEdits, expected: &Value, id: &Value) {
    let [edits, length] = [0, 1].map(|index| expected[index].as_f64().unwrap());
    let [found, found_length] = [counts.rate() * counts.reference_length, counts.reference_length];
    assert!(close(found_length, length), "{id}: {counts:?}, not {expected}");
    assert!(length == 0.0 || close(found, edits), "{id}: {counts:?}, not {expected}");
}

#[test]
fn pairs_have_sacrebleus_values() {
    let Some(rows) = common::golden("ter.json") else { return };
    for row in &rows {
        let (hyp, reference) = (row["hyp"].as_str().unwrap(), row["ref"].as_str().unwrap());
        let values = row["values"].as_object().unwrap();
        assert_eq!(values.len(), 6);
        for (name, value) in values {
            let ter = metric(name).unwrap();
            let counts = ter.edits(hyp, &[reference]).unwrap();
            let (rate, value) = (counts.rate(), value.as_f64().unwrap());
            assert!(close(100.0 * rate, value), "{} {name}: {rate}, not {value}", row["id"]);
            check_counts(counts, &row["edits_reflen"][name], &row["id"]);
            let score = ter.score_pair(hyp, reference);
            assert!(close(score, 1.0 - rate.min(1.0)), "{} {name}: {score}", row["id"]);
        }
    }
}

#[test]
fn several_references_follow_sacrebleus_rule() {
    let Some(rows) = common::golden("multiref.json") else { return };
    for row in &rows {
        let references: Vec<&str> =
            row["refs"].as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect();
        let counts = Ter::default().edits(row["hyp"].as_str().unwrap(), &references).unwrap();
        let value = row["values"]["ter"].as_f64().unwrap();
        assert!(close(100.0 * counts.rate(), value), "{}: {counts:?}, not {value}", row["id"]);
        check_counts(counts, &row["ter_edits_reflen"], &row["id"]);
    }
}

#[test]
fn corpora_have_sacrebleus_values() {
    let (Some(rows), Some(pairs)) = (common::golden("corpus.json"), common::golden("chrf.json"))
    else {
        return;
    };
    let pairs: HashMap<&str, [&str; 2]> = pairs
        .iter()
        .map(|row| {
            (row["id"].as_str().unwrap(), ["hyp", "ref"].map(|side| row[side].as_str().unwrap()))
        })
        .collect();
    for row in &rows {
        let lines = |file: &Value| common::lines(file.as_str().unwrap()).unwrap();
        let (hyps, references): (Vec<String>, Vec<Vec<String>>) =
            if let Some(ids) = row["ids"].as_array() {
                ids.iter()
                    .map(|id| {
                        let [hyp, reference] = pairs[id.as_str().unwrap()].map(str::to_owned);
                        (hyp, vec![reference])
                    })
                    .unzip()
            } else {
                let one = std::slice::from_ref(&row["ref_file"]);
                let files = row["ref_files"].as_array().map_or(one, Vec::as_slice);
                let columns: Vec<Vec<String>> = files.iter().map(lines).collect();
                let transposed = (0..columns[0].len())
                    .map(|line| columns.iter().map(|column| column[line].clone()).collect())
                    .collect();
                (lines(&row["hyp_file"]), transposed)
            };
        for (name, value) in row["values"].as_object().unwrap() {
            let Some(ter) = metric(name) else { continue };
            let mut sum = [0.0; 2];
            for (hyp, references) in hyps.iter().zip(&references) {
                let references: Vec<&str> = references.iter().map(String::as_str).collect();
                let counts = ter.statistics(hyp, &references).unwrap();
                sum = [sum[0] + counts[0], sum[1] + counts[1]];
            }
            let (rate, value) = (ter.corpus_score(&sum), value.as_f64().unwrap());
            assert!(close(100.0 * rate, value), "{} {name}: {rate}, not {value}", row["corpus"]);
        }
    }
}

#[test]
fn blank_sides_are_defined() {
    for (hyp, reference, score, rate) in [
        ("", "", 1.0, 0.0),
        (" ", "\u{3000}", 1.0, 0.0),
        ("", "tea", 0.0, 1.0),
        ("hot tea", "", 0.0, 1.0),
    ] {
        let ter = Ter::default();
        assert!(close(ter.score_pair(hyp, reference), score));
        assert!(close(ter.edits(hyp, &[reference]).unwrap().rate(), rate));
    }
    assert!(Ter::default().edits("tea", &[]).is_err());
    assert!(close(Ter::default().corpus_score(&[0.0, 0.0]), 0.0));
}

/// Words of one letter each, as a text.
fn segment(words: &[char]) -> String {
    words.iter().map(char::to_string).collect::<Vec<_>>().join(" ")
}

/// A segment and one made of it: runs moved, words replaced, dropped, doubled.
fn moved(generator: &mut Generator, words: &[char], alphabet: usize) -> Vec<char> {
    let mut words = words.to_vec();
    for _ in 0..generator.below(8) {
        let place = generator.below(words.len() + 1);
        let end = (place + generator.below(13)).min(words.len());
        match generator.below(5) {
            0 if end > place => words[place] = letter(generator.below(alphabet)),
            1 if generator.below(4) == 0 => drop(words.drain(place..end)),
            2 if generator.below(4) == 0 => {
                let run = words[place..end].to_vec();
                words.splice(place..place, run);
            }
            _ => {
                let run: Vec<char> = words.drain(place..end).collect();
                let target = (place + generator.below(60)).saturating_sub(30).min(words.len());
                words.splice(target..target, run);
            }
        }
    }
    words
}

fn letter(number: usize) -> char {
    ('\u{4e00}'..).nth(number).unwrap()
}

/// Segments of up to `longest` words, hypothesis first: alike or not, with few or many different words.
fn pair(seed: u64, longest: usize) -> [Vec<char>; 2] {
    let mut generator = Generator::new(seed);
    let alphabet = [2, 5, 30, 1000][generator.below(4)];
    let text = |generator: &mut Generator, longest| -> Vec<char> {
        let length = generator.below(longest);
        (0..length).map(|_| letter(generator.below(alphabet))).collect()
    };
    let reference = text(&mut generator, longest);
    let hypothesis = match generator.below(5) {
        0 => text(&mut generator, longest),
        // The reference may be more than fifty times as long.
        1 => text(&mut generator, longest / 40),
        _ => moved(&mut generator, &reference, alphabet),
    };
    [hypothesis, reference]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    /// Lengths around 64, where words are found in another way, and beyond the beam.
    #[test]
    fn edits_of_long_segments_are_those_of_the_slow_twin(seed in any::<u64>()) {
        let [hypothesis, reference] = pair(seed, 220);
        let found = Ter::default().edits(&segment(&hypothesis), &[&segment(&reference)]).unwrap();
        prop_assert_eq!(found.edits, reference::edits(&hypothesis, &reference));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// Few different words and moved runs: every round finds several shifts that are as good.
    #[test]
    fn edits_are_those_of_the_slow_twin(
        hypothesis in prop::collection::vec(prop::char::range('a', 'f'), 0..12),
        reference in prop::collection::vec(prop::char::range('a', 'f'), 0..12),
        moved in 0..12_usize,
    ) {
        let mut rotated = reference.clone();
        if !rotated.is_empty() {
            let middle = moved % rotated.len();
            rotated.rotate_left(middle);
        }
        for words in [&hypothesis, &rotated] {
            let found = Ter::default().edits(&segment(words), &[&segment(&reference)]).unwrap();
            prop_assert_eq!(found.edits, reference::edits(words, &reference));
        }
    }

    /// A shift is made only when it saves edits, and equal segments need none. Of fewer than 25 words, so that sacreBLEU's
    /// beam of 25 leaves nothing out: `e` against `e` and thirty words more needs 31 edits there, one above the distance.
    #[test]
    fn edits_are_bounded_by_the_distance_without_shifts(
        hypothesis in prop::collection::vec(prop::char::range('a', 'h'), 0..25),
        reference in prop::collection::vec(prop::char::range('a', 'h'), 0..25),
    ) {
        let (hypothesis, reference) = (segment(&hypothesis), segment(&reference));
        let found = Ter::default().edits(&hypothesis, &[&reference]).unwrap().edits;
        prop_assert!(found <= levenshtein(&hypothesis, &reference, Unit::Word));
        prop_assert_eq!(Ter::default().edits(&reference, &[&reference]).unwrap().edits, 0);
    }
}

/// Where the beam leaves the best alignment out, the edits are sacreBLEU's all the same (2.6.0 gives these numbers).
#[test]
fn the_beam_may_miss_the_best_alignment() {
    for (words, expected) in [(30, 31), (50, 50), (60, 61), (76, 77), (100, 101)] {
        let reference = format!("e{}", " a".repeat(words));
        assert_eq!(Ter::default().edits("e", &[&reference]).unwrap().edits, expected, "{words}");
    }
}
