//! The coordinates of a shape that a raster reaches, and the predicates that accesses need.

use alloc::vec::Vec;
use core::fmt;
use tilework::Coord;

/// The coordinates that a raster reaches.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Coverage {
    /// The first coordinate in bounds that is never reached, in colexicographic order.
    pub missing: Option<Coord>,
    /// The first coordinate in bounds that is reached more than once.
    pub doubled: Option<Coord>,
    /// A coordinate that is reached and out of bounds.
    pub outside: Option<Coord>,
    pub(super) predicates: Vec<Predicate>,
}

/// The conditions on one mode of a coordinate that have to hold before an element is accessed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Predicate {
    /// Whether `0 <= c` is needed.
    pub below: bool,
    /// Whether `c < size` is needed.
    pub above: bool,
    /// The size of the mode.
    pub size: i64,
}

impl Predicate {
    /// Whether the conditions always hold.
    #[must_use]
    pub const fn is_superfluous(self) -> bool {
        !self.below && !self.above
    }
}

impl Coverage {
    /// Whether every coordinate is reached once, and nothing else.
    #[must_use]
    pub const fn is_exact(&self) -> bool {
        self.covers_once() && self.outside.is_none()
    }

    /// Whether every coordinate is reached once, given the [`predicates`](Self::predicates).
    #[must_use]
    pub const fn covers_once(&self) -> bool {
        self.missing.is_none() && self.doubled.is_none()
    }

    /// The predicate of each mode.
    #[must_use]
    pub fn predicates(&self) -> &[Predicate] {
        &self.predicates
    }
}

impl fmt::Display for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_exact() {
            return f.write_str("each element once");
        }
        let mut before = "";
        if self.covers_once() {
            f.write_str("each element once if guarded by ")?;
            for (mode, predicate) in self.predicates.iter().enumerate() {
                let Predicate { below, above, size } = predicate;
                match (below, above) {
                    (false, false) => continue,
                    (true, true) => write!(f, "{before}0 <= c{mode} < {size}")?,
                    (true, false) => write!(f, "{before}0 <= c{mode}")?,
                    (false, true) => write!(f, "{before}c{mode} < {size}")?,
                }
                before = " and ";
            }
            before = "; unguarded, ";
        }
        let missing = ("element ", &self.missing, " is never reached");
        let doubled = ("element ", &self.doubled, " is reached more than once");
        for (what, coord, fault) in [missing, doubled, ("", &self.outside, " is out of bounds")] {
            if let Some(coord) = coord {
                write!(f, "{before}{what}{coord}{fault}")?;
                before = "; ";
            }
        }
        Ok(())
    }
}
