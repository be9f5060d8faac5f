//! The contents and the language of source text.

use super::divisor::{OF_C, OF_CUDA, OF_RUST};
use crate::guard::Guard;
use alloc::string::String;

/// A language of source text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Language {
    /// C, with the types of `stdint.h`.
    C,
    /// CUDA C++, for host and device.
    Cuda,
    /// Rust.
    Rust,
    /// Python.
    Python,
    /// The WebGPU shading language, whose integers have 32 bits.
    Wgsl,
}

impl Language {
    /// All languages.
    pub const ALL: [Language; 5] =
        [Language::C, Language::Cuda, Language::Rust, Language::Python, Language::Wgsl];

    /// Its name: `c`, `cuda`, `rust`, `python`, `wgsl`.
    ///
    /// ```
    /// use tilework_symbolic::Language;
    /// assert_eq!(Language::ALL.map(Language::name), ["c", "cuda", "rust", "python", "wgsl"]);
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Language::C => "c",
            Language::Cuda => "cuda",
            Language::Rust => "rust",
            Language::Python => "python",
            Language::Wgsl => "wgsl",
        }
    }

    /// The type `Divisor` and its functions: `divisor_of` on the host, and `div_by` and `mod_by`, which multiply. Empty
    /// for languages without 64-bit products, or without a benefit.
    ///
    /// A divisor `d` with `2^(s-1) < d <= 2^s` has the factor `m = ceil(2^(31+s) / d)`, which fits 32 bits. With `e = m
    /// d - 2^(31+s) < 2^s` and `x < 2^31`, `e x < 2^(31+s)`, and so `floor(m x / 2^(31+s)) = floor(x / d)`.
    ///
    /// ```
    /// use tilework_symbolic::{Language, Scope, Source};
    /// assert!(Language::Cuda.divisors().is_some() && Language::Python.divisors().is_none());
    /// let mut scope = Scope::new();
    /// let layout = scope.layout("(M,K):(1,ld)")?;
    /// let mut source = Source::new(Language::C, &["x"]);
    /// source.products = true;
    /// let emitted = scope.index_function(&layout, "offset", &source)?;
    /// assert_eq!(emitted.text.as_str().lines().skip(1).collect::<Vec<_>>(), [
    ///     "// d0 = divisor_of(M)",
    ///     "static inline uint32_t offset(uint32_t x, Divisor d0, uint32_t ld) {",
    ///     "    return mod_by(x, d0) + div_by(x, d0)*ld;",
    ///     "}",
    /// ]);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub fn divisors(self) -> Option<&'static str> {
        match self {
            Language::C => Some(OF_C),
            Language::Cuda => Some(OF_CUDA),
            Language::Rust => Some(OF_RUST),
            Language::Python | Language::Wgsl => None,
        }
    }

    /// Its integer type of a width.
    pub(super) fn integer(self, bits: u32, signed: bool) -> &'static str {
        match (self, bits, signed) {
            (Language::C | Language::Cuda, 32, false) => "uint32_t",
            (Language::C | Language::Cuda, 32, true) => "int32_t",
            (Language::C | Language::Cuda, _, false) => "uint64_t",
            (Language::C | Language::Cuda, _, true) => "int64_t",
            (Language::Rust | Language::Wgsl, 32, false) => "u32",
            (Language::Rust | Language::Wgsl, 32, true) => "i32",
            (Language::Rust | Language::Wgsl, _, false) => "u64",
            (Language::Rust | Language::Wgsl, _, true) => "i64",
            (Language::Python, ..) => "int",
        }
    }
}

/// How a layout is written as source text.
///
/// ```
/// use tilework::{AnyLayout, layout};
/// use tilework_symbolic::{Language, Source, index_expression};
/// let rows = AnyLayout::from(layout!((4,8):(8,1)));
/// let text = |source: Source| index_expression(&rows, &source).unwrap().text.to_string();
/// assert_eq!(text(Source::new(Language::C, &["x"])), "(x & 3)*8 + (x >> 2)");
/// assert_eq!(text(Source::new(Language::C, &["i", "j"])), "i*8 + j");
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Source<'a> {
    /// The language.
    pub language: Language,
    /// The names of the coordinate, none of which is in the layout: one is a linear index; otherwise there is one for
    /// each mode, or for each leaf. A name that is declared in the scope, such as that of a loop, has the bounds of its facts, any other those of its mode. All are in bounds
    /// and non-negative.
    pub coordinate: &'a [&'a str],
    /// The width of the integers, 32 or 64. By default it is 32 if all computed values are proved to fit 31 bits,
    /// otherwise 64; WGSL has only integers of 32 bits.
    pub bits: Option<u32>,
    /// Whether a function divides by products: each divisor that is not a number is a parameter `d0`, `d1`, ... of the
    /// type `Divisor`, which the host computes once ([`Language::divisors`]). For offsets that are computed often, in
    /// integers of 32 bits.
    pub products: bool,
}

impl<'a> Source<'a> {
    /// Source text in this language, for this coordinate.
    ///
    /// ```
    /// use tilework_symbolic::{Language, Source};
    /// assert_eq!(Source::new(Language::C, &["x"]).bits, None);
    /// ```
    #[must_use]
    pub fn new(language: Language, coordinate: &'a [&'a str]) -> Source<'a> {
        Source { language, coordinate, bits: None, products: false }
    }
}

/// Source text, and the conditions on the names under which it is correct.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Emitted {
    /// The text.
    pub text: String,
    /// The type of the coordinates, of the names and of the result: `uint32_t`, `i64`, `int`.
    pub integer: &'static str,
    /// The condition under which all computed values fit integers of 32 bits; always for other integers.
    pub guard: Guard,
}
