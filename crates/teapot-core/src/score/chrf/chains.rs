//! Clipped n-gram matches by chains of positions: for texts of some hundred one-byte symbols.
//!
//! Positions of one side (*b*) that begin with the same trigram hang on one chain. Each position of the other side (*a*) walks
//! along the chain of its trigram; the first differing byte of eight says up to which order the n-grams agree, and the position takes
//! every order that agrees and that neither side has given away:
//!
//! ```text
//! for each position i of a:
//!     wanted = orders from 3 that start at i
//!     for each position j on the chain of a[i..i + 3], until nothing is wanted:
//!         taken = orders up to the common prefix of a[i..] and b[j..], of those wanted here and free there
//!         wanted -= taken, free[j] -= taken
//! ```
//!
//! As in `lanes.rs`, n-grams match exactly when they are equal, so that any partner will do. Orders 1 and 2, whose chains would
//! be long, are counted in tables. Texts that repeat themselves a lot make long chains, too: they are given up.

use super::rest::{ORDERS, Rest};

/// Orders 3 to 6 as a set of bits.
const LONG: u8 = 0b11_1100;

/// Orders from 3 of which two n-grams are equal when so many symbols are.
const EQUAL: [u8; 8] = [0, 0, 0, 0b100, 0b1100, 0b1_1100, LONG, LONG];

/// Four bits as four numbers of 16 bits.
const SPREAD: [u64; 16] = {
    let mut spread = [0; 16];
    let mut bits = 0;
    while bits < 16 {
        let b = bits as u64;
        spread[bits] = b & 1 | (b & 2) << 15 | (b & 4) << 30 | (b & 8) << 45;
        bits += 1;
    }
    spread
};

#[derive(Clone, Copy, Debug, Default)]
struct Link {
    /// The symbol here and the seven behind.
    eight: u64,
    /// The next position on the chain; 0 ends it.
    next: u16,
    /// Orders not taken yet.
    free: u8,
}

/// Tables of the chain kernel.
#[derive(Clone, Debug, Default)]
pub(super) struct Chains {
    /// First position on the chain of each hash.
    heads: Vec<u16>,
    /// Positions of b from 1; the one at 0 is nothing that can be taken.
    links: Vec<Link>,
    /// How far a hash is to be shifted to get a place in `heads`.
    shift: u32,
    /// How many of each bigram are free; all 0 between calls.
    bigrams: Vec<u16>,
}

impl Chains {
    /// How many n-grams of `b` have no partner in `a`, per order; `b` is what the chains were [filled](Self::fill) with last.
    /// Nothing when the chains are too long.
    pub(super) fn unmatched(&mut self, a: &Rest, b: &Rest) -> Option<[u32; ORDERS]> {
        let mut unmatched = [0; ORDERS];
        for (link, &orders) in self.links.iter_mut().skip(1).zip(b.orders()) {
            link.free = orders & LONG;
        }
        self.take(a)?;
        // Four counts of 16 bits side by side.
        let free: u64 =
            self.links.iter().map(|link| SPREAD[usize::from(link.free >> 2) % 16]).sum();
        for (unmatched, count) in unmatched[2..].iter_mut().zip(free.to_le_bytes().as_chunks().0) {
            *unmatched = u32::from(u16::from_le_bytes(*count));
        }
        unmatched[0] = unmatched_symbols(a, b);
        unmatched[1] = self.unmatched_bigrams(a, b);
        Some(unmatched)
    }

    /// Hangs the positions of a text on their chains.
    #[inline(never)]
    pub(super) fn fill(&mut self, b: &Rest) {
        let size = (b.len() * 2).next_power_of_two().max(256);
        self.shift = u64::BITS - size.trailing_zeros();
        let shift = self.shift;
        self.heads.clear();
        self.heads.resize(size, 0);
        self.links.clear();
        self.links.push(Link::default());
        let heads = self.heads.as_mut_slice();
        self.links.extend((1..).zip(b.windows::<8>()).map(|(position, window)| {
            let eight = u64::from_le_bytes(*window);
            let head = &mut heads[hash(eight, shift)];
            let next = *head;
            *head = position;
            Link { eight, next, free: 0 }
        }));
    }

    #[inline(never)]
    fn take(&mut self, a: &Rest) -> Option<()> {
        let shift = self.shift;
        let (heads, links) = (self.heads.as_slice(), self.links.as_mut_slice());
        let mut budget = 16 * (a.len() + links.len());
        for (window, &orders) in a.windows::<8>().zip(a.orders()) {
            let eight = u64::from_le_bytes(*window);
            let mut wanted = orders & LONG;
            let at = heads[hash(eight, shift)];
            let mut visit = |at: u16| {
                let link = &mut links[usize::from(at)];
                // The bit in the last byte: more than six equal symbols don't matter.
                let equal = (eight ^ link.eight | 1 << 56).trailing_zeros() / 8;
                let taken = EQUAL[equal as usize % 8] & link.free & wanted;
                link.free ^= taken;
                wanted ^= taken;
                link.next
            };
            // Two without asking whether there is anything to visit or to take: asking costs more.
            let at = visit(at);
            let mut at = visit(at);
            while at != 0 {
                at = visit(at);
                budget = budget.checked_sub(1)?;
            }
        }
        Some(())
    }

    #[inline(never)]
    fn unmatched_bigrams(&mut self, a: &Rest, b: &Rest) -> u32 {
        self.bigrams.resize(1 << 16, 0);
        let free = self.bigrams.as_mut_slice();
        let place = |window: &[u8; 2]| usize::from(window[0]) << 8 | usize::from(window[1]);
        let mut unmatched = 0;
        for (window, &orders) in b.windows::<2>().zip(b.orders()) {
            let count = orders >> 1 & 1;
            unmatched += u32::from(count);
            free[place(window)] += u16::from(count);
        }
        for (window, &orders) in a.windows::<2>().zip(a.orders()) {
            let free = &mut free[place(window)];
            let taken = u16::from(orders >> 1 & 1).min(*free);
            *free -= taken;
            unmatched -= u32::from(taken);
        }
        for window in b.windows::<2>() {
            free[place(window)] = 0;
        }
        unmatched
    }
}

#[inline(never)]
fn unmatched_symbols(a: &Rest, b: &Rest) -> u32 {
    let mut counts = [[0u16; 256]; 2];
    for (side, counts) in [a, b].into_iter().zip(&mut counts) {
        for (&symbol, orders) in side.symbols().iter().zip(side.orders()) {
            counts[usize::from(symbol)] += u16::from(orders & 1);
        }
    }
    let [a, b] = counts;
    a.iter().zip(&b).map(|(&a, &b)| u32::from(b.saturating_sub(a))).sum()
}

/// Place of the chain for the first three bytes.
fn hash(eight: u64, shift: u32) -> usize {
    ((eight & 0xff_ffff).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> shift) as usize
}
