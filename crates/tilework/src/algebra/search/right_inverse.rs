//! The search for the largest right inverse, of one layout or of two at once.
//!
//! A right inverse is a chain of modes `p_j:x_j`. The index `x_j` has the offset `M_j = p_0 ... p_(j-1)`, in each of the
//! layouts, and the layouts are linear on the box of the chain: `L(sum c_j x_j) = sum c_j L(x_j)`. All chains are
//! searched, depth first, except those that cannot become longer than the best so far:
//!
//! - A chain of size `M` grows to a multiple of `M` that is at most a bound on the offsets that can still be reached.
//! - If a box is linear although the sum of its indices passes the end of a mode, the changes of the step at the passed
//!   ends cancel: each of these ends belongs to a set whose changes sum to 0 (docs/proofs.md, theorem 2). An end that
//!   belongs to no such set is *firm*. No box passes it, which bounds the digits of an index.
//! - A mode that does not move, between firm ends, is not needed.

use crate::algebra::carry::linear_on_box;
use crate::algebra::indexed::Indexed;
use crate::error::{Error, tri};
use crate::int;
use crate::layout::{Layout, Leaf};
use crate::list::List;
use crate::tuple::{HTuple, MAX_LEAVES};

/// The rest of an operation's budget, counted in steps of about five nanoseconds.
pub(in crate::algebra) struct Work {
    operation: &'static str,
    left: usize,
}

impl Work {
    /// About a millisecond.
    pub const fn new(operation: &'static str) -> Work {
        Work { operation, left: 160_000 }
    }

    pub const fn spend(&mut self, steps: usize) -> Result<(), Error> {
        if self.left < steps {
            return Err(Error::Undecided { operation: self.operation });
        }
        self.left -= steps;
        Ok(())
    }
}

/// The most ends for which all sets are summed.
const MAX_ENDS: usize = 14;

/// A layout to invert, as the modes that take part.
pub(in crate::algebra) struct Operand<'a> {
    /// In the order of their indices.
    modes: &'a [Indexed],
    /// The offset that counts as 1.
    step: i64,
    /// For each mode, whether no box passes its end.
    firm: [bool; MAX_LEAVES],
    all_firm: bool,
    signed: bool,
    /// The modes by the magnitude of their strides, and the common divisor of each stride and the larger ones.
    order: [usize; MAX_LEAVES],
    divisor: [u64; MAX_LEAVES],
    /// The sum over the chain of `(p - 1) (x mod e)`, for the end `e` of each mode: below `e` if nothing passes it.
    used: [i64; MAX_LEAVES],
}

