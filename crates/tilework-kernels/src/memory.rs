//! Accessors that are memory: those that give the kernels a pointer.

use std::marker::PhantomData;
use std::ops::Range;
use std::ptr::NonNull;
use tilework::{Accessor, AccessorMut};

/// An accessor whose offsets index a slice, from 0 on.
///
/// ```
/// use tilework::{Tensor, layout};
/// use tilework_kernels::Memory;
/// let tensor = Tensor::with_offset(vec![1, 2, 3, 4], 3, layout!(4:-1))?;
/// assert_eq!(tensor.accessor().as_slice(), [1, 2, 3, 4]);
/// # Ok::<(), tilework::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no memory of which a kernel can take a pointer",
    note = "slices, arrays, `Vec` and `RawMemory` are, of elements that are `Copy + Send + Sync`"
)]
pub trait Memory: Accessor<Offset = i64, Element: Copy + Send + Sync> {
    /// All elements that can be read.
    fn as_slice(&self) -> &[Self::Element];
}

/// [`Memory`] that can be written to.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no memory that a kernel can write to",
    note = "mutable slices, arrays, `Vec` and `RawMemory` are, of elements that are `Copy + Send + Sync`"
)]
pub trait MemoryMut: Memory + AccessorMut {
    /// All elements that can be written.
    fn as_mut_slice(&mut self) -> &mut [Self::Element];
}

macro_rules! memory {
    ($([$($generics:tt)*] $type:ty;)*) => {$(
        impl<T: Copy + Send + Sync, $($generics)*> Memory for $type {
            fn as_slice(&self) -> &[T] {
                self
            }
        }

        impl<T: Copy + Send + Sync, $($generics)*> MemoryMut for $type {
            fn as_mut_slice(&mut self) -> &mut [T] {
                self
            }
        }
    )*};
}
memory! {
    [] [T];
    [const N: usize] [T; N];
    [] Vec<T>;
}

impl<M: Memory + ?Sized> Memory for &M {
    fn as_slice(&self) -> &[M::Element] {
        (**self).as_slice()
    }
}

impl<M: Memory + ?Sized> Memory for &mut M {
    fn as_slice(&self) -> &[M::Element] {
        (**self).as_slice()
    }
}

impl<M: MemoryMut + ?Sized> MemoryMut for &mut M {
    fn as_mut_slice(&mut self) -> &mut [M::Element] {
        (**self).as_mut_slice()
    }
}

/// Memory by pointer and length: elements from another language, a mapped file, or a custom allocator.
///
/// ```
/// use tilework::{Tensor, layout};
/// use tilework_kernels::{Execution, RawMemory, copy};
/// let mut foreign = [1, 2, 3, 4, 5, 6];
/// // SAFETY: the array outlives the memory, and is not used before that has gone.
/// let rows = unsafe { RawMemory::from_raw_parts(foreign.as_mut_ptr(), 6) };
/// let mut columns = Tensor::new([0; 6], layout!((2,3):(1,2)))?;
/// copy(&Tensor::new(rows, layout!((2,3):(3,1)))?, &mut columns, &Execution::default())?;
/// assert_eq!(columns.accessor(), &[1, 4, 2, 5, 3, 6]);
/// # Ok::<(), tilework_kernels::Error>(())
/// ```
#[derive(Debug)]
pub struct RawMemory<T> {
    first: NonNull<T>,
    len: usize,
    elements: PhantomData<T>,
}

// SAFETY: it has the contract of a `&mut [T]`.
unsafe impl<T: Send> Send for RawMemory<T> {}
// SAFETY: as above.
unsafe impl<T: Sync> Sync for RawMemory<T> {}

impl<T> RawMemory<T> {
    /// The `len` elements from `first` on.
    ///
    /// # Safety
    /// While it is used, `first` is aligned and not null, and points to `len` initialized elements of one allocation,
    /// of `isize::MAX` bytes at most. They are valid for reads, and nothing else writes to them. If they are written
    /// through this value, they are also valid for writes, and nothing else reads them.
    pub const unsafe fn from_raw_parts(first: *mut T, len: usize) -> RawMemory<T> {
        // SAFETY: the pointer is valid as `from_raw_parts` demands.
        RawMemory { first: unsafe { NonNull::new_unchecked(first) }, len, elements: PhantomData }
    }
}

impl<T: Copy> Accessor for RawMemory<T> {
    type Element = T;
    /// In elements.
    type Offset = i64;

    #[inline(always)]
    fn read(&self, offset: i64) -> T {
        // SAFETY: the contract of `from_raw_parts`.
        unsafe { std::slice::from_raw_parts(self.first.as_ptr(), self.len)[offset as usize] }
    }

    #[inline(always)]
    fn bounds(&self) -> Option<Range<i64>> {
        Some(0..i64::try_from(self.len).unwrap_or(i64::MAX))
    }
}

impl<T: Copy> AccessorMut for RawMemory<T> {
    #[inline(always)]
    fn write(&mut self, offset: i64, value: T) {
        // SAFETY: that of `from_raw_parts`.
        unsafe { std::slice::from_raw_parts_mut(self.first.as_ptr(), self.len)[offset as usize] = value }
    }
}

impl<T: Copy + Send + Sync> Memory for RawMemory<T> {
    fn as_slice(&self) -> &[T] {
        // SAFETY: that of `from_raw_parts`.
        unsafe { std::slice::from_raw_parts(self.first.as_ptr(), self.len) }
    }
}

impl<T: Copy + Send + Sync> MemoryMut for RawMemory<T> {
    fn as_mut_slice(&mut self) -> &mut [T] {
        // SAFETY: the contract of `from_raw_parts`; `&mut self` makes the slice the only one.
        unsafe { std::slice::from_raw_parts_mut(self.first.as_ptr(), self.len) }
    }
}

/// A pointer that the threads of one operation share.
#[derive(Clone, Copy)]
pub(crate) struct Shared<T>(pub *mut T);

// SAFETY: the threads write different elements through it, or only read.
unsafe impl<T: Send + Sync> Sync for Shared<T> {}

impl<T> Shared<T> {
    /// The address of an offset.
    #[inline(always)]
    pub fn at(&self, offset: isize) -> *mut T {
        self.0.wrapping_offset(offset)
    }
}
