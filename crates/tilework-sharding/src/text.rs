//! Reading the forms: a cursor over a text.

use alloc::string::{String, ToString};

use crate::error::Error;

/// A position in a text of some form.
pub(crate) struct Cursor<'t> {
    form: &'static str,
    rest: &'t str,
}

impl<'t> Cursor<'t> {
    pub(crate) fn new(form: &'static str, text: &'t str) -> Cursor<'t> {
        Cursor { form, rest: text.trim() }
    }

    /// Whether `token` follows; it is then skipped.
    pub(crate) fn take(&mut self, token: &str) -> bool {
        let taken = self.rest.strip_prefix(token);
        if let Some(rest) = taken {
            self.rest = rest.trim_start();
        }
        taken.is_some()
    }

    pub(crate) fn expect(&mut self, token: &'static str) -> Result<(), Error> {
        if self.take(token) { Ok(()) } else { Err(self.wrong(token)) }
    }

    pub(crate) fn wrong(&self, expected: &'static str) -> Error {
        Error::Text { form: self.form, expected, found: self.rest.chars().take(20).collect::<String>() }
    }

    pub(crate) fn end(&self) -> Result<(), Error> {
        if self.rest.is_empty() { Ok(()) } else { Err(self.wrong("the end")) }
    }

    /// Letters, digits and `_`; an empty text is not a name.
    pub(crate) fn name(&mut self) -> Option<&'t str> {
        let end = self.rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at(end);
        if !name.starts_with(|first: char| first.is_alphabetic() || first == '_') {
            return None;
        }
        self.rest = rest.trim_start();
        Some(name)
    }

    pub(crate) fn number(&mut self) -> Result<i64, Error> {
        let end = self.rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(self.rest.len());
        let (digits, rest) = self.rest.split_at(end);
        let number = digits.parse().map_err(|_| self.wrong("a number"))?;
        self.rest = rest.trim_start();
        Ok(number)
    }

    /// The text between two equal quotes, or a name without quotes.
    pub(crate) fn quoted(&mut self) -> Option<String> {
        for quote in ['\'', '"'] {
            if let Some(rest) = self.rest.strip_prefix(quote) {
                let end = rest.find(quote)?;
                self.rest = rest[end + 1..].trim_start();
                return Some(rest[..end].to_string());
            }
        }
        self.name().map(ToString::to_string)
    }

    /// `item`s with commas between them up to `close`, which is skipped; a trailing comma is allowed.
    pub(crate) fn list(
        &mut self,
        close: &'static str,
        mut item: impl FnMut(&mut Self) -> Result<(), Error>,
    ) -> Result<(), Error> {
        while !self.take(close) {
            item(self)?;
            if !self.take(",") {
                return self.expect(close);
            }
        }
        Ok(())
    }
}
