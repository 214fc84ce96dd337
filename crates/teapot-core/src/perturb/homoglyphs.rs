//! Characters that look like others: the two tables in use.

/// TextAttack's table: one character for each lower-case letter, digit, hyphen and apostrophe, in code-point order of
/// what is replaced. Source: TextAttack 0.3.11, `WordSwapHomoglyphSwap`; OpenAttack has the same.
pub(crate) const TEXTATTACK: [(char, char); 38] = [
    ('\'', '`'),
    ('-', '\u{2d7}'),
    ('0', 'O'),
    ('1', 'l'),
    ('2', '\u{14bf}'),
    ('3', '\u{1b7}'),
    ('4', '\u{13ce}'),
    ('5', '\u{1bc}'),
    ('6', '\u{431}'),
    ('7', '\u{1d7d5}'),
    ('8', '\u{222}'),
    ('9', '\u{9ed}'),
    ('a', '\u{251}'),
    ('b', '\u{42c}'),
    ('c', '\u{3f2}'),
    ('d', '\u{501}'),
    ('e', '\u{435}'),
    ('f', '\u{1d68f}'),
    ('g', '\u{261}'),
    ('h', '\u{570}'),
    ('i', '\u{456}'),
    ('j', '\u{3f3}'),
    ('k', '\u{1d48c}'),
    ('l', '\u{217c}'),
    ('m', '\u{ff4d}'),
    ('n', '\u{578}'),
    ('o', '\u{43e}'),
    ('p', '\u{440}'),
    ('q', '\u{51b}'),
    ('r', '\u{2c85}'),
    ('s', '\u{455}'),
    ('t', '\u{1d69d}'),
    ('u', '\u{57d}'),
    ('v', '\u{475}'),
    ('w', '\u{51d}'),
    ('x', '\u{d7}'),
    ('y', '\u{443}'),
    ('z', '\u{1d22}'),
];

/// Pairs of Unicode's intentional confusables: characters that have the same shape by design; each may stand for the
/// other. Source: Unicode 16.0, UTS #39, `intentional.txt`.
const INTENTIONAL: [(char, char); 78] = [
    ('!', '\u{1c3}'),
    ('A', '\u{391}'),
    ('B', '\u{392}'),
    ('C', '\u{421}'),
    ('E', '\u{395}'),
    ('H', '\u{397}'),
    ('I', '\u{399}'),
    ('J', '\u{408}'),
    ('K', '\u{39a}'),
    ('M', '\u{39c}'),
    ('N', '\u{39d}'),
    ('O', '\u{39f}'),
    ('P', '\u{3a1}'),
    ('S', '\u{405}'),
    ('T', '\u{3a4}'),
    ('X', '\u{3a7}'),
    ('Y', '\u{3a5}'),
    ('Z', '\u{396}'),
    ('a', '\u{430}'),
    ('c', '\u{441}'),
    ('d', '\u{501}'),
    ('e', '\u{435}'),
    ('h', '\u{4bb}'),
    ('i', '\u{456}'),
    ('j', '\u{3f3}'),
    ('o', '\u{3bf}'),
    ('p', '\u{440}'),
    ('s', '\u{455}'),
    ('x', '\u{445}'),
    ('y', '\u{443}'),
    ('\u{c6}', '\u{4d4}'),
    ('\u{d0}', '\u{110}'),
    ('\u{e6}', '\u{4d5}'),
    ('\u{138}', '\u{43a}'),
    ('\u{182}', '\u{411}'),
    ('\u{18f}', '\u{4d8}'),
    ('\u{19f}', '\u{4e8}'),
    ('\u{1a9}', '\u{3a3}'),
    ('\u{1dd}', '\u{259}'),
    ('\u{245}', '\u{39b}'),
    ('\u{259}', '\u{4d9}'),
    ('\u{25b}', '\u{3b5}'),
    ('\u{269}', '\u{3b9}'),
    ('\u{26a}', '\u{4cf}'),
    ('\u{275}', '\u{4e9}'),
    ('\u{292}', '\u{4e1}'),
    ('\u{299}', '\u{432}'),
    ('\u{29c}', '\u{43d}'),
    ('\u{393}', '\u{413}'),
    ('\u{3a0}', '\u{41f}'),
    ('\u{3b1}', '\u{237a}'),
    ('\u{3b9}', '\u{2373}'),
    ('\u{3c1}', '\u{2374}'),
    ('\u{3c9}', '\u{2375}'),
    ('\u{433}', '\u{1d26}'),
    ('\u{43b}', '\u{1d2b}'),
    ('\u{43c}', '\u{1d0d}'),
    ('\u{43f}', '\u{1d28}'),
    ('\u{442}', '\u{1d1b}'),
    ('\u{49a}', '\u{2c69}'),
    ('\u{4a2}', '\u{2c67}'),
    ('\u{101d}', '\u{1040}'),
    ('\u{17a2}', '\u{17a3}'),
    ('\u{1835}', '\u{1855}'),
    ('\u{199e}', '\u{19d0}'),
    ('\u{19b1}', '\u{19d1}'),
    ('\u{1a45}', '\u{1a80}'),
    ('\u{1a45}', '\u{1a90}'),
    ('\u{1b0d}', '\u{1b52}'),
    ('\u{1b11}', '\u{1b53}'),
    ('\u{1b28}', '\u{1b58}'),
    ('\u{1b50}', '\u{1b5c}'),
    ('\u{1d18}', '\u{1d29}'),
    ('\u{a9c6}', '\u{a9d0}'),
    ('\u{10382}', '\u{103d1}'),
    ('\u{10393}', '\u{103d3}'),
    ('\u{1039a}', '\u{12038}'),
    ('\u{10486}', '\u{104a0}'),
];

