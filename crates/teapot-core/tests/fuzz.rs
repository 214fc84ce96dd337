//! The fuzz targets on stable Rust: seeded random bytes and the inputs that once failed, `fuzz/regressions`.
//!
//! A run is short unless the variable `TEAPOT_FUZZ_RUNS` gives another number of inputs for each target.
#![expect(clippy::unwrap_used, reason = "a test that can't read its material fails")]

#[path = "../fuzz/src/lib.rs"]
mod targets;

use std::path::Path;

use teapot_core::random::Generator;

/// Inputs for each target in a short run.
const RUNS: usize = 300;

/// Words and marks at which tokenizers, scripts and kernels change.
const PIECES: [&str; 16] = [
    "tea ", "the ", "ab", " ", "…", "é", "ß", "茶", "🍵", "1,500", "&amp;", "\u{301}", "\u{1c}",
    "Σ", "-", "|",
];

/// Bytes of one kind: any, of few different values, of readable pieces, or one piece over and over.
fn bytes(generator: &mut Generator) -> Vec<u8> {
    let length = [8, 64, 300, 900][generator.below(4)];
    let length = generator.below(length);
    let mut byte = |below: usize| u8::try_from(generator.below(below)).unwrap();
    // The first bytes hold parameters in all targets.
    let mut data: Vec<u8> = (0..4).map(|_| byte(256)).collect();
    let kind = byte(4);
    if kind == 0 {
        data.extend((0..length).map(|_| byte(256)));
    } else if kind == 1 {
        data.extend((0..length).map(|_| b'a' + byte(3)));
    } else {
        let once = generator.below(PIECES.len());
        while data.len() < length {
            let piece = if kind == 2 { generator.below(PIECES.len()) } else { once };
            data.extend(PIECES[piece].bytes());
            if kind == 3 && generator.below(40) == 0 {
                data.extend(PIECES[generator.below(PIECES.len())].bytes());
            }
        }
    }
    data
}

#[test]
fn targets_hold_on_random_bytes() {
    let runs = std::env::var("TEAPOT_FUZZ_RUNS").map_or(RUNS, |runs| runs.parse().unwrap());
    let seed = std::env::var("TEAPOT_FUZZ_SEED").map_or(12345, |seed| seed.parse().unwrap());
    for (name, _) in targets::TARGETS {
        let mut generator = Generator::new(seed);
        for run in 0..runs {
            let data = bytes(&mut generator);
            let outcome = std::panic::catch_unwind(|| targets::run(name, &data));
            assert!(outcome.is_ok(), "{name} fails on input {run} of seed {seed}: {data:?}");
        }
    }
}

#[test]
fn inputs_that_once_failed_hold() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/regressions");
    let mut inputs = 0;
    for (name, target) in targets::TARGETS {
        for entry in std::fs::read_dir(folder.join(name)).into_iter().flatten() {
            target(&std::fs::read(entry.unwrap().path()).unwrap());
            inputs += 1;
        }
    }
    assert!(inputs > 0, "{} is empty", folder.display());
}
