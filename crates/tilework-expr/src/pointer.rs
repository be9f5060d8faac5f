//! What stands before the layout of a tensor that CuTe prints: its memory, and the width of its elements.

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
    /// Not told.
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
    const NAMES: [(&'static str, Memory); 5] = [
        ("", Memory::Any),
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

/// Where a tensor's elements are, and how wide they are.
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
