//! Values by name, as keyword arguments give them, and what has one of a few names.

use crate::prelude::*;

/// The item with this name.
pub fn named<T: Copy>(wanted: &str, name: &str, all: &[(&str, T)]) -> Result<T> {
    let names = || all.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    match all.iter().find(|(own, _)| *own == name) {
        Some((_, one)) => Ok(*one),
        None => refuse("arguments", format!("{name:?} is not {wanted}; there are {}", names())),
    }
}

/// Values by name.
pub struct Named(pub Vec<(String, i64)>);

impl Named {
    /// Keyword arguments; a value that is no integer is refused as not being what is `wanted`.
    pub fn new(wanted: &str, values: Option<&Bound<'_, PyDict>>) -> Result<Named> {
        let mut named = Vec::new();
        for (name, value) in values.into_iter().flatten() {
            let number = crate::tuple::integer(&value)?.ok_or_else(|| Refusal::kind(wanted, &value))?;
            named.push((name.extract()?, number));
        }
        Ok(Named(named))
    }

    pub fn pairs(&self) -> Vec<(&str, i64)> {
        self.0.iter().map(|(name, value)| (name.as_str(), *value)).collect()
    }

    /// ` at M = 100`, for a message.
    pub fn describe(&self) -> String {
        let values: Vec<_> = self.0.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        values.join(", ")
    }

    /// Refuses names without a value.
    pub fn cover<'a>(&self, mut names: impl Iterator<Item = &'a str>) -> Result<()> {
        match names.find(|name| !self.0.iter().any(|(own, _)| own == name)) {
            Some(name) => refuse("name", format!("a value of {name} is missing")),
            None => Ok(()),
        }
    }
}
