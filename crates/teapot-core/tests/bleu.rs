//! BLEU: golden rows of sacreBLEU and teapot-nlp, reported faults, and properties against the slow twin.
#![expect(
    clippy::unwrap_used,
    clippy::float_cmp,
    clippy::cast_precision_loss,
    reason = "a test that can't read its material fails"
)]

mod common;
#[path = "reference/bleu.rs"]
mod reference;

use proptest::prelude::*;
use serde_json::Value;
use teapot_core::patience::Patience;
use teapot_core::score::bleu::{Bleu, BleuReferences, Smoothing};
use teapot_core::score::{CorpusMetric, SentenceMetric};
use teapot_core::text::tokenize::Tokenizer;

/// The parameters behind the column names of the golden files; `base` is what a bare `bleu` or `bleu_tok_…` means.
fn metric(name: &str, base: &Bleu) -> Option<Bleu> {
    let base = base.clone();
    Some(match name {
        "bleu" | "bleu_exp" => base,
        "bleu_teapot" | "bleu_floor001" => Bleu { smoothing: Smoothing::Floor(0.01), ..base },
        "bleu_floor" => Bleu { smoothing: Smoothing::from_name("floor")?, ..base },
        "bleu_addk1" => Bleu { smoothing: Smoothing::from_name("add-k")?, ..base },
        "bleu_nosmooth" => Bleu { smoothing: Smoothing::None, ..base },
        "bleu_lc" => Bleu { lowercase: true, ..base },
        _ => Bleu { tokenizer: name.strip_prefix("bleu_tok_")?.parse().unwrap(), ..base },
    })
}

/// The columns of a row that BLEU owns: name, parameters, expected value.
fn columns<'r>(values: &'r Value, base: &Bleu) -> impl Iterator<Item = (&'r str, Bleu, f64)> {
    values
        .as_object()
        .unwrap()
        .iter()
        .filter_map(|(name, value)| Some((name.as_str(), metric(name, base)?, value.as_f64()?)))
}

fn score(bleu: &Bleu, hypothesis: &str, references: &[&str]) -> f64 {
    let mut prepared = BleuReferences::default();
    bleu.prepare(references, &mut prepared);
    let score =
        bleu.score(hypothesis, &mut prepared, &Patience::endless()).expect("endless patience");
    if let [reference] = references {
        let pair = bleu.score_pair(hypothesis, reference);
        assert_eq!(pair.to_bits(), score.to_bits(), "{hypothesis:?} {reference:?}");
    }
    score
}

fn strings(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect()
}

/// `stats_13a` of a row against our statistics without smoothing.
fn check_statistics(row: &Value, references: &[&str]) {
    let bleu = Bleu { smoothing: Smoothing::None, ..Bleu::default() };
    let found = bleu.statistics(row["hyp"].as_str().unwrap(), references).unwrap();
    let stats = &row["stats_13a"];
    let expected = [&stats["hyp_len"], &stats["ref_len"]].into_iter();
    let lists = [&stats["counts"], &stats["totals"]].map(|list| list.as_array().unwrap());
    let expected: Vec<f64> =
        expected.chain(lists.into_iter().flatten()).map(|count| count.as_f64().unwrap()).collect();
    assert_eq!(found, expected, "{}", row["id"]);
}

#[test]
fn pairs_have_sacrebleus_scores_and_statistics() {
    let Some(rows) = common::golden("bleu.json") else { return };
    let mut checked = 0;
    for row in &rows {
        let (hyp, reference) = (row["hyp"].as_str().unwrap(), row["ref"].as_str().unwrap());
        for (name, bleu, unit) in columns(&row["unit"], &Bleu::sacrebleu_sentence()) {
            let found = score(&bleu, hyp, &[reference]);
            assert!((found - unit).abs() < 1e-13, "{} {name}: {found} {unit}", row["id"]);
            checked += 1;
        }
        check_statistics(row, &[reference]);
    }
    assert!(checked >= 9 * rows.len(), "{checked}");
}

#[test]
fn several_references_have_sacrebleus_scores_and_statistics() {
    let Some(rows) = common::golden("multiref.json") else { return };
    for row in &rows {
        let references = strings(&row["refs"]);
        for (name, bleu, unit) in columns(&row["unit"], &Bleu::sacrebleu_sentence()) {
            let found = score(&bleu, row["hyp"].as_str().unwrap(), &references);
            assert!((found - unit).abs() < 1e-13, "{} {name}: {found} {unit}", row["id"]);
        }
        check_statistics(row, &references);
    }
}

