//! The trait of layouts as types, and their offsets: the arithmetic of the strides and nothing else.
//!
//! [`Layout::at`] walks the leaves in a loop. For a constant layout the compiler unrolls such a loop, but so late that
//! it no longer knows the ranges of the coordinates, and keeps overflow checks that a hand-written index does not have.
//! So the loop is unrolled here, one leaf after another, with every extent and stride a literal; nothing past the last
//! leaf is instantiated.

use crate::codomain::Codomain;
use crate::error::{Error, stop, unwrap};
use crate::int;
use crate::layout::{Layout, Leaf};
use crate::tuple::{HTuple, MAX_LEAVES};
use core::marker::PhantomData;

/// A type that carries a layout as a constant.
///
/// [`static_layout!`](crate::static_layout!) implements it. Other types can implement it too, and are then accepted by
/// the whole algebra:
///
/// ```
/// use tilework::static_layout::{StaticLayout, LogicalDivide, Extent};
/// use tilework::{HTuple, Layout, Leaf, layout, unwrap};
/// /// `N` elements, `N + 1` apart.
/// struct Padded<const N: i64>;
/// impl<const N: i64> StaticLayout for Padded<N> {
///     const LAYOUT: Layout = unwrap(Layout::new(HTuple::leaf(Leaf::new(N, N + 1))));
/// }
/// assert_eq!(Padded::<8>::at(3), 27);
/// assert_eq!(LogicalDivide::<Padded<8>, Extent<4>>::LAYOUT, layout!((4,2):(9,36)));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a type with a layout",
    note = "`static_layout! {{ struct Rows = (4,8):(8,1); }}` declares one"
)]
pub trait StaticLayout {
    /// The layout.
    const LAYOUT: Layout;

    /// The number of coordinates.
    ///
    /// ```
    /// # use tilework::{static_layout, static_layout::StaticLayout};
    /// static_layout! { struct A = ((4,8),2):((16,1),8); }
    /// let registers = [0.0f32; A::SIZE as usize];
    /// assert_eq!((registers.len(), A::RANK, A::DEPTH, A::COSIZE), (64, 2, 2, 64));
    /// ```
    const SIZE: i64 = Self::LAYOUT.size();

    /// The maximum offset plus one: the number of elements of an array for this layout. Only layouts with integer and
    /// XOR strides have one; for others this constant does not compile.
    const COSIZE: i64 = unwrap(Self::LAYOUT.cosize());

    /// The number of modes.
    const RANK: usize = Self::LAYOUT.rank();

    /// The levels of tuples.
    const DEPTH: usize = Self::LAYOUT.depth();

    /// The layout as a static, to which code can take a reference.
    ///
    /// ```
    /// # use tilework::{Layout, static_layout, static_layout::StaticLayout};
    /// static_layout! { struct A = (4,8):(8,1); }
    /// let layout: &'static Layout = A::layout();
    /// assert_eq!(*layout, A::LAYOUT);
    /// ```
    #[inline(always)]
    #[must_use]
    fn layout() -> &'static Layout {
        const { &Self::LAYOUT }
    }

    /// The number of coordinates, [`SIZE`](Self::SIZE).
    ///
    /// ```
    /// # use tilework::{static_layout, static_layout::StaticLayout};
    /// static_layout! { struct A = (4,8):(8,1); }
    /// assert_eq!(A::size(), 32);
    /// ```
    #[inline(always)]
    #[must_use]
    fn size() -> i64 {
        const { Self::SIZE }
    }

    /// The offset of an index, as [`Layout::at`], or of a coordinate with one integer for each mode: `L(i,j)` is
    /// `L::at([i, j])`.
    ///
    /// ```
    /// # use tilework::{static_layout, static_layout::StaticLayout};
    /// static_layout! { struct A = ((2,4),8):((1,16),2); }
    /// assert_eq!(A::at([3, 5]), 1 + 16 + 10);
    /// assert_eq!(A::at([3, 5]), A::at(3 + 8 * 5));
    /// ```
    ///
    /// A coordinate has as many numbers as the layout has modes; otherwise the call does not compile:
    ///
    /// ```compile_fail
    /// # use tilework::{static_layout, static_layout::StaticLayout};
    /// static_layout! { struct A = ((2,4),8):((1,16),2); }
    /// A::at([3, 5, 0]); // a coordinate takes rank 2 here, found rank 3
    /// ```
    ///
    /// # Panics
    /// For an offset beyond 64 bits, which no in-bounds coordinate has. With rational or coordinate strides, the call
    /// does not compile.
    #[inline(always)]
    #[must_use]
    fn at(coordinate: impl StaticCoord) -> i64 {
        coordinate.offset_in::<Self>()
    }
}

