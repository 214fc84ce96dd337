//! Aligned reading and scoring of several inputs.
#![expect(clippy::unwrap_used, reason = "tests")]

use std::io::Cursor;
use std::sync::atomic::{AtomicBool, Ordering};

use teapot_core::patience::Patience;
use teapot_core::score::bleu::Bleu;
use teapot_core::score::chrf::Chrf;
use teapot_core::score::edit::Edit;
use teapot_core::score::metric::Metric;
use teapot_stream::corpus::CorpusReader;
use teapot_stream::error::{Error, Fault};
use teapot_stream::input::Input;
use teapot_stream::lines::{LineReader, LineRules};
use teapot_stream::patient::Stop;
use teapot_stream::score::{CorpusScorer, Layout, ScorePlan, ScoredBlock, Shard, SideScores};

static RUNNING: AtomicBool = AtomicBool::new(false);

fn corpus(texts: &[&str]) -> CorpusReader {
    let readers = texts
        .iter()
        .enumerate()
        .map(|(number, text)| {
            let source = Box::new(Cursor::new(text.as_bytes().to_vec()));
            LineReader::new(
                Input::from_reader(&format!("{number}.txt"), source).unwrap(),
                LineRules::default(),
            )
        })
        .collect();
    CorpusReader::from_readers(readers).unwrap()
}

fn read(texts: &[&str], block: usize) -> Result<u64, Error> {
    let mut corpus = corpus(texts);
    while corpus.read_block(block, &RUNNING)?.is_some() {}
    Ok(corpus.segments())
}

/// B28 (awslabs/sockeye PR#119): every line counts, and unequal files are an error with all counts.
#[test]
fn lines_are_paired_and_counted() {
    for block in [1, 2, 3, 1000] {
        assert_eq!(read(&["x\ny", "x\ny\n"], block).unwrap(), 2);
        assert_eq!(read(&["x\n\ny\n", "x\nq\ny\n"], block).unwrap(), 3);
        for texts in
            [["a\nb\nc\n", "a\nb\n", "a\n"], ["a\n", "a\nb\nc", "a\nb"], ["a", "a\nb\nc\n", "a"]]
        {
            let failure = read(&texts, block).unwrap_err();
            assert_eq!(failure.fault(), Fault::LengthMismatch);
            for (number, text) in texts.iter().enumerate() {
                let lines = text.split('\n').filter(|line| !line.is_empty()).count();
                let part = if lines == 1 { "1 line".to_owned() } else { format!("{lines} lines") };
                assert!(
                    failure.to_string().contains(&format!("{number}.txt has {part}")),
                    "{failure}"
                );
            }
        }
        assert_eq!(read(&["", ""], block).unwrap_err().fault(), Fault::Empty);
        assert_eq!(read(&["", "a\n"], block).unwrap_err().fault(), Fault::LengthMismatch);
    }
}

fn plan(attacks: usize) -> ScorePlan {
    let metrics = vec![Metric::Chrf(Chrf::default()), Metric::Bleu(Bleu::default())];
    let adv_src = (1..=attacks).collect();
    let out = attacks + 1;
    let adv_out = (out + 1..=out + attacks).collect();
    let layout =
        Layout { src: Some(0), adv_src, out: Some(out), adv_out, refs: vec![out + attacks + 1] };
    ScorePlan { layout, s_src: metrics.clone(), s_tgt: metrics, corpus_level: true, shard: None }
}

fn score(texts: &[&str], attacks: usize, threads: usize, block: usize) -> ScoredBlock {
    let mut scorer = CorpusScorer::new(corpus(texts), plan(attacks), threads).unwrap();
    let mut whole = ScoredBlock::default();
    while let Some(part) = scorer.next_block(block, &RUNNING).unwrap() {
        assert_eq!(part.first_segment, whole.segments as u64);
        if whole.segments == 0 {
            whole = part;
            continue;
        }
        whole.segments += part.segments;
        let sides = whole.s_src.iter_mut().chain(&mut whole.s_tgt);
        for (side, more) in sides.zip(part.s_src.into_iter().chain(part.s_tgt)) {
            let more = more.base.into_iter().chain(more.attacks);
            for (all, more) in side.base.iter_mut().chain(&mut side.attacks).zip(more) {
                all.scores.extend(more.scores);
                for (sum, count) in all.sums.iter_mut().zip(more.sums) {
                    *sum += count;
                }
            }
        }
        whole.blank_source += part.blank_source;
        whole.blank_target += part.blank_target;
        whole.blank_sides.extend(part.blank_sides);
    }
    whole
}

