//! The distances against `RapidFuzz` 3.14.6 (`golden/edit.json`, every column), and reported faults.
#![expect(clippy::unwrap_used, reason = "a test that can't read its material fails")]

mod common;

use teapot_core::distance::{Distance, DistanceScratch, Unit, levenshtein};
use teapot_core::patience::Patience;

fn distance(of: Distance, hyp: &str, reference: &str, unit: Unit) -> f64 {
    let mut scratch = DistanceScratch::default();
    of.distance(hyp, reference, unit, &mut scratch, &Patience::endless()).unwrap()
}

fn similarity(of: Distance, hyp: &str, reference: &str, unit: Unit) -> f64 {
    let mut scratch = DistanceScratch::default();
    of.similarity(hyp, reference, unit, &mut scratch, &Patience::endless()).unwrap()
}

#[test]
fn golden_rows_hold() {
    let Some(rows) = common::golden("edit.json") else { return };
    let columns =
        [("lev", Distance::Levenshtein), ("osa", Distance::Osa), ("indel", Distance::Indel)];
    for row in &rows {
        let (hyp, reference) = (row["hyp"].as_str().unwrap(), row["ref"].as_str().unwrap());
        let check = |name: &str, found: f64| {
            let value = row["values"][name].as_f64().unwrap();
            assert!((found - value).abs() <= 1e-9, "{} {name}: {found}, not {value}", row["id"]);
        };
        for (name, of) in columns {
            check(name, distance(of, hyp, reference, Unit::Char));
            check(&format!("{name}_sim"), similarity(of, hyp, reference, Unit::Char));
        }
        check("jaro_winkler", similarity(Distance::JaroWinkler, hyp, reference, Unit::Char));
        check("word_lev", distance(Distance::Levenshtein, hyp, reference, Unit::Word));
        let words = similarity(Distance::Levenshtein, hyp, reference, Unit::Word);
        check("word_lev_sim", words);
    }
}

/// B22, denoland/std#6013, trekhleb/javascript-algorithms#307, jamesturk/jellyfish#55.
#[test]
fn b22_code_points_count_once() {
    for (hyp, reference, normalized) in
        [("tea🍵", "tea", 0.25), ("🍵", "🍷", 1.0), ("\u{e9}", "e", 1.0)]
    {
        assert_eq!(levenshtein(hyp, reference, Unit::Char), 1);
        let found = 1.0 - similarity(Distance::Levenshtein, hyp, reference, Unit::Char);
        assert!((found - normalized).abs() < 1e-15, "{hyp} {reference}: {found}");
    }
}

/// B23, kyranet/levenshtein-wasm#8, rapidfuzz/RapidFuzz#319.
#[test]
fn b23_nothing_is_normalised() {
    assert_eq!(levenshtein("cafe\u{301}", "caf\u{e9}", Unit::Char), 2);
}

/// B53, QData/TextAttack#451 and #787, thunlp/OpenAttack#148.
#[test]
fn b53_words_are_aligned_before_they_are_counted() {
    for (changed, edits) in [("x a b c d", 1), ("w x y z", 4), ("a b c d", 0)] {
        assert_eq!(levenshtein(changed, "a b c d", Unit::Word), edits);
    }
}

#[test]
fn names_are_read_and_unknown_ones_refused() {
    assert_eq!("jaro_winkler".parse(), Ok(Distance::JaroWinkler));
    assert_eq!("word".parse(), Ok(Unit::Word));
    let message = "hamming".parse::<Distance>().unwrap_err().to_string();
    assert!(message.starts_with("distance is hamming, expected levenshtein, osa"), "{message}");
    assert_eq!(
        "line".parse::<Unit>().unwrap_err().to_string(),
        "unit is line, expected char or word"
    );
}
