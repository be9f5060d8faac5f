//! Accessors that are memory: what the kernels can take a pointer of.

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
pub trait Memory: Accessor<Offset = i64, Element: Copy + Send + Sync> {
    /// All that can be read.
    fn as_slice(&self) -> &[Self::Element];
}

/// [`Memory`] that can be written to.
pub trait MemoryMut: Memory + AccessorMut {
    /// All that can be written.
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