#[test]
fn scores_are_the_same_for_any_number_of_threads_and_any_block() {
    let column = |salt: usize| -> String {
        (0..1500)
            .map(|line| format!("line {} of tea {}\n", line * salt % 97, line % (salt + 2)))
            .collect::<Vec<_>>()
            .concat()
    };
    let texts: Vec<String> = (1..=7).map(column).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let expected = score(&texts, 2, 1, 1 << 20);
    assert_eq!(expected.segments, 1500);
    for threads in [1, 2, 5] {
        for block in [1, 300, 1 << 20] {
            let found = score(&texts, 2, threads, block);
            assert_eq!(format!("{found:?}"), format!("{expected:?}"));
        }
    }
    for (place, metric) in plan(2).s_tgt.iter().enumerate() {
        check_metric(metric, &expected.s_src[place], &expected.s_tgt[place], &texts);
    }
}

/// Scores and summed counts of a corpus of two attacks are those of its lines one by one.
fn check_metric(metric: &Metric, s_src: &SideScores, s_tgt: &SideScores, texts: &[&str]) {
    let base = s_tgt.base.as_ref().unwrap();
    let columns: Vec<Vec<&str>> =
        texts.iter().map(|text| text.split_terminator('\n').collect()).collect();
    for (found, hypotheses, references) in [
        (&s_src.attacks[0], 1, 0),
        (&s_src.attacks[1], 2, 0),
        (base, 3, 6),
        (&s_tgt.attacks[0], 4, 6),
        (&s_tgt.attacks[1], 5, 6),
    ] {
        let mut single = [0.0];
        let mut counts = vec![Vec::new()];
        for (line, (hypothesis, reference)) in
            columns[hypotheses].iter().zip(&columns[references]).enumerate()
        {
            let (hypothesis, reference) = ([*hypothesis], [*reference]);
            let patience = Patience::endless();
            metric.scorer().score(&hypothesis, &reference, &mut single, &patience).unwrap();
            assert_eq!(found.scores[line].to_bits(), single[0].to_bits());
            let mut counter = metric.counter().unwrap();
            counter.count(&hypothesis, &reference, &mut counts, &patience).unwrap();
        }
        let mut sums = vec![0.0; metric.counts_width()];
        for (index, count) in counts[0].iter().enumerate() {
            sums[index % metric.counts_width()] += count;
        }
        assert_eq!(format!("{:?}", found.sums), format!("{sums:?}"));
    }
}

#[test]
fn blank_texts_are_counted_by_side() {
    let texts = ["a\n\nc\n", "a\nb\nc\n", "x\ny .\n \n", "x .\ny\nz\n", "r\nr\nr\n"];
    let found = score(&texts, 1, 1, 10);
    assert_eq!((found.blank_source, found.blank_target), (1, 1));
}

#[test]
fn tokenised_lines_are_counted_by_input() {
    let mut reader = corpus(&["a .\n .\n", "a.\nb . \n"]);
    while reader.read_block(1, &RUNNING).unwrap().is_some() {}
    let counts: Vec<u64> = reader.reports().iter().map(|report| report.tokenized_lines).collect();
    assert_eq!(counts, [2, 1]);
}

#[test]
fn a_set_flag_stops_the_work() {
    let mut scorer =
        CorpusScorer::new(corpus(&["a\n", "a\n", "a\n", "a\n", "a\n"]), plan(1), 2).unwrap();
    let failure = scorer.next_block(10, &AtomicBool::new(true)).unwrap_err();
    assert_eq!(failure.fault(), Fault::Cancelled);
}

/// Two unlike lines of a megabyte: their distance would take half a minute here, and minutes without optimisation.
#[test]
fn a_flag_that_is_set_later_stops_the_work_inside_a_segment() {
    let line = |shift: u32| -> String {
        (0..1_000_000_u32)
            .map(|n| char::from(b'a' + u8::try_from((n / 7 * shift + n % 13) % 26).unwrap()))
            .collect()
    };
    let plan = ScorePlan {
        layout: Layout { src: Some(0), adv_src: vec![1], ..Layout::default() },
        s_src: vec![Metric::Edit(Edit::default())],
        s_tgt: vec![],
        corpus_level: false,
        shard: None,
    };
    let mut scorer = CorpusScorer::new(corpus(&[&line(3), &line(5)]), plan, 1).unwrap();
    let cancelled = AtomicBool::new(false);
    let failure = std::thread::scope(|scope| {
        let work = scope.spawn(|| scorer.next_block(10, &cancelled).unwrap_err());
        std::thread::sleep(std::time::Duration::from_millis(300));
        assert!(!work.is_finished());
        cancelled.store(true, Ordering::Relaxed);
        work.join().unwrap()
    });
    assert_eq!(failure.fault(), Fault::Cancelled);
}

