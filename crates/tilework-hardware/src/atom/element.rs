//! The types of the elements of operands.

/// The enum, with a row for each type: its name, its type in CUTLASS, and its bits.
macro_rules! elements {
    ($($(#[$doc:meta])* $name:ident $cpp:literal $bits:literal;)*) => {
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
            $($(#[$doc])* $name,)*
        }

        impl Element {
            /// The name that CUTLASS uses in the names of instructions.
            ///
            /// ```
            /// use tilework_hardware::atom::Element;
            /// assert_eq!(Element::BF16.name(), "BF16");
            /// ```
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Element::$name => stringify!($name),)*
                }
            }

            /// The name that CUTLASS uses as a template argument.
            ///
            /// ```
            /// use tilework_hardware::atom::Element;
            /// assert_eq!(Element::BF16.cpp(), "bfloat16_t");
            /// ```
            #[must_use]
            pub const fn cpp(self) -> &'static str {
                match self {
                    $(Element::$name => $cpp,)*
                }
            }

            /// The bits that one element takes in a register.
            ///
            /// ```
            /// use tilework_hardware::atom::Element;
            /// assert_eq!((Element::E2M1.bits(), Element::C64.bits()), (4, 128));
            /// ```
            #[must_use]
            pub const fn bits(self) -> i64 {
                match self {
                    $(Element::$name => $bits,)*
                }
            }
        }
    };
}

elements! {
    F64 "double" 64;
    F32 "float" 32;
    /// 19 bits in a register of 32.
    TF32 "tfloat32_t" 32;
    /// AMD's name for what NVIDIA calls TF32.
    XF32 "tfloat32_t" 32;
    F16 "half_t" 16;
    BF16 "bfloat16_t" 16;
    E4M3 "float_e4m3_t" 8;
    E5M2 "float_e5m2_t" 8;
    /// AMD's 8-bit float with 3 bits of mantissa.
    F8 "float_e4m3_t" 8;
    /// AMD's 8-bit float with 2 bits of mantissa.
    BF8 "float_e5m2_t" 8;
    E3M2 "float_e3m2_t" 6;
    E2M3 "float_e2m3_t" 6;
    E2M1 "float_e2m1_t" 4;
    S32 "int32_t" 32;
    S16 "int16_t" 16;
    S8 "int8_t" 8;
    U8 "uint8_t" 8;
    S4 "int4_t" 4;
    U4 "uint4_t" 4;
    U1 "uint1_t" 1;
    /// AMD's and Intel's name for `S32`.
    I32 "int32_t" 32;
    /// AMD's and Intel's name for `S8`.
    I8 "int8_t" 8;
    /// AMD's name for `S4`.
    I4 "int4_t" 4;
    /// A complex number of two `F64`.
    C64 "complex<double>" 128;
    /// The three sums of Gauss's complex product.
    GC64 "complex<double>" 192;
}
