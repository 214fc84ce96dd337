//! How many candidates or lines a second one core perturbs: the measuring half of `bench/perturb.mjs`.
//!
//! `perturb_rate TASK FILE SECONDS LINES` runs a task over the first lines of a file again and again for about that long,
//! and prints one line of JSON: units a second (median and extremes over the repetitions), how many candidates or
//! edits were made, and the words of the lines, so that the caller can check that a rival had the same work.
#![expect(clippy::print_stdout, reason = "a program that prints its result")]

mod common;

use std::time::{Duration, Instant};

use teapot_core::patience::Patience;
use teapot_core::perturb::{
    Attack, CandidateOptions, Candidates, ParsedText, PerturbOptions, Perturber, Protection,
    Resources, Similarity, attack_of, candidates,
};
use teapot_core::random::Key;
use teapot_core::score::chrf::Chrf;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [task, path, seconds, lines] = arguments.as_slice() else {
        return Err("usage: perturb_rate TASK FILE SECONDS LINES".into());
    };
    if task == "stop-words" {
        let words = teapot_core::perturb::english_stop_words();
        println!("{}", words.into_iter().collect::<Vec<_>>().join(" "));
        return Ok(());
    }
    let text = std::fs::read_to_string(path)?;
    let lines: Vec<&str> = text.split_terminator('\n').take(lines.parse()?).collect();
    let duration = Duration::from_secs_f64(seconds.parse()?);
    let (kind, recipe) = task.split_once('-').ok_or("a task is KIND-RECIPE")?;
    let attack = recipe_of(recipe)?;
    let result = match kind {
        "candidates" => measure(&lines, duration, |buffers, line| {
            buffers.candidates(&attack, line, false);
            (buffers.found.len(), buffers.found.len())
        }),
        "texts" => measure(&lines, duration, |buffers, line| {
            buffers.candidates(&attack, line, true);
            (buffers.found.len(), buffers.found.len())
        }),
        "lines" => {
            let perturber = Perturber::new(attack, PerturbOptions::default())?;
            let mut session = perturber.session();
            let mut item = 0;
            let patience = Patience::endless();
            measure(&lines, duration, |_, line| {
                session.load(line);
                item += 1;
                (
                    1,
                    session
                        .perturb(item, 0, &patience)
                        .map_or(0, |perturbed| perturbed.edits().len()),
                )
            })
        }
        other => return Err(format!("unknown kind {other}").into()),
    };
    println!("{result}");
    Ok(())
}

/// The recipe as TextAttack builds it.
fn recipe_of(name: &str) -> Result<Attack, Box<dyn std::error::Error>> {
    let (name, least) = name.split_once('@').unwrap_or((name, ""));
    let all = if name == "pruthi" { "pruthi:positions=all" } else { name };
    let mut attack = attack_of(all, &Resources::default())?;
    if name == "pruthi" {
        attack.constraints.max_words_changed = Some(1);
    }
    if !least.is_empty() {
        attack.constraints.min_similarity =
            Some((least.parse()?, Similarity::new(Chrf::default())));
    }
    Ok(attack)
}

/// What is kept from line to line.
#[derive(Default)]
struct Buffers {
    text: ParsedText,
    found: Candidates,
    edited: String,
}

impl Buffers {
    fn candidates(&mut self, attack: &Attack, line: &str, with_texts: bool) {
        self.text.load(line, &Protection::default());
        let mut options = CandidateOptions::default();
        options.key = Key::default().then(7);
        let (transformations, constraints) = (&attack.transformations, &attack.constraints);
        let patience = Patience::endless();
        let made = candidates(
            &self.text,
            transformations,
            constraints,
            &options,
            &patience,
            &mut self.found,
        );
        assert!(made.is_ok(), "no edits were made before");
        if with_texts {
            for candidate in self.found.iter() {
                self.edited.clear();
                self.text.write_edited([candidate.edit], &mut self.edited);
                std::hint::black_box(&self.edited);
            }
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of a bench are small")]
fn measure(
    lines: &[&str],
    duration: Duration,
    mut work: impl FnMut(&mut Buffers, &str) -> (usize, usize),
) -> String {
    let mut buffers = Buffers::default();
    let started = Instant::now();
    let mut rates = Vec::new();
    let (mut made, mut words) = (0, 0);
    while rates.len() < 3 || started.elapsed() < duration {
        made = 0;
        let (seconds, units) = common::timed(|| {
            let mut units = 0;
            for line in lines {
                let (unit, count) = work(&mut buffers, line);
                units += unit;
                made += count;
            }
            units
        });
        rates.push(units as f64 / seconds);
    }
    for line in lines {
        words += ParsedText::new(line, &Protection::default()).words().len();
    }
    rates.sort_by(f64::total_cmp);
    let (low, high, median) = (rates[0], rates[rates.len() - 1], rates[rates.len() / 2]);
    let (rounds, lines) = (rates.len(), lines.len());
    format!(
        r#"{{"rate":{median},"low":{low},"high":{high},"rounds":{rounds},"made":{made},"words":{words},"lines":{lines}}}"#
    )
}
