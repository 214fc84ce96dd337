//! Scoring allocates nothing once the buffers of a scorer have grown.

use allocation_counter::measure;
use teapot_core::distance::{Distance, Unit};
use teapot_core::patience::Patience;
use teapot_core::random::Generator;
use teapot_core::score::bleu::Bleu;
use teapot_core::score::chrf::Chrf;
use teapot_core::score::edit::Edit;
use teapot_core::score::exact_match::ExactMatch;
use teapot_core::score::metric::Metric;
use teapot_core::score::squad::{SquadExactMatch, SquadF1};
use teapot_core::score::ter::Ter;
use teapot_core::score::token_f1::TokenF1;

const WORDS: [&str; 24] = [
    "the",
    "tea",
    "is",
    "hot,",
    "and",
    "a",
    "kettle's",
    "lid",
    "Rattles",
    "on",
    "1,500",
    "stoves",
    "of",
    "“iron”",
    "while",
    "chá",
    "зелёный",
    "чай",
    "cools",
    "(slowly)",
    "extraordinarily",
    "茶",
    "🍵",
    ".",
];

/// Pairs of up to 40 words, and some longer ones, for which the kernels change.
fn pairs() -> Vec<(String, String)> {
    let mut generator = Generator::new(12345);
    (0..1000)
        .map(|number| {
            let length = if number % 50 == 0 { 200 } else { 40 };
            let words = 1 + generator.below(length);
            let (mut hypothesis, mut reference) = (String::new(), String::new());
            for _ in 0..words {
                let word = generator.choose(&WORDS).copied().unwrap_or("tea");
                let other = generator.choose(&WORDS).copied().unwrap_or("tea");
                reference = reference + word + " ";
                hypothesis = hypothesis + if generator.below(3) == 0 { other } else { word } + " ";
            }
            (hypothesis, reference)
        })
        .collect()
}

fn metrics() -> Vec<(String, Metric)> {
    let mut metrics = vec![
        ("chrf", Metric::Chrf(Chrf::default())),
        ("chrf lowercase", Metric::Chrf(Chrf { lowercase: true, ..Chrf::default() })),
        ("chrf++", Metric::Chrf(Chrf::plus_plus())),
        ("bleu", Metric::Bleu(Bleu::default())),
        ("ter", Metric::Ter(Ter::default())),
        ("ter normalized", Metric::Ter(Ter { normalized: true, no_punct: true, ..Ter::default() })),
        ("f1", Metric::TokenF1(TokenF1)),
        ("squad_f1", Metric::SquadF1(SquadF1::default())),
        ("squad_em", Metric::SquadExactMatch(SquadExactMatch::default())),
        ("zero_one", Metric::ExactMatch(ExactMatch::default())),
    ]
    .into_iter()
    .map(|(name, metric)| (name.to_owned(), metric))
    .collect::<Vec<_>>();
    for distance in [Distance::Levenshtein, Distance::Osa, Distance::Indel, Distance::JaroWinkler] {
        for unit in [Unit::Char, Unit::Word] {
            metrics.push((format!("{distance:?} {unit:?}"), Metric::Edit(Edit { distance, unit })));
        }
    }
    metrics
}

#[test]
fn a_thousand_pairs_allocate_nothing() {
    let pairs = pairs();
    let mut allocations = Vec::new();
    for (name, metric) in metrics() {
        let mut scorer = metric.scorer();
        let patience = Patience::endless();
        let mut score_all = || {
            let mut sum = 0.0;
            for (hypothesis, reference) in &pairs {
                let mut score = [0.0];
                let outcome = scorer.score(&[hypothesis], &[reference], &mut score, &patience);
                assert!(outcome.is_ok());
                sum += score[0];
            }
            sum
        };
        let first = score_all();
        let mut second = 0.0;
        let counted = measure(|| second = score_all());
        assert!(first.to_bits() == second.to_bits() && first > 0.0, "{name}");
        if counted.count_total > 0 {
            allocations.push(format!("{name}: {}", counted.count_total));
        }
    }
    assert!(allocations.is_empty(), "allocations: {allocations:?}");
}
