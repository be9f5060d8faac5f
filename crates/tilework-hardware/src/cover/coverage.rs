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
            return f.write_str("every element once");
        }
        let mut parts = 0;
        let mut part = |f: &mut fmt::Formatter<'_>, coord: &Option<Coord>, what: &str| match coord {
            Some(coord) => {
                parts += 1;
                write!(f, "{}{coord} {what}", if parts > 1 { ", " } else { "" })
            }
            None => Ok(()),
        };
        part(f, &self.missing, "never")?;
        part(f, &self.doubled, "more than once")?;
        part(f, &self.outside, "outside")?;
        if self.covers_once() {
            f.write_str("; every element once behind")?;
            for (mode, predicate) in self.predicates.iter().enumerate() {
                match predicate {
                    Predicate { below: true, above: true, size } => write!(f, " 0 <= c{mode} < {size}")?,
                    Predicate { above: true, size, .. } => write!(f, " c{mode} < {size}")?,
                    Predicate { below: true, .. } => write!(f, " 0 <= c{mode}")?,
                    _ => {}
                }
            }
        }
        Ok(())
    }
}
