//! Clipped n-gram matches by classes: for texts of any length and any symbols, one order after the other.
//!
//! All positions at which the same n-gram starts form a class. A class of order k + 1 is a class of order k
//! and the symbol behind it, so that a table of (class, symbol) replaces tables of n-grams:
//!
//! ```text
//! every position of a and b is in class 0 (order 0)
//! for each order:
//!     for each position of b: class = table[class, symbol behind], a new number if there is none; count it
//!     for each position of a: class = table[class, symbol behind]; count it, or drop the position if there is none
//!     matches = Σ min(count in a, count in b) over the classes
//!     drop the positions of b whose class a doesn't have
//! ```
//!
//! A position that is dropped can't match in a higher order either. The work is linear in the length.

use crate::error::Result;
use crate::patience::Patience;

/// The class of (class of the order before, symbol behind): open addressing with linear search.
///
/// For most long texts faster here than a general hash map; `docs/design/chrf-kernel.md` has the figures.
#[derive(Clone, Debug, Default)]
struct Table {
    /// The pair as one number, and its class (0: empty slot).
    slots: Vec<(u64, u32)>,
    /// Bits to drop from a hash to get a place.
    shift: u32,
}

impl Table {
    /// Empties the table and makes room for so many classes.
    fn clear(&mut self, classes: usize) {
        let size = (classes * 2).next_power_of_two().max(2);
        self.slots.clear();
        self.slots.resize(size, (0, 0));
        self.shift = u64::BITS - size.trailing_zeros();
    }

    /// The class of a pair; `next` if it had none, which is then its class.
    fn insert(&mut self, class: u32, symbol: u32, next: u32) -> u32 {
        let key = pair(class, symbol);
        let place = self.place(key);
        let slot = &mut self.slots[place];
        if slot.1 == 0 {
            *slot = (key, next);
        }
        slot.1
    }

    /// The class of a pair, 0 if it has none.
    fn find(&self, class: u32, symbol: u32) -> u32 {
        self.slots[self.place(pair(class, symbol))].1
    }

    /// Where a pair is, or else the empty slot where it would be. At least half of the slots are empty.
    fn place(&self, key: u64) -> usize {
        // Multiplying twice with a shift between: no pattern of keys gathers in a few places.
        let hash = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let hash = (hash ^ hash >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
        let mut place = usize::try_from(hash >> self.shift).unwrap_or(0);
        while self.slots[place].1 != 0 && self.slots[place].0 != key {
            place = (place + 1) & (self.slots.len() - 1);
        }
        place
    }
}

fn pair(class: u32, symbol: u32) -> u64 {
    u64::from(class) << 32 | u64::from(symbol)
}

/// A position that may still match, and its class of the order before.
#[derive(Clone, Copy, Debug)]
struct Live {
    position: u32,
    class: u32,
}

/// Positions between two questions whether to go on, at least.
const PART: usize = 1 << 14;

/// About how many nanoseconds a look-up in a table beyond the caches takes.
const LOOK_UP_STEPS: usize = 50;

/// Buffers of the class kernel.
#[derive(Clone, Debug, Default)]
pub(super) struct Classes {
    table: Table,
    a: Vec<Live>,
    b: Vec<Live>,
    /// How often each class occurs in a and in b.
    counts: Vec<[u32; 2]>,
}

impl Classes {
    /// Matches of each order `1..=matches.len()` of two texts of code points or other numbers.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Cancelled`](crate::error::ErrorKind::Cancelled) when the patience ends.
    pub(super) fn matches(
        &mut self,
        a: &[u32],
        b: &[u32],
        matches: &mut [u64],
        patience: &Patience,
    ) -> Result<()> {
        matches.fill(0);
        all(a.len(), &mut self.a);
        all(b.len(), &mut self.b);
        for (offset, matches) in matches.iter_mut().enumerate() {
            // What starts too near to the end has no n-gram of this order: the last live position at most.
            drop_last(&mut self.a, offset, a.len());
            drop_last(&mut self.b, offset, b.len());
            if self.a.is_empty() || self.b.is_empty() {
                return Ok(());
            }
            self.table.clear(self.b.len());
            *matches = self.order(a, b, offset, patience)?;
        }
        Ok(())
    }

    fn order(&mut self, a: &[u32], b: &[u32], offset: usize, patience: &Patience) -> Result<u64> {
        let Self { table, a: live_a, b: live_b, counts } = self;
        counts.clear();
        counts.push([0; 2]);
        let mut next = 1;
        for part in live_b.chunks_mut(PART) {
            patience.spend(LOOK_UP_STEPS * part.len())?;
            for live in part {
                live.class = table.insert(live.class, b[live.position as usize + offset], next);
                if live.class == next {
                    next += 1;
                    counts.push([0; 2]);
                }
                counts[live.class as usize][1] += 1;
            }
        }
        for part in live_a.chunks_mut(PART) {
            patience.spend(LOOK_UP_STEPS * part.len())?;
            for live in part {
                live.class = table.find(live.class, a[live.position as usize + offset]);
                counts[live.class as usize][0] += 1;
            }
        }
        live_a.retain(|live| live.class != 0);
        live_b.retain(|live| counts[live.class as usize][0] > 0);
        Ok(counts.iter().map(|&[in_a, in_b]| u64::from(in_a.min(in_b))).sum())
    }
}

/// All positions of a text (of its first 2³² symbols), in the class of the empty n-gram.
fn all(length: usize, live: &mut Vec<Live>) {
    live.clear();
    live.extend((0..=u32::MAX).take(length).map(|position| Live { position, class: 0 }));
}

/// Drops the position whose n-gram would end behind the text. Positions are ascending, and those further on went before.
fn drop_last(live: &mut Vec<Live>, offset: usize, length: usize) {
    if live.last().is_some_and(|last| last.position as usize + offset >= length) {
        live.pop();
    }
}
