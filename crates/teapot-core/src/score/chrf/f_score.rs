//! Counts of n-grams to the F score, in sacreBLEU's order of floating-point operations.

/// N-grams of one order: how many the hypothesis has, how many the reference has, how many both have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OrderCounts {
    /// N-grams of the hypothesis; 0 when the reference has none of this order (a quirk of sacreBLEU that
    /// changes the score with `eps_smoothing` and at corpus level).
    pub hypothesis: u64,
    /// N-grams of the reference.
    pub reference: u64,
    /// Clipped matches: Σ min(count in the hypothesis, count in the reference) over distinct n-grams.
    pub matches: u64,
}

impl OrderCounts {
    /// Counts of a pair, with sacreBLEU's rule that hypothesis n-grams without any reference n-gram don't count.
    pub(super) fn of_pair(hypothesis: usize, reference: usize, matches: u64) -> Self {
        Self {
            hypothesis: if reference == 0 { 0 } else { hypothesis as u64 },
            reference: reference as u64,
            matches,
        }
    }

    /// The counts as sacreBLEU orders them in its statistics.
    #[expect(clippy::cast_precision_loss, reason = "a text has fewer than 2^53 n-grams")]
    pub(super) fn to_floats(self) -> [f64; 3] {
        [self.hypothesis as f64, self.reference as f64, self.matches as f64]
    }
}

/// What stands for a precision or recall that has no n-grams (sacreBLEU's `eps`).
const EPSILON: f64 = 1e-16;

/// The F score of counts per order (`[hypothesis, reference, matches]`), from 0 to 100 as sacreBLEU has it.
///
/// Precision P = matches / hypothesis and recall R = matches / reference per order. By default P and R are averaged
/// over the orders in which both sides have n-grams and F = (1 + β²)·P·R / (β²·P + R) is taken once; with
/// `eps_smoothing` F is taken per order, with 1e-16 for an undefined P or R, and averaged over `orders`.
///
/// The operations and their order are sacreBLEU's, so that every bit is.
pub(super) fn f_score(
    counts: impl Iterator<Item = [f64; 3]>,
    orders: f64,
    beta: f64,
    eps_smoothing: bool,
) -> f64 {
    let factor = beta * beta;
    let f = |precision: f64, recall: f64, denominator: f64| {
        (1.0 + factor) * precision * recall / denominator
    };
    if eps_smoothing {
        let mut score = 0.0;
        for [hypothesis, reference, matches] in counts {
            let precision = if hypothesis > 0.0 { matches / hypothesis } else { EPSILON };
            let recall = if reference > 0.0 { matches / reference } else { EPSILON };
            let denominator = factor * precision + recall;
            score += if denominator > 0.0 { f(precision, recall, denominator) } else { EPSILON };
        }
        return if orders > 0.0 { 100.0 * score / orders } else { 0.0 };
    }
    let (mut precision, mut recall, mut effective) = (0.0, 0.0, 0.0);
    for [hypothesis, reference, matches] in counts {
        if hypothesis > 0.0 && reference > 0.0 {
            precision += matches / hypothesis;
            recall += matches / reference;
            effective += 1.0;
        }
    }
    // No match, or no order in which both sides have n-grams: 0 without dividing.
    if precision + recall == 0.0 {
        return 0.0;
    }
    precision /= effective;
    recall /= effective;
    100.0 * f(precision, recall, factor * precision + recall)
}

/// A score of 0 to 100 as a fraction in `[0, 1]`: the division that teapot-nlp makes, so that its bits are kept too.
pub(super) fn unit(score: f64) -> f64 {
    (score / 100.0).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn perfect_counts_give_exactly_one_for_any_beta() {
        for beta in [0.1, 1.0, 2.0, 3.0, 1.7] {
            for eps in [false, true] {
                let counts = [[7.0, 7.0, 7.0], [6.0, 6.0, 6.0]];
                let score = unit(f_score(counts.into_iter(), 2.0, beta, eps));
                assert_eq!(score.to_bits(), 1f64.to_bits(), "beta {beta}, eps {eps}");
            }
        }
    }

    #[test]
    fn nothing_to_count_is_zero_or_epsilon() {
        let none = [[0.0; 3]; 6];
        assert_eq!(f_score(none.into_iter(), 6.0, 2.0, false).to_bits(), 0);
        assert!((f_score(none.into_iter(), 6.0, 2.0, true) - 100.0 * EPSILON).abs() < 1e-28);
        assert_eq!(f_score([].into_iter(), 0.0, 2.0, true).to_bits(), 0);
    }
}
