//! Whether an instruction accepts a layout.

use super::any_layout::{Data, any_object};
use crate::error::Refusal;
use pyo3::prelude::*;
use tilework::AnyLayout;
use tilework_expr::width;
use tilework_hardware::operand::{self as legal, Illegal, Major};

/// The fields of the descriptor of a shared tile of two modes, M or N and K, if an instruction accepts it. Otherwise
/// one of `tilework.errors` names the first violation; its `help` is a legal layout of the same extents, if there is
/// one.
///
/// The instruction is `"ldmatrix"`, `"tma"`, which needs the layout of the tensor in global memory, or one of
/// `wgmma.a.k`, `wgmma.a.mn`, `wgmma.b.k`, `wgmma.b.mn` and the same of `tcgen05`. `bits` are those of an element, unless
/// `tile` is a tensor. `align` is the alignment of the tile's address, in bytes.
///
/// >>> from tilework import errors, hardware
/// >>> legal = hardware.operand("Sw<3,3,3> o 0 o (64,64):(64,1)", "wgmma.a.k", bits=16)
/// >>> print(legal)
/// 128-byte swizzle, LBO 1, SBO 64, base 1024; elements of 16 bits
/// >>> legal.base, hex(legal.descriptor)
/// (1024, '0x4000004000010000')
/// >>> try:
/// ...     hardware.operand("Sw<3,3,3> o 0 o (96,64):(1,96)", "wgmma.b.mn", bits=16)
/// ... except errors.Panel as error:
/// ...     print(error.help)
/// Sw<2,3,3> o 0 o ((32,3),(8,8)):((1,256),(32,768)) is legal
#[pyfunction]
#[pyo3(signature = (tile, instruction, *, bits = None, align = None, tensor = None))]
pub fn operand(
    tile: &Bound<'_, PyAny>,
    instruction: &str,
    bits: Option<u32>,
    align: Option<u32>,
    tensor: Option<&Bound<'_, PyAny>>,
) -> Result<Operand, Refusal> {
    let Data { layout: tile, value } = Data::of(tile)?;
    let global = tensor.map(Data::of).transpose()?;
    let bits = width(bits, [&value].into_iter().chain(global.as_ref().map(|data| &data.value)))?;
    let found = match (instruction, matrix(instruction)) {
        ("ldmatrix", _) => legal::ldmatrix(&tile, bits)
            .map_err(Illegal::from)
            .map(|_| Operand::plain("rows of 16 bytes".into())),
        ("tma", _) => match tensor.zip(global.as_ref()) {
            Some((tensor, data)) => legal::tma(&data.plain(tensor)?, &tile, bits)
                .map(|map| Operand { base: Some(map.mode.base()), ..Operand::plain(map.to_string()) }),
            None => {
                return Err(Refusal::new("arguments", "tma takes the layout of the tensor in global memory"));
            }
        },
        (_, Some((is_sm90, major))) => {
            let found =
                if is_sm90 { legal::wgmma(&tile, major, bits) } else { legal::tcgen05(&tile, major, bits) };
            found.map(|operand| Operand {
                leading: Some(operand.leading),
                stride: Some(operand.stride),
                base: Some(operand.base()),
                descriptor: Some(if is_sm90 { operand.sm90(0) } else { operand.sm100(0) }),
                starts: operand.starts.clone(),
                ..Operand::plain(operand.to_string())
            })
        }
        _ => {
            let message = format!(
                "there is no instruction `{instruction}`; ldmatrix, tma, wgmma.a.k, tcgen05.b.mn and so on are"
            );
            return Err(Refusal::new("arguments", message));
        }
    };
    let found = found.and_then(|operand| match (align, operand.base) {
        (Some(align), Some(needed)) if !align.is_multiple_of(needed) => Err(Illegal::Base { align, needed }),
        _ => Ok(operand),
    });
    let found = found.map(|operand| Operand { element_bits: bits, ..operand });
    found.map_err(|illegal| match proposal(&tile, instruction, bits) {
        Some(other) if !matches!(illegal, Illegal::Base { .. }) => {
            let refusal = tilework_expr::ExprError::new(0..0, illegal.code(), illegal.to_string());
            Refusal::Library(Box::new(refusal.with_help(format!("{other} is legal"))))
        }
        _ => illegal.into(),
    })
}

/// Whether the operand of `wgmma.a.k` and the like is for SM90, and its major mode.
fn matrix(instruction: &str) -> Option<(bool, Major)> {
    let (family, rest) = instruction.split_once('.')?;
    let (side, major) = rest.split_once('.')?;
    let major = match major {
        "k" => Major::K,
        "mn" => Major::MN,
        _ => return None,
    };
    match (family, side) {
        ("wgmma", "a" | "b") => Some((true, major)),
        ("tcgen05", "a" | "b") => Some((false, major)),
        _ => None,
    }
}

/// A legal layout of the same extents.
fn proposal(tile: &AnyLayout, instruction: &str, bits: u32) -> Option<AnyLayout> {
    let extent = |mode: usize| tile.layout().mode(mode).ok().map(|mode| mode.size());
    let (_, major) = matrix(instruction)?;
    Some(legal::nearest(extent(0)?, extent(1)?, major, bits).ok()?.into())
}

/// A legal layout of an operand of `wgmma` or `tcgen05` with these extents; `major` is `"k"` or `"mn"`.
///
/// >>> from tilework import hardware
/// >>> print(hardware.nearest(64, 64, "k", bits=16))
/// Sw<3,3,3> o 0 o ((8,8),(64,1)):((64,512),(1,4096))
#[pyfunction]
#[pyo3(signature = (mn, k, major, *, bits))]
pub fn nearest<'py>(py: Python<'py>, mn: i64, k: i64, major: &str, bits: u32) -> PyResult<Bound<'py, PyAny>> {
    let major = match major {
        "k" => Major::K,
        "mn" => Major::MN,
        _ => return Err(Refusal::new("arguments", "the major mode is `k` or `mn`").into()),
    };
    any_object(py, legal::nearest(mn, k, major, bits).map_err(Refusal::from)?.into())
}

/// A legal operand: the result of `operand`.
#[pyclass(frozen, get_all, module = "tilework.hardware")]
pub struct Operand {
    /// The operand in one line, without the width of its elements.
    pub text: String,
    /// The leading dimension byte offset (LBO), in units of 16 bytes.
    pub leading: Option<u32>,
    /// The stride dimension byte offset (SBO), in units of 16 bytes.
    pub stride: Option<u32>,
    /// The required alignment of the tile's address, in bytes.
    pub base: Option<u32>,
    /// The descriptor's bits for the start address 0.
    pub descriptor: Option<u64>,
    /// The number that is added to the start address for each instruction along K, in units of 16 bytes.
    pub starts: Vec<u32>,
    /// The bits of an element.
    pub element_bits: u32,
}

impl Operand {
    fn plain(text: String) -> Operand {
        let starts = Vec::new();
        Operand { text, leading: None, stride: None, base: None, descriptor: None, starts, element_bits: 0 }
    }
}

#[pymethods]
impl Operand {
    fn __str__(&self) -> String {
        format!("{}; elements of {} bits", self.text, self.element_bits)
    }

    fn __repr__(&self) -> String {
        format!("<Operand {}>", self.__str__())
    }
}
