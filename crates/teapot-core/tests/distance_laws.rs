//! Laws of the distances, and the fast Levenshtein distance against its slow twin.

#[path = "reference/comparators.rs"]
mod comparators;
#[path = "reference/levenshtein.rs"]
mod reference;

use proptest::prelude::*;
use teapot_core::distance::{Distance, DistanceScratch, Unit, levenshtein};
use teapot_core::patience::Patience;
use teapot_core::random::Generator;

const ALL: [Distance; 4] =
    [Distance::Levenshtein, Distance::Osa, Distance::Indel, Distance::JaroWinkler];

/// Texts whose alphabets are ASCII, Latin-1, one script, the astral plane, and hundreds of symbols.
fn alphabet(kind: usize) -> Vec<char> {
    match kind {
        0 => "ab".chars().collect(),
        1 => "aé è\u{ff}".chars().collect(),
        2 => ('а'..='я').collect(),
        3 => "a🍵🍷 \u{301}".chars().collect(),
        4 => ('\u{4e00}'..'\u{5200}').collect(),
        _ => (' '..='~').collect(),
    }
}

fn text(generator: &mut Generator, alphabet: &[char], length: usize) -> String {
    (0..length).filter_map(|_| generator.choose(alphabet)).collect()
}

fn edited(generator: &mut Generator, alphabet: &[char], text: &str, edits: usize) -> String {
    let mut symbols: Vec<char> = text.chars().collect();
    for _ in 0..edits {
        let place = generator.below(symbols.len() + 1);
        match generator.below(4) {
            3 if place + 1 < symbols.len() => symbols.swap(place, place + 1),
            0 if place < symbols.len() => drop(symbols.remove(place)),
            1 if place < symbols.len() => {
                symbols[place] = alphabet[generator.below(alphabet.len())];
            }
            _ => symbols.insert(place, alphabet[generator.below(alphabet.len())]),
        }
    }
    symbols.into_iter().collect()
}

/// A pair of texts with lengths around the widths of words, alike or not.
fn pair(seed: u64) -> (String, String) {
    const LENGTHS: [usize; 16] =
        [0, 1, 2, 5, 31, 63, 64, 65, 127, 128, 129, 192, 193, 256, 257, 330];
    let mut generator = Generator::new(seed);
    let alphabet = alphabet(generator.below(6));
    let mut length = || LENGTHS[generator.below(LENGTHS.len())];
    let (one, other) = (length(), length());
    let left = text(&mut generator, &alphabet, one);
    let right = match generator.below(3) {
        0 => text(&mut generator, &alphabet, other),
        1 => edited(&mut generator, &alphabet, &left, other.min(9)),
        _ => edited(&mut generator, &alphabet, &left, other),
    };
    (left, right)
}

