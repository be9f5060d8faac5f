//! Whether two operands share memory: decided by the images of their layouts, not by the intervals that they span.

use crate::located::Located;
use tilework::__private::gcd;
use tilework::{AnyLayout, Codomain, Error, HTuple, Layout, Leaf, Rational, View};

/// Whether no element of one operand shares a byte with an element of the other. An operand is given by its layout, the
/// address of offset 0, and the bytes of an element. Operands that [`View::is_disjoint`] does not decide within its
/// budget, and swizzles that are not layouts, count as shared.
///
/// ```
/// use tilework::{Counting, Tensor, layout};
/// use tilework_kernels::are_disjoint;
/// let even = Tensor::new(Counting, layout!((4,8):(16,2)))?;
/// let odd = Tensor::with_offset(Counting, 1, layout!((4,8):(16,2)))?;
/// let array = [0f32; 64];
/// assert!(are_disjoint((&even, array.as_ptr().cast(), 4), (&odd, array.as_ptr().cast(), 4)));
/// assert!(!are_disjoint((&even, array.as_ptr().cast(), 4), (&odd, array.as_ptr().cast(), 8)));
/// # Ok::<(), tilework::Error>(())
/// ```
#[must_use]
pub fn are_disjoint(
    (first, first_address, first_bytes): (&dyn Located, *const u8, usize),
    (second, second_address, second_bytes): (&dyn Located, *const u8, usize),
) -> bool {
    let distance = (second_address as isize).wrapping_sub(first_address as isize) as i64;
    let unit = gcd(gcd(first_bytes as u64, second_bytes as u64), distance.unsigned_abs()).max(1) as i64;
    let bytes = [first_bytes, second_bytes].map(|bytes| bytes as i64);
    let views = || {
        let first = in_units(&view(first)?, bytes[0] / unit, 0)?;
        first.is_disjoint(&in_units(&view(second)?, bytes[1] / unit, distance / unit)?)
    };
    views().unwrap_or(false)
}

/// Offsets into memory as a layout with an offset.
fn view(located: &dyn Located) -> Result<View, Error> {
    let view = match located.layout() {
        AnyLayout::Plain(layout) => layout.into(),
        AnyLayout::Swizzled(composed) => composed.to_view()?,
    };
    match located.start() {
        0 => Ok(view),
        // A tensor's offset is XORed to XOR strides, and added to a swizzle.
        start if matches!(located.layout(), AnyLayout::Plain(_)) => View::new(leaf(start), *view.layout()),
        start => moved(&view, start),
    }
}

fn leaf(offset: i64) -> HTuple<Rational> {
    HTuple::leaf(Rational::integer(offset))
}

/// The view with a number added to every offset.
fn moved(view: &View, by: i64) -> Result<View, Error> {
    if by == 0 {
        return Ok(*view);
    }
    let found = view.layout().codomain();
    if found != Codomain::Integer {
        return Err(Error::Codomain { operation: "the offset of an operand", found });
    }
    let start = view.offset().leaves()[0];
    View::new(HTuple::leaf(start.add(Rational::integer(by))?), *view.layout())
}

/// Counted in smaller units: an element has several, each with its own offset.
fn in_units(view: &View, count: i64, distance: i64) -> Result<View, Error> {
    if count == 1 {
        return moved(view, distance);
    }
    let start = moved(view, 0)?.offset().leaves()[0].scale(count)?;
    let mut modes = vec![HTuple::leaf(Leaf::new(count, 1))];
    for leaf in view.layout().leaves() {
        modes.push(HTuple::leaf(Leaf { extent: leaf.extent, stride: leaf.stride.scale(count)? }));
    }
    let finer = Layout::new(HTuple::tuple(&modes)?)?;
    moved(&View::new(HTuple::leaf(start), finer)?, distance)
}