impl<'a> Operand<'a> {
    /// The modes are in the order of their indices. If other modes are between them, all ends are firm.
    pub const fn new(modes: &'a [Indexed], step: i64) -> Operand<'a> {
        let mut operand = Operand {
            modes,
            step,
            firm: [true; MAX_LEAVES],
            all_firm: true,
            signed: false,
            order: [0; MAX_LEAVES],
            divisor: [0; MAX_LEAVES],
            used: [0; MAX_LEAVES],
        };
        let mut i = 0;
        while i < modes.len() {
            operand.signed |= modes[i].stride < 0;
            let mut j = i;
            while j > 0 && modes[operand.order[j - 1]].stride.unsigned_abs() > modes[i].stride.unsigned_abs()
            {
                operand.order[j] = operand.order[j - 1];
                j -= 1;
            }
            operand.order[j] = i;
            i += 1;
        }
        let mut divisor = 0;
        while i > 0 {
            i -= 1;
            divisor = int::gcd(divisor, modes[operand.order[i]].stride.unsigned_abs());
            operand.divisor[i] = divisor;
        }
        operand.find_firm_ends();
        operand
    }

    const fn end(&self, i: usize) -> i64 {
        self.modes[i].index * self.modes[i].extent
    }

    const fn find_firm_ends(&mut self) {
        let (modes, mut changes, mut len, mut i) = (self.modes, [0i128; MAX_LEAVES], 0, 1);
        while i < modes.len() {
            if self.end(i - 1) != modes[i].index {
                return;
            }
            changes[len] =
                modes[i].stride as i128 - modes[i - 1].stride as i128 * modes[i - 1].extent as i128;
            len += 1;
            i += 1;
        }
        // The sets in the order of the Gray code, which adds or removes one end at a time.
        let (mut cancel, mut set, mut sum, mut k) = (0u32, 0u32, 0i128, 1u32);
        if len > MAX_ENDS {
            cancel = u32::MAX;
        }
        while len <= MAX_ENDS && k < 1 << len {
            let bit = k.trailing_zeros();
            set ^= 1 << bit;
            sum += if set >> bit & 1 == 1 { changes[bit as usize] } else { -changes[bit as usize] };
            if sum == 0 {
                cancel |= set;
            }
            k += 1;
        }
        i = 0;
        while i < len {
            self.firm[i] = cancel >> i & 1 == 0;
            self.all_firm &= self.firm[i];
            i += 1;
        }
    }

    /// No right inverse that begins with a chain of this size is larger.
    const fn bound(&self, size: i64) -> i64 {
        // The most that the chain and the modes of the smallest strides reach, and the first offset beyond it.
        let step = self.step as i128;
        let (mut high, mut low, mut i) = (step * (size as i128 - 1), 0i128, 0);
        while i < self.modes.len() {
            let Indexed { stride, extent, index } = self.modes[self.order[i]];
            let next = if step == 1 { high + 1 } else { (high.div_euclid(step) + 1) * step };
            // The modes from here on move by multiples of their common divisor, or beyond that offset.
            if if self.signed { next < self.divisor[i] as i128 + low } else { next < stride as i128 } {
                break;
            }
            let used = if self.all_firm { self.used[self.order[i]] / index } else { 0 };
            let reach = stride as i128 * (extent - 1 - used) as i128;
            if reach < 0 {
                low += reach;
            } else {
                high += reach;
            }
            i += 1;
        }
        let bound = high.div_euclid(step) + 1;
        if bound > i64::MAX as i128 { i64::MAX } else { bound as i64 }
    }

    /// The largest digits of an index that can be stepped to that many times; `alone` if no other layout needs it.
    const fn digits(&self, times: i64, alone: bool) -> [i64; MAX_LEAVES] {
        let (mut digits, mut i) = ([0; MAX_LEAVES], 0);
        while i < self.modes.len() {
            let Indexed { stride, extent, index } = self.modes[i];
            digits[i] = extent - 1;
            if self.firm[i] {
                let room = (self.end(i) - 1 - self.used[i]) / times / index;
                if room < digits[i] {
                    digits[i] = room;
                }
                if alone && stride == 0 && (i == 0 || self.firm[i - 1]) {
                    digits[i] = 0;
                }
            }
            i += 1;
        }
        digits
    }

    /// How many steps of an index pass no firm end, and how many pass no end at all.
    const fn room(&self, index: i64) -> (i64, i64) {
        let (mut firm, mut any, mut i) = (i64::MAX, i64::MAX, 0);
        while i < self.modes.len() {
            let (end, used) = (self.end(i), self.used[i]);
            let rest = int::div_rem(index, end).1;
            let room = if used >= end {
                0
            } else if rest == 0 {
                i64::MAX
            } else {
                (end - 1 - used) / rest
            };
            if room < any {
                any = room;
            }
            if self.firm[i] && room < firm {
                firm = room;
            }
            i += 1;
        }
        (firm, any)
    }

    /// Records `count` steps of an index as used; a negative count releases them.
    const fn use_steps(&mut self, index: i64, count: i64) {
        let mut i = 0;
        while i < self.modes.len() {
            self.used[i] += count * int::div_rem(index, self.end(i)).1;
            i += 1;
        }
    }

    /// The offset of an index.
    const fn at(&self, index: i64) -> i128 {
        let (mut offset, mut i) = (0, 0);
        while i < self.modes.len() {
            let Indexed { stride, extent, index: own } = self.modes[i];
            offset += stride as i128 * int::div_rem(int::div_rem(index, own).0, extent).1 as i128;
            i += 1;
        }
        offset
    }

    /// Whether the layout is linear on the box of a chain whose last index has the offset `offset`, in steps.
    const fn is_linear(
        &self,
        chain: &Chain,
        high: i64,
        offset: i128,
        work: &mut Work,
    ) -> Result<bool, Error> {
        if self.at(high) != offset * self.step as i128 {
            return Ok(false);
        }
        tri!(work.spend(150));
        let mut layout = HTuple::builder(Leaf::UNUSED);
        let mut i = 0;
        while i < self.modes.len() {
            tri!(layout.push_value(Leaf::new(self.modes[i].extent, self.modes[i].stride)));
            i += 1;
        }
        tri!(layout.close_leaves(0));
        // For a box the counts of all ends are needed, each a sum over the chain.
        let step = 1 + self.modes.len() * chain.len();
        let most = work.left / step;
        let mut boxes = most;
        let linear = linear_on_box(&tri!(Layout::new(layout)), chain.as_slice(), &mut boxes);
        tri!(work.spend(step * (most - boxes)));
        match linear {
            Err(Error::Undecided { .. }) => Err(Error::Undecided { operation: work.operation }),
            linear => linear,
        }
    }
}

/// Modes `extent:index`.
type Chain = List<(i64, i64), MAX_LEAVES>;

/// A search through the chains of indices that have the offsets 1, p, p q, ...
pub(in crate::algebra) struct Search<'a> {
    /// The operand whose indices are enumerated.
    lead: Operand<'a>,
    other: Option<Operand<'a>>,
    chain: Chain,
    best: Chain,
    best_size: i64,
    /// No right inverse is larger.
    limit: i64,
    work: Work,
}

