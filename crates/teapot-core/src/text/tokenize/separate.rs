//! The rule that `13a`, `zh` and `intl` share: which marks stand alone, and when a mark stays on a number.
//!
//! Both chains of regular expressions do the same with different classes of characters. In the words of `13a`, where
//! a *mark* is `.` or `,`:
//!
//! ```text
//! pass 1   [symbol]            →  " \1 "
//! pass 2   ([^0-9])([.,])      →  "\1 \2 "
//! pass 3   ([.,])([^0-9])      →  " \1 \2"
//! pass 4   ([0-9])(-)          →  "\1 \2 "
//! ```
//!
//! Matches of one pass don't overlap, so what happens to a run of marks `p1 … pk` between `x` and `y` depends on where
//! pass 2 starts to pair: with `(x, p1)` if `x` is no digit, with `(p1, p2)` otherwise; the second of each pair gets
//! spaces on both sides. Worked out for all cases:
//!
//! - `k = 1`, `x` and `y` digits: the mark stays on both (`1,000`);
//! - otherwise all marks stand alone, but the last stays on a digit `y` if pass 2 ended before it: for odd `k` after
//!   a digit, for even `k` after anything else (`5.,.6` gives `5 . , .6`).
//!
//! The edge of the text counts as a digit where it isn't padded with spaces: then no pass can match across it.

use super::tokens::{Spans, Tokens};

/// What the rule needs to know about a character.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// Part of a word.
    Word,
    /// A digit (`13a`) or number (`intl`): part of a word, and may keep a mark.
    Digit,
    /// Between tokens.
    Space,
    /// Always a token of its own.
    Symbol,
    /// A token of its own unless between digits.
    Mark,
    /// A token of its own after a digit, else part of a word.
    Dash,
}

/// Adds the tokens of the text in `tokens`. `padded` says that the text counts as having a space at both ends.
pub(super) fn separate(tokens: &mut Tokens, padded: bool, classify: impl Fn(char) -> Class) {
    let (text, _, spans) = tokens.parts();
    let mut characters =
        text.char_indices().map(|(at, c)| (at, at + c.len_utf8(), classify(c))).peekable();
    // Where the current word began, and what came before the current character.
    let mut word = None;
    let mut previous = if padded { Some(Class::Space) } else { None };
    while let Some((start, end, class)) = characters.next() {
        let alone = match class {
            Class::Word | Class::Digit => false,
            Class::Space | Class::Symbol => true,
            Class::Dash => previous == Some(Class::Digit),
            Class::Mark => {
                let after_digit = matches!(previous, None | Some(Class::Digit));
                let (mut last, mut count) = ((start, end), 1);
                while let Some((start, end, _)) = characters.next_if(|next| next.2 == Class::Mark) {
                    finish(spans, &mut word, last.0);
                    spans.push(last.0, last.1);
                    (last, count) = ((start, end), count + 1);
                }
                let before_digit = match characters.peek() {
                    Some(&(_, _, next)) => next == Class::Digit,
                    None => !padded,
                };
                let stays = before_digit && after_digit == (count % 2 == 1);
                previous = Some(Class::Mark);
                if stays {
                    word = word.or(Some(last.0));
                } else {
                    finish(spans, &mut word, last.0);
                    spans.push(last.0, last.1);
                }
                continue;
            }
        };
        if alone {
            finish(spans, &mut word, start);
            if class != Class::Space {
                spans.push(start, end);
            }
        } else {
            word = word.or(Some(start));
        }
        previous = Some(class);
    }
    finish(spans, &mut word, text.len());
}

/// Ends the current word, if there is one, before the byte offset `end`.
fn finish(spans: &mut Spans, word: &mut Option<usize>, end: usize) {
    if let Some(start) = word.take() {
        spans.push(start, end);
    }
}
