//! Exact match, token F1 and SQuAD's scores: golden rows of teapot-nlp, reported faults, and properties against the
//! definitions.
#![expect(
    clippy::unwrap_used,
    clippy::float_cmp,
    clippy::cast_precision_loss,
    reason = "a test that can't read its material fails; these scores are exact"
)]

mod common;
#[path = "reference/answers.rs"]
mod reference;

use proptest::prelude::*;
use serde_json::Value;
use teapot_core::patience::Patience;
use teapot_core::score::SentenceMetric;
use teapot_core::score::exact_match::ExactMatch;
use teapot_core::score::squad::{SquadExactMatch, SquadF1, SquadVersion};
use teapot_core::score::token_f1::TokenF1;

const VERSIONS: [SquadVersion; 2] = [SquadVersion::V1, SquadVersion::V2];

fn score<M: SentenceMetric>(metric: &M, hypothesis: &str, references: &[&str]) -> f64 {
    let mut prepared = M::References::default();
    metric.prepare(references, &mut prepared);
    let score =
        metric.score(hypothesis, &mut prepared, &Patience::endless()).expect("endless patience");
    if let [reference] = references {
        assert_eq!(metric.score_pair(hypothesis, reference), score);
    }
    score
}

/// The example scorer of teapot-nlp ends in a division by zero where a side is blank; ours is 1 for two, 0 for one.
fn expected_f1(value: &Value, hypothesis: &str, reference: &str) -> f64 {
    let blank = |text| teapot_core::text::whitespace::is_blank(text);
    value.as_f64().unwrap_or_else(|| {
        assert!(value["error"].as_str().unwrap().starts_with("ZeroDivisionError"));
        f64::from(u8::from(blank(hypothesis) && blank(reference)))
    })
}

#[test]
fn pairs_have_teapot_nlps_scores() {
    let Some(rows) = common::golden("teapot-scorers.json") else { return };
    let as_it_is = ExactMatch { strip: false, ..ExactMatch::default() };
    for row in &rows {
        let id = &row["id"];
        let (hyp, reference) = (row["hyp"].as_str().unwrap(), row["ref"].as_str().unwrap());
        let exact = row["values"]["exact_match"].as_f64().unwrap();
        assert_eq!(score(&as_it_is, hyp, &[reference]), exact, "{id}");
        let f1 = expected_f1(&row["values"]["f1"], hyp, reference);
        assert_eq!(score(&TokenF1, hyp, &[reference]), f1, "{id}");
        // What teapot-nlp scores after its reader has stripped the line.
        let loaded =
            if row["loaded"].is_null() { &row["values"] } else { &row["loaded"]["values"] };
        let exact = loaded["exact_match"].as_f64().unwrap();
        assert_eq!(score(&ExactMatch::default(), hyp, &[reference]), exact, "{id}");
        let f1 = expected_f1(&loaded["f1"], hyp, reference);
        assert_eq!(score(&TokenF1, hyp, &[reference]), f1, "{id}");
    }
}

/// B13, teapot-nlp `examples/custom_scorers.py`, promptfoo/promptfoo#10256: repeated words and blank sides.
#[test]
fn token_f1_counts_membership_and_squad_clips() {
    for (hypothesis, reference, token, squad) in [
        ("tea tea tea", "tea", 1.0, 0.5),
        ("tea milk milk", "tea tea milk", 1.0, 0.666_666_666_666_666_6),
        ("cat sat on on mat", "cat sat on on mat", 1.0, 1.0),
        ("", "tea", 0.0, 0.0),
        ("tea", " ", 0.0, 0.0),
        ("\u{3000}", "", 1.0, 1.0),
    ] {
        assert_eq!(score(&TokenF1, hypothesis, &[reference]), token, "{hypothesis:?}");
        assert_eq!(score(&SquadF1::default(), hypothesis, &[reference]), squad, "{hypothesis:?}");
    }
}

