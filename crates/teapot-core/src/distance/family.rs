//! What the distances share: the four functions of a module, derived from one kernel over symbols.

/// A distance or similarity as a float, for callers that choose the distance at run time.
pub(super) trait Value {
    /// The number as a float.
    fn value(self) -> f64;
}

impl Value for usize {
    #[expect(clippy::cast_precision_loss, reason = "texts are shorter than 2⁵³ symbols")]
    fn value(self) -> f64 {
        self as f64
    }
}

impl Value for f64 {
    fn value(self) -> f64 {
        self
    }
}

/// A share of a maximum; 0 of 0 is 0, as two empty texts are equal.
pub(super) fn share(distance: usize, maximum: usize) -> f64 {
    if maximum == 0 { 0.0 } else { distance.value() / maximum.value() }
}

/// Writes the module's public items from `of_characters` and `of_symbols`, which give a number of edits, and `maximum`, which
/// the module defines, and a comparator type of the rapidfuzz crate.
macro_rules! counted {
    ($comparator:ty) => {
        use $crate::distance::Unit;
        use $crate::distance::family::share;
        use $crate::distance::scratch::{Buffers, DistanceScratch};
        use $crate::distance::symbols::Vocabulary;
        use $crate::error::Result;
        use $crate::patience::Patience;

        /// The number of edits between two texts: 0 when they are equal, at most the module's maximum.
        pub fn distance(hypothesis: &str, reference: &str, unit: Unit) -> usize {
            let mut scratch = DistanceScratch::default();
            let endless = Patience::endless();
            try_distance(hypothesis, reference, unit, &mut scratch, &endless).unwrap_or(0)
        }

        /// [`distance`] with buffers that are reused, to be broken off.
        ///
        /// # Errors
        ///
        /// [`ErrorKind::Cancelled`](crate::error::ErrorKind::Cancelled) when the patience ends.
        pub fn try_distance(
            hypothesis: &str,
            reference: &str,
            unit: Unit,
            scratch: &mut DistanceScratch,
            patience: &Patience,
        ) -> Result<usize> {
            if unit == Unit::Char {
                return of_characters(hypothesis, reference, scratch, patience);
            }
            let (left, right, buffers) = scratch.symbols(hypothesis, reference, unit);
            of_symbols(left, right, buffers, patience)
        }

        /// The largest possible distance of texts of these lengths, minus their [`distance`].
        pub fn similarity(hypothesis: &str, reference: &str, unit: Unit) -> usize {
            maximum(unit.length(hypothesis), unit.length(reference))
                - distance(hypothesis, reference, unit)
        }

        /// [`distance`] divided by its largest possible value, in `[0, 1]`; 0 for two empty texts.
        pub fn normalized_distance(hypothesis: &str, reference: &str, unit: Unit) -> f64 {
            let maximum = maximum(unit.length(hypothesis), unit.length(reference));
            share(distance(hypothesis, reference, unit), maximum)
        }

        /// 1 − [`normalized_distance`], in `[0, 1]`; 1 for two empty texts.
        pub fn normalized_similarity(hypothesis: &str, reference: &str, unit: Unit) -> f64 {
            1.0 - normalized_distance(hypothesis, reference, unit)
        }

        pub(super) fn try_normalized_similarity(
            hypothesis: &str,
            reference: &str,
            unit: Unit,
            scratch: &mut DistanceScratch,
            patience: &Patience,
        ) -> Result<f64> {
            if unit == Unit::Char {
                let distance = of_characters(hypothesis, reference, scratch, patience)?;
                let maximum = maximum(unit.length(hypothesis), unit.length(reference));
                return Ok(1.0 - share(distance, maximum));
            }
            let (left, right, buffers) = scratch.symbols(hypothesis, reference, unit);
            normalized_similarity_of_symbols(left, right, buffers, patience)
        }

        pub(super) fn normalized_similarity_of_symbols(
            left: &[u32],
            right: &[u32],
            buffers: &mut Buffers,
            patience: &Patience,
        ) -> Result<f64> {
            let distance = of_symbols(left, right, buffers, patience)?;
            Ok(1.0 - share(distance, maximum(left.len(), right.len())))
        }

        /// One hypothesis prepared for comparison with many references.
        pub struct BatchComparator {
            vocabulary: Vocabulary,
            length: usize,
            comparator: $comparator,
        }

        impl BatchComparator {
            /// Prepares a hypothesis.
            pub fn new(hypothesis: &str, unit: Unit) -> Self {
                let mut vocabulary = Vocabulary::new(unit);
                let symbols = vocabulary.learn(hypothesis);
                Self {
                    vocabulary,
                    length: symbols.len(),
                    comparator: <$comparator>::new(symbols.iter().copied()),
                }
            }

            fn counts(&self, reference: &str) -> (usize, usize) {
                let right = self.vocabulary.encode(reference);
                let distance = self.comparator.distance(right.iter().copied());
                (distance, maximum(self.length, right.len()))
            }

            /// As the function [`distance`].
            pub fn distance(&self, reference: &str) -> usize {
                self.counts(reference).0
            }

            /// As the function [`similarity`].
            pub fn similarity(&self, reference: &str) -> usize {
                let (distance, maximum) = self.counts(reference);
                maximum - distance
            }

            /// As the function [`normalized_distance`].
            pub fn normalized_distance(&self, reference: &str) -> f64 {
                let (distance, maximum) = self.counts(reference);
                share(distance, maximum)
            }

            /// As the function [`normalized_similarity`].
            pub fn normalized_similarity(&self, reference: &str) -> f64 {
                1.0 - self.normalized_distance(reference)
            }
        }
    };
}

