//! The image of a swizzled layout: that of an equal layout if there is one, otherwise by enumeration.

use super::{MAX_EXAMINED, swizzled_bounds};
use crate::codomain::Codomain;
use crate::error::{Error, tri};
use crate::int;
use crate::layout::Layout;
use crate::shape::Shape;
use crate::swizzle::Composed;
use crate::tuple::{HTuple, MAX_LEAVES};

impl Composed {
    /// The smallest and the largest offset.
    ///
    /// ```
    /// use tilework::{Composed, Swizzle, layout};
    /// assert_eq!(Composed::new(Swizzle::new(1, 0, 1)?, 2, layout!(2:1))?.bounds()?, (2, 3));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Undecided`] beyond 65,536 coordinates if the search through parts of the layout ends without an answer
    /// and no layout with an offset is the same function ([`to_view`](Self::to_view)); those of
    /// [`try_at`](Self::try_at).
    pub const fn bounds(&self) -> Result<(i64, i64), Error> {
        const OPERATION: &str = "the bounds of the offsets";
        if self.layout().codomain().same(Codomain::Integer) {
            match swizzled_bounds::of_layout(self.swizzle(), self.offset(), self.layout()) {
                Err(Error::Undecided { .. }) => {}
                bounds => return bounds,
            }
        }
        if let Ok(view) = self.to_view() {
            return view.bounds();
        }
        if self.layout().size() > MAX_EXAMINED {
            return Err(Error::Undecided { operation: OPERATION });
        }
        let first = tri!(self.const_try_at(0));
        let (mut low, mut high, mut c) = (first, first, 1);
        while c < self.layout().size() {
            let offset = tri!(self.const_try_at(c));
            low = if offset < low { offset } else { low };
            high = if offset > high { offset } else { high };
            c += 1;
        }
        Ok((low, high))
    }

    /// Whether different indices have different offsets: whether the inner layout has, because adding an offset and a
    /// swizzle are injective.
    ///
    /// ```
    /// use tilework::{Composed, Swizzle, layout};
    /// assert!(Composed::new(Swizzle::new(3, 4, 3)?, 8, layout!((8,64):(64,1)))?.is_injective()?);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Argument`] if an offset is below 0, for which a swizzle is not defined; those of
    /// [`Layout::is_injective`](crate::Layout::is_injective).
    pub const fn is_injective(&self) -> Result<bool, Error> {
        tri!(self.check_offsets());
        self.layout().is_injective()
    }

