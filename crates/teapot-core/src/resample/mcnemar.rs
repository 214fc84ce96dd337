//! McNemar's exact test: do two systems succeed on the same lines equally often?

use crate::error::{Error, ErrorKind, Result};

/// The lines on which two systems differ, and what follows from them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct McNemar {
    /// Lines on which only the left system succeeds.
    pub left_only: usize,
    /// Lines on which only the right system succeeds.
    pub right_only: usize,
    /// The exact two-sided p-value: min(1, 2 · P(X ≤ min(`left_only`, `right_only`))) for X binomial with
    /// n = `left_only` + `right_only` and probability 1/2. 1 when no line differs.
    pub p_value: f64,
}

/// McNemar's test of successes on the same lines (McNemar 1947), in its exact binomial form for any number of lines:
/// the χ² approximation, with or without continuity correction, is not used.
///
/// # Errors
///
/// [`ErrorKind::LengthMismatch`] when the lengths differ, [`ErrorKind::EmptyInput`] without lines.
///
/// ```
/// use teapot_core::resample::mcnemar::mcnemar;
/// let test = mcnemar(&[true, true, true, false], &[false, false, false, false])?;
/// assert_eq!((test.left_only, test.right_only, test.p_value), (3, 0, 0.25));
/// # Ok::<(), teapot_core::error::Error>(())
/// ```
pub fn mcnemar(left: &[bool], right: &[bool]) -> Result<McNemar> {
    if left.len() != right.len() {
        let (left, right) = (left.len(), right.len());
        return Err(Error::length_mismatch("left successes", left, "right successes", right));
    }
    if left.is_empty() {
        return Err(Error::new(ErrorKind::EmptyInput { what: "successes" }));
    }
    let pairs = left.iter().zip(right);
    let left_only = pairs.clone().filter(|&(&left, &right)| left && !right).count();
    let right_only = pairs.filter(|&(&left, &right)| right && !left).count();
    Ok(McNemar { left_only, right_only, p_value: p_value(left_only, right_only) })
}

/// The exact two-sided p-value of two counts of lines on which one system alone succeeds.
#[expect(clippy::cast_precision_loss, reason = "there are fewer than 2⁵³ lines")]
pub fn p_value(left_only: usize, right_only: usize) -> f64 {
    let (few, lines) = (left_only.min(right_only), left_only + right_only);
    if few == lines - few {
        return 1.0;
    }
    // P(X = few) = Π (lines − i + 1) / i · 2^−lines over i = 1 ..= few. The powers of two are taken in as the product
    // grows, so that it neither overflows nor vanishes before it must.
    let mut probability = 1.0_f64;
    let mut halvings = lines;
    for factor in 1..=few {
        probability *= (lines - factor + 1) as f64 / factor as f64;
        while probability > 1.0 && halvings > 0 {
            probability *= 0.5;
            halvings -= 1;
        }
    }
    // P(X < few), each term from the one above it; they fall faster than a geometric series.
    let (mut tail, mut term) = (1.0, 1.0);
    for factor in (1..=few).rev() {
        term *= factor as f64 / (lines - factor + 1) as f64;
        tail += term;
        if term < tail * f64::EPSILON / 16.0 {
            break;
        }
    }
    let exponent = i32::try_from(halvings).unwrap_or(i32::MAX);
    (2.0 * tail * probability * 0.5_f64.powi(exponent)).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values: 2 · Σ comb(n, k) / 2ⁿ in exact rational arithmetic.
    #[test]
    fn p_values_are_exact() {
        for (left, right, expected) in [
            (0, 0, 1.0),
            (1, 0, 1.0),
            (5, 5, 1.0),
            (0, 10, 0.001_953_125),
            (10, 25, 0.016_673_847_800_120_71),
            (400, 520, 8.549_170_923_883_778e-05),
            (3, 900, 3.629_598_428_509_171e-264),
            (3, 2000, 0.0),
            (49_000, 51_000, 2.588_716_038_346_898e-10),
        ] {
            let found = p_value(left, right);
            let off = (found - expected).abs();
            assert!(off <= 1e-11 * expected, "{left} {right}: {found:e}, not {expected:e}");
            assert!((p_value(right, left) - found).abs() <= 0.0);
        }
    }

    #[test]
    fn lengths_are_checked() {
        assert!(mcnemar(&[true], &[]).is_err());
        assert!(mcnemar(&[], &[]).is_err());
    }
}
