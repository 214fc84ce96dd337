//! chrF and chrF++: golden rows of sacreBLEU and teapot-nlp, reported faults, and properties against the slow twin.
#![expect(clippy::unwrap_used, reason = "a test that can't read its material fails")]

mod common;
#[path = "reference/chrf.rs"]
mod reference;

use proptest::prelude::*;
use serde_json::Value;
use teapot_core::patience::Patience;
use teapot_core::score::chrf::{Chrf, ChrfReferences};
use teapot_core::score::metric::Metric;
use teapot_core::score::{CorpusMetric, SentenceMetric};

/// The parameters behind the column names of the golden files.
fn metric(name: &str) -> Option<Chrf> {
    let chrf = Chrf::default();
    Some(match name {
        "chrf" => chrf,
        "chrf_pp" => Chrf::plus_plus(),
        "chrf_lc" => Chrf { lowercase: true, ..chrf },
        "chrf_ws" => Chrf { whitespace: true, ..chrf },
        "chrf_eps" => Chrf { eps_smoothing: true, ..chrf },
        "chrf_b1" => Chrf { beta: 1.0, ..chrf },
        "chrf_b3" => Chrf { beta: 3.0, ..chrf },
        "chrf_nc4" => Chrf { char_order: 4, ..chrf },
        "chrf_pp_eps" => Chrf { eps_smoothing: true, ..Chrf::plus_plus() },
        _ => return None,
    })
}

/// The columns of a row that chrF owns: parameters, expected score.
fn columns(values: &Value) -> impl Iterator<Item = (&str, Chrf, f64)> {
    values
        .as_object()
        .unwrap()
        .iter()
        .filter_map(|(name, value)| Some((name.as_str(), metric(name)?, value.as_f64()?)))
}

fn score(chrf: &Chrf, hypothesis: &str, references: &[&str]) -> f64 {
    let mut prepared = ChrfReferences::default();
    chrf.prepare(references, &mut prepared);
    let score =
        chrf.score(hypothesis, &mut prepared, &Patience::endless()).expect("endless patience");
    if let [reference] = references {
        let pair = chrf.score_pair(hypothesis, reference);
        assert_eq!(pair.to_bits(), score.to_bits(), "{hypothesis:?} {reference:?}");
    }
    score
}

fn strings(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect()
}

#[test]
fn pairs_have_sacrebleus_scores_to_the_bit() {
    let Some(rows) = common::golden("chrf.json") else { return };
    let mut checked = 0;
    for row in &rows {
        let (hyp, reference) = (row["hyp"].as_str().unwrap(), row["ref"].as_str().unwrap());
        for (name, chrf, unit) in columns(&row["unit"]) {
            let found = score(&chrf, hyp, &[reference]);
            assert_eq!(found.to_bits(), unit.to_bits(), "{} {name}: {found} {unit}", row["id"]);
            checked += 1;
        }
    }
    assert!(checked >= 6 * rows.len(), "{checked}");
}

#[test]
fn several_references_have_sacrebleus_scores_to_the_bit() {
    let Some(rows) = common::golden("multiref.json") else { return };
    for row in &rows {
        for (name, chrf, unit) in columns(&row["unit"]) {
            let found = score(&chrf, row["hyp"].as_str().unwrap(), &strings(&row["refs"]));
            assert_eq!(found.to_bits(), unit.to_bits(), "{} {name}: {found} {unit}", row["id"]);
        }
    }
}

#[test]
fn pairs_have_teapot_nlps_scores_to_the_bit() {
    let Some(rows) = common::golden("teapot-scorers.json") else { return };
    for row in &rows {
        let (hyp, reference) = (row["hyp"].as_str().unwrap(), row["ref"].as_str().unwrap());
        let found = score(&Chrf::default(), hyp, &[reference]);
        let value = row["values"]["chrf"].as_f64().unwrap();
        assert_eq!(found.to_bits(), value.to_bits(), "{}: {found} {value}", row["id"]);
    }
}

