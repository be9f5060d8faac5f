//! Coordinates written as Rust tuples: integers, `..`, and tuples of these.

use crate::error::Error;
use crate::shape::Coord;
use crate::stride::Stride;
use crate::tuple::{HTuple, Pattern, PatternLeaf, map_leaves};
use core::ops::RangeFull;

/// Values, and nested Rust tuples of values, that convert to an [`HTuple`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tuple of `{T}`",
    note = "integers and Rust tuples of them are, `((2, 3), 4)`; in a pattern `..` as well"
)]
pub trait IntoHTuple<T: Copy> {
    /// The hierarchical tuple.
    ///
    /// # Errors
    /// [`Error::Capacity`], and [`Error::TooLarge`] for an integer beyond `i64`.
    fn into_htuple(self) -> Result<HTuple<T>, Error>;

    /// The number, if this is an integer of 64 bits.
    #[doc(hidden)]
    #[inline]
    fn as_index(&self) -> Option<i64> {
        None
    }
}

macro_rules! leaf_values {
    ($($integer:ty)*) => {$(
        impl IntoHTuple<i64> for $integer {
            fn into_htuple(self) -> Result<HTuple<i64>, Error> {
                match i64::try_from(self) {
                    Ok(value) => Ok(HTuple::leaf(value)),
                    Err(_) => Err(Error::TooLarge { what: "an integer" }),
                }
            }
            #[inline]
            fn as_index(&self) -> Option<i64> {
                i64::try_from(*self).ok()
            }
        }
        impl IntoHTuple<Stride> for $integer {
            fn into_htuple(self) -> Result<HTuple<Stride>, Error> {
                match i64::try_from(self) {
                    Ok(value) => Ok(HTuple::leaf(Stride::integer(value))),
                    Err(_) => Err(Error::TooLarge { what: "an integer" }),
                }
            }
        }
    )*};
}
leaf_values!(i32 i64 u32 u64 usize);

impl IntoHTuple<Stride> for Stride {
    fn into_htuple(self) -> Result<HTuple<Stride>, Error> {
        Ok(HTuple::leaf(self))
    }
}

impl<T: Copy> IntoHTuple<T> for HTuple<T> {
    fn into_htuple(self) -> Result<HTuple<T>, Error> {
        Ok(self)
    }
}

macro_rules! rust_tuples {
    ($(($($name:ident)+))*) => {$(
        impl<T: Copy, $($name: IntoHTuple<T>),+> IntoHTuple<T> for ($($name,)+) {
            #[allow(non_snake_case)]
            fn into_htuple(self) -> Result<HTuple<T>, Error> {
                let ($($name,)+) = self;
                HTuple::tuple(&[$($name.into_htuple()?),+])
            }
        }
    )*};
}
rust_tuples!((A)(A B)(A B C)(A B C D)(A B C D E)(A B C D E F)(A B C D E F G)(A B C D E F G H));

impl IntoHTuple<PatternLeaf> for RangeFull {
    fn into_htuple(self) -> Result<Pattern, Error> {
        Ok(HTuple::leaf(PatternLeaf::All))
    }
}

impl IntoHTuple<PatternLeaf> for Coord {
    fn into_htuple(self) -> Result<Pattern, Error> {
        Ok(map_leaves!(self => PatternLeaf::All, |index| PatternLeaf::At(index)))
    }
}

impl<T: Copy, U: Copy> IntoHTuple<T> for &HTuple<U>
where
    HTuple<U>: IntoHTuple<T>,
{
    fn into_htuple(self) -> Result<HTuple<T>, Error> {
        (*self).into_htuple()
    }
}

macro_rules! integers {
    ($($integer:ty)*) => {$(
        impl IntoHTuple<PatternLeaf> for $integer {
            fn into_htuple(self) -> Result<Pattern, Error> {
                IntoHTuple::<i64>::into_htuple(self)?.into_htuple()
            }
        }
    )*};
}
integers!(i32 i64 u32 u64 usize);
