//! Sizes as words of a command line, and the errors of formats.

use crate::answer::Refusal;

impl From<tilework_formats::Error> for Refusal {
    fn from(error: tilework_formats::Error) -> Refusal {
        let is_unknown = matches!(&error, tilework_formats::Error::Name { near, .. } if near.is_empty());
        let advice = if is_unknown { "; `tilework format` lists all" } else { "" };
        Refusal::Condition(error.code(), format!("{error}{advice}"))
    }
}

/// The sizes of a command line.
pub fn sizes_of<'a>(texts: &[&'a String]) -> Result<Vec<(&'a str, i64)>, Refusal> {
    texts.iter().map(|text| size(text)).collect()
}

/// The indices of an element.
pub type Coordinate = Vec<i64>;

/// `5,7` or `(5,7)`.
pub fn coordinate(text: &str) -> Result<Coordinate, String> {
    let inner = text.trim().strip_prefix('(').and_then(|text| text.strip_suffix(')')).unwrap_or(text);
    let index = |index: &str| {
        index
            .trim()
            .parse()
            .map_err(|_| format!("`{index}` is no index: give one number for each axis, such as 5,7"))
    };
    inner.split(',').map(index).collect()
}

/// `K=4096`.
pub fn size(text: &str) -> Result<(&str, i64), Refusal> {
    let wrong = || Refusal::Condition("size", format!("`{text}` is no size, such as K=4096"));
    let (name, value) = text.split_once('=').ok_or_else(wrong)?;
    Ok((name, value.parse().map_err(|_| wrong())?))
}
