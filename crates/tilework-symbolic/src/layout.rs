//! Symbolic layouts, and basic questions about them.

use crate::polynomial::{MAX_NAMES, MAX_VARIABLES, Polynomial};
use crate::pool::Number;
use crate::scope::Scope;
use tilework::Error;
use tilework::{HTuple, Profile};
use tilework::{Layout, Leaf};
use tilework::{Rational, Stride, Unit};

/// One symbolic extent with its stride, a multiple of a unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SymbolicLeaf {
    /// The number of steps.
    pub extent: Number,
    /// The distance of a step, in units.
    pub stride: Number,
    /// The unit of the stride: 1, a basis element, or, only for numbers, the XOR unit.
    pub unit: Unit,
}

impl SymbolicLeaf {
    pub(crate) const UNUSED: SymbolicLeaf =
        SymbolicLeaf { extent: Number::UNUSED, stride: Number::UNUSED, unit: Unit::ONE };
}

/// A layout whose extents and strides are numbers of a [`Scope`].
///
/// For all values that the facts of the scope admit, and for which the guard of its answer holds, its extents are
/// integers of at least 1. Like [`Layout`] it is one plain value; the polynomials are in the scope.
///
/// ```
/// use tilework_symbolic::{Scope, SymbolicLayout};
/// let mut scope = Scope::new();
/// let matrix = scope.layout("(M,K):(1,ld)")?;
/// assert_eq!((matrix.rank(), scope.layout_text(&matrix).as_str()), (2, "(M,K):(1,ld)"));
/// assert!(size_of::<SymbolicLayout>() <= 400);
/// # Ok::<(), tilework::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct SymbolicLayout {
    tuple: HTuple<SymbolicLeaf>,
    /// Identifies its numbers and names in their scope.
    origin: u64,
}

impl SymbolicLayout {
    /// The leaves from left to right.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let matrix = scope.layout("(M,K):(1,ld)")?;
    /// assert_eq!(matrix.leaves()[1].stride, scope.declare("ld")?);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub const fn leaves(&self) -> &[SymbolicLeaf] {
        self.tuple.leaves()
    }

    /// The nesting.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let layout = scope.layout("((M,4),K):((1,M),ld)")?;
    /// assert!(layout.profile() == tilework::layout!(((2,2),2)).profile());
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub const fn profile(&self) -> &Profile {
        self.tuple.profile()
    }

    /// The layout as a hierarchical tuple of leaves.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let layout = scope.layout("(M,4,K):(1,M,ld)")?;
    /// // What only moves leaves is done with the tuple.
    /// let grouped = scope.layout_of(layout.as_tuple().group(0, 2)?)?;
    /// assert_eq!(scope.layout_text(&grouped).as_str(), "((M,4),K):((1,M),ld)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub const fn as_tuple(&self) -> &HTuple<SymbolicLeaf> {
        &self.tuple
    }

    /// The number of modes; 1 if there is no tuple.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let layout = scope.layout("((M,4),K):((1,M),ld)")?;
    /// assert_eq!((layout.rank(), scope.layout("M:1")?.rank()), (2, 1));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub const fn rank(&self) -> usize {
        self.tuple.rank()
    }

    /// The levels of tuples.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let layout = scope.layout("((M,4),K):((1,M),ld)")?;
    /// assert_eq!((layout.depth(), scope.layout("M:1")?.depth()), (2, 0));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub const fn depth(&self) -> usize {
        self.tuple.depth()
    }
}

impl core::fmt::Debug for SymbolicLayout {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_list().entries(self.leaves()).finish()
    }
}

impl Scope {
    /// A layout from its leaves.
    ///
    /// ```
    /// use tilework::{HTuple, Unit};
    /// use tilework_symbolic::{Scope, SymbolicLeaf};
    /// let mut scope = Scope::new();
    /// let (extent, stride) = (scope.declare("M")?, scope.integer(1)?);
    /// let vector = scope.layout_of(HTuple::leaf(SymbolicLeaf { extent, stride, unit: Unit::ONE }))?;
    /// assert_eq!(scope.layout_text(&vector).as_str(), "M:1");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Fact`] for an extent that is known to be less than 1, or for numbers of another scope;
    /// [`Error::Codomain`] for XOR strides that are not numbers, [`Error::MixedCodomain`], [`Error::NestedBasis`].
    pub const fn layout_of(&self, tuple: HTuple<SymbolicLeaf>) -> Result<SymbolicLayout, Error> {
        let (leaves, mut units, mut i) =
            (tuple.leaves(), HTuple::builder_of(tuple.profile(), Leaf::UNUSED), 0);
        while i < leaves.len() {
            let extent = tri!(self.checked(leaves[i].extent));
            let stride = tri!(self.checked(leaves[i].stride));
            if matches!(self.at_least(&extent, 1), Some(false)) {
                return Err(Error::Fact { reason: "an extent has to be 1 or more" });
            }
            if leaves[i].unit.is_xor() && (stride.constant().is_none() || extent.constant().is_none()) {
                return Err(Error::Codomain {
                    operation: "a symbolic layout",
                    found: tilework::Codomain::Xor,
                });
            }
            // The requirements of `Layout` on units do not depend on the numbers.
            let one = Rational::integer(!stride.is_zero() as i64);
            tri!(units.push_value(Leaf { extent: 1, stride: tri!(Stride::new(one, leaves[i].unit)) }));
            i += 1;
        }
        tri!(Layout::new(units));
        Ok(SymbolicLayout { tuple, origin: self.origin(&tuple) })
    }