impl<'a> Search<'a> {
    pub const fn new(lead: Operand<'a>, other: Option<Operand<'a>>, operation: &'static str) -> Search<'a> {
        let mut search = Search {
            lead,
            other,
            chain: List::new((1, 0)),
            best: List::new((1, 0)),
            best_size: 1,
            limit: i64::MAX,
            work: Work::new(operation),
        };
        search.limit = search.bound(1);
        search
    }

    /// No right inverse that begins with a chain of this size is larger.
    const fn bound(&self, size: i64) -> i64 {
        let (mut bound, lead) = (self.limit, self.lead.bound(size));
        if lead < bound {
            bound = lead;
        }
        if let Some(other) = &self.other {
            let other = other.bound(size);
            if other < bound {
                bound = other;
            }
        }
        bound
    }

    /// The largest right inverse, if it is larger than one known already.
    pub const fn larger_than(&mut self, known: i64) -> Result<Option<Layout>, Error> {
        self.best_size = known;
        tri!(self.extend(1, 0));
        if self.best.is_empty() {
            return Ok(None);
        }
        let mut out = HTuple::builder(Leaf::UNUSED);
        let mut i = 0;
        while i < self.best.len() {
            let (extent, index) = self.best.as_slice()[i];
            tri!(out.push_value(Leaf::new(extent, index)));
            i += 1;
        }
        tri!(out.close_leaves(0));
        Ok(Some(tri!(Layout::new(out)).coalesce()))
    }

    /// Tries all continuations of the chain, of size `size` and with the last index `high`.
    const fn extend(&mut self, size: i64, high: i64) -> Result<(), Error> {
        tri!(self.work.spend(2 + 4 * self.lead.modes.len()));
        if size > self.best_size {
            self.best_size = size;
            self.best = self.chain;
        }
        let bound = self.bound(size);
        if bound / size * size <= self.best_size || self.chain.len() == MAX_LEAVES {
            return Ok(());
        }
        // No shorter mode has a multiple within the bound that exceeds the best; at least one longer does.
        let mut least = 2;
        while bound / (size * least) * (size * least) <= self.best_size && least < 100 {
            least += 1;
        }
        tri!(self.work.spend(least as usize));
        // Continuing in the same direction is a longer mode, not a further one.
        let straight = match self.chain.as_slice().last() {
            Some(&(extent, index)) => extent as i128 * index as i128,
            None => 0,
        };
        let mut preimages = Preimages::new(
            self.lead.modes,
            self.lead.digits(least - 1, self.other.is_none()),
            size as i128 * self.lead.step as i128,
        );
        while let Some(index) = tri!(preimages.next(&mut self.work)) {
            if index as i128 == straight {
                continue;
            }
            if let Some(other) = &self.other {
                tri!(self.work.spend(other.modes.len()));
                if index > other.end(other.modes.len() - 1) - 1
                    || other.at(index) != size as i128 * other.step as i128
                {
                    continue;
                }
            }
            let mut extent = tri!(self.longest(index, size, high, bound / size));
            while extent >= least {
                tri!(self.work.spend(3));
                let multiple = bound / (size * extent);
                if size * extent * multiple <= self.best_size {
                    // The longest one with a larger multiple within the bound.
                    extent = bound / size.saturating_mul(multiple + 1);
                    continue;
                }
                tri!(self.chain.push((extent, index), "modes"));
                self.use_steps(index, extent - 1);
                tri!(self.extend(size * extent, high + index * (extent - 1)));
                self.use_steps(index, 1 - extent);
                self.chain.truncate(self.chain.len() - 1);
                extent -= 1;
            }
        }
        Ok(())
    }

    const fn use_steps(&mut self, index: i64, count: i64) {
        self.lead.use_steps(index, count);
        if let Some(other) = &mut self.other {
            other.use_steps(index, count);
        }
    }

    /// The longest repetition of an index, up to `most`, for which the box stays linear; it does for all shorter ones.
    const fn longest(&mut self, index: i64, size: i64, high: i64, most: i64) -> Result<i64, Error> {
        tri!(self.work.spend(self.lead.modes.len()));
        let (mut firm, mut any) = self.lead.room(index);
        if let Some(other) = &self.other {
            let (other_firm, other_any) = other.room(index);
            firm = if other_firm < firm { other_firm } else { firm };
            any = if other_any < any { other_any } else { any };
        }
        let most = if firm < most { firm + 1 } else { most };
        if any >= most {
            return Ok(most);
        }
        let (mut fits, mut step, mut growing) = (any + 1, 1, true);
        while step > 0 {
            if step <= most - fits && tri!(self.is_linear(fits + step, index, size, high)) {
                fits += step;
            } else {
                growing = false;
            }
            step = if growing { step * 2 } else { step / 2 };
        }
        Ok(fits)
    }

    const fn is_linear(&mut self, extent: i64, index: i64, size: i64, high: i64) -> Result<bool, Error> {
        tri!(self.work.spend(2 * self.lead.modes.len()));
        let mut chain = self.chain;
        tri!(chain.push((extent, index), "modes"));
        let (high, offset) = (high + index * (extent - 1), size as i128 * extent as i128 - 1);
        Ok(tri!(self.lead.is_linear(&chain, high, offset, &mut self.work))
            && match &self.other {
                Some(other) => tri!(other.is_linear(&chain, high, offset, &mut self.work)),
                None => true,
            })
    }
}

/// The indices of an offset, in ascending order.
pub(in crate::algebra) struct Preimages<'a> {
    modes: &'a [Indexed],
    most: [i64; MAX_LEAVES],
    /// The range of the sums of the modes before each one, and the common divisor of their strides.
    low: [i128; MAX_LEAVES],
    high: [i128; MAX_LEAVES],
    divisor: [u64; MAX_LEAVES],
    /// The current mode, counted from 1; the digits of the later ones are set.
    level: usize,
    digit: [i64; MAX_LEAVES],
    last: [i64; MAX_LEAVES],
    /// The required sum of each mode and those before it.
    rest: [i128; MAX_LEAVES],
}

