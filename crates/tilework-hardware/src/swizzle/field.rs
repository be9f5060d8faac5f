//! Swizzles `Sw<B,M,S>`, all of them or those of the tensor memory accelerator.

use super::certificate::Certificate;
use super::impossible::Impossible;
use super::trial::Trial;
use crate::access::Access;
use crate::memory::Banks;
use crate::refused::Refused;
use tilework::{Layout, Swizzle};

/// The smallest of all swizzles whose fields are within the bits of the offsets. Source bits above these are 0, which
/// is a swizzle of fewer bits; target bits above these need more memory. A field that begins within a vector breaks it,
/// or has no effect.
pub(super) fn swizzle<'a>(trial: &mut Trial<'a>) -> Result<Certificate<'a>, Impossible> {
    let (tile, accesses) = (trial.tile, trial.accesses);
    let size = i64::from(offset_bits(&tile)?);
    let first = accesses.iter().map(|(_, access)| i64::from(access.vector_len().ilog2())).max().unwrap_or(0);
    let mut free = |bits, base, shift| {
        let swizzle = Swizzle::new(bits, base, shift).ok()?;
        trial.swizzled(swizzle).then_some(swizzle)
    };
    let found = free(0, 0, 0).or_else(|| {
        (1..=size / 2).find_map(|bits| {
            (first..=size - 2 * bits).find_map(|base| {
                (bits..=size - bits - base)
                    .find_map(|shift| free(bits, base, shift).or_else(|| free(bits, base, -shift)))
            })
        })
    });
    match found {
        Some(swizzle) => certificate(&tile, swizzle, accesses),
        None => Err(trial.exhausted()),
    }
}

/// The narrowest mode of the tensor memory accelerator: the 16-byte pieces of a row are XORed with the row's number.
pub(super) fn tma<'a>(trial: &mut Trial<'a>) -> Result<Certificate<'a>, Impossible> {
    let (tile, accesses) = (trial.tile, trial.accesses);
    let bits = accesses.first().map_or(32, |(_, access)| access.bits());
    let contiguous = tile.leaves().iter().find(|leaf| leaf.stride.as_integer() == Some(1));
    let row = contiguous.map_or(1, |leaf| leaf.extent).saturating_mul(i64::from(bits)).div_euclid(8);
    for mode in 0..=3 {
        // 16 bytes are 2^7 bits.
        let base = 7 - i64::from(bits.ilog2());
        let Ok(swizzle) = Swizzle::new(mode, if mode == 0 { 0 } else { base }, if mode == 0 { 0 } else { 3 })
        else {
            continue;
        };
        if (mode == 0 || row <= 16 << mode && bits.is_power_of_two()) && trial.swizzled(swizzle) {
            return certificate(&tile, swizzle, accesses);
        }
    }
    if row > 128 { Err(Impossible::Row { bytes: row }) } else { Err(trial.exhausted()) }
}

fn certificate<'a>(
    tile: &Layout,
    swizzle: Swizzle,
    accesses: &'a [(Banks, Access)],
) -> Result<Certificate<'a>, Impossible> {
    Certificate::new(swizzle, *tile, accesses)
        .map_err(|error| Impossible::Refused { access: 0, refused: error.into() })
}

/// The number of bits of the largest offset.
fn offset_bits(tile: &Layout) -> Result<u32, Impossible> {
    match tile.max_offset() {
        Ok(largest) => Ok(i64::BITS - largest.max(0).leading_zeros()),
        Err(error) => Err(Impossible::Refused { access: 0, refused: Refused::Algebra(error) }),
    }
}