fn corpus_score(chrf: &Chrf, hypotheses: &[String], references: &[Vec<String>]) -> f64 {
    let mut sum: Vec<f64> = Vec::new();
    for (segment, hypothesis) in hypotheses.iter().enumerate() {
        let references: Vec<&str> = references.iter().map(|file| file[segment].as_str()).collect();
        let statistics = chrf.statistics(hypothesis, &references).unwrap();
        sum.resize(statistics.len(), 0.0);
        for (sum, count) in sum.iter_mut().zip(statistics) {
            *sum += count;
        }
    }
    chrf.corpus_score(&sum)
}

#[test]
fn corpora_have_sacrebleus_scores() {
    let (Some(rows), Some(pairs)) = (common::golden("corpus.json"), common::golden("chrf.json"))
    else {
        return;
    };
    let pair = |id: &Value| pairs.iter().find(|row| row["id"] == *id).unwrap();
    let text = |row: &Value, key: &str| row[key].as_str().unwrap().to_owned();
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
        for (name, chrf, value) in columns(&row["values"]) {
            let found = 100.0 * corpus_score(&chrf, &hypotheses, &references);
            assert!((found - value).abs() < 1e-9, "{} {name}: {found} {value}", row["corpus"]);
        }
    }
}

/// Faults that users of other tools reported; each line is one report's example with its right value.
#[test]
fn reported_faults_stay_fixed() {
    let chrf = Chrf::default();
    let eps = Chrf { eps_smoothing: true, ..chrf.clone() };
    let cases: [(&str, Chrf, &str, &str, f64); 19] = [
        ("B01 mjpost/sacrebleu#144", chrf.clone(), "te", "tea", 63.636_363_636_363_626),
        ("B01 mjpost/sacrebleu#144", chrf.clone(), "tea", "tea", 100.0),
        ("B01 mjpost/sacrebleu#144", eps.clone(), "te", "tea", 21.164_021_164_021_16),
        ("B01 mjpost/sacrebleu#144", eps, "tea", "tea", 50.0),
        ("B15 comet-ml/opik#7230", chrf.clone(), "ab cd", "abcd", 100.0),
        (
            "B15 comet-ml/opik#7230",
            Chrf { whitespace: true, ..chrf.clone() },
            "ab cd",
            "abcd",
            39.441_747_572_815_53,
        ),
        (
            "B15 comet-ml/opik#7230",
            Chrf { char_order: 1, ..chrf.clone() },
            "the cat",
            "the dog",
            50.0,
        ),
        ("B15 comet-ml/opik#7230", chrf.clone(), "the cat", "the dog", 19.166_666_666_666_66),
        (
            "B15 comet-ml/opik#7230",
            Chrf { beta: 1.0, ..chrf.clone() },
            "tea",
            "green tea",
            43.234_836_702_954_9,
        ),
        (
            "B15 comet-ml/opik#7230",
            Chrf { beta: 3.0, ..chrf.clone() },
            "tea",
            "green tea",
            29.732_620_320_855_613,
        ),
        ("B15 comet-ml/opik#7230", Chrf { lowercase: true, ..chrf.clone() }, "TEA", "tea", 100.0),
        ("B18 mjpost/sacrebleu#24", chrf.clone(), "hot\rtea", "hot tea", 100.0),
        ("B22 denoland/std#6013", chrf.clone(), "tea🍵", "tea", 89.843_75),
        ("B22 denoland/std#6013", chrf.clone(), "🍵", "🍷", 0.0),
        ("B23 rapidfuzz/RapidFuzz#319", chrf.clone(), "cafe\u{301}", "café", 44.889_251_997_095_13),
        ("B28 mjpost/sacrebleu#161", chrf.clone(), "", "", 0.0),
        ("B28 mjpost/sacrebleu#161", chrf.clone(), "", "tea", 0.0),
        ("B28 mjpost/sacrebleu#161", chrf.clone(), "tea", "\u{3000}", 0.0),
        ("B48 mjpost/sacrebleu#275", chrf, "we drink tea", "we drink tea", 100.0),
    ];
    for (report, chrf, hypothesis, reference, value) in cases {
        let found = 100.0 * score(&chrf, hypothesis, &[reference]);
        assert!((found - value).abs() < 1e-12, "{report}: {hypothesis:?} {reference:?} {found}");
    }
}

