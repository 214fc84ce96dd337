//! Texts for benches: put together from small vocabularies by the seeded generator, so that every run measures the same.
#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::allow_attributes,
    reason = "each bench uses its own part; no vocabulary is empty"
)]

use std::hint::black_box;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, BenchmarkId, Criterion, Throughput};
use teapot_core::patience::Patience;
use teapot_core::random::Generator;
use teapot_core::score::SentenceMetric;

/// Pairs that one measurement scores.
const PAIRS: usize = 100;

/// Scripts, by name, and words written in them.
pub const SCRIPTS: [(&str, &str); 3] = [
    (
        "latin",
        "the of and a to in is that we have for it you are on with this they be not what about people so can when \
         there more which world need going energy through children remember thousand government, university. it's \
         1,500 20-30 (well) “technology” café.",
    ),
    (
        "cyrillic",
        "и в не на что мы это с как они для был так все если можно люди время мир очень когда жизнь, работа. \
         энергия дети правительство 1,5 «университет» тысяча",
    ),
    (
        "chinese",
        "我们 这 是 的 人 在 有 世界 时间 能源 孩子 可以 政府， 大学。 如果 “技术” 生活 非常 工作 一千",
    ),
];

/// How alike hypothesis and reference are, by name: of 100 words, how many are replaced.
pub const CHANGED: [(&str, usize); 4] = [("equal", 0), ("near", 5), ("half", 50), ("unlike", 100)];

/// Pairs of hypothesis and reference of `length` words, of which about `changed` in 100 differ.
pub fn pairs(script: &str, length: usize, changed: usize) -> Vec<(String, String)> {
    let words = SCRIPTS.iter().find(|(name, _)| *name == script).unwrap().1;
    let words: Vec<&str> = words.split(' ').collect();
    let mut generator = Generator::new(12345);
    let mut pair = || {
        let (mut hypothesis, mut reference) = (Vec::new(), Vec::new());
        for _ in 0..length {
            let word = *generator.choose(&words).unwrap();
            let other = *generator.choose(&words).unwrap();
            hypothesis.push(if generator.below(100) < changed { other } else { word });
            reference.push(word);
        }
        (hypothesis.join(" "), reference.join(" "))
    };
    (0..PAIRS).map(|_| pair()).collect()
}

/// Measures a metric on pairs, one call a pair, in pairs a second.
pub fn bench_pairs<M: SentenceMetric>(
    group: &mut BenchmarkGroup<WallTime>,
    id: BenchmarkId,
    metric: &M,
    pairs: &[(String, String)],
) {
    let (mut prepared, patience) = (M::References::default(), Patience::endless());
    group.throughput(Throughput::Elements(pairs.len() as u64));
    group.bench_function(id, |bencher| {
        bencher.iter(|| {
            for (hypothesis, reference) in pairs {
                metric.prepare(&[reference], &mut prepared);
                black_box(metric.score(hypothesis, &mut prepared, &patience).unwrap());
            }
        });
    });
}

/// Measures a metric by length in words, by similarity and by script.
pub fn bench_metric<M: SentenceMetric>(
    criterion: &mut Criterion,
    name: &str,
    metric: &M,
    lengths: &[usize],
) {
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
