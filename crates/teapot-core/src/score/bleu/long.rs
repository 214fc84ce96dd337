//! Clipped matches of token n-grams in texts of any length, in time proportional to it.
//!
//! An n-gram is the (n − 1)-gram that it starts with and one more token, so a pair of numbers names it. Only n-grams
//! whose beginning is on both sides can match: the others are dropped order by order.

use rustc_hash::FxHashMap;

use crate::score::positions::KeyedTokens;

/// An n-gram that may match: the position where it starts, and its number among the n-grams of the hypothesis.
type Gram = (usize, usize);

/// Adds the matches of each order to `matches`, order 1 first. Texts have fewer than 2³² tokens.
pub(super) fn count(hypothesis: &KeyedTokens, references: &[&KeyedTokens], matches: &mut [usize]) {
    let mut vocabulary: FxHashMap<&str, usize> = FxHashMap::default();
    let number = |token| {
        let next = vocabulary.len();
        *vocabulary.entry(token).or_insert(next)
    };
    let hypothesis: Vec<usize> = hypothesis.tokens.iter().map(number).collect();
    // A token that isn't in the hypothesis has no number.
    let number = |token| vocabulary.get(token).copied();
    let references: Vec<Vec<Option<usize>>> =
        references.iter().map(|reference| reference.tokens.iter().map(number).collect()).collect();

    let everywhere = |length: usize| (0..length).map(|start| (start, 0)).collect();
    let mut grams: Vec<Gram> = everywhere(hypothesis.len());
    let mut reference_grams: Vec<Vec<Gram>> =
        references.iter().map(|reference| everywhere(reference.len())).collect();
    for (shorter, matches) in matches.iter_mut().enumerate() {
        let mut numbers: FxHashMap<u64, usize> = FxHashMap::default();
        let mut counts: Vec<usize> = Vec::new();
        grams.retain_mut(|(start, gram)| {
            let Some(&token) = hypothesis.get(*start + shorter) else { return false };
            *gram = *numbers.entry(pair(*gram, token)).or_insert(counts.len());
            counts.resize(counts.len().max(*gram + 1), 0);
            counts[*gram] += 1;
            true
        });
        // How often the reference has each n-gram that has it most often.
        let mut most = vec![0; counts.len()];
        for (reference, grams) in references.iter().zip(&mut reference_grams) {
            let mut here = vec![0; counts.len()];
            grams.retain_mut(|(start, gram)| {
                let Some(&Some(token)) = reference.get(*start + shorter) else { return false };
                let Some(&number) = numbers.get(&pair(*gram, token)) else { return false };
                *gram = number;
                here[number] += 1;
                true
            });
            most.iter_mut().zip(here).for_each(|(most, here)| *most = here.max(*most));
        }
        let found: usize = counts.iter().zip(&most).map(|(&count, &most)| count.min(most)).sum();
        if found == 0 {
            break;
        }
        *matches += found;
        grams.retain(|&(_, gram)| most[gram] > 0);
    }
}

fn pair(gram: usize, token: usize) -> u64 {
    (gram as u64) << 32 | token as u64
}
