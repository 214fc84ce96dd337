//! What attacks do to texts, found again: one case for every kind of edit, and the laws of all of them.

use proptest::prelude::{prop_assert, prop_assert_eq, proptest};
use teapot_core::edits::{Edit, EditKind, edits};

/// `kind@original_position:original>edited`.
fn found(original: &str, edited: &str) -> Vec<String> {
    let shown = |edit: &Edit| {
        format!("{}@{}:{}>{}", edit.kind.name(), edit.original_position, edit.original, edit.edited)
    };
    edits(original, edited).edits.iter().map(shown).collect()
}

#[test]
fn characters() {
    assert_eq!(found("Rate the tea", "Raet the tea"), ["swap@2:te>et"]);
    assert_eq!(found("Rate the tea", "Rte the tea"), ["drop@1:a>"]);
    assert_eq!(found("Rate the tea", "Ratte the tea"), ["add@3:>t"]);
    assert_eq!(found("Rate the tea", "Rake the tea"), ["substitute@2:t>k"]);
    assert_eq!(found("Rate the tea", "R\u{430}te the tea"), ["homoglyph@1:a>\u{430}"]);
    assert_eq!(found("Rate the tea", "Rate th\u{200b}e tea"), ["invisible@7:>\u{200b}"]);
    assert_eq!(found("Rate the tea", "Rate The tea"), ["case@5:t>T"]);
}

#[test]
fn whitespace() {
    assert_eq!(found("Rate the tea", "Rate  the tea "), ["whitespace@4: >  ", "whitespace@12:> "]);
    assert_eq!(found("Rate the sentence", "Rate the sen tence"), ["whitespace@12:> "]);
    assert_eq!(found("Rate the sentence", "Ratethe sentence"), ["whitespace@4: >"]);
    assert_eq!(found("tea", "\ttea"), ["whitespace@0:>\t"]);
    assert_eq!(found("", " "), ["whitespace@0:> "]);
}

#[test]
fn words() {
    assert_eq!(found("Rate the tea now", "Judge the tea now"), ["word_replaced@0:Rate>Judge"]);
    assert_eq!(found("Rate the tea now", "Rate the hot tea now"), ["word_inserted@9:>hot"]);
    assert_eq!(found("Rate the tea now", "Rate tea now"), ["word_deleted@5:the>"]);
    assert_eq!(found("Rate the tea", "Please do Rate the tea"), ["prepended@0:>Please do"]);
    assert_eq!(found("", "tea time"), ["appended@0:>tea time"]);
    assert_eq!(found("tea time", ""), ["word_deleted@0:tea>", "word_deleted@4:time>"]);
}

/// PromptBench's CheckList and StressTest put text behind the last word, which may be inside a closing mark.
#[test]
fn appended_text() {
    assert_eq!(found("Rate the tea.", "Rate the tea. x7Qk"), ["appended@13:>x7Qk"]);
    assert_eq!(found("Rate the tea.", "Rate the tea x7Qk."), ["appended@12:> x7Qk"]);
    assert_eq!(
        found("Say 'yes' or 'no'", "Say 'yes' or 'no  and tea is tea  and tea is tea '"),
        ["appended@16:>  and tea is tea  and tea is tea "]
    );
    assert_eq!(
        found("Use {content}", "Use {content x7Qk} "),
        ["appended@12:> x7Qk", "whitespace@13:> "]
    );
    assert_eq!(
        found("Rate the tea", "R\u{430}te the tea now please"),
        ["homoglyph@1:a>\u{430}", "appended@12:>now please"]
    );
    // One letter more is no text behind the last word.
    assert_eq!(found("Rate the tea", "Rate the teas"), ["add@12:>s"]);
}

#[test]
fn several_at_once() {
    assert_eq!(
        found(
            "Review the sentence and determine its tone",
            "AReview the senrence and dtermine hits Tone"
        ),
        ["add@0:>A", "substitute@14:t>r", "drop@25:e>", "add@34:>h", "case@38:t>T"]
    );
    // A word put in front moves nothing (TextAttack#451, OpenAttack#148).
    let report = edits("a b c d", "x a b c d");
    assert_eq!((report.word_distance, report.words, report.edits.len()), (Some(1), 4, 1));
    let report = edits("a b c d", "w x y z");
    assert_eq!((report.word_distance, report.edits.len()), (Some(4), 4));
    assert_eq!(edits("a b c d", "a b c d").edits, []);
}

/// Positions and lengths are code points: emoji are one each (B22).
#[test]
fn code_points() {
    assert_eq!(found("🍵🍵 tea 🍵", "🍵🍵 teа 🍵"), ["homoglyph@5:a>\u{430}"]);
    assert_eq!(found("🍵", "🍷"), ["word_replaced@0:🍵>🍷"]);
    assert_eq!(edits("tea🍵", "tea").char_distance, Some(1));
}

#[test]
fn long_texts_end() {
    let report = edits(&"tea ".repeat(50_000), &"pot ".repeat(50_000));
    assert_eq!(
        (report.char_distance, report.word_distance, report.edits.len()),
        (None, Some(50_000), 50_000)
    );
    let report = edits(&"x".repeat(1_000_000), &"y".repeat(1_000_000));
    assert_eq!((report.char_distance, report.edits.len()), (None, 1));
    let report = edits(&"x".repeat(1_000_000), &format!("{}y", "x".repeat(1_000_000)));
    assert_eq!((report.char_distance, report.edits.len()), (None, 1));
}

proptest! {
    /// Equal texts have no edits, different ones have some; edits stand in order and quote their texts.
    #[test]
    fn edits_quote_the_texts(left in "[abаB \u{200b}.]{0,16}", right in "[abаB \u{200b}.]{0,16}") {
        let report = edits(&left, &right);
        prop_assert_eq!(report.edits.is_empty(), left == right);
        prop_assert!(edits(&left, &left).edits.is_empty());
        let [left, right] = [&left, &right].map(|text| text.chars().collect::<Vec<_>>());
        let quotes = |text: &[char], at: usize, part: &str| {
            let part: Vec<char> = part.chars().collect();
            text.get(at..at + part.len()).is_some_and(|found| found == part)
        };
        for edit in &report.edits {
            prop_assert!(quotes(&left, edit.original_position, &edit.original), "{:?}", edit);
            prop_assert!(quotes(&right, edit.edited_position, &edit.edited), "{:?}", edit);
        }
        prop_assert!(report.edits.is_sorted_by_key(|edit| edit.edited_position), "{:?}", report.edits);
        prop_assert!(EditKind::ALL.len() == 13);
    }
}
