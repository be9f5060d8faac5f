//! Whether blocks, threads or values reach each element once; the first element where they do not; and the predicates
//! that are needed.
//!
//! A *raster* is a layout from block numbers, or from blocks, threads and values, to coordinates. If all of its blocks
//! run, its image is a product: the values along each mode of the coordinate are those of the strides that step along
//! it, so each mode is examined by itself.
//!
//! | strides along a mode, ascending, `n` elements | |
//! |---|---|
//! | each is at most the number reached before it | all up to the sum are reached; the first that is smaller doubles |
//! | each is larger than the sum of those before it | none is doubled; the first gap begins after those reached before it |
//! | others, negative and XOR strides | enumerated, up to a budget |
//!
//! ```
//! use tilework::layout;
//! use tilework_hardware::cover::cover;
//! // Tiles of 64x32 over 200x128: 4x4 blocks, and the elements of each.
//! let tiling = layout!(((64,32),(4,4)):((1@0,1@1),(64@0,32@1)));
//! let coverage = cover(&tiling, &"(200,128)".parse()?)?;
//! assert!(coverage.missing.is_none() && coverage.doubled.is_none());
//! assert_eq!(coverage.outside.unwrap().to_string(), "(200,0)");
//! // The rows need a predicate, and for the columns it would be superfluous.
//! assert!(coverage.predicates()[0].above && coverage.predicates()[1].is_superfluous());
//! # Ok::<(), tilework::Error>(())
//! ```

mod count;
mod coverage;
mod line;

pub use coverage::{Coverage, Predicate};

use alloc::vec::Vec;
use line::Line;
use tilework::{Codomain, Coord, Error, HTuple, Layout, Shape};

/// The coordinates of a flat shape that a layout reaches. Integer offsets are indices into the shape.
///
/// ```
/// use tilework::{HTuple, layout};
/// use tilework_hardware::cover::cover;
/// // Three blocks of four threads onto ten elements: the last two threads are outside.
/// let coverage = cover(&layout!((4,3):(1,4)), &HTuple::leaf(10))?;
/// assert!(coverage.covers_once() && !coverage.is_exact());
/// assert_eq!(coverage.outside, Some(HTuple::leaf(10)));
/// # Ok::<(), tilework::Error>(())
/// ```
///
/// # Errors
/// [`Error::Codomain`] for rational strides; [`Error::Extent`] for an extent below 1; [`Error::Rank`] for a nested
/// shape, or strides along modes that it does not have; [`Error::Undecided`] if more than 4,194,304 values have to be
/// enumerated.
pub fn cover(raster: &Layout, onto: &Shape) -> Result<Coverage, Error> {
    let sizes = sizes(onto)?;
    let mut lines = Vec::new();
    match raster.codomain() {
        Codomain::Integer | Codomain::Xor => lines.push(Line::new(raster, None, onto.size()?)?),
        Codomain::Coordinate => {
            check_paths(raster, sizes.len())?;
            // A mode that steps along several is no product of steps along each.
            if raster.leaves().iter().any(|leaf| leaf.stride.is_sum()) {
                return enumerated(raster, raster.size(), onto, sizes.len());
            }
            for (mode, &size) in sizes.iter().enumerate() {
                lines.push(Line::new(raster, Some(mode), size)?);
            }
        }
        found => return Err(Error::Codomain { operation: "cover", found }),
    }
    if line::has_broadcast(raster) {
        for line in &mut lines {
            line.doubled = line.reached;
        }
    }
    let of_index = raster.codomain() != Codomain::Coordinate;
    let coordinate = |values: &[i64]| -> Result<Coord, Error> {
        if of_index && values[0] >= 0 && values[0] < onto.size()? {
            return onto.idx2crd(&HTuple::leaf(values[0]));
        }
        tuple(values)
    };
    Ok(Coverage {
        missing: lowest(&lines, |line| line.missing, |_| Some(0)).map(|c| coordinate(&c)).transpose()?,
        doubled: lowest(&lines, |line| line.doubled, |line| line.reached)
            .map(|c| coordinate(&c))
            .transpose()?,
        outside: lowest(&lines, |line| line.outside, |line| line.reached.or(line.outside))
            .map(|c| coordinate(&c))
            .transpose()?,
        predicates: lines
            .iter()
            .map(|line| Predicate { below: line.min < 0, above: line.max >= line.size, size: line.size })
            .collect(),
    })
}

