//! From counts to BLEU: the floats, in sacreBLEU's order of operations.
//!
//! Exponentials and logarithms come from the `libm` crate, not from the platform's library as in Python: the last bit of
//! a score would depend on the operating system. The two differ by less than 2e-15.

use super::{Bleu, Smoothing};

/// What a precision of 0 counts for in the sum of logarithms (sacreBLEU's `my_log`): small enough to make the score 0.
const LOGARITHM_OF_ZERO: f64 = -9_999_999_999.0;

/// Lengths in tokens: of the hypothesis, and of the reference that is closest in length.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lengths {
    pub(super) hypothesis: f64,
    pub(super) reference: f64,
}

/// BLEU as a fraction in `[0, 1]`, from the matches and the number of n-grams of each order, 1 first.
///
/// exp of the mean of log(100 · precision), times the brevity penalty: `compute_bleu` of sacreBLEU 2.6.0.
pub(super) fn score(
    bleu: &Bleu,
    lengths: Lengths,
    orders: impl Iterator<Item = (f64, f64)> + Clone,
) -> f64 {
    // Without any match smoothing has nothing to smooth: mjpost/sacrebleu#141.
    if orders.clone().all(|(matches, _)| matches == 0.0) {
        return 0.0;
    }
    let (mut sum, mut order, mut counted, mut halving) = (0.0, 0.0, 0.0, 1.0);
    let (mut ended, mut is_perfect) = (false, true);
    for (mut matches, mut total) in orders {
        order += 1.0;
        if let Smoothing::AddK(k) = bleu.smoothing
            && order > 1.0
        {
            matches += k;
            total += k;
        }
        ended |= total == 0.0;
        if ended && bleu.effective_order {
            break;
        }
        counted = order;
        let precision = if ended {
            0.0
        } else if matches != 0.0 {
            100.0 * matches / total
        } else {
            match bleu.smoothing {
                Smoothing::Exp => {
                    halving *= 2.0;
                    100.0 / (halving * total)
                }
                Smoothing::Floor(value) => 100.0 * value / total,
                Smoothing::None | Smoothing::AddK(_) => 0.0,
            }
        };
        is_perfect &= !ended && matches >= total;
        sum += if precision == 0.0 { LOGARITHM_OF_ZERO } else { libm::log(precision) };
    }
    let penalty = brevity_penalty(lengths);
    if is_perfect && penalty >= 1.0 {
        // In floating point 100.00000000000004 for few orders, a little less than 100 for some higher ones.
        return 1.0;
    }
    let percent = penalty * libm::exp(sum / counted);
    (percent / 100.0).clamp(0.0, 1.0)
}

/// exp(1 − reference / hypothesis) for a hypothesis that is shorter than its reference, 0 for an empty one, else 1.
fn brevity_penalty(lengths: Lengths) -> f64 {
    if lengths.hypothesis >= lengths.reference {
        1.0
    } else if lengths.hypothesis > 0.0 {
        libm::exp(1.0 - lengths.reference / lengths.hypothesis)
    } else {
        0.0
    }
}
