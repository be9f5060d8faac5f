//! The common digits of two shardings of one tensor.

use alloc::vec::Vec;

use crate::blocks::SubAxis;
use crate::error::Error;
use crate::mesh::Mesh;
use crate::sharding::{Digit, Owner};

/// A digit of the coordinate along a dimension, with its owners before and after; if it is the slowest, each has its
/// own number of values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Atom {
    pub(crate) extent: i64,
    pub(crate) from: Digit,
    pub(crate) to: Digit,
}

/// The ends of digits: per dimension, and per axis of the mesh.
pub(crate) struct Refinement {
    pub(crate) atoms: Vec<Vec<Atom>>,
    /// The parts of each axis that count at most one atom; none if the atoms do not divide an axis.
    pub(crate) axes: Option<Vec<SubAxis>>,
}

/// The coarsest digits that refine those of `from` and of `to`, the fastest first.
///
/// # Errors
/// [`Error::Refinement`] if steps of the two do not divide each other.
pub(crate) fn refine(
    mesh: &Mesh,
    shape: &[i64],
    from: &[Vec<Digit>],
    to: &[Vec<Digit>],
) -> Result<Refinement, Error> {
    let reached = |digits: &[Digit]| digits.iter().map(|digit| digit.extent).product::<i64>();
    let limits: Vec<i64> =
        (0..shape.len()).map(|i| shape[i].max(reached(&from[i])).max(reached(&to[i]))).collect();
    let mut steps: Vec<Vec<i64>> = vec![vec![1]; shape.len()];
    let mut weights: Vec<Vec<i64>> = vec![vec![1]; mesh.axes().len()];
    let all = || from.iter().enumerate().chain(to.iter().enumerate());
    for (dimension, digits) in all() {
        // Past the digits of devices there is only a local digit of extent 1.
        if digits.last().is_some_and(|digit| !digit.is_local()) {
            insert(&mut steps[dimension], reached(digits), limits[dimension]);
        }
    }
    // Each pass transfers the steps of dimensions to axes and back; steps are only added, and there are at most 64.
    loop {
        let mut grown = false;
        for (dimension, digits) in all() {
            for digit in digits {
                grown |= insert(&mut steps[dimension], digit.stride, limits[dimension]);
                chain(&steps[dimension], dimension)?;
                let Owner::Axis { axis, weight } = digit.owner else { continue };
                let whole = mesh.axes()[axis].extent();
                grown |= insert(&mut weights[axis], weight, whole)
                    | insert(&mut weights[axis], weight * digit.extent, whole);
                for step in steps[dimension].clone() {
                    if step > digit.stride && step < digit.stride * digit.extent {
                        grown |= insert(&mut weights[axis], weight * (step / digit.stride), whole);
                    }
                }
                for inner in weights[axis].clone() {
                    if inner > weight && inner < weight * digit.extent && inner % weight == 0 {
                        grown |=
                            insert(&mut steps[dimension], digit.stride * (inner / weight), limits[dimension]);
                    }
                }
                chain(&steps[dimension], dimension)?;
            }
        }
        if !grown {
            break;
        }
    }
    let mut atoms = Vec::new();
    for (dimension, steps) in steps.iter().enumerate() {
        let mut own = Vec::new();
        for (i, &stride) in steps.iter().enumerate() {
            let extent = steps.get(i + 1).map_or((limits[dimension] - 1) / stride + 1, |next| next / stride);
            if extent > 1 {
                let slowest = i + 1 == steps.len();
                let part = |digits| part(digits, stride, if slowest { None } else { Some(extent) });
                own.push(Atom { extent, from: part(&from[dimension]), to: part(&to[dimension]) });
            }
        }
        atoms.push(own);
    }
    // Local digits extend past the end as far as required, by whole steps.
    let full = |(own, limit): (&Vec<Atom>, &i64)| {
        own.iter().fold(1, |all: i64, atom| all.saturating_mul(atom.extent)) == *limit
    };
    let axes = if atoms.iter().zip(&limits).all(full) { parts(mesh, &weights) } else { None };
    Ok(Refinement { atoms, axes })
}

fn insert(steps: &mut Vec<i64>, step: i64, below: i64) -> bool {
    if step >= below {
        return false;
    }
    match steps.binary_search(&step) {
        Ok(_) => false,
        Err(at) => {
            steps.insert(at, step);
            true
        }
    }
}

fn chain(steps: &[i64], dimension: usize) -> Result<(), Error> {
    match steps.windows(2).find(|pair| pair[1] % pair[0] != 0) {
        Some(pair) => Err(Error::Refinement { dimension, from: pair[0], to: pair[1] }),
        None => Ok(()),
    }
}

/// The part of a digit that begins at `stride`, with `extent` values or all remaining ones. Past the slowest digit
/// everything is local.
fn part(digits: &[Digit], stride: i64, extent: Option<i64>) -> Digit {
    let local = Digit { extent: 1, stride: 1, owner: Owner::Local { weight: 1 } };
    let within = |digit: &&Digit| digit.is_local() || stride / digit.stride < digit.extent;
    let digit = digits.iter().rev().find(|digit| digit.stride <= stride).filter(within).unwrap_or(&local);
    let inner = stride / digit.stride;
    let owner = match digit.owner {
        Owner::Axis { axis, weight } => Owner::Axis { axis, weight: weight * inner },
        Owner::Local { weight } => Owner::Local { weight: weight * inner },
    };
    Digit { extent: extent.unwrap_or((digit.extent - 1) / inner + 1), stride, owner }
}

fn parts(mesh: &Mesh, weights: &[Vec<i64>]) -> Option<Vec<SubAxis>> {
    let mut parts = Vec::new();
    for (axis, weights) in weights.iter().enumerate() {
        let whole = mesh.axes()[axis].extent();
        for (i, &weight) in weights.iter().enumerate() {
            let next = weights.get(i + 1).copied().unwrap_or(whole);
            if next % weight != 0 {
                return None;
            }
            if next > weight {
                parts.push(SubAxis { axis, weight, extent: next / weight });
            }
        }
    }
    Some(parts)
}
