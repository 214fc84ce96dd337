//! Token F1, SQuAD's scores and exact match by length and script.

mod common;

use common::{SCRIPTS, bench_pairs, pairs};
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use teapot_core::score::SentenceMetric;
use teapot_core::score::exact_match::ExactMatch;
use teapot_core::score::squad::{SquadExactMatch, SquadF1};
use teapot_core::score::token_f1::TokenF1;

fn bench<M: SentenceMetric>(criterion: &mut Criterion, name: &str, metric: &M) {
    let mut group = criterion.benchmark_group(name);
    for length in [5, 20, 100, 1_000] {
        let pairs = pairs("latin", length, 50);
        bench_pairs(&mut group, BenchmarkId::new("length", length), metric, &pairs);
    }
    for (script, _) in SCRIPTS {
        let pairs = pairs(script, 20, 50);
        bench_pairs(&mut group, BenchmarkId::new("script", script), metric, &pairs);
    }
    group.finish();
}

fn answers(criterion: &mut Criterion) {
    bench(criterion, "token_f1", &TokenF1);
    bench(criterion, "squad_f1", &SquadF1::default());
    bench(criterion, "squad_em", &SquadExactMatch::default());
    bench(criterion, "exact_match", &ExactMatch { lowercase: true, ..ExactMatch::default() });
}

criterion_group!(benches, answers);
criterion_main!(benches);
