//! All distances against the rapidfuzz crate's, over code points and over words, with buffers that were used before.

use teapot_core::distance::{
    DistanceScratch, Unit, damerau_levenshtein, indel, jaro, jaro_winkler, lcs_seq, levenshtein,
    osa,
};
use teapot_core::patience::Patience;

/// Two texts; the first byte says where to cut.
pub fn pair(data: &[u8]) {
    let [share, texts @ ..] = data else { return };
    let (left, right) = texts.split_at(texts.len() * usize::from(*share) / 256);
    let (left, right) = (String::from_utf8_lossy(left), String::from_utf8_lossy(right));
    let mut scratch = DistanceScratch::default();
    for unit in [Unit::Char, Unit::Word] {
        agree(&left, &right, unit, &mut scratch);
        agree(&right, &left, unit, &mut scratch);
    }
}

fn agree(left: &str, right: &str, unit: Unit, scratch: &mut DistanceScratch) {
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
