//! BLEU by length, similarity, script and tokenizer.

mod common;

use common::{CHANGED, SCRIPTS, bench_pairs, pairs};
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use teapot_core::score::bleu::Bleu;
use teapot_core::text::tokenize::Tokenizer;

fn bleu(criterion: &mut Criterion) {
    let bleu = Bleu::default();
    let mut group = criterion.benchmark_group("bleu");
    // A sentence; two that still fit the sets of positions; longer ones, which tables count.
    for length in [20, 50, 100, 1_000, 10_000] {
        let pairs = &pairs("latin", length, 50)[..if length > 1_000 { 1 } else { 100 }];
        bench_pairs(&mut group, BenchmarkId::new("length", length), &bleu, pairs);
    }
    for (name, changed) in CHANGED {
        let pairs = pairs("latin", 20, changed);
        bench_pairs(&mut group, BenchmarkId::new("similarity", name), &bleu, &pairs);
    }
    for (script, _) in SCRIPTS {
        let pairs = pairs(script, 20, 50);
        bench_pairs(&mut group, BenchmarkId::new("script", script), &bleu, &pairs);
    }
    for tokenizer in Tokenizer::ALL {
        let bleu = Bleu { tokenizer, ..Bleu::default() };
        let pairs = pairs("latin", 20, 50);
        bench_pairs(&mut group, BenchmarkId::new("tokenizer", tokenizer), &bleu, &pairs);
    }
    group.finish();
}

criterion_group!(benches, bleu);
criterion_main!(benches);
