//! Right inverses and nullspaces that elimination does not find, searched in the list of all offsets.
//!
//! A right inverse is a chain of modes: an index of the next offset `M`, repeated as long as the offsets continue
//! (paper, section 3.4.1). All chains are searched, with sums for integer strides and XORs for XOR strides, up to the
//! first missing offset, and within a budget.

use crate::algebra::xor::bits::Span;
use crate::algebra::xor::pieces::{Pieces, Rule};
use crate::algebra::xor::table::{MAX_EXAMINED, Table};
use crate::codomain::Codomain;
use crate::error::{Error, ok_or, tri};
use crate::int;
use crate::layout::{Layout, Leaf};
use crate::list::List;
use crate::stride::Stride;
use crate::tuple::HTuple;

/// The comparisons of offsets after which a search ends without an answer.
const BUDGET: usize = 200_000;

/// More modes of extent 2 or more have more than [`MAX_EXAMINED`] coordinates.
const MODES: usize = MAX_EXAMINED.trailing_zeros() as usize + 1;

type Modes = List<(i64, i64), MODES>;

/// A set of indices.
type Indices = [u64; MAX_EXAMINED / 64];

const fn has(set: &Indices, index: i64) -> bool {
    index >= 0 && index < MAX_EXAMINED as i64 && set[index as usize / 64] >> (index % 64) & 1 == 1
}

impl Layout {
    /// The largest right inverse, if it is larger than `known`.
    #[cold]
    pub(in crate::algebra) const fn searched_right_inverse(
        &self,
        known: Option<Layout>,
    ) -> Result<Layout, Error> {
        const UNDECIDED: Error = Error::Undecided { operation: "right_inverse with XOR strides" };
        let Some(mut table) = Table::new(self.size()) else { return Err(UNDECIDED) };
        tri!(table.add(self));
        ok_or(tri!(table.right_inverse(known)), UNDECIDED)
    }

    /// The largest right inverse of both, if it is larger than `known`.
    #[cold]
    pub(crate) const fn searched_common_layout(
        &self,
        other: &Layout,
        known: Layout,
    ) -> Result<Layout, Error> {
        const UNDECIDED: Error = Error::Undecided { operation: "common_layout with XOR strides" };
        let size = if self.size() < other.size() { self.size() } else { other.size() };
        let (Some(mut table), Some(mut second)) = (Table::new(size), Table::new(size)) else {
            return Err(UNDECIDED);
        };
        tri!(table.add(self));
        tri!(second.add(other));
        table.intersect(&second);
        ok_or(tri!(table.right_inverse(Some(known))), UNDECIDED)
    }
}

impl Table {
    /// The largest right inverse, if it is larger than `known`; `None` if the budget ends.
    const fn right_inverse(&self, known: Option<Layout>) -> Result<Option<Layout>, Error> {
        let bound = self.mex();
        let mut best = match known {
            Some(known) => known,
            None => Layout::UNIT,
        };
        let (mut kind, mut decided) = (0, true);
        while kind < 2 && best.size() < bound as i64 {
            let codomain = if kind == 0 { Codomain::Integer } else { Codomain::Xor };
            let mut search = Chains {
                table: self,
                codomain,
                inverse: [0; MAX_EXAMINED],
                modes: List::new((1, 0)),
                best: List::new((1, 0)),
                size: best.size() as usize,
                bound,
                budget: BUDGET,
            };
            decided &= !search.longer(1) || search.size == bound;
            if search.size as i64 > best.size() {
                best = tri!(layout_of(&search.best, codomain));
            }
            kind += 1;
        }
        Ok(if decided || best.size() == bound as i64 { Some(best) } else { None })
    }
}

const fn layout_of(modes: &Modes, codomain: Codomain) -> Result<Layout, Error> {
    let (mut out, mut i) = (HTuple::builder(Leaf::new(1, 0)), 0);
    while i < modes.len() {
        let (extent, stride) = modes.as_slice()[i];
        let stride = match codomain {
            Codomain::Xor => tri!(Stride::xor(stride)),
            _ => Stride::integer(stride),
        };
        tri!(out.push_merged(Leaf { extent, stride }, 0));
        i += 1;
    }
    tri!(out.close_merged(0));
    Layout::new(out)
}

impl Table {
    /// The first missing offset.
    const fn mex(&self) -> usize {
        let (mut seen, mut c) = ([0u64; MAX_EXAMINED / 64 + 1], 0);
        while c < self.len {
            let offset = self.offsets[c];
            if 0 <= offset && offset < MAX_EXAMINED as i64 {
                seen[offset as usize / 64] |= 1 << (offset % 64);
            }
            c += 1;
        }
        let mut word = 0;
        while seen[word] == u64::MAX {
            word += 1;
        }
        word * 64 + seen[word].trailing_ones() as usize
    }
}

