//! Two texts that have nothing to do with each other, besides what the fuzzer finds.
#![no_main]

use libfuzzer_sys::fuzz_target;
use teapot_core_fuzz::{check, parameters};

fuzz_target!(|data: &[u8]| {
    let Some((chrf, [share, texts @ ..])) = parameters(data) else { return };
    let (hypothesis, reference) = texts.split_at(texts.len() * usize::from(*share) / 256);
    check(&chrf, &String::from_utf8_lossy(hypothesis), &String::from_utf8_lossy(reference));
});
