//! Patterns as Rust writes them: `(2, ((0, ..), ..))` is `(2,((0,_),_))`.

use crate::error::Error;
use crate::layout::IntoHTuple;
use crate::shape::Coord;
use crate::tuple::{HTuple, Pattern, PatternLeaf};
use core::ops::RangeFull;

impl IntoHTuple<PatternLeaf> for RangeFull {
    fn into_htuple(self) -> Result<Pattern, Error> {
        Ok(HTuple::leaf(PatternLeaf::All))
    }
}

impl IntoHTuple<PatternLeaf> for Coord {
    fn into_htuple(self) -> Result<Pattern, Error> {
        let mut pattern = HTuple::builder(PatternLeaf::All);
        *pattern.profile_mut() = *self.profile();
        for &index in self.leaves() {
            pattern.push_value(PatternLeaf::At(index))?;
        }
        Ok(pattern)
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
