//! The algebra in the forms of CUTLASS's pycute.
//!
//! A function of coordinates can often be written as several layouts, and pycute often returns another one than the
//! methods of [`Layout`], or a layout where they refuse. The operations here return pycute's layouts if these are
//! correct; otherwise they return the results of the methods, or refuse.
//!
//! | | here | methods of [`Layout`] |
//! |---|---|---|
//! | a mode of extent 1 with a stride, in a composition | has the stride of the last mode of the left operand | stride 0 |
//! | a composition by a tiler of lower rank | keeps the other modes | drops them |
//! | the product of a block whose modes interleave | is in the gaps below these modes, if no two blocks overlap | refused |
//! | the left inverse | through the complement, if that leaves no gap | the chain of divisors |
//! | a left inverse whose indices are beyond the layout | the chain through the gaps, if it is one | refused |
//! | a right inverse that may not be the largest | the chain of ascending strides | undecided |
//!
//! ```
//! use tilework::{pycute, layout, tiler};
//! let (a, unit) = (layout!((4,8):(1,4)), tiler!((2,1):(1,8)));
//! assert_eq!(pycute::composition(&a, &unit)?.to_string(), "(2,1):(1,8)");
//! assert_eq!(a.composition_by_mode(&unit)?.to_string(), "(2,1):(1,0)");
//! # Ok::<(), tilework::Error>(())
//! ```

use super::by_mode::{Form, Operation};
use super::indexed::{UNUSED, modes_along, sort};
use super::right_inverse::chain_into;
use crate::codomain::Codomain;
use crate::error::{Error, tri};
use crate::layout::{Layout, Leaf};
use crate::stride::Unit;
use crate::tiler::Tiler;
use crate::tuple::{HTuple, MAX_LEAVES};

/// `A o B`; a tuple of tilers applies to the leading modes, and the others are kept.
///
/// ```
/// use tilework::{pycute, layout, tiler};
/// assert_eq!(pycute::composition(&layout!((8,8):(8,1)), &tiler!(<4>))?, layout!((4,8):(8,1)));
/// # Ok::<(), tilework::Error>(())
/// ```
///
/// # Errors
/// Those of [`Layout::composition_by_mode`].
pub const fn composition(layout: &Layout, tiler: &Tiler) -> Result<Layout, Error> {
    layout.apply(Operation::Compose, tiler, Form::Pycute)
}

/// The tile and the rest, mode by mode.
///
/// ```
/// use tilework::{pycute, layout, tiler};
/// let divided = pycute::logical_divide(&layout!((4,6):(1,4)), &tiler!(<_, (2,1):(1,3)>))?;
/// assert_eq!(divided, layout!((4,((2,1),3)):(1,((4,12),8))));
/// # Ok::<(), tilework::Error>(())
/// ```
///
/// # Errors
/// Those of [`Layout::logical_divide`].
pub const fn logical_divide(layout: &Layout, tiler: &Tiler) -> Result<Layout, Error> {
    layout.apply(Operation::Divide, tiler, Form::Pycute)
}

/// [`logical_divide`] with the tiles in mode 0 and the rests in mode 1.
///
/// ```
/// use tilework::{pycute, layout, tiler};
/// let zipped = pycute::zipped_divide(&layout!((8,16):(20,1)), &tiler!(<4>))?;
/// assert_eq!(zipped, layout!(((4),(2,16)):((20),(80,1))));
/// # Ok::<(), tilework::Error>(())
/// ```
///
/// # Errors
/// Those of [`Layout::logical_divide`].
pub const fn zipped_divide(layout: &Layout, tiler: &Tiler) -> Result<Layout, Error> {
    tri!(logical_divide(layout, tiler)).arrange(tiler, false, false)
}

/// [`zipped_divide`] with the modes of the rest unpacked.
///
/// ```
/// use tilework::{pycute, layout, tiler};
/// let tiled = pycute::tiled_divide(&layout!((8,16):(20,1)), &tiler!(<4>))?;
/// assert_eq!(tiled, layout!(((4),2,16):((20),80,1)));
/// # Ok::<(), tilework::Error>(())
/// ```
///
/// # Errors
/// Those of [`Layout::logical_divide`].
pub const fn tiled_divide(layout: &Layout, tiler: &Tiler) -> Result<Layout, Error> {
    tri!(logical_divide(layout, tiler)).arrange(tiler, false, true)
}

