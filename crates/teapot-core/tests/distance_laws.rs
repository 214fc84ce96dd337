//! Laws of the distances, and the fast Levenshtein distance against its slow twin.

#[path = "reference/comparators.rs"]
mod comparators;
#[path = "reference/levenshtein.rs"]
mod reference;

use proptest::prelude::*;
use teapot_core::distance::{
    Distance, DistanceScratch, Unit, damerau_levenshtein, indel, jaro, jaro_winkler, lcs_seq,
    levenshtein, osa,
};
use teapot_core::random::Generator;

const ALL: [Distance; 7] = [
    Distance::Levenshtein,
    Distance::Osa,
    Distance::DamerauLevenshtein,
    Distance::Indel,
    Distance::LcsSeq,
    Distance::Jaro,
    Distance::JaroWinkler,
];

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
        prop_assert_eq!(levenshtein::distance(&left, &right, Unit::Char), expected);
        prop_assert_eq!(levenshtein::distance(&right, &left, Unit::Char), expected);
        let batch = levenshtein::BatchComparator::new(&left, Unit::Char);
        prop_assert_eq!(batch.distance(&right), expected);
        // One code point a word: the same sequences, on the way of words.
        let [left, right] = [left, right].map(|text| {
            let words: Vec<String> = text.chars().map(|c| u32::from(c).to_string()).collect();
            words.join(" ")
        });
        prop_assert_eq!(levenshtein::distance(&left, &right, Unit::Word), expected);
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
        prop_assert_eq!(levenshtein::distance(&left, &right, Unit::Char), expected);
        prop_assert_eq!(levenshtein::distance(&right, &left, Unit::Char), expected);
        let other = text(&mut generator, &alphabet, length / 2);
        prop_assert_eq!(levenshtein::distance(&left, &other, Unit::Char), slow(&left, &other));
    }

    #[test]
    fn distances_keep_their_laws(left in "[abc é🍵]{0,20}", middle in "[abc é🍵]{0,20}", right in "[abc é🍵]{0,20}") {
        for unit in [Unit::Char, Unit::Word] {
            let longest = unit.length(&left).max(unit.length(&right));
            let sum = unit.length(&left) + unit.length(&right);
            let d = levenshtein::distance(&left, &right, unit);
            prop_assert!(d <= longest);
            prop_assert!(osa::distance(&left, &right, unit) <= d);
            prop_assert!(damerau_levenshtein::distance(&left, &right, unit) <= osa::distance(&left, &right, unit));
            let gaps = indel::distance(&left, &right, unit);
            prop_assert!(d <= gaps && gaps <= 2 * d && gaps <= sum);
            prop_assert_eq!(sum - gaps, 2 * (longest - lcs_seq::distance(&left, &right, unit)));
            for distance in ALL {
                let here = distance.distance(&left, &right, unit);
                prop_assert!(here.to_bits() == distance.distance(&right, &left, unit).to_bits());
                prop_assert!(distance.distance(&left, &left, unit) == 0.0);
                let (near, far) = (
                    distance.normalized_similarity(&left, &right, unit),
                    distance.normalized_distance(&left, &right, unit),
                );
                prop_assert!((0.0..=1.0).contains(&near) && (near + far - 1.0).abs() < 1e-15);
            }
            for distance in [Distance::Levenshtein, Distance::DamerauLevenshtein, Distance::Indel] {
                let way = distance.distance(&left, &middle, unit) + distance.distance(&middle, &right, unit);
                prop_assert!(distance.distance(&left, &right, unit) <= way);
            }
            prop_assert_eq!(osa::BatchComparator::new(&left, unit).distance(&right), osa::distance(&left, &right, unit));
            prop_assert_eq!(indel::BatchComparator::new(&left, unit).similarity(&right), indel::similarity(&left, &right, unit));
            let (batch, one) = (jaro::BatchComparator::new(&left, unit).similarity(&right), jaro::similarity(&left, &right, unit));
            prop_assert!(batch.to_bits() == one.to_bits());
            let batch = jaro_winkler::BatchComparator::new(&left, unit).similarity(&right);
            prop_assert!(batch.to_bits() == jaro_winkler::similarity(&left, &right, unit).to_bits());
        }
    }
}
