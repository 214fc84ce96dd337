//! Laws of perturbing texts at random, and what each named attack does.

use proptest::prelude::*;
use teapot_core::patience::Patience;
use teapot_core::perturb::{
    CATALOGUE, Constraints, Edit, EditView, PerturbOptions, Perturber, Protection, Replacements,
    Resources, Similarity, Unit, apply, attack_of, changed_words,
};
use teapot_core::score::SentenceMetric;
use teapot_core::score::chrf::Chrf;

fn resources() -> Resources {
    let mut resources = Resources::default();
    let table = Replacements::from_table("good\tfine\ntea\tcoffee\tcocoa\n").expect("a table");
    resources.replacements = Some(table.into());
    resources.suffixes = vec!["or so they say".to_owned()];
    resources
}

fn perturber(attack: &str, options: PerturbOptions) -> Perturber {
    let attack = attack_of(attack, &resources()).expect("an attack");
    Perturber::new(attack, options).expect("options in range")
}

fn options(rate: f64, seed: u64) -> PerturbOptions {
    let mut options = PerturbOptions::default();
    options.rate = Some(rate);
    options.seed = seed;
    options
}

fn perturbed(perturber: &Perturber, text: &str, item: u64, variant: u64) -> (String, Vec<Edit>) {
    let mut session = perturber.session();
    session.load(text);
    let outcome = session.perturb(item, variant, &Patience::endless()).expect("endless patience");
    (outcome.text.to_owned(), outcome.edits().map(EditView::to_edit).collect())
}

fn attacks() -> impl Strategy<Value = &'static str> {
    prop::sample::select(
        CATALOGUE
            .iter()
            .map(|entry| entry.name)
            .chain(["swap:unit=character", "typo:unit=character", "bad-characters:unit=character"])
            .collect::<Vec<_>>(),
    )
}

const LINE: &str =
    "The good tea didn't last, and we do not know why: \"{name}\" drank it all (2 cups).";

proptest! {
    #[test]
    fn edits_explain_the_text(
        attack in attacks(), text in prop_oneof![Just(LINE.to_owned()), any::<String>()],
        rate in 0.0..=1.0_f64, seed: u64, item: u64, variant: u64,
    ) {
        let perturber = perturber(attack, options(rate, seed));
        let (edited, edits) = perturbed(&perturber, &text, item, variant);
        prop_assert_eq!(apply(&text, &edits).unwrap(), edited.as_str());
        prop_assert_eq!(edited.matches('\n').count(), text.matches('\n').count());
        // Buffers that were used before change nothing.
        let mut session = perturber.session();
        session.load(LINE);
        session.perturb(3, 1, &Patience::endless()).unwrap();
        session.load(&text);
        prop_assert_eq!(session.perturb(item, variant, &Patience::endless()).unwrap().text, edited);
    }

    #[test]
    fn limits_hold(
        attack in attacks(), rate in 0.0..=1.0_f64, seed: u64, most in 0..4_usize,
        words in 0..3_usize, least in 0.5..=1.0_f64,
    ) {
        let mut limited = options(rate, seed);
        limited.max_edits = Some(most);
        limited.constraints = Constraints::default();
        limited.constraints.max_words_changed = Some(words);
        limited.constraints.min_similarity = Some((least, Similarity::new(Chrf::default())));
        limited.protection = Protection::default();
        limited.protection.placeholders = true;
        limited.protection.words = vec!["tea".to_owned()];
        let perturber = perturber(attack, limited);
        let (edited, edits) = perturbed(&perturber, LINE, 0, 0);
        prop_assert!(edits.len() <= most);
        prop_assert!(changed_words(LINE, &edited) <= words);
        let is_kept = edited.contains("{name}") && edited.contains("tea");
        prop_assert!(is_kept);
        let score = Chrf::default().score_pair(&edited, LINE);
        prop_assert!(score >= least);
        let mut session = perturber.session();
        session.load(LINE);
        prop_assert_eq!(session.perturb(0, 0, &Patience::endless()).unwrap().similarity, Some(score));
    }

    #[test]
    fn rate_is_the_share_of_words(seed: u64, rate in 0.0..=1.0_f64) {
        let (_, edits) = perturbed(&perturber("repeat", options(rate, seed)), LINE, 0, 0);
        // LINE has 17 words and every one can be doubled in a letter.
        let edits = f64::from(u32::try_from(edits.len()).unwrap());
        prop_assert!(edits < rate * 17.0 + 1.0 && edits >= rate * 17.0 - 1e-6);
    }
}

