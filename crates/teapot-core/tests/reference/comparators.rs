//! Every distance with reused buffers against the rapidfuzz crate's.

use std::collections::HashMap;

use rapidfuzz::distance::{indel, jaro_winkler, levenshtein, osa};
use teapot_core::distance::{Distance, DistanceScratch, Unit, try_levenshtein};
use teapot_core::patience::Patience;
use teapot_core::text::whitespace::split;

/// Panics, naming the distance, unless all agree.
pub fn agree(left: &str, right: &str, unit: Unit, scratch: &mut DistanceScratch) {
    let patience = Patience::endless();
    let mut numbers = HashMap::new();
    let [l, r] = [left, right].map(|text| match unit {
        Unit::Char => text.chars().map(u32::from).collect::<Vec<u32>>(),
        Unit::Word => split(text)
            .map(|word| {
                let next = u32::try_from(numbers.len()).expect("few words");
                *numbers.entry(word).or_insert(next)
            })
            .collect(),
    });
    let sides = || (l.iter().copied(), r.iter().copied());
    let mut agrees = |distance: Distance, expected: f64| {
        let found = distance.similarity(left, right, unit, scratch, &patience);
        assert!(
            found.as_ref().is_ok_and(|found| (found - expected).abs() < 1e-15),
            "{distance:?}: {found:?}, not {expected}"
        );
    };
    let (left_symbols, right_symbols) = sides();
    agrees(Distance::Levenshtein, levenshtein::normalized_similarity(left_symbols, right_symbols));
    let (left_symbols, right_symbols) = sides();
    agrees(Distance::Osa, osa::normalized_similarity(left_symbols, right_symbols));
    let (left_symbols, right_symbols) = sides();
    agrees(Distance::Indel, indel::normalized_similarity(left_symbols, right_symbols));
    let (left_symbols, right_symbols) = sides();
    agrees(Distance::JaroWinkler, jaro_winkler::similarity(left_symbols, right_symbols));
    let (left_symbols, right_symbols) = sides();
    let expected = levenshtein::distance(left_symbols, right_symbols);
    assert_eq!(try_levenshtein(left, right, unit, scratch, &patience), Ok(expected));
}
