//! Laws of a text under attack.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::sync::Arc;

use proptest::prelude::*;
use teapot_core::patience::Patience;
use teapot_core::perturb::{
    AttackRules, AttackedText, Blank, Edit, EditView, Resources, apply, attack_of, changed_words,
};
use teapot_core::random::Key;

fn rules(attack: &str) -> AttackRules {
    let attack = attack_of(attack, &Resources::default()).unwrap();
    let mut rules = AttackRules::default();
    rules.transformations = attack.transformations;
    rules.constraints = attack.constraints;
    rules.key = Key::default().then(12345);
    rules
}

fn opened(attack: &str, text: &str) -> AttackedText {
    AttackedText::new(text, Arc::new(rules(attack)), 0)
}

fn propose(text: &mut AttackedText) -> usize {
    text.propose(0, None, &Patience::endless()).unwrap()
}

fn made(text: &AttackedText) -> Vec<Edit> {
    text.edits().map(EditView::to_edit).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn proposals_are_all_texts_in_order(
        text in "[a-cé😀 ,']{0,24}",
        attack in prop::sample::select(vec![
            "delete:positions=all", "swap:positions=all", "word-delete", "word-duplicate", "stresstest",
            "homoglyph:positions=all", "space:positions=all", "insert:positions=all", "word-swap",
        ]),
        steps in prop::collection::vec(any::<prop::sample::Index>(), 0..4),
    ) {
        let mut attacked = opened(attack, &text);
        for step in steps {
            let count = propose(&mut attacked);
            let edits = made(&attacked);
            let texts = attacked.texts(0, count);
            let sorted: Vec<String> =
                texts.iter().cloned().collect::<BTreeSet<_>>().into_iter().collect();
            prop_assert_eq!(&texts, &sorted);
            for (index, edited) in texts.iter().enumerate() {
                let mut all = edits.clone();
                all.push(attacked.candidate(index).unwrap().edit.to_edit());
                all.sort_by_key(|edit| (edit.start, edit.end));
                prop_assert_eq!(&apply(&text, &all).unwrap(), edited);
            }
            if count == 0 {
                break;
            }
            let chosen = step.index(count);
            attacked.accept(chosen, &Patience::endless()).unwrap();
            let edits = made(&attacked);
            prop_assert_eq!(&apply(&text, &edits).unwrap(), &texts[chosen]);
            let mut again = opened(attack, &text);
            prop_assert!(again.begin(&edits, &Patience::endless()).unwrap());
            prop_assert_eq!(propose(&mut again), propose(&mut attacked));
        }
    }
}

#[test]
fn only_words_that_may_change_are_ranked() {
    let attacked =
        opened("pruthi:positions=all", "The old waiter, with all that, smiled at the cook");
    let words = attacked.original().words();
    let changeable: Vec<&str> = attacked
        .changeable()
        .iter()
        .map(|&word| attacked.original().slice_text(words[word]))
        .collect();
    assert_eq!(changeable, ["waiter", "smiled", "cook"]);
}

#[test]
fn words_are_left_out_by_textattacks_rule() {
    let attacked = opened("word-delete", "one two, (three) four");
    let without = |word| attacked.without(word, Blank::Nothing);
    assert_eq!(without(0), "two, (three) four");
    assert_eq!(without(1), "one, (three) four");
    assert_eq!(without(2), "one two, () four");
    assert_eq!(without(3), "one two, (three) ");
    assert_eq!(without(4), "one two, (three) four");
    assert_eq!(attacked.without(1, Blank::Unknown), "one [UNK], (three) four");
    // A tab is no blank, and the only word takes none.
    assert_eq!(opened("word-delete", "a\tb c").without(0, Blank::Nothing), "\tb c");
    assert_eq!(opened("word-delete", "a").without(0, Blank::Nothing), "");
}

#[test]
fn the_last_word_stays() {
    for text in ["a b c d", "one, two", "x (y) z"] {
        for order in [0, 1, usize::MAX] {
            let mut attacked = opened("word-delete", text);
            let words = attacked.original().words().len();
            for left in (1..words).rev() {
                let count = propose(&mut attacked);
                assert!(count > 0, "{text}: {left} words left");
                attacked.accept(order.min(count - 1), &Patience::endless()).unwrap();
            }
            assert_eq!(propose(&mut attacked), 0, "{text}");
            let edited = apply(text, &made(&attacked)).unwrap();
            assert_eq!(changed_words(text, &edited), words - 1, "{text} -> {edited}");
        }
    }
}
