//! The text before the layout of a tensor that CuTe prints: its memory, and the width of its elements.

use std::fmt;

/// The memory that CuTe names before a tensor's layout.
///
/// ```
/// use tilework_expr::{Memory, Session, Value};
/// let Value::Tensor(pointer, _) = Session::new().evaluate("gmem_ptr[32b](0x7f00) o _8:_1")?.clone() else { panic!("a tensor") };
/// assert_eq!(pointer.memory(), Memory::Global);
/// # Ok::<(), tilework_expr::ExprError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Memory {
    /// Unknown.
    Any,
    /// Global memory.
    Global,
    /// Shared memory.
    Shared,
    /// Registers.
    Register,
    /// Tensor memory.
    Tensor,
}

impl Memory {
    const NAMES: [(&'static str, Memory); 6] = [
        ("", Memory::Any),
        ("generic", Memory::Any),
        ("gmem", Memory::Global),
        ("smem", Memory::Shared),
        ("rmem", Memory::Register),
        ("tmem", Memory::Tensor),
    ];

    /// The memory of this name in CuTe.
    pub(crate) fn find(name: &str) -> Option<Memory> {
        Memory::NAMES.iter().find(|(known, _)| *known == name).map(|(_, memory)| *memory)
    }
}

/// The memory of a tensor's elements, and their width.
///
/// ```
/// use tilework_expr::{Session, Value};
/// let Value::Tensor(pointer, _) = Session::new().evaluate("ptr[32b](0x7f00) o _8:_1")?.clone() else { panic!("a tensor") };
/// assert_eq!((pointer.bits(), pointer.to_string().as_str()), (32, "ptr[32b]"));
/// # Ok::<(), tilework_expr::ExprError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pointer {
    memory: Memory,
    bits: u32,
}

impl Pointer {
    pub(crate) const fn new(memory: Memory, bits: u32) -> Pointer {
        Pointer { memory, bits }
    }

    /// The memory.
    ///
    /// ```
    /// use tilework_expr::{Memory, Session, Value};
    /// let Value::Tensor(pointer, _) = Session::new().evaluate("ptr[32b](0x7f00) o _8:_1")?.clone() else { panic!("a tensor") };
    /// assert_eq!(pointer.memory(), Memory::Any);
    /// # Ok::<(), tilework_expr::ExprError>(())
    /// ```
    #[must_use]
    pub const fn memory(self) -> Memory {
        self.memory
    }

    /// The bits of an element.
    ///
    /// ```
    /// use tilework_expr::{Session, Value};
    /// let Value::Tensor(pointer, _) = Session::new().evaluate("ptr[32b](0x7f00) o _8:_1")?.clone() else { panic!("a tensor") };
    /// assert_eq!(pointer.bits(), 32);
    /// # Ok::<(), tilework_expr::ExprError>(())
    /// ```
    #[must_use]
    pub const fn bits(self) -> u32 {
        self.bits
    }
}

impl fmt::Display for Pointer {
    /// As CuTe prints it, without the address.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = Memory::NAMES.iter().find(|(_, memory)| *memory == self.memory);
        let name = named.map_or("", |(name, _)| name);
        write!(f, "{name}{}ptr[{}b]", if name.is_empty() { "" } else { "_" }, self.bits)
    }
}

/// The bits of an element type of C++ or the DSL.
pub(crate) fn type_bits(name: &str) -> Option<u32> {
    Some(match name {
        "bool" | "Boolean" | "char" => 8,
        "short" | "half" | "half_t" | "__half" | "__nv_bfloat16" => 16,
        "int" | "unsigned" | "float" => 32,
        "double" | "long" | "size_t" | "ptrdiff_t" => 64,
        "float_e4m3_t" | "float_e5m2_t" | "float_ue4m3_t" | "float_ue8m0_t" => 8,
        "float_e3m2_t" | "float_e2m3_t" => 6,
        "float_e2m1_t" => 4,
        _ => {
            let behind = name.trim_start_matches(|c: char| c.is_ascii_alphabetic());
            let (kind, count) =
                (&name[..name.len() - behind.len()], behind.bytes().take_while(u8::is_ascii_digit).count());
            let (bits, rest) = behind.split_at(count);
            let known = match kind {
                "int" | "uint" | "float" | "bfloat" | "tfloat" => {
                    matches!(rest, "" | "_t") || rest.starts_with("_e")
                }
                "Int" | "Uint" | "BFloat" | "TFloat" => rest.is_empty(),
                // Float8E4M3FN
                "Float" => rest.is_empty() || rest.starts_with('E'),
                _ => false,
            };
            let bits = bits.parse().ok().filter(|_| known);
            return bits.filter(|bits| matches!(bits, 1 | 2 | 4 | 6 | 8 | 16 | 32 | 64 | 128 | 256));
        }
    })
}

/// The bits of a vector of CUDA, as `float4` or `__half2`, which is one element of an array.
pub(crate) fn vector_type(name: &str) -> Option<u32> {
    let count = name.chars().next_back()?.to_digit(10).filter(|count| (1..=4).contains(count))?;
    let element = match &name[..name.len() - 1] {
        "uchar" | "ushort" | "uint" | "ulong" | "ulonglong" | "longlong" => name.trim_start_matches('u'),
        element => element,
    };
    let known =
        ["char", "short", "int", "long", "longlong", "float", "double", "half", "__half", "__nv_bfloat16"];
    let bits = if element == "longlong" { Some(64) } else { type_bits(element) };
    bits.filter(|_| known.contains(&element)).map(|bits| bits * count)
}

/// The element type at the beginning of a text: its length and its bits.
pub(crate) fn element_type(text: &str) -> Option<(usize, u32)> {
    let word = first_word(text);
    // `uint_bit_t<128>`, `uint_byte_t<16>`, `integer_subbyte<4, true>`.
    let sized = || {
        let unit = match word.trim_start_matches('u') {
            "int_bit_t" | "integer_subbyte" => 1,
            "int_byte_t" => 8,
            _ => return None,
        };
        let (size, _) = text[word.len()..].strip_prefix('<')?.split_once('>')?;
        let number = size.split(',').next()?.trim_start_matches("(int)");
        let bits = number.parse::<u32>().ok()?.checked_mul(unit).filter(|bits| (1..=65536).contains(bits))?;
        Some((word.len() + size.len() + 2, bits))
    };
    integer_type(text).or_else(|| type_bits(word).map(|bits| (word.len(), bits))).or_else(sized)
}

pub(crate) fn first_word(text: &str) -> &str {
    let is_of_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    &text[..text.bytes().take_while(is_of_word).count()]
}

/// The integer type of C++ at the beginning of a text, as `unsigned int`: its length and its bits.
pub(crate) fn integer_type(text: &str) -> Option<(usize, u32)> {
    let (mut length, mut bits) = (0, 32);
    loop {
        let rest = text[length..].trim_start_matches(' ');
        let word = first_word(rest);
        match word {
            "char" | "short" | "long" => bits = type_bits(word)?,
            "int" | "signed" | "unsigned" => {}
            _ if length > 0 => return Some((length, bits)),
            _ => {
                let is_integer = matches!(word, "size_t" | "ptrdiff_t")
                    || word.ends_with("_t") && (word.starts_with("int") || word.starts_with("uint"));
                return type_bits(word).filter(|_| is_integer).map(|bits| (word.len(), bits));
            }
        }
        length = text.len() - rest.len() + word.len();
    }
}
