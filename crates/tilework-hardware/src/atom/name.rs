//! The name of an atom, as text without a heap.

use core::{fmt, ops::Deref};

use super::element::Element;

const CAPACITY: usize = 120;

/// The name of an atom: that of the struct in CUTLASS, if there is one.
///
/// ```
/// use tilework_hardware::atom::nvidia::wgmma;
/// use tilework_hardware::atom::{Element, Source};
/// let atom = wgmma(64, [Element::F32, Element::F16, Element::F16], Source::Shared).unwrap();
/// assert_eq!(&*atom.name, "SM90_64x64x16_F32F16F16_SS");
/// ```
#[derive(Clone, Copy)]
pub struct Name {
    bytes: [u8; CAPACITY],
    len: usize,
}

impl Name {
    /// A name of up to 120 bytes; a longer one is cut.
    #[must_use]
    pub const fn new(text: &str) -> Name {
        Name { bytes: [0; CAPACITY], len: 0 }.with(text)
    }

    /// The name as a string slice.
    #[must_use]
    pub const fn as_str(&self) -> &str {
        match core::str::from_utf8(self.bytes.split_at(self.len).0) {
            Ok(text) => text,
            Err(_) => "",
        }
    }

    pub(super) const fn with(mut self, text: &str) -> Name {
        let mut i = 0;
        while i < text.len() && self.len < CAPACITY {
            self.bytes[self.len] = text.as_bytes()[i];
            self.len += 1;
            i += 1;
        }
        self
    }

    /// Appends `16x8x16`.
    pub(super) const fn with_shape(self, shape: [i64; 3]) -> Name {
        self.with_int(shape[0]).with("x").with_int(shape[1]).with("x").with_int(shape[2])
    }

    pub(super) const fn with_elements(mut self, elements: &[Element]) -> Name {
        let mut i = 0;
        while i < elements.len() {
            self = self.with(elements[i].name());
            i += 1;
        }
        self
    }

    pub(super) const fn with_int(self, value: i64) -> Name {
        let higher = if value >= 10 { self.with_int(value / 10) } else { self };
        higher.with("0123456789".split_at((value % 10) as usize).1.split_at(1).0)
    }
}

impl Deref for Name {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl PartialEq for Name {
    fn eq(&self, other: &Name) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for Name {}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}