/// The coordinates that the first `blocks` numbers of a raster reach, for a grid that is launched with fewer blocks
/// than the raster has.
///
/// ```
/// use tilework::layout;
/// use tilework_hardware::cover::cover_first;
/// // Groups of 8 rows of tiles, as if their number were a multiple of 8, launched for 9x8 tiles.
/// let grouped = layout!((8,8,2):(1@0,1@1,8@0));
/// let coverage = cover_first(&grouped, 72, &"(9,8)".parse()?)?;
/// assert_eq!(coverage.to_string(), "element (8,1) is never reached; (9,0) is out of bounds");
/// # Ok::<(), tilework::Error>(())
/// ```
///
/// # Errors
/// Those of [`cover`]; [`Error::Argument`] for a negative number of blocks.
pub fn cover_first(raster: &Layout, blocks: i64, onto: &Shape) -> Result<Coverage, Error> {
    if blocks == raster.size() {
        return cover(raster, onto);
    }
    let sizes = sizes(onto)?;
    match raster.codomain() {
        Codomain::Rational => {
            return Err(Error::Codomain { operation: "cover", found: Codomain::Rational });
        }
        Codomain::Coordinate => check_paths(raster, sizes.len())?,
        _ => {}
    }
    enumerated(raster, blocks, onto, sizes.len())
}

fn enumerated(raster: &Layout, blocks: i64, onto: &Shape, rank: usize) -> Result<Coverage, Error> {
    cover_map(blocks, onto, |block| {
        let offset = raster.evaluate(&HTuple::leaf(block))?;
        match raster.codomain() {
            Codomain::Coordinate => tuple(&line::components(&offset, rank)),
            _ => Ok(HTuple::leaf(offset.leaves()[0].numerator())),
        }
    })
}

/// The coordinates that any function of block numbers reaches, by enumeration.
///
/// ```
/// use tilework::HTuple;
/// use tilework_hardware::cover::cover_map;
/// let reversed = cover_map(72, &"(9,8)".parse()?, |block| Ok(HTuple::leaf(71 - block)))?;
/// assert!(reversed.is_exact());
/// # Ok::<(), tilework::Error>(())
/// ```
///
/// # Errors
/// Those of the function; [`Error::Rank`] for a nested shape, and coordinates of another rank; [`Error::Undecided`]
/// past 4,194,304 blocks or elements; [`Error::Argument`] for a negative number of blocks.
pub fn cover_map(
    blocks: i64,
    onto: &Shape,
    raster: impl Fn(i64) -> Result<Coord, Error>,
) -> Result<Coverage, Error> {
    count::count(blocks, onto, &sizes(onto)?, raster)
}

/// The extents of a flat shape.
fn sizes(onto: &Shape) -> Result<Vec<i64>, Error> {
    if onto.depth() > 1 {
        return Err(Error::Rank { operation: "cover", expected: 1, found: onto.depth() });
    }
    onto.size()?;
    match onto.leaves().iter().position(|&extent| extent < 1) {
        Some(leaf) => Err(Error::Extent { leaf, extent: onto.leaves()[leaf] }),
        None => Ok(onto.leaves().to_vec()),
    }
}

/// Checks that all strides step along modes of the shape.
fn check_paths(raster: &Layout, rank: usize) -> Result<(), Error> {
    for term in raster.leaves().iter().flat_map(|leaf| leaf.stride.terms()) {
        let (count, (path, level)) = (term.count(), term.unit().path());
        if !term.is_zero() && (level != 1 || path[0] >= rank) {
            return Err(Error::Rank { operation: "cover", expected: rank, found: path[0] + 1 });
        }
        if !count.is_integer() {
            return Err(Error::Codomain { operation: "cover", found: Codomain::Rational });
        }
    }
    Ok(())
}

/// The first coordinate with one component `what`, and `else_` for the others.
fn lowest(
    lines: &[Line],
    what: impl Fn(&Line) -> Option<i64>,
    otherwise: impl Fn(&Line) -> Option<i64>,
) -> Option<Vec<i64>> {
    let candidate = |at: usize| -> Option<Vec<i64>> {
        lines.iter().enumerate().map(|(i, line)| if i == at { what(line) } else { otherwise(line) }).collect()
    };
    // Colexicographic: the last component is the most significant.
    (0..lines.len()).filter_map(candidate).min_by(|left, right| left.iter().rev().cmp(right.iter().rev()))
}

/// A coordinate with these components.
fn tuple(values: &[i64]) -> Result<Coord, Error> {
    match values {
        [value] => Ok(HTuple::leaf(*value)),
        _ => {
            let modes: Vec<Coord> = values.iter().map(|&value| HTuple::leaf(value)).collect();
            HTuple::tuple(&modes)
        }
    }
}
