//! Element types, and the values that they hold.
//!
//! A value is an `f64` that its type can represent: every type here is exact in one, and a sum, product, quotient or root
//! of two of a floating-point type, computed in `f64` and rounded once more, is the correctly rounded one.

use crate::prelude::*;
use core::fmt;

/// The type of an element of a tensor or of a scalar argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Element {
    /// IEEE 754 binary32.
    F32,
    /// IEEE 754 binary16.
    F16,
    /// The upper half of a binary32.
    Bf16,
    /// A signed integer of 32 bits.
    I32,
    /// An unsigned integer of 32 bits.
    U32,
    /// A signed integer of 8 bits.
    I8,
    /// An unsigned integer of 8 bits.
    U8,
}

impl Element {
    pub(crate) const ALL: [Element; 7] =
        [Element::F32, Element::F16, Element::Bf16, Element::I32, Element::U32, Element::I8, Element::U8];

    /// Its name in a program's text.
    ///
    /// ```
    /// use tilework_program::Element;
    /// assert_eq!(Element::Bf16.name(), "bf16");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Element::F32 => "f32",
            Element::F16 => "f16",
            Element::Bf16 => "bf16",
            Element::I32 => "i32",
            Element::U32 => "u32",
            Element::I8 => "i8",
            Element::U8 => "u8",
        }
    }

    pub(crate) fn of_name(name: &str) -> Option<Element> {
        Element::ALL.into_iter().find(|element| element.name() == name)
    }

    pub(crate) fn is_float(self) -> bool {
        matches!(self, Element::F32 | Element::F16 | Element::Bf16)
    }

    /// Its size.
    ///
    /// ```
    /// use tilework_program::Element;
    /// assert_eq!(Element::F16.bytes(), 2);
    /// ```
    #[must_use]
    pub fn bytes(self) -> i64 {
        match self {
            Element::F32 | Element::I32 | Element::U32 => 4,
            Element::F16 | Element::Bf16 => 2,
            Element::I8 | Element::U8 => 1,
        }
    }

    /// The value of this type next to `value`; integers drop the fraction and wrap.
    ///
    /// ```
    /// use tilework_program::Element;
    /// assert_eq!(Element::F16.round(0.1), 0.0999755859375);
    /// assert_eq!((Element::U8.round(257.0), Element::I8.round(255.0)), (1.0, -1.0));
    /// ```
    #[must_use]
    pub fn round(self, value: f64) -> f64 {
        match self {
            Element::F32 => f64::from(value as f32),
            Element::F16 => half::f16::from_f64(value).to_f64(),
            Element::Bf16 => half::bf16::from_f64(value).to_f64(),
            _ => self.wrap(value as i128),
        }
    }

    /// A number of a floating-point type as this type: an integer drops the fraction, beyond its range it is the nearest end, and
    /// it is 0 where there is no number.
    pub(crate) fn converted(self, value: f64) -> f64 {
        match self {
            Element::I32 => (value as i32).into(),
            Element::U32 => (value as u32).into(),
            Element::I8 => (value as i8).into(),
            Element::U8 => (value as u8).into(),
            _ => self.round(value),
        }
    }

    /// Appends a value of this type as memory has it, the lowest byte first.
    pub(crate) fn append_bytes(self, value: f64, bytes: &mut Vec<u8>) {
        match self {
            Element::F32 => bytes.extend((value as f32).to_le_bytes()),
            Element::F16 => bytes.extend(half::f16::from_f64(value).to_le_bytes()),
            Element::Bf16 => bytes.extend(half::bf16::from_f64(value).to_le_bytes()),
            _ => bytes.extend(&(value as i64).to_le_bytes()[..self.bytes() as usize]),
        }
    }

    /// The value of as many bytes as the type has.
    pub(crate) fn of_bytes(self, bytes: &[u8]) -> f64 {
        let bits = bytes.iter().rev().fold(0u32, |bits, byte| bits << 8 | u32::from(*byte));
        match self {
            Element::F32 => f32::from_bits(bits).into(),
            Element::F16 => half::f16::from_bits(bits as u16).into(),
            Element::Bf16 => half::bf16::from_bits(bits as u16).into(),
            _ => self.wrap(bits.into()),
        }
    }

    /// An integer of this integer type, by its lowest bits.
    pub(crate) fn wrap(self, value: i128) -> f64 {
        match self {
            Element::I32 => f64::from(value as i32),
            Element::U32 => f64::from(value as u32),
            Element::I8 => f64::from(value as i8),
            _ => f64::from(value as u8),
        }
    }
}

/// A type of Rust that is that of an element.
///
/// ```
/// use tilework_program::{Element, ElementType, f16};
/// assert_eq!((f16::ELEMENT, f16::from_f32(0.5).value()), (Element::F16, 0.5));
/// ```
pub trait ElementType: Copy + fmt::Debug {
    /// The type of the element.
    const ELEMENT: Element;

    /// The number.
    fn value(self) -> f64;
}

macro_rules! element_types {
    ($($own:ty, $element:ident;)*) => {
        $(
            impl ElementType for $own {
                const ELEMENT: Element = Element::$element;

                fn value(self) -> f64 {
                    self.into()
                }
            }
        )*
    };
}

element_types!(f32, F32; half::f16, F16; half::bf16, Bf16; i32, I32; u32, U32; i8, I8; u8, U8;);

impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
