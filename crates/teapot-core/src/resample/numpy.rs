//! `NumPy`'s default generator: the numbers that sacreBLEU's significance tests draw, bit for bit.
//!
//! `numpy.random.default_rng(seed)` is PCG64 (the XSL-RR 128/64 variant of O'Neill 2014), whose state comes from
//! `numpy.random.SeedSequence(seed)`. Bounded integers use Lemire's method (2019), the 32-bit one for bounds that fit.
//! Source: `NumPy` 2.4.6, `random/bit_generator.pyx`, `src/pcg64/pcg64.h`, `src/distributions/distributions.c`.
//!
//! For everything that is not compared with sacreBLEU, teapot draws from [`random`](crate::random).

/// A generator in the state of `numpy.random.default_rng(seed)`. Not for cryptography.
///
/// ```
/// use teapot_core::resample::numpy::NumpyGenerator;
/// let mut generator = NumpyGenerator::new(12345);
/// assert_eq!(generator.below(1000), 699);
/// ```
#[derive(Clone, Debug)]
pub struct NumpyGenerator {
    state: u128,
    increment: u128,
    /// The high half of the last 64 bits, when only the low half has been used.
    half: Option<u32>,
}

impl NumpyGenerator {
    /// The generator of a seed.
    pub fn new(seed: u64) -> Self {
        let words = seed_words(seed);
        let [state, sequence] = [&words[..4], &words[4..]].map(|half| {
            // Two 64-bit words, the more significant one first, each of two 32-bit words, the less significant first.
            [1, 0, 3, 2].iter().fold(0, |value, &index| value << 32 | u128::from(half[index]))
        });
        let mut generator = Self { state: 0, increment: sequence << 1 | 1, half: None };
        generator.step();
        generator.state = generator.state.wrapping_add(state);
        generator.step();
        generator
    }

    fn step(&mut self) {
        const MULTIPLIER: u128 = 0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645;
        self.state = self.state.wrapping_mul(MULTIPLIER).wrapping_add(self.increment);
    }

    /// The next 64 random bits: `bit_generator.random_raw()`.
    #[expect(clippy::cast_possible_truncation, reason = "halves of the state are wanted")]
    pub fn next_u64(&mut self) -> u64 {
        self.step();
        let folded = (self.state >> 64) as u64 ^ self.state as u64;
        folded.rotate_right((self.state >> 122) as u32)
    }

    /// The next 32 bits: the low half of 64, and the high half at the next call.
    #[expect(clippy::cast_possible_truncation, reason = "halves of 64 bits are wanted")]
    fn next_u32(&mut self) -> u32 {
        if let Some(half) = self.half.take() {
            return half;
        }
        let both = self.next_u64();
        self.half = Some((both >> 32) as u32);
        both as u32
    }

    /// A number in `0..bound`: `integers(bound)`, or one of `choice(bound, replace=True)`. 0 when `bound` is 0 or 1,
    /// and then nothing is drawn.
    pub fn below(&mut self, bound: u64) -> u64 {
        match u32::try_from(bound) {
            Ok(0 | 1) => 0,
            Ok(narrow) => u64::from(self.below_u32(narrow)),
            // A bound of 2³² takes plain 32-bit numbers.
            Err(_) if bound == 1 << 32 => u64::from(self.next_u32()),
            Err(_) => self.below_u64(bound),
        }
    }

    #[expect(clippy::cast_possible_truncation, reason = "halves of a product are wanted")]
    fn below_u32(&mut self, bound: u32) -> u32 {
        loop {
            let product = u64::from(self.next_u32()) * u64::from(bound);
            let low = product as u32;
            if low >= bound || low >= bound.wrapping_neg() % bound {
                return (product >> 32) as u32;
            }
        }
    }

    #[expect(clippy::cast_possible_truncation, reason = "halves of a product are wanted")]
    fn below_u64(&mut self, bound: u64) -> u64 {
        loop {
            let product = u128::from(self.next_u64()) * u128::from(bound);
            let low = product as u64;
            if low >= bound || low >= bound.wrapping_neg() % bound {
                return (product >> 64) as u64;
            }
        }
    }

