//! Whether an instruction accepts a layout.

use super::any_layout::Data;
use crate::classes;
use crate::prelude::*;
use tilework_expr::width;
use tilework_hardware::operand::Matrix;

/// The fields of the descriptor of a shared tile of two modes, M or N and K, if an instruction accepts it. Otherwise
/// one of `tilework.errors` names the first violation; its `help` is a legal layout of the same extents, if there is
/// one.
///
/// The instruction is `"ldmatrix"`, `"tma"`, which needs the layout of the tensor in global memory, one of `wgmma.a.k`,
/// `wgmma.a.mn`, `wgmma.b.k`, `wgmma.b.mn` and the same of `tcgen05`, or `tmem.NAME`, which accepts a layout of tensor memory.
/// `bits` are those of an element, unless `tile` is a tensor. `align` is the alignment of the tile's address, in bytes.
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
    let global = match tensor.zip(global.as_ref()) {
        Some((tensor, data)) if instruction == "tma" => Some(data.plain(tensor)?),
        _ => None,
    };
    let answer = tilework_expr::Operand::of(&tile, instruction, global.as_ref(), bits, align)?;
    let Some(legal) = answer.legal else {
        let refusal = Refusal::new(answer.code.unwrap_or("arguments"), answer.refused.unwrap_or_default());
        return Err(match answer.nearest {
            Some(other) => refusal.help(format!("{other} is legal")),
            None => refusal,
        });
    };
    Ok(Operand {
        text: legal.text,
        leading: legal.leading,
        stride: legal.stride,
        base: legal.base,
        descriptor: legal.descriptor,
        starts: legal.starts,
        element_bits: bits,
    })
}

/// A legal layout of these extents for an operand of `wgmma` or `tcgen05`, such as `"wgmma.a.k"`.
///
/// >>> from tilework import hardware
/// >>> print(hardware.nearest(64, 64, "wgmma.a.k", bits=16))
/// Sw<3,3,3> o 0 o ((8,8),(64,1)):((64,512),(1,4096))
#[pyfunction]
#[pyo3(signature = (mn, k, instruction, *, bits))]
pub fn nearest<'py>(py: Python<'py>, mn: i64, k: i64, instruction: &str, bits: u32) -> Made<'py> {
    let unknown =
        || format!("there is no instruction `{instruction}`; wgmma.a.k, tcgen05.b.mn and so on are");
    let matrix = Matrix::find(instruction).ok_or_else(|| Refusal::new("arguments", unknown()))?;
    classes::object(py, matrix.nearest(mn, k, bits).map_err(Refusal::from)?.into())
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
    pub base: u32,
    /// The descriptor's bits for the start address 0.
    pub descriptor: Option<u64>,
    /// The number that is added to the start address for each instruction along K, in units of 16 bytes.
    pub starts: Vec<u32>,
    /// The bits of an element.
    pub element_bits: u32,
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
