//! Text that can be written in `const`.

use core::fmt;

/// Room for the longest value: 32 leaves with extents and rational basis strides of full width, and an offset of the
/// same length.
pub(crate) const CAPACITY: usize = 4096;

/// Room for most values.
pub(crate) const SHORT: usize = 256;

const ELLIPSIS: &[u8] = b"...";

/// A piece of text built without a heap, in `const` or at run time.
///
/// A text that does not fit is cut and ends in `...`; no layout and no error of this crate is that long.
///
/// ```
/// use tilework::{Layout, Text, layout};
/// const L: Layout = layout!((4,8):(1,4));
/// const TEXT: Text = L.to_text();
/// assert_eq!(TEXT.as_str(), "(4,8):(1,4)");
/// ```
#[derive(Clone, Copy)]
pub struct Text<const N: usize = CAPACITY> {
    bytes: [u8; N],
    len: usize,
    cut: bool,
}

impl Text {
    /// The empty text.
    #[must_use]
    pub const fn new() -> Self {
        Text { bytes: [0; CAPACITY], len: 0, cut: false }
    }
}

impl Text<SHORT> {
    /// An empty text with a short buffer: filling four kilobytes with zeros takes longer than printing a layout.
    pub(crate) const fn short() -> Self {
        Text { bytes: [0; SHORT], len: 0, cut: false }
    }
}

impl<const N: usize> Text<N> {
    /// Whether the text was cut.
    pub(crate) const fn is_cut(&self) -> bool {
        self.cut
    }

    /// The text as a string slice.
    #[must_use]
    pub const fn as_str(&self) -> &str {
        match core::str::from_utf8(self.bytes.split_at(self.len).0) {
            Ok(text) => text,
            Err(_) => "...",
        }
    }

    /// Appends `text`.
    pub const fn push(&mut self, text: &str) -> &mut Self {
        let bytes = text.as_bytes();
        if self.cut || bytes.len() > N - ELLIPSIS.len() - self.len {
            if !self.cut {
                self.cut = true;
                self.copy(ELLIPSIS);
            }
            return self;
        }
        self.copy(bytes);
        self
    }

    const fn copy(&mut self, bytes: &[u8]) {
        let mut i = 0;
        while i < bytes.len() {
            self.bytes[self.len + i] = bytes[i];
            i += 1;
        }
        self.len += bytes.len();
    }

    /// Appends one ASCII character.
    pub const fn push_ascii(&mut self, character: u8) -> &mut Self {
        debug_assert!(character.is_ascii());
        if !self.cut && self.len + ELLIPSIS.len() < N {
            self.bytes[self.len] = character;
            self.len += 1;
        } else if !self.cut {
            self.cut = true;
            self.copy(ELLIPSIS);
        }
        self
    }

    /// Appends `value` in decimal.
    pub const fn push_int(&mut self, value: i64) -> &mut Self {
        if value < 0 {
            self.push_ascii(b'-');
        }
        let mut rest = value.unsigned_abs();
        let mut digits = [0u8; 20];
        let mut start = digits.len();
        loop {
            start -= 1;
            digits[start] = b'0' + (rest % 10) as u8;
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        while start < digits.len() {
            self.push_ascii(digits[start]);
            start += 1;
        }
        self
    }
}

impl Default for Text {
    fn default() -> Self {
        Text::new()
    }
}

impl<const N: usize> fmt::Display for Text<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl<const N: usize> fmt::Debug for Text<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl<const N: usize> fmt::Write for Text<N> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.push(text);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_of_every_width() {
        for value in [0, 7, -7, 10, i64::MAX, i64::MIN] {
            assert_eq!(Text::new().push_int(value).as_str(), std::format!("{value}"));
        }
    }

    #[test]
    fn what_does_not_fit_is_cut_and_says_so() {
        let mut text = Text::new();
        for _ in 0..CAPACITY {
            text.push("0123456789");
        }
        assert!(text.as_str().ends_with("9...") && text.as_str().len() <= CAPACITY);
        text.push_int(i64::MIN);
        assert!(text.as_str().len() <= CAPACITY);
    }
}
