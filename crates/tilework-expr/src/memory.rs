//! What a tile of shared memory comes to, in a sentence: the change without bank conflicts, and whether an instruction accepts
//! it. The program and the explorer answer with these.

use crate::error::Failure;
use std::fmt;
use tilework::{AnyLayout, Composed, Error, HasLayout, Layout};
use tilework_hardware::access::{Access, Method, admits};
use tilework_hardware::atom::{Atom, find};
use tilework_hardware::memory::Banks;
use tilework_hardware::operand::{Illegal, Matrix, Mode, ldmatrix, tma};
use tilework_hardware::swizzle::{Certificate, Form, Impossible};

/// A swizzled layout, or the layout if the swizzle is trivial.
///
/// ```
/// use tilework::{Composed, Swizzle, layout};
/// assert_eq!(tilework_expr::swizzled(&Composed::new(Swizzle::NONE, 0, layout!(4:1))?), "4:1");
/// # Ok::<(), tilework::Error>(())
/// ```
#[must_use]
pub fn swizzled(data: &Composed) -> String {
    if data.swizzle().bits() == 0 { data.layout().to_string() } else { data.to_string() }
}

/// The smallest change of a tile without bank conflicts, or why there is none.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Unconflicted {
    /// The new layout of the tile.
    pub layout: Option<String>,
    /// The elements of memory that it takes.
    pub elements: Option<i64>,
    /// The accesses, which are free of conflicts.
    pub accesses: Vec<Free>,
    /// Why no change of the form exists.
    pub impossible: Option<String>,
    /// The bits of an element.
    pub element_bits: u32,
    /// What was ruled out.
    #[cfg_attr(feature = "serde", serde(skip))]
    smallest: &'static str,
}

/// An access without conflicts.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Free {
    /// Its name.
    pub name: String,
    /// How long it takes.
    pub wavefronts: u64,
    /// The ranks over F2 of the words of a phase and of their banks; none if the wavefronts were counted.
    pub ranks: Option<[u32; 2]>,
    /// Which lanes meet in which bank of the tile as it was, if any do.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub before: Option<String>,
    /// How many elements of the tile it reaches, if not all.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub reaches: Option<i64>,
}

impl Unconflicted {
    /// The answer of a search for `tile` and accesses with these names.
    ///
    /// ```
    /// use tilework::layout;
    /// use tilework_expr::Unconflicted;
    /// use tilework_hardware::{access::Access, memory::Banks, swizzle::{Form, search}};
    /// let tile = layout!((64,32):(32,1));
    /// let accesses = [(Banks::NVIDIA, Access::ldmatrix(&tile, 16)?)];
    /// let found = search(&tile, &accesses, Form::Sw);
    /// let answer = Unconflicted::of(&tile, &["load".into()], &accesses, Form::Sw, found)?;
    /// assert_eq!(answer.layout.as_deref(), Some("Sw<2,3,3> o 0 o (64,32):(32,1)"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Failure`] with the code `undecided` if the search ended without an answer.
    pub fn of(
        tile: &Layout,
        names: &[String],
        accesses: &[(Banks, Access)],
        form: Form,
        found: Result<Certificate, Impossible>,
    ) -> Result<Unconflicted, Failure> {
        let element_bits = accesses.first().map_or(0, |(_, access)| access.bits());
        let none = Unconflicted { element_bits, ..Unconflicted::default() };
        let certificate = match found {
            Ok(certificate) => certificate,
            Err(undecided @ Impossible::Undecided { .. }) => {
                return Err(Failure::other("undecided", undecided.to_string()));
            }
            Err(impossible) => {
                let text = impossible.with_names(names);
                return Ok(Unconflicted { impossible: Some(text), ..none });
            }
        };
        certificate.check().map_err(|flaw| Failure::other("certificate", flaw.to_string()))?;
        let data = certificate.data();
        let mut free = Vec::new();
        for (name, (banks, access)) in names.iter().zip(accesses) {
            let report = banks.report(data, access)?;
            let ranks = match report.method {
                Method::Rank { words, banks } => Some([words, banks]),
                _ => None,
            };
            let reaches = report.reach.partial();
            let was = banks.report(tile, access).ok();
            let before =
                was.and_then(|was| Some(format!("{} wavefronts: {}", was.wavefronts, was.conflict?)));
            free.push(Free { name: name.clone(), wavefronts: report.wavefronts, ranks, before, reaches });
        }
        let smallest = match form {
            Form::Sw if data.swizzle().bits() > 0 => "no smaller swizzle achieves this",
            Form::Pad if data.layout() != tile => "no smaller padding achieves this with all vectors aligned",
            _ => "",
        };
        let elements = Some(certificate.elements()?);
        Ok(Unconflicted { layout: Some(swizzled(data)), elements, accesses: free, smallest, ..none })
    }
}

