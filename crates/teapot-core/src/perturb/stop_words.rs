//! English function words that attacks leave alone.

use std::collections::HashSet;

/// Articles, pronouns, prepositions, conjunctions and auxiliary verbs: words whose change alters the grammar more than
/// the meaning. Negations are not among them.
const ENGLISH: &str = "a an the this that these those each every either neither some any both all \
    i me my mine myself you your yours yourself he him his himself she her hers herself it its itself \
    we us our ours ourselves they them their theirs themselves who whom whose which what one \
    in on at by for with from into onto of off to up down over under above below between among \
    through during before after about against across around behind beside beyond near toward \
    towards upon within without until till since as like than via per \
    and or but so if because although though while whereas unless whether when where why how \
    am is are was were be been being do does did done doing have has had having \
    will would shall should can could may might must ought \
    there here then now also just too very";

/// A short list of English stop words of our own, in small letters; compared as written, so a capital escapes it.
///
/// ```
/// use teapot_core::perturb::english_stop_words;
/// let words = english_stop_words();
/// assert!(words.contains("the") && !words.contains("The") && !words.contains("not"));
/// ```
pub fn english_stop_words() -> HashSet<String> {
    ENGLISH.split(' ').filter(|word| !word.is_empty()).map(str::to_owned).collect()
}