#[test]
fn a_plan_must_fit_its_inputs() {
    let failure = CorpusScorer::new(corpus(&["a\n", "a\n"]), plan(1), 2).err().unwrap();
    assert_eq!(failure.fault(), Fault::Option);
}

/// The total is estimated from the bytes of the first regular file: exact at the end, unknown for a pipe.
#[test]
fn total_is_estimated_from_the_size_of_a_file() {
    let path = std::env::temp_dir().join(format!("teapot-estimate-{}", std::process::id()));
    let lines = 200_000_u32;
    std::fs::write(&path, "a line of the file\n".repeat(lines as usize)).unwrap();
    let name = path.to_str().unwrap().to_owned();
    let mut corpus = CorpusReader::open(&[name], LineRules::default(), &Stop::default()).unwrap();
    let _ = corpus.read_block(100_000, &RUNNING).unwrap();
    let halfway = corpus.estimated_segments().unwrap();
    // What is read ahead makes the estimate of a small file too small.
    assert!((100_000.0..=200_000.0).contains(&halfway), "{halfway}");
    while corpus.read_block(100_000, &RUNNING).unwrap().is_some() {}
    assert_eq!(corpus.estimated_segments(), Some(f64::from(lines)));
    std::fs::remove_file(&path).unwrap();

    let mut pipe = self::corpus(&["a\nb\n"]);
    let _ = pipe.read_block(1, &RUNNING).unwrap();
    assert_eq!(pipe.estimated_segments(), None);
}

/// F64: the end of a long file isn't looked for, and the other file may be the longer one.
#[test]
fn f64_unequal_lengths_are_reported_as_soon_as_they_are_certain() {
    let long = "a\n".repeat(40 * 1024 * 1024);
    for texts in [["a\nb\n", &long], [&long, "a\nb\n"]] {
        let failure = read(&texts, 1000).unwrap_err();
        assert_eq!(failure.fault(), Fault::LengthMismatch);
        let message = failure.to_string();
        assert!(message.contains("txt has 2 lines"), "{message}");
        assert!(message.contains("txt has at least 16"), "{message}");
    }
}

/// The same inputs in another order take no more memory: short lines beside long ones.
#[test]
fn every_column_is_read_within_one_budget() {
    let (short, long) = ("a\n".repeat(600), ("b".repeat(100_000) + "\n").repeat(600));
    for texts in [[short.as_str(), &long], [&long, &short]] {
        let mut corpus = corpus(&texts);
        let mut segments = 0;
        while let Some(block) = corpus.read_block(256, &RUNNING).unwrap() {
            segments += block.len();
            assert!(block.columns.iter().all(|column| column.bytes() < 700_000));
        }
        assert_eq!(segments, 600);
    }
}

#[test]
fn shards_share_the_segments_and_read_everything() {
    let side = |shift: usize| -> String {
        let lines: Vec<String> =
            (0..3000).map(|line| format!("tea {}", (line * 7 + shift) % 13)).collect();
        lines.join("\n")
    };
    let texts = [side(0), side(1)];
    let layout = Layout { src: Some(0), adv_src: vec![1], ..Layout::default() };
    let scores_of = |shard: Option<Shard>| -> Vec<f64> {
        let plan = ScorePlan {
            layout: layout.clone(),
            s_src: vec![Metric::Chrf(Chrf::default())],
            s_tgt: vec![],
            corpus_level: false,
            shard,
        };
        let corpus = corpus(&[&texts[0], &texts[1]]);
        let mut run = CorpusScorer::new(corpus, plan, 2).unwrap();
        let mut scores = Vec::new();
        while let Some(block) = run.next_block(700, &RUNNING).unwrap() {
            scores.extend_from_slice(&block.s_src[0].attacks[0].scores);
        }
        assert_eq!(run.reader().segments(), 3000);
        scores
    };
    let whole = scores_of(None);
    let parts: Vec<Vec<f64>> =
        (0..5).map(|index| scores_of(Some(Shard { index, count: 5 }))).collect();
    let mut places = [0; 5];
    for (segment, &score) in whole.iter().enumerate() {
        let part = segment / 256 % 5;
        assert!((parts[part][places[part]] - score).abs() < f64::EPSILON);
        places[part] += 1;
    }
    for (part, place) in parts.iter().zip(places) {
        assert_eq!(part.len(), place);
    }
}
