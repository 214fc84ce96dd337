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

use super::rest::{ORDERS, Rest};

/// One lane for each order.
const LANES: usize = ORDERS;

/// One set of 64 positions per order. A plain array: the compiler makes vector instructions of the loops over it.
pub(super) type Lanes = [u64; LANES];

/// The most symbols of the side that becomes bit sets.
pub(super) const CAPACITY: usize = 64;

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

/// The positions of each symbol of one text, as bit sets.
#[derive(Clone, Debug)]
pub(super) struct Positions {
    rows: Box<[u64; 256]>,
}

impl Default for Positions {
    fn default() -> Self {
        Self { rows: Box::new([0; 256]) }
    }
}

#[inline]
fn lanes(lane: impl Fn(usize) -> u64) -> Lanes {
    std::array::from_fn(lane)
}

/// The lowest order of a set, from 0; 6 or 7 when it is empty.
fn lowest(orders: u8) -> usize {
    (orders | 0x40).trailing_zeros() as usize % 8
}

/// The lowest `count` bits.
fn low_bits(count: usize) -> u64 {
    if count >= 64 { !0 } else { (1 << count) - 1 }
}

impl Positions {
    /// How many n-grams of `b` have no partner in `a`, per order; `b` is what the sets were [filled](Self::fill) with last.
    #[inline(never)]
    pub(super) fn unmatched(&mut self, a: &Rest, b: &Rest) -> [u32; ORDERS] {
        // Orders that count somewhere are all above some order, besides at the end of the text.
        let mut above = [0u64; 8];
        let mut bit = 1u64;
        for &orders in b.orders() {
            above[lowest(orders)] |= bit;
            bit <<= 1;
        }
        let (mut unmatched, mut set) = ([0; LANES], 0);
        for (lane, unmatched) in unmatched.iter_mut().enumerate() {
            set |= above[lane];
            *unmatched = set & low_bits(b.len() - lane.min(b.len()));
        }
        self.take(a, &mut unmatched);
        unmatched.map(u64::count_ones)
    }

    /// Fills the sets with the positions of a text of at most [`CAPACITY`] symbols.
    pub(super) fn fill(&mut self, b: &Rest) {
        self.rows.fill(0);
        let mut bit = 1u64;
        for &symbol in b.symbols() {
            self.rows[usize::from(symbol)] |= bit;
            bit <<= 1;
        }
    }

    /// Lets every n-gram of `a` take an equal one that is unmatched.
    fn take(&self, a: &Rest, unmatched: &mut Lanes) {
        let mut starts = [0; LANES];
        for (&symbol, &orders) in a.symbols().iter().zip(a.orders()).rev() {
            let row = self.rows[usize::from(symbol)];
            let wanted = ABOVE[lowest(orders)];
            let after = starts;
            let here = lanes(|lane| (after[lane] >> 1 | FIRST[lane]) & row);
            starts = lanes(|lane| here[(lane + LANES - 1) % LANES]);
            let left = *unmatched;
            let partners = lanes(|lane| here[lane] & left[lane] & wanted[lane]);
            *unmatched = lanes(|lane| left[lane] ^ partners[lane] & partners[lane].wrapping_neg());
        }
    }
}
