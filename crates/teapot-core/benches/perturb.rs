//! Kernels of perturbation by kind of transformation and of text.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use teapot_core::patience::Patience;
use teapot_core::perturb::{
    CandidateOptions, Candidates, ParsedText, PerturbOptions, Perturber, Protection, Resources,
    attack_of, candidates,
};

const TEXTS: [(&str, &str); 3] = [
    (
        "english",
        "The kettle on the old stove was never quiet, and nobody in the small kitchen seemed to mind its song.",
    ),
    (
        "french",
        "La bouilloire posée sur le vieux poêle n’était jamais silencieuse, et personne n'y prêtait plus attention.",
    ),
    ("chinese", "老炉子上的水壶从来没有安静过，小厨房里的人好像都不在意它的歌声，只是慢慢地喝茶。"),
];

fn parsing(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("parse");
    for (name, text) in TEXTS {
        let mut parsed = ParsedText::default();
        let protection = Protection::default();
        group.bench_function(name, |bencher| {
            bencher.iter(|| parsed.load(black_box(text), &protection));
        });
    }
    group.finish();
}

fn candidate_lists(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("candidates");
    for attack in ["deepwordbug", "pruthi:positions=all", "bad-characters:positions=all"] {
        let Ok(attack_of_name) = attack_of(attack, &Resources::default()) else { continue };
        for (name, text) in TEXTS {
            let parsed = ParsedText::new(text, &Protection::default());
            let mut found = Candidates::default();
            let patience = Patience::endless();
            let mut list = || {
                let options = CandidateOptions::default();
                let transformations = &attack_of_name.transformations;
                let constraints = &attack_of_name.constraints;
                candidates(&parsed, transformations, constraints, &options, &patience, &mut found)
                    .map_or(0, |()| found.len() as u64)
            };
            group.throughput(Throughput::Elements(list()));
            group.bench_function(format!("{attack} {name}"), |bencher| bencher.iter(&mut list));
        }
    }
    group.finish();
}

fn lines(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("perturb");
    for attack in ["charswap", "typo", "viper", "word-swap", "checklist"] {
        let attack_of_name = attack_of(attack, &Resources::default());
        let perturber =
            attack_of_name.and_then(|made| Perturber::new(made, PerturbOptions::default()));
        let Ok(perturber) = perturber else { continue };
        for (name, text) in TEXTS {
            let mut session = perturber.session();
            let mut item = 0;
            let patience = Patience::endless();
            group.bench_function(format!("{attack} {name}"), |bencher| {
                bencher.iter(|| {
                    session.load(black_box(text));
                    item += 1;
                    session.perturb(item, 0, &patience).map_or(0, |perturbed| perturbed.text.len())
                });
            });
        }
    }
    group.finish();
}

criterion_group!(benches, parsing, candidate_lists, lines);
criterion_main!(benches);