/// The characters of [`TEXTATTACK`]'s right column that are neither letter nor number.
const NOT_WORD: [char; 3] = ['`', '\u{d7}', '\u{2d7}'];

/// Which table replaces a character by one that looks like it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HomoglyphTable {
    /// TextAttack's 38 characters, one look-alike each.
    #[default]
    TextAttack,
    /// Unicode's intentional confusables, one or two look-alikes each.
    Intentional,
}

impl HomoglyphTable {
    /// The look-alikes of a character, in table order.
    pub fn of(self, character: char) -> impl Iterator<Item = char> {
        let (one_way, both_ways): (&[_], &[_]) = match self {
            Self::TextAttack => (&TEXTATTACK, &[]),
            Self::Intentional => (&[], &INTENTIONAL),
        };
        let by_table = one_way
            .binary_search_by_key(&character, |&(plain, _)| plain)
            .ok()
            .and_then(|index| one_way.get(index))
            .map(|&(_, look_alike)| look_alike);
        let by_pair = both_ways.iter().filter_map(move |&(left, right)| {
            if left == character { Some(right) } else { (right == character).then_some(left) }
        });
        by_table.into_iter().chain(by_pair)
    }
}

/// Tells whether TextAttack counts a character among word characters only because its homoglyph table has it.
#[inline]
pub(super) fn is_homoglyph(character: char) -> bool {
    NOT_WORD.contains(&character)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::perturb::words::is_word_character;

    #[test]
    fn tables_are_sorted_and_change_every_character() {
        assert!(TEXTATTACK.is_sorted_by(|left, right| left.0 < right.0));
        assert!(INTENTIONAL.is_sorted_by(|left, right| left < right));
        assert!(TEXTATTACK.iter().chain(&INTENTIONAL).all(|(left, right)| left != right));
    }

    #[test]
    fn every_homoglyph_is_part_of_a_word() {
        let outside: Vec<char> =
            TEXTATTACK.iter().map(|pair| pair.1).filter(|&c| !is_word_character(c)).collect();
        assert_eq!(outside.len(), NOT_WORD.len());
        assert!(outside.into_iter().all(is_homoglyph));
    }

    #[test]
    fn look_alikes_come_in_table_order() {
        let of = |table: HomoglyphTable, c| table.of(c).collect::<Vec<_>>();
        assert_eq!(of(HomoglyphTable::TextAttack, 'e'), ['\u{435}']);
        assert_eq!(of(HomoglyphTable::TextAttack, 'E'), [' '; 0]);
        assert_eq!(of(HomoglyphTable::Intentional, 'E'), ['\u{395}']);
        assert_eq!(of(HomoglyphTable::Intentional, '\u{395}'), ['E']);
        assert_eq!(of(HomoglyphTable::Intentional, '\u{3b9}'), ['\u{269}', '\u{2373}']);
    }
}
