//! What sizes a format admits.

use crate::error::Error;
use crate::sizes::integer_at;

/// How a size relates to the bounds of its rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Padded to a multiple of the bound.
    To,
    /// Has to be a multiple of the bound.
    By,
    /// Has to be one of the bounds.
    In,
    /// Has to divide the bound.
    Divides,
    /// May be as small as the bound, in place of 1.
    From,
    /// May be as large as the bound.
    AtMost,
}

const KINDS: [(&str, Kind); 6] = [
    (" to ", Kind::To),
    (" by ", Kind::By),
    (" in ", Kind::In),
    (" divides ", Kind::Divides),
    (" from ", Kind::From),
    (" at most ", Kind::AtMost),
];

/// A rule for one size: `K by 16`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rule {
    /// The name of the size.
    pub axis: String,
    /// The relation.
    pub kind: Kind,
    /// Numbers, in which other sizes may occur.
    pub bounds: Vec<String>,
}

impl Rule {
    pub(crate) fn parse(text: &str) -> Result<Rule, Error> {
        let split = KINDS.iter().find_map(|(word, kind)| Some((text.split_once(word)?, *kind)));
        let Some(((axis, bounds), kind)) = split else {
            return Err(Error::Record(format!(
                "`{text}` is no rule of a size, such as `K by 16` or `M to 128`"
            )));
        };
        let bounds = match kind {
            Kind::In => bounds.split_whitespace().map(str::to_owned).collect(),
            _ => vec![bounds.trim().to_owned()],
        };
        if bounds.is_empty() {
            return Err(Error::Record(format!("`{text}` has no bound")));
        }
        Ok(Rule { axis: axis.trim().to_owned(), kind, bounds })
    }

    /// The values of the bounds; none where one has another name, or is no integer of 64 bits.
    pub(crate) fn values(&self, sizes: &[(&str, i64)]) -> Option<Vec<i64>> {
        self.bounds.iter().map(|text| integer_at(text, sizes)).collect()
    }

    /// The reason to refuse a size, in a sentence without the size.
    pub(crate) fn refusal(&self, size: i64, bounds: &[i64], format: &str, noun: &str) -> Option<String> {
        let (axis, bound) = (&self.axis, *bounds.first()?);
        match self.kind {
            Kind::To if bound < 1 => Some(format!("{axis} cannot be padded to a multiple of {bound}")),
            Kind::By if bound < 1 || size % bound != 0 => {
                Some(format!("{axis} must be a multiple of {bound}: {format} packs {bound} {noun}"))
            }
            Kind::In if !bounds.contains(&size) => {
                let known: Vec<String> = bounds.iter().map(i64::to_string).collect();
                Some(format!("{axis} must be one of {}: {format} has no other {noun}", known.join(", ")))
            }
            Kind::Divides if size < 1 || bound % size != 0 => {
                Some(format!("{axis} must divide {bound}: {format} packs {bound} as {noun}"))
            }
            Kind::AtMost if size > bound => {
                let text = &self.bounds[0];
                let value = if text.parse() == Ok(bound) { String::new() } else { format!(" = {bound}") };
                Some(format!("{axis} must be at most {text}{value}"))
            }
            _ => None,
        }
    }
}

impl std::fmt::Display for Rule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let word = KINDS.iter().find(|(_, kind)| *kind == self.kind).map_or("", |(word, _)| *word);
        write!(f, "{}{word}{}", self.axis, self.bounds.join(" "))
    }
}
