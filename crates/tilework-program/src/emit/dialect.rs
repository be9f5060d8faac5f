//! What differs between the languages.

use crate::element::Element;
use crate::prelude::*;
use crate::program::{Function, Written};
use crate::verify::Type;
use tilework_symbolic::Language;

/// A language of kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// The WebGPU shading language.
    Wgsl,
    /// CUDA C++.
    Cuda,
}

/// Words that are no names in one of the languages, or that the text uses itself.
const TAKEN: &str = " alias auto bool break case catch char class const const_assert constexpr continue default delete \
     diagnostic discard do double else enable enum explicit export extern false float fn for goto half if in inline int let \
     long loop main namespace new operator out override private protected public register requires return shared short \
     signed sizes sizeof static struct switch table target template this throw true try typedef typename union unsigned \
     using var virtual void volatile while workgroup blockIdx threadIdx f32 f16 i32 u32 bf16 u8 i8 min max abs exp log sqrt \
     rsqrt tanh select ";

/// A name that both languages accept.
pub fn identifier(name: &str) -> String {
    match TAKEN.contains(&format!(" {name} ")) {
        true => format!("{name}_"),
        false => name.to_string(),
    }
}

/// The type of some contiguous elements in CUDA; small ones are parts of words.
pub fn vector_type(element: Element, width: i64) -> String {
    let name = match element {
        Element::F32 => "float",
        Element::I32 => "int",
        _ => "uint",
    };
    match width * element.bytes() / 4 {
        1 => "unsigned".to_string(),
        words => format!("{name}{words}"),
    }
}

/// A vector of elements in CUDA.
pub fn vector(element: Element, elements: &[String]) -> String {
    let (per_word, of) = (4 / element.bytes() as usize, vector_type(element, elements.len() as i64));
    let word = |own: &[String]| {
        let bits = own.iter().enumerate().map(|(place, text)| {
            let (bits, shift) = (Target::Cuda.bits(element, text), 8 * element.bytes() as usize * place);
            if shift == 0 { bits } else { format!("{bits} << {shift}u") }
        });
        bits.collect::<Vec<_>>().join(" | ")
    };
    let words: Vec<String> = match per_word {
        1 => elements.to_vec(),
        _ => elements.chunks(per_word).map(word).collect(),
    };
    vector_of(&of, &words)
}

/// A vector whose elements are one number.
pub fn filled(element: Element, value: f64, width: i64) -> String {
    let of = vector_type(element, width);
    let words = (width * element.bytes() / 4) as usize;
    let word = match element.bytes() {
        4 => Target::Cuda.literal(value, element),
        _ => {
            let mut bytes = Vec::new();
            (0..4 / element.bytes()).for_each(|_| element.append_bytes(value, &mut bytes));
            format!("{}u", bytes.iter().rev().fold(0u32, |word, byte| word << 8 | u32::from(*byte)))
        }
    };
    vector_of(&of, &vec![word; words])
}

fn vector_of(of: &str, words: &[String]) -> String {
    match words {
        [one] => format!("({one})"),
        all => format!("make_{of}({})", all.join(", ")),
    }
}

impl Target {
    pub(super) fn language(self) -> Language {
        match self {
            Target::Wgsl => Language::Wgsl,
            Target::Cuda => Language::Cuda,
        }
    }

