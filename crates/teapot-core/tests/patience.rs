//! Work on one segment is broken off soon after nobody wants it any more: counted in questions, not in time.

use std::cell::Cell;

use teapot_core::distance::{Distance, DistanceScratch, Unit};
use teapot_core::error::{Error, ErrorKind};
use teapot_core::patience::Patience;
use teapot_core::random::Generator;
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
        ("lcs_seq", Distance::LcsSeq, 70_000),
        ("damerau_levenshtein", Distance::DamerauLevenshtein, 5000),
    ] {
        let (left, right) = (text(1, length), text(2, length));
        is_broken_off(name, |patience| {
            let mut scratch = DistanceScratch::default();
            distance.try_normalized_similarity(&left, &right, Unit::Char, &mut scratch, patience)
        });
    }
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

#[test]
fn short_segments_are_never_asked_about() {
    let (left, right) = (text(1, 200), text(2, 200));
    for distance in [Distance::Levenshtein, Distance::DamerauLevenshtein, Distance::Jaro] {
        let mut scratch = DistanceScratch::default();
        let (asked, outcome) = questions(1, |patience| {
            distance.try_normalized_similarity(&left, &right, Unit::Char, &mut scratch, patience)
        });
        assert_eq!(asked, 0);
        assert!(outcome.unwrap() < 1.0);
    }
}
