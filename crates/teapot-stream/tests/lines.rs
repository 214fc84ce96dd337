//! The rules of lines, inputs and encodings, on inputs that broke other readers.
#![expect(clippy::unwrap_used, reason = "tests")]

use std::io::{self, Cursor, Read, Write};

use teapot_stream::error::{Error, Fault};
use teapot_stream::input::{Encoding, Input};
use teapot_stream::lines::{LineBlock, LineReader, LineRules};
use teapot_stream::patient::Stop;

/// Gives at most `chunk` bytes a read, as a pipe may.
struct Trickle {
    bytes: Cursor<Vec<u8>>,
    chunk: usize,
}

impl Read for Trickle {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = buffer.len().min(self.chunk);
        self.bytes.read(&mut buffer[..length])
    }
}

fn reader(bytes: &[u8], chunk: usize, rules: LineRules) -> LineReader {
    let source = Trickle { bytes: Cursor::new(bytes.to_vec()), chunk };
    LineReader::new(Input::from_reader("x.txt", Box::new(source)).unwrap(), rules)
}

fn all(mut reader: LineReader, block: usize) -> Result<Vec<String>, Error> {
    let mut lines = Vec::new();
    loop {
        let block = reader.read_block(block, 1 << 20)?;
        if block.is_empty() {
            return Ok(lines);
        }
        lines.extend(block.lines().map(str::to_owned));
    }
}

/// The lines of these bytes, which must be the same for every size of reads and blocks.
fn lines(bytes: &[u8]) -> Vec<String> {
    let expected = all(reader(bytes, 1 << 20, LineRules::default()), 1000).unwrap();
    for chunk in [1, 2, 3, 7, 4096] {
        for block in [1, 2, 1000] {
            assert_eq!(all(reader(bytes, chunk, LineRules::default()), block).unwrap(), expected);
        }
    }
    expected
}

