#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| teapot_core_fuzz::run("edits", data));
