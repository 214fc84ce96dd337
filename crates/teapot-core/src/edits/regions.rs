//! Equal words, and what lies between them.

use std::ops::Range;

use super::align::{Step, align};
use super::tokens::Token;
use crate::error::Result;
use crate::patience::Patience;

/// Words of both sides that belong together: one equal word on each side, or what lies between two of them.
pub(super) struct Region {
    /// Indexes of words of the original.
    pub left: Range<usize>,
    /// Indexes of words of the edited text.
    pub right: Range<usize>,
    /// One equal word on each side.
    pub equal: bool,
}

/// The anchors and what lies between them, in order.
pub(super) fn regions(
    texts: [&[char]; 2],
    tokens: [&[Token]; 2],
    patience: &Patience,
) -> Result<Vec<Region>> {
    let [left, right] = tokens;
    let [left_words, right_words] = [
        left.iter().map(|token| &texts[0][token.start..token.end]).collect::<Vec<_>>(),
        right.iter().map(|token| &texts[1][token.start..token.end]).collect::<Vec<_>>(),
    ];
    let Some(steps) = align(&left_words, &right_words, patience)? else {
        return Ok(vec![Region { left: 0..left.len(), right: 0..right.len(), equal: false }]);
    };
    let mut regions: Vec<Region> = Vec::new();
    for step in steps {
        let (left, right, equal) = match step {
            Step::Keep(left, right) => (left..left + 1, right..right + 1, true),
            Step::Substitute(left, right) => (left..left + 1, right..right + 1, false),
            Step::Delete(left, right) => (left..left + 1, right..right, false),
            Step::Insert(left, right) => (left..left, right..right + 1, false),
            Step::Swap(left, right) => (left..left + 2, right..right + 2, false),
        };
        match regions.last_mut() {
            Some(last) if !equal && !last.equal => {
                last.left.end = left.end;
                last.right.end = right.end;
            }
            _ => regions.push(Region { left, right, equal }),
        }
    }
    Ok(regions)
}
