//! sacreBLEU's tokenizers: golden rows, reported faults, and properties against the chains of regular expressions.
#![expect(clippy::unwrap_used, reason = "a test that can't read its material fails")]

mod common;
#[path = "reference/tokenize.rs"]
mod reference;

use proptest::prelude::*;
use teapot_core::text::tokenize::{Tokenizer, Tokens};
use teapot_core::text::whitespace::strip_end;

fn tokenize(tokenizer: Tokenizer, text: &str) -> Vec<String> {
    let mut tokens = Tokens::default();
    // Whatever the buffer held before is gone.
    tokenizer.tokenize("left over, from 1-2 before", &mut tokens);
    tokenizer.tokenize(text, &mut tokens);
    assert_eq!(tokens.len(), tokens.iter().count());
    assert_eq!(tokens.is_empty(), tokens.iter().next().is_none());
    tokens.iter().map(str::to_owned).collect()
}

#[test]
fn texts_have_sacrebleus_tokens() {
    let Some(rows) = common::golden("tokenizers.json") else { return };
    let mut checked = 0;
    for row in &rows {
        let text = strip_end(row["text"].as_str().unwrap());
        for (name, expected) in row["tokens"].as_object().unwrap() {
            let found = tokenize(name.parse().unwrap(), text);
            assert_eq!(serde_json::json!(found), *expected, "{} {name}", row["id"]);
            checked += 1;
        }
    }
    assert!(2 * checked >= 5 * rows.len(), "{checked}");
}

/// Tokens of sacreBLEU 2.6.0 for texts of our own, joined by spaces.
#[test]
fn edges_of_each_tokenizer() {
    use Tokenizer::{Character, Chinese, International, Mteval13a, None};
    for (tokenizer, text, expected) in [
        // B06, Lightning-AI/torchmetrics#1776, mjpost/sacrebleu#138: the last dot of a number, and entities.
        (Mteval13a, "Room 12.", "Room 12 ."),
        (International, "Room 12.", "Room 12."),
        (International, "Room twelve.", "Room twelve ."),
        (Mteval13a, "tea &amp; milk", "tea & milk"),
        (International, "tea &amp; milk", "tea & amp ; milk"),
        (Mteval13a, "tea &amp;lt; milk", "tea < milk"),
        (Mteval13a, "&amp;amp; &amp;quot; &apos;", "& amp ; & quot ; & apos ;"),
        // B08, mjpost/sacrebleu#165: only zh splits Chinese characters, and it leaves kana together.
        (Mteval13a, "我爱红茶", "我爱红茶"),
        (Chinese, "我爱红茶", "我 爱 红 茶"),
        (Chinese, "すし寿司", "すし 寿 司"),
        (Chinese, "𠀀𠀁 a—b→c", "𠀀𠀁 a — b → c"),
        // Numbers, and runs of marks, whose pairs decide where the last one goes.
        (Mteval13a, "1,000.5 5-6 a-b 5--6", "1,000.5 5 - 6 a-b 5 - -6"),
        (Mteval13a, "a..5 5..6 5.,.6 a...b", "a . .5 5 . . 6 5 . , .6 a . . . b"),
        (Mteval13a, ".5 5.", ". 5 5 ."),
        (Chinese, ".5 5.", ".5 5."),
        (International, ".5 «5» 5-6 a_b €5", ".5 « 5 » 5-6 a _ b € 5"),
        (International, "٣،٤ Ⅳ.½", "٣،٤ Ⅳ.½"),
        // What 13a takes out of a text.
        (Mteval13a, "a<skipped>b c-\nd e\nf", "ab cd e f"),
        (Mteval13a, "<skip<skipped>ped> &am<skipped>p;", "< skipped > &"),
        (Mteval13a, "it's …“x”", "it's …“x”"),
        (International, "a\u{20c1}b\u{2e60}c", "a \u{20c1} b \u{2e60} c"),
        (Character, " é 5.\u{3000}", "é 5 ."),
        (None, "a\u{1c}b\u{a0}c\u{200b}d", "a b c\u{200b}d"),
    ] {
        assert_eq!(tokenize(tokenizer, text).join(" "), expected, "{tokenizer} {text:?}");
    }
    for tokenizer in Tokenizer::ALL {
        assert!(
            tokenize(tokenizer, "").is_empty() && tokenize(tokenizer, " \u{2028}\t").is_empty()
        );
    }
}

#[test]
fn names_are_read_back_and_unknown_ones_refused() {
    for tokenizer in Tokenizer::ALL {
        assert_eq!(tokenizer.to_string().parse(), Ok(tokenizer));
    }
    let error = "13A".parse::<Tokenizer>().unwrap_err().to_string();
    assert_eq!(error, "tokenize is 13A, expected 13a, none, char, intl, zh");
}

/// Texts made of the pieces that the rules look at.
fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => "[a-c0-2.,-]",
        2 => "[ -~]",
        1 => prop::sample::select(vec![
            "<skipped>", "&quot;", "&amp;", "&lt;", "&gt;", "&", ";", "\n", "-\n", "\r", "\t", "\u{b}", "\u{1c}",
            "\u{85}", "\u{a0}", "\u{1680}", "\u{2003}", "\u{2028}", "\u{202f}", "\u{205f}", "\u{3000}", "\u{feff}",
            "\u{200b}", "\0", "é", "\u{301}", "٣", "½", "Ⅳ", "“", "”", "…", "—", "«", "€", "→", "中", "国", "。",
            "，", "す", "ﬁ", "ａ", "１", "🍵", "𠀀", "\u{10ffff}",
        ]).prop_map(str::to_owned),
        1 => any::<char>().prop_filter("known to both", |&c| reference::is_known(c)).prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn each_tokenizer_equals_its_chain_of_regular_expressions(text in text()) {
        for tokenizer in Tokenizer::ALL {
            let expected = reference::tokenize(tokenizer, &text);
            prop_assert_eq!(tokenize(tokenizer, &text), expected, "{}", tokenizer);
        }
    }
}