#[test]
fn the_default_is_teapot_nlps_scorer() {
    let Some(rows) = common::golden("teapot-scorers.json") else { return };
    for row in &rows {
        let (hyp, reference) = (row["hyp"].as_str().unwrap(), row["ref"].as_str().unwrap());
        let found = score(&Bleu::default(), hyp, &[reference]);
        let value = row["values"]["bleu"].as_f64().unwrap().min(1.0);
        assert!((found - value).abs() < 1e-13, "{}: {found} {value}", row["id"]);
    }
}

fn summed(bleu: &Bleu, hypotheses: &[String], references: &[Vec<String>]) -> Vec<f64> {
    let mut sum = vec![0.0; 2 + 2 * bleu.max_order];
    for (segment, hypothesis) in hypotheses.iter().enumerate() {
        let references: Vec<&str> = references.iter().map(|file| file[segment].as_str()).collect();
        let statistics = bleu.statistics(hypothesis, &references).unwrap();
        for (sum, count) in sum.iter_mut().zip(statistics) {
            *sum += count;
        }
    }
    sum
}

#[test]
fn corpora_have_sacrebleus_scores() {
    let (Some(rows), Some(pairs)) = (common::golden("corpus.json"), common::golden("bleu.json"))
    else {
        return;
    };
    let pair = |id: &Value| pairs.iter().find(|row| row["id"] == *id).unwrap();
    let text = |row: &Value, key: &str| row[key].as_str().unwrap().to_owned();
    let mut checked = 0;
    for row in &rows {
        let file = |name: &Value| common::lines(name.as_str().unwrap()).unwrap();
        let (hypotheses, references) = match row["ids"].as_array() {
            Some(ids) => (
                ids.iter().map(|id| text(pair(id), "hyp")).collect(),
                vec![ids.iter().map(|id| text(pair(id), "ref")).collect()],
            ),
            None => match row["ref_files"].as_array() {
                Some(files) => (file(&row["hyp_file"]), files.iter().map(file).collect()),
                None => (file(&row["hyp_file"]), vec![file(&row["ref_file"])]),
            },
        };
        for (name, bleu, value) in columns(&row["values"], &Bleu::sacrebleu_corpus()) {
            let sum = summed(&bleu, &hypotheses, &references);
            let found = 100.0 * bleu.corpus_score(&sum);
            assert!((found - value).abs() < 1e-9, "{} {name}: {found} {value}", row["corpus"]);
            checked += 1;
        }
    }
    assert!(checked >= 6 * 8, "{checked}");
}

/// Faults that users of other tools reported; each line is one report's example with its right value.
#[test]
fn reported_faults_stay_fixed() {
    let teapot = Bleu::default();
    let exp = Bleu::sacrebleu_sentence();
    let smoothed = |smoothing| Bleu { smoothing, ..teapot.clone() };
    let tokenized = |tokenizer| Bleu { tokenizer, ..exp.clone() };
    let cases: [(&str, Bleu, &str, &str, f64); 21] = [
        ("B02 mjpost/sacrebleu#141", exp.clone(), "mint", "tea", 0.0),
        ("B02 mjpost/sacrebleu#141", teapot.clone(), "mint", "tea", 0.0),
        ("B02 mjpost/sacrebleu#141", smoothed(Smoothing::AddK(0.01)), "mint", "tea", 0.0),
        (
            "B03 mjpost/sacrebleu#98",
            teapot.clone(),
            "we drink tea",
            "we drink coffee",
            14.938_015_821_857_216,
        ),
        (
            "B03 mjpost/sacrebleu#98",
            smoothed(Smoothing::Floor(0.1)),
            "we drink tea",
            "we drink coffee",
            32.182_979_5,
        ),
        ("B03 mjpost/sacrebleu#98", exp.clone(), "we drink tea", "we drink coffee", 55.032_12),
        (
            "B03 mjpost/sacrebleu#98",
            smoothed(Smoothing::AddK(1.0)),
            "we drink tea",
            "we drink coffee",
            68.658_90,
        ),
        (
            "B03 mjpost/sacrebleu#98",
            smoothed(Smoothing::None),
            "we drink tea",
            "we drink coffee",
            0.0,
        ),
        (
            "B05 promptfoo/promptfoo#9717",
            exp.clone(),
            "we drink hot green tea",
            "we drink hot green tea every day",
            67.032_004_603_563_96,
        ),
        ("B06 Lightning-AI/torchmetrics#1776", exp.clone(), "Room 12.", "Room 12 .", 100.0),
        (
            "B06 Lightning-AI/torchmetrics#1776",
            tokenized(Tokenizer::International),
            "Room 12.",
            "Room 12 .",
            30.326_532_985_631_665,
        ),
        ("B06 mjpost/sacrebleu#138", exp.clone(), "tea &amp; milk", "tea & milk", 100.0),
        (
            "B06 mjpost/sacrebleu#138",
            tokenized(Tokenizer::International),
            "tea &amp; milk",
            "tea & milk",
            23.643_540_225_079_384,
        ),
        ("B08 mjpost/sacrebleu#165", exp.clone(), "我爱红茶", "我爱绿茶", 0.0),
        (
            "B08 mjpost/sacrebleu#165",
            tokenized(Tokenizer::Chinese),
            "我爱红茶",
            "我爱绿茶",
            35.355_339_059_327_37,
        ),
        ("B28 mjpost/sacrebleu#161", teapot.clone(), "", "", 0.0),
        ("B28 mjpost/sacrebleu#161", teapot.clone(), "", "tea", 0.0),
        ("B28 mjpost/sacrebleu#161", teapot.clone(), "tea", "\u{3000}", 0.0),
        ("B48 mjpost/sacrebleu#275", teapot.clone(), "we drink tea", "we drink tea", 100.0),
        ("B18 mjpost/sacrebleu#24", teapot.clone(), "hot\rtea", "hot tea", 100.0),
        ("B23 rapidfuzz/RapidFuzz#319", teapot, "cafe\u{301}", "café", 0.0),
    ];
    for (report, bleu, hypothesis, reference, value) in cases {
        let found = 100.0 * score(&bleu, hypothesis, &[reference]);
        assert!((found - value).abs() < 1e-5, "{report}: {hypothesis:?} {reference:?} {found}");
        if value == 100.0 {
            assert_eq!(found, 100.0, "{report}: identical texts score 1 and no more");
        }
    }
}