    /// Whether every number of `[0, cosize)` is an offset, and no other.
    ///
    /// ```
    /// use tilework::{Composed, Swizzle, layout};
    /// let swizzle = Swizzle::new(1, 0, 1)?;
    /// assert!(Composed::new(swizzle, 0, layout!(4:1))?.is_surjective()?);
    /// assert!(!Composed::new(swizzle, 0, layout!(3:1))?.is_surjective()?); // 0, 1, 3
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`bounds`](Self::bounds) and [`Layout::is_surjective`](crate::Layout::is_surjective).
    pub const fn is_surjective(&self) -> Result<bool, Error> {
        if let Ok(layout) = self.to_layout() {
            return layout.is_surjective();
        }
        let (low, high) = tri!(self.bounds());
        if low > 0 || high >= self.layout().size() {
            return Ok(false);
        }
        if self.layout().size() > MAX_EXAMINED {
            return Ok(tri!(self.footprint()) == tri!(int::add(high, 1)));
        }
        let (mut seen, mut count, mut c) = ([0u64; MAX_EXAMINED as usize / 64], 0, 0);
        while c < self.layout().size() {
            let offset = tri!(self.const_try_at(c)) as usize;
            count += (seen[offset / 64] >> (offset % 64) & 1 == 0) as i64;
            seen[offset / 64] |= 1 << (offset % 64);
            c += 1;
        }
        Ok(count == high + 1)
    }

    /// Whether the offsets are `[0, size)`, each once.
    ///
    /// ```
    /// use tilework::{Composed, Swizzle, layout};
    /// assert!(Composed::new(Swizzle::new(3, 4, 3)?, 0, layout!((8,128):(128,1)))?.is_compact()?);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`is_surjective`](Self::is_surjective).
    pub const fn is_compact(&self) -> Result<bool, Error> {
        // As many offsets as indices.
        Ok(tri!(self.is_surjective()) && tri!(int::add(tri!(self.bounds()).1, 1)) == self.layout().size())
    }

    /// The same as [`is_compact`](Self::is_compact).
    ///
    /// ```
    /// use tilework::{Composed, Swizzle, layout};
    /// assert!(Composed::new(Swizzle::new(1, 0, 1)?, 0, layout!(4:1))?.is_bijective()?);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`is_surjective`](Self::is_surjective).
    pub const fn is_bijective(&self) -> Result<bool, Error> {
        self.is_compact()
    }

    /// Whether a larger index has a larger offset.
    ///
    /// ```
    /// use tilework::{Composed, Swizzle, layout};
    /// assert!(!Composed::new(Swizzle::new(1, 0, 1)?, 0, layout!(4:1))?.is_increasing()?); // 0, 1, 3, 2
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`bounds`](Self::bounds).
    pub const fn is_increasing(&self) -> Result<bool, Error> {
        if let Ok(layout) = self.to_layout()
            && layout.codomain().same(Codomain::Integer)
        {
            return layout.is_increasing();
        }
        // Offsets after the first decrease are checked too.
        tri!(self.check_offsets());
        let (mut last, mut c) = (tri!(self.const_try_at(0)), 1);
        while c < self.layout().size() {
            let offset = tri!(self.const_try_at(c));
            if offset <= last {
                return Ok(false);
            }
            if c > MAX_EXAMINED {
                return Err(Error::Undecided { operation: "is_increasing" });
            }
            last = offset;
            c += 1;
        }
        Ok(true)
    }

    /// [`Layout::footprint`](crate::Layout::footprint) of the inner layout: adding an offset and a swizzle are
    /// injective.
    ///
    /// ```
    /// use tilework::{Composed, Swizzle, layout};
    /// assert_eq!(Composed::new(Swizzle::new(3, 4, 3)?, 8, layout!((8,64):(64,0)))?.footprint()?, 8);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Argument`] if an offset is below 0, for which a swizzle is not defined; those of
    /// [`Layout::footprint`](crate::Layout::footprint).
    pub const fn footprint(&self) -> Result<i64, Error> {
        tri!(self.check_offsets());
        self.layout().footprint()
    }

    /// [`Layout::contiguity`](crate::Layout::contiguity) of the swizzled offsets.
    ///
    /// ```
    /// use tilework::{Composed, Swizzle, layout};
    /// let swizzled = Composed::new(Swizzle::new(3, 3, 3)?, 0, layout!((8,64):(64,1)))?;
    /// assert_eq!(swizzled.contiguity()?.to_string(), "(1,8)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Argument`] if an offset is below 0, for which a swizzle is not defined; those of
    /// [`to_xor`](Self::to_xor) if the swizzle changes offsets; with an offset, [`Error::Undecided`] beyond 65,536
    /// coordinates.
    pub const fn contiguity(&self) -> Result<Shape, Error> {
        if self.changes_nothing() && self.layout().codomain().same(Codomain::Integer) {
            return self.layout().contiguity();
        }
        tri!(self.check_offsets());
        if self.offset() != 0 {
            return self.contiguity_by_evaluation();
        }
        let xor = tri!(self.to_xor());
        if self.layout().as_tuple().is_leaf() {
            // Its pieces are one mode.
            return tri!(tri!(Layout::new(tri!(xor.as_tuple().wrap()))).contiguity()).mode(0);
        }
        xor.contiguity()
    }

    /// The contiguity of each mode, from the steps at which an offset is not the previous one plus 1.
    const fn contiguity_by_evaluation(&self) -> Result<Shape, Error> {
        if self.layout().size() > MAX_EXAMINED {
            return Err(Error::Undecided { operation: "contiguity" });
        }
        let (layout, mut before) = (self.layout(), 1);
        tri!(layout.as_tuple().check_modes());
        let (mut modes, mut i) = ([HTuple::leaf(1); MAX_LEAVES], 0);
        while i < layout.rank() {
            let extent = tri!(layout.mode(i)).size();
            let (mut breaks, mut c) = ([0u64; MAX_EXAMINED as usize / 64], 0);
            while c < layout.size() {
                let at = c / before % extent;
                if at > 0 && tri!(self.const_try_at(c)) != tri!(self.const_try_at(c - before)) + 1 {
                    breaks[at as usize / 64] |= 1 << (at % 64);
                }
                c += 1;
            }
            let mut count = extent;
            while extent % count != 0 || !every(&breaks, extent, count) {
                count -= 1;
            }
            modes[i] = HTuple::leaf(count);
            before *= extent;
            i += 1;
        }
        if layout.as_tuple().is_leaf() {
            Ok(modes[0])
        } else {
            HTuple::tuple(modes.split_at(layout.rank()).0)
        }
    }

    /// Refuses a layout with an offset below 0: the swizzle is not defined there.
    pub(crate) const fn check_offsets(&self) -> Result<(), Error> {
        let lowest = match self.layout().codomain() {
            // XOR strides do not change the sign.
            Codomain::Xor => self.offset(),
            _ => tri!(int::add(self.offset(), tri!(self.layout().bounds("a swizzle")).0)),
        };
        tri!(self.swizzle().apply(lowest));
        Ok(())
    }
}

/// Whether all breaks below `extent` are at multiples of `count`.
const fn every(breaks: &[u64; MAX_EXAMINED as usize / 64], extent: i64, count: i64) -> bool {
    let mut at = 0;
    while at < extent {
        if at % count != 0 && breaks[at as usize / 64] >> (at % 64) & 1 == 1 {
            return false;
        }
        at += 1;
    }
    true
}
