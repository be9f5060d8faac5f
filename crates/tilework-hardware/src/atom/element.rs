//! The types of the elements of operands.

/// The type of the elements of an operand.
///
/// ```
/// use tilework_hardware::atom::Element;
/// assert_eq!((Element::TF32.name(), Element::TF32.bits()), ("TF32", 32));
/// ```
#[allow(missing_docs)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Element {
    F64,
    F32,
    /// 19 bits in a register of 32.
    TF32,
    /// AMD's name for what NVIDIA calls TF32.
    XF32,
    F16,
    BF16,
    E4M3,
    E5M2,
    /// AMD's 8-bit float with 3 bits of mantissa.
    F8,
    /// AMD's 8-bit float with 2 bits of mantissa.
    BF8,
    E3M2,
    E2M3,
    E2M1,
    S32,
    S16,
    S8,
    U8,
    S4,
    U4,
    U1,
    /// AMD's and Intel's name for `S32`.
    I32,
    /// AMD's and Intel's name for `S8`.
    I8,
    /// AMD's name for `S4`.
    I4,
    /// A complex number of two `F64`.
    C64,
    /// The three sums of Gauss's complex product.
    GC64,
}

impl Element {
    /// The name that CUTLASS uses in the names of instructions.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Element::F64 => "F64",
            Element::F32 => "F32",
            Element::TF32 => "TF32",
            Element::XF32 => "XF32",
            Element::F16 => "F16",
            Element::BF16 => "BF16",
            Element::E4M3 => "E4M3",
            Element::E5M2 => "E5M2",
            Element::F8 => "F8",
            Element::BF8 => "BF8",
            Element::E3M2 => "E3M2",
            Element::E2M3 => "E2M3",
            Element::E2M1 => "E2M1",
            Element::S32 => "S32",
            Element::S16 => "S16",
            Element::S8 => "S8",
            Element::U8 => "U8",
            Element::S4 => "S4",
            Element::U4 => "U4",
            Element::U1 => "U1",
            Element::I32 => "I32",
            Element::I8 => "I8",
            Element::I4 => "I4",
            Element::C64 => "C64",
            Element::GC64 => "GC64",
        }
    }

    /// The name that CUTLASS uses as a template argument.
    #[must_use]
    pub const fn cpp(self) -> &'static str {
        match self {
            Element::F64 => "double",
            Element::F32 => "float",
            Element::TF32 | Element::XF32 => "tfloat32_t",
            Element::F16 => "half_t",
            Element::BF16 => "bfloat16_t",
            Element::E4M3 | Element::F8 => "float_e4m3_t",
            Element::E5M2 | Element::BF8 => "float_e5m2_t",
            Element::E3M2 => "float_e3m2_t",
            Element::E2M3 => "float_e2m3_t",
            Element::E2M1 => "float_e2m1_t",
            Element::S32 | Element::I32 => "int32_t",
            Element::S16 => "int16_t",
            Element::S8 | Element::I8 => "int8_t",
            Element::U8 => "uint8_t",
            Element::S4 | Element::I4 => "int4_t",
            Element::U4 => "uint4_t",
            Element::U1 => "uint1_t",
            Element::C64 | Element::GC64 => "complex<double>",
        }
    }

    /// The bits that one element takes in a register.
    #[must_use]
    pub const fn bits(self) -> i64 {
        match self {
            Element::GC64 => 192,
            Element::C64 => 128,
            Element::F64 => 64,
            Element::F32 | Element::TF32 | Element::XF32 | Element::S32 | Element::I32 => 32,
            Element::F16 | Element::BF16 | Element::S16 => 16,
            Element::E4M3
            | Element::E5M2
            | Element::F8
            | Element::BF8
            | Element::S8
            | Element::U8
            | Element::I8 => 8,
            Element::E3M2 | Element::E2M3 => 6,
            Element::E2M1 | Element::S4 | Element::U4 | Element::I4 => 4,
            Element::U1 => 1,
        }
    }
}
