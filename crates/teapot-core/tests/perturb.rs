//! Laws of edits, candidates and constraints, on random Unicode.

use std::collections::HashSet;
use std::sync::Arc;

use proptest::collection::vec;
use proptest::prelude::*;
use teapot_core::distance::{Unit, levenshtein};
use teapot_core::patience::Patience;
use teapot_core::perturb::Transformation as T;
use teapot_core::perturb::words::words;
use teapot_core::perturb::{
    Append, CandidateOptions, Candidates, CaseMode, CharSwap, CharacterOptions, Choice,
    Constraints, Edit, EditKind, HomoglyphTable, ParsedText, Protection, Replace, Replacements,
    Transformation, apply, candidates, changed_words, invert, words_share,
};
use teapot_core::random::Key;

/// Every transformation, with one random candidate a word or all.
fn every_transformation(choice: Choice, skip: bool) -> Vec<Transformation> {
    let mut options = CharacterOptions::default();
    (options.choice, options.skip_first, options.skip_last) = (choice, skip, skip);
    let mut replace = Replace::default();
    let table = "good\tfine\tbad\nnot\tnever\na\tb\tA\n";
    (replace.choice, replace.replacements) =
        (choice, Arc::new(Replacements::from_table(table).expect("a table")));
    let mut charswap = CharSwap::default();
    charswap.choice = choice;
    let mut all = vec![
        T::Swap(options),
        T::Delete(options),
        T::Insert(options),
        T::Substitute(options),
        T::Repeat(options),
        T::Keyboard(options),
        T::Homoglyph(options, HomoglyphTable::TextAttack),
        T::Homoglyph(options, HomoglyphTable::Intentional),
        T::Invisible(options),
        T::Reorder(options),
        T::DeletionControl(options),
        T::Accent(options),
        T::Space(options),
        T::CharSwap(charswap),
        T::Contract,
        T::Expand,
        T::WordDelete,
        T::WordDrop,
        T::WordDuplicate,
        T::WordSwap,
        T::Replace(replace),
        T::Append(Append::CheckList { count: 3, length: 10 }),
        T::Append(Append::StressTest),
        T::Append(Append::Texts(vec!["and so on".to_owned()])),
    ];
    for mode in
        [CaseMode::Letter, CaseMode::Upper, CaseMode::Lower, CaseMode::Title, CaseMode::Swap]
    {
        all.push(T::Case(options, mode));
    }
    all
}

fn transformations() -> impl Strategy<Value = Vec<Transformation>> {
    (any::<bool>(), any::<bool>()).prop_map(|(all, skip)| {
        every_transformation(if all { Choice::All } else { Choice::RandomOne }, skip)
    })
}

/// Texts of words, quotes, placeholders and marks, and texts of any characters.
fn texts() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("good"),
        Just("'good'"),
        Just("\"BAD\"."),
        Just("Question:"),
        Just("{content}"),
        Just("don't"),
        Just("do not"),
        Just("I AM"),
        Just("cannot"),
        Just("a"),
        Just("I"),
        Just("100%"),
        Just("z@"),
        Just("чай"),
        Just("🍵"),
        Just("我喝茶good"),
        Just("straße"),
        Just("ﬁne"),
        Just("x,y"),
        Just("\u{301}\u{200d}"),
        Just("İstanbul"),
        Just("("),
        Just("…”"),
    ];
    let gap = prop_oneof![4 => Just(" "), 1 => Just("  "), 1 => Just(""), 1 => Just("\u{3000}")];
    let sentence = vec((piece, gap), 0..9)
        .prop_map(|parts| parts.into_iter().flat_map(|(piece, gap)| [piece, gap]).collect());
    prop_oneof![3 => sentence, 1 => any::<String>(), 1 => "\\PC{0,30}"]
}

fn protection() -> Protection {
    let mut protection = Protection::default();
    protection.words = ["good", "bad", "Question"].map(str::to_owned).to_vec();
    protection.placeholders = true;
    protection.add_pattern(r"\d+%").expect("an expression");
    protection
}

