//! A text and an edited copy of it.
#![no_main]

use libfuzzer_sys::fuzz_target;
use teapot_core_fuzz::{check, edit, parameters};

fuzz_target!(|data: &[u8]| {
    let Some((chrf, [count, rest @ ..])) = parameters(data) else { return };
    let (edits, text) = rest.split_at(rest.len().min(4 * usize::from(count % 16)));
    let text = String::from_utf8_lossy(text);
    check(&chrf, &edit(&text, edits), &text);
});
