//! Texts with the names of sizes.

use tilework_symbolic::Scope;

/// A size by its name, if it is given.
pub(crate) fn given(name: &str, sizes: &[(&str, i64)]) -> Option<i64> {
    sizes.iter().find(|(own, _)| *own == name).map(|(_, size)| *size)
}

/// A text with integers in place of the sizes that are given.
pub(crate) fn at_sizes(text: &str, sizes: &[(&str, i64)]) -> String {
    renamed(text, |name| given(name, sizes).map(|size| size.to_string()))
}

/// The value of a number; none where it has another name, or is no integer of 64 bits.
pub(crate) fn integer_at(text: &str, sizes: &[(&str, i64)]) -> Option<i64> {
    // Most are numbers.
    text.parse().ok().or_else(|| Scope::new().number(&at_sizes(text, sizes)).ok()?.as_integer())
}

/// A size that all parts of an extent divide.
const UNIT: i64 = 1 << 20;

/// The size at which a number is a value, if it has no other name and is as many times larger than a unit as the size is.
pub(crate) fn size_where(text: &str, name: &str, value: i64) -> Option<i64> {
    let unit = integer_at(text, &[(name, UNIT)]).filter(|_| integer_at(text, &[]).is_none())?;
    value.checked_mul(UNIT)?.checked_div(unit)
}

/// A text with other texts in place of some names.
pub(crate) fn renamed(text: &str, new: impl Fn(&str) -> Option<String>) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some(start) = rest.find(|letter: char| letter.is_ascii_alphabetic()) {
        let end = rest[start..].find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
        let end = end.map_or(rest.len(), |end| start + end);
        out += &rest[..start];
        out += &new(&rest[start..end]).unwrap_or_else(|| rest[start..end].to_owned());
        rest = &rest[end..];
    }
    out + rest
}
