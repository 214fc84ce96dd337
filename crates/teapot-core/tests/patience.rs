//! Work on one segment is broken off soon after nobody wants it any more: counted in questions, not in time.

use std::cell::Cell;
use std::sync::Arc;

use teapot_core::distance::{Distance, DistanceScratch, Unit};
use teapot_core::edits::try_edits;
use teapot_core::error::{Error, ErrorKind};
use teapot_core::patience::Patience;
use teapot_core::perturb::{
    ParsedText, PerturbOptions, Perturber, Protection, Resources, Similarity, Span, attack_of,
};
use teapot_core::random::Generator;
use teapot_core::score::chrf::Chrf;
use teapot_core::score::metric::Metric;
use teapot_core::score::ter::Ter;

/// How often work is asked for, and what comes of it, when it is cancelled at question `limit`.
fn questions<T>(
    limit: usize,
    work: impl FnOnce(&Patience) -> Result<T, Error>,
) -> (usize, Result<T, Error>) {
    let asked = Cell::new(0);
    let is_cancelled = || {
        asked.set(asked.get() + 1);
        asked.get() >= limit
    };
    let outcome = work(&Patience::new(&is_cancelled));
    (asked.get(), outcome)
}

/// The work asks at least ten times when it is done to its end; cancelled at the second question, it ends there.
fn is_broken_off<T>(name: &str, work: impl Fn(&Patience) -> Result<T, Error>) {
    let (whole, outcome) = questions(usize::MAX, &work);
    assert!(outcome.is_ok() && whole >= 10, "{name}: {whole} questions");
    let (part, outcome) = questions(2, &work);
    assert_eq!(part, 2, "{name}");
    assert_eq!(outcome.err(), Some(Error::new(ErrorKind::Cancelled)), "{name}");
}

fn text(seed: u64, length: usize) -> String {
    let mut generator = Generator::new(seed);
    let letters: Vec<char> = "abcdefgh ".chars().collect();
    (0..length).filter_map(|_| generator.choose(&letters)).collect()
}

#[test]
fn distances_of_long_texts_are_broken_off() {
    for (name, distance, length) in [
        ("levenshtein", Distance::Levenshtein, 80_000),
        ("osa", Distance::Osa, 50_000),
        ("indel", Distance::Indel, 70_000),
    ] {
        let (left, right) = (text(1, length), text(2, length));
        is_broken_off(name, |patience| {
            let mut scratch = DistanceScratch::default();
            distance.similarity(&left, &right, Unit::Char, &mut scratch, patience)
        });
    }
}

/// Between the orders of a long pair, and inside one order.
#[test]
fn chrf_of_long_texts_is_broken_off() {
    let metric = Metric::Chrf(Chrf::plus_plus());
    let (hypothesis, reference) = (text(1, 400_000), text(2, 400_000));
    is_broken_off("chrf", |patience| {
        let mut score = [0.0];
        metric.scorer().score(&[&hypothesis], &[&reference], &mut score, patience)
    });
}

#[test]
fn edits_of_long_words_are_broken_off() {
    let words =
        |seed| (0..60_u64).map(|word| text(seed + word, 1900).replace(' ', "x") + " ").collect();
    let (original, edited): (String, String) = (words(1), words(100));
    is_broken_off("edits", |patience| try_edits(&original, &edited, patience));
}

#[test]
fn shifts_of_long_segments_are_broken_off() {
    // More than fifty times as long, so the beam is wide; and no word has its partner within it, so all may be shifted.
    let words = |letters: String| letters.chars().flat_map(|c| [c, ' ']).collect::<String>();
    let (hypothesis, reference) = (words(text(1, 400)), words(text(2, 100) + &"z".repeat(50_000)));
    let metric = Metric::Ter(Ter::default());
    is_broken_off("ter", |patience| {
        let mut score = [0.0];
        metric.scorer().score(&[&hypothesis], &[&reference], &mut score, patience)
    });
}

