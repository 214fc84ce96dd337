//! What the fuzz targets do, as plain functions of bytes: `cargo fuzz` calls them, and so does `tests/fuzz.rs` on stable Rust.
//!
//! Each compares a fast kernel with its slow twin from `tests/reference` and panics at the first bit that differs.

mod bleu;
mod chrf;
mod distance;
mod edits;
mod perturb;
mod ter;
mod tokenize;

/// A function that must not panic on any bytes.
pub type Target = fn(&[u8]);

/// All targets by name.
pub const TARGETS: [(&str, Target); 8] = [
    ("chrf_pair", chrf::pair),
    ("chrf_edited", chrf::edited),
    ("bleu", bleu::pair),
    ("tokenize", tokenize::text),
    ("ter", ter::pair),
    ("distance", distance::pair),
    ("perturb", perturb::text),
    ("edits", edits::pair),
];

/// Runs the target of this name; nothing for an unknown one.
pub fn run(name: &str, data: &[u8]) {
    for (_, target) in TARGETS.iter().filter(|(other, _)| *other == name) {
        target(data);
    }
}
