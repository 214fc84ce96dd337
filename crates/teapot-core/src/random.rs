//! The one seeded generator of teapot: the same seed gives the same choices on every platform.
//!
//! Numbers come from xoshiro256++ 1.0 (Blackman and Vigna, *Scrambled linear pseudorandom number generators*, 2019),
//! whose state is filled by `SplitMix64` (Steele, Lea and Flood, *Fast splittable pseudorandom number generators*,
//! 2014). Bounded numbers use Lemire's rejection method (*Fast random integer generation in an interval*, 2019), so
//! every value is equally likely. Only 64-bit integers take part: nothing depends on the width of `usize`.
//!
//! Choices are drawn per item, never per run: [`Key`] makes an independent generator from the seed and
//! the position of whatever is being drawn (line, variant, word …). So neither the number of threads nor the order of
//! the work can change a result.

/// The increment of `SplitMix64`: 2⁶⁴ divided by the golden ratio, made odd.
const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// The output function of `SplitMix64`: a bijection of 64-bit integers.
const fn mix(value: u64) -> u64 {
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

/// A path of numbers that names whatever is being drawn, for example seed, line, variant, word.
///
/// Number by number, the running value is moved by `SplitMix64`'s increment, combined with the number by exclusive or,
/// and mixed. Paths of different length or content give unrelated generators.
///
/// ```
/// use teapot_core::random::Key;
/// let line = Key::default().then(12345).then(7);
/// assert_ne!(line.then(0).generator(), line.then(1).generator());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Key(u64);

impl Key {
    /// The path with one more number at its end.
    #[must_use]
    #[inline]
    pub const fn then(self, number: u64) -> Self {
        Self(mix(self.0.wrapping_add(GAMMA) ^ number))
    }

    /// [`Key::then`] with a position in memory, which has 64 bits or fewer.
    #[must_use]
    #[inline]
    pub const fn then_index(self, index: usize) -> Self {
        self.then(index as u64)
    }

    /// The generator of the path.
    #[inline]
    pub fn generator(self) -> Generator {
        Generator::new(self.0)
    }
}

/// A xoshiro256++ generator. Not for cryptography.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generator {
    state: [u64; 4],
}

impl Generator {
    /// The generator of a seed: its state is the first four outputs of `SplitMix64` started at the seed.
    ///
    /// ```
    /// use teapot_core::random::Generator;
    /// assert_eq!(Generator::new(12345), Generator::new(12345));
    /// ```
    pub fn new(seed: u64) -> Self {
        let mut position = seed;
        let state = std::array::from_fn(|_| {
            position = position.wrapping_add(GAMMA);
            mix(position)
        });
        Self { state }
    }

    /// The next 64 random bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        let [a, b, c, d] = self.state;
        let result = a.wrapping_add(d).rotate_left(23).wrapping_add(a);
        let (c, d) = (c ^ a, d ^ b);
        self.state = [a ^ d, b ^ c, c ^ (b << 17), d.rotate_left(45)];
        result
    }

    /// A number in `0..bound`, all equally likely; 0 when `bound` is 0 or 1 (nothing is drawn for those).
    #[inline]
    pub fn below(&mut self, bound: usize) -> usize {
        if bound < 2 {
            return 0;
        }
        let wide = bound as u64;
        loop {
            let product = u128::from(self.next_u64()) * u128::from(wide);
            let [low, high] = halves(product);
            // Values under 2⁶⁴ mod bound would be drawn once too often; the division is nearly never reached.
            if low >= wide || low >= wide.wrapping_neg() % wide {
                return usize::try_from(high).unwrap_or(usize::MAX);
            }
        }
    }

    /// One element, all equally likely; `None` of an empty slice.
    #[inline]
    pub fn choose<'s, T>(&mut self, items: &'s [T]) -> Option<&'s T> {
        items.get(self.below(items.len()))
    }

    /// Orders the items at random (Fisher and Yates, from the first position on): after `k` steps the first `k` items
    /// are a uniform sample without replacement, so a caller who needs few may use [`Generator::draw`] alone.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for position in 0..items.len() {
            self.draw(items, position);
        }
    }

    /// One step of [`Generator::shuffle`]: moves one of the items from `position` on, all equally likely, to
    /// `position`. Does nothing beyond the end.
    #[inline]
    pub fn draw<T>(&mut self, items: &mut [T], position: usize) {
        if position < items.len() {
            let other = position + self.below(items.len() - position);
            items.swap(position, other);
        }
    }
}

/// The low and the high 64 bits.
#[inline]
fn halves(value: u128) -> [u64; 2] {
    let [low, high] = [value & u128::from(u64::MAX), value >> 64];
    [low, high].map(|half| u64::try_from(half).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn split_mix_gives_its_published_numbers() {
        let expected = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
            4_593_380_528_125_082_431,
        ];
        assert_eq!(Generator::new(1_234_567).state, expected);
    }

    #[test]
    fn xoshiro_gives_its_published_numbers() {
        let mut generator = Generator { state: [1, 2, 3, 4] };
        let expected: [u64; 10] = [
            41_943_041,
            58_720_359,
            3_588_806_011_781_223,
            3_591_011_842_654_386,
            9_228_616_714_210_784_205,
            9_973_669_472_204_895_162,
            14_011_001_112_246_962_877,
            12_406_186_145_184_390_807,
            15_849_039_046_786_891_736,
            10_450_023_813_501_588_000,
        ];
        assert_eq!(expected, std::array::from_fn(|_| generator.next_u64()));
    }

    #[test]
    fn below_covers_its_range_evenly() {
        let mut generator = Generator::new(1);
        let mut counts = [0_u32; 7];
        for _ in 0..70_000 {
            counts[generator.below(7)] += 1;
        }
        assert!(counts.iter().all(|count| (9_500..10_500).contains(count)), "{counts:?}");
        let before = generator.clone();
        assert_eq!((generator.below(0), generator.below(1)), (0, 0));
        assert_eq!(generator, before);
    }

    #[test]
    fn keys_order_and_length_matter() {
        let paths: [&[u64]; 6] = [&[], &[0], &[0, 0], &[1, 0], &[0, 1], &[2]];
        let key = |path: &[u64]| path.iter().fold(Key::default(), |key, &number| key.then(number));
        for (index, path) in paths.iter().enumerate() {
            for other in &paths[index + 1..] {
                assert_ne!(key(path).generator(), key(other).generator());
            }
        }
    }

    #[test]
    fn shuffle_keeps_the_items() {
        let mut items: Vec<u32> = (0..100).collect();
        Generator::new(3).shuffle(&mut items);
        assert_ne!(items, (0..100).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..100).collect::<Vec<_>>());
        assert_eq!(Generator::new(3).choose::<u8>(&[]), None);
    }
}
