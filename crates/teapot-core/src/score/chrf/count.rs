//! Clipped n-gram matches of two sequences of symbols.

use rustc_hash::FxHashMap;

/// Matches of each order `1..=matches.len()`: Σ min(count in `a`, count in `b`) over distinct n-grams.
pub(super) fn count_matches(a: &[u32], b: &[u32], matches: &mut [u64]) {
    let mut table: FxHashMap<&[u32], u32> = FxHashMap::default();
    for (order, matches) in (1..).zip(matches) {
        table.clear();
        for gram in b.windows(order) {
            *table.entry(gram).or_default() += 1;
        }
        *matches = 0;
        for gram in a.windows(order) {
            if let Some(left) = table.get_mut(gram).filter(|left| **left > 0) {
                *left -= 1;
                *matches += 1;
            }
        }
    }
}
