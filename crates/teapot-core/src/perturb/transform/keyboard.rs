//! A letter becomes one of its neighbours on a QWERTY keyboard.

use super::character::CharacterEdit;
use crate::perturb::edit::EditKind;
use crate::perturb::span::Span;

/// Replaces the letter `i` of a word by a key beside it: `i` from 0 to `n - 1`, or from 1 to `n - 2` when both ends are
/// skipped. Case is kept. A character that is no key of the table has no neighbours and is never drawn; so a word has
/// between no candidate (`100%`, `чай`) and six a letter.
///
/// Source of the idea: TextAttack 0.3.11, `WordSwapQWERTY`. The neighbours are our own: the keys whose distance on a
/// US keyboard (rows shifted by 0, 0.25 and 0.75 of a key) is less than 1.3 keys.
pub(super) struct Keyboard;

impl CharacterEdit for Keyboard {
    const KIND: EditKind = EditKind::Keyboard;

    fn alternatives(&self, word: &[char], place: usize) -> usize {
        neighbours(word[place]).len()
    }

    fn write(&self, word: &[char], place: usize, alternative: usize, text: &mut String) -> Span {
        let key = char::from(neighbours(word[place])[alternative]);
        text.push(if word[place].is_ascii_uppercase() { key.to_ascii_uppercase() } else { key });
        Span::new(place, place + 1)
    }
}

/// The keys beside a letter's key, row by row from the left.
const fn neighbours(letter: char) -> &'static [u8] {
    match letter.to_ascii_lowercase() {
        'q' => b"wa",
        'w' => b"qeas",
        'e' => b"wrsd",
        'r' => b"etdf",
        't' => b"ryfg",
        'y' => b"tugh",
        'u' => b"yihj",
        'i' => b"uojk",
        'o' => b"ipkl",
        'p' => b"ol",
        'a' => b"qwsz",
        's' => b"weadzx",
        'd' => b"ersfxc",
        'f' => b"rtdgcv",
        'g' => b"tyfhvb",
        'h' => b"yugjbn",
        'j' => b"uihknm",
        'k' => b"iojlm",
        'l' => b"opk",
        'z' => b"asx",
        'x' => b"sdzc",
        'c' => b"dfxv",
        'v' => b"fgcb",
        'b' => b"ghvn",
        'n' => b"hjbm",
        'm' => b"jkn",
        _ => b"",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Columns of the keys, in quarters of a key.
    fn column(key: char) -> Option<(i32, i32)> {
        [("qwertyuiop", 0), ("asdfghjkl", 1), ("zxcvbnm", 3)].iter().zip(0..).find_map(
            |((keys, shift), row)| Some((i32::try_from(keys.find(key)?).ok()? * 4 + shift, row)),
        )
    }

    #[test]
    fn neighbours_are_the_keys_around() {
        for letter in 'a'..='z' {
            let (x, y) = column(letter).unwrap();
            let near = |&other: &char| {
                let (other_x, other_y) = column(other).unwrap();
                let [dx, dy] = [(x - other_x), (y - other_y) * 4];
                other != letter && dx * dx + dy * dy < 27
            };
            let mut expected: Vec<char> = ('a'..='z').filter(near).collect();
            let mut found: Vec<char> = neighbours(letter).iter().map(|&b| char::from(b)).collect();
            found.sort_unstable();
            expected.sort_unstable();
            assert_eq!(found, expected, "{letter}");
        }
    }
}
