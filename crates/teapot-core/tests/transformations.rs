//! What each transformation makes of a word, candidate by candidate.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::HashSet;
use std::sync::Arc;

use teapot_core::patience::Patience;
use teapot_core::perturb::{
    CandidateOptions, Candidates, CharSwap, Constraints, Edit, ParsedText, Protection,
    Replacements, Resources, Transformation, apply, attack_of, candidates, invert,
};
use teapot_core::random::Key;

fn resources() -> Resources {
    let mut resources = Resources::default();
    let table = "good\tfine\tgood\tgreat\nIBM\tApple\nnew york\tx\n";
    resources.replacements = Some(Replacements::from_table(table).unwrap().into());
    resources.suffixes = vec!["or not".to_owned(), "so there".to_owned()];
    resources
}

fn edits(specification: &str, text: &str, protection: &Protection, seed: u64) -> Vec<Edit> {
    let attack = attack_of(specification, &resources()).unwrap();
    edits_of(&attack.transformations, text, protection, seed)
}

fn edits_of(
    transformations: &[Transformation],
    text: &str,
    protection: &Protection,
    seed: u64,
) -> Vec<Edit> {
    let mut options = CandidateOptions::default();
    options.key = Key::default().then(seed);
    let mut found = Candidates::default();
    let parsed = ParsedText::new(text, protection);
    let patience = Patience::endless();
    let constraints = Constraints::default();
    candidates(&parsed, transformations, &constraints, &options, &patience, &mut found)
        .expect("no edits were made before");
    found.iter().map(|candidate| candidate.edit.to_edit()).collect()
}

fn texts(specification: &str, text: &str) -> Vec<String> {
    let found = edits(specification, text, &Protection::default(), 0);
    found.into_iter().map(|edit| apply(text, &[edit]).unwrap()).collect()
}

