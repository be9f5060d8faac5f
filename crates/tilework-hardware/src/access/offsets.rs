//! The offsets of an access, one by one.

use super::{Access, Reach};
use crate::refused::Refused;
use alloc::vec::Vec;
use tilework::{Codomain, Composed, Coord, Error, HTuple, HasLayout, Layout, MAX_LEAVES, Offset};

/// The most values of all threads that are enumerated.
const LIMIT: usize = 1 << 16;

/// The offset of each value of each thread, those of a thread contiguous; of a value outside the layout its index, which
/// is no `Ok`: such an access is guarded.
pub(crate) struct Offsets {
    values: usize,
    vector: usize,
    size: i64,
    list: Vec<Result<i64, i64>>,
}

impl Offsets {
    /// Evaluates the access, and checks that its vectors are contiguous and aligned, each inside the layout or outside.
    pub fn new(data: &impl HasLayout, access: &Access) -> Result<Offsets, Refused> {
        let offsets = Offsets::unchecked(data, access)?;
        offsets.check(access.along())?;
        Ok(offsets)
    }

    /// Evaluates the access.
    pub fn unchecked(data: &impl HasLayout, access: &Access) -> Result<Offsets, Refused> {
        if access.layout().size() > LIMIT as i64 {
            return Err(
                Error::Capacity { what: "values of all threads, counted one by one", limit: LIMIT }.into()
            );
        }
        let values = access.values() as usize;
        let mut list = inner_offsets(data.as_layout(), access)?;
        if let Some(composed) = data.swizzled() {
            for offset in list.iter_mut().flatten() {
                *offset = swizzled(composed, *offset)?;
            }
        }
        let size = data.as_layout().size();
        Ok(Offsets { values, vector: access.vector_len() as usize, size, list })
    }

    /// What an access reaches of a layout.
    pub fn reach(layout: &Layout, access: &Access) -> Result<Reach, Refused> {
        let list = Offsets::unchecked(&Layout::column_major(&layout.shape())?, access)?.list;
        let values = list.len() as i64;
        let mut indices: Vec<i64> = list.into_iter().flatten().collect();
        let outside = values - indices.len() as i64;
        indices.sort_unstable();
        indices.dedup();
        Ok(Reach { elements: indices.len() as i64, size: layout.size(), outside, values })
    }

    fn check(&self, along: Option<usize>) -> Result<(), Refused> {
        let (size, vector) = (self.size, self.vector as u32);
        let mut any = false;
        for (i, offsets) in self.list.chunks_exact(self.vector).enumerate() {
            let (thread, value) = (i * self.vector / self.values, i * self.vector % self.values);
            let (thread, value) = (thread as i64, value as i64);
            if offsets.iter().all(Result::is_err) {
                continue;
            }
            any = true;
            let mut first = None;
            for (v, &found) in (0..).zip(offsets) {
                let value = value + v;
                let found = found.map_err(|index| Refused::Outside { thread, value, index, size, vector })?;
                let expected = first.get_or_insert(found).saturating_add(v);
                if found != expected {
                    return Err(Refused::Scattered { thread, value, expected, found, vector, along });
                }
            }
            if let Some(offset) = first.filter(|first| first % i64::from(vector) != 0) {
                return Err(Refused::Misaligned { thread, value, offset, vector });
            }
        }
        match self.list.first() {
            Some(&Err(index)) if !any => {
                Err(Refused::Outside { thread: 0, value: 0, index, size, vector: 1 })
            }
            _ => Ok(()),
        }
    }

    /// The number of threads.
    pub fn threads(&self) -> usize {
        self.list.len() / self.values
    }

    /// The first offset of one vector of a thread, if it is inside the layout.
    pub fn vector(&self, thread: usize, instruction: usize) -> Option<i64> {
        self.list[thread * self.values + instruction * self.vector].ok()
    }

    /// How many instructions each thread executes.
    pub fn instructions(&self) -> usize {
        self.values / self.vector
    }
}