fn found(
    text: &ParsedText,
    transformations: &[Transformation],
    constraints: &Constraints,
    options: &CandidateOptions<'_>,
) -> Vec<(Option<usize>, Edit)> {
    let mut found = Candidates::default();
    let patience = Patience::endless();
    candidates(text, transformations, constraints, options, &patience, &mut found)
        .expect("no edits were made before");
    found.iter().map(|candidate| (candidate.word, candidate.edit.to_edit())).collect()
}

fn options(seed: u64) -> CandidateOptions<'static> {
    let mut options = CandidateOptions::default();
    options.key = Key::default().then(seed);
    options
}

/// Sorted edits that don't overlap, of any text.
fn text_with_edits() -> impl Strategy<Value = (String, Vec<Edit>)> {
    (any::<String>(), vec((0..6_usize, 0..4_usize, "\\PC{0,3}"), 0..6)).prop_map(|(text, steps)| {
        let length = text.chars().count();
        let mut position = 0;
        let mut edits = Vec::new();
        for (gap, replaced, replacement) in steps {
            let start = (position + gap).min(length);
            let end = (start + replaced).min(length);
            edits.push(Edit { start, end, replacement, kind: EditKind::Replace });
            position = end;
        }
        (text, edits)
    })
}

proptest! {
    #[test]
    fn undoing_edits_restores_the_text((text, edits) in text_with_edits()) {
        let edited = apply(&text, &edits).unwrap();
        let undo = invert(&text, &edits).unwrap();
        prop_assert_eq!(apply(&edited, &undo).unwrap(), text.as_str());
        // And the inverse of the inverse is the edit.
        prop_assert_eq!(invert(&edited, &undo).unwrap(), edits);
    }

    #[test]
    fn words_are_in_order_and_apart(text in texts()) {
        let characters: Vec<char> = text.chars().collect();
        let mut end = 0;
        for word in words(&characters) {
            prop_assert!(end <= word.start && word.start < word.end);
            prop_assert!(word.end <= characters.len());
            end = word.end;
        }
    }

    #[test]
    fn every_candidate_changes_the_text_and_can_be_undone(
        text in texts(), seed: u64, transformations in transformations(),
    ) {
        let parsed = ParsedText::new(&text, &Protection::default());
        for (word, edit) in found(&parsed, &transformations, &Constraints::default(), &options(seed)) {
            let edited = apply(&text, std::slice::from_ref(&edit)).unwrap();
            prop_assert_ne!(&edited, &text);
            prop_assert_eq!(edited.matches('\n').count(), text.matches('\n').count());
            let undo = invert(&text, std::slice::from_ref(&edit)).unwrap();
            prop_assert_eq!(apply(&edited, &undo).unwrap(), text.as_str());
            prop_assert_eq!(word.is_none(), edit.kind == EditKind::Append);
            let mut written = String::new();
            parsed.write_edited([edit.view()], &mut written);
            prop_assert_eq!(written, edited);
        }
    }

    #[test]
    fn no_edit_touches_a_protected_span(
        text in texts(), seed: u64, transformations in transformations(),
    ) {
        let parsed = ParsedText::new(&text, &protection());
        let kept = |text: &str| -> Vec<String> {
            let parsed = ParsedText::new(text, &protection());
            parsed.protected().iter().map(|&span| parsed.slice_text(span).to_owned()).collect()
        };
        let before = kept(&text);
        for (_, edit) in found(&parsed, &transformations, &Constraints::default(), &options(seed)) {
            for span in parsed.protected() {
                prop_assert!(
                    edit.end <= span.start || span.end <= edit.start || !edit.span().overlaps(*span)
                );
            }
            let edited = apply(&text, std::slice::from_ref(&edit)).unwrap();
            let mut rest = edited.as_str();
            for part in &before {
                let at = rest.find(part.as_str());
                prop_assert!(at.is_some(), "{part:?} is gone from {edited:?} by {edit:?}");
                rest = &rest[at.unwrap() + part.len()..];
            }
        }
    }

    #[test]
    fn constraints_hold_on_every_candidate(
        text in texts(), seed: u64, transformations in transformations(),
        length in 0..6_usize, distance in 0..8_usize, changed in 0..3_usize, share in 0.0..1.0_f64,
    ) {
        let parsed = ParsedText::new(&text, &Protection::default());
        let mut constraints = Constraints::default();
        constraints.min_word_length = length;
        constraints.max_edit_distance = Some(distance);
        constraints.max_words_changed = Some(changed);
        constraints.max_share_changed = Some(share);
        constraints.stop_words = Some(Arc::new(HashSet::from(["a".to_owned(), "I".to_owned()])));
        for (word, edit) in found(&parsed, &transformations, &constraints, &options(seed)) {
            let edited = apply(&text, std::slice::from_ref(&edit)).unwrap();
            prop_assert!(levenshtein(&edited, &text, Unit::Char) <= distance);
            let count = changed_words(&text, &edited);
            prop_assert!(count <= changed);
            prop_assert!(words_share(count, parsed.words().len()).is_some_and(|own| own <= share));
            if let Some(word) = word {
                let word = parsed.words()[word];
                prop_assert!(word.len() >= length);
                prop_assert!(!["a", "I"].contains(&parsed.slice_text(word)));
            }
        }
    }

    #[test]
    fn constraints_remove_candidates_and_change_none(
        text in texts(), seed: u64, transformations in transformations(), distance in 0..5_usize,
    ) {
        let parsed = ParsedText::new(&text, &Protection::default());
        let all = found(&parsed, &transformations, &Constraints::default(), &options(seed));
        let mut constraints = Constraints::default();
        constraints.max_edit_distance = Some(distance);
        // What an edit costs: its longer side without common ends, at least the distance that it causes.
        let near = |edit: &Edit| {
            let old: Vec<char> = parsed.slice(edit.span()).to_vec();
            let new: Vec<char> = edit.replacement.chars().collect();
            let shorter = old.len().min(new.len());
            let start = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
            let ends = old.iter().rev().zip(new.iter().rev());
            let end = ends.take_while(|(old, new)| old == new).count().min(shorter - start);
            old.len().max(new.len()) - start - end <= distance
        };
        let expected: Vec<_> = all.into_iter().filter(|(_, edit)| near(edit)).collect();
        prop_assert_eq!(found(&parsed, &transformations, &constraints, &options(seed)), expected);
    }

    #[test]
    fn limits_of_words_hold_with_edits_made_before(
        text in texts(), seed: u64, transformations in transformations(),
        first in vec(any::<prop::sample::Index>(), 0..3), limit in 0..4_usize,
    ) {
        let parsed = ParsedText::new(&text, &Protection::default());
        let mut made: Vec<Edit> = Vec::new();
        for index in first {
            let mut next = options(seed);
            next.edits = &made;
            let all = found(&parsed, &transformations, &Constraints::default(), &next);
            if !all.is_empty() {
                let edit = index.get(&all).1.clone();
                made.push(edit);
                made.sort_by_key(|edit| (edit.start, edit.end));
            }
        }
        let mut later = options(seed);
        later.edits = &made;
        let mut constraints = Constraints::default();
        constraints.max_words_changed = Some(limit);
        let allowed = found(&parsed, &transformations, &constraints, &later);
        for (word, edit) in found(&parsed, &transformations, &Constraints::default(), &later) {
            let mut all = made.clone();
            all.push(edit.clone());
            all.sort_by_key(|edit| (edit.start, edit.end));
            let changed = changed_words(&text, &apply(&text, &all).unwrap());
            if allowed.contains(&(word, edit.clone())) {
                prop_assert!(changed <= limit, "{edit:?} after {made:?} changes {changed}");
            }
            // Edits inside words are counted exactly.
            let inside = |edit: &Edit| {
                let is_letter = |c: &char| c.is_ascii_alphanumeric();
                parsed.words().iter().any(|word| word.start < edit.start && edit.end < word.end)
                    && edit.replacement.chars().all(|c| is_letter(&c))
                    && parsed.slice(edit.span()).iter().all(is_letter)
            };
            if changed <= limit && all.iter().all(inside) && all.len() == changed {
                prop_assert!(allowed.contains(&(word, edit.clone())), "{edit:?} after {made:?}");
            }
        }
    }

    #[test]
    fn a_word_alone_has_the_candidates_it_has_among_all(
        text in texts(), seed: u64, transformations in transformations(),
    ) {
        let parsed = ParsedText::new(&text, &protection());
        let all = found(&parsed, &transformations, &Constraints::default(), &options(seed));
        for word in 0..=parsed.words().len() {
            let mut alone = options(seed);
            alone.word = Some(word);
            let expected: Vec<_> =
                all.iter().filter(|(own, _)| *own == Some(word)).cloned().collect();
            prop_assert_eq!(
                found(&parsed, &transformations, &Constraints::default(), &alone),
                expected
            );
        }
    }

    #[test]
    fn candidates_come_in_order_and_fit_edits_made_before(
        text in texts(), seed: u64, transformations in transformations(), first: prop::sample::Index,
    ) {
        let parsed = ParsedText::new(&text, &Protection::default());
        let all = found(&parsed, &transformations, &Constraints::default(), &options(seed));
        prop_assert!(all.is_sorted_by_key(|(word, _)| word.unwrap_or(usize::MAX)));
        if all.is_empty() {
            return Ok(());
        }
        let made = [first.get(&all).1.clone()];
        let mut later = options(seed);
        later.edits = &made;
        let mut constraints = Constraints::default();
        constraints.max_edit_distance = Some(6);
        for (word, edit) in found(&parsed, &transformations, &constraints, &later) {
            if let Some(word) = word {
                // The repeat rule: no word is changed twice.
                prop_assert!(!parsed.words()[word].overlaps(made[0].span()));
            }
            let mut both = vec![made[0].clone(), edit];
            both.sort_by_key(|edit| (edit.start, edit.end));
            let edited = apply(&text, &both).unwrap();
            prop_assert!(levenshtein(&edited, &text, Unit::Char) <= 6);
        }
    }
}