impl<'a> Preimages<'a> {
    /// The modes are in the order of their indices; `most` has the largest digit of each.
    pub const fn new(modes: &'a [Indexed], most: [i64; MAX_LEAVES], offset: i128) -> Preimages<'a> {
        let mut own = Preimages {
            modes,
            most,
            low: [0; MAX_LEAVES],
            high: [0; MAX_LEAVES],
            divisor: [0; MAX_LEAVES],
            level: modes.len(),
            digit: [0; MAX_LEAVES],
            last: [0; MAX_LEAVES],
            rest: [0; MAX_LEAVES],
        };
        let mut i = 1;
        while i < modes.len() {
            let stride = modes[i - 1].stride;
            let reach = stride as i128 * most[i - 1] as i128;
            own.low[i] = own.low[i - 1] + if reach < 0 { reach } else { 0 };
            own.high[i] = own.high[i - 1] + if reach > 0 { reach } else { 0 };
            own.divisor[i] = int::gcd(own.divisor[i - 1], stride.unsigned_abs());
            i += 1;
        }
        if !modes.is_empty() {
            own.enter(modes.len(), offset);
        }
        own
    }

    /// Sets the digits of a mode for which the earlier modes can reach the rest.
    const fn enter(&mut self, level: usize, rest: i128) {
        let i = level - 1;
        let (near, far) = (rest - self.high[i], rest - self.low[i]);
        let stride = self.modes[i].stride as i128;
        let (from, to) = if stride > 0 {
            (-(-near).div_euclid(stride), far.div_euclid(stride))
        } else if stride < 0 {
            (-far.div_euclid(-stride), (-near).div_euclid(-stride))
        } else if near <= 0 && 0 <= far {
            (0, self.most[i] as i128)
        } else {
            (1, 0)
        };
        self.level = level;
        self.rest[i] = rest;
        let most = self.most[i] as i128;
        // An empty range of digits stays one.
        self.digit[i] = if from < 0 {
            0
        } else if from > most {
            self.most[i] + 1
        } else {
            from as i64
        };
        self.last[i] = if to > most {
            self.most[i]
        } else if to < 0 {
            -1
        } else {
            to as i64
        };
    }

    pub const fn next(&mut self, work: &mut Work) -> Result<Option<i64>, Error> {
        while self.level > 0 && self.level <= self.modes.len() {
            tri!(work.spend(1));
            let i = self.level - 1;
            if self.digit[i] > self.last[i] {
                self.level += 1;
                if self.level <= self.modes.len() {
                    self.digit[i + 1] += 1;
                }
                continue;
            }
            let rest = self.rest[i] - self.modes[i].stride as i128 * self.digit[i] as i128;
            if i == 0 {
                let (mut index, mut k) = (0, 0);
                while k < self.modes.len() {
                    index += self.digit[k] * self.modes[k].index;
                    k += 1;
                }
                self.digit[0] += 1;
                return Ok(Some(index));
            }
            let divisor = self.divisor[i] as i128;
            if divisor == 0 && rest == 0 || divisor != 0 && rest % divisor == 0 {
                self.enter(i, rest);
            } else {
                self.digit[i] += 1;
            }
        }
        Ok(None)
    }
}
