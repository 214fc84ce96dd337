//! Edit similarities over characters and words by length, similarity and script.

mod common;

use common::bench_metric;
use criterion::{Criterion, criterion_group, criterion_main};
use teapot_core::distance::{Distance, Unit};
use teapot_core::score::edit::Edit;

fn edit(criterion: &mut Criterion) {
    let lengths = [5, 20, 100, 1_000];
    bench_metric(criterion, "levenshtein", &Edit::default(), &lengths);
    let words = Edit { unit: Unit::Word, ..Edit::default() };
    bench_metric(criterion, "levenshtein over words", &words, &lengths);
    for (name, distance) in [
        ("osa", Distance::Osa),
        ("indel", Distance::Indel),
        ("jaro_winkler", Distance::JaroWinkler),
    ] {
        bench_metric(criterion, name, &Edit { distance, ..Edit::default() }, &lengths);
    }
    // Cell by cell: long texts would take minutes.
}

criterion_group!(benches, edit);
criterion_main!(benches);