/// B09, OpenBMB/UltraRAG#509: an answer that is only an article.
#[test]
fn squad_keeps_answers_that_normalise_to_nothing_apart() {
    for (hypothesis, reference, exact, f1) in [
        ("A", "A", 1.0, [0.0, 1.0]),
        ("B", "A", 0.0, [0.0, 0.0]),
        ("tea", "The", 0.0, [0.0, 0.0]),
        ("the...", "", 1.0, [0.0, 1.0]),
        ("The Green Tea!", "green tea", 1.0, [1.0, 1.0]),
    ] {
        for (version, f1) in VERSIONS.into_iter().zip(f1) {
            let found = score(&SquadExactMatch { version }, hypothesis, &[reference]);
            assert_eq!(found, exact, "{version:?} {hypothesis:?} {reference:?}");
            let found = score(&SquadF1 { version }, hypothesis, &[reference]);
            assert_eq!(found, f1, "{version:?} {hypothesis:?} {reference:?}");
        }
    }
}

#[test]
fn squad_2_leaves_empty_answers_out_unless_all_are() {
    let exact = |version, references: &[&str]| score(&SquadExactMatch { version }, "", references);
    assert_eq!(exact(SquadVersion::V1, &["tea", "the"]), 1.0);
    assert_eq!(exact(SquadVersion::V2, &["tea", "the"]), 0.0);
    assert_eq!(exact(SquadVersion::V2, &["a", "the"]), 1.0);
    assert_eq!(score(&SquadF1::default(), "hot tea", &["tea", "hot green tea"]), 0.8);
}

/// B19, mholt/PapaParse#1132; B23, rapidfuzz/RapidFuzz#319.
#[test]
fn exact_match_compares_code_points() {
    let exact = ExactMatch::default();
    let lowercase = ExactMatch { lowercase: true, ..exact.clone() };
    let as_it_is = ExactMatch { strip: false, ..exact.clone() };
    assert_eq!(score(&exact, "1\r", &["1"]), 1.0);
    assert_eq!(score(&exact, " 1", &["1"]), 0.0);
    assert_eq!(score(&as_it_is, "1\r", &["1"]), 0.0);
    assert_eq!(score(&exact, "cafe\u{301}", &["caf\u{e9}"]), 0.0);
    assert_eq!(score(&exact, "Yes", &["yes"]), 0.0);
    assert_eq!(score(&lowercase, "Yes", &["yes "]), 1.0);
    assert_eq!(score(&lowercase, "ΤΣΑΪΣ", &["no", "τσαϊς"]), 1.0);
    assert_eq!(score(&exact, "", &[" \u{85}"]), 1.0);
    assert_eq!(score(&exact, "", &["tea"]), 0.0);
}

/// Texts of few words, articles, punctuation and capitals, and texts of anything.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "((a|An|THE|tea|Tea|milk|x1)( |-|, |\u{a0}|’|\u{301})){0,12}",
        "[aA. é\u{1c}]{0,12}",
        ".{0,24}"
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn random_text_has_the_value_of_the_definition(hypothesis in text(), first in text(), second in text()) {
        for references in [&[first.as_str()][..], &[&first, &second], &[&hypothesis]] {
            let f1 = score(&TokenF1, &hypothesis, references);
            let best = references.iter().map(|other| reference::token_f1(&hypothesis, other));
            prop_assert_eq!(f1, best.fold(0.0, f64::max));
            for version in VERSIONS {
                let f1 = score(&SquadF1 { version }, &hypothesis, references);
                let exact = score(&SquadExactMatch { version }, &hypothesis, references);
                prop_assert_eq!([exact, f1], reference::squad(version, &hypothesis, references));
            }
            for [lowercase, strip] in [[false, false], [false, true], [true, false], [true, true]] {
                let exact = ExactMatch { lowercase, strip };
                let expected = references.iter().any(|other| reference::exact_match(&exact, &hypothesis, other));
                prop_assert_eq!(score(&exact, &hypothesis, references), f64::from(u8::from(expected)));
            }
        }
    }
}
