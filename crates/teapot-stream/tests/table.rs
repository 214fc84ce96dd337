//! Tables read natively: the texts of the columns that were asked for, or a refusal.

use std::io::{self, Cursor, Read};
use std::sync::atomic::AtomicBool;

use proptest::prelude::*;
use teapot_stream::corpus::{CorpusReader, InputReport};
use teapot_stream::error::{Error, Fault};
use teapot_stream::input::Input;
use teapot_stream::lines::{LineReader, LineRules};
use teapot_stream::table::{TableColumn, TableFormat, TableReader};

/// Gives at most `chunk` bytes a read.
struct Trickle(Cursor<Vec<u8>>, usize);

impl Read for Trickle {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = buffer.len().min(self.1);
        self.0.read(&mut buffer[..length])
    }
}

type Rows = Vec<Vec<String>>;

fn read_by(
    text: &str,
    format: TableFormat,
    columns: &[&str],
    chunk: usize,
    block: usize,
) -> Result<(Rows, InputReport), Error> {
    let source = Box::new(Trickle(Cursor::new(text.as_bytes().to_vec()), chunk));
    let lines = LineReader::new(Input::from_reader("x", source)?, LineRules::default());
    let columns = columns
        .iter()
        .map(|name| TableColumn { name: (*name).to_owned(), is_label: name.starts_with("out") })
        .collect();
    let mut corpus = CorpusReader::from_table(TableReader::new(lines, format, columns));
    let mut rows = Rows::new();
    while let Some(block) = corpus.read_block(block, &AtomicBool::new(false))? {
        for row in 0..block.len() {
            rows.push(block.columns.iter().map(|column| column.line(row).to_owned()).collect());
        }
    }
    Ok((rows, corpus.reports().remove(0)))
}

/// The rows, which must be the same for every size of reads and blocks.
fn read(text: &str, format: TableFormat, columns: &[&str]) -> Result<(Rows, InputReport), Error> {
    let expected = read_by(text, format, columns, 1 << 20, 1000);
    for (chunk, block) in [(1, 1), (3, 2), (7, 1000)] {
        let found = read_by(text, format, columns, chunk, block);
        assert_eq!(
            found.as_ref().ok().map(|found| &found.0),
            expected.as_ref().ok().map(|found| &found.0)
        );
    }
    expected
}

#[test]
fn cells_keep_what_quotes_hold() {
    let text =
        "\u{feff}src,\"out\",n\r\n\"a, \"\"b\"\"\nc\",1.0,\n\nd ,\"1.0\",x\nsrc,out,n\né,2.,\"\"";
    let (rows, report) = read(text, TableFormat::Csv, &["out", "src", "#3"]).unwrap();
    assert_eq!(rows, [["1", "a, \"b\"\nc", ""], ["1.0", "d", "x"], ["2", "é", ""]]);
    assert_eq!((report.lines, report.repeated_headers), (3, vec![6]));
}

#[test]
fn quotes_of_tsv_are_characters_unless_needed() {
    let (rows, _) =
        read("a\tb\n\"x\" y\t\"\"\n\"say \"\"hi\"\"\"\t\"z\"\n", TableFormat::Tsv, &["a", "b"])
            .unwrap();
    assert_eq!(rows, [["\"x\" y", ""], ["say \"hi\"", "\"z\""]]);
    let (rows, _) = read("\"a\"\t\"b\"\n\"x\ty\"\tz\n", TableFormat::Tsv, &["a", "b"]).unwrap();
    assert_eq!(rows, [["x\ty", "z"]]);
}

#[test]
fn fields_of_json_lines_are_texts() {
    let text = "{\"b\":[1,{\"a\":2}],\"a\":\"\\u00e9 \\\"x\\\"\"}\n \n{\"a\":12,\"b\":null,\"a\":true}\r\n";
    let (rows, report) = read(text, TableFormat::Jsonl, &["a", "a"]).unwrap();
    assert_eq!(rows, [["é \"x\"", "é \"x\""], ["true", "true"]]);
    assert_eq!(report.lines, 2);
}

#[test]
fn what_is_no_plain_table_is_refused() {
    for (text, format) in [
        ("a,b\n1\n", TableFormat::Csv),
        ("a,b\n\"1\"x,2\n", TableFormat::Csv),
        ("a,b\n\"1,2\n", TableFormat::Csv),
        ("b\n1\n", TableFormat::Csv),
        ("a,a\n1,2\n", TableFormat::Csv),
        ("a\r1\r", TableFormat::Csv),
        ("[{\"a\":\"x\"}]", TableFormat::Jsonl),
        ("{\"a\":1.5}", TableFormat::Jsonl),
        ("{\"a\":null}", TableFormat::Jsonl),
        ("{\"a\":[\"x\"]}", TableFormat::Jsonl),
        ("{\"b\":1}", TableFormat::Jsonl),
        ("{\"a\":12345678901234567890123}", TableFormat::Jsonl),
        ("{\"a\":1", TableFormat::Jsonl),
    ] {
        let error = read(text, format, &["a"]).unwrap_err();
        assert_eq!(error.fault(), Fault::Format, "{text}: {error}");
    }
    assert_eq!(read("a,b\n", TableFormat::Csv, &["a"]).unwrap_err().fault(), Fault::Empty);
}

proptest! {
    /// What is written by the rules of RFC 4180 is read back.
    #[test]
    fn written_cells_are_read_back(
        rows in prop::collection::vec(prop::array::uniform3("[ab\",\n\r\té🍵 ]{0,6}"), 1..8),
        always in any::<bool>(),
    ) {
        let quote = |cell: &String| {
            if always || cell.contains(['"', ',', '\n', '\r']) {
                format!("\"{}\"", cell.replace('"', "\"\""))
            } else {
                cell.clone()
            }
        };
        let line = |cells: &[String; 3]| cells.iter().map(quote).collect::<Vec<_>>().join(",") + "\n";
        let text = "x,y,z\n".to_owned() + &rows.iter().map(line).collect::<String>();
        let expected: Rows = rows
            .iter()
            .map(|row| row.iter().map(|cell| teapot_core::text::whitespace::strip_end(cell).to_owned()).collect())
            .collect();
        prop_assert_eq!(read(&text, TableFormat::Csv, &["x", "y", "z"]).unwrap().0, expected);
    }
}
