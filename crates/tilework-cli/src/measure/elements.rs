//! The types of elements, and the data that is generated for them.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use half::{bf16, f16};
use std::fmt;
use tilework_kernels::dynamic::Dtype;
use tilework_kernels::machine_limits::Precision;
use tilework_kernels::{Destination, Element, Sum};

/// A pseudorandom number (the finalizer of splitmix64).
pub fn mix(index: u64) -> u64 {
    let mut x = index.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// The elements of a copy: their size in bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Width {
    pub name: String,
    pub bytes: usize,
}

/// The names of types that can be copied, with their bytes.
const WIDTHS: [(&str, usize); 10] = [
    ("u8", 1),
    ("u16", 2),
    ("u32", 4),
    ("u64", 8),
    ("f16", 2),
    ("bf16", 2),
    ("f32", 4),
    ("f64", 8),
    ("c32", 8),
    ("c64", 16),
];

impl Width {
    /// Reads a name or a number of bytes.
    pub fn parse(text: &str) -> Result<Width, String> {
        let named = WIDTHS.iter().find(|(name, _)| *name == text).map(|(_, bytes)| *bytes);
        let bytes = named.or_else(|| text.parse().ok().filter(|&bytes| Width::is_supported(bytes)));
        match bytes {
            Some(bytes) => Ok(Width { name: text.to_string(), bytes }),
            None => {
                let names: Vec<&str> = WIDTHS.iter().map(|(name, _)| *name).collect();
                Err(format!(
                    "it is one of {}, or a number of bytes: 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48 or 64",
                    names.join(", ")
                ))
            }
        }
    }

    fn is_supported(bytes: usize) -> bool {
        matches!(bytes, 1 | 2 | 3 | 4 | 6 | 8 | 12 | 16 | 24 | 32 | 48 | 64)
    }
}

impl fmt::Display for Width {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.name.parse::<usize>() {
            Ok(bytes) => write!(f, "{bytes} bytes"),
            Err(_) => f.write_str(&self.name),
        }
    }
}

/// Calls a generic function with the type of elements of a size in bytes.
macro_rules! with_width {
    ($bytes:expr, $function:ident $arguments:tt) => {
        $crate::measure::elements::with_width!(@ $bytes, $function $arguments,
            1 u8, 2 u16, 3 [u8; 3], 4 u32, 6 [u8; 6], 8 u64, 12 [u8; 12], 16 u128, 24 [u8; 24], 32 [u8; 32],
            48 [u8; 48], 64 [u8; 64])
    };
    (@ $bytes:expr, $function:ident $arguments:tt, $($width:literal $type:ty),*) => {
        match $bytes {
            $($width => $function::<$type> $arguments,)*
            bytes => unreachable!("no type has {bytes} bytes"),
        }
    };
}
pub(super) use with_width;

/// An element that can be copied.
pub trait Unit: Copy + Send + Sync + PartialEq + fmt::Debug {
    /// The element of an index. Consecutive elements are distinct, as many as the type has values; later ones repeat
    /// them in another order.
    fn of(index: usize) -> Self;
}

/// The element of an index, in the lowest bytes of 8.
fn pattern(index: usize, bytes: usize) -> u64 {
    const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
    let (index, bits) = (index as u64, 8 * bytes as u32);
    match index.checked_shr(bits) {
        Some(round) if round > 0 => index.wrapping_mul(ODD).wrapping_add(mix(round)),
        _ => index.wrapping_mul(ODD).wrapping_add(1),
    }
}

macro_rules! units {
    ($($type:ty)*) => {$(
        impl Unit for $type {
            fn of(index: usize) -> $type {
                pattern(index, size_of::<$type>()) as $type
            }
        }
    )*};
}
units! { u8 u16 u32 u64 }

impl Unit for u128 {
    fn of(index: usize) -> u128 {
        u128::from(pattern(index, 8)) | u128::from(mix(index as u64)) << 64
    }
}

impl<const N: usize> Unit for [u8; N] {
    fn of(index: usize) -> [u8; N] {
        let (near, far) = (pattern(index, N.min(8)).to_le_bytes(), mix(index as u64).to_le_bytes());
        std::array::from_fn(|i| if i < 8 { near[i] } else { far[i % 8] })
    }
}

/// The types of factors.
const FACTORS: [Dtype; 5] = [Dtype::F32, Dtype::F64, Dtype::Bf16, Dtype::F16, Dtype::I8];
/// The types of outputs.
const OUTPUTS: [Dtype; 5] = [Dtype::F32, Dtype::F64, Dtype::Bf16, Dtype::F16, Dtype::I32];

/// Reads the type of factors.
pub fn factor() -> impl TypedValueParser<Value = Dtype> {
    named(FACTORS, |dtype, value| value.help(format!("Summed in {}", dtype.sum())))
}

/// Reads the type of an output.
pub fn output() -> impl TypedValueParser<Value = Dtype> {
    named(OUTPUTS, |_, value| value)
}

fn named(
    all: [Dtype; 5],
    explain: fn(Dtype, PossibleValue) -> PossibleValue,
) -> impl TypedValueParser<Value = Dtype> {
    let values = all.map(|dtype| explain(dtype, PossibleValue::new(dtype.name())));
    let dtype = move |name: String| all.into_iter().find(|dtype| dtype.name() == name);
    PossibleValuesParser::new(values).map(move |name| dtype(name).unwrap_or(Dtype::F32))
}

