//! Elements of another width for XOR strides and swizzles: the offset of a wide element of `2^n` is the bits from `n` on.

use super::bits::reach;
use crate::error::{Error, tri};
use crate::int;
use crate::layout::{Layout, Leaf};
use crate::stride::Stride;
use crate::swizzle::{Composed, Swizzle};

impl Layout {
    /// [`upcast`](Layout::upcast) of XOR strides. A leaf steps within a wide element, or by whole ones, or, with a
    /// power of two as stride, first within one and then by whole ones.
    pub(crate) const fn xor_upcast(&self, count: i64) -> Result<Layout, Error> {
        let bits = tri!(exponent("upcast of XOR strides", count));
        let mut tuple = *self.as_tuple();
        let mut i = 0;
        while i < tuple.leaves().len() {
            let Leaf { extent, stride } = tuple.leaves()[i];
            let stride = stride.numerator();
            tuple.leaves_mut()[i] = if extent == 1 {
                Leaf::new(1, 0)
            } else if stride & (count - 1) == 0 {
                Leaf { extent, stride: tri!(Stride::xor(stride >> bits)) }
            } else if reach(extent, stride) < count as u64 {
                Leaf::new(1, 0)
            } else if stride < count && stride.count_ones() == 1 {
                let within = bits - stride.trailing_zeros();
                Leaf { extent: ((extent - 1) >> within) + 1, stride: tri!(Stride::xor(1)) }
            } else {
                return Err(Error::Divisibility { operation: "upcast", value: stride, divisor: count });
            };
            i += 1;
        }
        Layout::new(tuple)
    }

    /// [`downcast`](Layout::downcast) of XOR strides, in which the leaf `split` gets the parts of an element.
    pub(crate) const fn xor_downcast(&self, count: i64, split: usize) -> Result<Layout, Error> {
        tri!(exponent("downcast of XOR strides", count));
        let mut tuple = *self.as_tuple();
        let mut i = 0;
        while i < tuple.leaves().len() {
            let Leaf { extent, stride } = tuple.leaves()[i];
            if i == split {
                tuple.leaves_mut()[i] =
                    Leaf { extent: tri!(int::mul(extent, count)), stride: tri!(Stride::xor(1)) };
            } else if extent > 1 {
                tuple.leaves_mut()[i].stride = tri!(Stride::xor(tri!(int::mul(stride.numerator(), count))));
            }
            i += 1;
        }
        Layout::new(tuple)
    }
}

impl Swizzle {
    /// The swizzle of elements `count` times as wide: the base is smaller by `log2(count)`, as in CuTe's `upcast`.
    ///
    /// ```
    /// use tilework::Swizzle;
    /// // 128 bytes of bytes, and of 16-bit elements.
    /// assert_eq!(Swizzle::new(3, 4, 3)?.upcast(2)?, Swizzle::new(3, 3, 3)?);
    /// assert!(Swizzle::new(3, 4, 3)?.upcast(32).is_err());
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Divisibility`] if `count` does not divide the `2^base` elements that the swizzle keeps together,
    /// because it would permute within a wide element. CuTe then drops these bits.
    pub const fn upcast(self, count: i64) -> Result<Swizzle, Error> {
        tri!(check_positive("upcast", count));
        if self.bits() == 0 {
            return Ok(self);
        }
        let together = 1 << self.base();
        if together % count != 0 {
            let operation = "upcast of the elements that a swizzle keeps together";
            return Err(Error::Divisibility { operation, value: together, divisor: count });
        }
        let base = self.base() as i64 - count.trailing_zeros() as i64;
        Swizzle::new(self.bits() as i64, base, self.shift() as i64)
    }

    /// The swizzle of elements `1/count` as wide: the base is larger by `log2(count)`.
    ///
    /// ```
    /// use tilework::Swizzle;
    /// assert_eq!(Swizzle::new(3, 3, 3)?.downcast(2)?, Swizzle::new(3, 4, 3)?);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Argument`] if `count` is not a power of two, [`Error::Swizzle`] if the fields reach beyond bit 62.
    pub const fn downcast(self, count: i64) -> Result<Swizzle, Error> {
        tri!(check_positive("downcast", count));
        if self.bits() == 0 {
            return Ok(self);
        }
        let base = self.base() as i64 + tri!(exponent("downcast of a swizzle", count)) as i64;
        Swizzle::new(self.bits() as i64, base, self.shift() as i64)
    }

