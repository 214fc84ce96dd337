//! Exact match: 1 when hypothesis and reference are the same text, else 0.

use super::SentenceMetric;
use crate::text::lowercase::lowercase;
use crate::text::whitespace::strip_end;

/// Parameters of exact match (`zero_one`).
///
/// 1 if the texts have the same code points, else 0; no normalisation, so a composed and a decomposed accent differ.
/// Two blank sides match when trailing whitespace is stripped. With several references one match suffices.
///
/// Source: teapot-nlp 0.2.2 `ZeroOne`, whose reader strips trailing whitespace off every line.
///
/// ```
/// use teapot_core::score::{SentenceMetric, exact_match::ExactMatch};
/// assert_eq!(ExactMatch::default().score_pair("yes ", "yes", &mut ()), 1.0);
/// assert_eq!(ExactMatch::default().score_pair("yes", "no", &mut ()), 0.0);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExactMatch {
    /// Compare lowercased texts (Python's `str.lower`). Default false.
    pub lowercase: bool,
    /// Leave trailing whitespace (Python's) out of the comparison. Default true.
    pub strip: bool,
}

impl Default for ExactMatch {
    fn default() -> Self {
        Self { lowercase: false, strip: true }
    }
}

/// References of one segment, prepared by [`ExactMatch`].
#[derive(Clone, Debug)]
pub struct ExactMatchReferences {
    references: Vec<String>,
}

impl ExactMatch {
    fn strip<'t>(&self, text: &'t str) -> &'t str {
        if self.strip { strip_end(text) } else { text }
    }

    fn is_match(&self, hypothesis: &str, reference: &str) -> bool {
        let (hypothesis, reference) = (self.strip(hypothesis), self.strip(reference));
        hypothesis == reference || self.lowercase && lowercase(hypothesis) == lowercase(reference)
    }
}

impl SentenceMetric for ExactMatch {
    type References = ExactMatchReferences;
    type Scratch = ();

    fn prepare(&self, references: &[&str], (): &mut ()) -> ExactMatchReferences {
        let references = references.iter().map(|text| self.strip(text).to_owned()).collect();
        ExactMatchReferences { references }
    }

    fn score(&self, hypothesis: &str, references: &ExactMatchReferences, (): &mut ()) -> f64 {
        let matched = references.references.iter().any(|text| self.is_match(hypothesis, text));
        f64::from(u8::from(matched))
    }

    fn score_pair(&self, hypothesis: &str, reference: &str, (): &mut ()) -> f64 {
        f64::from(u8::from(self.is_match(hypothesis, reference)))
    }
}