/// The block and the grid of its repetitions, mode by mode. If modes of the block interleave, the grid is in the gaps
/// below them.
///
/// ```
/// use tilework::{Error, pycute, layout, tiler};
/// let (block, grid) = (layout!((4,3):(4,8)), tiler!(2));
/// assert_eq!(pycute::logical_product(&block, &grid)?, layout!(((4,3),2):((4,8),1)));
/// assert!(matches!(block.logical_product(&grid), Err(Error::Overlap { .. })));
/// # Ok::<(), tilework::Error>(())
/// ```
///
/// # Errors
/// Those of [`Layout::logical_product`]. For a block whose modes interleave, [`Error::Overlap`] if there is no room for
/// the grid (`(4,3):(4,8)` with `8:1`), if two blocks overlap (`(2,2):(4,6)` with `4:1`), or if the search for such
/// blocks exceeds its budget.
pub const fn logical_product(layout: &Layout, tiler: &Tiler) -> Result<Layout, Error> {
    layout.apply(Operation::Multiply, tiler, Form::Pycute)
}

/// [`logical_product`] with the blocks in mode 0 and the grids in mode 1.
///
/// ```
/// use tilework::{pycute, layout, tiler};
/// let zipped = pycute::zipped_product(&layout!((4,8):(1,100)), &tiler!(<2, 3>))?;
/// assert_eq!(zipped, layout!(((4,8),(2,3)):((1,100),(4,1))));
/// # Ok::<(), tilework::Error>(())
/// ```
///
/// # Errors
/// Those of [`logical_product`].
pub const fn zipped_product(layout: &Layout, tiler: &Tiler) -> Result<Layout, Error> {
    tri!(logical_product(layout, tiler)).arrange(tiler, false, false)
}

/// [`zipped_product`] with the modes of the grid unpacked.
///
/// ```
/// use tilework::{pycute, layout, tiler};
/// let tiled = pycute::tiled_product(&layout!((4,8):(1,100)), &tiler!(<2, 3>))?;
/// assert_eq!(tiled, layout!(((4,8),2,3):((1,100),4,1)));
/// # Ok::<(), tilework::Error>(())
/// ```
///
/// # Errors
/// Those of [`logical_product`].
pub const fn tiled_product(layout: &Layout, tiler: &Tiler) -> Result<Layout, Error> {
    tri!(logical_product(layout, tiler)).arrange(tiler, false, true)
}

/// The largest right inverse; if it is undecided which is the largest, the modes that continue each other in ascending
/// order of their strides.
///
/// ```
/// use tilework::{pycute, layout};
/// assert_eq!(pycute::right_inverse(&layout!((8,4):(4,1)))?, layout!((4,8):(8,1)));
/// # Ok::<(), tilework::Error>(())
/// ```
///
/// # Errors
/// Those of [`Layout::right_inverse`], except [`Error::Undecided`] if all strides are integers.
pub const fn right_inverse(layout: &Layout) -> Result<Layout, Error> {
    match layout.right_inverse() {
        Err(undecided @ Error::Undecided { .. }) if layout.codomain().same(Codomain::Integer) => {
            let mut room = [UNUSED; MAX_LEAVES];
            let Ok(modes) = modes_along(layout.leaves(), Unit::ONE, true, 1, &mut room) else {
                return Err(undecided);
            };
            sort(modes);
            let mut chain = HTuple::builder(Leaf::UNUSED);
            tri!(chain_into(modes, &mut chain));
            tri!(chain.close_merged(0));
            Layout::new(chain)
        }
        result => result,
    }
}

/// A left inverse: the right inverse of the layout with its complement, if the two leave no gap.
///
/// ```
/// use tilework::{pycute, layout};
/// let a = layout!((4,2):(1,16));
/// assert_eq!(pycute::left_inverse(&a)?, layout!((4,4,2):(1,8,4)));
/// assert_eq!(a.left_inverse()?, layout!((16,2):(1,4)));
/// // The index 30 k lies behind the layout, where its last mode goes on: its offset is k.
/// let b = layout!((5,2,3,5):(20,2,48,1));
/// assert_eq!(pycute::left_inverse(&b)?, layout!(5:30));
/// assert!(b.left_inverse().is_err());
/// # Ok::<(), tilework::Error>(())
/// ```
///
/// # Errors
/// Those of [`Layout::left_inverse`], if the chain through the modes and the gaps between them is not a left inverse
/// either.
pub const fn left_inverse(layout: &Layout) -> Result<Layout, Error> {
    if layout.codomain().same(Codomain::Integer) {
        let (mut moves, mut i) = (false, 0);
        while i < layout.leaves().len() {
            moves |= !layout.leaves()[i].stride.is_zero();
            i += 1;
        }
        if !moves {
            return Ok(Layout::UNIT);
        }
        if let Ok(rest) = layout.const_complement_within(&HTuple::leaf(1))
            && let Ok(whole) = Layout::concatenate(&[*layout, rest])
            && let Ok(inverse) = whole.right_inverse()
            && inverse.size() == whole.size()
        {
            return Ok(inverse);
        }
    }
    match layout.left_inverse() {
        Err(error) => match layout.left_inverse_through_gaps() {
            Ok(inverse) => Ok(inverse),
            Err(_) => Err(error),
        },
        inverse => inverse,
    }
}
