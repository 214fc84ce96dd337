//! Laws of the greedy searches.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use proptest::prelude::*;
use teapot_core::perturb::{
    Constraints, ParsedText, Perturbation, Protection, Ranking, Resources, SearchEnd,
    SearchOptions, Verdict, apply, attack_of, changed_words, greedy, greedy_by_importance,
};
use teapot_core::random::Key;

const LINE: &str = "The service was good and the old waiter never smiled at us";

/// A victim whose score depends on every character, so that hardly two texts are equal.
fn hashed(text: &str) -> f64 {
    let hash = text.chars().fold(Key::default(), |key, c| key.then(u64::from(u32::from(c))));
    f64::from(u32::try_from(hash.generator().next_u64() >> 40).unwrap()) / 16_777_216.0
}

#[derive(Clone, Copy, Debug)]
enum Method {
    Importance(Ranking),
    Best,
}

const METHODS: [Method; 4] = [
    Method::Importance(Ranking::Unknown),
    Method::Importance(Ranking::Delete),
    Method::Importance(Ranking::Random),
    Method::Best,
];

/// Runs a search and counts the victim's answers.
fn run(
    method: Method,
    attack: &str,
    constraints: &Constraints,
    (seed, budget): (u64, Option<usize>),
    mut victim: impl FnMut(&str) -> Verdict,
) -> Perturbation {
    let attack = attack_of(attack, &Resources::default()).unwrap();
    let text = ParsedText::new(LINE, &Protection::default());
    let mut options = SearchOptions::default();
    options.key = Key::default().then(seed);
    options.budget = budget;
    let mut queries = 0;
    let counting = |text: &str| {
        queries += 1;
        victim(text)
    };
    let transformations = &attack.transformations;
    let found = match method {
        Method::Importance(ranking) => {
            greedy_by_importance(&text, transformations, constraints, ranking, options, counting)
        }
        Method::Best => greedy(&text, transformations, constraints, options, counting),
    };
    assert_eq!(found.queries, queries);
    assert_eq!(apply(LINE, &found.edits).unwrap(), found.text);
    found
}

fn few_words() -> Constraints {
    let mut constraints = Constraints::default();
    constraints.max_words_changed = Some(2);
    constraints
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_best_text_of_all_is_kept(
        method in prop::sample::select(&METHODS[..]), seed: u64,
        budget in prop::option::of(0..200_usize),
        attack in prop::sample::select(vec!["deepwordbug", "pruthi:positions=all", "word-swap"]),
    ) {
        let (mut asked, mut first) = (f64::NEG_INFINITY, None);
        let found = run(method, attack, &few_words(), (seed, budget), |text| {
            let score = hashed(text);
            first.get_or_insert(score);
            if !text.contains("[UNK]") {
                asked = asked.max(score);
            }
            Verdict { score, succeeded: false }
        });
        prop_assert!(found.queries <= budget.unwrap_or(usize::MAX));
        prop_assert!(changed_words(LINE, &found.text) <= 2);
        if budget == Some(0) {
            prop_assert_eq!((found.end, found.score), (SearchEnd::NotAttempted, f64::NEG_INFINITY));
            prop_assert_eq!(found.text, LINE);
        } else {
            prop_assert_eq!(found.score.to_bits(), hashed(&found.text).to_bits());
            prop_assert!(found.score >= first.unwrap());
            prop_assert_eq!(found.end == SearchEnd::BudgetExhausted, budget == Some(found.queries)
                && found.end != SearchEnd::Exhausted);
            if let Method::Best = method {
                prop_assert_eq!(found.score.to_bits(), asked.to_bits());
            }
        }
    }

    #[test]
    fn a_larger_budget_is_never_worse(
        method in prop::sample::select(&METHODS[..]), seed: u64, budget in 1..120_usize,
    ) {
        let victim = |text: &str| Verdict { score: hashed(text), succeeded: false };
        // With importance the ranking must fit: a shorter ranking is another order.
        let least = 13;
        let small = run(method, "swap", &few_words(), (seed, Some(budget + least)), victim);
        let large = run(method, "swap", &few_words(), (seed, Some(budget + least + 20)), victim);
        prop_assert!(large.score >= small.score);
        prop_assert_eq!(run(method, "swap", &few_words(), (seed, Some(budget + least)), victim), small);
    }
}

/// B54: a budget that ended within a step made the search index results that were never produced (QData/TextAttack#437).
#[test]
fn b54_a_budget_that_ends_within_a_step_is_an_end_like_others() {
    let victim = |text: &str| Verdict { score: hashed(text), succeeded: false };
    for method in METHODS {
        for budget in [0, 1, 2, 10, 12, 13, 14, 30] {
            let found = run(
                method,
                "swap:positions=all",
                &Constraints::default(),
                (1, Some(budget)),
                victim,
            );
            assert_eq!(found.queries, budget);
            let end =
                if budget == 0 { SearchEnd::NotAttempted } else { SearchEnd::BudgetExhausted };
            assert_eq!(found.end, end);
        }
    }
}

#[test]
fn the_search_ends_at_the_goal() {
    for method in METHODS {
        let victim = |text: &str| {
            let succeeded = !text.contains("good");
            Verdict {
                score: f64::from(u8::from(succeeded)),
                succeeded: succeeded && !text.contains("[UNK]"),
            }
        };
        let found = run(method, "delete:positions=all", &Constraints::default(), (0, None), victim);
        assert_eq!(found.end, SearchEnd::Succeeded);
        assert_eq!((found.edits.len(), found.score), (1, 1.0), "{method:?}");
        assert_eq!(found.text, "The service was ood and the old waiter never smiled at us");
    }
    let satisfied = run(Method::Best, "swap", &Constraints::default(), (0, None), |_| Verdict {
        score: 0.0,
        succeeded: true,
    });
    assert_eq!((satisfied.end, satisfied.queries), (SearchEnd::NotNeeded, 1));
}

#[test]
fn a_score_that_is_no_number_is_the_lowest() {
    let victim =
        |text: &str| Verdict { score: if text == LINE { 0.5 } else { f64::NAN }, succeeded: false };
    for method in METHODS {
        let found = run(method, "swap", &Constraints::default(), (0, None), victim);
        assert_eq!(
            (found.text.as_str(), found.score, found.end),
            (LINE, 0.5, SearchEnd::Exhausted)
        );
    }
}
