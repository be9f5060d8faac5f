//! The coverage of any function of block numbers, by enumeration.

use super::coverage::{Coverage, Predicate};
use super::line::BUDGET;
use alloc::vec::Vec;
use tilework::{Coord, Error, HTuple, Shape};

pub(super) fn count(
    blocks: i64,
    onto: &Shape,
    sizes: &[i64],
    raster: impl Fn(i64) -> Result<Coord, Error>,
) -> Result<Coverage, Error> {
    if blocks < 0 {
        return Err(Error::Argument { operation: "cover", expected: "0 blocks or more", found: blocks });
    }
    let size = onto.size()?;
    if blocks > BUDGET || size > BUDGET {
        return Err(Error::Undecided { operation: "cover" });
    }
    let mut times = vec![0u8; size as usize];
    let mut outside = None;
    // An index is a coordinate of all modes at once.
    let mut bounds: Vec<Option<(i64, i64)>> = vec![None; sizes.len()];
    let mut of_index = false;
    for block in 0..blocks {
        let coord = raster(block)?;
        if onto.is_in_bounds(&coord) {
            let index = onto.crd2idx(&coord)?;
            times[index as usize] = times[index as usize].saturating_add(1);
        } else {
            outside = outside.or(Some(coord));
        }
        if coord.is_leaf() && sizes.len() > 1 {
            of_index = true;
            widen(&mut bounds[0], coord.leaves()[0]);
        } else {
            if coord.leaves().len() != sizes.len() {
                let (expected, found) = (sizes.len(), coord.leaves().len());
                return Err(Error::Rank { operation: "cover", expected, found });
            }
            for (bounds, &value) in bounds.iter_mut().zip(coord.leaves()) {
                widen(bounds, value);
            }
        }
    }
    let all = [size];
    let sizes = if of_index { &all } else { sizes };
    let first = |of: fn(u8) -> bool| {
        let found = times.iter().position(|&times| of(times));
        found.map(|index| onto.idx2crd(&HTuple::leaf(index as i64))).transpose()
    };
    let predicates = sizes.iter().zip(&bounds).map(|(&size, bounds)| {
        let (min, max) = bounds.unwrap_or((0, 0));
        Predicate { below: min < 0, above: max >= size, size }
    });
    Ok(Coverage {
        missing: first(|times| times == 0)?,
        doubled: first(|times| times > 1)?,
        outside,
        predicates: predicates.collect(),
    })
}

fn widen(bounds: &mut Option<(i64, i64)>, value: i64) {
    let (min, max) = bounds.unwrap_or((value, value));
    *bounds = Some((min.min(value), max.max(value)));
}