    /// A layout of numbers as a symbolic layout.
    ///
    /// ```
    /// use tilework::layout;
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let tile = scope.constant(&layout!((4,8):(1,4)))?;
    /// assert_eq!(scope.as_constant(&tile), Some(layout!((4,8):(1,4))));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Capacity`] if the scope is full, [`Error::SeveralComponents`] for a stride that is a sum.
    pub const fn constant(&mut self, layout: &Layout) -> Result<SymbolicLayout, Error> {
        let mut tuple = HTuple::builder_of(layout.profile(), SymbolicLeaf::UNUSED);
        let (leaves, mut i) = (layout.leaves(), 0);
        while i < leaves.len() {
            let Leaf { extent, stride } = leaves[i];
            let count = tri!(stride.one_count("a layout with names", i));
            let extent = tri!(self.integer(extent));
            let number = tri!(Polynomial::integer(count.numerator()).scale(1, count.denominator()));
            let unit = stride.unit();
            tri!(tuple.push_value(SymbolicLeaf { extent, stride: tri!(self.intern(&number)), unit }));
            i += 1;
        }
        Ok(SymbolicLayout { tuple, origin: self.origin(&tuple) })
    }

    /// The number of coordinates.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let matrix = scope.layout("(M,(4,K)):(1,(ld,8))")?;
    /// let size = scope.size(&matrix)?;
    /// assert_eq!(scope.number_text(size).as_str(), "4*M*K");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`add`](Self::add).
    pub const fn size(&mut self, layout: &SymbolicLayout) -> Result<Number, Error> {
        tri!(self.check(layout));
        let size = tri!(self.size_of(layout.leaves()));
        self.intern(&size)
    }

    pub(crate) const fn size_of(&self, leaves: &[SymbolicLeaf]) -> Result<Polynomial, Error> {
        let (mut size, mut i) = (Polynomial::integer(1), 0);
        while i < leaves.len() {
            size = tri!(size.mul(&self.polynomial(leaves[i].extent)));
            i += 1;
        }
        Ok(size)
    }

    /// Checks that a layout belongs to this scope.
    pub(crate) const fn check(&self, layout: &SymbolicLayout) -> Result<(), Error> {
        if layout.origin != self.origin(&layout.tuple) {
            return Err(Error::Fact { reason: "a layout of another scope" });
        }
        Ok(())
    }

    /// A tuple of leaves of this scope as a layout of it.
    pub(crate) const fn own(&self, tuple: HTuple<SymbolicLeaf>) -> SymbolicLayout {
        SymbolicLayout { tuple, origin: self.origin(&tuple) }
    }

    /// A hash of the polynomials, and of the names in them.
    const fn origin(&self, tuple: &HTuple<SymbolicLeaf>) -> u64 {
        let (leaves, mut hash, mut variables, mut i) = (tuple.leaves(), 0u64, 0, 0);
        while i < leaves.len() {
            let SymbolicLeaf { extent, stride, .. } = leaves[i];
            hash = hash.rotate_left(9).wrapping_add(self.pool.hash(extent)).rotate_left(9)
                ^ self.pool.hash(stride);
            variables |= self.variables(extent) | self.variables(stride);
            i += 1;
        }
        let mut v = MAX_VARIABLES;
        while v > 0 {
            v -= 1;
            if variables >> v & 1 == 0 {
                continue;
            }
            if v < MAX_NAMES {
                hash ^= hash_of(self.name_bytes(v));
            } else {
                let quotient = self.quotients.as_slice()[v - MAX_NAMES];
                hash = hash.wrapping_add(self.pool.hash(quotient.numerator) << 16);
                hash = hash.wrapping_add(self.pool.hash(quotient.denominator) << 8);
                variables |= self.variables(quotient.numerator) | self.variables(quotient.denominator);
            }
        }
        hash
    }

    /// Whether all strides are multiples of 1.
    pub(crate) const fn is_integral(&self, leaves: &[SymbolicLeaf]) -> bool {
        let (mut integral, mut i) = (true, 0);
        while i < leaves.len() {
            integral &= leaves[i].unit.is_one();
            i += 1;
        }
        integral
    }
}

const fn hash_of(bytes: &[u8]) -> u64 {
    let (mut hash, mut i) = (0xcbf2_9ce4_8422_2325u64, 0);
    while i < bytes.len() {
        hash = (hash ^ bytes[i] as u64).wrapping_mul(0x100_0000_01b3);
        i += 1;
    }
    hash
}
