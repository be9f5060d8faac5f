//! The codomains: the kinds of offsets that a layout can have.

/// The set that a layout's strides come from, and into which it maps (paper, section 2.3.1).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Codomain {
    /// Integers.
    Integer,
    /// Rational numbers that are not all integers.
    Rational,
    /// Coordinates: multiples of basis elements.
    Coordinate,
    /// Integers under XOR.
    Xor,
}

impl Codomain {
    /// The name in a sentence.
    ///
    /// ```
    /// use tilework::Codomain;
    /// assert_eq!(Codomain::Xor.name(), "XOR");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Codomain::Integer => "integer",
            Codomain::Rational => "rational",
            Codomain::Coordinate => "coordinate",
            Codomain::Xor => "XOR",
        }
    }

    pub(crate) const fn same(self, other: Codomain) -> bool {
        self as u8 == other as u8
    }
}
