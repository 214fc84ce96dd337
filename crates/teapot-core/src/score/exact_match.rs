//! Exact match: 1 when hypothesis and reference are the same text, else 0.

use super::{BYTE_STEPS, SentenceMetric};
use crate::error::Result;
use crate::patience::Patience;
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
/// assert_eq!(ExactMatch::default().score_pair("yes ", "yes"), 1.0);
/// assert_eq!(ExactMatch::default().score_pair("yes", "no"), 0.0);
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

/// References of one segment, prepared by [`ExactMatch`], and its buffers.
#[derive(Clone, Debug, Default)]
pub struct ExactMatchReferences {
    references: Vec<String>,
    hypothesis: String,
}

impl ExactMatch {
    /// What of a text is compared, in `folded`.
    fn fold(&self, text: &str, folded: &mut String) {
        let text = if self.strip { strip_end(text) } else { text };
        if self.lowercase {
            lowercase_into(text, folded);
        } else {
            folded.clear();
            folded.push_str(text);
        }
    }
}

impl SentenceMetric for ExactMatch {
    type References = ExactMatchReferences;

    fn prepare(&self, references: &[&str], prepared: &mut ExactMatchReferences) {
        prepared.references.resize_with(references.len(), String::new);
        for (text, folded) in references.iter().zip(&mut prepared.references) {
            self.fold(text, folded);
        }
    }

    fn score(
        &self,
        hypothesis: &str,
        prepared: &mut ExactMatchReferences,
        patience: &Patience,
    ) -> Result<f64> {
        patience.spend(BYTE_STEPS * hypothesis.len())?;
        let ExactMatchReferences { references, hypothesis: folded } = prepared;
        self.fold(hypothesis, folded);
        Ok(f64::from(u8::from(references.contains(folded))))
    }
}
