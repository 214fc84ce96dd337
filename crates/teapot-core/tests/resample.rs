//! Bootstrap and paired tests: against exact values where there are some, and what must never change them.
#![expect(clippy::unwrap_used, reason = "a test that fails to compute fails")]

use std::sync::atomic::AtomicBool;

use proptest::prelude::*;
use teapot_core::error::ErrorKind;
use teapot_core::random::Generator;
use teapot_core::resample::mcnemar::mcnemar;
use teapot_core::resample::paired::{approximate_randomization, paired_bootstrap};
use teapot_core::resample::{Interval, ResampleOptions, bootstrap};

static RUNNING: AtomicBool = AtomicBool::new(false);

fn options(resamples: usize) -> ResampleOptions {
    ResampleOptions { resamples, ..ResampleOptions::default() }
}

/// Thousandths: `count` numbers in [0, 1).
fn scores(seed: u64, count: usize) -> Vec<f64> {
    let mut generator = Generator::new(seed);
    (0..count).map(|_| f64::from(u32::try_from(generator.below(1000)).unwrap()) / 1000.0).collect()
}

#[expect(clippy::cast_precision_loss, reason = "small numbers")]
fn mean_and_error(values: &[f64]) -> (f64, f64) {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count;
    (mean, (variance / count).sqrt())
}

/// The 95 % interval of a mean lies 1.96 standard errors to both sides, for many lines and many resamples.
#[test]
fn interval_of_a_mean_has_the_width_of_theory() {
    for lines in [300, 4096, 10_001] {
        let scores = scores(1, lines);
        let interval = bootstrap::mean(&scores, &options(4000), &RUNNING).unwrap();
        let (mean, error) = mean_and_error(&scores);
        assert!(((mean - interval.lower) / error - 1.96).abs() < 0.1, "{lines} {interval:?}");
        assert!(((interval.upper - mean) / error - 1.96).abs() < 0.1, "{lines} {interval:?}");
    }
}

#[test]
fn interval_of_a_success_rate_has_the_width_of_theory() {
    let scores: Vec<f64> = (0..100_000).map(|line| f64::from(u8::from(line % 5 == 0))).collect();
    let interval = bootstrap::mean(&scores, &options(4000), &RUNNING).unwrap();
    let (mean, error) = mean_and_error(&scores);
    assert!(((mean - interval.lower) / error - 1.96).abs() < 0.1, "{interval:?}");
    assert!(((interval.upper - mean) / error - 1.96).abs() < 0.1, "{interval:?}");
}

#[test]
fn drop_rate_is_undefined_where_nothing_was_right() {
    let run = |original: &[f64], attacked: &[f64]| {
        bootstrap::performance_drop_rate(original, attacked, &options(500), &RUNNING).unwrap()
    };
    let none = run(&[0.0, 0.0], &[0.5, 0.0]);
    assert_eq!((none.interval, none.undefined), (None, 500));
    // A resample of two lines misses the only right one with probability 1/4.
    let some = run(&[1.0, 0.0], &[0.5, 0.0]);
    assert_eq!(some.interval, Some(Interval { lower: 0.5, upper: 0.5 }));
    assert!((80..170).contains(&some.undefined), "{}", some.undefined);
    // Attacked scores above the original ones: the rate is negative.
    assert!((run(&[0.4; 3], &[0.6; 3]).interval.unwrap().lower + 0.5).abs() < 1e-12);
}

/// The exact p-value over all 2¹² ways to swap.
#[test]
fn randomization_approaches_the_exact_test() {
    let (left, right) = (scores(2, 12), scores(3, 12));
    let differences: Vec<f64> = left.iter().zip(&right).map(|(a, b)| a - b).collect();
    let total: f64 = differences.iter().sum();
    let far = (0_u32..1 << 12)
        .filter(|coins| {
            let signed = (0..).zip(&differences);
            let sum: f64 = signed.map(|(i, d)| if coins >> i & 1 == 1 { *d } else { -d }).sum();
            sum.abs() >= total.abs() - 1e-9
        })
        .count();
    let exact = f64::from(u32::try_from(far).unwrap()) / 4096.0;
    let test = approximate_randomization(&left, &right, &options(20_000), &RUNNING).unwrap();
    assert!((test.p_value - exact).abs() < 0.01, "{test:?}, exactly {exact}");
    assert!((test.difference - total / 12.0).abs() < 1e-9);
}