/// Specification, text, all candidates in order.
const TABLE: &[(&str, &str, &[&str])] = &[
    ("swap:positions=all", "abcd", &["bacd", "acbd", "abdc"]),
    ("swap:positions=all,skip=both", "abcd", &["acbd"]),
    ("swap:positions=all,skip=both", "abc", &[]),
    ("swap:positions=all,skip=first", "abc", &["acb"]),
    ("swap:positions=all", "aab", &["aba"]),
    ("swap:positions=all", "😀, éß", &["😀, ßé"]),
    ("swap:positions=all", "a", &[]),
    ("delete:positions=all", "abbc", &["bbc", "abc", "abb"]),
    ("delete:positions=all,skip=both", "abbc", &["abc"]),
    ("delete:positions=all,skip=both", "aabb", &["abb", "aab"]),
    ("delete:positions=all", "I", &[]),
    ("repeat:positions=all", "aab", &["aaab", "aabb"]),
    ("repeat:positions=all", "I", &["II"]),
    ("keyboard:positions=all", "Q1", &["W1", "A1"]),
    ("keyboard:positions=all,skip=last", "zp", &["ap", "sp", "xp"]),
    ("homoglyph:positions=all", "a'B9", &["\u{251}'B9", "a`B9", "a'B\u{9ed}"]),
    (
        "homoglyph:positions=all,table=intentional",
        "Ab\u{259}",
        &["\u{391}b\u{259}", "Ab\u{1dd}", "Ab\u{4d9}"],
    ),
    (
        "invisible:positions=all",
        "abc",
        &["a\u{200b}bc", "a\u{200c}bc", "a\u{200d}bc", "ab\u{200b}c", "ab\u{200c}c", "ab\u{200d}c"],
    ),
    (
        "reorder:positions=all",
        "ab",
        &["\u{202d}\u{2066}\u{202e}\u{2066}b\u{2069}\u{2066}a\u{2069}\u{202c}\u{2069}\u{202c}"],
    ),
    ("accent:positions=all", "Aqé1", &["Âqé1", "Aq\u{302}é1"]),
    ("case:positions=all", "aB1ß", &["AB1ß", "ab1ß", "aB1SS"]),
    ("case:mode=upper", "straße OK", &["STRASSE OK"]),
    ("case:mode=lower", "ÀB ok", &["àb ok"]),
    ("case:mode=title", "o'NEIL Ok", &["O'neil Ok"]),
    ("case:mode=swap", "iPhone 12", &["IpHONE 12"]),
    ("space:positions=all", "abc", &["a bc", "ab c"]),
    ("space:positions=all,skip=last", "abc", &["a bc"]),
    ("space:positions=all", "a", &[]),
    ("charswap:positions=all", "abcde", &["acbde", "abdce"]),
    ("charswap", "abcd", &["acbd"]),
    ("charswap", "été à noon", &["étéé à noon", "été àà noon", "été à noonn"]),
    ("contract", "I am, we are not", &["I'm, we are not", "I am, we're not", "I am, we aren't"]),
    ("contract", "Do not; DO NOT; do  not", &["Don't; DO NOT; do  not", "Do not; DON'T; do  not"]),
    ("contract", "Cannot! I can not", &["Can't! I can not", "Cannot! I can't"]),
    ("contract", "WILL NOT", &["WON'T"]),
    ("contract", "let us", &["let's"]),
    ("contract", "is it", &[]),
    ("expand", "Don't I'm he'd", &["Do not I'm he'd", "Don't I am he'd", "Don't I'm he would"]),
    (
        "expand",
        "CAN'T won't Let's shan't",
        &[
            "CAN NOT won't Let's shan't",
            "CAN'T will not Let's shan't",
            "CAN'T won't Let us shan't",
            "CAN'T won't Let's shall not",
        ],
    ),
    ("expand", "John's dog", &[]),
    ("word-delete", "one two, (three)", &["two, (three)", "one, (three)", "one two, ()"]),
    ("word-delete", "alone", &[]),
    ("word-drop", "one two", &[" two", "one "]),
    ("word-duplicate", "no, 茶", &["no no, 茶", "no, 茶 茶"]),
    ("word-swap", "a (b) b c", &["b (a) b c", "a (b) c b"]),
    (
        "replace:positions=all",
        "GOOD Good good goOd ibm",
        &[
            "FINE Good good goOd ibm",
            "GREAT Good good goOd ibm",
            "GOOD Fine good goOd ibm",
            "GOOD Great good goOd ibm",
            "GOOD Good fine goOd ibm",
            "GOOD Good great goOd ibm",
            "GOOD Good good fine ibm",
            "GOOD Good good good ibm",
            "GOOD Good good great ibm",
        ],
    ),
    ("replace:positions=all", "IBM", &["APPLE"]),
    (
        "append",
        "He said 'no.' (twice)",
        &["He said 'no.' (twice) or not", "He said 'no.' (twice) so there"],
    ),
    ("append", "Really?", &["Really or not?", "Really so there?"]),
    ("append", "...", &["... or not", "... so there"]),
    ("append", "", &[" or not", " so there"]),
    (
        "stresstest",
        "Good.",
        &[
            "Good  and true is true .",
            "Good  and false is not true .",
            "Good  and true is true  and true is true  and true is true  and true is true  and true is true .",
        ],
    ),
];

#[test]
fn candidates_are_those_of_the_definition() {
    for &(specification, text, expected) in TABLE {
        assert_eq!(texts(specification, text), expected, "{specification} of {text:?}");
    }
}

#[test]
fn expanding_undoes_contracting() {
    for text in
        ["do not", "I am", "you are", "it is", "they have", "she will", "who would", "let us"]
    {
        let contracted = texts("contract", text).pop().unwrap();
        assert_eq!(texts("expand", &contracted), [text]);
    }
}

#[test]
fn random_letters_are_drawn_for_each_place() {
    for (specification, length) in [("insert", 5), ("substitute", 4), ("deletion-control", 6)] {
        let mut seen = HashSet::new();
        for seed in 0..400 {
            let all = format!("{specification}:positions=all");
            let found = edits(&all, "kino", &Protection::default(), seed);
            assert_eq!(found.len(), if specification == "deletion-control" { 5 } else { 4 });
            for (place, edit) in found.iter().enumerate() {
                assert_eq!(edit.start, place);
                let edited = apply("kino", std::slice::from_ref(edit)).unwrap();
                assert_eq!(edited.chars().count(), length);
                seen.insert(edit.replacement.clone());
            }
        }
        assert_eq!(seen.len(), if specification == "deletion-control" { 94 } else { 52 });
    }
}