/// Writes `of_characters` and `of_symbols` for modules whose distance a [`Kernel`](super::bits::Kernel) computes.
macro_rules! by_bits {
    ($kernel:ty) => {
        fn of_characters(
            hypothesis: &str,
            reference: &str,
            scratch: &mut DistanceScratch,
            patience: &Patience,
        ) -> Result<usize> {
            bits::of_characters::<$kernel>(hypothesis, reference, scratch.buffers(), patience)
        }

        fn of_symbols(
            left: &[u32],
            right: &[u32],
            buffers: &mut Buffers,
            patience: &Patience,
        ) -> Result<usize> {
            bits::of_symbols::<$kernel>(left, right, buffers, patience)
        }
    };
}

/// Writes the module's public items from `of_symbols`, a similarity in `[0, 1]`.
macro_rules! graded {
    ($comparator:ty) => {
        use $crate::distance::Unit;
        use $crate::distance::scratch::{Buffers, DistanceScratch};
        use $crate::distance::symbols::Vocabulary;
        use $crate::error::Result;
        use $crate::patience::Patience;

        /// 1 − [`similarity`], in `[0, 1]`: 0 when the texts are equal.
        pub fn distance(hypothesis: &str, reference: &str, unit: Unit) -> f64 {
            1.0 - similarity(hypothesis, reference, unit)
        }

        /// The module's similarity, in `[0, 1]`: 1 for equal texts (two empty ones too), 0 when one is empty.
        pub fn similarity(hypothesis: &str, reference: &str, unit: Unit) -> f64 {
            let mut scratch = DistanceScratch::default();
            let endless = Patience::endless();
            try_similarity(hypothesis, reference, unit, &mut scratch, &endless).unwrap_or(0.0)
        }

        /// [`similarity`] with buffers that are reused, to be broken off.
        ///
        /// # Errors
        ///
        /// [`ErrorKind::Cancelled`](crate::error::ErrorKind::Cancelled) when the patience ends.
        pub fn try_similarity(
            hypothesis: &str,
            reference: &str,
            unit: Unit,
            scratch: &mut DistanceScratch,
            patience: &Patience,
        ) -> Result<f64> {
            let (left, right, buffers) = scratch.symbols(hypothesis, reference, unit);
            of_symbols(left, right, buffers, patience)
        }

        /// The same as [`distance`], which is in `[0, 1]` already.
        pub fn normalized_distance(hypothesis: &str, reference: &str, unit: Unit) -> f64 {
            distance(hypothesis, reference, unit)
        }

        /// The same as [`similarity`], which is in `[0, 1]` already.
        pub fn normalized_similarity(hypothesis: &str, reference: &str, unit: Unit) -> f64 {
            similarity(hypothesis, reference, unit)
        }

        pub(super) use of_symbols as normalized_similarity_of_symbols;
        pub(super) use try_similarity as try_normalized_similarity;

        /// One hypothesis prepared for comparison with many references.
        pub struct BatchComparator {
            vocabulary: Vocabulary,
            comparator: $comparator,
        }

        impl BatchComparator {
            /// Prepares a hypothesis.
            pub fn new(hypothesis: &str, unit: Unit) -> Self {
                let mut vocabulary = Vocabulary::new(unit);
                let symbols = vocabulary.learn(hypothesis);
                Self { vocabulary, comparator: <$comparator>::new(symbols.iter().copied()) }
            }

            /// As the function [`distance`].
            pub fn distance(&self, reference: &str) -> f64 {
                1.0 - self.similarity(reference)
            }

            /// As the function [`similarity`].
            pub fn similarity(&self, reference: &str) -> f64 {
                let right = self.vocabulary.encode(reference);
                self.comparator.similarity(right.iter().copied())
            }

            /// As the function [`normalized_distance`].
            pub fn normalized_distance(&self, reference: &str) -> f64 {
                self.distance(reference)
            }

            /// As the function [`normalized_similarity`].
            pub fn normalized_similarity(&self, reference: &str) -> f64 {
                self.similarity(reference)
            }
        }
    };
}

pub(super) use {by_bits, counted, graded};
