//! A position in the text of a program.

use crate::prelude::*;

/// Reads a text from its beginning to its end; white space between words is skipped, and line breaks only where asked.
pub struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    pub fn new(text: &'a str) -> Cursor<'a> {
        Cursor { text, at: 0 }
    }

    /// The line, from 1.
    pub fn line(&self) -> usize {
        self.text[..self.at].matches('\n').count() + 1
    }

    pub fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Skips blanks and comments of this line.
    pub fn skip_blanks(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start_matches([' ', '\t', '\r']).len();
        if self.rest().starts_with('#') {
            self.at += self.rest().find('\n').unwrap_or(self.rest().len());
        }
    }

    /// Skips blanks, comments and line breaks.
    pub fn skip_lines(&mut self) {
        self.skip_blanks();
        while self.rest().starts_with('\n') {
            self.at += 1;
            self.skip_blanks();
        }
    }

    /// Skips `sign`, if it follows.
    pub fn eat(&mut self, sign: &str) -> bool {
        self.skip_blanks();
        let found = self.rest().starts_with(sign);
        self.at += if found { sign.len() } else { 0 };
        found
    }

    pub fn expect(&mut self, sign: &str) -> Result<(), Error> {
        if self.eat(sign) { Ok(()) } else { Err(self.expected(&format!("`{sign}`"))) }
    }

    /// Skips the word, if it follows as a whole.
    pub fn eat_word(&mut self, word: &str) -> bool {
        self.skip_blanks();
        let found = self.peek_word() == word;
        self.at += if found { word.len() } else { 0 };
        found
    }

    /// The letters, digits and `_` that follow.
    pub fn peek_word(&mut self) -> &'a str {
        self.skip_blanks();
        let rest = self.rest();
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len());
        &rest[..end]
    }

    /// A name: a letter, then letters, digits and `_`.
    pub fn name(&mut self) -> Result<&'a str, Error> {
        let word = self.peek_word();
        if !word.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return Err(self.expected("a name"));
        }
        self.at += word.len();
        Ok(word)
    }

    /// An unsigned integer.
    pub fn integer(&mut self) -> Result<i64, Error> {
        let word = self.peek_word();
        let digits = word.len() - word.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let value = word[..digits].parse().map_err(|_| self.expected("an integer"))?;
        self.at += digits;
        Ok(value)
    }

    /// A number as Rust writes it, or `inf`.
    pub fn literal(&mut self) -> Result<f64, Error> {
        self.skip_blanks();
        let rest = self.rest();
        let mut end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '.')).unwrap_or(rest.len());
        // The sign of an exponent.
        if rest[..end].ends_with(['e', 'E']) && rest[end..].starts_with(['-', '+']) && rest.starts_with(digit)
        {
            let after = &rest[end + 1..];
            end += 1 + after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len());
        }
        let word = &rest[..end];
        let value = match word {
            "inf" => Some(f64::INFINITY),
            _ if word.starts_with(digit) => word.parse().ok(),
            _ => None,
        };
        let value = value.ok_or_else(|| self.expected("a number"))?;
        self.at += end;
        Ok(value)
    }

    /// The text up to the first of `ends` outside of brackets, or to the end of the line.
    pub fn until(&mut self, ends: &[char]) -> &'a str {
        self.skip_blanks();
        let (rest, mut depth) = (self.rest(), 0usize);
        let end = rest
            .char_indices()
            .find(|&(_, c)| {
                let found = depth == 0 && ends.contains(&c) || c == '\n' || c == '#';
                match c {
                    '(' | '[' | '<' => depth += 1,
                    ')' | ']' | '>' => depth = depth.saturating_sub(1),
                    _ => {}
                }
                found
            })
            .map_or(rest.len(), |(end, _)| end);
        self.at += end;
        rest[..end].trim_end()
    }

    /// Refuses anything but a line break, a closing brace or the end of the text.
    pub fn end_of_line(&mut self) -> Result<(), Error> {
        self.skip_blanks();
        if self.rest().is_empty() || self.rest().starts_with(['\n', '}']) {
            return Ok(());
        }
        Err(self.expected("the end of the line"))
    }

    pub fn expected(&mut self, what: &str) -> Error {
        self.skip_blanks();
        let found = self.rest().split('\n').next().unwrap_or("").trim_end();
        let found: String = found.chars().take(24).collect();
        let found = if found.is_empty() { "the end of the line".into() } else { format!("`{found}`") };
        error!("expected {what}, found {found}").at(self.line())
    }
}

fn digit(c: char) -> bool {
    c.is_ascii_digit()
}
