//! Sums over bootstrap resamples of a population of scores: exact, and fast for millions of them.
//!
//! A resample draws N of N lines, with replacement. What is wanted is the sum of the drawn values only, so the lines may be
//! in any order, and the draws need not be made one after the other. The population is sorted, padded (in
//! thought) to a power of two, and halved again and again:
//!
//! ```text
//! draws(range, n):
//!     all values of the range equal -> n · value
//!     range is short                -> n indexes, 12 random bits each
//!     else toss n fair coins        -> draws(left half, heads) + draws(right half, tails)
//! ```
//!
//! Coins are counted 64 at a time, indexes are drawn from blocks that fit the fastest cache, and values that occur
//! often are never drawn one by one: the multinomial resampling of value counts. Draws that fall into the padding are
//! thrown away and drawn anew. Every line is equally likely at each draw, exactly: only integers and fair bits take part,
//! so the sums are the same on every platform, and for any order of the lines.

use crate::error::{Error, Result};
use crate::random::Generator;

/// Values are multiples of 10⁻⁹, so scores and their differences fit 32 bits.
const UNITS: f64 = 1e9;
/// Indexes below this many lines are drawn at once.
const BLOCK_BITS: u32 = 12;
const BLOCK: usize = 1 << BLOCK_BITS;

/// Scores of lines, K a line, as integers.
pub(super) struct Population<const K: usize> {
    /// Sorted, so that equal lines are neighbours.
    lines: Vec<[i32; K]>,
}

/// One score as an integer.
///
/// # Errors
///
/// `InvalidOption` when it is not a number in `[0, 1]`.
pub(super) fn to_units(value: f64, what: &'static str) -> Result<i32> {
    if (0.0..=1.0).contains(&value) {
        #[expect(clippy::cast_possible_truncation, reason = "at most 10⁹ in size")]
        return Ok((value * UNITS).round() as i32);
    }
    Err(Error::invalid_option(what, value, "numbers in [0, 1]"))
}

/// A sum of units as a number.
#[expect(clippy::cast_precision_loss, reason = "sums of fewer than 2²³ lines are exact in 53 bits")]
pub(super) fn from_units(sum: i64) -> f64 {
    sum as f64 / UNITS
}

impl<const K: usize> Population<K> {
    pub(super) fn new(mut lines: Vec<[i32; K]>) -> Self {
        lines.sort_unstable();
        Self { lines }
    }

    /// The number of lines.
    pub(super) fn len(&self) -> usize {
        self.lines.len()
    }

    /// The sums over all lines.
    pub(super) fn total(&self) -> [i64; K] {
        self.lines.iter().fold([0; K], |sums, line| plus(sums, line, 1))
    }

    /// The sums over N lines drawn with replacement.
    pub(super) fn resample(&self, generator: &mut Generator) -> [i64; K] {
        let mut sums = [0; K];
        let mut missing = self.lines.len();
        while missing > 0 {
            missing =
                self.draw(0, self.lines.len().next_power_of_two(), missing, generator, &mut sums);
        }
        sums
    }

    /// Adds `draws` draws from the `size` lines from `start` on to the sums. Gives how many fell into the padding.
    fn draw(
        &self,
        start: usize,
        size: usize,
        draws: usize,
        generator: &mut Generator,
        sums: &mut [i64; K],
    ) -> usize {
        if draws == 0 {
            return 0;
        }
        let Some(lines) = self.lines.get(start..) else { return draws };
        let Some(first) = lines.first() else { return draws };
        let lines = &lines[..size.min(lines.len())];
        if lines.len() == size && lines.last() == Some(first) {
            *sums = plus(*sums, first, draws);
            return 0;
        }
        if size <= BLOCK {
            return draw_from_block(lines, size, draws, generator, sums);
        }
        let heads = toss(draws, generator);
        let half = size / 2;
        self.draw(start, half, heads, generator, sums)
            + self.draw(start + half, half, draws - heads, generator, sums)
    }
}

