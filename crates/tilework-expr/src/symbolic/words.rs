//! The words of a text, and the numbers of its `?`.

use tilework_symbolic::is_element;

/// The words of a text: letters, digits and `_` after a letter or a `_`, and the `?0` of an unnamed number.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    words_at(text).map(|(_, word)| word)
}

/// The same, each with its place.
pub(crate) fn words_at(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            rest = &rest[rest.find(|c: char| is_of_word(c) || c == '?')?..];
            let length = word_length(rest);
            let (word, behind) = rest.split_at(length.max(1));
            rest = behind;
            if length > 0 {
                return Some((text.len() - behind.len() - length, word));
            }
            rest = rest.trim_start_matches(is_of_word);
        }
    })
}

fn is_of_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// The length of the word at the beginning of a text, 0 for none.
pub(crate) fn word_length(text: &str) -> usize {
    let end = |from: usize, belongs: fn(char) -> bool| {
        text[from..].find(|c| !belongs(c)).map_or(text.len(), |end| from + end)
    };
    match text.bytes().next() {
        Some(b'?') => Some(end(1, |c| c.is_ascii_digit())).filter(|length| *length > 1),
        Some(b'_') => Some(end(0, is_of_word)).filter(|length| *length > 1),
        Some(first) if first.is_ascii_alphabetic() => Some(end(0, is_of_word)),
        _ => None,
    }
    .unwrap_or(0)
}

/// The least number that is at least `next` and no number of a `?` in a text.
pub(crate) fn next_number(text: &str, next: u64) -> u64 {
    let numbers = words(text).filter_map(|word| word.strip_prefix('?')?.parse::<u64>().ok());
    numbers.fold(next, |next, number| next.max(number.saturating_add(1)))
}

/// A text whose bare `?` have unused numbers from `next` on, and the next number.
pub(crate) fn numbered(text: &str, next: u64) -> (String, u64) {
    let mut next = next_number(text, next);
    let (mut out, mut rest) = (String::new(), text);
    while let Some((before, behind)) = rest.split_once('?') {
        out += before;
        out.push('?');
        if !behind.starts_with(|c: char| c.is_ascii_digit()) {
            out += &next.to_string();
            next = next.saturating_add(1);
        }
        rest = behind;
    }
    (out + rest, next)
}

/// The members of a tuple, between its commas; `None` for a number.
pub(crate) fn members(text: &str) -> Option<Vec<&str>> {
    let inner = text.strip_prefix('(')?.strip_suffix(')')?;
    let (mut depth, mut parts, mut start) = (0usize, Vec::new(), 0);
    for (at, byte) in inner.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            // `(a)*(b)` is not a tuple.
            b')' => depth = depth.checked_sub(1)?,
            b',' if depth == 0 => {
                parts.push(inner[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    if !inner.trim().is_empty() {
        parts.push(inner[start..].trim());
    }
    Some(parts)
}

/// Whether a text of a stride has basis elements.
pub(crate) fn is_of_elements(stride: &str) -> bool {
    stride.contains('@') || words_at(stride).any(|(_, word)| is_element(word))
}