    /// Fills a slice with fair coins: `integers(2, size=n, dtype=bool)`. 32 coins come from 32 bits, lowest bit first;
    /// what is left of the last 32 bits is dropped.
    pub fn fill_bools(&mut self, coins: &mut [bool]) {
        for chunk in coins.chunks_mut(32) {
            let bits = self.next_u32();
            for (index, coin) in (0..).zip(chunk) {
                *coin = bits >> index & 1 == 1;
            }
        }
    }
}

/// The first eight 32-bit words of `SeedSequence(seed).generate_state(8)`.
fn seed_words(seed: u64) -> [u32; 8] {
    const SHIFT: u32 = 16;
    let mut hash = 0x43b0_d7e5_u32;
    let mut hash_mix = |value: u32| {
        let value = value ^ hash;
        hash = hash.wrapping_mul(0x931e_8875);
        let value = value.wrapping_mul(hash);
        value ^ value >> SHIFT
    };
    #[expect(clippy::cast_possible_truncation, reason = "the seed is cut into 32-bit words")]
    let mut pool = [seed as u32, (seed >> 32) as u32, 0, 0].map(&mut hash_mix);
    for source in 0..pool.len() {
        for target in 0..pool.len() {
            if source != target {
                let value = pool[target]
                    .wrapping_mul(0xca01_f9dd)
                    .wrapping_sub(hash_mix(pool[source]).wrapping_mul(0x4973_f715));
                pool[target] = value ^ value >> SHIFT;
            }
        }
    }
    let mut hash = 0x8b51_f9dd_u32;
    std::array::from_fn(|index| {
        let value = pool[index % pool.len()] ^ hash;
        hash = hash.wrapping_mul(0x58f3_8ded);
        let value = value.wrapping_mul(hash);
        value ^ value >> SHIFT
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some(generator: &mut NumpyGenerator, bound: u64, count: usize) -> Vec<u64> {
        (0..count).map(|_| generator.below(bound)).collect()
    }

    fn coins(generator: &mut NumpyGenerator, count: usize) -> String {
        let mut coins = vec![false; count];
        generator.fill_bools(&mut coins);
        coins.iter().map(|&coin| if coin { '1' } else { '0' }).collect()
    }

    /// `SeedSequence(12345).generate_state(8)`, `default_rng(0)` and `default_rng(2**64 - 1)`.
    #[test]
    fn seeds_are_spread_as_numpy_does() {
        let words = [
            2_688_385_916,
            3_048_105_090,
            4_196_366_895,
            3_152_189_807,
            924_159_892,
            1_692_637_855,
            2_685_664_627,
            1_052_446_614,
        ];
        assert_eq!(seed_words(12_345), words);
        assert_eq!(NumpyGenerator::new(0).next_u64(), 11_749_869_230_777_074_271);
        assert_eq!(NumpyGenerator::new(u64::MAX).next_u64(), 12_544_278_110_101_001_871);
    }

    /// `r = default_rng(7)`, then `r.integers(0, 2**40, 5)` and so on, in this order.
    #[test]
    fn bounded_numbers_are_numpys() {
        let mut generator = NumpyGenerator::new(7);
        let wide =
            [687_299_734_001, 986_497_006_767, 852_875_435_924, 247_617_924_053, 330_036_320_526];
        assert_eq!(some(&mut generator, 1 << 40, 5), wide);
        assert_eq!(some(&mut generator, 10, 5), [2, 8, 9, 0, 4]);
        assert_eq!(some(&mut generator, 1 << 32, 3), [3_527_149_199, 564_533_598, 3_423_387_129]);
        assert_eq!(coins(&mut generator, 40), "1000010010011100001111100111100011100011");
        assert_eq!(some(&mut generator, 3, 5), [2, 0, 1, 0, 2]);
        assert_eq!(some(&mut generator, 1, 2), [0, 0]);
        assert_eq!(some(&mut generator, 7, 3), [1, 6, 3]);
    }
}