/// What [`StaticLayout::at`] takes: an index, or a coordinate with one integer for each mode.
pub trait StaticCoord {
    #[doc(hidden)]
    fn offset_in<L: StaticLayout + ?Sized>(self) -> i64;
}

impl StaticCoord for i64 {
    #[inline(always)]
    fn offset_in<L: StaticLayout + ?Sized>(self) -> i64 {
        Walk::<L, 1, true>::offset([self])
    }
}

impl<const N: usize> StaticCoord for [i64; N] {
    #[inline(always)]
    fn offset_in<L: StaticLayout + ?Sized>(self) -> i64 {
        Walk::<L, N, false>::offset(self)
    }
}

#[track_caller]
const fn require_integer_offsets(layout: &Layout) {
    let found = layout.codomain();
    if !matches!(found, Codomain::Integer | Codomain::Xor) {
        stop(Error::Codomain { operation: "an integer offset", found });
    }
}

/// One leaf, with its index in the coordinate.
#[derive(Clone, Copy)]
struct Step {
    /// The number of the coordinate of which the leaf takes a digit.
    index: usize,
    /// Whether it takes the first digit.
    first: bool,
    /// Whether it takes the last digit: the rest, without wrapping.
    last: bool,
    extent: i64,
    stride: i64,
}

/// The steps from a coordinate through the leaves.
struct Steps {
    steps: [Step; MAX_LEAVES],
    len: usize,
}

impl Steps {
    const fn new() -> Steps {
        let step = Step { index: 0, first: false, last: false, extent: 1, stride: 0 };
        Steps { steps: [step; MAX_LEAVES], len: 0 }
    }

    /// Distributes number `index` of the coordinate over the leaves of `layout`.
    const fn push(&mut self, layout: &Layout, index: usize) {
        let leaves = layout.leaves();
        let mut i = 0;
        while i < leaves.len() {
            let Leaf { extent, stride } = leaves[i];
            let (first, last) = (i == 0, i + 1 == leaves.len());
            self.steps[self.len] = Step { index, first, last, extent, stride: stride.numerator() };
            self.len += 1;
            i += 1;
        }
    }
}

/// The steps of a coordinate of `N` numbers, one for each mode; if `WHOLE`, of one number for the whole layout.
struct Walk<L: ?Sized, const N: usize, const WHOLE: bool>(PhantomData<L>);

impl<L: StaticLayout + ?Sized, const N: usize, const WHOLE: bool> Walk<L, N, WHOLE> {
    const IS_XOR: bool = matches!(L::LAYOUT.codomain(), Codomain::Xor);

    const STEPS: Steps = {
        let layout = L::LAYOUT;
        require_integer_offsets(&layout);
        let mut steps = Steps::new();
        if WHOLE {
            steps.push(&layout, 0);
            steps
        } else if layout.rank() != N {
            stop(Error::Rank { operation: "a coordinate", expected: layout.rank(), found: N })
        } else {
            let mut mode = 0;
            while mode < N {
                steps.push(&unwrap(layout.mode(mode)), mode);
                mode += 1;
            }
            steps
        }
    };
}

macro_rules! walk {
    ($coordinate:ident $rest:ident $offset:ident:) => {};
    ($coordinate:ident $rest:ident $offset:ident: $leaf:literal $($leaves:literal)*) => {
        if const { $leaf < Self::STEPS.len } {
            let Step { index, first, last, extent, stride } = const { Self::STEPS.steps[$leaf] };
            if first {
                $rest = $coordinate[index];
            }
            let mut digit = $rest;
            if !last {
                ($rest, digit) = divide($rest, extent);
            }
            $offset = advance($offset, digit, stride);
            walk!($coordinate $rest $offset: $($leaves)*);
        }
    };
}

