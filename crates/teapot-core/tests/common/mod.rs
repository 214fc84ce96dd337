//! Where the material of the tests is, for all test files.
#![allow(
    dead_code,
    unused_imports,
    clippy::allow_attributes,
    reason = "each test file uses its own part"
)]

use std::path::PathBuf;

use serde_json::Value;
use teapot_core::text::whitespace::strip_end;

/// The folder of golden files and example data, or nothing (and a note) where it is absent; an error in CI.
pub fn shared() -> Option<PathBuf> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    if path.is_dir() {
        return Some(path);
    }
    assert!(std::env::var_os("CI").is_none(), "CI needs {}", path.display());
    #[expect(clippy::print_stderr, reason = "whoever runs the tests must see that one was skipped")]
    {
        eprintln!("SKIPPED: {} is absent", path.display());
    }
    None
}

/// A golden file: its rows. Those whose texts were written for this project lie beside the tests; with the shared material
/// there are more, whose texts are others'.
pub fn golden(name: &str) -> Option<Vec<Value>> {
    let own = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    let all = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/golden").join(name);
    let path =
        if !all.is_file() && own.is_file() { own } else { shared()?.join("golden").join(name) };
    let text = std::fs::read_to_string(path).unwrap();
    let mut file: Value = serde_json::from_str(&text).unwrap();
    let rows = file["rows"].take();
    assert!(rows.is_array(), "{name} has no rows");
    rows.as_array().cloned()
}

/// The lines of a file of the example data, trailing whitespace removed as teapot-nlp's reader does.
pub fn lines(name: &str) -> Option<Vec<String>> {
    let text = std::fs::read_to_string(shared()?.join("data/teapot").join(name)).unwrap();
    Some(
        text.strip_suffix('\n')
            .unwrap_or(&text)
            .split('\n')
            .map(|line| strip_end(line).to_owned())
            .collect(),
    )
}
