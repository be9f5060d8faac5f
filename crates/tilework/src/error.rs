//! What can go wrong, each condition with the numbers that broke it.

use crate::stride::Codomain;
use crate::text::Text;
use core::fmt;

/// The condition that an operation found broken.
///
/// An error is a plain value that can be matched on, it has a stable [`code`](Error::code), and its message says
/// which condition failed, at which leaf, with which numbers, and where there is one, what would fix it. Leaves are
/// numbered from 0 in the order in which they are written.
///
/// ```
/// use tilework::{Error, Layout};
/// let a: Layout = "(4,6,8):(2,3,5)".parse()?;
/// let b: Layout = "6:1".parse()?;
/// let error = a.composition(&b).unwrap_err();
/// assert_eq!(error, Error::ShapeDivisibility { leaf: 0, extent: 6, stride: 1, turn: 4 });
/// assert_eq!(error.code(), "shape-divisibility");
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// A result does not fit in 64 bits. The operator `^` is the carry-less product.
    Overflow {
        /// Left operand.
        left: i64,
        /// `+`, `-`, `*` or `^`.
        operator: char,
        /// Right operand.
        right: i64,
    },
    /// A number does not fit in 64 bits, and is not the sum or product of two that do.
    TooLarge {
        /// Which one.
        what: &'static str,
    },
    /// More leaves, nodes or levels than the fixed capacity holds.
    Capacity {
        /// What there is too much of.
        what: &'static str,
        /// How many there may be.
        limit: usize,
    },
    /// The text departs from the notation.
    Syntax {
        /// How many bytes of the text stand before that place.
        at: usize,
        /// What was expected there.
        expected: &'static str,
    },
    /// An extent is not positive.
    Extent {
        /// The leaf.
        leaf: usize,
        /// Its extent.
        extent: i64,
    },
    /// Two tuples should have the same profile and have not.
    Incongruent {
        /// Which two.
        what: &'static str,
    },
    /// A coordinate is not weakly congruent with the shape, or lies outside of it.
    Coordinate {
        /// What is wrong with it.
        what: &'static str,
    },
    /// There is no such mode.
    Index {
        /// The index asked for.
        index: usize,
        /// The number of modes.
        rank: usize,
    },
    /// An argument has the wrong rank.
    Rank {
        /// The operation.
        operation: &'static str,
        /// The rank it takes, at most or exactly.
        expected: usize,
        /// The rank it was given.
        found: usize,
    },
    /// Two sizes should agree and do not.
    Size {
        /// The operation.
        operation: &'static str,
        /// The size it needs.
        expected: i64,
        /// The size it was given.
        found: i64,
    },
    /// Strides of two codomains in one layout.
    MixedCodomain {
        /// The codomain of the strides before.
        left: Codomain,
        /// The codomain of the stride that does not fit.
        right: Codomain,
    },
    /// An operation is not defined on this codomain.
    Codomain {
        /// The operation.
        operation: &'static str,
        /// The codomain it was given.
        found: Codomain,
    },
    /// One basis element addresses a mode, another a mode within it.
    NestedBasis,
    /// A value has to be an integer and is a proper fraction.
    NotIntegral {
        /// The operation.
        operation: &'static str,
        /// Numerator.
        numerator: i64,
        /// Denominator.
        denominator: i64,
    },
    /// Composition: the left layout changes its step inside a leaf of the right one, at a place that does not divide
    /// the leaf's extent (paper, section 3.3.2, equation 21).
    ShapeDivisibility {
        /// The leaf of the right layout.
        leaf: usize,
        /// Its extent.
        extent: i64,
        /// Its stride.
        stride: i64,
        /// The number of steps of that stride after which the left layout is no longer linear.
        turn: i64,
    },
    /// Composition: the sum of steps of the right layout passes a mode of the left one, where the steps on their own
    /// do not (paper, section 3.3.2, equation 23).
    Carry {
        /// The prefix product of the left layout's coalesced shape that is passed.
        boundary: i64,
        /// The first leaf of the right layout that takes part.
        first: usize,
        /// The last leaf that takes part; equal to `first` where one leaf carries within itself.
        last: usize,
    },
    /// A stride of the result would have several components; a stride is a multiple of one basis element.
    NotBasis {
        /// The leaf of the right layout whose stride has several components.
        leaf: usize,
    },
    /// The exact answer was not found within the work budget.
    Undecided {
        /// The operation.
        operation: &'static str,
    },
    /// The operation takes no negative stride.
    NegativeStride {
        /// The operation.
        operation: &'static str,
        /// The stride.
        stride: i64,
    },
    /// Complement: two modes interleave, so that nothing can fill the gaps between them.
    Overlap {
        /// Extent of the mode with the smaller stride.
        extent: i64,
        /// The smaller stride.
        stride: i64,
        /// The next stride, smaller than `extent * stride`.
        next: i64,
    },
    /// Divide: the gap between two modes of the tile is not filled whole, so that elements would be left out.
    Gap {
        /// Extent of the mode with the smaller stride.
        extent: i64,
        /// The smaller stride.
        stride: i64,
        /// The next stride, no multiple of `extent * stride`.
        next: i64,
    },
    /// No layout is the inverse that was asked for.
    NoInverse {
        /// Why not.
        reason: &'static str,
    },
    /// XOR strides: the carry-less multiples of the stride differ from its integer multiples within the extent.
    CarrylessScale {
        /// The extent.
        extent: i64,
        /// The stride.
        stride: i64,
    },
    /// The function is not linear over F2.
    NotXorLinear {
        /// Why not.
        reason: &'static str,
    },
    /// A quantity has to divide another.
    Divisibility {
        /// The operation.
        operation: &'static str,
        /// The number to divide.
        value: i64,
        /// The divisor that leaves a remainder.
        divisor: i64,
    },
    /// No `Swizzle<B,M,S>` has these parameters.
    Swizzle {
        /// Why not.
        reason: &'static str,
    },
    /// A coordinate is not one of the shape.
    OutOfBounds {
        /// The leaf of the coordinate.
        leaf: usize,
        /// The integer that stands there.
        index: i64,
        /// How many coordinates its mode has.
        size: i64,
    },
    /// A tensor has offsets that its accessor does not reach.
    Image {
        /// The smallest offset.
        min: i64,
        /// The largest offset.
        max: i64,
        /// The first offset of the accessor.
        start: i64,
        /// The offset behind its last one.
        end: i64,
    },
    /// Not enough memory for a tensor.
    Memory {
        /// How many elements it would have.
        elements: i64,
    },
    /// An argument lies outside its range.
    Argument {
        /// The operation.
        operation: &'static str,
        /// What it takes.
        expected: &'static str,
        /// What it was given.
        found: i64,
    },
}

