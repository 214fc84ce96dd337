//! Files perturbed line by line.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io::Cursor;
use std::sync::atomic::AtomicBool;

use teapot_core::perturb::{
    Edit, EditKind, PerturbOptions, Perturber, Resources, Similarity, apply, attack_of,
};
use teapot_core::score::chrf::Chrf;
use teapot_stream::error::Fault;
use teapot_stream::input::Input;
use teapot_stream::lines::{LineReader, LineRules};
use teapot_stream::perturb::{LinePerturber, PerturbPlan, perturb_texts};

fn perturber(attack: &str, least: Option<f64>) -> Perturber {
    let mut options = PerturbOptions::default();
    options.rate = Some(0.3);
    options.seed = 7;
    options.constraints.min_similarity =
        least.map(|least| (least, Similarity::new(Chrf::default())));
    Perturber::new(attack_of(attack, &Resources::default()).unwrap(), options).unwrap()
}

fn opened(text: &[u8], attack: &str, least: Option<f64>, plan: PerturbPlan) -> LinePerturber {
    let input = Input::from_reader("a.txt", Box::new(Cursor::new(text.to_vec()))).unwrap();
    let rules = LineRules { keep_trailing_whitespace: true, ..LineRules::default() };
    LinePerturber::new(LineReader::new(input, rules), perturber(attack, least), plan).unwrap()
}

/// All blocks as one: perturbed texts, edits, changed lines.
fn run(lines: &mut LinePerturber, block: usize) -> (String, String, u64) {
    let (mut text, mut edits, mut changed) = (String::new(), String::new(), 0);
    while let Some(part) = lines.next_block(block, &AtomicBool::new(false)).unwrap() {
        text.push_str(&part.text);
        edits.push_str(&part.edits_jsonl);
        changed += part.changed;
        assert_eq!(part.edits.iter().sum::<u64>() > 0, part.changed > 0);
    }
    (text, edits, changed)
}

fn sample(lines: u32) -> String {
    let line = |number: u32| format!("Line {number} says \"the kettle — is hot\" \n");
    (0..lines).map(line).collect::<Vec<_>>().concat()
}

#[test]
fn threads_and_block_sizes_change_nothing() {
    let text = sample(3000);
    let plan = |threads| PerturbPlan { variants: 2, edits: true, threads };
    let expected = run(&mut opened(text.as_bytes(), "typo", None, plan(1)), 1_000_000);
    assert_eq!(expected.0.matches('\n').count(), 6000);
    for (threads, block) in [(1, 1), (2, 700), (5, 5000)] {
        let mut lines = opened(text.as_bytes(), "typo", None, plan(threads));
        assert_eq!(run(&mut lines, block), expected);
        assert_eq!(lines.reader().line_count(), 3000);
    }
}

#[test]
fn edits_rebuild_the_text() {
    let text = sample(300);
    let plan = PerturbPlan { variants: 2, edits: true, threads: 2 };
    for attack in ["bad-characters", "charswap", "word-swap", "checklist"] {
        let (perturbed, jsonl, _) =
            run(&mut opened(text.as_bytes(), attack, Some(0.5), plan), 1000);
        let originals: Vec<&str> = text.split_terminator('\n').collect();
        for (index, (line, record)) in
            perturbed.split('\n').zip(jsonl.split_terminator('\n')).enumerate()
        {
            let record: serde_json::Value = serde_json::from_str(record).unwrap();
            assert_eq!(record["line"], index / 2 + 1);
            assert_eq!(record["variant"], index % 2);
            assert!(record["s_src"].as_f64().unwrap() >= 0.5);
            let edits = record["edits"].as_array().unwrap().iter().map(|edit| Edit {
                start: usize::try_from(edit["start"].as_u64().unwrap()).unwrap(),
                end: usize::try_from(edit["end"].as_u64().unwrap()).unwrap(),
                replacement: edit["replacement"].as_str().unwrap().to_owned(),
                kind: EditKind::Replace,
            });
            let rebuilt = apply(originals[index / 2], &edits.collect::<Vec<_>>()).unwrap();
            assert_eq!(rebuilt, line);
        }
    }
}

#[test]
fn lines_stay_lines() {
    let plan = PerturbPlan::default();
    let (text, edits, changed) =
        run(&mut opened(b"\n \r\nkettle  \r\n100%\nlast", "swap", None, plan), 10);
    assert_eq!(edits, "");
    assert_eq!(changed, 3);
    let lines: Vec<&str> = text.split('\n').collect();
    assert_eq!(lines.len(), 6);
    assert_eq!((lines[0], lines[1]), ("", " "));
    assert!(lines[2].ends_with("  ") && lines[2].len() == 8);
    assert_eq!(run(&mut opened(b"", "swap", None, plan), 10), Default::default());
}

#[test]
fn texts_in_memory_are_perturbed_as_lines_of_a_file() {
    let text = sample(600);
    let lines: Vec<String> = text.split_terminator('\n').map(str::to_owned).collect();
    let plan = PerturbPlan { variants: 2, edits: true, threads: 2 };
    let (expected, expected_edits, _) = run(&mut opened(text.as_bytes(), "typo", None, plan), 999);
    let perturbed = |lines: &[String], first| {
        let typo = perturber("typo", None);
        perturb_texts(&typo, lines, first, plan, &AtomicBool::new(false)).unwrap()
    };
    let all = perturbed(&lines, 0);
    assert_eq!(all.texts.join("\n") + "\n", expected);
    assert_eq!(all.edits.join("\n") + "\n", expected_edits);
    let first = usize::try_from(all.counts[..300].iter().sum::<u64>()).unwrap();
    assert_eq!(perturbed(&lines[300..], 300).texts, all.texts[first..]);
}

#[test]
fn variants_of_a_line_are_different_and_fewer_where_it_has_fewer() {
    let plan = PerturbPlan { variants: 10, edits: true, threads: 1 };
    let (text, edits, _) = run(&mut opened(b"ab\n\n", "swap", None, plan), 9);
    assert_eq!(text, "ba\n\n");
    assert_eq!(edits.split_terminator('\n').count(), 2);
    let lines = ["ab".to_owned(), String::new(), "abc".to_owned()];
    let swap = perturber("swap", None);
    let made = perturb_texts(&swap, &lines, 0, plan, &AtomicBool::new(false)).unwrap();
    assert_eq!(made.counts, [1, 1, 2]);
    let mut last = made.texts[2..].to_vec();
    last.sort();
    assert_eq!(last, ["acb", "bac"]);
}

#[test]
fn bytes_that_are_no_text_are_named() {
    let mut lines = opened(b"good\nb\xffd\n", "swap", None, PerturbPlan::default());
    let error = lines.next_block(10, &AtomicBool::new(false)).unwrap_err();
    assert_eq!(error.fault(), Fault::Format);
    assert!(error.to_string().starts_with("a.txt: line 2, byte 2 of the line"), "{error}");
}

#[test]
fn cancelling_stops() {
    let mut lines = opened(sample(300).as_bytes(), "swap", None, PerturbPlan::default());
    let error = lines.next_block(10, &AtomicBool::new(true)).unwrap_err();
    assert_eq!(error.fault(), Fault::Cancelled);
    let plan = PerturbPlan { variants: 0, ..PerturbPlan::default() };
    let input = Input::from_reader("a.txt", Box::new(Cursor::new(Vec::new()))).unwrap();
    let reader = LineReader::new(input, LineRules::default());
    assert!(LinePerturber::new(reader, perturber("swap", None), plan).is_err());
}
