//! Slices, and the layout algebra on tensors: elements are not moved.

use super::coordinate::refusal;
use super::displace::Displace;
use super::has_layout::Change;
use super::{Accessor, HasLayout, Tensor};
use crate::error::Error;
use crate::layout::{IntoHTuple, Layout, fixed};
use crate::tiler::Tiler;
use crate::tuple::{Pattern, PatternLeaf};

impl<A: Accessor, L: HasLayout> Tensor<A, L> {
    /// The tensor of the modes that a pattern leaves open (paper, equation 10 and figure 5): `_`, or `..` in Rust, at
    /// any depth. The fixed coordinates become part of the offset.
    ///
    /// ```
    /// use tilework::{Counting, Tensor, layout};
    /// let a = Tensor::new(Counting, layout!(((3,2),((2,3),2)):((4,1),((2,15),100))))?;
    /// assert_eq!(format!("{:?}", a.slice((2, ..))?), "{8} o ((2,3),2):((2,15),100)");
    /// assert_eq!(format!("{:?}", a.slice((2, ((0, ..), ..)))?), "{8} o (3,2):(15,100)");
    /// assert_eq!(a.slice(((.., 1), (.., 0)))?.at(0), 1);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Entries`] for a pattern that is not weakly congruent with the layout; [`Error::OutOfBounds`] if a
    /// fixed coordinate is outside the shape. Those of [`Composed::slice`](crate::Composed::slice).
    pub fn slice(self, pattern: impl IntoHTuple<PatternLeaf>) -> Result<Tensor<A, L::Value>, Error> {
        let pattern = pattern.into_htuple()?;
        let (layout, corner) = (self.layout.as_layout(), fixed(&pattern));
        let (step, rest) = self.layout.to_value().fix(&pattern)?;
        if !layout.shape().is_in_bounds(&corner) {
            return Err(refusal(&corner, layout));
        }
        let offset = self.offset.plus(&step, layout.codomain())?;
        Ok(Tensor { accessor: self.accessor, offset, layout: rest })
    }

    /// The tensor that begins at a coordinate of this one: CuTe's `domain_offset`. The layout is the same.
    ///
    /// ```
    /// use tilework::{Counting, Tensor, layout};
    /// let matrix = Tensor::new(Counting, layout!((8,16):(16,1)))?;
    /// assert_eq!(matrix.domain_offset((2, 3))?.at([1, 1]), matrix.at([3, 4]));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Image`] if part of it is outside the accessor; [`Error::Coordinate`], [`Error::Overflow`].
    pub fn domain_offset(self, coord: impl IntoHTuple<i64>) -> Result<Tensor<A, L::Value>, Error> {
        let layout = self.layout.as_layout();
        let pattern: Pattern = layout.shape().idx2crd(&coord.into_htuple()?)?.into_htuple()?;
        let (step, fixed) = self.layout.to_value().fix(&pattern)?;
        let offset = self.offset.plus(&step, layout.codomain())?;
        Tensor::with_offset(self.accessor, offset, fixed.change(false, |_| Ok(*layout))?)
    }

    /// The same elements with another layout, of any kind.
    ///
    /// ```
    /// use tilework::static_layout::Compose;
    /// use tilework::{Tensor, static_layout};
    /// static_layout! {
    ///     struct Data = (8,8):(8,1);
    ///     struct ThreadValue = ((4,8),2):((16,1),8);
    /// }
    /// let data = [1.0; 64];
    /// let partition = Tensor::new(&data, Data)?.with_layout(Compose::<Data, ThreadValue>::default())?;
    /// assert_eq!(partition.at([9, 1]), 1.0);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`with_offset`](Self::with_offset).
    #[inline(always)]
    pub fn with_layout<M: HasLayout>(self, layout: M) -> Result<Tensor<A, M>, Error> {
        Tensor::with_offset(self.accessor, self.offset, layout)
    }

    /// The same elements with a layout computed from the tensor's; for a swizzled layout, from the inner one. The
    /// methods below use it, and any other operation on layouts can be applied through it.
    ///
    /// ```
    /// use tilework::{Tensor, layout};
    /// let tensor = Tensor::new([1, 2, 3, 4, 5, 6], layout!((2,3):(1,2)))?;
    /// let transposed = tensor.map_layout(|layout| layout.select(&[1, 0]))?;
    /// assert_eq!(transposed.at([2, 1]), 6);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of the function, and those of [`with_offset`](Self::with_offset): an operation on the extended domain may
    /// exceed the accessor.
    pub fn map_layout(
        self,
        change: impl FnOnce(&Layout) -> Result<Layout, Error>,
    ) -> Result<Tensor<A, L::Value>, Error> {
        let layout = self.layout.to_value().change(self.offset != Displace::ZERO, change)?;
        Tensor::with_offset(self.accessor, self.offset, layout)
    }
}

