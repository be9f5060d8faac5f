//! The offsets of all elements at once, for what moves bytes.

use super::{Packed, advance};
use tilework::{Layout, Swizzle};

/// Offsets that are sums along the axes.
pub(crate) struct Tables {
    start: i64,
    pub along: Vec<Vec<i64>>,
}

impl Tables {
    /// Visits all offsets with those of another, the last axis fastest.
    pub fn pairs(&self, other: &Tables, visit: &mut impl FnMut(i64, i64)) {
        let Some((last, outer)) = self.along.split_last() else { return };
        let Some((to_last, to_outer)) = other.along.split_last() else { return };
        let extents: Vec<i64> = outer.iter().map(|table| table.len() as i64).collect();
        let mut coordinate = vec![0; outer.len()];
        for _ in 0..extents.iter().product() {
            let sum = |tables: &[Vec<i64>]| -> i64 {
                tables.iter().zip(&coordinate).map(|(table, index)| table[*index as usize]).sum()
            };
            let (from, to) = (self.start + sum(outer), other.start + sum(to_outer));
            for (one, two) in last.iter().zip(to_last) {
                visit(from + one, to + two);
            }
            advance(&mut coordinate, &extents);
        }
    }
}

impl Packed {
    /// The offsets along each axis from a coordinate on, if those of all elements are their sums.
    pub(crate) fn tables(&self, start: &[i64], shape: &[i64]) -> Option<Tables> {
        let (first, modes) = self.only()?;
        if first.swizzle() != Swizzle::NONE {
            return None;
        }
        let table = |((mode, start), extent): ((&Layout, &i64), &i64)| {
            (*start..start.checked_add(*extent)?)
                .map(|index| mode.try_at(index).ok())
                .collect::<Option<Vec<i64>>>()
        };
        let along = modes.iter().zip(start).zip(shape).map(table).collect::<Option<_>>()?;
        Some(Tables { start: first.offset(), along })
    }

    /// Whether different elements have different offsets, padding included; none where that is not known.
    pub(crate) fn is_injective(&self) -> Option<bool> {
        self.only()?.0.is_injective().ok()
    }

    /// The layout, if it has exactly the elements of the array, from offset 0 on.
    pub(crate) fn whole(&self) -> Option<&Layout> {
        let (first, modes) = self.only()?;
        let is_plain = first.swizzle() == Swizzle::NONE && first.offset() == 0;
        let is_whole = modes.iter().map(Layout::size).eq(self.shape.iter().copied());
        (is_plain && is_whole).then(|| first.layout())
    }
}
