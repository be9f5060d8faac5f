//! Tensors: layouts bound to elements (paper, section 2.5).
//!
//! A layout gives offsets, an [`Accessor`] gives the elements at offsets, and a [`Tensor`] composes the two:
//!
//! ```text
//! T = (e + offset) o L        T(c) = e[offset + L(c)]
//! ```
//!
//! | condition | checked |
//! |---|---|
//! | all offsets of the layout are in the accessor | once, when the tensor is made; at compile time for [`Tensor::fixed`] |
//! | a slice, or another arrangement of the modes, is in the accessor | not for slices, which are parts of the tensor; a new image is checked |
//! | the coordinate is in the shape | by [`get`](Tensor::get), [`try_at`](Tensor::try_at) and [`try_set`](Tensor::try_set) always, by [`at`](Tensor::at) and [`set`](Tensor::set) where it costs nothing |
//!
//! Nothing outside the accessor is ever read or written: there is no unsafe code in this crate.

mod accessor;
mod algebra;
mod bounds;
mod coordinate;
mod displace;
mod fixed;
mod has_layout;
mod implicit;
mod iterate;
#[cfg(feature = "alloc")]
mod owned;
mod partition;
mod predicated;
mod print;

pub use accessor::{Accessor, AccessorMut};
pub use coordinate::TensorCoord;
pub use displace::AccessorOffset;
pub use has_layout::HasLayout;
pub use implicit::{Constant, Counting, CountingCoord, Transform};
pub use iterate::{Elements, Entries};
pub use partition::{share_of, thread_coordinate, tile_of};
pub use predicated::Predicated;

use crate::error::Error;
use crate::layout::Layout;
use crate::shape::Shape;
use displace::Displace;

/// An accessor composed with a layout, `T = e o L` (paper, definition 2.19).
///
/// `T(c) = e[offset + L(c)]`, with an offset that slicing accumulates (equation 10). The layout is a value or a type
/// ([`HasLayout`]); the accessor is memory or any other source of elements ([`Accessor`]).
///
/// ```
/// use tilework::{Tensor, layout};
/// let data: Vec<i32> = (0..32).collect();
/// let rows = Tensor::new(&data[..], layout!((4,8):(8,1)))?;
/// assert_eq!((rows.at([2, 5]), rows.at(22), rows.at((2, 5))), (21, 21, 21));
/// let second = rows.slice((2, ..))?;
/// assert_eq!((format!("{second:?}").as_str(), second.at(5)), ("{16} o 8:1", 21));
/// # Ok::<(), tilework::Error>(())
/// ```
///
/// A tensor over a shared reference, or over no memory, is `Copy`. Methods that rearrange it take it by value; use
/// [`view`](Self::view) and [`view_mut`](Self::view_mut) to keep it.
#[derive(Clone, Copy)]
pub struct Tensor<A: Accessor, L = Layout> {
    accessor: A,
    offset: A::Offset,
    layout: L,
}

impl<A: Accessor, L: HasLayout> Tensor<A, L> {
    /// `accessor o layout`.
    ///
    /// ```
    /// use tilework::{Error, Tensor, layout};
    /// let data = [0.0f32; 32];
    /// assert!(Tensor::new(&data, layout!((4,8):(1,4))).is_ok());
    /// let padded = Tensor::new(&data, layout!((4,8):(1,5))).unwrap_err();
    /// assert_eq!(padded, Error::Image { min: 0, max: 38, start: 0, end: 32 });
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Image`] if an offset is not in the accessor; [`Error::Codomain`] if the offsets do not have the
    /// accessor's type, such as coordinates for a slice, and [`Error::NotIntegral`] for fractions of coordinates;
    /// [`Error::Argument`] for a swizzle of negative offsets; [`Error::Overflow`]. Where the [bounds](crate::Composed::bounds)
    /// of a swizzled layout are undecided, the check uses the whole interval of the offsets before the swizzle.
    #[inline(always)]
    pub fn new(accessor: A, layout: L) -> Result<Self, Error> {
        Self::with_offset(accessor, A::Offset::ZERO, layout)
    }

    /// `(accessor + offset) o layout`. The sum is that of the layout's codomain: XOR for XOR strides.
    ///
    /// ```
    /// use tilework::{Tensor, layout};
    /// let data = [1, 2, 3, 4];
    /// let reversed = Tensor::with_offset(&data, 3, layout!(4:-1))?;
    /// assert!(reversed.iter().eq([4, 3, 2, 1]));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`new`](Self::new); [`Error::Incongruent`] for a coordinate whose profile is not the layout's, and
    /// [`Error::Argument`] for a negative offset before XOR strides.
    #[inline(always)]
    pub fn with_offset(accessor: A, offset: A::Offset, layout: L) -> Result<Self, Error> {
        let offset = offset.check(&layout, accessor.bounds())?;
        Ok(Tensor { accessor, offset, layout })
    }