fn error(bytes: &[u8]) -> Error {
    all(reader(bytes, 5, LineRules::default()), 10).unwrap_err()
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn a_line_ends_at_a_newline_and_a_last_line_needs_none() {
    assert_eq!(lines(b""), Vec::<String>::new());
    assert_eq!(lines(b"x"), ["x"]);
    assert_eq!(lines(b"x\ny"), ["x", "y"]);
    assert_eq!(lines(b"x\ny\n"), ["x", "y"]);
    assert_eq!(lines(b"x\n\ny\n"), ["x", "", "y"]);
    assert_eq!(lines(b"\n"), [""]);
    assert_eq!(lines(b"hot\ttea\n"), ["hot\ttea"]);
}

/// B18 (mjpost/sacrebleu PR#24) and B19 (mholt/PapaParse#1132).
#[test]
fn one_carriage_return_belongs_to_the_line_end_and_a_lone_one_to_the_text() {
    assert_eq!(lines(b"1\r\n0\r\n"), ["1", "0"]);
    assert_eq!(lines(b"hot\rtea\nmilk\n"), ["hot\rtea", "milk"]);
    let mut reader = reader(b"hot\rtea\r\r\nmilk\r\nx\r", 3, LineRules::default());
    while !reader.read_block(1, 100).unwrap().is_empty() {}
    assert_eq!(reader.lone_carriage_returns(), 3);
    assert_eq!(reader.line_count(), 3);
}

#[test]
fn trailing_whitespace_is_pythons_and_can_be_kept() {
    let text = "a \t\u{a0}\u{3000}\u{1c}\n b\u{200b}\n".as_bytes();
    assert_eq!(lines(text), ["a", " b\u{200b}"]);
    let rules = LineRules { keep_trailing_whitespace: true, ..LineRules::default() };
    assert_eq!(all(reader(text, 3, rules), 9).unwrap(), ["a \t\u{a0}\u{3000}\u{1c}", " b\u{200b}"]);
}

#[test]
fn other_separators_of_python_and_javascript_end_no_line() {
    let text = "a\u{2028}b\u{2029}c\u{85}d\u{b}e\u{c}f\u{1e}g\n";
    assert_eq!(lines(text.as_bytes()), [text.strip_suffix('\n').unwrap()]);
}

#[test]
fn a_byte_order_mark_is_removed_once() {
    assert_eq!(lines(b"\xef\xbb\xbftea\n\xef\xbb\xbfx\n"), ["tea", "\u{feff}x"]);
}

/// B27 (mholt/PapaParse#1132): characters whose bytes lie in two reads.
#[test]
fn characters_across_read_boundaries_stay_whole() {
    for character in ["é", "茶", "🍵"] {
        for before in 65_533..65_537 {
            let text = format!("{}{character}x", "a".repeat(before));
            let bytes = format!("{text}\n{text}\n").into_bytes();
            for (bytes, chunk) in [(bytes.clone(), 65_536), (bytes.clone(), 77), (gzip(&bytes), 11)]
            {
                assert_eq!(
                    all(reader(&bytes, chunk, LineRules::default()), 5).unwrap(),
                    [&*text, &*text]
                );
            }
        }
    }
}

/// B26 (whitfin/runiq#1): a Latin-1 byte.
#[test]
fn invalid_utf8_is_located() {
    let failure = error(b"tea\ncaf\xe9\nmilk\n");
    assert_eq!(failure.fault(), Fault::Format);
    let message = failure.to_string();
    for part in [
        "x.txt: line 2, byte 4 of the line (byte offset 7",
        "0xE9",
        "the option `encoding`",
        "latin-1",
    ] {
        assert!(message.contains(part), "{message}");
    }
    let rules = LineRules { encoding: Encoding::Latin1, ..LineRules::default() };
    assert_eq!(all(reader(b"tea\ncaf\xe9\nmilk\n", 2, rules), 2).unwrap(), ["tea", "café", "milk"]);
}

/// F48: the bytes that are control characters of Latin-1 are letters and quotes of Windows-1252.
#[test]
fn windows_1252_has_letters_where_latin_1_has_controls() {
    let bytes = b"\x93tea\x94 \x80 \xe9 \x81\n";
    let rules = LineRules { encoding: Encoding::Windows1252, ..LineRules::default() };
    assert_eq!(
        all(reader(bytes, 2, rules), 2).unwrap(),
        ["\u{201c}tea\u{201d} \u{20ac} \u{e9} \u{81}"]
    );
    let rules = LineRules { encoding: Encoding::Latin1, ..LineRules::default() };
    let mut latin = reader(bytes, 2, rules);
    assert_eq!(latin.read_block(9, 99).unwrap().len(), 1);
    assert_eq!(latin.control_characters(), 4);
}

#[test]
fn utf16_is_recognised_and_can_be_read() {
    let encode = |text: &str, mark: bool| -> Vec<u8> {
        let mark: &[u16] = if mark { &[0xfeff] } else { &[] };
        mark.iter().copied().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
    };
    let text = "tea 🍵\r\nmilk\n";
    for bytes in [encode(text, true), encode(text, false)] {
        assert!(error(&bytes).to_string().contains("UTF-16"));
        for chunk in [1, 3, 4096] {
            let rules = LineRules { encoding: Encoding::Utf16, ..LineRules::default() };
            assert_eq!(all(reader(&bytes, chunk, rules), 1).unwrap(), ["tea 🍵", "milk"]);
        }
    }
    let rules = LineRules { encoding: Encoding::Utf16, ..LineRules::default() };
    assert_eq!(all(reader(b"t\0e\0a", 2, rules), 1).unwrap_err().fault(), Fault::Format);
    assert_eq!(all(reader(b"\x3d\xd8t\0", 2, rules), 1).unwrap_err().fault(), Fault::Format);
}

/// B40 (nodejs/node#4306): concatenated gzip members, zero padding, cut-off files.
#[test]
fn gzip_may_have_members_and_padding_but_no_missing_end() {
    let members = [gzip(b"a\nb\n"), gzip(b"c\n")].concat();
    assert_eq!(lines(&members), ["a", "b", "c"]);
    assert_eq!(lines(&[members.clone(), vec![0; 1000]].concat()), ["a", "b", "c"]);
    assert_eq!(lines(&[gzip(b"a\n"), vec![0; 9], gzip(b"b\n")].concat()), ["a", "b"]);
    assert_eq!(lines(&gzip(b"")), Vec::<String>::new());
    for length in 1..members.len() {
        if length == gzip(b"a\nb\n").len() {
            continue; // a complete file
        }
        let cut = &members[..length];
        if length >= 2 {
            let failure = error(cut);
            assert_eq!(failure.fault(), Fault::Format, "{length}: {failure}");
            assert!(failure.to_string().contains("x.txt"), "{failure}");
        }
    }
    let garbage = error(&[gzip(b"a\n"), b"tea".to_vec()].concat());
    assert_eq!(garbage.fault(), Fault::Format);
}

#[test]
fn zstandard_may_have_frames_but_no_missing_end() {
    let frame = |text: &[u8]| zstd::encode_all(text, 1).unwrap();
    let frames = [frame(b"a\nb\n"), frame(b"c\n")].concat();
    assert_eq!(lines(&frames), ["a", "b", "c"]);
    let failure = error(&frames[..frames.len() - 3]);
    assert_eq!(failure.fault(), Fault::Format);
}

#[test]
fn damaged_compression_is_a_format_error() {
    let mut bytes = gzip("tea and milk and tea and milk\n".repeat(100).as_bytes());
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0xff;
    assert_eq!(error(&bytes).fault(), Fault::Format);
}

#[test]
fn what_cannot_be_opened_is_named() {
    let directory = env!("CARGO_MANIFEST_DIR");
    let failure = Input::open(directory, &Stop::default()).err().unwrap();
    assert!(failure.to_string().contains("is a directory"), "{failure}");
    let failure = Input::open("no/such/file.txt", &Stop::default()).err().unwrap();
    assert_eq!(failure.to_string(), "no/such/file.txt: can't be read: no such file");
}

#[test]
fn the_hash_is_of_the_bytes_in_the_file() {
    let mut reader = reader(b"tea\n", 1, LineRules::default());
    while !reader.read_block(1, 100).unwrap().is_empty() {}
    // printf 'tea\n' | sha256sum
    assert_eq!(reader.sha256(), "b49c876df8b640bda8d61932383cbb787236104f12ebfaf1007ea6dcc11d64aa");
}

/// A reader that has nothing to give every other time, as standard input of a process that Node made non-blocking.
struct Hesitant(Vec<u8>, bool);

impl std::io::Read for Hesitant {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.1 = !self.1;
        if self.1 {
            return Err(std::io::ErrorKind::WouldBlock.into());
        }
        let length = self.0.len().min(buffer.len()).min(3);
        buffer[..length].copy_from_slice(&self.0[..length]);
        self.0.drain(..length);
        Ok(length)
    }
}