#[test]
fn validate_names_the_parameter() {
    assert!(Chrf::default().validate().is_ok());
    assert!(Chrf { char_order: 0, ..Chrf::plus_plus() }.validate().is_ok());
    for beta in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let error = Chrf { beta, ..Chrf::default() }.validate().unwrap_err().to_string();
        assert!(error.starts_with("beta is "), "{error}");
    }
    assert!(Chrf { char_order: 0, ..Chrf::default() }.validate().is_err());
    assert!(Chrf::default().statistics("tea", &[]).is_err());
}

/// Lengths beyond every kernel for short texts: random, repetitive, many symbols, the astral planes, an edited copy.
#[test]
fn long_texts_have_the_counts_of_the_definition() {
    let mut state = 1u64;
    let mut text = |first: u32, symbols: u64, length: usize| -> String {
        std::iter::repeat_with(|| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            char::from_u32(first + u32::try_from((state >> 33) % symbols).unwrap()).unwrap()
        })
        .take(length)
        .collect()
    };
    let original = text(0x61, 26, 100_000);
    let edited: String =
        original.chars().enumerate().map(|(at, c)| if at % 997 == 7 { 'é' } else { c }).collect();
    let pairs = [
        (text(0x61, 26, 100_000), original.clone()),
        (edited, original),
        ("a".repeat(100_000), format!("{}b", "a".repeat(99_000))),
        (text(0x4e00, 1_200, 20_000), text(0x4e00, 1_200, 20_000)),
        (text(0x1_f300, 300, 5_000), text(0x1_f300, 300, 5_000)),
        // About the sizes at which the kernels change.
        (text(0x61, 4, 4_001), text(0x61, 4, 3_999)),
        (text(0x61, 4, 124), text(0x61, 4, 123)),
        (text(0x61, 4, 65), text(0x61, 4, 64)),
    ];
    let chrf = Chrf::default();
    for (hypothesis, reference) in &pairs {
        let slow = reference::counts(&chrf, hypothesis, reference);
        assert_eq!(chrf.counts(hypothesis, &[reference]).unwrap(), slow);
    }
}

/// Any parameters, orders beyond the defaults included.
fn parameters() -> impl Strategy<Value = Chrf> {
    (0usize..9, 0usize..4, 0.1f64..5.0, any::<[bool; 3]>()).prop_map(
        |(char_order, word_order, beta, [lowercase, whitespace, eps_smoothing])| Chrf {
            char_order: char_order.max(usize::from(word_order == 0)),
            word_order,
            beta,
            lowercase,
            whitespace,
            eps_smoothing,
        },
    )
}

/// Texts that reach every kernel: few or many distinct symbols, any script, repetitions, whitespace of all kinds.
fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => "[a-z]{1,9}[ ,.]{1,2}",
        2 => "[a-zàâéèêëîïôùûüçœ’«»\u{a0} ]{1,12}",
        1 => "[ab]{1,20}",
        1 => "(a|ab|abc ){5,20}",
        1 => "[\u{4e00}-\u{4fff}\u{3000}]{1,30}",
        1 => "[\u{1f300}-\u{1f340} ]{1,6}",
        1 => "[\u{0}-\u{ff}]{1,8}",
        1 => any::<String>(),
    ];
    let size = prop_oneof![6 => 0usize..12, 3 => 12usize..60, 1 => 60usize..250];
    size.prop_flat_map(move |size| prop::collection::vec(piece.clone(), size))
        .prop_map(|p| p.concat())
}

/// An edit: where (a share of the text), which kind, and a character.
type Edit = (f64, u8, char);

