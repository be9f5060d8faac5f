//! The fields of values, written after a dot.

use crate::instruction::Instruction;
use crate::symbolic::SymbolicKind;
use crate::value::Value;
use tilework::{Error, HTuple, Layout};
use tilework_hardware::atom::{CopyAtom, MmaAtom};

/// Every field of any value, with its description.
///
/// ```
/// use tilework_expr::{FIELDS, Session};
/// assert!(FIELDS.iter().any(|(name, _)| *name == "dst"));
/// assert_eq!(Session::new().evaluate("atom(SM75_U32x4_LDSM_N, 16).dst")?.to_string(), "(32,(2,4)):(2,(1,64))");
/// # Ok::<(), tilework_expr::ExprError>(())
/// ```
pub const FIELDS: &[(&str, &str)] = &[
    ("shape", "the extents; of an MMA (M,N,K), of a tiled copy those of its tile"),
    ("stride", "the strides"),
    ("layout", "the layout of a tensor or on axes, without its pointer, offset, names and replicas"),
    ("atom", "the instruction that is repeated"),
    ("bits", "the bits of an element"),
    ("threads", "from the index of a thread to its lane; of a tiled MMA (V,M,N,K) -> thread"),
    ("a", "(thread,value) -> m + M k"),
    ("b", "(thread,value) -> n + N k"),
    ("c", "(thread,value) -> m + M n"),
    ("e", "(thread,value) -> m + M k of the elements that a thread has metadata of"),
    ("sfa", "(thread,value) -> m + M k of the elements that a thread has scales of"),
    ("sfb", "(thread,value) -> n + N k of the elements that a thread has scales of"),
    ("src", "(thread,value) -> place, of the source"),
    ("dst", "(thread,value) -> place, of the destination"),
    ("memory", "from the bits that are moved to bits of tensor memory, in which a lane is 2^21 bits long"),
    ("tv", "(thread,value) -> place in the tile, in the order of the side that the atom is laid out by"),
    ("tiler", "the tiles that tensors are divided by, mode by mode"),
];

