//! Exact match: 1 when hypothesis and reference are the same text, else 0.

use super::SentenceMetric;
use crate::text::lowercase::lowercase_into;
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
/// assert_eq!(ExactMatch::default().score_pair("yes ", "yes", &mut Default::default()), 1.0);
/// assert_eq!(ExactMatch::default().score_pair("yes", "no", &mut Default::default()), 0.0);
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

/// Buffers of [`ExactMatch`], reused between calls.
#[derive(Clone, Debug, Default)]
pub struct ExactMatchScratch {
    hypothesis: String,
    reference: String,
}

impl ExactMatch {
    /// What of a text is compared.
    fn fold<'t>(&self, text: &'t str, lowered: &'t mut String) -> &'t str {
        let text = if self.strip { strip_end(text) } else { text };
        if self.lowercase {
            lowercase_into(text, lowered);
            lowered
        } else {
            text
        }
    }
}

impl SentenceMetric for ExactMatch {
    type References = ExactMatchReferences;
    type Scratch = ExactMatchScratch;

    fn prepare(
        &self,
        references: &[&str],
        scratch: &mut ExactMatchScratch,
    ) -> ExactMatchReferences {
        let fold = |text: &&str| self.fold(text, &mut scratch.reference).to_owned();
        ExactMatchReferences { references: references.iter().map(fold).collect() }
    }

    fn score(
        &self,
        hypothesis: &str,
        references: &ExactMatchReferences,
        scratch: &mut ExactMatchScratch,
    ) -> f64 {
        let hypothesis = self.fold(hypothesis, &mut scratch.hypothesis);
        f64::from(u8::from(references.references.iter().any(|reference| reference == hypothesis)))
    }

    fn score_pair(
        &self,
        hypothesis: &str,
        reference: &str,
        scratch: &mut ExactMatchScratch,
    ) -> f64 {
        let hypothesis = self.fold(hypothesis, &mut scratch.hypothesis);
        let reference = self.fold(reference, &mut scratch.reference);
        f64::from(u8::from(hypothesis == reference))
    }
}
