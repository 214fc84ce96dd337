//! chrF and chrF++ by length, similarity and script.

mod common;

use common::bench_metric;
use criterion::{Criterion, criterion_group, criterion_main};
use teapot_core::score::chrf::Chrf;

fn chrf(criterion: &mut Criterion) {
    bench_metric(criterion, "chrf", &Chrf::default(), &[5, 20, 100, 1_000]);
    bench_metric(criterion, "chrf++", &Chrf::plus_plus(), &[5, 20, 100]);
}

criterion_group!(benches, chrf);
criterion_main!(benches);
