//! The slow twins of the tokenizers: sacreBLEU's passes one by one, as regular expressions over the whole text.

use std::sync::LazyLock;

use regex::Regex;
use teapot_core::text::tokenize::Tokenizer;
use teapot_core::text::whitespace::{split, strip};

type Passes = Vec<(Regex, &'static str)>;

fn passes(passes: &[(&str, &'static str)]) -> Passes {
    passes.iter().map(|&(pattern, to)| (Regex::new(pattern).unwrap(), to)).collect()
}

static WESTERN: LazyLock<Passes> = LazyLock::new(|| {
    passes(&[
        (r"([\{-\~\[-\` -\&\(-\+\:-\@\/])", " ${1} "),
        (r"([^0-9])([\.,])", "${1} ${2} "),
        (r"([\.,])([^0-9])", " ${1} ${2}"),
        (r"([0-9])(-)", "${1} ${2} "),
    ])
});

static INTERNATIONAL: LazyLock<Passes> = LazyLock::new(|| {
    passes(&[
        (r"(\P{N})(\p{P})", "${1} ${2} "),
        (r"(\p{P})(\P{N})", " ${1} ${2}"),
        (r"(\p{S})", " ${1} "),
    ])
});

/// Tells whether the regular expressions know a character: their Unicode version may be older.
pub fn is_known(c: char) -> bool {
    static UNASSIGNED: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\p{Cn}").unwrap());
    !UNASSIGNED.is_match(c.encode_utf8(&mut [0; 4]))
}

fn run(passes: &Passes, text: &str) -> String {
    passes
        .iter()
        .fold(text.to_owned(), |text, (regex, to)| regex.replace_all(&text, *to).into_owned())
}

pub fn tokenize(tokenizer: Tokenizer, text: &str) -> Vec<String> {
    let spaced = match tokenizer {
        Tokenizer::Mteval13a => {
            let text = text.replace("<skipped>", "").replace("-\n", "").replace('\n', " ");
            let text = text.replace("&quot;", "\"").replace("&amp;", "&");
            let text = text.replace("&lt;", "<").replace("&gt;", ">");
            run(&WESTERN, &format!(" {text} "))
        }
        Tokenizer::Chinese => {
            let spaced: String = strip(text)
                .chars()
                .map(|c| if is_chinese(c) { format!(" {c} ") } else { c.to_string() })
                .collect();
            run(&WESTERN, &spaced)
        }
        Tokenizer::International => run(&INTERNATIONAL, text),
        Tokenizer::Character => text.chars().flat_map(|c| [c, ' ']).collect(),
        _ => text.to_owned(),
    };
    split(&spaced).map(str::to_owned).collect()
}

/// The ranges of `tokenizer_zh.py`, compared as Python compares strings: two of them have ends of two characters.
fn is_chinese(c: char) -> bool {
    const RANGES: [(&str, &str); 22] = [
        ("\u{3400}", "\u{4db5}"),
        ("\u{4e00}", "\u{9fa5}"),
        ("\u{9fa6}", "\u{9fbb}"),
        ("\u{f900}", "\u{fa2d}"),
        ("\u{fa30}", "\u{fa6a}"),
        ("\u{fa70}", "\u{fad9}"),
        ("\u{2000}0", "\u{2a6d}6"),
        ("\u{2f80}0", "\u{2fa1}d"),
        ("\u{ff00}", "\u{ffef}"),
        ("\u{2e80}", "\u{2eff}"),
        ("\u{3000}", "\u{303f}"),
        ("\u{31c0}", "\u{31ef}"),
        ("\u{2f00}", "\u{2fdf}"),
        ("\u{2ff0}", "\u{2fff}"),
        ("\u{3100}", "\u{312f}"),
        ("\u{31a0}", "\u{31bf}"),
        ("\u{fe10}", "\u{fe1f}"),
        ("\u{fe30}", "\u{fe4f}"),
        ("\u{2600}", "\u{26ff}"),
        ("\u{2700}", "\u{27bf}"),
        ("\u{3200}", "\u{32ff}"),
        ("\u{3300}", "\u{33ff}"),
    ];
    let c = c.to_string();
    RANGES.iter().any(|&(first, last)| first <= c.as_str() && c.as_str() <= last)
}