/// Questions asked by perturbing a text of so many bytes.
fn perturbing(
    attack: &str,
    resources: &Resources,
    options: &PerturbOptions,
    text: &str,
    limit: usize,
) -> (usize, Option<Error>) {
    let attack = attack_of(attack, resources).expect("an attack");
    let perturber = Perturber::new(attack, options.clone()).expect("options in range");
    let mut session = perturber.session();
    session.load(text);
    let (asked, outcome) = questions(limit, |patience| {
        session.perturb(0, 0, patience).map(|perturbed| perturbed.text.len())
    });
    (asked, outcome.err())
}

/// Questions count steps: of a text eight times as long there are about eight times as many, and quadratic loops ask 64
/// times as often.
#[test]
fn f31_constraints_take_time_in_proportion_to_the_text() {
    let known = ["tea".to_owned()];
    let mut resources = Resources::default();
    resources.vocabulary = Some(Arc::new(known.into_iter().collect()));
    let sentence = "Ceylon tea is grown in the mountains, and people drink it with milk. ";
    for attack in ["deepwordbug", "charswap", "typo", "textbugger", "word-swap", "viper"] {
        for limit in ["distance", "words", "share", "similarity"] {
            let mut options = PerturbOptions::default();
            options.rate = Some(0.5);
            let constraints = &mut options.constraints;
            match limit {
                "distance" => constraints.max_edit_distance = Some(300),
                "words" => constraints.max_words_changed = Some(200),
                "share" => constraints.max_share_changed = Some(0.05),
                _ => constraints.min_similarity = Some((0.9, Similarity::new(Chrf::default()))),
            }
            let asked = |bytes: usize| {
                let text = sentence.repeat(bytes / sentence.len());
                let (asked, error) = perturbing(attack, &resources, &options, &text, usize::MAX);
                assert_eq!(error, None);
                asked
            };
            let (short, long) = (asked(12_500), asked(100_000));
            assert!(long > 0 && long <= 12 * short + 24, "{attack} {limit}: {short}, {long}");
        }
    }
}

#[test]
fn f31_perturbing_is_broken_off() {
    let text = "Ceylon tea is grown in the mountains. ".repeat(20_000);
    let mut options = PerturbOptions::default();
    options.constraints.min_similarity = Some((0.5, Similarity::new(Chrf::default())));
    for attack in ["typo", "deepwordbug", "checklist"] {
        let (asked, error) = perturbing(attack, &Resources::default(), &options, &text, 2);
        assert_eq!((asked, error), (2, Some(Error::new(ErrorKind::Cancelled))), "{attack}");
    }
}

/// One word of 40,000 letters beside a vocabulary of one word, and a line of quotation marks that are protected.
#[test]
fn f31_long_words_and_rows_of_marks_take_no_time_out_of_proportion() {
    let known = ["tea".to_owned()];
    let mut resources = Resources::default();
    resources.vocabulary = Some(Arc::new(known.into_iter().collect()));
    let word = "abcdefghij".repeat(40_000);
    let (_, error) =
        perturbing("charswap", &resources, &PerturbOptions::default(), &word, usize::MAX);
    assert_eq!(error, None);
    let mut protection = Protection::default();
    protection.words = vec!["\"".to_owned()];
    let text = ParsedText::new(&"\"".repeat(800_000), &protection);
    assert_eq!(text.protected(), [Span::new(0, 800_000)]);
}

#[test]
fn short_segments_are_never_asked_about() {
    let (left, right) = (text(1, 200), text(2, 200));
    for distance in [Distance::Levenshtein, Distance::Osa, Distance::JaroWinkler] {
        let mut scratch = DistanceScratch::default();
        let (asked, outcome) = questions(1, |patience| {
            distance.similarity(&left, &right, Unit::Char, &mut scratch, patience)
        });
        assert_eq!(asked, 0);
        assert!(outcome.unwrap() < 1.0);
    }
}