#[test]
fn every_attack_changes_the_example() {
    for entry in CATALOGUE {
        let perturber = perturber(entry.name, options(1.0, 7));
        let (edited, edits) = perturbed(&perturber, LINE, 0, 0);
        assert_ne!(edited, LINE, "{}", entry.name);
        assert!(!edits.is_empty());
        let still = perturbed(&perturber_with_rate_0(entry.name), LINE, 0, 0);
        assert_eq!(still, (LINE.to_owned(), vec![]), "{}", entry.name);
    }
}

fn perturber_with_rate_0(attack: &str) -> Perturber {
    perturber(attack, options(0.0, 7))
}

#[test]
fn seed_item_and_variant_all_matter() {
    let text = |seed, item, variant| {
        perturbed(&perturber("charswap", options(0.5, seed)), LINE, item, variant).0
    };
    let first = text(1, 0, 0);
    assert_eq!(first, text(1, 0, 0));
    assert!(first != text(2, 0, 0) && first != text(1, 1, 0) && first != text(1, 0, 1));
}

/// The same bytes on every platform and in every version: a change here changes everybody's data.
#[test]
fn known_seeds_give_known_texts() {
    let text = |attack: &str, rate| perturbed(&perturber(attack, options(rate, 7)), LINE, 0, 0).0;
    for (attack, rate, expected) in KNOWN {
        assert_eq!(text(attack, rate), expected, "{attack}");
    }
}

const KNOWN: [(&str, f64, &str); 10] = [
    (
        "charswap",
        0.2,
        "The good teaa didn't last, andd we do not konw why: \"{nmae}\" drank it all (2 cups).",
    ),
    (
        "deepwordbug",
        0.2,
        "The good tea didn't alst, and we do not knw why: \"{name}\" drank it all (2 cups).",
    ),
    (
        "textbugger",
        0.2,
        "The good tea didn't l ast, and we do not konw why: \"{name}\" drank it all (2 cups).",
    ),
    (
        "pruthi",
        0.2,
        "The good tea didn't last, and we do not konw why: \"{naIme}\" drank it all (2 cups).",
    ),
    (
        "typo",
        0.2,
        "The good tea didn't last, abd we do not knw why: \"{name}\" drakn it al (2 cups).",
    ),
    (
        "bad-characters",
        0.2,
        "The good tea didn't last, an\u{501} we do not kn\u{202d}\u{2066}\u{202e}\u{2066}w\u{2069}\u{2066}o\u{2069}\u{202c}\u{2069}\u{202c} why: \"{name}\" dran\u{200c}k it \u{202d}\u{2066}\u{202e}\u{2066}l\u{2069}\u{2066}a\u{2069}\u{202c}\u{2069}\u{202c}l (2 cups).",
    ),
    (
        "viper",
        0.2,
        "The go\u{f4}d t\u{ea}\u{e2} d\u{ee}dn't \u{13a}ast, \u{e2}nd we do no\u{1e6b} know w\u{125}\u{177}: \"{nam\u{ea}}\" drank i\u{1e6b} all (2 cups).",
    ),
    (
        "contractions",
        0.2,
        "The good tea did not last, and we don't know why: \"{name}\" drank it all (2 cups).",
    ),
    (
        "checklist",
        0.2,
        "The good tea didn't last, and we do not know why: \"{name}\" drank it all (2 cups) 51RXR6Jj8X.",
    ),
    (
        "word-swap",
        0.2,
        "The good didn't tea last, we and do not why know: \"{drank}\" name it all (2 cups).",
    ),
];

#[test]
fn a_rate_outside_its_range_is_refused() {
    for rate in [-0.1, 1.1, f64::NAN, f64::INFINITY] {
        let attack = attack_of("swap", &Resources::default()).unwrap();
        assert!(Perturber::new(attack, options(rate, 0)).is_err());
    }
}

#[test]
fn viper_counts_letters() {
    let attack = attack_of("viper", &Resources::default()).unwrap();
    assert_eq!((attack.unit, attack.rate), (Unit::Character, 0.3));
    let perturber = perturber("viper", PerturbOptions::default());
    let (_, edits) = perturbed(&perturber, "abcde fghij", 0, 0);
    assert_eq!(edits.len(), 3);
}
