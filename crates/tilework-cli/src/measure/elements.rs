//! The types of elements, and the data that is generated for them.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use std::fmt;
use tilework_kernels::dynamic::{Dtype, Types};
use tilework_kernels::{Destination, Sum};

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

impl Width {
    /// Reads a name or a number of bytes.
    pub fn parse(text: &str) -> Result<Width, String> {
        let bytes = match text {
            "u8" => 1,
            "u16" | "f16" | "bf16" => 2,
            "u32" | "f32" => 4,
            "u64" | "f64" | "c32" => 8,
            "c64" => 16,
            number => number.parse().unwrap_or(0),
        };
        match bytes {
            1 | 2 | 3 | 4 | 6 | 8 | 12 | 16 | 24 | 32 | 48 | 64 => {
                Ok(Width { name: text.to_string(), bytes })
            }
            _ => Err("it is one of u8, u16, u32, u64, f16, bf16, f32, f64, c32, c64, or a number of bytes: \
                      1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48 or 64"
                .to_string()),
        }
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

/// An element of a copy. Consecutive elements are distinct, as many as `N` bytes have values; later ones repeat them in another order.
pub fn element<const N: usize>(index: usize) -> [u8; N] {
    let far = mix(index as u64);
    let round = (index as u64).checked_shr(8 * N as u32).filter(|&round| round > 0).map_or(1, mix);
    let near = (index as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(round);
    std::array::from_fn(|i| if i < 8 { near.to_le_bytes()[i] } else { far.to_le_bytes()[i % 8] })
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

/// The largest magnitude of integers for which sums of this many products of this many factors are exact, and can be written. It is at
/// least 1, for which the sums nearly cancel, and at most that of `i8`.
pub fn range(types: Types, factors: usize, terms: u128) -> u64 {
    let most = match types.output() {
        Dtype::F64 => (1u64 << 53) as f64,
        Dtype::F16 => 65504.0,
        Dtype::I32 => f64::from(i32::MAX),
        _ => (1u64 << 24) as f64,
    };
    ((most / terms as f64).powf(1.0 / factors.max(1) as f64) as u64).clamp(1, 127)
}

/// The integer of an index in a range of both signs, different for each operand.
pub fn integer(operand: usize, index: usize, range: u64) -> i8 {
    ((mix(index as u64 ^ (operand as u64) << 56) % (2 * range + 1)) as i64 - range as i64) as i8
}

/// A whole number as an element of the output.
pub fn written<S: Sum, C: Destination<S>>(number: f64) -> C {
    C::narrow(S::from_f64(number))
}

/// The initial content of the output, which differs from place to place.
pub fn before<S: Sum, C: Destination<S>>(index: usize) -> C {
    written((mix(!index as u64) % 2048) as f64 - 1024.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_differ() {
        let mut bytes: Vec<u8> = (0..256).map(|i| element::<1>(i)[0]).collect();
        bytes.sort_unstable();
        assert!(bytes.iter().copied().eq(0..=255));
        let mut words: Vec<u16> = (0..1 << 16).map(|i| u16::from_le_bytes(element(i))).collect();
        words.sort_unstable();
        assert!(words.iter().copied().eq(0..=u16::MAX));
        assert!((0..1000).all(|i| element::<12>(i) != element(i + 1) && element::<16>(i) != element(i + 1)));
        // The second round has another order.
        assert!((0..256).any(|i| element::<1>(i) != element(i + 256)));
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
        let types = |operands, output| Types::new(operands, output).unwrap();
        let [single, half] = [types(Dtype::F32, Dtype::F32), types(Dtype::F16, Dtype::F16)];
        assert_eq!(range(single, 2, 1), 127);
        assert_eq!(range(single, 2, 1 << 18), 8);
        assert_eq!(range(half, 2, 1000), 8);
        assert_eq!(range(types(Dtype::Bf16, Dtype::F32), 2, 1 << 40), 1);
        assert_eq!(range(types(Dtype::I8, Dtype::I32), 2, 4), 127);
        assert!((0..100).all(|i| (-3..=3).contains(&integer(1, i, 3)) && integer(0, i, 127) != -128));
        assert_eq!((written::<f32, f32>(-5.0), written::<i32, i32>(70_000.0)), (-5.0, 70_000));
    }
}