#[test]
fn one_random_candidate_covers_all_of_them() {
    for specification in ["swap", "delete", "keyboard", "homoglyph", "invisible", "space", "accent"]
    {
        let all: HashSet<String> =
            texts(&format!("{specification}:positions=all"), "Hello").into_iter().collect();
        let drawn: HashSet<String> = (0..300)
            .flat_map(|seed| {
                let found = edits(specification, "Hello", &Protection::default(), seed);
                assert_eq!(found.len(), 1);
                found
            })
            .map(|edit| apply("Hello", &[edit]).unwrap())
            .collect();
        assert_eq!(drawn, all, "{specification}");
    }
}

#[test]
fn charswap_avoids_known_words() {
    let known = |words: &[&str]| {
        let mut charswap = CharSwap::default();
        let words: HashSet<String> = words.iter().map(ToString::to_string).collect();
        charswap.vocabulary = Some(Arc::new(words.into_iter().collect()));
        let charswap = [Transformation::CharSwap(charswap)];
        (0..20)
            .flat_map(|seed| edits_of(&charswap, "stale", &Protection::default(), seed))
            .map(|edit| apply("stale", &[edit]).unwrap())
            .collect::<HashSet<_>>()
    };
    let set = |words: &[&str]| words.iter().map(ToString::to_string).collect::<HashSet<_>>();
    assert_eq!(known(&[]), set(&["satle", "stlae"]));
    assert_eq!(known(&["satle"]), set(&["stlae"]));
    assert_eq!(known(&["satle", "stlae", "stalee"]), set(&["staleee"]));
    let grown: Vec<String> =
        (1..=8).map(|times| format!("stal{}", "e".repeat(times + 1))).collect();
    let mut all: Vec<&str> = grown.iter().map(String::as_str).collect();
    all.extend(["satle", "stlae"]);
    assert_eq!(known(&all), HashSet::new());
}

/// A suffix must not be put inside the closing quote of a protected label, nor inside a placeholder.
#[test]
fn suffixes_come_behind_protected_spans() {
    let mut protection = Protection::default();
    protection.words = vec!["bad".to_owned()];
    protection.placeholders = true;
    for (text, expected) in [
        ("Answer 'good' or 'bad':", "Answer 'good' or 'bad': or not"),
        ("Text: {content a} .", "Text: {content a} or not ."),
    ] {
        let edit = edits("append", text, &protection, 0).swap_remove(0);
        assert_eq!(apply(text, &[edit]).unwrap(), expected);
    }
}

#[test]
fn checklist_strings_are_letters_and_digits() {
    let found = edits("checklist", "Good.", &Protection::default(), 3);
    assert_eq!(found.len(), 50);
    for edit in &found {
        let suffix = edit.replacement.strip_prefix(' ').unwrap();
        assert!(suffix.len() == 10 && suffix.bytes().all(|byte| byte.is_ascii_alphanumeric()));
        let edited = apply("Good.", std::slice::from_ref(edit)).unwrap();
        let undo = invert("Good.", std::slice::from_ref(edit)).unwrap();
        assert_eq!(apply(&edited, &undo).unwrap(), "Good.");
    }
    assert_eq!(found.iter().map(|edit| &edit.replacement).collect::<HashSet<_>>().len(), 50);
}

#[test]
fn tables_of_replacements_name_their_faults() {
    let message = |table| Replacements::from_table(table).unwrap_err().to_string();
    assert_eq!(
        message("a\tb\n\nword\n"),
        "replacements is `word` on line 3, expected a word and its replacements, separated by tabs"
    );
    let table = Replacements::from_table("a\tb\na\tc\n").unwrap();
    assert_eq!((table.of("a"), table.of("A")), (&["b".to_owned(), "c".to_owned()][..], &[][..]));
}