fn slow(left: &str, right: &str) -> usize {
    let [left, right] = [left, right].map(|text| text.chars().collect::<Vec<_>>());
    reference::levenshtein(&left, &right)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn levenshtein_is_its_slow_twin(seed in any::<u64>()) {
        let (left, right) = pair(seed);
        let expected = slow(&left, &right);
        prop_assert_eq!(levenshtein(&left, &right, Unit::Char), expected);
        prop_assert_eq!(levenshtein(&right, &left, Unit::Char), expected);
        // One code point a word: the same sequences, on the way of words.
        let [left, right] = [left, right].map(|text| {
            let words: Vec<String> = text.chars().map(|c| u32::from(c).to_string()).collect();
            words.join(" ")
        });
        prop_assert_eq!(levenshtein(&left, &right, Unit::Word), expected);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn all_distances_are_those_of_the_comparators(seed in any::<u64>()) {
        let mut scratch = DistanceScratch::default();
        for (left, right) in [pair(seed), pair(seed.wrapping_mul(3))] {
            for unit in [Unit::Char, Unit::Word] {
                comparators::agree(&left, &right, unit, &mut scratch);
                comparators::agree(&right, &left, unit, &mut scratch);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn all_distances_of_long_texts_are_those_of_the_comparators(
        seed in any::<u64>(),
        length in 300_usize..1500,
        edits in prop_oneof![0_usize..20, 20_usize..600],
        cut in 0_usize..300,
    ) {
        let mut generator = Generator::new(seed);
        let alphabet = alphabet(generator.below(6));
        let left = text(&mut generator, &alphabet, length);
        let right: String = edited(&mut generator, &alphabet, &left, edits).chars().skip(cut).collect();
        let other = text(&mut generator, &alphabet, length / 2);
        let mut scratch = DistanceScratch::default();
        // A shorter pair after a longer one, with its buffers.
        let short: String = other.chars().take(260).collect();
        for right in [&right, &other, &short] {
            comparators::agree(&left, right, Unit::Char, &mut scratch);
            comparators::agree(right, &left, Unit::Char, &mut scratch);
            // One code point a word: the words that one side lacks are alike.
            let [left, right] = [&left, right].map(|text| {
                text.chars().map(|c| u32::from(c).to_string()).collect::<Vec<_>>().join(" ")
            });
            comparators::agree(&left, &right, Unit::Word, &mut scratch);
        }
    }

    /// Long texts: the band widens, narrows, loses words at its top and gets new ones at its bottom.
    #[test]
    fn levenshtein_of_long_texts_is_its_slow_twin(
        seed in any::<u64>(),
        length in 300_usize..1500,
        edits in prop_oneof![0_usize..20, 20_usize..600],
        cut in 0_usize..300,
    ) {
        let mut generator = Generator::new(seed);
        let alphabet = alphabet(generator.below(6));
        let left = text(&mut generator, &alphabet, length);
        let right: String = edited(&mut generator, &alphabet, &left, edits).chars().skip(cut).collect();
        let expected = slow(&left, &right);
        prop_assert_eq!(levenshtein(&left, &right, Unit::Char), expected);
        prop_assert_eq!(levenshtein(&right, &left, Unit::Char), expected);
        let other = text(&mut generator, &alphabet, length / 2);
        prop_assert_eq!(levenshtein(&left, &other, Unit::Char), slow(&left, &other));
    }

    #[test]
    fn distances_keep_their_laws(left in "[abc é🍵]{0,20}", middle in "[abc é🍵]{0,20}", right in "[abc é🍵]{0,20}") {
        let (mut scratch, patience) = (DistanceScratch::default(), Patience::endless());
        for unit in [Unit::Char, Unit::Word] {
            let mut of = |distance: Distance, left: &str, right: &str| {
                distance.distance(left, right, unit, &mut scratch, &patience).unwrap()
            };
            #[expect(clippy::cast_precision_loss, reason = "short texts")]
            let [left_length, right_length] = [&left, &right].map(|text| unit.length(text) as f64);
            let edits = of(Distance::Levenshtein, &left, &right);
            prop_assert!(edits <= left_length.max(right_length));
            prop_assert!(of(Distance::Osa, &left, &right) <= edits);
            let gaps = of(Distance::Indel, &left, &right);
            prop_assert!(edits <= gaps && gaps <= 2.0 * edits && gaps <= left_length + right_length);
            for distance in ALL {
                let here = of(distance, &left, &right);
                prop_assert!(here.to_bits() == of(distance, &right, &left).to_bits());
                prop_assert!(of(distance, &left, &left) == 0.0);
            }
            for distance in [Distance::Levenshtein, Distance::Indel] {
                let way = of(distance, &left, &middle) + of(distance, &middle, &right);
                prop_assert!(of(distance, &left, &right) <= way);
            }
            for distance in ALL {
                let near = distance.similarity(&left, &right, unit, &mut scratch, &patience).unwrap();
                prop_assert!((0.0..=1.0).contains(&near));
            }
        }
    }
}
