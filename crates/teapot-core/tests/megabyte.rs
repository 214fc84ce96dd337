//! A line of a megabyte must not stall a run: what takes time in proportion to the length takes seconds here at most, and
//! quadratic time would take hours. Where nothing linear is known (edit distances of texts that are unlike), work can be
//! broken off: `patience.rs`.

use std::time::Instant;

use teapot_core::distance::{Distance, DistanceScratch, Unit};
use teapot_core::edits::edits;
use teapot_core::patience::Patience;
use teapot_core::perturb::{
    CATALOGUE, PerturbOptions, Perturber, Replacements, Resources, attack_of,
};
use teapot_core::random::Generator;
use teapot_core::score::chrf::Chrf;
use teapot_core::score::edit::Edit;
use teapot_core::score::metric::Metric;
use teapot_core::score::squad::SquadF1;
use teapot_core::score::ter::Ter;
use teapot_core::score::token_f1::TokenF1;

const BYTES: usize = 1_000_000;

const WORDS: [&str; 12] = [
    "the", "good", "tea", "kettle", "is", "hot,", "and", "rattles", "on", "1,500", "stoves.",
    "why?",
];

/// A text of a megabyte, of common words and of words that no other text has.
fn text(seed: u64) -> String {
    let mut generator = Generator::new(seed);
    let mut text = String::with_capacity(BYTES + 20);
    while text.len() < BYTES {
        if generator.below(4) == 0 {
            text.extend(["w", &seed.to_string(), "x", &generator.below(50_000).to_string(), " "]);
        } else {
            text.push_str(WORDS[generator.below(WORDS.len())]);
            text.push(' ');
        }
    }
    text
}

/// The same with some words replaced and some neighbours swapped.
fn edited(text: &str) -> String {
    let mut generator = Generator::new(9);
    let mut words: Vec<&str> = text.split(' ').collect();
    for _ in 0..300 {
        let place = generator.below(words.len() - 1);
        if generator.below(2) == 0 {
            words[place] = "coffee";
        } else {
            words.swap(place, place + 1);
        }
    }
    words.join(" ")
}

fn pairs() -> Vec<(&'static str, String, String)> {
    let (one, other) = (text(1), text(2));
    let near = edited(&one);
    vec![
        ("unlike", one.clone(), other),
        ("near", near, one),
        ("repeated", "tea ".repeat(250_000), format!("a{}", "tea ".repeat(240_000))),
        ("one letter", "a".repeat(BYTES), "a".repeat(BYTES / 2) + &"b".repeat(BYTES / 2)),
    ]
}

/// Runs work and tells how long it took, for `--nocapture`.
#[expect(clippy::print_stdout, reason = "whoever looks for a slow kernel wants to see the times")]
fn timed<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let started = Instant::now();
    let outcome = work();
    println!("{what}: {:.2} s", started.elapsed().as_secs_f64());
    outcome
}

#[test]
fn metrics_of_linear_time_score_a_megabyte() {
    let metrics = [
        ("chrf", Metric::Chrf(Chrf::default())),
        ("chrf++", Metric::Chrf(Chrf::plus_plus())),
        ("ter", Metric::Ter(Ter::default())),
        ("f1", Metric::TokenF1(TokenF1)),
        ("squad_f1", Metric::SquadF1(SquadF1::default())),
        ("jaro", Metric::Edit(Edit { distance: Distance::JaroWinkler, unit: Unit::Word })),
    ];
    for (kind, hypothesis, reference) in pairs() {
        for (name, metric) in &metrics {
            let mut score = [f64::NAN];
            let outcome = timed(&format!("{name} {kind}"), || {
                let patience = Patience::endless();
                metric.scorer().score(&[&hypothesis], &[&reference], &mut score, &patience)
            });
            assert!(outcome.is_ok() && (0.0..=1.0).contains(&score[0]), "{name} {kind}");
        }
    }
}

/// Levenshtein's and its relatives' time grows with the distance.
#[test]
fn distances_of_texts_that_are_alike_take_no_time_out_of_proportion() {
    let (_, near, text) = pairs().swap_remove(1);
    for distance in [Distance::Levenshtein, Distance::Osa, Distance::Indel] {
        for unit in [Unit::Char, Unit::Word] {
            let similarity = timed(&format!("{distance:?} {unit:?}"), || {
                let mut scratch = DistanceScratch::default();
                let patience = Patience::endless();
                distance.similarity(&near, &text, unit, &mut scratch, &patience).unwrap()
            });
            assert!(similarity > 0.99 && similarity < 1.0, "{distance:?} {unit:?}: {similarity}");
        }
    }
}

#[test]
fn edits_of_a_megabyte_are_found() {
    for (kind, edited, original) in pairs() {
        let report = timed(&format!("edits {kind}"), || edits(&original, &edited));
        assert!(!report.edits.is_empty(), "{kind}");
    }
}

#[test]
fn every_attack_perturbs_a_megabyte_within_limits() {
    let mut resources = Resources::default();
    let table = Replacements::from_table("good\tfine\ntea\tcoffee\n").expect("a table");
    resources.replacements = Some(table.into());
    resources.suffixes = vec!["or so they say".to_owned()];
    let text = text(1);
    for entry in CATALOGUE {
        let attack = attack_of(entry.name, &resources).expect("an attack");
        let mut options = PerturbOptions::default();
        options.rate = Some(0.1);
        options.constraints.max_share_changed = Some(0.05);
        options.constraints.max_edit_distance = Some(100_000);
        let perturber = Perturber::new(attack, options).expect("options in range");
        timed(entry.name, || {
            let mut session = perturber.session();
            session.load(&text);
            assert!(!session.perturb(0, 0, &Patience::endless()).unwrap().text.is_empty());
        });
    }
}
