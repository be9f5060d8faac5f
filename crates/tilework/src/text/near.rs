//! Suggestions for misspelt names: one measure for functions, instructions and formats.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// The question whether the nearest candidates are meant, at most three, if any is near enough.
pub fn nearest<'a>(word: &str, candidates: impl Iterator<Item = &'a str>) -> Option<String> {
    // A longer word is no name.
    if word.len() > 64 {
        return None;
    }
    let folded = word.to_ascii_lowercase();
    // Every word is near a word of one or two letters, so only its case may differ.
    let allowed = if word.len() < 3 { 0 } else { 1 + word.len() / 4 };
    let (mut least, mut near) = (allowed, Vec::new());
    for name in candidates {
        let own = distance(&folded, &name.to_ascii_lowercase());
        if own < least {
            (least, near) = (own, Vec::new());
        }
        if own == least && near.len() < 3 && !near.contains(&name) {
            near.push(name);
        }
    }
    (!near.is_empty()).then(|| did_you_mean(&near))
}

/// The question whether one of these is meant.
pub fn did_you_mean(names: &[impl AsRef<str>]) -> String {
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    format!("did you mean `{}`?", names.join("`, `"))
}

/// The candidates whose beginning is nearest to `word`, the nearest first and of these the shortest.
pub fn begun<'a>(word: &str, candidates: impl Iterator<Item = &'a str>, count: usize) -> Vec<&'a str> {
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
    near.into_iter().map(|(_, _, name)| name).collect()
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
        let names = || ["composition", "complement", "size", "side"].into_iter();
        let nearest = |word| nearest(word, names());
        assert_eq!(nearest("compositon").as_deref(), Some("did you mean `composition`?"));
        assert_eq!(nearest("Size").as_deref(), Some("did you mean `size`?"));
        assert_eq!(nearest("sike").as_deref(), Some("did you mean `size`, `side`?"));
        assert_eq!(nearest("transpose"), None);
    }
}
