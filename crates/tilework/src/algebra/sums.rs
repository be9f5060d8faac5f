//! Strides with several components: composition of a layout after them, and their offsets as integers.
//!
//! A left operand with such strides needs nothing of its own: its offsets are sums of terms wherever the algebra adds.
//! A right operand `B` takes a step in several modes `A_u` of `A` at once, `A(B(c)) = sum_u A_u(B_u(c))`, and the
//! changes of different modes may cancel. So the modes are laid one behind the other as one flat operand, each as long
//! as `B` reaches, and `B` becomes the layout of its indices there: the integer composition then decides exactly. A
//! component that goes below 0 borrows from what stands behind it, so at most one may, and it stands last; more are
//! refused as undecided.

use super::composition::{UnitStride, compose_into};
use crate::error::{Error, tri};
use crate::int;
use crate::layout::{Layout, Leaf, Part};
use crate::list::{List, sort_by};
use crate::stride::{Stride, Unit};
use crate::tuple::{HTuple, MAX_LEAVES};

/// One component of the offsets, with the smallest and the largest value.
#[derive(Clone, Copy)]
struct Reach {
    unit: Unit,
    low: i64,
    high: i64,
}

type Reaches = List<Reach, MAX_LEAVES>;

impl Layout {
    /// The components in which this layout moves, in the order of coordinates.
    const fn reaches(&self) -> Result<Reaches, Error> {
        let mut reaches = Reaches::new(Reach { unit: Unit::ONE, low: 0, high: 0 });
        let mut i = 0;
        while i < self.leaves().len() {
            let Leaf { extent, stride } = self.leaves()[i];
            let mut k = 0;
            while let Some(term) = stride.term(k) {
                let (numerator, denominator) = (term.numerator(), term.denominator());
                if denominator != 1 && extent > 1 {
                    return Err(Error::NotIntegral { operation: "a coordinate", numerator, denominator });
                }
                if extent > 1 {
                    tri!(add_reach(&mut reaches, term.unit(), tri!(int::mul(extent - 1, numerator))));
                }
                k += 1;
            }
            i += 1;
        }
        sort_by!(reaches.as_mut_slice(), |left, right| left.unit.precedes(right.unit));
        Ok(reaches)
    }

    /// The layout of the integers `sum_u weight_u x_u` of the offsets `x`; a mode of extent 1 has stride 0.
    const fn weighted(&self, reaches: &[Reach], weights: &[i64; MAX_LEAVES]) -> Result<Layout, Error> {
        let (mut tuple, mut i) = (self.tuple, 0);
        while i < tuple.leaves().len() {
            let Leaf { extent, stride } = tuple.leaves()[i];
            let (mut sum, mut u) = (0, 0);
            while extent > 1 && u < reaches.len() {
                let count = stride.coefficient(reaches[u].unit).numerator();
                sum = tri!(int::add_mul(sum, count, weights[u]));
                u += 1;
            }
            tuple.leaves_mut()[i].stride = Stride::integer(sum);
            i += 1;
        }
        Layout::new(tuple)
    }

    /// A layout of integers that are equal, and 0, wherever the offsets of this one are.
    pub(crate) const fn packed(&self) -> Result<Layout, Error> {
        let reaches = tri!(self.reaches());
        let (mut weights, mut weight, mut u) = ([0; MAX_LEAVES], 1, 0);
        while u < reaches.len() {
            let Reach { low, high, .. } = reaches.as_slice()[u];
            weights[u] = weight;
            weight = tri!(int::mul(weight, tri!(int::add(tri!(int::sub(high, low)), 1))));
            u += 1;
        }
        self.weighted(reaches.as_slice(), &weights)
    }

    /// Appends `self o other` for an `other` with several components in a stride.
    #[cold]
    pub(super) const fn composition_of_sums(
        &self,
        other: &Layout,
        out: &mut HTuple<Leaf>,
    ) -> Result<(), Error> {
        let mut reaches = tri!(other.reaches());
        let (mut below, mut u) = (0, 0);
        while u < reaches.len() {
            below += (reaches.as_slice()[u].low < 0) as usize;
            u += 1;
        }
        sort_by!(reaches.as_mut_slice(), |left, right| left.low >= 0 && right.low < 0);
        let mut left = HTuple::builder(Leaf::UNUSED);
        let mut weights = [0; MAX_LEAVES];
        if below > 1 {
            return Err(Error::Undecided { operation: "composition after several negative components" });
        }
        tri!(self.end_to_end(reaches.as_slice(), &mut left, &mut weights));
        let indices = tri!(other.weighted(reaches.as_slice(), &weights));
        compose_into(left.leaves(), &[Part::whole(&indices.tuple)], UnitStride::ZERO, out)
    }

    /// Lays the modes that the components address one behind the other, each at least as long as `reaches` say, and
    /// gives the index at which each begins.
    const fn end_to_end(
        &self,
        reaches: &[Reach],
        left: &mut HTuple<Leaf>,
        weights: &mut [i64; MAX_LEAVES],
    ) -> Result<(), Error> {
        let (mut weight, mut u) = (1, 0);
        while u < reaches.len() {
            let (path, level) = reaches[u].unit.path();
            let part = tri!(self.addressed(path.split_at(level).0));
            let (mut size, mut i) = (1, 0);
            while i < part.leaves().len() {
                let mut leaf = part.leaves()[i];
                if i + 1 == part.leaves().len() && reaches[u].high / size >= leaf.extent {
                    leaf.extent = reaches[u].high / size + 1;
                }
                tri!(left.push_value(leaf));
                size = tri!(int::mul(size, leaf.extent));
                i += 1;
            }
            weights[u] = if part.leaves().is_empty() { 0 } else { weight };
            weight = tri!(int::mul(weight, size));
            u += 1;
        }
        Ok(())
    }
}

/// Extends the reach of a component by `steps`.
const fn add_reach(reaches: &mut Reaches, unit: Unit, steps: i64) -> Result<(), Error> {
    let mut u = 0;
    while u < reaches.len() && !reaches.as_slice()[u].unit.same(unit) {
        u += 1;
    }
    if u == reaches.len() {
        tri!(reaches.push(Reach { unit, low: 0, high: 0 }, "components"));
    }
    let own = &mut reaches.as_mut_slice()[u];
    if steps < 0 {
        own.low = tri!(int::add(own.low, steps));
    } else {
        own.high = tri!(int::add(own.high, steps));
    }
    Ok(())
}
