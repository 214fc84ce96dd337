//! Clipped n-gram matches by bit sets: all orders at once, one order a lane.
//!
//! One side (*b*) becomes bit sets: bit j of `rows[s]` says that symbol s stands at position j. The other side (*a*) is
//! read backwards. Lane k (from 0) of `starts` holds, for the position i just read, the positions of *b* at which the
//! n-gram of order k + 1 that starts at i stands too:
//!
//! ```text
//! starts(i)[0] = rows[a[i]]
//! starts(i)[k] = rows[a[i]] & starts(i + 1)[k - 1] >> 1
//! ```
//!
//! `unmatched[k]` holds the positions of *b* whose n-gram of that order is not matched yet. Position i takes the lowest
//! bit of `starts[k] & unmatched[k]`, if there is one. N-grams match exactly when they are equal, so the pairs that may
//! match form complete blocks, and taking any free partner reaches the maximum: Σ min(count in a, count in b).
//!
//! Texts longer than 64 symbols take several words. Neighbouring words overlap by `LANES - 1` bits, so that no
//! n-gram crosses a word and words are independent, besides that a position takes one partner in all of them.

use super::rest::Rest;

/// Longest order that the lanes hold.
pub(super) const LANES: usize = 6;

/// One set of 64 positions per order. A plain array: the compiler makes vector instructions of the loops over it.
pub(super) type Lanes = [u64; LANES];

/// The word's share of positions at which an n-gram may start, when another word follows.
const STRIDE: usize = 64 - (LANES - 1);

/// All bits in the first lane: an n-gram of order 1 needs no shorter one behind it.
const FIRST: Lanes = {
    let mut lanes = [0; LANES];
    lanes[0] = !0;
    lanes
};

/// Lanes whose order is above 0, 1, …: a power of two of rows, so that an index is checked by masking.
const ABOVE: [Lanes; 8] = {
    let mut rows = [[0; LANES]; 8];
    let mut above = 0;
    while above < LANES {
        let mut lane = above;
        while lane < LANES {
            rows[above][lane] = !0;
            lane += 1;
        }
        above += 1;
    }
    rows
};

/// Positions that fit into `words` words.
pub(super) const fn capacity(words: usize) -> usize {
    STRIDE * (words - 1) + 64
}

/// The positions of each symbol of one text, as bit sets of `WORDS` words.
#[derive(Clone, Debug)]
pub(super) struct Positions<const WORDS: usize> {
    rows: Box<[[u64; WORDS]; 256]>,
}

impl<const WORDS: usize> Default for Positions<WORDS> {
    fn default() -> Self {
        Self { rows: Box::new([[0; WORDS]; 256]) }
    }
}

#[inline]
fn lanes(lane: impl Fn(usize) -> u64) -> Lanes {
    std::array::from_fn(lane)
}

/// The lowest `count` bits.
fn low_bits(count: usize) -> u64 {
    if count >= 64 { !0 } else { (1 << count) - 1 }
}

impl<const WORDS: usize> Positions<WORDS> {
    /// How many n-grams of `b` have no partner in `a`, per order; `b` holds at most [`capacity`]`(WORDS)` symbols.
    #[inline(never)]
    pub(super) fn unmatched(&mut self, a: &[u8], b: &[u8]) -> [u32; LANES] {
        self.fill(b);
        let mut unmatched = [[0; LANES]; WORDS];
        let mut left = b.len();
        for (word, unmatched) in unmatched.iter_mut().enumerate() {
            let own = if word + 1 < WORDS { STRIDE } else { 64 };
            *unmatched = lanes(|lane| low_bits(left.saturating_sub(lane).min(own)));
            left = left.saturating_sub(STRIDE);
        }
        self.take(a.iter().rev().map(|&symbol| (symbol, None)), &mut unmatched);
        ones(&unmatched)
    }

    /// The same for what is left of two texts after taking out runs: `above[i]` says above which order the
    /// n-grams that start at symbol i count.
    #[inline(never)]
    pub(super) fn unmatched_rest(&mut self, a: &Rest, b: &Rest) -> [u32; LANES] {
        self.fill(b.symbols());
        let mut unmatched = [[0; LANES]; WORDS];
        for (word, unmatched) in unmatched.iter_mut().enumerate() {
            let own = if word + 1 < WORDS { STRIDE } else { 64 };
            let mut sets = [0u64; 8];
            let mut bit = 1u64;
            for &above in b.above().iter().skip(word * STRIDE).take(own) {
                sets[usize::from(above) % 8] |= bit;
                bit <<= 1;
            }
            for lane in 1..LANES {
                sets[lane] |= sets[lane - 1];
            }
            unmatched.copy_from_slice(&sets[..LANES]);
            // N-grams that would end behind the last symbol don't exist.
            let left = b.symbols().len().saturating_sub(word * STRIDE);
            *unmatched = lanes(|lane| unmatched[lane] & low_bits(left.saturating_sub(lane)));
        }
        self.take(
            a.symbols().iter().zip(a.above()).rev().map(|(&s, &above)| (s, Some(above))),
            &mut unmatched,
        );
        ones(&unmatched)
    }

    fn fill(&mut self, b: &[u8]) {
        self.rows.fill([0; WORDS]);
        for word in 0..WORDS {
            let mut bit = 1u64;
            for &symbol in b.iter().skip(word * STRIDE).take(64) {
                self.rows[usize::from(symbol)][word] |= bit;
                bit <<= 1;
            }
        }
    }

    /// Lets every n-gram of `a` take an equal one that is unmatched.
    #[inline]
    fn take(&self, a: impl Iterator<Item = (u8, Option<u8>)>, unmatched: &mut [Lanes; WORDS]) {
        let mut starts = [[0; LANES]; WORDS];
        for (symbol, above) in a {
            let row = self.rows[usize::from(symbol)];
            let mut free =
                above.map_or([!0; LANES], |above| ABOVE[usize::from(above) % ABOVE.len()]);
            for word in 0..WORDS {
                let behind = starts[word];
                let here = lanes(|lane| (behind[lane] >> 1 | FIRST[lane]) & row[word]);
                starts[word] = lanes(|lane| here[(lane + LANES - 1) % LANES]);
                let left = unmatched[word];
                let partners = lanes(|lane| here[lane] & left[lane] & free[lane]);
                unmatched[word] =
                    lanes(|lane| left[lane] ^ partners[lane] & partners[lane].wrapping_neg());
                if word + 1 < WORDS {
                    free = lanes(|lane| if partners[lane] == 0 { free[lane] } else { 0 });
                }
            }
        }
    }
}

fn ones<const WORDS: usize>(sets: &[Lanes; WORDS]) -> [u32; LANES] {
    std::array::from_fn(|lane| sets.iter().map(|set| set[lane].count_ones()).sum())
}