fn plus<const K: usize>(sums: [i64; K], line: &[i32; K], times: usize) -> [i64; K] {
    // A population has at most 2³² lines: the product stays below 2⁶².
    let times = i64::try_from(times).unwrap_or(i64::MAX);
    std::array::from_fn(|index| sums[index] + times * i64::from(line[index]))
}

/// How many of `coins` fair coins show heads.
fn toss(coins: usize, generator: &mut Generator) -> usize {
    let mut heads = 0;
    for _ in 0..coins / 64 {
        heads += generator.next_u64().count_ones() as usize;
    }
    let rest = coins % 64;
    if rest > 0 {
        heads += (generator.next_u64() >> (64 - rest)).count_ones() as usize;
    }
    heads
}

/// Draws from a block of `size` lines (a power of two up to [`BLOCK`]), of which those beyond `lines` are padding.
fn draw_from_block<const K: usize>(
    lines: &[[i32; K]],
    size: usize,
    draws: usize,
    generator: &mut Generator,
    sums: &mut [i64; K],
) -> usize {
    const PER_WORD: usize = (u64::BITS / BLOCK_BITS) as usize;
    // Lower bits of a 12-bit number are as fair as all of it.
    let mask = size - 1;
    let mut padded = 0;
    let mut left = draws;
    while left > 0 {
        let mut word = generator.next_u64();
        for _ in 0..PER_WORD.min(left) {
            #[expect(clippy::cast_possible_truncation, reason = "masked to 12 bits")]
            let index = word as usize & mask;
            word >>= BLOCK_BITS;
            match lines.get(index) {
                Some(line) => *sums = plus(*sums, line, 1),
                None => padded += 1,
            }
        }
        left -= PER_WORD.min(left);
    }
    padded
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each of N lines is drawn N times in the mean, with the variance of the multinomial distribution.
    #[test]
    fn every_line_is_equally_likely() {
        for lines in [1_usize, 2, 3, 5, 64, 65, 5_000, 9_001] {
            // One line has the value 1, all others 0 and −1 in turns: its draws are counted in one column.
            for marked in [0, lines / 2, lines - 1] {
                let population = Population::new(
                    (0..lines)
                        .map(|line| {
                            let spread = i32::try_from(line).unwrap();
                            [spread, i32::from(line == marked)]
                        })
                        .collect(),
                );
                let rounds = 2_000_u64;
                let (mut sum, mut squares) = (0, 0);
                for round in 0..rounds {
                    let [_, drawn] = population.resample(&mut Generator::new(round));
                    sum += drawn;
                    squares += drawn * drawn;
                }
                #[expect(clippy::cast_precision_loss, reason = "small numbers")]
                let (mean, square) = (sum as f64 / rounds as f64, squares as f64 / rounds as f64);
                #[expect(clippy::cast_precision_loss, reason = "small numbers")]
                let variance = 1.0 - 1.0 / lines as f64;
                assert!((mean - 1.0).abs() < 0.1, "{lines} {marked}: {mean}");
                assert!((square - mean * mean - variance).abs() < 0.2, "{lines} {marked}");
            }
        }
    }

    #[test]
    fn the_order_of_the_lines_does_not_matter() {
        let lines: Vec<[i32; 1]> = (0..10_000).map(|line| [line * 7919 % 10_007]).collect();
        let reversed = lines.iter().rev().copied().collect();
        let [one, other] = [lines, reversed].map(Population::new);
        for round in 0..20 {
            let sum = one.resample(&mut Generator::new(round));
            assert_eq!(sum, other.resample(&mut Generator::new(round)));
        }
        assert_eq!(one.total(), other.total());
    }

    #[test]
    fn equal_lines_are_never_drawn() {
        let population = Population::new(vec![[3]; 1 << 20]);
        let mut generator = Generator::new(1);
        assert_eq!(population.resample(&mut generator), [3 << 20]);
        assert_eq!(generator, Generator::new(1));
        assert_eq!(Population::<1>::new(vec![]).resample(&mut generator), [0]);
    }
}