#[test]
fn a_reader_that_must_be_asked_again_is_asked_again() {
    let input = Input::from_reader("a", Box::new(Hesitant(b"one\ntwo\nthree".to_vec(), false)));
    let mut reader = LineReader::new(input.unwrap(), LineRules::default());
    let block = reader.read_block(10, 1000).unwrap();
    assert_eq!(block.lines().collect::<Vec<_>>(), ["one", "two", "three"]);
}

/// Fails with `Interrupted` once before each read, as a system call may.
struct Interrupted<R> {
    reader: R,
    interrupts: bool,
}

impl<R: Read> Read for Interrupted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.interrupts = !self.interrupts;
        if self.interrupts {
            return Err(io::ErrorKind::Interrupted.into());
        }
        self.reader.read(buffer)
    }
}

#[test]
fn no_member_is_lost_after_an_interrupted_read() {
    let bytes = [gzip(b"one\n"), vec![0; 512], gzip(b"two\n"), gzip(b"three")].concat();
    for chunk in [1, 7, 1 << 20] {
        let trickle = Trickle { bytes: Cursor::new(bytes.clone()), chunk };
        let source = Interrupted { reader: trickle, interrupts: false };
        let input = Input::from_reader("x.gz", Box::new(source)).unwrap();
        let reader = LineReader::new(input, LineRules::default());
        assert_eq!(all(reader, 10).unwrap(), ["one", "two", "three"]);
    }
}

/// pzstd begins a file with a frame to be skipped, and a window of 2^28 bytes is what `zstd --long=28` writes.
#[test]
fn f28_skippable_frames_and_long_windows_are_read() {
    let mut skippable = vec![0x50, 0x2a, 0x4d, 0x18, 4, 0, 0, 0, 1, 2, 3, 4];
    skippable.extend(zstd::encode_all(&b"one\ntwo\n"[..], 1).unwrap());
    assert_eq!(lines(&skippable), ["one", "two"]);
    let mut encoder = zstd::stream::write::Encoder::new(Vec::new(), 1).unwrap();
    encoder.window_log(28).unwrap();
    encoder.write_all(b"one\ntwo\n").unwrap();
    assert_eq!(lines(&encoder.finish().unwrap()), ["one", "two"]);
}

#[test]
fn latin_1_gives_every_byte_its_code_point() {
    let bytes: Vec<u8> =
        (0..=255).filter(|byte| !b"\n\r".contains(byte)).cycle().take(5000).collect();
    let expected: String = bytes.iter().copied().map(char::from).collect();
    let rules = LineRules { encoding: Encoding::Latin1, keep_trailing_whitespace: true };
    for chunk in [1, 3, 1 << 20] {
        assert_eq!(all(reader(&bytes, chunk, rules), 10).unwrap(), [expected.as_str()]);
    }
}

#[test]
fn f59_messages_repeat_the_beginning_of_a_long_name() {
    let name = "x".repeat(5000);
    let message = Input::open(&name, &Stop::default()).err().unwrap().to_string();
    assert!(message.len() < 400 && message.contains("(5000 characters)"), "{message}");
    let source = Box::new(Cursor::new(b"a\xff".to_vec()));
    let input = Input::from_reader(&name, source).unwrap();
    let message = all(LineReader::new(input, LineRules::default()), 1).unwrap_err().to_string();
    assert!(message.len() < 600 && message.contains("line 1, byte 2"), "{message}");
}

#[test]
fn a_column_of_arrow_gives_its_texts() {
    let values = "tea héllo \n".as_bytes().to_vec();
    let block = LineBlock::from_arrow(values.clone(), &[7, 11, 11, 18, 19], false).unwrap();
    assert_eq!(block.lines().collect::<Vec<_>>(), ["tea", "", "héllo", ""]);
    let kept = LineBlock::from_arrow(values.clone(), &[7, 11, 11, 18, 19], true).unwrap();
    assert_eq!(kept.lines().collect::<Vec<_>>(), ["tea ", "", "héllo ", "\n"]);
    assert!(LineBlock::from_arrow(Vec::new(), &[0], false).unwrap().is_empty());
    // Inside a character, falling, beyond the end, no UTF-8.
    for offsets in [[0, 6], [4, 0], [0, 99]] {
        assert!(LineBlock::from_arrow(values.clone(), &offsets, false).is_err(), "{offsets:?}");
    }
    assert!(LineBlock::from_arrow(vec![0xC3], &[0, 1], false).is_err());
}