/// For successes the randomisation test is McNemar's, up to the chance of the trials.
#[test]
fn randomization_of_successes_is_mcnemars_test() {
    let success = |seed: u64, share: f64| -> Vec<bool> {
        scores(seed, 200).iter().map(|&score| score < share).collect()
    };
    let numbers = |successes: &[bool]| -> Vec<f64> {
        successes.iter().map(|&success| f64::from(u8::from(success))).collect()
    };
    let (left, right) = (success(4, 0.5), success(5, 0.4));
    let exact = mcnemar(&left, &right).unwrap().p_value;
    let options = options(20_000);
    let test =
        approximate_randomization(&numbers(&left), &numbers(&right), &options, &RUNNING).unwrap();
    assert!((test.p_value - exact).abs() < 0.01, "{test:?}, exactly {exact}");
}

#[test]
fn equal_systems_do_not_differ() {
    let scores = scores(6, 100);
    let options = options(200);
    let bootstrap = paired_bootstrap(&scores, &scores, &options, &RUNNING).unwrap();
    assert_eq!((bootstrap.difference, bootstrap.p_value), (0.0, 1.0));
    let randomization = approximate_randomization(&scores, &scores, &options, &RUNNING).unwrap();
    assert_eq!((randomization.difference, randomization.p_value), (0.0, 1.0));
}

#[test]
fn a_clear_difference_is_as_unlikely_as_can_be_told() {
    let (low, high): (Vec<f64>, Vec<f64>) =
        scores(7, 400).iter().map(|s| (s / 2.0, s / 2.0 + 0.3)).unzip();
    let options = options(999);
    let bootstrap = paired_bootstrap(&high, &low, &options, &RUNNING).unwrap();
    assert!((bootstrap.difference - 0.3).abs() < 1e-9);
    assert!((bootstrap.interval.lower - 0.3).abs() < 1e-9, "{bootstrap:?}");
    assert!((bootstrap.p_value - 0.001).abs() < 1e-12);
    let randomization = approximate_randomization(&high, &low, &options, &RUNNING).unwrap();
    assert!((randomization.p_value - 0.001).abs() < 1e-12);
}

#[test]
fn mistakes_are_told() {
    let kind = |result: teapot_core::error::Result<Interval>| result.unwrap_err().kind().clone();
    let run = |scores: &[f64], options: &ResampleOptions| {
        kind(bootstrap::mean(scores, options, &RUNNING))
    };
    assert_eq!(run(&[], &options(10)), ErrorKind::EmptyInput { what: "scores" });
    assert!(matches!(
        run(&[0.5], &options(0)),
        ErrorKind::InvalidOption { option: "resamples", .. }
    ));
    for confidence in [0.0, 1.0, f64::NAN] {
        let options = ResampleOptions { confidence, ..options(10) };
        assert!(matches!(
            run(&[0.5], &options),
            ErrorKind::InvalidOption { option: "confidence", .. }
        ));
    }
    for score in [f64::NAN, 1.5, -0.1] {
        assert!(matches!(
            run(&[score], &options(10)),
            ErrorKind::InvalidOption { option: "scores", .. }
        ));
    }
    let cancelled = AtomicBool::new(true);
    assert_eq!(kind(bootstrap::mean(&[0.5], &options(10), &cancelled)), ErrorKind::Cancelled);
    let unequal = paired_bootstrap(&[0.5], &[], &options(10), &RUNNING).unwrap_err();
    assert_eq!(unequal.to_string(), "1 left scores but 0 right scores: pass one for each");
    assert!(paired_bootstrap(&[0.5], &[-0.5], &options(10), &RUNNING).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn threads_and_order_change_nothing(seed in any::<u64>(), lines in 1_usize..9000) {
        let left = scores(seed, lines);
        let right = scores(seed ^ 1, lines);
        let mut order: Vec<usize> = (0..lines).collect();
        Generator::new(seed).shuffle(&mut order);
        let [other_left, other_right] =
            [&left, &right].map(|scores| order.iter().map(|&line| scores[line]).collect::<Vec<_>>());
        let one = ResampleOptions { resamples: 21, seed, threads: 1, ..ResampleOptions::default() };
        let two = ResampleOptions { threads: 3, ..one.clone() };
        let run = |left: &[f64], right: &[f64], options: &ResampleOptions| {
            (
                bootstrap::mean(left, options, &RUNNING).unwrap(),
                paired_bootstrap(left, right, options, &RUNNING).unwrap(),
                approximate_randomization(left, right, options, &RUNNING).unwrap(),
                bootstrap::performance_drop_rate(left, right, options, &RUNNING).unwrap(),
            )
        };
        prop_assert_eq!(run(&left, &right, &one), run(&other_left, &other_right, &two));
    }
}
