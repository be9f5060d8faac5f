//! The memory that a layout touches, and the length of its contiguous pieces.

use super::MAX_EXAMINED;
use crate::codomain::Codomain;
use crate::error::{Error, tri};
use crate::int;
use crate::layout::{Layout, Leaf};
use crate::shape::Shape;
use crate::tuple::{HTuple, MAX_LEAVES};

impl Layout {
    /// The number of distinct offsets: the elements that are touched, each counted once.
    ///
    /// ```
    /// use tilework::layout;
    /// assert_eq!(layout!((4,8):(8,1)).footprint()?, 32);
    /// // The windows of a convolution overlap.
    /// assert_eq!(layout!((3,6):(1,1)).footprint()?, 8);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Undecided`] if offsets coincide, leave gaps, and are more than 65,536 or span more; [`Error::Codomain`]
    /// if offsets of rational or coordinate strides coincide other than by a stride of 0.
    pub const fn footprint(&self) -> Result<i64, Error> {
        let moving = self.filter_zeros();
        if let Ok(true) = moving.is_injective() {
            return Ok(moving.size());
        }
        let (low, high) = tri!(moving.bounds("footprint"));
        // The number of distinct offsets does not depend on the signs of strides.
        if let Ok(true) = tri!(moving.upwards()).is_surjective() {
            return int::add(tri!(int::sub(high, low)), 1);
        }
        if moving.size() > MAX_EXAMINED || tri!(int::sub(high, low)) >= MAX_EXAMINED {
            return Err(Error::Undecided { operation: "footprint" });
        }
        let (mut seen, mut count, mut c) = ([0u64; MAX_EXAMINED as usize / 64], 0, 0);
        while c < moving.size() {
            let at = (tri!(moving.const_try_at(c)) - low) as usize;
            count += (seen[at / 64] >> (at % 64) & 1 == 0) as i64;
            seen[at / 64] |= 1 << (at % 64);
            c += 1;
        }
        Ok(count)
    }

    /// The same modes with the magnitudes of their strides.
    const fn upwards(&self) -> Result<Layout, Error> {
        let (mut tuple, mut i) = (*self.as_tuple(), 0);
        while i < tuple.leaves().len() {
            let Leaf { extent, stride } = tuple.leaves()[i];
            if self.codomain().same(Codomain::Integer) && stride.numerator() < 0 {
                tuple.leaves_mut()[i] = Leaf::new(extent, tri!(int::sub(0, stride.numerator())));
            }
            i += 1;
        }
        Layout::new(tuple)
    }

    /// For each mode, the greatest divisor `n` of its size such that every `n` neighbouring coordinates, from a
    /// multiple of `n` on, have consecutive ascending offsets for all other coordinates: the number of elements that
    /// one load can read.
    ///
    /// ```
    /// use tilework::layout;
    /// assert_eq!(layout!((4,8):(8,1)).contiguity()?.to_string(), "(1,8)");
    /// assert_eq!(layout!((8,(4,2)):(4,(1,32))).contiguity()?.to_string(), "(1,4)");
    /// // The swizzle keeps two elements together.
    /// assert_eq!(layout!((4,(2,4)):(^10,(^1,^2))).contiguity()?.to_string(), "(1,2)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Codomain`] for rational and coordinate strides; [`Error::Capacity`].
    pub const fn contiguity(&self) -> Result<Shape, Error> {
        if !matches!(self.codomain(), Codomain::Integer | Codomain::Xor) {
            return Err(Error::Codomain { operation: "contiguity", found: self.codomain() });
        }
        tri!(self.as_tuple().check_modes());
        let (mut modes, mut i) = ([HTuple::leaf(1); MAX_LEAVES], 0);
        while i < self.rank() {
            let mode = tri!(self.mode(i)).coalesce();
            let first = mode.leaves()[0];
            if first.extent > 1 && first.stride.numerator() == 1 {
                let free = match self.codomain() {
                    Codomain::Xor => tri!(self.free_bits(i)),
                    _ => first.extent as u64,
                };
                let extent = first.extent as u64;
                modes[i] = HTuple::leaf(if extent <= free { extent } else { int::gcd(extent, free) } as i64);
            }
            i += 1;
        }
        if self.as_tuple().is_leaf() { Ok(modes[0]) } else { HTuple::tuple(modes.split_at(self.rank()).0) }
    }

    /// Whether the elements are in memory in the order of the coordinates: `L(i) = i` for every index.
    ///
    /// ```
    /// use tilework::layout;
    /// assert!(layout!((4,8):(1,4)).is_contiguous()?);
    /// assert!(!layout!((4,8):(8,1)).is_contiguous()?);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// None for a valid layout.
    pub const fn is_contiguous(&self) -> Result<bool, Error> {
        Ok(self.equivalent(&tri!(Layout::const_column_major(&HTuple::leaf(self.size())))))
    }
}