/// B11, mjpost/sacrebleu#256: one hypothesis, its references; a corpus is the sum of such statistics.
#[test]
fn references_belong_to_one_segment() {
    let bleu = Bleu::sacrebleu_corpus();
    let hypotheses = ["we drink green tea", "they eat dry toast"].map(str::to_owned);
    let references = ["we drink green tea", "they burn wet toast"].map(str::to_owned);
    let sum = summed(&bleu, &hypotheses, &[references.to_vec()]);
    assert!((100.0 * bleu.corpus_score(&sum) - 55.334_095_985_016_09).abs() < 1e-9);
    assert!(bleu.statistics("tea", &[]).is_err());
    assert_eq!(bleu.corpus_score(&sum[1..]), 0.0);
    assert_eq!(bleu.corpus_score(&[]), 0.0);
}

/// Exactly 1, for orders too whose mean of equal logarithms comes out a bit smaller.
#[test]
fn identical_texts_score_1_at_any_order() {
    let text = "tea ".repeat(70);
    for max_order in 1..=70 {
        for smoothing in [Smoothing::None, Smoothing::AddK(0.3)] {
            let bleu = Bleu { max_order, smoothing, ..Bleu::default() };
            assert_eq!(score(&bleu, &text, &[&text]), 1.0, "{max_order} {smoothing}");
        }
    }
}

#[test]
fn of_equally_close_references_the_shorter_counts() {
    let bleu = Bleu::default();
    let lengths = |references: &[&str]| bleu.statistics("a b c d", references).unwrap()[1];
    assert_eq!(lengths(&["a b c d e", "a b c"]), 3.0);
    assert_eq!(lengths(&["a b", "a b c d e"]), 5.0);
}

#[test]
fn validate_names_the_parameter() {
    assert!(Bleu::default().validate().is_ok());
    let error = |bleu: Bleu| bleu.validate().unwrap_err().to_string();
    assert_eq!(
        error(Bleu { max_order: 0, ..Bleu::default() }),
        "max_order is 0, expected from 1 to 1000"
    );
    for value in [-0.1, f64::NAN, f64::INFINITY] {
        for smoothing in [Smoothing::Floor(value), Smoothing::AddK(value)] {
            let error = error(Bleu { smoothing, ..Bleu::default() });
            assert!(error.starts_with("smooth_value is "), "{error}");
        }
    }
}

#[test]
fn smoothing_has_sacrebleus_names_and_defaults() {
    let shown: Vec<String> = Smoothing::NAMES
        .iter()
        .map(|name| Smoothing::from_name(name).unwrap().to_string())
        .collect();
    assert_eq!(shown, ["floor[0.10]", "add-k[1.00]", "exp", "none"]);
    assert_eq!(Bleu::default().smoothing.to_string(), "floor[0.01]");
    assert_eq!(Smoothing::from_name("epsilon"), None);
}