/// The precision of the peak to compare with.
pub fn precision(dtype: Dtype) -> Precision {
    if dtype == Dtype::F64 { Precision::Double } else { Precision::Single }
}

/// A factor whose small integers are exact.
pub trait Number: Element<Sum: Exact> {
    /// The largest integer that is generated.
    const LARGEST_FACTOR: i64;
    /// A small integer.
    fn of(value: i16) -> Self;
    /// Its integer value.
    fn value(self) -> i16;
}

macro_rules! numbers {
    ($($type:ty, $most:literal, |$integer:ident| $of:expr, |$number:ident| $value:expr;)*) => {$(
        impl Number for $type {
            const LARGEST_FACTOR: i64 = $most;
            fn of($integer: i16) -> $type {
                $of
            }
            fn value(self) -> i16 {
                let $number = self;
                $value as i16
            }
        }
    )*};
}
numbers! {
    f32, 1000, |integer| integer.into(), |number| number;
    f64, 1000, |integer| integer.into(), |number| number;
    bf16, 256, |integer| bf16::from_f32(integer.into()), |number| number.to_f32();
    f16, 1000, |integer| f16::from_f32(integer.into()), |number| number.to_f32();
    i8, 127, |integer| integer as i8, |number| number;
}

/// A sum of products that is exact.
pub trait Exact: Sum {
    /// Integers up to this one are exact.
    const LARGEST_EXACT: i64;
    /// An integer.
    fn of(value: i64) -> Self;
}

macro_rules! exact {
    ($($type:ty, $most:expr;)*) => {$(
        impl Exact for $type {
            const LARGEST_EXACT: i64 = $most;
            fn of(value: i64) -> $type {
                value as $type
            }
        }
    )*};
}
exact! {
    f32, 1 << 24;
    f64, 1 << 53;
    i32, i32::MAX as i64;
}

/// The type of an output.
pub trait Written<S: Exact>: Destination<S> + PartialEq + Into<f64> {
    /// The largest that can be written.
    const LARGEST: i64;

    /// The initial content of the output, which differs from place to place.
    fn before(index: usize) -> Self {
        Self::narrow(S::of((mix(!index as u64) % 2048) as i64 - 1024))
    }

    /// An exact sum converted to this type.
    fn of(sum: i64) -> Self {
        Self::narrow(S::of(sum))
    }
}

macro_rules! written {
    ($($type:ty, $sum:ty, $largest:expr;)*) => {$(
        impl Written<$sum> for $type {
            const LARGEST: i64 = $largest;
        }
    )*};
}
written! {
    f32, f32, i64::MAX;
    f64, f64, i64::MAX;
    i32, i32, i64::MAX;
    bf16, f32, i64::MAX;
    f16, f32, 65504;
}

/// The largest magnitude of integers for which sums of this many products of this many factors are exact. It is at
/// least 1, for which the sums nearly cancel.
pub fn range<T: Number, C: Written<T::Sum>>(factors: usize, terms: u128) -> i64 {
    let most = <T::Sum as Exact>::LARGEST_EXACT.min(C::LARGEST) as f64;
    let largest = (most / terms as f64).powf(1.0 / factors.max(1) as f64) as i64;
    largest.clamp(1, T::LARGEST_FACTOR)
}

/// The integer of an index in a range of both signs, different for each operand.
pub fn integer(operand: usize, index: usize, range: i64) -> i16 {
    let drawn = mix(index as u64 ^ (operand as u64) << 56) % (2 * range as u64 + 1);
    (drawn as i64 - range) as i16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_differ() {
        let mut bytes: Vec<u8> = (0..256).map(u8::of).collect();
        bytes.sort_unstable();
        assert!(bytes.iter().copied().eq(0..=255));
        let mut words: Vec<u16> = (0..1 << 16).map(u16::of).collect();
        words.sort_unstable();
        assert!(words.iter().copied().eq(0..=u16::MAX));
        assert!(
            (0..1000).all(|i| <[u8; 12]>::of(i) != <[u8; 12]>::of(i + 1) && u128::of(i) != u128::of(i + 1))
        );
        // The second round has another order.
        assert!((0..256).any(|i| u8::of(i) != u8::of(i + 256)));
    }

    #[test]
    fn widths() {
        assert_eq!(Width::parse("c64").unwrap().bytes, 16);
        assert_eq!(Width::parse("12").unwrap().to_string(), "12 bytes");
        for wrong in ["", "0", "5", "65", "68", "-4", "F32", "i4"] {
            assert!(Width::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn sums_are_exact() {
        assert_eq!(range::<f32, f32>(2, 1), 1000);
        assert_eq!(range::<f32, f32>(2, 1 << 18), 8);
        assert_eq!(range::<f16, f16>(2, 1000), 8);
        assert_eq!(range::<bf16, f32>(2, 1 << 40), 1);
        assert_eq!(range::<i8, i32>(2, 4), 127);
        assert!((0..100).all(|i| (-3..=3).contains(&integer(1, i, 3))
            && <f16 as Number>::of(integer(0, i, 1000)).value() == integer(0, i, 1000)));
    }
}
