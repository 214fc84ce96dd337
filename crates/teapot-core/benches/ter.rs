//! TER by length, similarity and script.

mod common;

use common::bench_metric;
use criterion::{Criterion, criterion_group, criterion_main};
use teapot_core::score::ter::Ter;

fn ter(criterion: &mut Criterion) {
    bench_metric(criterion, "ter", &Ter::default(), &[5, 20, 50]);
}

criterion_group!(benches, ter);
criterion_main!(benches);