struct Chains<'a> {
    table: &'a Table,
    codomain: Codomain,
    /// The indices of the offsets so far.
    inverse: [i64; MAX_EXAMINED],
    modes: Modes,
    best: Modes,
    size: usize,
    bound: usize,
    budget: usize,
}

impl Chains<'_> {
    /// Searches all chains that continue the first `size` offsets; `true` if the search should end, because the bound
    /// is reached or the budget is spent.
    const fn longer(&mut self, size: usize) -> bool {
        if size > self.size {
            (self.size, self.best) = (size, self.modes);
        }
        if self.size == self.bound {
            return true;
        }
        let mut stride = 1;
        while stride < self.table.len {
            if self.table.offsets[stride] == size as i64 {
                let steps = self.steps(size, stride as i64);
                let mut extent = steps;
                while extent > 1 {
                    if self.modes.push((extent as i64, stride as i64), "").is_err()
                        || self.longer(size * extent)
                    {
                        return true;
                    }
                    self.modes.truncate(self.modes.len() - 1);
                    extent -= 1;
                }
            }
            stride += 1;
        }
        let spent = self.table.len / 8 + 1;
        if self.budget < spent {
            return true;
        }
        self.budget -= spent;
        false
    }

    /// How often the stride can be repeated, so that the indices reached are those of the next offsets.
    const fn steps(&mut self, size: usize, stride: i64) -> usize {
        let mut step = 1;
        while size * (step + 1) <= self.bound {
            let multiple = match self.codomain {
                Codomain::Xor => int::carryless_mul(step as i64, stride),
                _ => int::mul(step as i64, stride),
            };
            let Ok(multiple) = multiple else { return step };
            let mut k = 0;
            while k < size {
                let Ok(index) = self.codomain.sum(self.inverse[k], multiple) else { return step };
                let offset = (k + step * size) as i64;
                if index >= self.table.len as i64 || self.table.offsets[index as usize] != offset {
                    return step;
                }
                self.inverse[k + step * size] = index;
                self.budget = self.budget.saturating_sub(1);
                k += 1;
            }
            step += 1;
        }
        step
    }
}

impl Layout {
    /// The indices at which the offset is 0, as a layout.
    pub(crate) const fn xor_nullspace(&self) -> Result<Layout, Error> {
        const UNDECIDED: Error = Error::Undecided { operation: "nullspace with XOR strides" };
        if let Ok(matrix) = self.to_bit_matrix() {
            return kernel(matrix.columns());
        }
        let Some(mut table) = Table::new(self.size()) else { return Err(UNDECIDED) };
        tri!(table.add(self));
        let (mut zeros, mut count, mut c) = ([0; MAX_EXAMINED / 64], 0, 0);
        while c < table.len {
            if table.offsets[c] == 0 {
                zeros[c / 64] |= 1 << (c % 64);
                count += 1;
            }
            c += 1;
        }
        let mut modes = List::new((1, 0));
        if tri!(runs(zeros, count, &mut modes)) {
            return layout_of(&modes, Codomain::Integer);
        }
        let mut search = Cosets { zeros, count, modes: List::new((1, 0)), budget: BUDGET };
        let periods = search.periods();
        let mut done = [0; MAX_EXAMINED / 64];
        if let Ok(periods) = periods {
            let (mut c, mut size) = (0, 0);
            while c < table.len {
                if periods.reduce(c as u64).0 == 0 {
                    done[c / 64] |= 1 << (c % 64);
                    size += 1;
                }
                c += 1;
            }
            match search.odd_modes(&done, size) {
                Ok(true) => return search.layout(&periods),
                Ok(false) => {
                    return Err(Error::NoInverse {
                        reason: "offsets of several modes cancel, at indices that form no layout",
                    });
                }
                Err(_) => {}
            }
        }
        Err(UNDECIDED)
    }
}

/// The nullspace of a matrix, with strides in ascending order.
const fn kernel(columns: &[u64]) -> Result<Layout, Error> {
    let (mut span, mut kernel, mut i) = (Span::new(), Span::new(), 0);
    while i < columns.len() {
        let (rest, combination) = span.reduce(columns[i]);
        if rest == 0 {
            kernel.insert(combination ^ 1 << i, 0);
        }
        span.insert(columns[i], 1 << i);
        i += 1;
    }
    basis(&kernel, &[])
}

/// The layout of a subspace, with its basis reduced and ascending, followed by odd modes; with integer strides if these
/// are equivalent.
const fn basis(span: &Span, odd: &[(i64, i64)]) -> Result<Layout, Error> {
    let (mut pieces, mut lead) = (Pieces::new(), 0);
    while lead < 64 {
        let vector = span.vectors[lead];
        if vector != 0 {
            let reduced = 1 << lead | span.reduce(vector ^ 1 << lead).0;
            tri!(pieces.push(2, reduced as i64, 0));
        }
        lead += 1;
    }
    let mut i = 0;
    while i < odd.len() {
        tri!(pieces.push(odd[i].0, odd[i].1, 0));
        i += 1;
    }
    pieces.flat_layout(if pieces.check_sums().is_ok() { Rule::Integer } else { Rule::Xor })
}

