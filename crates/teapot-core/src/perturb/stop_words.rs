//! English function words that attacks leave alone.

use std::collections::HashSet;

/// Function words: pronouns, auxiliary verbs, articles, conjunctions, prepositions, adverbs and quantifiers. The set is that of the Snowball
/// project's English stemmer (Porter; BSD licence) without its written-out contractions, as NLTK's list is.
const WORDS: &str = "i me my myself we our ours ourselves you your yours yourself yourselves \
    he him his himself she her hers herself it its itself they them their theirs themselves \
    who whom what which this that these those \
    be am is are was were been being have has had having do does did doing will can should \
    a an the and or but nor if because as until while so than \
    of at by for with about against between into through during before after above below to from up \
    down in out on off over under again further then once here there when where why how \
    all any both each few more most other some such no not only own same too very just now";

/// Auxiliary verbs and what NLTK's tokenizer leaves of their negations: each stands in the list as it is (`couldn`) and with `'t`.
const NEGATED: &str = "aren couldn didn doesn don hadn hasn haven isn mightn mustn needn shan \
    shouldn wasn weren won wouldn";

/// What else NLTK's tokenizer cuts contractions into, and contractions that it has whole.
const CLITICS: &str = "s t d ll m o re ve y ain ma \
    it's she's that'll should've you'd you'll you're you've";

/// The stop words of English that TextAttack 0.3.11 leaves alone: the 179 of NLTK's list (before 2024), in small letters; compared as
/// written, so a capital escapes it.
///
/// ```
/// use teapot_core::perturb::english_stop_words;
/// let words = english_stop_words();
/// assert_eq!(words.len(), 179);
/// assert!(words.contains("the") && !words.contains("The") && words.contains("not"));
/// assert!(words.contains("couldn") && words.contains("couldn't"));
/// ```
pub fn english_stop_words() -> HashSet<String> {
    let whole = [WORDS, NEGATED, CLITICS].into_iter().flat_map(|list| list.split(' '));
    let negated = NEGATED.split(' ').map(|word| format!("{word}'t"));
    whole.map(str::to_owned).chain(negated).collect()
}
