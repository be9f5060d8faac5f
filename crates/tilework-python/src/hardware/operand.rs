//! Whether an instruction accepts a layout.

use super::any_layout::Data;
use crate::classes;
use crate::prelude::*;
use tilework::AnyLayout;
use tilework_expr::width;
use tilework_hardware::operand::{self as legal, Illegal, Matrix};

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
    tile: &Object<'_>,
    instruction: &str,
    bits: Option<u32>,
    align: Option<u32>,
    tensor: Option<&Object<'_>>,
) -> Result<Operand> {
    let Data { layout: tile, value } = Data::of(tile)?;
    let global = tensor.map(Data::of).transpose()?;
    let bits = width(bits, [&value].into_iter().chain(global.as_ref().map(|data| &data.value)))?;
    let matrix = Matrix::find(instruction);
    let found = match (matrix, instruction, tensor.zip(global.as_ref())) {
        (Some(matrix), ..) => matrix.operand(&tile, bits).map(|operand| Operand {
            leading: Some(operand.leading),
            stride: Some(operand.stride),
            descriptor: Some(operand.descriptor(0)),
            starts: operand.starts.clone(),
            ..Operand::plain(operand.to_string(), operand.base(), bits)
        }),
        (None, "ldmatrix", _) => legal::ldmatrix(&tile, bits)
            .map_err(Illegal::from)
            .map(|_| Operand::plain("rows of 16 bytes".into(), 16, bits)),
        (None, "tma", Some((tensor, data))) => legal::tma(&data.plain(tensor)?, &tile, bits)
            .map(|map| Operand::plain(map.to_string(), map.base(), bits)),
        (None, "tma", None) => {
            return refuse("arguments", "tma takes the layout of the tensor in global memory");
        }
        _ => return Err(unknown(instruction, "ldmatrix, tma, ")),
    };
    let found = found.and_then(|operand| {
        align.map_or(Ok(()), |align| Illegal::check_base(align, operand.base)).map(|()| operand)
    });
    found.map_err(|illegal| match matrix.and_then(|matrix| proposal(&tile, matrix, bits)) {
        Some(other) if !matches!(illegal, Illegal::Base { .. }) => {
            let refusal = tilework_expr::ExprError::new(0..0, illegal.code(), illegal.to_string());
            Refusal::Library(Box::new(refusal.with_help(format!("{other} is legal"))))
        }
        _ => illegal.into(),
    })
}

fn unknown(instruction: &str, more: &str) -> Refusal {
    let message =
        format!("there is no instruction `{instruction}`; {more}wgmma.a.k, tcgen05.b.mn and so on are");
    Refusal::new("arguments", message)
}

/// A legal layout of the same extents.
fn proposal(tile: &AnyLayout, matrix: Matrix, bits: u32) -> Option<AnyLayout> {
    let extent = |mode: usize| tile.layout().mode(mode).ok().map(|mode| mode.size());
    Some(matrix.nearest(extent(0)?, extent(1)?, bits).ok()?.into())
}

/// A legal layout of these extents for an operand of `wgmma` or `tcgen05`, such as `"wgmma.a.k"`.
///
/// >>> from tilework import hardware
/// >>> print(hardware.nearest(64, 64, "wgmma.a.k", bits=16))
/// Sw<3,3,3> o 0 o ((8,8),(64,1)):((64,512),(1,4096))
#[pyfunction]
#[pyo3(signature = (mn, k, instruction, *, bits))]
pub fn nearest<'py>(py: Python<'py>, mn: i64, k: i64, instruction: &str, bits: u32) -> Made<'py> {
    let matrix = Matrix::find(instruction).ok_or_else(|| unknown(instruction, ""))?;
    classes::object(py, matrix.nearest(mn, k, bits).map_err(Refusal::from)?.into())
}

/// A legal operand: the result of `operand`.
#[pyclass(frozen, get_all, module = "tilework.hardware")]
#[derive(Default)]
pub struct Operand {
    /// The operand in one line, without the width of its elements.
    pub text: String,
    /// The leading dimension byte offset (LBO), in units of 16 bytes.
    pub leading: Option<u32>,
    /// The stride dimension byte offset (SBO), in units of 16 bytes.
    pub stride: Option<u32>,
    /// The required alignment of the tile's address, in bytes.
    pub base: u32,
    /// The descriptor's bits for the start address 0.
    pub descriptor: Option<u64>,
    /// The number that is added to the start address for each instruction along K, in units of 16 bytes.
    pub starts: Vec<u32>,
    /// The bits of an element.
    pub element_bits: u32,
}

impl Operand {
    fn plain(text: String, base: u32, element_bits: u32) -> Operand {
        Operand { text, base, element_bits, ..Operand::default() }
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
