//! What a device has to have.

use crate::check::{Seen, Site, sites};
use crate::element::Element;
use crate::instruction::{Instruction, copied_bytes};
use crate::prelude::*;
use crate::program::{Expr, Function, Program, Space};
use core::fmt;

/// What a program asks of a device, to be compared with its limits before it is launched: neither validators nor drivers
/// refuse all that is beyond them.
///
/// ```
/// use tilework_program::Program;
/// let text = "kernel k 512 threads, grid (1)\nread A f16 M:1\nshared s f32 (64,128):(128,1)\n";
/// let needs = text.parse::<Program>()?.needs()?;
/// assert_eq!((needs.threads, needs.shared_bytes, needs.buffers), (512, 32_768, 1));
/// assert_eq!(needs.to_string(), "512 threads and 32768 bytes of shared memory a block, 1 buffers");
/// # Ok::<(), tilework_program::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Needs {
    /// The threads of a block: a device of WebGPU has 256 unless more are asked for.
    pub threads: i64,
    /// The shared memory of a block: 16,384 bytes in WebGPU unless more are asked for, and 49,152 in CUDA.
    pub shared_bytes: i64,
    /// The global tensors: 8 in WebGPU unless more are asked for.
    pub buffers: usize,
    /// The address of each buffer is a multiple of as many bytes: in CUDA one access has several elements.
    pub alignment: i64,
    /// Whether it has numbers of type f16: in WebGPU the feature `shader-f16`.
    pub f16: bool,
    /// The first architecture of CUDA that has all instructions, by the number behind `sm_`; 0 where every one has.
    pub architecture: i64,
}

impl fmt::Display for Needs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Needs { threads, shared_bytes, buffers, alignment, .. } = self;
        write!(f, "{threads} threads and {shared_bytes} bytes of shared memory a block, {buffers} buffers")?;
        // That of one element is what every pointer has.
        if *alignment > 4 { write!(f, " at multiples of {alignment} bytes") } else { Ok(()) }
    }
}

impl Program {
    /// What it asks of a device.
    ///
    /// # Errors
    /// Of a shared tensor that is too large to be counted.
    pub fn needs(&self) -> Result<Needs, Error> {
        let (threads, sites) = (self.threads, sites(self)?);
        let f16 = self.has(Element::F16, &sites);
        let architecture =
            sites.iter().filter_map(|site| site.by).map(Instruction::architecture).max().unwrap_or(0);
        let mut needs = Needs { threads, shared_bytes: 0, buffers: 0, alignment: 1, f16, architecture };
        for site in sites {
            for Seen { tensor, width, .. } in site.views.iter().filter(|seen| seen.tensor.space.is_global()) {
                needs.alignment = needs.alignment.max(match site.by {
                    Some(Instruction::AsyncCopy(atom)) => copied_bytes(atom),
                    _ => width.values * tensor.element.bytes(),
                });
            }
        }
        for tensor in &self.tensors {
            if tensor.space.is_global() {
                needs.buffers += 1;
                needs.alignment = needs.alignment.max(tensor.element.bytes());
            }
            if let (Space::Shared, Some(own)) = (tensor.space, tensor.local_addresses()?) {
                let bytes = own.span.saturating_mul(tensor.element.bytes());
                needs.shared_bytes = needs.shared_bytes.saturating_add(bytes);
            }
        }
        Ok(needs)
    }

    /// Whether a tensor, a scalar or a conversion is of a type.
    pub(super) fn has(&self, element: Element, sites: &[Site<'_>]) -> bool {
        let tensors = self.tensors.iter().map(|tensor| tensor.element);
        let mut elements = tensors.chain(self.scalars.iter().map(|scalar| scalar.element));
        elements.any(|own| own == element) || sites.iter().any(|own| has_conversion(own.value, element))
    }
}

fn has_conversion(expr: &Expr, to: Element) -> bool {
    match expr {
        Expr::Call(function, operands) => {
            *function == Function::Cast(to) || operands.iter().any(|own| has_conversion(own, to))
        }
        _ => false,
    }
}