fn edit(text: &str, edits: &[Edit]) -> String {
    let mut text: Vec<char> = text.chars().collect();
    for &(share, kind, character) in edits {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss
        )]
        let at = (share * text.len() as f64) as usize;
        match kind {
            0 if at + 1 < text.len() => text.swap(at, at + 1),
            1 if at < text.len() => text.insert(at, text[at]),
            2 if at < text.len() => drop(text.remove(at)),
            3 if at < text.len() => text[at] = character,
            4 => text.insert(at, ' '),
            5 => drop(text.drain(at..(at + 20).min(text.len()))),
            6 => {
                let copy: Vec<char> = text[at..(at + 30).min(text.len())].to_vec();
                text.splice(at..at, copy);
            }
            _ => text.insert(at, character),
        }
    }
    text.into_iter().collect()
}

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let character = prop_oneof![3 => prop::char::range('a', 'z'), 1 => any::<char>()];
    prop::collection::vec((0.0..1.0, 0u8..8, character), 0..14)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

    #[test]
    fn edited_text_is_bit_equal_to_the_definition(
        chrf in prop_oneof![2 => Just(Chrf::default()), 1 => Just(Chrf::plus_plus()), 1 => parameters()],
        original in text(),
        edits in edits(),
    ) {
        let edited = edit(&original, &edits);
        let counts = reference::counts(&chrf, &edited, &original);
        prop_assert_eq!(chrf.counts(&edited, &[&original]).unwrap(), counts);
        let slow = reference::score(&chrf, &edited, &[&original]);
        prop_assert_eq!(score(&chrf, &edited, &[&original]).to_bits(), slow.to_bits());
    }

    #[test]
    fn shared_references_change_no_bit(
        chrf in prop_oneof![2 => Just(Chrf::default()), 1 => parameters()],
        references in prop::collection::vec(text(), 1..3),
        others in prop::collection::vec(text(), 0..3),
        edits in prop::collection::vec(edits(), 0..3),
        turn in 0usize..8,
    ) {
        let mut hypotheses = others;
        hypotheses.extend(edits.iter().map(|edits| edit(&references[0], edits)));
        hypotheses.push(references[0].clone());
        let turn = turn % hypotheses.len();
        hypotheses.rotate_left(turn);
        let hypotheses: Vec<&str> = hypotheses.iter().map(String::as_str).collect();
        let references: Vec<&str> = references.iter().map(String::as_str).collect();
        let mut found = vec![0.0; hypotheses.len()];
        let metric = Metric::Chrf(chrf.clone());
        let outcome =
            metric.scorer().score(&hypotheses, &references, &mut found, &Patience::endless());
        prop_assert!(outcome.is_ok());
        for (found, hypothesis) in found.into_iter().zip(hypotheses) {
            prop_assert_eq!(found.to_bits(), score(&chrf, hypothesis, &references).to_bits());
        }
    }

    #[test]
    fn unlike_text_is_bit_equal_to_the_definition(
        chrf in prop_oneof![2 => Just(Chrf::default()), 1 => Just(Chrf::plus_plus()), 1 => parameters()],
        hypothesis in text(),
        reference in text(),
    ) {
        let counts = reference::counts(&chrf, &hypothesis, &reference);
        prop_assert_eq!(chrf.counts(&hypothesis, &[&reference]).unwrap(), counts);
        // What a call leaves in the buffers must not change the next.
        let mut prepared = ChrfReferences::default();
        let mut score = |hypothesis: &str, reference: &str| {
            chrf.prepare(&[reference], &mut prepared);
            chrf.score(hypothesis, &mut prepared, &Patience::endless()).unwrap()
        };
        let first = score(&hypothesis, &reference);
        score(&reference, &hypothesis);
        score("\u{1f375} tea", &hypothesis);
        let again = score(&hypothesis, &reference);
        prop_assert_eq!(first.to_bits(), again.to_bits());
    }
}

proptest! {
    #[test]
    fn random_text_is_bit_equal_to_the_definition(
        chrf in parameters(),
        hypothesis in "[ab .!é\u{1f375}\u{3000}]{0,24}|.{0,24}",
        first in "[ab .!é\u{1f375}\u{3000}]{0,24}|.{0,24}",
        second in "[ab .!é\u{1f375}\u{3000}]{0,24}|.{0,24}",
    ) {
        let counts = reference::counts(&chrf, &hypothesis, &first);
        prop_assert_eq!(chrf.counts(&hypothesis, &[&first]).unwrap(), counts);
        for references in [&[first.as_str()][..], &[&first, &second]] {
            let found = score(&chrf, &hypothesis, references);
            let slow = reference::score(&chrf, &hypothesis, references);
            prop_assert_eq!(found.to_bits(), slow.to_bits());
        }
    }
}
