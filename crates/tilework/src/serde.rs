//! A value as its text, in every format of serde.

use crate::layout::{Layout, View};
use crate::linear_layout::LinearLayout;
use crate::stride::Stride;
use crate::swizzle::{Composed, Swizzle};
use crate::tiler::Tiler;
use crate::tuple::{HTuple, PatternLeaf};
use core::fmt;
use core::marker::PhantomData;
use core::str::FromStr;
use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::ser::{Serialize, Serializer};

struct Written<T>(PhantomData<T>);

impl<T: FromStr<Err: fmt::Display>> Visitor<'_> for Written<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("text in the notation of layouts, such as \"(4,8):(8,1)\"")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(E::custom)
    }
}

macro_rules! as_text {
    ($($type:ty)*) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }
        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_str(Written(PhantomData))
            }
        }
    )*};
}
as_text! {
    HTuple<i64> HTuple<Stride> HTuple<PatternLeaf> Layout View Tiler Swizzle Composed LinearLayout
}
