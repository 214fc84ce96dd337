//! The slow twin of the Levenshtein distance: the matrix of its definition, row by row (Wagner and Fischer 1974).

/// The number of edits between two sequences.
pub fn levenshtein<T: PartialEq>(left: &[T], right: &[T]) -> usize {
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (index, a) in left.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = index + 1;
        for (column, b) in right.iter().enumerate() {
            let best =
                (diagonal + usize::from(a != b)).min(row[column] + 1).min(row[column + 1] + 1);
            diagonal = std::mem::replace(&mut row[column + 1], best);
        }
    }
    row[right.len()]
}