/// Whether the indices are the offsets of a layout with integer strides, and its modes. The smallest index above 0 is
/// not a sum of others, so it is a stride, and for each extent the starts of its runs are forced.
const fn runs(indices: Indices, count: usize, modes: &mut Modes) -> Result<bool, Error> {
    if count == 1 {
        return Ok(true);
    }
    let mut stride = 1;
    while !has(&indices, stride) {
        stride += 1;
    }
    let mut extent = count as i64;
    while extent > 1 {
        if count as i64 % extent == 0
            && let Some(begins) = begins(indices, extent, stride)
        {
            tri!(modes.push((extent, stride), "modes"));
            if tri!(runs(begins, count / extent as usize, modes)) {
                return Ok(true);
            }
            modes.truncate(modes.len() - 1);
        }
        extent -= 1;
    }
    Ok(false)
}

const fn begins(mut indices: Indices, extent: i64, stride: i64) -> Option<Indices> {
    let (mut begins, mut word) = ([0; MAX_EXAMINED / 64], 0);
    while word < indices.len() {
        while indices[word] != 0 {
            let first = word as i64 * 64 + indices[word].trailing_zeros() as i64;
            let mut step = 0;
            while step < extent {
                let index = first + step * stride;
                if !has(&indices, index) {
                    return None;
                }
                indices[index as usize / 64] &= !(1 << (index % 64));
                step += 1;
            }
            begins[word] |= 1 << (first % 64);
        }
        word += 1;
    }
    Some(begins)
}

/// The zeros as a subspace and modes of odd extent. Translation by a mode of extent 2 maps the zeros to themselves, and
/// no sum of odd modes does: the subspace is that of all periods.
struct Cosets {
    zeros: Indices,
    count: usize,
    modes: Modes,
    budget: usize,
}

impl Cosets {
    const fn spend(&mut self) -> Result<(), Error> {
        if self.budget == 0 {
            return Err(Error::Undecided { operation: "nullspace with XOR strides" });
        }
        self.budget -= 1;
        Ok(())
    }

    const fn periods(&mut self) -> Result<Span, Error> {
        let (mut span, mut period) = (Span::new(), 1);
        while period < MAX_EXAMINED as i64 {
            if has(&self.zeros, period) && span.reduce(period as u64).0 != 0 {
                let (mut word, mut all) = (0, true);
                while word < self.zeros.len() && all {
                    let mut rest = self.zeros[word];
                    while rest != 0 && all {
                        tri!(self.spend());
                        all = has(&self.zeros, (word as i64 * 64 + rest.trailing_zeros() as i64) ^ period);
                        rest &= rest - 1;
                    }
                    word += 1;
                }
                if all {
                    span.insert(period as u64, 0);
                }
            }
            period += 1;
        }
        Ok(span)
    }

    /// Whether these zeros and odd modes generate all zeros.
    const fn odd_modes(&mut self, done: &Indices, size: usize) -> Result<bool, Error> {
        if size == self.count {
            return Ok(true);
        }
        let mut stride = 1;
        while stride < MAX_EXAMINED as i64 {
            let mut extent = 3;
            while has(&self.zeros, stride) && !has(done, stride) && size * extent <= self.count {
                tri!(self.spend());
                if self.count.is_multiple_of(size * extent)
                    && let Some(next) = tri!(self.repeated(done, extent as i64, stride))
                {
                    tri!(self.modes.push((extent as i64, stride), "modes"));
                    if tri!(self.odd_modes(&next, size * extent)) {
                        return Ok(true);
                    }
                    self.modes.truncate(self.modes.len() - 1);
                }
                extent += 2;
            }
            stride += 1;
        }
        Ok(false)
    }

    /// The zeros with their multiples of a stride, if these are zeros and all distinct.
    const fn repeated(&mut self, done: &Indices, extent: i64, stride: i64) -> Result<Option<Indices>, Error> {
        let (mut next, mut step) = (*done, 1);
        self.budget = self.budget.saturating_sub(MAX_EXAMINED / 64);
        while step < extent {
            let multiple = tri!(int::carryless_mul(step, stride));
            let mut word = 0;
            while word < done.len() {
                let mut rest = done[word];
                while rest != 0 {
                    tri!(self.spend());
                    let index = (word as i64 * 64 + rest.trailing_zeros() as i64) ^ multiple;
                    if !has(&self.zeros, index) || has(&next, index) {
                        return Ok(None);
                    }
                    next[index as usize / 64] |= 1 << (index % 64);
                    rest &= rest - 1;
                }
                word += 1;
            }
            step += 1;
        }
        Ok(Some(next))
    }

    const fn layout(&self, periods: &Span) -> Result<Layout, Error> {
        basis(periods, self.modes.as_slice())
    }
}