impl<L: StaticLayout + ?Sized, const N: usize, const WHOLE: bool> Walk<L, N, WHOLE> {
    #[inline(always)]
    fn offset(coordinate: [i64; N]) -> i64 {
        if const { Self::IS_XOR } {
            return xor_offset(const { &L::LAYOUT }, &coordinate, WHOLE);
        }
        let (mut rest, mut offset) = (0, 0);
        walk!(coordinate rest offset: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31);
        let _ = rest;
        offset
    }
}

/// [`int::div_rem`], for inlining into other crates.
#[inline(always)]
fn divide(value: i64, divisor: i64) -> (i64, i64) {
    if value >= 0 {
        ((value as u64 / divisor as u64) as i64, (value as u64 % divisor as u64) as i64)
    } else {
        (value.div_euclid(divisor), value.rem_euclid(divisor))
    }
}

/// `offset + digit * stride`, checked; [`int`] returns the error, out of line.
#[inline(always)]
fn advance(offset: i64, digit: i64, stride: i64) -> i64 {
    let (product, beyond) = digit.overflowing_mul(stride);
    let (sum, beyond_sum) = offset.overflowing_add(product);
    if beyond | beyond_sum {
        overflow(offset, digit, stride)
    }
    sum
}

#[cold]
fn overflow(offset: i64, digit: i64, stride: i64) -> ! {
    match int::mul(digit, stride) {
        Ok(product) => match int::add(offset, product) {
            Ok(sum) => unreachable!("{sum} fits"),
            Err(error) => stop(error),
        },
        Err(error) => stop(error),
    }
}

#[cold]
fn xor_offset(layout: &Layout, coordinate: &[i64], whole: bool) -> i64 {
    let evaluate = || {
        let mut tuple = HTuple::builder(0);
        if !whole && !layout.as_tuple().is_leaf() {
            tuple.open(coordinate.len())?;
        }
        for &index in coordinate {
            tuple.push(index)?;
        }
        layout.evaluate(&tuple)
    };
    match evaluate() {
        Ok(offset) => offset.leaves()[0].numerator(),
        Err(error) => stop(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::static_layout;

    static_layout! {
        struct Flat = 6:3;
        struct Wrapped = (4,8):(8,1);
        struct Nested = ((2,(3,2)),(4,1),5):((100,(-7,3)),(11,0),13);
        struct Xor = ((4,2),8):((^1,^8),^9);
        struct Wide = (2,2305843009213693952):(1,2);
    }

    /// Every method of evaluation agrees with [`Layout::at`], in bounds and beyond.
    fn agrees<L: StaticLayout, const N: usize>(span: core::ops::Range<i64>) {
        let modes: std::vec::Vec<i64> = (0..N).map(|i| L::LAYOUT.mode(i).unwrap().size()).collect();
        for index in span {
            assert_eq!(L::at(index), L::LAYOUT.at(index), "{} at {index}", L::LAYOUT);
            let (mut coordinate, mut rest) = ([0; N], index);
            for i in 0..N {
                coordinate[i] = if i + 1 < N { rest.rem_euclid(modes[i]) } else { rest };
                rest = rest.div_euclid(modes[i]);
            }
            assert_eq!(L::at(coordinate), L::LAYOUT.at(index), "{} at {coordinate:?}", L::LAYOUT);
        }
    }

    #[test]
    fn agrees_with_the_run_time_walk() {
        agrees::<Flat, 1>(-20..20);
        agrees::<Wrapped, 2>(-100..100);
        agrees::<Nested, 3>(-300..600);
        agrees::<Xor, 2>(0..64);
    }

    #[test]
    fn in_bounds_coordinates_of_the_largest_layouts_have_offsets() {
        assert_eq!(Wide::at((1 << 62) - 1), (1 << 62) - 1);
    }

    #[test]
    #[should_panic(expected = "does not fit in 64 bits")]
    fn an_overflow_panics() {
        let _ = Wide::at([0, 1 << 62]);
    }
}
