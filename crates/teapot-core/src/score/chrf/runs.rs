//! What two nearly equal texts have in common, so that only the rest needs counting.
//!
//! min(c + h, c + r) = c + min(h, r): n-grams that both sides have in common may be taken out of both before
//! the matches are counted, without changing the result. Where a stretch of text ("run") stands on both sides, all n-grams
//! inside it are taken out. What is left are the n-grams that touch a difference ("core") between two runs:
//!
//! ```text
//!        run            core         run
//! … p l a i s   |  i r / r i  |  s   i n t e n s …
//!       4 3 2 1    0 0            -  -  -  -  -
//! ```
//!
//! An n-gram that starts d symbols before the end of its run leaves it when its order is above d (the numbers
//! in the second line; 0 inside a core). The symbols behind the core are read by n-grams that start before them.

/// How far a search looks for the next run, in bytes.
const WINDOW: usize = 24;

/// Texts with more cores than this are unlike.
const MOST: usize = 256;

/// A difference: byte ranges of both texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Core {
    pub(super) a: [usize; 2],
    pub(super) b: [usize; 2],
}

/// Finds the cores of two texts in order; false when they are unlike: one core then holds all.
///
/// Whatever lies before the first, between two, and behind the last is equal on both sides, and all ranges begin and end
/// between characters.
#[inline(never)]
pub(super) fn find_cores(a: &str, b: &str, cores: &mut Vec<Core>) -> bool {
    cores.clear();
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let prefix = common_prefix(a, b);
    let suffix = common_suffix(&a[prefix..], &b[prefix..]);
    let ends = [a.len() - suffix, b.len() - suffix];
    let mut at = [prefix; 2];
    while at != ends {
        // Where little is equal so far, there is little hope behind larger differences.
        let far = at[0] + suffix > a.len() / 4;
        let next = if cores.len() < MOST { next_run(a, b, at, ends, far) } else { ends };
        cores.push(Core { a: [at[0], next[0]], b: [at[1], next[1]] });
        let run = common_prefix(&a[next[0]..ends[0]], &b[next[1]..ends[1]]);
        if (next[0] - at[0]) * 2 > a.len() {
            // What is equal is too little to pay for taking it out.
            cores.clear();
            cores.push(Core { a: [0, a.len()], b: [0, b.len()] });
            return false;
        }
        at = [next[0] + run, next[1] + run];
    }
    true
}

/// Where the texts agree again for eight bytes, or else the ends.
#[inline(never)]
fn next_run(a: &[u8], b: &[u8], at: [usize; 2], ends: [usize; 2], far: bool) -> [usize; 2] {
    let room = [ends[0] - at[0], ends[1] - at[1]];
    if room[0].max(room[1]) <= SHORT || room[0].min(room[1]) == 0 {
        return ends;
    }
    let (window_a, window_b) = (window(&a[at[0]..], 0), window(&b[at[1]..], 1));
    let agree = |x: usize, y: usize| {
        // Whatever is equal and begins with a character's first byte on one side does so on the other.
        let agree = eight(&window_a, x) == eight(&window_b, y)
            && x <= room[0]
            && y <= room[1]
            && is_first_byte(window_a[x]);
        agree.then_some([at[0] + x, at[1] + y])
    };
    if let Some(next) = NEAR.iter().find_map(|&(x, y)| agree(x, y)) {
        return next;
    }
    if far {
        let fours: [u32; WINDOW] = std::array::from_fn(|y| four(&window_b, y));
        for x in 0..WINDOW {
            let wanted = four(&window_a, x);
            // Counted, not stopped at the first: that takes a few vector instructions.
            if fours.iter().filter(|&&four| four == wanted).count() > 0
                && let Some(next) = (0..WINDOW).find_map(|y| agree(x, y))
            {
                return next;
            }
        }
    }
    ends
}

/// What differs in no more bytes is one core: looking for a run inside wouldn't pay.
const SHORT: usize = 12;

/// Edits of one or two characters, the most frequent first: how many bytes are skipped on both sides.
#[rustfmt::skip]
const NEAR: [(usize, usize); 16] = [
    (1, 1), (2, 2), (1, 0), (0, 1), (3, 3), (2, 1), (1, 2), (2, 0),
    (0, 2), (4, 4), (3, 0), (0, 3), (3, 1), (1, 3), (3, 2), (2, 3),
];

/// The next bytes of a text, filled up at its end with a byte that is in no text.
fn window(text: &[u8], filler: u8) -> [u8; WINDOW + 8] {
    if let Some(window) = text.first_chunk() {
        return *window;
    }
    let mut window = [0xfe + filler; WINDOW + 8];
    window[..text.len()].copy_from_slice(text);
    window
}

fn eight(window: &[u8; WINDOW + 8], at: usize) -> u64 {
    let mut bytes = [0; 8];
    bytes.copy_from_slice(&window[at..at + 8]);
    u64::from_le_bytes(bytes)
}

fn four(window: &[u8; WINDOW + 8], at: usize) -> u32 {
    let mut bytes = [0; 4];
    bytes.copy_from_slice(&window[at..at + 4]);
    u32::from_le_bytes(bytes)
}

fn is_first_byte(byte: u8) -> bool {
    byte & 0xc0 != 0x80
}

/// Length in bytes of the longest common prefix that ends between characters.
fn common_prefix(a: &[u8], b: &[u8]) -> usize {
    let (chunks_a, chunks_b) = (a.as_chunks::<16>().0, b.as_chunks::<16>().0);
    let equal = chunks_a.iter().zip(chunks_b).take_while(|(a, b)| a == b).count() * 16;
    let rest = a[equal..].iter().zip(&b[equal..]).take_while(|(a, b)| a == b).count();
    let mut length = equal + rest;
    // The texts agree before this place, so both are inside a character there or neither is.
    while a.get(length).or(b.get(length)).is_some_and(|&byte| !is_first_byte(byte)) {
        length -= 1;
    }
    length
}

/// Length in bytes of the longest common suffix that begins between characters.
fn common_suffix(a: &[u8], b: &[u8]) -> usize {
    let (chunks_a, chunks_b) = (a.as_rchunks::<16>().1, b.as_rchunks::<16>().1);
    let equal = chunks_a.iter().rev().zip(chunks_b.iter().rev());
    let equal = equal.take_while(|(a, b)| a == b).count() * 16;
    let (rest_a, rest_b) = (&a[..a.len() - equal], &b[..b.len() - equal]);
    let rest = rest_a.iter().rev().zip(rest_b.iter().rev()).take_while(|(a, b)| a == b).count();
    let mut length = equal + rest;
    while length > 0 && !is_first_byte(a[a.len() - length]) {
        length -= 1;
    }
    length
}