/// Any parameters.
fn parameters() -> impl Strategy<Value = Bleu> {
    let smoothing = prop_oneof![
        Just(Smoothing::None),
        Just(Smoothing::Exp),
        (0.0..2.0).prop_map(Smoothing::Floor),
        (0.0..2.0).prop_map(Smoothing::AddK),
    ];
    let tokenizer = prop::sample::select(&Tokenizer::ALL[..]);
    (tokenizer, smoothing, 1usize..9, any::<[bool; 2]>()).prop_map(
        |(tokenizer, smoothing, max_order, [lowercase, effective_order])| Bleu {
            tokenizer,
            lowercase,
            smoothing,
            max_order,
            effective_order,
        },
    )
}

/// Texts whose n-grams meet and repeat, and texts of anything.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[ab .,]{0,30}",
        "([abAB] ){0,12}",
        ".{0,24}",
        "(the |cat |sat\u{3000}|中|🍵 |1\\.5 ){0,90}"
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn random_text_has_the_counts_and_the_score_of_the_definition(
        bleu in parameters(), hypothesis in text(), first in text(), second in text(), third in text(),
    ) {
        for references in [&[first.as_str()][..], &[&first, &second, &third], &[&hypothesis]] {
            let slow = reference::counts(&bleu, &hypothesis, references);
            let counts = slow.lengths.iter().chain(&slow.matches).chain(&slow.totals);
            let counts: Vec<f64> = counts.map(|&count| count as f64).collect();
            prop_assert_eq!(&bleu.statistics(&hypothesis, references).unwrap(), &counts);
            let found = score(&bleu, &hypothesis, references);
            // To the bit, but that identical texts have exactly 1 here.
            let expected = reference::score(&bleu, &slow);
            prop_assert!(found == expected || found == 1.0 && 1.0 - expected < 1e-14, "{found} {expected}");
            prop_assert_eq!(found.to_bits(), bleu.corpus_score(&counts).to_bits());
            prop_assert!((0.0..=1.0).contains(&found));
        }
    }
}

/// Texts of up to 100,000 code points over up to 1,000 distinct words, some beyond U+FFFF, with long repetitions, and
/// the same texts with a few words changed, moved or dropped.
fn long_pair() -> impl Strategy<Value = (String, String)> {
    let words = (1u32..1000, 1usize..20_000).prop_flat_map(|(distinct, length)| {
        prop::collection::vec(0..distinct, length.div_ceil(2)..=length)
    });
    let edits = prop::collection::vec((any::<prop::sample::Index>(), 0usize..3), 0..40);
    (words, edits).prop_map(|(words, edits)| {
        let mut changed = words.clone();
        for (index, kind) in edits {
            let at = index.index(words.len()).min(changed.len().saturating_sub(1));
            match kind {
                0 => changed.truncate(at.max(1)),
                1 => changed[at..].rotate_left(1),
                _ => changed[at] = 7,
            }
        }
        (spell(&changed), spell(&words))
    })
}

fn spell(words: &[u32]) -> String {
    let word = |&number: &u32| match number % 3 {
        0 => char::from_u32(0x1f300 + number).map_or_else(String::new, |c| format!("{c} ")),
        1 => format!("word{number}, "),
        _ => format!("{number} "),
    };
    words.iter().map(word).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]

    #[test]
    fn long_texts_have_the_counts_of_the_definition((hypothesis, reference) in long_pair()) {
        let tokenizers = [Tokenizer::Mteval13a, Tokenizer::Character];
        for (bleu, references) in tokenizers.into_iter().flat_map(|tokenizer| {
            let bleu = Bleu { tokenizer, ..Bleu::default() };
            [(bleu.clone(), vec![reference.as_str()]), (bleu, vec![&reference, "7 word7", &hypothesis])]
        }) {
            let slow = reference::counts(&bleu, &hypothesis, &references);
            let counts = slow.lengths.iter().chain(&slow.matches).chain(&slow.totals);
            let counts: Vec<f64> = counts.map(|&count| count as f64).collect();
            prop_assert_eq!(bleu.statistics(&hypothesis, &references).unwrap(), counts);
        }
    }
}

/// A text of one megabyte must not stall a run, however it repeats itself: quadratic time would be hours.
#[test]
fn a_megabyte_takes_no_time_out_of_proportion() {
    let repeated = "the ".repeat(250_000);
    let shifted = format!("cat {}", &repeated[4..]);
    let expected = [250_000.0, 250_000.0, 249_999.0, 249_998.0, 249_997.0, 249_996.0];
    let found = Bleu::default().statistics(&shifted, &[&repeated]).unwrap();
    assert_eq!(found[..6], expected);
    let marks = ".,".repeat(500_000);
    assert_eq!(Bleu::default().statistics(&marks, &[&marks]).unwrap()[0], 1_000_000.0);
}