impl fmt::Display for Unconflicted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(reason) = &self.impossible {
            write!(f, "none: {reason}")?;
        } else {
            f.write_str(self.layout.as_deref().unwrap_or_default())?;
        }
        for (i, Free { name, wavefronts, before, reaches, .. }) in self.accesses.iter().enumerate() {
            write!(f, "{}{name}: no conflicts", if i == 0 { "   " } else { ", " })?;
            if let Some(elements) = reaches {
                write!(f, " on the {elements} elements it reaches")?;
            }
            if let Some(before) = before {
                write!(f, " in {wavefronts} wavefronts (before {before})")?;
            }
        }
        if !self.smallest.is_empty() {
            write!(f, "; {}", self.smallest)?;
        }
        write!(f, "; elements of {} bits", self.element_bits)
    }
}

/// The instructions that take a tile of shared memory as an operand, by name. Beside them there is `tmem.NAME` for each
/// instruction that copies tensor memory, such as `tmem.SM100_TMEM_LOAD_32dp32b2x`.
///
/// ```
/// assert!(tilework_expr::operands().any(|name| name == "wgmma.a.k"));
/// ```
pub fn operands() -> impl Iterator<Item = &'static str> {
    Matrix::ALL.iter().map(|matrix| matrix.name()).chain(["ldmatrix", "tma"])
}

/// Whether there is an instruction of this name, one of [`operands`] or `tmem.NAME`.
///
/// ```
/// assert!(tilework_expr::check_operand("tmem.SM100_TMEM_LOAD_32dp32b2x").is_ok());
/// assert!(tilework_expr::check_operand("mma").is_err());
/// ```
///
/// # Errors
/// [`Failure`] with the code `arguments` and the names.
pub fn check_operand(name: &str) -> Result<(), Failure> {
    match operands().any(|known| known == name) || tensor_memory(name).is_some() {
        true => Ok(()),
        false => Err(unknown_operand(name)),
    }
}

fn unknown_operand(name: &str) -> Failure {
    let known = operands().collect::<Vec<_>>().join(", ");
    let others = "tmem.NAME for an instruction that copies tensor memory (tilework atoms tmem)";
    Failure::other("arguments", format!("no instruction `{name}`; there are {known}, and {others}"))
}

/// The bits of tensor memory that instruction `tmem.NAME` accesses.
fn tensor_memory(name: &str) -> Option<Layout> {
    match find(name.strip_prefix("tmem.")?)? {
        Atom::Copy(atom) => atom.memory,
        Atom::Mma(_) => None,
    }
}

/// The elements of a data layout that an instruction accesses in tensor memory.
fn placed(tile: &AnyLayout, memory: &Layout, bits: u32) -> Result<Legal, Illegal> {
    let (AnyLayout::Plain(data), memory) = (tile, memory.upcast(i64::from(bits))?) else {
        let reason = "tensor memory has no swizzles";
        return Err(Error::NotXorLinear { reason }.into());
    };
    let elements = admits(data, &memory)?;
    Ok(Legal::plain(format!("the elements {elements} of the data, at the offsets {memory}"), TMEM_ALIGNMENT))
}

/// A column of tensor memory, in bytes.
const TMEM_ALIGNMENT: u32 = 4;

/// Whether an instruction accepts a tile.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Operand {
    /// The name of the instruction, and for matrices of the operand and its major mode.
    pub instruction: String,
    /// How it is given to the instruction, if it is legal.
    pub legal: Option<Legal>,
    /// Why it is not.
    pub refused: Option<String>,
    /// The code of this reason.
    pub code: Option<&'static str>,
    /// A legal layout of the same extents.
    pub nearest: Option<String>,
    /// The bits of an element.
    pub element_bits: u32,
}

/// A legal operand.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Legal {
    /// A sentence.
    pub text: String,
    /// The leading dimension byte offset (LBO) of a descriptor, in units of 16 bytes.
    pub leading: Option<u32>,
    /// The stride dimension byte offset (SBO), in units of 16 bytes.
    pub stride: Option<u32>,
    /// The alignment of the start address, in bytes.
    pub base: u32,
    /// The descriptor's bits for the start address 0.
    pub descriptor: Option<u64>,
    /// The number that is added to the start address for each instruction along K, in units of 16 bytes.
    pub starts: Vec<u32>,
}