/// B56: a random neighbour of a key without neighbours raised an error (QData/TextAttack#456).
#[test]
fn b56_keys_without_neighbours_give_no_candidate() {
    let edits = |text: &str, choice| {
        let mut keyboard = CharacterOptions::default();
        keyboard.choice = choice;
        let parsed = ParsedText::new(text, &Protection::default());
        (0..50)
            .flat_map(|seed| {
                let keyboard = [Transformation::Keyboard(keyboard)];
                found(&parsed, &keyboard, &Constraints::default(), &options(seed))
            })
            .map(|(_, edit)| apply(text, &[edit]).unwrap())
            .collect::<HashSet<_>>()
    };
    for choice in [Choice::RandomOne, Choice::All] {
        for text in ["100%", "чай", "🍵", "I", ""] {
            assert_eq!(edits(text, choice), HashSet::new(), "{text}");
        }
        let expected = ["a%z", "s%z", "x%z"].map(|word| word.replace('%', "@")).into();
        assert_eq!(edits("z@z", Choice::All).len(), 6);
        assert!(edits("z@z", choice).is_superset(&expected));
        assert_eq!(edits("z1", choice), ["a1", "s1", "x1"].map(str::to_owned).into());
        assert_eq!(edits("Z1", choice), ["A1", "S1", "X1"].map(str::to_owned).into());
    }
}

/// B58: label words in quotes were changed (QData/TextAttack#723; promptbench's doubled label list).
#[test]
fn b58_protected_words_survive_every_attack() {
    let prompt = "Say 'good' or \"bad\". Question: {content} Answer:";
    let mut protection = Protection::default();
    protection.words = ["good", "bad", "Question", "Answer"].map(str::to_owned).to_vec();
    protection.placeholders = true;
    let parsed = ParsedText::new(prompt, &protection);
    for (skip, choice) in [(false, Choice::RandomOne), (true, Choice::All)] {
        let transformations = every_transformation(choice, skip);
        let mut changed = 0;
        for seed in 0..200 {
            for (_, edit) in
                found(&parsed, &transformations, &Constraints::default(), &options(seed))
            {
                let edited = apply(prompt, &[edit]).unwrap();
                for kept in ["'good'", "\"bad\"", "Question:", "{content}", "Answer:"] {
                    assert!(edited.contains(kept), "{kept} is gone from {edited}");
                }
                changed += 1;
            }
        }
        assert!(changed > 1000, "{changed}");
    }
}