macro_rules! operations {
    ($(
        $name:ident($($argument:ident: $type:ty),*) $what:literal: $change:expr,
            $own:literal => $call:literal => $result:literal;
    )*) => {
        impl<A: Accessor, L: HasLayout> Tensor<A, L> {$(
            #[doc = concat!($what, ", [`Layout::", stringify!($name), "`].")]
            ///
            /// ```
            /// # #![allow(unused_imports)]
            /// use tilework::{Counting, Tensor, layout, tiler};
            #[doc = concat!("let tensor = Tensor::new(Counting, layout!(", $own, "))?;")]
            #[doc = concat!("assert_eq!(*tensor.", stringify!($name), "(", $call, ")?.layout(), layout!(", $result, "));")]
            /// # Ok::<(), tilework::Error>(())
            /// ```
            ///
            /// # Errors
            #[doc = concat!("Those of [`Layout::", stringify!($name), "`] and [`map_layout`](Self::map_layout).")]
            pub fn $name(self, $($argument: $type),*) -> Result<Tensor<A, L::Value>, Error> {
                self.map_layout($change)
            }
        )*}
    };
}

operations! {
    composition(other: &Layout) "The elements in the order of another layout, `T o B`": |own| own.composition(other),
        "(8,8):(8,1)" => "&layout!(((4,8),2):((16,1),8))" => "((4,8),2):((2,8),1)";
    composition_by_mode(tiler: &Tiler) "The elements in the order of a tiler": |own| own.composition_by_mode(tiler),
        "(8,16):(20,1)" => "&tiler!(<4:1, 8:2>)" => "(4,8):(20,2)";
    logical_divide(tiler: &Tiler) "Tiles and their places": |own| own.logical_divide(tiler),
        "(4,2,3):(2,1,8)" => "&tiler!(4:2)" => "((2,2),(2,3)):((4,1),(2,8))";
    zipped_divide(tiler: &Tiler) "All tiles in mode 0, all places in mode 1": |own| own.zipped_divide(tiler),
        "(4,2,3):(2,1,8)" => "&tiler!(4:2)" => "((2,2),(2,3)):((4,1),(2,8))";
    tiled_divide(tiler: &Tiler) "All tiles in mode 0, one mode for each of the places'": |own| own.tiled_divide(tiler),
        "(4,2,3):(2,1,8)" => "&tiler!(4:2)" => "((2,2),2,3):((4,1),2,8)";
    flat_divide(tiler: &Tiler) "One mode for each of the tiles' and the places'": |own| own.flat_divide(tiler),
        "(4,2,3):(2,1,8)" => "&tiler!(4:2)" => "(2,2,2,3):(4,1,2,8)";
    logical_product(tiler: &Tiler) "The tensor, and how it is repeated": |own| own.logical_product(tiler),
        "(2,2):(4,1)" => "&tiler!(6:1)" => "((2,2),(2,3)):((4,1),(2,8))";
    zipped_product(tiler: &Tiler) "All of it in mode 0, all repetitions in mode 1": |own| own.zipped_product(tiler),
        "(2,2):(4,1)" => "&tiler!(6:1)" => "((2,2),(2,3)):((4,1),(2,8))";
    tiled_product(tiler: &Tiler) "All of it in mode 0, one mode for each of the repetitions'": |own| own.tiled_product(tiler),
        "(2,2):(4,1)" => "&tiler!(6:1)" => "((2,2),2,3):((4,1),2,8)";
    flat_product(tiler: &Tiler) "One mode for each of its and the repetitions'": |own| own.flat_product(tiler),
        "(2,2):(4,1)" => "&tiler!(6:1)" => "(2,2,2,3):(4,1,2,8)";
    blocked_product(grid: &Layout) "A matrix of it, one block after the other": |own| own.blocked_product(grid),
        "(2,5):(5,1)" => "&layout!((3,4):(1,3))" => "((2,3),(5,4)):((5,10),(1,30))";
    raked_product(grid: &Layout) "A matrix of it, the blocks interleaved": |own| own.raked_product(grid),
        "(2,5):(5,1)" => "&layout!((3,4):(1,3))" => "((3,2),(4,5)):((10,5),(30,1))";
    coalesce() "The same elements in as few modes as possible": |own| Ok(own.coalesce()),
        "(2,(1,6)):(1,(6,2))" => "" => "12:1";
    coalesce_by_mode(profile: impl IntoHTuple<PatternLeaf>) "Each mode in as few as possible": |own| own.coalesce_by_mode(profile),
        "(2,(1,6)):(1,(6,2))" => "(.., ..)" => "(2,6):(1,2)";
    flatten() "The leaves as one flat tuple": |own| Ok(own.flatten()),
        "(3,(2,4)):(8,(4,1))" => "" => "(3,2,4):(8,4,1)";
    group(begin: usize, end: usize) "Modes `begin..end` as one mode": |own| own.group(begin, end),
        "(2,3,4):(1,2,6)" => "0, 2" => "((2,3),4):((1,2),6)";
    select(modes: &[usize]) "The named modes in the order given, at 0 in the others": |own| own.select(modes),
        "(2,3):(1,2)" => "&[1, 0]" => "(3,2):(2,1)";
}
