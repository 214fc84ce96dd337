//! TER by length, similarity and script.

mod common;

use common::{CHANGED, SCRIPTS, bench_pairs, pairs};
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use teapot_core::score::SentenceMetric;
use teapot_core::score::ter::Ter;

fn bench<M: SentenceMetric>(criterion: &mut Criterion, name: &str, metric: &M, lengths: &[usize]) {
    let mut group = criterion.benchmark_group(name);
    for &length in lengths {
        let pairs = pairs("latin", length, 50);
        bench_pairs(&mut group, BenchmarkId::new("length", length), metric, &pairs);
    }
    for (name, changed) in CHANGED {
        let pairs = pairs("latin", 20, changed);
        bench_pairs(&mut group, BenchmarkId::new("similarity", name), metric, &pairs);
    }
    for (script, _) in SCRIPTS {
        let pairs = pairs(script, 20, 50);
        bench_pairs(&mut group, BenchmarkId::new("script", script), metric, &pairs);
    }
    group.finish();
}

fn ter(criterion: &mut Criterion) {
    bench(criterion, "ter", &Ter::default(), &[5, 20, 50]);
}

criterion_group!(benches, ter);
criterion_main!(benches);
