//! Texts as a reader sees them: invisible characters gone, look-alikes, case and spacing made the same.
//!
//! A homoglyph attack (`hеllo` with a Cyrillic `е`) changes bytes that a human never notices, and a score of the raw texts
//! calls the meaning destroyed. Scores of folded texts stand beside the raw ones and tell the two apart.
//!
//! Sources: Unicode Technical Standard 39 (skeletons, through the crate `unicode-security`, Unicode 18); Python's
//! `str.lower` and `str.split` for case and spacing.

use unicode_security::skeleton as uts39_skeleton;

use super::lowercase::lowercase;
use super::whitespace::{is_whitespace, split};

/// What [`fold`] makes the same; nothing by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Folding {
    /// Remove invisible characters and replace look-alikes by one of their kind.
    pub confusables: bool,
    /// Lower case.
    pub case: bool,
    /// Every run of whitespace becomes one space, none at the ends.
    pub whitespace: bool,
}

/// Folds a text; the result is for comparing, not for showing.
///
/// Case comes first, so that look-alikes of both cases meet, and again at the end, since skeletons hold capitals (`0`
/// becomes `O`).
///
/// ```
/// use teapot_core::text::fold::{Folding, fold};
/// let mut folding = Folding::default();
/// folding.confusables = true;
/// assert_eq!(fold("h\u{435}llo\u{200b}", folding), fold("hello", folding));
/// ```
pub fn fold(text: &str, folding: Folding) -> String {
    let mut folded = text.to_owned();
    if folding.case {
        folded = lowercase(&folded);
    }
    if folding.confusables {
        folded = skeleton(&folded);
        if folding.case {
            folded = lowercase(&folded);
        }
    }
    if folding.whitespace {
        folded = split(&folded).collect::<Vec<_>>().join(" ");
    }
    folded
}

/// The skeleton of a text by UTS 39: invisible characters removed, decomposed, each character replaced by the prototype
/// of those that look like it. Texts that a reader can't tell apart have equal skeletons.
///
/// ```
/// use teapot_core::text::fold::skeleton;
/// assert_eq!(skeleton("p\u{430}ypal"), skeleton("paypal"));
/// assert_ne!(skeleton("tea"), skeleton("teas"));
/// ```
pub fn skeleton(text: &str) -> String {
    uts39_skeleton(&remove_invisible(text)).collect()
}

/// Tells whether a character takes no room of its own and is no whitespace: Unicode's default ignorable characters (zero
/// width, bidi controls, variation selectors, tags, soft hyphen), control characters such as backspace and delete, and the
/// interlinear annotation marks.
///
/// ```
/// use teapot_core::text::fold::is_invisible;
/// assert!(is_invisible('\u{200b}') && is_invisible('\u{202e}') && is_invisible('\u{8}'));
/// assert!(!is_invisible(' ') && !is_invisible('\n') && !is_invisible('a') && !is_invisible('\u{301}'));
/// ```
pub fn is_invisible(character: char) -> bool {
    if character.is_ascii_graphic() || is_whitespace(character) {
        return false;
    }
    if character.is_control() || ('\u{fff9}'..='\u{fffb}').contains(&character) {
        return true;
    }
    // A skeleton drops exactly the default ignorable characters.
    uts39_skeleton(character.encode_utf8(&mut [0; 4])).next().is_none()
}

/// The text without its invisible characters ([`is_invisible`]).
///
/// ```
/// use teapot_core::text::fold::remove_invisible;
/// assert_eq!(remove_invisible("t\u{200d}e\u{ad}a \u{feff}"), "tea ");
/// ```
pub fn remove_invisible(text: &str) -> String {
    text.chars().filter(|&character| !is_invisible(character)).collect()
}

/// Tells whether two different characters look alike: their skeletons are equal.
///
/// ```
/// use teapot_core::text::fold::are_confusable;
/// assert!(are_confusable('e', '\u{435}') && are_confusable('l', '1'));
/// assert!(!are_confusable('e', 'e') && !are_confusable('e', '3'));
/// ```
pub fn are_confusable(left: char, right: char) -> bool {
    let [mut first, mut second] = [[0; 4]; 2];
    left != right
        && uts39_skeleton(left.encode_utf8(&mut first))
            .eq(uts39_skeleton(right.encode_utf8(&mut second)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::perturb::homoglyphs::TEXTATTACK;

    fn all() -> Folding {
        Folding { confusables: true, case: true, whitespace: true }
    }

    #[test]
    fn nothing_is_folded_by_default() {
        let text = " H\u{435}llo\u{200b}\t!";
        assert_eq!(fold(text, Folding::default()), text);
    }

    #[test]
    fn each_folding_does_its_own() {
        assert_eq!(
            fold("TEA  Time\u{3000}", Folding { case: true, ..Folding::default() }),
            "tea  time\u{3000}"
        );
        assert_eq!(
            fold(" TEA\u{1c}Time ", Folding { whitespace: true, ..Folding::default() }),
            "TEA Time"
        );
        assert_eq!(fold("t\u{435}a", Folding { confusables: true, ..Folding::default() }), "tea");
    }

    #[test]
    fn case_and_confusables_meet() {
        // Capital Cyrillic А and Latin a; digit 0 and letter o.
        assert_eq!(fold("\u{410}", all()), fold("a", all()));
        assert_eq!(fold("0", all()), fold("o", all()));
        assert_eq!(fold("I", all()), fold("i", all()));
    }

    #[test]
    fn folding_twice_changes_nothing_more() {
        for text in ["", " \u{200b} ", "Hеllo  Wоrld 0Il1", "ﬀ ℌ 𝕋 ½", "\u{1e9e}ß"] {
            let once = fold(text, all());
            assert_eq!(fold(&once, all()), once, "{text:?}");
        }
    }

    /// The homoglyph table of TextAttack's `WordSwapHomoglyphSwap`: what the field's attacks write is seen through,
    /// except where Unicode doesn't call the pair confusable.
    #[test]
    fn attack_tables_are_seen_through() {
        let missed: String = TEXTATTACK
            .iter()
            .filter(|&&(plain, other)| !are_confusable(plain, other))
            .map(|&(plain, _)| plain)
            .collect();
        assert_eq!(missed, "");
    }
}
