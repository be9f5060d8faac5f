//! The types of an accessor's offsets: an integer, or a coordinate.

use super::HasLayout;
use super::coordinate::Spread;
use crate::codomain::Codomain;
use crate::error::Error;
use crate::int;
use crate::layout::{self, Leaf, Offset};
use crate::shape::Coord;
use crate::stride::{Rational, Stride};
use crate::tuple::map_leaves;
use core::fmt;
use core::ops::Range;

/// The type of an accessor's offsets: `i64` for integer and XOR strides, [`Coord`] for coordinate strides. The trait is
/// sealed.
pub trait AccessorOffset: Displace {}

impl AccessorOffset for i64 {}
impl AccessorOffset for Coord {}

/// How the offsets of a tensor are computed.
pub trait Displace: Copy + PartialEq + fmt::Display + fmt::Debug {
    /// The zero offset.
    const ZERO: Self;

    /// Checks that `self + L` is within the bounds. Returns `self` with a place for every component of the sum.
    fn check<L: HasLayout>(self, layout: &L, bounds: Option<Range<i64>>) -> Result<Self, Error>;

    /// `self + L(c)`; `None` for a coordinate outside the shape.
    fn locate<L: HasLayout, C: Spread>(self, layout: &L, coord: C) -> Option<Self>;

    /// `self + offset`, for an offset of a layout with that codomain.
    fn plus(self, offset: &Offset, codomain: Codomain) -> Result<Self, Error>;

    /// `self` after the digit of a leaf changes.
    fn step(&mut self, stride: Stride, from: i64, to: i64);

    /// The start of the steps through `as_layout`.
    fn before<L: HasLayout>(self, layout: &L) -> Self;

    /// The offset in the tensor after these steps.
    fn after<L: HasLayout>(self, layout: &L, steps: Self) -> Self;
}

impl Displace for i64 {
    const ZERO: i64 = 0;

    #[inline(always)]
    fn check<L: HasLayout>(self, layout: &L, bounds: Option<Range<i64>>) -> Result<i64, Error> {
        let (min, max) = layout.image(self)?;
        match bounds {
            Some(Range { start, end }) if min < start || max >= end => {
                Err(Error::Image { min, max, start, end })
            }
            _ => Ok(self),
        }
    }

    #[inline(always)]
    fn locate<L: HasLayout, C: Spread>(self, layout: &L, coord: C) -> Option<i64> {
        layout.offset_of(self, coord)
    }

    fn plus(self, offset: &Offset, codomain: Codomain) -> Result<i64, Error> {
        codomain.sum(self, offset.leaves()[0].numerator())
    }

    #[inline]
    fn step(&mut self, stride: Stride, from: i64, to: i64) {
        if stride.unit().is_xor() {
            *self ^= int::carryless_mul(from ^ to, stride.numerator()).unwrap_or(0);
        } else {
            *self = self.wrapping_add((to - from).wrapping_mul(stride.numerator()));
        }
    }

    #[inline(always)]
    fn before<L: HasLayout>(self, layout: &L) -> i64 {
        if layout.swizzled().is_some() { 0 } else { self }
    }

    #[inline(always)]
    fn after<L: HasLayout>(self, layout: &L, steps: i64) -> i64 {
        layout.swizzled().map_or(steps, |swizzled| swizzled.swizzle_after(self, steps))
    }
}

impl Displace for Coord {
    const ZERO: Coord = Coord::leaf(0);

    fn check<L: HasLayout>(self, layout: &L, _: Option<Range<i64>>) -> Result<Coord, Error> {
        let found = layout.as_layout().codomain();
        if layout.swizzled().is_some() || found.same(Codomain::Xor) {
            return Err(Error::Codomain { operation: "a tensor of coordinates", found: Codomain::Xor });
        }
        let start = sum(&self, &layout.as_layout().codomain_profile()?)?;
        let (mut low, mut high) = (0, 0);
        for &Leaf { extent, stride } in layout.as_layout().leaves() {
            for term in stride.terms() {
                // The sums of both are known to fit.
                let reach = (extent - 1) * integer(term.count())?;
                *(if reach < 0 { &mut low } else { &mut high }) += reach;
            }
        }
        for &component in start.leaves() {
            int::add(component, low)?;
            int::add(component, high)?;
        }
        Ok(start)
    }

    fn locate<L: HasLayout, C: Spread>(self, layout: &L, coord: C) -> Option<Coord> {
        let mut place = self;
        coord.spread(layout.as_layout(), |leaf, digit| place.step(leaf.stride, 0, digit)).then_some(place)
    }

    fn plus(self, offset: &Offset, _: Codomain) -> Result<Coord, Error> {
        sum(&self, offset)
    }

    fn step(&mut self, stride: Stride, from: i64, to: i64) {
        for term in stride.terms() {
            let (path, level) = term.unit().path();
            if let Ok((_, leaf)) = self.find(&path[..level]) {
                let component = &mut self.leaves_mut()[leaf];
                *component = component.wrapping_add((to - from).wrapping_mul(term.numerator()));
            }
        }
    }

    fn before<L: HasLayout>(self, _: &L) -> Coord {
        self
    }

    fn after<L: HasLayout>(self, _: &L, steps: Coord) -> Coord {
        steps
    }
}

fn integer(value: Rational) -> Result<i64, Error> {
    if value.is_integer() {
        return Ok(value.numerator());
    }
    let (numerator, denominator) = (value.numerator(), value.denominator());
    Err(Error::NotIntegral { operation: "a tensor of coordinates", numerator, denominator })
}

/// The sum of two coordinates; a component that only one of them has is 0 in the other.
fn sum(left: &Coord, right: &Offset) -> Result<Coord, Error> {
    let components = map_leaves!(left => Rational::ZERO, |component| Rational::integer(component));
    let sum = layout::sum(&components, right)?;
    Ok(map_leaves!(sum => 0, |component| integer(component)?))
}