/// The offsets of the layout before a swizzle.
fn inner_offsets(layout: &Layout, access: &Access) -> Result<Vec<Result<i64, i64>>, Refused> {
    let tv = access.layout();
    match tv.codomain() {
        Codomain::Integer | Codomain::Xor => {
            if tv.min_offset()? < 0 || tv.max_offset()? >= layout.size() {
                return one_by_one(layout, access);
            }
            match layout.composition(tv) {
                Ok(both) if matches!(both.codomain(), Codomain::Integer | Codomain::Xor) => {
                    Ok(all(&both, access.threads()).into_iter().map(Ok).collect())
                }
                _ => one_by_one(layout, access),
            }
        }
        _ => one_by_one(layout, access),
    }
}

/// All offsets of a layout from threads and values, those of a thread contiguous.
fn all(layout: &Layout, threads: i64) -> Vec<i64> {
    let xor = layout.codomain() == Codomain::Xor;
    let (mut of_threads, mut of_values, mut count) = (Vec::from([0]), Vec::from([0]), 1);
    for leaf in layout.leaves() {
        let list = if count < threads { &mut of_threads } else { &mut of_values };
        count *= leaf.extent;
        let before = list.len();
        for step in 1..leaf.extent {
            let stride = leaf.stride.count().numerator();
            // An offset of the layout, so it fits 64 bits.
            let reach = if xor { carryless(step, stride) } else { step * stride };
            for i in 0..before {
                list.push(if xor { list[i] ^ reach } else { list[i] + reach });
            }
        }
    }
    let mut list = Vec::with_capacity(of_threads.len() * of_values.len());
    for thread in of_threads {
        list.extend(of_values.iter().map(|value| if xor { thread ^ value } else { thread + value }));
    }
    list
}

/// The product of polynomials over F2.
fn carryless(step: i64, stride: i64) -> i64 {
    (0..i64::BITS - step.leading_zeros()).filter(|k| step >> k & 1 == 1).fold(0, |sum, k| sum ^ stride << k)
}

/// The offsets if the two layouts have no composition: one is evaluated after the other.
fn one_by_one(layout: &Layout, access: &Access) -> Result<Vec<Result<i64, i64>>, Refused> {
    let (tv, shape) = (access.layout(), layout.shape());
    let mut list = Vec::with_capacity(tv.size() as usize);
    for thread in 0..access.threads() {
        for value in 0..access.values() {
            let found = tv.evaluate(&HTuple::leaf(thread + access.threads() * value))?;
            let coord = coordinate(&found)?;
            let offset = layout.evaluate(&coord)?;
            list.push(match shape.is_in_bounds(&coord) {
                true => Ok(integer(&offset, layout)?),
                false => Err(shape.crd2idx(&coord).unwrap_or(coord.leaves()[0])),
            });
        }
    }
    Ok(list)
}

/// The value of an access layout, as a coordinate.
fn coordinate(found: &Offset) -> Result<Coord, Error> {
    let mut leaves = [0; MAX_LEAVES];
    for (to, from) in leaves.iter_mut().zip(found.leaves()) {
        if !from.is_integer() {
            let (numerator, denominator) = (from.numerator(), from.denominator());
            return Err(Error::NotIntegral { operation: "a coordinate of a tile", numerator, denominator });
        }
        *to = from.numerator();
    }
    HTuple::with_profile(found.profile(), &leaves[..found.leaves().len()], 0)
}

/// The offset as an integer.
fn integer(offset: &Offset, layout: &Layout) -> Result<i64, Error> {
    match offset.leaves() {
        [one] if one.is_integer() && offset.is_leaf() => Ok(one.numerator()),
        _ => Err(Error::Codomain { operation: "an offset in memory", found: layout.codomain() }),
    }
}

/// The result of the layout's swizzle for an offset before it.
fn swizzled(composed: &Composed, inner: i64) -> Result<i64, Error> {
    let (start, operator) = (composed.offset(), '+');
    let offset = match composed.layout().codomain() {
        Codomain::Xor => start ^ inner,
        _ => start.checked_add(inner).ok_or(Error::Overflow { left: start, operator, right: inner })?,
    };
    composed.swizzle().apply(offset)
}