impl Error {
    /// A short name of the condition that will not change.
    pub const fn code(&self) -> &'static str {
        match self {
            Error::Overflow { .. } | Error::TooLarge { .. } => "overflow",
            Error::Capacity { .. } => "capacity",
            Error::Syntax { .. } => "syntax",
            Error::Extent { .. } => "extent",
            Error::Incongruent { .. } => "incongruent",
            Error::Coordinate { .. } => "coordinate",
            Error::Index { .. } => "index",
            Error::Rank { .. } => "rank",
            Error::Size { .. } => "size",
            Error::MixedCodomain { .. } => "mixed-codomain",
            Error::Codomain { .. } => "codomain",
            Error::NestedBasis => "nested-basis",
            Error::NotIntegral { .. } => "not-integral",
            Error::ShapeDivisibility { .. } => "shape-divisibility",
            Error::Carry { .. } => "carry",
            Error::NotBasis { .. } => "not-basis",
            Error::Undecided { .. } => "undecided",
            Error::NegativeStride { .. } => "negative-stride",
            Error::Overlap { .. } => "overlap",
            Error::Gap { .. } => "gap",
            Error::NoInverse { .. } => "no-inverse",
            Error::CarrylessScale { .. } => "carryless-scale",
            Error::NotXorLinear { .. } => "not-xor-linear",
            Error::Divisibility { .. } => "divisibility",
            Error::Swizzle { .. } => "swizzle",
            Error::OutOfBounds { .. } => "out-of-bounds",
            Error::Image { .. } => "image",
            Error::Memory { .. } => "memory",
            Error::Argument { .. } => "argument",
        }
    }

    /// The sentence, for `const` as well: `panic!("{}", error.message().as_str())`.
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
            Error::ShapeDivisibility { leaf, extent, stride, turn } => {
                text.push("at leaf ").push_int(leaf as i64).push(", ").push_int(extent).push(":").push_int(stride);
                text.push(", the left layout changes its step after ").push_int(turn).push(" steps of ");
                text.push_int(stride).push(", and ").push_int(turn).push(" does not divide ").push_int(extent);
                text.push("; an extent that is a multiple of ").push_int(turn).push(" or at most ");
                text.push_int(turn).push(" may fit")
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

/// The value of a `Result`, or an early return of its error: `?` where `const` does not have it yet.
macro_rules! tri {
    ($result:expr) => {
        match $result {
            Ok(value) => value,
            Err(error) => return Err(error),
        }
    };
}
pub(crate) use tri;