impl Legal {
    fn plain(text: String, base: u32) -> Legal {
        Legal { text, leading: None, stride: None, base, descriptor: None, starts: Vec::new() }
    }
}

impl Operand {
    /// Whether an instruction, one of [`operands`], accepts a tile at an address of an alignment, if that is given; `tma` from
    /// the layout of a tensor in global memory. An instruction `tmem.NAME` accepts a layout of tensor memory that has all the
    /// offsets which it accesses, in elements, of which a lane has 2^21 bits (paper, section 3.4.4).
    ///
    /// ```
    /// use tilework_expr::Operand;
    /// let tile: tilework::Composed = "Sw<3,3,3> o 0 o (64,64):(64,1)".parse()?;
    /// assert!(Operand::of(&tile.into(), "wgmma.a.k", None, 16, None)?.legal.is_some());
    /// let accumulator: tilework::Layout = "(128,8):(65536,1)".parse()?;
    /// let load = Operand::of(&accumulator.into(), "tmem.SM100_TMEM_LOAD_32dp32b2x", None, 32, None)?;
    /// assert_eq!(load.legal.unwrap().text, "the elements (2,32):(128,1) of the data, at the offsets (2,32):(1,65536)");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Failure`] with the code `arguments` for another name, and for `tma` without that layout.
    pub fn of(
        tile: &AnyLayout,
        instruction: &str,
        global: Option<&Layout>,
        bits: u32,
        align: Option<u32>,
    ) -> Result<Operand, Failure> {
        let matrix = Matrix::find(instruction);
        let legal = match (matrix, instruction, global) {
            (Some(matrix), ..) => matrix.operand(tile, bits).map(|operand| Legal {
                text: operand.to_string(),
                leading: Some(operand.leading),
                stride: Some(operand.stride),
                base: operand.base(),
                descriptor: Some(operand.descriptor(0)),
                starts: operand.starts,
            }),
            (None, "tma", Some(global)) => {
                tma(global, tile, bits).map(|map| Legal::plain(map.to_string(), map.base()))
            }
            (None, "tma", None) => {
                return Err(Failure::other(
                    "arguments",
                    "tma takes the layout of the tensor in global memory",
                ));
            }
            (None, "ldmatrix", _) => ldmatrix(tile, bits)
                .map_err(Illegal::from)
                .map(|_| Legal::plain("rows of 16 bytes".into(), 16)),
            _ => match tensor_memory(instruction) {
                Some(memory) => placed(tile, &memory, bits),
                None => return Err(unknown_operand(instruction)),
            },
        };
        let legal = legal.and_then(|legal| {
            align.map_or(Ok(()), |align| Illegal::check_base(align, legal.base)).map(|()| legal)
        });
        let (instruction, element_bits) = (instruction.to_owned(), bits);
        let mut answer = Operand { instruction, element_bits, ..Operand::default() };
        match legal {
            Ok(legal) => answer.legal = Some(legal),
            Err(illegal) => {
                (answer.refused, answer.code) = (Some(illegal.to_string()), Some(illegal.code()));
                if !matches!(illegal, Illegal::Base { .. }) {
                    answer.nearest = matrix.and_then(|matrix| proposal(tile, matrix, bits));
                }
            }
        }
        Ok(answer)
    }
}

/// A legal layout of the same extents; the same layout if another swizzle alone makes it legal.
fn proposal(tile: &AnyLayout, matrix: Matrix, bits: u32) -> Option<String> {
    let swizzled = |mode: &Mode| Composed::new(mode.swizzle(bits).ok()?, 0, *tile.as_layout()).ok();
    let mut own = Mode::ALL.iter().rev().filter_map(swizzled);
    if let Some(own) = own.find(|own| matrix.operand(own, bits).is_ok()) {
        return Some(own.to_string());
    }
    let extent = |mode: usize| tile.as_layout().mode(mode).ok().map(|mode| mode.size());
    Some(matrix.nearest(extent(0)?, extent(1)?, bits).ok()?.to_string())
}

impl fmt::Display for Operand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.instruction)?;
        match &self.legal {
            Some(legal) => f.write_str(&legal.text)?,
            None => write!(f, "refused: {}", self.refused.as_deref().unwrap_or_default())?,
        }
        if let Some(layout) = &self.nearest {
            write!(f, "; {layout} is legal")?;
        }
        write!(f, "; elements of {} bits", self.element_bits)
    }
}