impl Value {
    /// The names of its fields.
    ///
    /// ```
    /// let value = tilework_expr::Session::new().evaluate("atom(SM75_U32x4_LDSM_N)")?.clone();
    /// assert_eq!(value.fields(), ["bits", "threads", "src", "dst"]);
    /// # Ok::<(), tilework_expr::ExprError>(())
    /// ```
    #[must_use]
    pub fn fields(&self) -> &'static [&'static str] {
        match self {
            Value::Instruction(instruction) => match **instruction {
                Instruction::Mma(MmaAtom { e: None, sfa: None, .. }) => &["shape", "threads", "a", "b", "c"],
                Instruction::Mma(MmaAtom { sfa: None, .. }) => &["shape", "threads", "a", "b", "c", "e"],
                Instruction::Mma(MmaAtom { e: None, .. }) => {
                    &["shape", "threads", "a", "b", "c", "sfa", "sfb"]
                }
                Instruction::Mma(_) => &["shape", "threads", "a", "b", "c", "e", "sfa", "sfb"],
                Instruction::Copy(CopyAtom { memory: None, .. }, _) => &["bits", "threads", "src", "dst"],
                Instruction::Copy(..) => &["bits", "threads", "src", "dst", "memory"],
                Instruction::TiledMma(_) => &["atom", "shape", "threads", "a", "b", "c", "tiler"],
                Instruction::TiledCopy(_) => &["atom", "bits", "shape", "src", "dst", "tv", "tiler"],
                Instruction::ThreadMma(..) | Instruction::ThreadCopy(..) => &[],
            },
            Value::Tensor(..) => &["shape", "stride", "layout", "bits"],
            Value::Named(..) => &["shape", "stride", "layout"],
            _ if self.domain().is_some() => &["shape", "stride"],
            _ => &[],
        }
    }

    /// The value of a field; `None` if the value has no such field.
    ///
    /// ```
    /// let value = tilework_expr::Session::new().evaluate("atom(SM75_U32x4_LDSM_N, 16)")?.clone();
    /// assert_eq!(value.field("dst").unwrap()?.to_string(), "(32,(2,4)):(2,(1,64))");
    /// assert!(value.field("a").is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Layout::upcast`], and those of the layouts of a tiled MMA or copy.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<Result<Value, Error>> {
        let Value::Instruction(instruction) = self else {
            return match name {
                "shape" => Some(Value::integers(&self.domain()?.shape())),
                "stride" => Some(Value::strides(&self.domain()?.stride())),
                "layout" => Some(Ok(match self.untyped() {
                    Value::View(view) => Value::from(*view.layout()),
                    value => value.domain().map(|_| value.clone())?,
                })),
                "bits" => Some(Ok(Value::integer(self.element_bits()?.into()))),
                _ => None,
            };
        };
        let layout = |layout: Result<Layout, Error>| layout.map(Value::from);
        let extents = |extents: [i64; 3]| Value::integers(&HTuple::tuple(&extents.map(HTuple::leaf))?);
        Some(match (&**instruction, name) {
            (Instruction::Mma(atom), "shape") => extents(atom.shape),
            (Instruction::Mma(atom), "threads") => layout(Ok(atom.threads)),
            (Instruction::Mma(atom), "a") => layout(Ok(atom.a)),
            (Instruction::Mma(atom), "b") => layout(Ok(atom.b)),
            (Instruction::Mma(atom), "c") => layout(Ok(atom.c)),
            (Instruction::Mma(atom), "e") => layout(Ok(atom.e?)),
            (Instruction::Mma(atom), "sfa") => layout(Ok(atom.sfa?)),
            (Instruction::Mma(atom), "sfb") => layout(Ok(atom.sfb?)),
            (Instruction::Copy(_, bits), "bits") => Ok(Value::integer(*bits)),
            (Instruction::Copy(atom, _), "threads") => layout(Ok(atom.threads)),
            (Instruction::Copy(atom, bits), "src") => layout(atom.elements(*bits).map(|[source, _]| source)),
            (Instruction::Copy(atom, bits), "dst") => {
                layout(atom.elements(*bits).map(|[_, destination]| destination))
            }
            (Instruction::Copy(atom, bits), "memory") => layout(atom.memory?.upcast(*bits)),
            (Instruction::TiledMma(mma), "atom") => Ok(Instruction::Mma(*mma.atom()).into()),
            (Instruction::TiledMma(mma), "shape") => extents(mma.tile()),
            (Instruction::TiledMma(mma), "threads") => layout(Ok(*mma.thread_layout())),
            (Instruction::TiledMma(mma), "a") => layout(mma.layout_a_tv()),
            (Instruction::TiledMma(mma), "b") => layout(mma.layout_b_tv()),
            (Instruction::TiledMma(mma), "c") => layout(mma.layout_c_tv()),
            (Instruction::TiledMma(mma), "tiler") => Value::tiler(*mma.permutation()),
            (Instruction::TiledCopy(copy), "atom") => Ok(Instruction::Copy(*copy.atom(), copy.bits()).into()),
            (Instruction::TiledCopy(copy), "bits") => Ok(Value::integer(copy.bits())),
            (Instruction::TiledCopy(copy), "shape") => Value::integers(copy.extents()),
            (Instruction::TiledCopy(copy), "src") => layout(copy.layout_s_tv()),
            (Instruction::TiledCopy(copy), "dst") => layout(copy.layout_d_tv()),
            (Instruction::TiledCopy(copy), "tv") => layout(Ok(*copy.threads_values())),
            (Instruction::TiledCopy(copy), "tiler") => Value::tiler(*copy.tiler()),
            _ => return None,
        })
    }

    /// The value as it prints; for an instruction also its fields, and for cases each piece, one per line; for source
    /// text the whole function.
    ///
    /// ```
    /// let value = tilework_expr::Session::new().evaluate("atom(SM61_DP4A)")?.clone();
    /// assert!(value.in_full().contains("\n  .a       (1,4):(0,1)\n"));
    /// # Ok::<(), tilework_expr::ExprError>(())
    /// ```
    #[must_use]
    pub fn in_full(&self) -> String {
        let mut text = self.to_string();
        if let Value::Symbolic(symbolic) = self {
            return match symbolic.function() {
                Some(function) => function.trim_end().to_owned(),
                None if symbolic.kind() == SymbolicKind::Cases => text.replace(" else ", "\nelse "),
                None => text,
            };
        }
        let Value::Instruction(_) = self else { return text };
        let names = self.fields();
        let width = names.iter().map(|name| name.len()).max().unwrap_or(0);
        for name in names {
            text += &match self.field(name) {
                Some(Ok(value)) => format!("\n  .{name:width$} {value}"),
                Some(Err(error)) => format!("\n  .{name:width$} none: {error}"),
                None => String::new(),
            };
        }
        text
    }
}