    /// The accessor.
    ///
    /// ```
    /// use tilework::{Tensor, layout};
    /// let tensor = Tensor::new([1, 2, 3, 4], layout!((2,2):(1,2)))?;
    /// assert_eq!(tensor.accessor(), &[1, 2, 3, 4]);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn accessor(&self) -> &A {
        &self.accessor
    }

    /// The accessor, mutably. It can be replaced by one with fewer elements, which then panics when it is read beyond
    /// its end; unsafe code that relies on its bounds has to check them.
    ///
    /// ```
    /// use tilework::{Tensor, layout};
    /// let mut tensor = Tensor::new([1, 2, 3, 4], layout!((2,2):(2,1)))?;
    /// tensor.accessor_mut()[2] = 7;
    /// assert_eq!(tensor.at((1, 0)), 7);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[inline(always)]
    pub fn accessor_mut(&mut self) -> &mut A {
        &mut self.accessor
    }

    /// The number or coordinate that is added to the offsets of the layout.
    ///
    /// ```
    /// use tilework::{Tensor, layout};
    /// let tensor = Tensor::new([1, 2, 3, 4], layout!((2,2):(2,1)))?;
    /// assert_eq!((tensor.offset(), tensor.slice((1, ..))?.offset()), (0, 2));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn offset(&self) -> A::Offset {
        self.offset
    }

    /// The layout.
    ///
    /// ```
    /// use tilework::{Tensor, layout};
    /// let tensor = Tensor::new([1, 2, 3, 4], layout!((2,2):(2,1)))?;
    /// assert_eq!(*tensor.layout(), layout!((2,2):(2,1)));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn layout(&self) -> &L {
        &self.layout
    }

    /// Accessor, offset and layout, from which [`with_offset`](Self::with_offset) makes the tensor again.
    ///
    /// ```
    /// use tilework::{Tensor, layout};
    /// let row = Tensor::new([1, 2, 3, 4], layout!((2,2):(2,1)))?.slice((1, ..))?;
    /// assert_eq!(row.into_parts(), ([1, 2, 3, 4], 2, layout!(2:1)));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn into_parts(self) -> (A, A::Offset, L) {
        (self.accessor, self.offset, self.layout)
    }

    /// The extents.
    ///
    /// ```
    /// use tilework::{Tensor, layout};
    /// let tensor = Tensor::new([0; 6], layout!((2,3):(3,1)))?;
    /// assert_eq!(tensor.shape().to_string(), "(2,3)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub fn shape(&self) -> Shape {
        self.layout.as_layout().shape()
    }

    /// The number of coordinates.
    ///
    /// ```
    /// use tilework::{Tensor, layout};
    /// assert_eq!(Tensor::new([0; 6], layout!((2,3):(3,1)))?.size(), 6);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn size(&self) -> i64 {
        self.layout.count()
    }

    /// The number of modes.
    ///
    /// ```
    /// use tilework::{Tensor, layout};
    /// assert_eq!(Tensor::new([0; 6], layout!((2,3):(3,1)))?.rank(), 2);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub fn rank(&self) -> usize {
        self.layout.as_layout().rank()
    }

    /// The number of coordinates of a mode, CuTe's `size<index>(T)`: 1 at or past the rank.
    ///
    /// ```
    /// use tilework::{Counting, Tensor, layout};
    /// let tensor = Tensor::new(Counting, layout!(((2,3),5):((1,2),6)))?;
    /// assert_eq!([tensor.mode_size(0), tensor.mode_size(1), tensor.mode_size(2)], [6, 5, 1]);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn mode_size(&self, index: usize) -> i64 {
        self.layout.as_layout().mode(index).map_or(1, |mode| mode.size())
    }

    /// The tensor over a reference to the accessor: to take a slice of it and keep it.
    ///
    /// ```
    /// use tilework::{Tensor, layout};
    /// let tensor = Tensor::new([1, 2, 3, 4], layout!((2,2):(1,2)))?;
    /// let column = tensor.view().slice((.., 1))?;
    /// assert_eq!((column.at(0), tensor.at(0)), (3, 1));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn view(&self) -> Tensor<&A, L> {
        Tensor { accessor: &self.accessor, offset: self.offset, layout: self.layout }
    }

    /// The tensor over a mutable reference to the accessor: to write through a slice of it.
    ///
    /// ```
    /// use tilework::{Tensor, layout};
    /// let mut tensor = Tensor::new([0; 4], layout!((2,2):(1,2)))?;
    /// tensor.view_mut().slice((.., 1))?.fill(7);
    /// assert_eq!(tensor.accessor(), &[0, 0, 7, 7]);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn view_mut(&mut self) -> Tensor<&mut A, L> {
        Tensor { accessor: &mut self.accessor, offset: self.offset, layout: self.layout }
    }

    /// The tensor of a function's results for the elements, computed when they are read.
    ///
    /// ```
    /// use tilework::{Tensor, layout};
    /// let squares = Tensor::new(&[1, 2, 3], layout!(3:1))?.map(|x| x * x);
    /// assert_eq!(squares.at(2), 9);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub fn map<T, F: Fn(A::Element) -> T>(self, function: F) -> Tensor<Transform<A, F>, L> {
        let accessor = Transform { accessor: self.accessor, function };
        Tensor { accessor, offset: self.offset, layout: self.layout }
    }

    /// The element at a coordinate: `T(22)`, `T(2,5)`, `T((0,1),(1,1))`.
    ///
    /// ```
    /// use tilework::{Tensor, layout};
    /// let data: Vec<i32> = (0..32).collect();
    /// let tiles = Tensor::new(&data[..], layout!(((2,2),(4,2)):((1,8),(2,16))))?;
    /// assert_eq!((tiles.at(22), tiles.at([2, 5]), tiles.at(((0, 1), (1, 1)))), (26, 26, 26));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// Over a static layout `at(22)` and `at([2, 5])` are plain loads: `tests/assembly.rs` compares the code with that
    /// of loops written by hand. If the accessor is a slice, this needs a length known to the compiler (`&slice[..32]`,
    /// [`slice::first_chunk`]).
    ///
    /// # Panics
    /// For a coordinate outside the shape. With a static layout and without debug assertions, an integral coordinate or
    /// an array may instead return the element at the layout's offset beyond its shape.
    #[inline(always)]
    #[must_use]
    #[track_caller]
    pub fn at(&self, coord: impl TensorCoord) -> A::Element {
        match self.offset.locate(&self.layout, coord) {
            Some(offset) => self.accessor.read(offset),
            None => self.stop(coord),
        }
    }

    /// The element at a coordinate; `None` for a coordinate outside the shape.
    ///
    /// ```
    /// use tilework::{Tensor, layout};
    /// let tensor = Tensor::new(&[1, 2, 3, 4, 5, 6], layout!((2,3):(1,2)))?;
    /// assert_eq!((tensor.get((1, 2)), tensor.get((0, 3)), tensor.get((0, 1, 2))), (Some(6), None, None));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn get(&self, coord: impl TensorCoord) -> Option<A::Element> {
        Some(self.accessor.read(self.locate(coord)?))
    }

    /// The element at a coordinate, with the errors of [`Layout::try_at`].
    ///
    /// ```
    /// use tilework::{Error, Tensor, layout};
    /// let tensor = Tensor::new(&[1, 2, 3, 4, 5, 6], layout!((2,3):(1,2)))?;
    /// assert_eq!(tensor.try_at((1, 2)), Ok(6));
    /// assert_eq!(tensor.try_at((0, 3)), Err(Error::OutOfBounds { leaf: 1, index: 3, size: 3 }));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::OutOfBounds`], and [`Error::Entries`] for a coordinate that is not weakly congruent with the shape.
    #[inline]
    pub fn try_at(&self, coord: impl TensorCoord) -> Result<A::Element, Error> {
        self.get(coord).ok_or_else(|| coord.refusal(self.layout.as_layout()))
    }

    #[inline]
    fn locate(&self, coord: impl TensorCoord) -> Option<A::Offset> {
        let offset = self.offset.locate(&self.layout, coord)?;
        (L::CHECKS || coord.spread(self.layout.as_layout(), |_, _| {})).then_some(offset)
    }

    #[cold]
    #[track_caller]
    fn stop(&self, coord: impl TensorCoord) -> ! {
        panic!("{}", coord.refusal(self.layout.as_layout()))
    }
}

