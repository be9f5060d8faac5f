//! The sentence of each error.

use super::Text;
use crate::error::Error;
use core::fmt;

impl Error {
    /// The sentence, for `const` as well: `panic!("{}", error.message().as_str())`.
    #[must_use]
    pub const fn message(&self) -> Text {
        let mut text = Text::new();
        match *self {
            Error::Overflow { left, operator, right } => {
                let operator = match operator {
                    '+' => " + ",
                    '-' => " - ",
                    '^' => " * (carry-less) ",
                    _ => " * ",
                };
                text.push_int(left).push(operator).push_int(right).push(" does not fit in 64 bits")
            }
            Error::TooLarge { what } => text.push(what).push(" does not fit in 64 bits"),
            Error::Capacity { what, limit } => {
                text.push("more than ").push_int(limit as i64).push(" ").push(what)
            }
            Error::Syntax { at, expected } => {
                text.push("expected ").push(expected).push(" at byte ").push_int(at as i64)
            }
            Error::Extent { leaf, extent } => {
                text.push("leaf ").push_int(leaf as i64).push(" has extent ").push_int(extent);
                text.push("; an extent is 1 or more")
            }
            Error::Incongruent { what } => text.push(what).push(" have different profiles"),
            Error::Coordinate { what } => text.push(what),
            Error::Index { index, rank } => {
                text.push("there is no mode ").push_int(index as i64).push("; the rank is ").push_int(rank as i64)
            }
            Error::Rank { operation, expected, found } => {
                text.push(operation).push(" takes rank ").push_int(expected as i64);
                text.push(" here, found rank ").push_int(found as i64)
            }
            Error::Size { operation, expected, found } => {
                text.push(operation).push(" needs size ").push_int(expected).push(", found ").push_int(found)
            }
            Error::MixedCodomain { left, right } => {
                text.push("the strides of one layout share one codomain; here are ").push(left.name());
                text.push(" and ").push(right.name()).push(" strides")
            }
            Error::Codomain { operation, found } => {
                text.push(operation).push(" is not defined for ").push(found.name()).push(" strides")
            }
            Error::NestedBasis => {
                text.push("one basis element addresses a mode and another a mode within it; address leaves of one profile")
            }
            Error::NotIntegral { operation, numerator, denominator } => {
                text.push(operation).push(" needs an integer, found ").push_int(numerator).push("/");
                text.push_int(denominator)
            }
            Error::ShapeDivisibility { leaf, extent, stride, first_break } => {
                text.push("at leaf ").push_int(leaf as i64).push(", ").push_int(extent).push(":").push_int(stride);
                text.push(", the left layout changes its step after ").push_int(first_break).push(" steps of ");
                text.push_int(stride).push(", and ").push_int(first_break).push(" does not divide ").push_int(extent);
                text.push("; an extent that is a multiple of ").push_int(first_break).push(" or at most ");
                text.push_int(first_break).push(" may fit")
            }
            Error::Carry { boundary, first, last } => {
                if first == last {
                    text.push("steps of leaf ").push_int(first as i64).push(" of the right layout");
                } else {
                    text.push("leaves ").push_int(first as i64).push(" to ").push_int(last as i64);
                    text.push(" of the right layout together");
                }
                text.push(" carry over ").push_int(boundary);
                text.push(", where the left layout changes its step; keep their sums below ").push_int(boundary);
                text.push(" or make the strides multiples of it")
            }
            Error::NotBasis { leaf } => {
                text.push("the stride for leaf ").push_int(leaf as i64);
                text.push(" would have several components; a stride is a multiple of one basis element")
            }
            Error::Undecided { operation } => {
                text.push(operation).push(": the exact answer was not found within the work budget")
            }
            Error::NegativeStride { operation, stride } => {
                text.push(operation).push(" takes no negative stride, found ").push_int(stride)
            }
            Error::Overlap { extent, stride, next } => {
                text.push("the mode ").push_int(extent).push(":").push_int(stride).push(" and the one of stride ");
                text.push_int(next).push(" interleave; the next stride has to be ").push_int(extent);
                text.push("*").push_int(stride).push(" or more")
            }
            Error::Gap { extent, stride, next } => {
                text.push("the gap between the tile's mode ").push_int(extent).push(":").push_int(stride);
                text.push(" and the one of stride ").push_int(next);
                text.push(" cannot be filled whole, and elements would be left out; make ").push_int(next);
                text.push(" a multiple of ").push_int(extent).push("*").push_int(stride)
            }
            Error::NoInverse { reason } => text.push("no layout is this inverse: ").push(reason),
            Error::CarrylessScale { extent, stride } => {
                text.push("the multiples of ^").push_int(stride).push(" below ").push_int(extent);
                text.push(" carry, so that integer and XOR scaling differ; split the mode into modes of extent 2")
            }
            Error::NotXorLinear { reason } => text.push("not linear over F2: ").push(reason),
            Error::NotFlat { mode } => {
                text.push("mode ").push_int(mode as i64).push(" is no extent with one stride")
            }
            Error::NotPowerOfTwo { what, leaf, extent } => {
                text.push("leaf ").push_int(leaf as i64).push(" of ").push(what).push(" has extent ");
                text.push_int(extent).push(", which is no power of two")
            }
            Error::Divisibility { operation, value, divisor } => {
                text.push(operation).push(": ").push_int(divisor).push(" does not divide ").push_int(value)
            }
            Error::Swizzle { reason } => text.push("no such swizzle: ").push(reason),
            Error::OutOfBounds { leaf, index, size } => {
                text.push("leaf ").push_int(leaf as i64).push(" of the coordinate is ").push_int(index);
                text.push(", and its mode goes from 0 to ").push_int(size - 1)
            }
            Error::Image { min, max, start, end } => {
                text.push("the offsets go from ").push_int(min).push(" to ").push_int(max);
                if start < end {
                    text.push(", and the accessor reaches those from ").push_int(start);
                    text.push(" to ").push_int(end - 1);
                } else {
                    text.push(", and the accessor reaches none");
                }
                text.push("; more elements, another start offset or a smaller layout would fit")
            }
            Error::Memory { elements } => {
                text.push("not enough memory for ").push_int(elements).push(" elements")
            }
            Error::Argument { operation, expected, found } => {
                text.push(operation).push(" takes ").push(expected).push(", found ").push_int(found)
            }
        };
        text
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message().as_str())
    }
}

impl core::error::Error for Error {}