    /// The type of an element in memory.
    pub(super) fn type_name(self, element: Element) -> Result<&'static str, Error> {
        Ok(match (self, element) {
            (Target::Cuda, Element::F32) => "float",
            (Target::Cuda, Element::F16) => "__half",
            (Target::Cuda, Element::Bf16) => "__nv_bfloat16",
            (Target::Cuda, Element::I32) => "int",
            (Target::Cuda, Element::U32) => "unsigned",
            (Target::Cuda, Element::I8) => "signed char",
            (Target::Cuda, Element::U8) => "unsigned char",
            (Target::Wgsl, Element::F32) => "f32",
            (Target::Wgsl, Element::F16) => "f16",
            (Target::Wgsl, Element::I32) => "i32",
            (Target::Wgsl, Element::U32) => "u32",
            (Target::Wgsl, Element::Bf16 | Element::I8 | Element::U8) => {
                return Err(error!("WGSL has no type {element}: emit CUDA, or declare u32 and unpack it"));
            }
        })
    }

    /// Whether an element is computed with as an f32, and rounded after each operation.
    fn is_wide(self, element: Element) -> bool {
        self == Target::Cuda && matches!(element, Element::F16 | Element::Bf16)
    }

    /// An element that was read, as an operand.
    pub(super) fn loaded(self, element: Element, text: String) -> String {
        if self.is_wide(element) { format!("(float){text}") } else { text }
    }

    /// An operand, as an element to be written.
    pub(super) fn stored(self, element: Element, text: String) -> String {
        match (self.is_wide(element), element) {
            (true, Element::F16) => format!("(__half)({text})"),
            (true, _) => format!("(__nv_bfloat16)({text})"),
            _ => text,
        }
    }

    /// A part of a register of 4 bytes, from a bit on.
    pub(super) fn part(self, element: Element, word: &str, shift: usize) -> String {
        match element {
            Element::F16 => format!("__ushort_as_half((unsigned short)({word} >> {shift}u))"),
            Element::Bf16 => format!("__ushort_as_bfloat16((unsigned short)({word} >> {shift}u))"),
            Element::I8 => format!("(signed char)({word} >> {shift}u)"),
            _ => format!("(unsigned char)({word} >> {shift}u)"),
        }
    }

    /// The bits of an element that is a part of a register.
    pub(super) fn bits(self, element: Element, text: &str) -> String {
        match element {
            Element::F16 => format!("(unsigned)__half_as_ushort({text})"),
            Element::Bf16 => format!("(unsigned)__bfloat16_as_ushort({text})"),
            _ => format!("(unsigned)(unsigned char)({text})"),
        }
    }

    /// The element of a value in a vector that was read.
    pub(super) fn of_vector(self, element: Element, name: &str, width: i64, v: i64) -> String {
        let bits = 8 * element.bytes();
        let word = match (width * bits / 32, v * bits / 32) {
            (1, _) => name.to_string(),
            (_, at) => format!("{name}.{}", ["x", "y", "z", "w"][at as usize]),
        };
        if bits == 32 { word } else { self.part(element, &word, (v * bits % 32) as usize) }
    }

    pub(super) fn literal(self, value: f64, element: Element) -> String {
        let digits =
            |value: f64| if libm::trunc(value) == value { format!("{value:.1}") } else { format!("{value}") };
        match element {
            _ if element.is_float() && value.is_infinite() => match self {
                Target::Cuda if value > 0.0 => "__int_as_float(0x7f800000)".into(),
                Target::Cuda => "__int_as_float(0xff800000)".into(),
                // WGSL has no infinity: the largest finite value is as neutral in min and max.
                Target::Wgsl if element == Element::F16 => {
                    format!("{}65504.0h", if value < 0.0 { "-" } else { "" })
                }
                Target::Wgsl => format!("{}0x1.fffffep+127f", if value < 0.0 { "-" } else { "" }),
            },
            Element::F16 if self == Target::Wgsl => format!("{}h", digits(element.round(value))),
            _ if element.is_float() => format!("{}f", digits(value)),
            Element::U32 => format!("{value}u"),
            _ => {
                let suffix = if self == Target::Wgsl { "i" } else { "" };
                // The sign is no part of a literal, and the least number has no positive one.
                match value == f64::from(i32::MIN) {
                    true => format!("(-2147483647{suffix} - 1{suffix})"),
                    false => format!("{value}{suffix}"),
                }
            }
        }
    }

    /// A function of operands of one type.
    pub(super) fn call(self, function: Function, of: Type, operands: &[String]) -> Result<String, Error> {
        let element = match of {
            Type::Element(element) => Some(element),
            Type::Condition => None,
        };
        let is_float = element.is_some_and(Element::is_float);
        let [a, b] = [0, 1].map(|i| operands.get(i).map_or("", |text| text));
        if let Function::Cast(to) = function {
            return self.cast(is_float, to, a);
        }
        if function == Function::Select {
            let c = &operands[2];
            return Ok(match self {
                Target::Wgsl => format!("select({c}, {b}, {a})"),
                Target::Cuda => format!("({a} ? {b} : {c})"),
            });
        }
        let text = match function.written() {
            // Signed integers wrap as unsigned ones do, and a shift counts unsigned.
            Written::Infix(sign, _) => match (self, element, function) {
                (Target::Cuda, Some(Element::I32), Function::Add | Function::Sub | Function::Mul) => {
                    format!("(int)((unsigned)({a}) {sign} (unsigned)({b}))")
                }
                (Target::Wgsl, Some(Element::I32), Function::ShiftLeft | Function::ShiftRight) => {
                    format!("({a}) {sign} u32({b})")
                }
                _ => format!("{a} {sign} {b}"),
            },
            Written::Prefix(sign) => format!("{sign}({a})"),
            Written::Call(name, _) => {
                let name = match (self, function) {
                    (Target::Wgsl, Function::Rsqrt) => "inverseSqrt",
                    (Target::Cuda, Function::Min) if is_float => "fminf",
                    (Target::Cuda, Function::Max) if is_float => "fmaxf",
                    (Target::Cuda, Function::Abs) if is_float => "fabsf",
                    (Target::Cuda, Function::Exp) => "expf",
                    (Target::Cuda, Function::Log) => "logf",
                    (Target::Cuda, Function::Sqrt) => "sqrtf",
                    (Target::Cuda, Function::Rsqrt) => "rsqrtf",
                    (Target::Cuda, Function::Tanh) => "tanhf",
                    _ => name,
                };
                format!("{name}({})", operands.join(", "))
            }
        };
        let is_compared = matches!(function, Function::Less | Function::LessEqual | Function::Equal);
        match element {
            Some(element) if !is_compared && self == Target::Cuda => match element {
                Element::F16 | Element::Bf16 | Element::I8 | Element::U8 => {
                    self.cast(is_float, element, &text)
                }
                _ => Ok(text),
            },
            _ => Ok(text),
        }
    }

    /// A conversion; in C++ one from floating point to an integer has no value where that is beyond its range.
    fn cast(self, is_float: bool, to: Element, text: &str) -> Result<String, Error> {
        let name = self.type_name(to)?;
        Ok(match self {
            Target::Cuda if is_float && !to.is_float() => match to {
                Element::U32 => format!("__float2uint_rz({text})"),
                Element::I8 => format!("(signed char)max(min(__float2int_rz({text}), 127), -128)"),
                Element::U8 => format!("(unsigned char)max(min(__float2int_rz({text}), 255), 0)"),
                _ => format!("__float2int_rz({text})"),
            },
            Target::Wgsl => format!("{name}({text})"),
            Target::Cuda if self.is_wide(to) => format!("(float)({name})({text})"),
            Target::Cuda => format!("({name})({text})"),
        })
    }
}
