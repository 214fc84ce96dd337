//! Holm's correction of p-values for several tests at once.

/// Holm's adjusted p-values, in the order given (Holm 1979).
///
/// With the m values sorted ascending, the adjusted one of rank i (from 1) is the largest of min(1, (m − j + 1) · `p_j`) over
/// ranks j ≤ i: a test is significant at level α when its adjusted value is at most α, and then the chance that any of the
/// tests is significant by accident is at most α. No values give none; one value stays as it is.
///
/// ```
/// use teapot_core::resample::holm::holm;
/// assert_eq!(holm(&[0.04, 0.01, 0.03]), [0.06, 0.03, 0.06]);
/// ```
#[expect(clippy::cast_precision_loss, reason = "there are fewer than 2⁵³ tests")]
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&left, &right| p_values[left].total_cmp(&p_values[right]));
    let mut adjusted = vec![0.0; p_values.len()];
    let mut largest: f64 = 0.0;
    for (rank, index) in order.into_iter().enumerate() {
        let tests_left = (p_values.len() - rank) as f64;
        largest = largest.max((tests_left * p_values[index]).min(1.0));
        adjusted[index] = largest;
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values: `p.adjust(p, "holm")` of R's stats package.
    #[test]
    fn adjusted_values_are_rs() {
        let close = |found: &[f64], expected: &[f64]| {
            assert_eq!(found.len(), expected.len());
            assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-15), "{found:?}");
        };
        close(&holm(&[0.01, 0.02, 0.03, 0.04]), &[0.04, 0.06, 0.06, 0.06]);
        close(&holm(&[0.9, 0.5]), &[1.0, 1.0]);
        close(&holm(&[0.2]), &[0.2]);
        close(&holm(&[]), &[]);
        close(&holm(&[0.02, 0.02, 0.001]), &[0.04, 0.04, 0.003]);
    }
}
