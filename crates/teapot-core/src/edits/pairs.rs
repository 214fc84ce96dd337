//! Which words between two anchors belong together.

use std::cell::RefCell;
use std::ops::Range;

use super::align::MAX_CELLS;
use super::tokens::Token;
use crate::distance::{DistanceScratch, osa_of_symbols, trim};
use crate::error::Result;
use crate::patience::Patience;
use crate::text::fold::{Folding, fold};

/// Words are alike when at most this share of their folded characters differs.
const ALIKE: f64 = 0.5;

/// Replacing a word costs less than a deletion and an insertion, more than any pair of similar words.
const REPLACED: f64 = 1.0;
const ONE_SIDED: f64 = 0.75;

/// One word against two neighbours costs this much more than its characters say.
const JOINED: f64 = 0.1;

/// About how many nanoseconds it takes to begin comparing two words.
const PAIR_STEPS: usize = 100;

/// More pairs of words than this are not compared.
const MAX_PAIRS: usize = 40_000;

/// What became of words; indexes count words of the region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Pairing {
    /// Words that are alike: one each, or one against two.
    Alike(Range<usize>, Range<usize>),
    /// A word stands for another one.
    Replaced(usize, usize),
    /// A word is gone; the second index says before which word of the right.
    Deleted(usize, usize),
    /// A word is new; the first index says before which word of the left.
    Inserted(usize, usize),
}

#[derive(Clone, Copy)]
enum Move {
    Start,
    Alike(usize, usize),
    Replaced,
    Deleted,
    Inserted,
}

/// Pairs the words of a region with the lowest cost: similar words first, then replacements, then words of one side.
pub(super) fn pair_words(
    left_text: &[char],
    right_text: &[char],
    left: &[Token],
    right: &[Token],
    patience: &Patience,
) -> Result<Vec<Pairing>> {
    if left.len().saturating_mul(right.len()) > MAX_PAIRS {
        return Ok(by_position(left.len(), right.len()));
    }
    let folded = Folded {
        left: left.iter().map(|token| folded(&left_text[token.start..token.end])).collect(),
        right: right.iter().map(|token| folded(&right_text[token.start..token.end])).collect(),
        scratch: RefCell::default(),
    };
    let width = right.len() + 1;
    let mut table = vec![(f64::INFINITY, Move::Start); (left.len() + 1) * width];
    table[0].0 = 0.0;
    for row in 0..=left.len() {
        for column in 0..width {
            let cost = table[row * width + column].0;
            let mut offer = |rows: usize, columns: usize, price: f64, step: Move| {
                let target = &mut table[(row + rows) * width + column + columns];
                if cost + price < target.0 {
                    *target = (cost + price, step);
                }
            };
            let (rows, columns) = (left.len() - row, right.len() - column);
            if rows > 0 && columns > 0 {
                match folded.difference(row, 1, column, 1, patience)? {
                    share if share <= ALIKE => offer(1, 1, share, Move::Alike(1, 1)),
                    _ => offer(1, 1, REPLACED, Move::Replaced),
                }
            }
            for (l, r) in [(1, 2), (2, 1)] {
                if rows >= l && columns >= r {
                    let share = folded.difference(row, l, column, r, patience)?;
                    if share <= ALIKE {
                        offer(l, r, share + JOINED, Move::Alike(l, r));
                    }
                }
            }
            if rows > 0 {
                offer(1, 0, ONE_SIDED, Move::Deleted);
            }
            if columns > 0 {
                offer(0, 1, ONE_SIDED, Move::Inserted);
            }
        }
    }
    Ok(trace_back(&table, left.len(), right.len()))
}

fn trace_back(table: &[(f64, Move)], rows: usize, columns: usize) -> Vec<Pairing> {
    let (mut row, mut column) = (rows, columns);
    let mut pairings = Vec::new();
    loop {
        match table[row * (columns + 1) + column].1 {
            Move::Start => break,
            Move::Alike(l, r) => {
                pairings.push(Pairing::Alike(row - l..row, column - r..column));
                (row, column) = (row - l, column - r);
            }
            Move::Replaced => {
                (row, column) = (row - 1, column - 1);
                pairings.push(Pairing::Replaced(row, column));
            }
            Move::Deleted => {
                row -= 1;
                pairings.push(Pairing::Deleted(row, column));
            }
            Move::Inserted => {
                column -= 1;
                pairings.push(Pairing::Inserted(row, column));
            }
        }
    }
    pairings.reverse();
    pairings
}

/// Without comparing: as many replacements as both sides allow, the rest is new or gone.
fn by_position(left: usize, right: usize) -> Vec<Pairing> {
    let both = left.min(right);
    let mut pairings: Vec<Pairing> =
        (0..both).map(|index| Pairing::Replaced(index, index)).collect();
    pairings.extend((both..left).map(|index| Pairing::Deleted(index, right)));
    pairings.extend((both..right).map(|index| Pairing::Inserted(left, index)));
    pairings
}

/// The words as a reader sees them.
struct Folded {
    left: Vec<Vec<u32>>,
    right: Vec<Vec<u32>>,
    scratch: RefCell<DistanceScratch>,
}

impl Folded {
    /// The share of characters that differ between neighbouring words, taken together: 0 for equal ones.
    fn difference(
        &self,
        left: usize,
        lefts: usize,
        right: usize,
        rights: usize,
        patience: &Patience,
    ) -> Result<f64> {
        let left = join(&self.left[left..left + lefts]);
        let right = join(&self.right[right..right + rights]);
        let longest = left.len().max(right.len());
        if longest == 0 {
            return Ok(0.0);
        }
        let shortest = left.len().min(right.len());
        // The difference of the lengths is a lower bound: most pairs need no table.
        if share(longest - shortest, longest) > ALIKE {
            return Ok(1.0);
        }
        let (left, right) = trim::symbols(&left, &right);
        if left.len().saturating_mul(right.len()) > MAX_CELLS {
            return Ok(1.0);
        }
        patience.spend(PAIR_STEPS)?;
        let mut scratch = self.scratch.borrow_mut();
        Ok(share(osa_of_symbols(left, right, &mut scratch, patience)?, longest))
    }
}

fn join(words: &[Vec<u32>]) -> std::borrow::Cow<'_, [u32]> {
    match words {
        [word] => word.into(),
        _ => words.concat().into(),
    }
}

#[expect(clippy::cast_precision_loss, reason = "lengths of words")]
fn share(part: usize, whole: usize) -> f64 {
    part as f64 / whole as f64
}

fn folded(word: &[char]) -> Vec<u32> {
    let folding = Folding { confusables: true, case: true, whitespace: false };
    fold(&word.iter().collect::<String>(), folding).chars().map(u32::from).collect()
}
