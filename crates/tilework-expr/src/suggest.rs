//! Suggestions for misspelt names.

/// The candidate nearest to `word`, if one is near enough.
pub(crate) fn nearest<'a>(word: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    // A longer word is not a name of this language.
    if word.len() > 64 {
        return None;
    }
    let folded = word.to_ascii_lowercase();
    // Every word is near a word of one or two letters, so only its case may differ.
    let allowed = if word.len() < 3 { 0 } else { 1 + word.len() / 4 };
    candidates
        .map(|name| (distance(&folded, &name.to_ascii_lowercase()), name))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, name)| (*distance, name.len()))
        .map(|(_, name)| name)
}

/// The candidates whose beginning is nearest to `word`, the nearest first and of these the shortest.
pub(crate) fn begun<'a>(word: &str, candidates: impl Iterator<Item = &'a str>, count: usize) -> Vec<String> {
    let word = word.get(..LONGEST).unwrap_or(word).to_ascii_lowercase();
    let mut near: Vec<(usize, usize, &str)> = Vec::new();
    for name in candidates {
        let own = distances(&word, &name.to_ascii_lowercase()).into_iter().min().unwrap_or(0);
        let place = near.partition_point(|(other, length, _)| (*other, *length) <= (own, name.len()));
        if place < count && own <= 1 + word.len() / 4 {
            near.truncate(count - 1);
            near.insert(place, (own, name.len(), name));
        }
    }
    near.into_iter().map(|(_, _, name)| name.to_string()).collect()
}

/// The longest word that is compared: no name is longer.
const LONGEST: usize = 128;

/// The number of insertions, deletions and substitutions from one word to the other (Levenshtein).
fn distance(left: &str, right: &str) -> usize {
    distances(left, right).pop().unwrap_or(0)
}

/// The distances from one word to each prefix of the other.
fn distances(left: &str, right: &str) -> Vec<usize> {
    let right: Vec<u8> = right.bytes().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (i, a) in left.bytes().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, b) in right.iter().enumerate() {
            let substituted = diagonal + usize::from(a != *b);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(row[j] + 1).min(row[j + 1] + 1);
        }
    }
    row
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_corrected_and_a_stranger_is_not() {
        let names = || ["composition", "complement", "size"].into_iter();
        assert_eq!(nearest("compositon", names()), Some("composition"));
        assert_eq!(nearest("Size", names()), Some("size"));
        assert_eq!(nearest("transpose", names()), None);
    }
}