impl<A: AccessorMut, L: HasLayout> Tensor<A, L> {
    /// Sets the element at a coordinate.
    ///
    /// ```
    /// use tilework::{Tensor, layout};
    /// let mut tensor = Tensor::new([0; 6], layout!((2,3):(3,1)))?;
    /// tensor.set([1, 2], 7);
    /// assert_eq!(tensor.accessor(), &[0, 0, 0, 0, 0, 7]);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Panics
    /// Like [`at`](Self::at).
    #[inline(always)]
    #[track_caller]
    pub fn set(&mut self, coord: impl TensorCoord, value: A::Element) {
        match self.offset.locate(&self.layout, coord) {
            Some(offset) => self.accessor.write(offset, value),
            None => self.stop(coord),
        }
    }

    /// Sets the element at a coordinate of the shape; otherwise nothing is written.
    ///
    /// ```
    /// use tilework::{Error, Tensor, layout};
    /// let mut tensor = Tensor::new([0; 6], layout!((2,3):(3,1)))?;
    /// tensor.try_set((1, 2), 7)?;
    /// let beyond = Error::OutOfBounds { leaf: 1, index: 3, size: 3 };
    /// assert_eq!(tensor.try_set((0, 3), 8), Err(beyond));
    /// assert_eq!(tensor.accessor(), &[0, 0, 0, 0, 0, 7]);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`try_at`](Self::try_at).
    #[inline]
    pub fn try_set(&mut self, coord: impl TensorCoord, value: A::Element) -> Result<(), Error> {
        let Some(offset) = self.locate(coord) else {
            return Err(coord.refusal(self.layout.as_layout()));
        };
        self.accessor.write(offset, value);
        Ok(())
    }
}
