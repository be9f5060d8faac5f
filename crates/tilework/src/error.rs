//! The errors: each condition, with the numbers that violate it.

use crate::codomain::Codomain;

/// A condition of an operation that does not hold.
///
/// An error is a plain value that can be matched on and has a stable [`code`](Error::code). Its message says which
/// condition failed, at which leaf, with which numbers, and, if known, how to fix it. Leaves are numbered from 0, from
/// left to right.
///
/// ```
/// use tilework::{Error, Layout};
/// let a: Layout = "(4,6,8):(2,3,5)".parse()?;
/// let b: Layout = "6:1".parse()?;
/// let error = a.composition(&b).unwrap_err();
/// assert_eq!(error, Error::ShapeDivisibility { leaf: 0, extent: 6, stride: 1, steps: 4 });
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
        /// The name of the number.
        what: &'static str,
    },
    /// More leaves, nodes or levels than the fixed capacity.
    Capacity {
        /// The name of the limited items.
        what: &'static str,
        /// The capacity.
        limit: usize,
    },
    /// The text does not follow the notation.
    Syntax {
        /// The number of bytes of the text before the error.
        at: usize,
        /// The text that was expected there.
        expected: &'static str,
    },
    /// An extent is not positive.
    Extent {
        /// The leaf.
        leaf: usize,
        /// Its extent.
        extent: i64,
    },
    /// Two tuples have different profiles but need the same one.
    Incongruent {
        /// The two tuples.
        what: &'static str,
    },
    /// A shape and a stride have different profiles.
    Profiles {
        /// The leaf of the shape at which the first difference begins; none if it is the whole shape.
        leaf: Option<usize>,
        /// The rank of the shape's tuple there; none if it is an integer.
        shape: Option<usize>,
        /// The same of the stride.
        stride: Option<usize>,
    },
    /// A coordinate is not weakly congruent with the shape.
    Entries {
        /// The leaf of the coordinate at which the first difference begins; none if it is the whole coordinate.
        leaf: Option<usize>,
        /// The rank of the coordinate's tuple there; none if it is an integer.
        coordinate: Option<usize>,
        /// The same of the shape.
        shape: Option<usize>,
    },
    /// A coordinate that the operation does not take.
    Coordinate {
        /// The reason.
        what: &'static str,
    },
    /// There is no such mode.
    Index {
        /// The requested index.
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
    /// Two sizes have to agree and do not.
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
    /// Composition: the left layout changes its step inside a leaf of the right one, at a step that does not divide the
    /// leaf's extent (paper, section 3.3.2, equation 21).
    ShapeDivisibility {
        /// The leaf of the right layout.
        leaf: usize,
        /// Its extent.
        extent: i64,
        /// Its stride.
        stride: i64,
        /// The number of its steps that fit: the composition with `steps:stride` is a layout, and with one more step it
        /// is not.
        steps: i64,
    },
    /// Composition: the sum of steps of the right layout carries over a mode of the left one, although each step alone
    /// does not (paper, section 3.3.2, equation 23).
    Carry {
        /// The prefix product of the left layout's coalesced shape that the sum passes.
        boundary: i64,
        /// The first leaf of the right layout that takes part.
        first: usize,
        /// The last leaf that takes part; equal to `first` if one leaf carries within itself.
        last: usize,
    },
    /// A stride of the result would have more components than fit, or larger ones.
    NotBasis {
        /// The leaf of the right layout whose stride does not fit.
        leaf: usize,
    },
    /// The operation takes strides that are multiples of one basis element each.
    SeveralComponents {
        /// The operation.
        operation: &'static str,
        /// The leaf whose stride has several components.
        leaf: usize,
    },
    /// The exact answer was not found within the work budget.
    Undecided {
        /// The operation.
        operation: &'static str,
    },
    /// The operation does not accept negative strides.
    NegativeStride {
        /// The operation.
        operation: &'static str,
        /// The stride.
        stride: i64,
    },
    /// Complement: two modes interleave, so nothing can fill the gaps between them.
    Overlap {
        /// Extent of the mode with the smaller stride.
        extent: i64,
        /// The smaller stride.
        stride: i64,
        /// The next stride, smaller than `extent * stride`.
        next: i64,
    },
    /// Divide: the gap between two modes of the tile cannot be filled completely, so elements would be lost.
    Gap {
        /// Extent of the mode with the smaller stride.
        extent: i64,
        /// The smaller stride.
        stride: i64,
        /// The next stride, not a multiple of `extent * stride`.
        next: i64,
    },
    /// Divide: a mode of the tile moves forward along several components, so that a coordinate is in no tile.
    Skew {
        /// The leaf of the tile.
        leaf: usize,
        /// The component along which it moves.
        component: usize,
        /// The coordinate that is left out has this value there, and 0 in the other components.
        at: i64,
    },
    /// Inverse: two coordinates have the same offset.
    NotInjective {
        /// The index of the one.
        first: i64,
        /// The index of the other.
        second: i64,
    },
    /// Inverse: no coordinate has this offset, and a bijection has it.
    NotSurjective {
        /// The offset, or its value in the component.
        offset: i64,
        /// The component, where offsets are coordinates; the others are 0.
        component: Option<usize>,
    },
    /// The requested inverse does not exist.
    NoInverse {
        /// The reason.
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
        /// The reason.
        reason: &'static str,
    },
    /// A mode is not one extent with one stride.
    NotFlat {
        /// The mode.
        mode: usize,
    },
    /// An extent has to be a power of two and is not.
    NotPowerOfTwo {
        /// The name of the extent.
        what: &'static str,
        /// The leaf.
        leaf: usize,
        /// Its extent.
        extent: i64,
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
        /// The reason.
        reason: &'static str,
    },
    /// A coordinate is outside the shape.
    OutOfBounds {
        /// The leaf of the coordinate.
        leaf: usize,
        /// The integer there.
        index: i64,
        /// The number of coordinates of its mode.
        size: i64,
    },
    /// A group or a size of a pattern of `einfold` is not that of the modes.
    Pattern {
        /// The number of bytes of the pattern before the group or name.
        at: usize,
        /// What the first number is.
        what: &'static str,
        /// The number of the pattern.
        found: i64,
        /// What the second number is.
        beside: &'static str,
        /// The number of the modes.
        expected: i64,
    },
    /// A tensor has offsets that its accessor does not reach.
    Image {
        /// The smallest offset.
        min: i64,
        /// The largest offset.
        max: i64,
        /// The first offset of the accessor.
        start: i64,
        /// The offset after its last one.
        end: i64,
    },
    /// Not enough memory for a tensor.
    Memory {
        /// The number of elements.
        elements: i64,
    },
    /// Symbolic extents: a fact, a name or a value that cannot be used.
    Fact {
        /// The reason.
        reason: &'static str,
    },
    /// An argument is outside its range.
    Argument {
        /// The operation.
        operation: &'static str,
        /// The values that it accepts.
        expected: &'static str,
        /// The value that it got.
        found: i64,
    },
}

