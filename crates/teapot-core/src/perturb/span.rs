//! A range of a text in code points.

use std::ops::Range;

/// The code points `start..end` of a text, 0-based, `start <= end`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// Index of the first code point.
    pub start: usize,
    /// Index after the last code point.
    pub end: usize,
}

impl Span {
    /// The span `start..end`.
    pub const fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    /// Number of code points.
    #[inline]
    pub const fn len(self) -> usize {
        self.end.saturating_sub(self.start)
    }

    /// The span as a range of indexes.
    #[inline]
    pub const fn range(self) -> Range<usize> {
        self.start..self.end
    }

    /// Tells whether the span holds no code point.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.end <= self.start
    }

    /// Tells whether both spans hold a common code point; an empty span overlaps nothing.
    #[inline]
    pub const fn overlaps(self, other: Self) -> bool {
        self.start < other.end && other.start < self.end && !self.is_empty() && !other.is_empty()
    }
}

/// Sorts spans and joins those that overlap or touch; empty spans are dropped.
pub(super) fn merge(spans: &mut Vec<Span>) {
    spans.retain(|span| !span.is_empty());
    spans.sort_unstable();
    spans.dedup_by(|next, last| {
        let joined = next.start <= last.end;
        if joined {
            last.end = last.end.max(next.end);
        }
        joined
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn merge_joins_what_touches() {
        let mut spans: Vec<Span> = [(4, 6), (1, 2), (9, 9), (2, 3), (5, 8)]
            .map(|(start, end)| Span::new(start, end))
            .to_vec();
        merge(&mut spans);
        assert_eq!(spans, [Span::new(1, 3), Span::new(4, 8)]);
    }

    #[test]
    fn an_empty_span_overlaps_nothing() {
        assert!(Span::new(0, 3).overlaps(Span::new(2, 4)));
        assert!(!Span::new(0, 2).overlaps(Span::new(2, 4)));
        assert!(!Span::new(1, 1).overlaps(Span::new(0, 4)));
    }
}
