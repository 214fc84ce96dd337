//! Every attack under limits: edits explain the text, limits hold, and buffers that were used change nothing.

use teapot_core::distance::{Unit, levenshtein};
use teapot_core::patience::Patience;
use teapot_core::perturb::{
    CATALOGUE, EditView, PerturbOptions, Perturber, Protection, Replacements, Resources, apply,
    attack_of, changed_words,
};

/// Options in the first four bytes, then a text.
pub fn text(data: &[u8]) {
    let Some(([which, rate, limits, seed], rest)) = data.split_first_chunk() else { return };
    let text = String::from_utf8_lossy(rest);
    let mut resources = Resources::default();
    resources.replacements =
        Replacements::from_table("tea\tcoffee\tcocoa\nthe\ta").ok().map(Into::into);
    resources.suffixes = vec!["or so".to_owned()];
    resources.vocabulary = Some(std::sync::Arc::new(["tea".to_owned()].into_iter().collect()));
    let entry = &CATALOGUE[usize::from(*which) % CATALOGUE.len()];
    let attack = attack_of(entry.name, &resources).expect("an attack of the catalogue");
    let mut options = PerturbOptions::default();
    options.rate = Some(f64::from(*rate) / 255.0);
    options.seed = u64::from(*seed);
    let (edits, words) = (usize::from(limits % 16), usize::from(limits / 16));
    options.constraints.max_edit_distance = Some(edits);
    options.constraints.max_words_changed = Some(words);
    options.protection = Protection::default();
    options.protection.quoted = true;
    options.protection.placeholders = true;
    options.protection.words = vec!["the".to_owned(), "\"".to_owned()];
    let perturber = Perturber::new(attack, options).expect("options in range");
    let mut session = perturber.session();
    let mut outcomes = Vec::new();
    for text in [&*text, "the \"tea\" {is} ready", &text] {
        session.load(text);
        let outcome = session.perturb(0, 0, &Patience::endless()).expect("endless patience");
        let edited = outcome.text.to_owned();
        let made: Vec<_> = outcome.edits().map(EditView::to_edit).collect();
        assert_eq!(apply(text, &made).as_deref(), Ok(edited.as_str()), "{}", entry.name);
        assert!(levenshtein(&edited, text, Unit::Char) <= edits, "{}: {edited:?}", entry.name);
        assert!(changed_words(text, &edited) <= words, "{}: {edited:?}", entry.name);
        outcomes.push(edited);
    }
    assert_eq!(outcomes[0], outcomes[2], "{}", entry.name);
}