impl Error {
    /// A short name of the condition that will not change.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Error::Overflow { .. } | Error::TooLarge { .. } => "overflow",
            Error::Capacity { .. } => "capacity",
            Error::Syntax { .. } => "syntax",
            Error::Extent { .. } => "extent",
            Error::Incongruent { .. } | Error::Profiles { .. } => "incongruent",
            Error::Entries { .. } | Error::Coordinate { .. } => "coordinate",
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
            Error::SeveralComponents { .. } => "several-components",
            Error::Undecided { .. } => "undecided",
            Error::NegativeStride { .. } => "negative-stride",
            Error::Overlap { .. } => "overlap",
            Error::Gap { .. } => "gap",
            Error::Skew { .. } => "skew",
            Error::NotInjective { .. } | Error::NotSurjective { .. } | Error::NoInverse { .. } => {
                "no-inverse"
            }
            Error::CarrylessScale { .. } => "carryless-scale",
            Error::NotXorLinear { .. } => "not-xor-linear",
            Error::NotFlat { .. } => "not-flat",
            Error::NotPowerOfTwo { .. } => "not-power-of-two",
            Error::Divisibility { .. } => "divisibility",
            Error::Swizzle { .. } => "swizzle",
            Error::OutOfBounds { .. } => "out-of-bounds",
            Error::Pattern { .. } => "pattern",
            Error::Image { .. } => "image",
            Error::Memory { .. } => "memory",
            Error::Fact { .. } => "fact",
            Error::Argument { .. } => "argument",
        }
    }
}

/// Unwraps a result; an error is a panic with its sentence, and in a constant a compile error.
///
/// ```
/// use tilework::{Layout, layout, unwrap};
/// const DATA: Layout = layout!((8,8):(8,1));
/// const TV: Layout = unwrap(DATA.composition(&layout!(((4,8),2):((16,1),8))));
/// assert_eq!(TV.to_string(), "((4,8),2):((2,8),1)");
/// ```
///
/// In a constant, an error does not compile:
///
/// ```compile_fail
/// use tilework::{Layout, layout, unwrap};
/// // error[E0080]: evaluation panicked: at leaf 0, 6:1, the left layout changes its step: 4:1 fits
/// // and 5:1 does not; a multiple of 4 may fit as well
/// const R: Layout = unwrap(layout!((4,6,8):(2,3,5)).composition(&layout!(6:1)));
/// ```
///
/// # Panics
/// For an error.
#[track_caller]
#[inline(always)]
pub const fn unwrap<T: Copy>(result: Result<T, Error>) -> T {
    match result {
        Ok(value) => value,
        Err(error) => stop(error),
    }
}

/// The sentence as a panic.
#[cold]
#[track_caller]
pub(crate) const fn stop(error: Error) -> ! {
    panic!("{}", error.message().as_str())
}

/// The value, or the given error: `Option::ok_or`, which is not `const` yet.
#[inline]
pub(crate) const fn ok_or<T: Copy>(value: Option<T>, error: Error) -> Result<T, Error> {
    match value {
        Some(value) => Ok(value),
        None => Err(error),
    }
}

/// The value of a `Result`, or an early return of its error: `?`, which is not available in `const` yet.
macro_rules! tri {
    ($result:expr) => {
        match $result {
            Ok(value) => value,
            Err(error) => return Err(error),
        }
    };
}
pub(crate) use tri;
