//! Every distance with reused buffers against the comparator of one text with many, which is the rapidfuzz crate's.

use teapot_core::distance::{
    DistanceScratch, Unit, damerau_levenshtein, indel, jaro, jaro_winkler, lcs_seq, levenshtein,
    osa,
};
use teapot_core::patience::Patience;

/// Panics, naming the distance, unless all agree.
pub fn agree(left: &str, right: &str, unit: Unit, scratch: &mut DistanceScratch) {
    let patience = Patience::endless();
    macro_rules! agree {
        ($($distance:ident::$function:ident is $other:ident),*) => {$(
            let expected = $distance::BatchComparator::new(left, unit).$other(right);
            let found = $distance::$function(left, right, unit, scratch, &patience);
            assert_eq!(found, Ok(expected), "{}", stringify!($distance));
        )*};
    }
    agree!(
        levenshtein::try_distance is distance,
        osa::try_distance is distance,
        damerau_levenshtein::try_distance is distance,
        indel::try_distance is distance,
        lcs_seq::try_distance is distance,
        jaro::try_similarity is similarity,
        jaro_winkler::try_similarity is similarity
    );
}
