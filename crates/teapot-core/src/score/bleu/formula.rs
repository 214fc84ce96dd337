//! From counts to BLEU: the floats, in sacreBLEU's order of operations.

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
    let mut ended = false;
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
        sum += if precision == 0.0 { LOGARITHM_OF_ZERO } else { precision.ln() };
    }
    let percent = brevity_penalty(lengths) * f64::exp(sum / counted);
    (percent / 100.0).clamp(0.0, 1.0)
}

/// exp(1 − reference / hypothesis) for a hypothesis that is shorter than its reference, 0 for an empty one, else 1.
fn brevity_penalty(lengths: Lengths) -> f64 {
    if lengths.hypothesis >= lengths.reference {
        1.0
    } else if lengths.hypothesis > 0.0 {
        f64::exp(1.0 - lengths.reference / lengths.hypothesis)
    } else {
        0.0
    }
}