    /// The swizzle for elements of `new_bits`, given this one for elements of `old_bits`.
    ///
    /// ```
    /// use tilework::Swizzle;
    /// assert_eq!(Swizzle::new(3, 4, 3)?.recast(8, 32)?, Swizzle::new(3, 2, 3)?);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`upcast`](Self::upcast) and [`downcast`](Self::downcast).
    pub const fn recast(self, old_bits: i64, new_bits: i64) -> Result<Swizzle, Error> {
        let (narrow, wide) = tri!(ratio(old_bits, new_bits));
        tri!(self.downcast(narrow)).upcast(wide)
    }
}

impl Composed {
    /// The swizzled layout of elements `count` times as wide: swizzle, offset and layout, each counted in them.
    ///
    /// ```
    /// use tilework::{Composed, Swizzle, layout};
    /// let bytes = Composed::new(Swizzle::new(3, 4, 3)?, 256, layout!((8,128):(128,1)))?;
    /// assert_eq!(bytes.upcast(4)?.to_string(), "Sw<3,2,3> o 64 o (8,32):(32,1)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Swizzle::upcast`] and [`Layout::upcast`]; [`Error::Divisibility`] for an offset within a wide element.
    pub const fn upcast(&self, count: i64) -> Result<Composed, Error> {
        let swizzle = tri!(self.swizzle().upcast(count));
        if self.offset() % count != 0 {
            return Err(Error::Divisibility {
                operation: "upcast of the offset",
                value: self.offset(),
                divisor: count,
            });
        }
        Composed::new(swizzle, self.offset() / count, tri!(self.layout().upcast(count)))
    }

    /// The swizzled layout of elements `1/count` as wide.
    ///
    /// ```
    /// use tilework::{Composed, Swizzle, layout};
    /// let words = Composed::new(Swizzle::new(3, 2, 3)?, 64, layout!((8,32):(32,1)))?;
    /// assert_eq!(words.downcast(4)?.to_string(), "Sw<3,4,3> o 256 o (8,128):(128,1)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Swizzle::downcast`] and [`Layout::downcast`]; [`Error::Overflow`].
    pub const fn downcast(&self, count: i64) -> Result<Composed, Error> {
        let swizzle = tri!(self.swizzle().downcast(count));
        let layout = tri!(self.layout().downcast(count));
        Composed::new(swizzle, tri!(int::mul(self.offset(), count)), layout)
    }

    /// The swizzled layout for elements of `new_bits`, given this one for elements of `old_bits`.
    ///
    /// ```
    /// use tilework::{Composed, Swizzle, layout};
    /// let halves = Composed::new(Swizzle::new(3, 3, 3)?, 0, layout!((8,64):(64,1)))?;
    /// assert_eq!(halves.recast(16, 32)?.to_string(), "Sw<3,2,3> o 0 o (8,32):(32,1)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`upcast`](Self::upcast) and [`downcast`](Self::downcast).
    pub const fn recast(&self, old_bits: i64, new_bits: i64) -> Result<Composed, Error> {
        let (narrow, wide) = tri!(ratio(old_bits, new_bits));
        tri!(self.downcast(narrow)).upcast(wide)
    }
}

/// The numbers of narrow elements in an old and in a new element.
pub(crate) const fn ratio(old_bits: i64, new_bits: i64) -> Result<(i64, i64), Error> {
    tri!(check_positive("recast", old_bits));
    tri!(check_positive("recast", new_bits));
    let common = int::gcd(old_bits as u64, new_bits as u64) as i64;
    Ok((old_bits / common, new_bits / common))
}

pub(crate) const fn check_positive(operation: &'static str, found: i64) -> Result<(), Error> {
    if found < 1 {
        return Err(Error::Argument { operation, expected: "widths of 1 or more", found });
    }
    Ok(())
}

/// The exponent `n` of `2^n`.
const fn exponent(operation: &'static str, found: i64) -> Result<u32, Error> {
    if found.count_ones() != 1 {
        return Err(Error::Argument { operation, expected: "a power of two", found });
    }
    Ok(found.trailing_zeros())
}
