//! Left inverses that no elimination gives: a search for the extents of `G`, each with linear equations for its strides.
//!
//! `L(G(L(k))) = L(k)` asks of each offset `v` that `G(v)` is one of the indices at which `v` lies (paper, equation 26).
//! `G(v)` is the sum of the digits of `v` times the strides. The offsets are gone through in ascending order: where one
//! lies beyond the extents so far, each next extent is tried, and where its index is not determined yet, each of its
//! indices. A mode that is left longer still does when it is cut into modes of prime extent, or with XOR strides into
//! those of extent 2 and an odd one, so that no other extents are tried.

use super::bits::bit_length;
use super::pieces::{Pieces, Rule};
use super::table::{MOST, Table};
use crate::error::{Error, tri};
use crate::int;
use crate::layout::{Layout, Leaf};
use crate::list::List;
use crate::tuple::HTuple;

/// How many steps, each of a few instructions, are made before a search ends without an answer: for integer strides,
/// and for XOR strides beside what is left of these.
const BUDGET: [usize; 2] = [150_000, 50_000];

/// How many strides.
const STRIDES: usize = 14;

const UNDECIDED: Error = Error::Undecided { operation: "left_inverse with XOR strides" };

type Digits = [i64; STRIDES];

impl Layout {
    #[cold]
    pub(super) const fn searched_left_inverse(&self) -> Result<Layout, Error> {
        let Some(mut table) = Table::new(self.size()) else { return Err(UNDECIDED) };
        tri!(table.add(self));
        let order = table.ascending();
        let mut integers = Search::new(&table, &order, Equations::Integer(Lattice::NONE), BUDGET[0]);
        let first = integers.from(0);
        if let Ok(true) = first {
            return integers.layout();
        }
        // Strides of an index's bits, and some that others cancel.
        let width = bit_length(table.len as u64 - 1) as usize + 2;
        let equations = Equations::Xor(Bits { rows: [0; 128], len: 0, width });
        let mut xors = Search::new(&table, &order, equations, BUDGET[1] + integers.budget);
        match (xors.from(0), first) {
            (Ok(true), _) => xors.layout(),
            (Ok(false), Ok(_)) => {
                Err(Error::NoInverse { reason: "no shape has strides that give the indices back" })
            }
            _ => Err(UNDECIDED),
        }
    }
}

impl Table {
    /// The indices, by their offsets in ascending order, and those of one offset in ascending order.
    const fn ascending(&self) -> [u16; MOST] {
        let (mut order, mut i) = ([0; MOST], 0);
        while i < self.len {
            order[i] = i as u16;
            i += 1;
        }
        let mut gap = MOST / 2;
        while gap > 0 {
            i = gap;
            while i < self.len {
                let (own, mut j) = (order[i], i);
                let offset = self.offsets[own as usize];
                while j >= gap {
                    let before = self.offsets[order[j - gap] as usize];
                    if before < offset || before == offset && order[j - gap] < own {
                        break;
                    }
                    order[j] = order[j - gap];
                    j -= gap;
                }
                order[j] = own;
                i += 1;
            }
            gap /= 2;
        }
        order
    }
}

struct Search<'a> {
    table: &'a Table,
    order: &'a [u16; MOST],
    /// The extents so far, and their product.
    extents: List<i64, STRIDES>,
    reach: i64,
    strides: Strides,
    /// Whether the search met offsets beyond this many modes.
    entered: [bool; STRIDES + 1],
    budget: usize,
}

impl<'a> Search<'a> {
    const fn new(
        table: &'a Table,
        order: &'a [u16; MOST],
        equations: Equations,
        budget: usize,
    ) -> Search<'a> {
        let strides = Strides { known: [None; STRIDES], equations };
        Search {
            table,
            order,
            extents: List::new(1),
            reach: 1,
            strides,
            entered: [false; STRIDES + 1],
            budget,
        }
    }

    /// What an equation costs.
    const fn work(&self) -> usize {
        match &self.strides.equations {
            Equations::Integer(lattice) => 4 + lattice.len * lattice.len,
            Equations::Xor(bits) => 4 + bits.width * bits.len,
        }
    }

    const fn spend(&mut self, cost: usize) -> Result<(), Error> {
        if self.budget < cost {
            return Err(UNDECIDED);
        }
        self.budget -= cost;
        Ok(())
    }

    const fn offset(&self, place: usize) -> i64 {
        self.table.offsets[self.order[place] as usize]
    }

    /// Goes through the offsets from this place of the order on; whether `G` exists with what is known of it.
    const fn from(&mut self, place: usize) -> Result<bool, Error> {
        let mut place = place;
        while place < self.table.len {
            let offset = self.offset(place);
            if offset >= self.reach {
                return self.longer(place);
            }
            let mut end = place + 1;
            while end < self.table.len && self.offset(end) == offset {
                end += 1;
            }
            tri!(self.spend(2 + (end - place) / 4));
            let digits = self.digits(offset);
            let index = match tri!(self.strides.direct(&digits)) {
                (sum, None) => Some(sum),
                _ => {
                    tri!(self.spend(self.work()));
                    tri!(self.strides.value(&digits))
                }
            };
            let Some(index) = index else {
                let before = self.strides;
                while place < end {
                    tri!(self.spend(self.work()));
                    if tri!(self.strides.demand(&digits, self.order[place] as i64)) && tri!(self.from(end)) {
                        return Ok(true);
                    }
                    self.strides = before;
                    place += 1;
                }
                return Ok(false);
            };
            if index < 0 || index >= self.table.len as i64 || self.table.offsets[index as usize] != offset {
                return Ok(false);
            }
            place = end;
        }
        Ok(true)
    }

    /// The same with one more mode.
    const fn longer(&mut self, place: usize) -> Result<bool, Error> {
        self.entered[self.extents.len()] = true;
        tri!(self.strides.extend());
        let (before, reach, count) = (self.strides, self.reach, self.extents.len());
        let (high, mut extent) = (self.offset(self.table.len - 1), 2);
        // An extent that no offset reaches the end of does not matter, and may be 2.
        while extent == 2 || extent <= high / reach {
            if matches!(self.strides.equations, Equations::Xor(_)) || is_prime(extent) {
                tri!(self.extents.push(extent, "modes"));
                self.reach = tri!(int::mul(reach, extent));
                self.entered[count + 1] = false;
                if tri!(self.from(place)) {
                    return Ok(true);
                }
                self.extents.truncate(count);
                (self.strides, self.reach) = (before, reach);
                // What no index of these offsets allows, a longer mode does not allow either.
                if !self.entered[count + 1] {
                    return Ok(false);
                }
            }
            tri!(self.spend(1));
            extent += if extent == 2 { 1 } else { 2 };
        }
        Ok(false)
    }

    const fn digits(&self, offset: i64) -> Digits {
        let (mut digits, mut rest, mut i) = ([0; STRIDES], offset, 0);
        while i < self.extents.len() {
            (rest, digits[i]) = int::div_rem(rest, self.extents.as_slice()[i]);
            i += 1;
        }
        digits
    }

    const fn layout(&self) -> Result<Layout, Error> {
        let strides = self.strides.all();
        let (mut pieces, mut out, mut i) = (Pieces::new(), HTuple::builder(Leaf::new(1, 0)), 0);
        while i < self.extents.len() {
            let extent = self.extents.as_slice()[i];
            match self.strides.equations {
                Equations::Integer(_) => tri!(out.push_merged(Leaf::new(extent, tri!(strides[i])), 0)),
                Equations::Xor(_) => tri!(pieces.push(extent, tri!(strides[i]), 0)),
            }
            i += 1;
        }
        match self.strides.equations {
            Equations::Xor(_) => pieces.flat_layout(Rule::Xor),
            Equations::Integer(_) => {
                tri!(out.close_merged(0));
                Layout::new(out)
            }
        }
    }
}

const fn is_prime(value: i64) -> bool {
    let mut divisor = 2;
    while divisor * divisor <= value {
        if value % divisor == 0 {
            return false;
        }
        divisor += 1;
    }
    true
}

/// What is known of the strides: those that are determined, and equations for all of them.
#[derive(Clone, Copy)]
struct Strides {
    known: [Option<i64>; STRIDES],
    equations: Equations,
}

#[derive(Clone, Copy)]
#[allow(clippy::large_enum_variant, reason = "a constant has no heap to put the larger one on")]
enum Equations {
    Integer(Lattice),
    Xor(Bits),
}

impl Strides {
    /// One more stride, of which nothing is known.
    const fn extend(&mut self) -> Result<(), Error> {
        match &mut self.equations {
            Equations::Integer(lattice) if lattice.len < STRIDES => {
                lattice.basis[lattice.len][lattice.len] = 1;
                lattice.len += 1;
            }
            Equations::Xor(bits) if bits.len < STRIDES && (bits.len + 1) * bits.width < 128 => bits.len += 1,
            _ => return Err(UNDECIDED),
        }
        Ok(())
    }

    /// The sum of the digits times the strides that are known, and which other stride is taken, once; beyond all of them
    /// for several.
    const fn direct(&self, digits: &Digits) -> Result<(i64, Option<usize>), Error> {
        let (mut sum, mut open, mut i) = (0, None, 0);
        while i < STRIDES {
            match (digits[i], self.known[i], &self.equations) {
                (0, ..) => {}
                (digit, Some(stride), Equations::Integer(_)) => {
                    sum = tri!(int::add(sum, tri!(int::mul(digit, stride))));
                }
                (digit, Some(stride), Equations::Xor(_)) => sum ^= tri!(int::carryless_mul(digit, stride)),
                (1, None, _) if open.is_none() => open = Some(i),
                (_, None, _) => open = Some(STRIDES),
            }
            i += 1;
        }
        Ok((sum, open))
    }

    /// The sum of the digits times the strides, where it is determined.
    const fn value(&self, digits: &Digits) -> Result<Option<i64>, Error> {
        match &self.equations {
            Equations::Integer(lattice) => lattice.value(digits),
            Equations::Xor(bits) => Ok(bits.value(digits)),
        }
    }

    /// Demands a value of this sum; `false` where it cannot have it.
    const fn demand(&mut self, digits: &Digits, value: i64) -> Result<bool, Error> {
        let (rest, open) = tri!(self.direct(digits));
        let possible = match &mut self.equations {
            Equations::Integer(lattice) => tri!(lattice.demand(digits, value)),
            Equations::Xor(bits) => bits.demand(digits, value),
        };
        if let (true, Some(stride)) = (possible, open)
            && stride < STRIDES
        {
            self.known[stride] = Some(match self.equations {
                Equations::Integer(_) => value - rest,
                Equations::Xor(_) => value ^ rest,
            });
        }
        Ok(possible)
    }

    /// Strides of which all is true that is known.
    const fn all(&self) -> [Result<i64, Error>; STRIDES] {
        match &self.equations {
            Equations::Integer(lattice) => lattice.strides(),
            Equations::Xor(bits) => bits.strides(),
        }
    }
}

/// Strides as integer combinations of numbers of which the first `solved` are known, and the others free.
#[derive(Clone, Copy)]
struct Lattice {
    basis: [[i64; STRIDES]; STRIDES],
    values: [i64; STRIDES],
    len: usize,
    solved: usize,
}

impl Lattice {
    const NONE: Lattice = Lattice { basis: [[0; STRIDES]; STRIDES], values: [0; STRIDES], len: 0, solved: 0 };

    /// The digits in terms of the numbers.
    const fn coefficients(&self, digits: &Digits) -> Result<Digits, Error> {
        let (mut out, mut i) = ([0; STRIDES], 0);
        while i < self.len {
            let mut j = 0;
            while j < self.len && digits[i] != 0 {
                out[j] = tri!(int::add(out[j], tri!(int::mul(digits[i], self.basis[i][j]))));
                j += 1;
            }
            i += 1;
        }
        Ok(out)
    }

    const fn known(&self, coefficients: &Digits) -> Result<i64, Error> {
        let (mut sum, mut j) = (0, 0);
        while j < self.solved {
            sum = tri!(int::add(sum, tri!(int::mul(coefficients[j], self.values[j]))));
            j += 1;
        }
        Ok(sum)
    }

    const fn value(&self, digits: &Digits) -> Result<Option<i64>, Error> {
        let coefficients = tri!(self.coefficients(digits));
        let mut j = self.solved;
        while j < self.len {
            if coefficients[j] != 0 {
                return Ok(None);
            }
            j += 1;
        }
        Ok(Some(tri!(self.known(&coefficients))))
    }

    /// Euclid's algorithm on the free numbers leaves one of them in the equation, which it determines.
    const fn demand(&mut self, digits: &Digits, value: i64) -> Result<bool, Error> {
        let pivot = self.solved;
        loop {
            let coefficients = tri!(self.coefficients(digits));
            let (mut smallest, mut others, mut j) = (pivot, 0, pivot);
            while j < self.len {
                if coefficients[j] != 0 {
                    others += 1;
                    if coefficients[smallest] == 0
                        || coefficients[j].unsigned_abs() < coefficients[smallest].unsigned_abs()
                    {
                        smallest = j;
                    }
                }
                j += 1;
            }
            let own = coefficients[smallest];
            if others == 1 {
                let rest = tri!(int::sub(value, tri!(self.known(&coefficients))));
                if rest % own != 0 {
                    return Ok(false);
                }
                self.swap(pivot, smallest);
                self.values[pivot] = rest / own;
                self.solved += 1;
                return Ok(true);
            }
            j = pivot;
            while j < self.len {
                let quotient = if j == smallest { 0 } else { coefficients[j] / own };
                let mut i = 0;
                while i < self.len && quotient != 0 {
                    let part = tri!(int::mul(quotient, self.basis[i][smallest]));
                    self.basis[i][j] = tri!(int::sub(self.basis[i][j], part));
                    i += 1;
                }
                j += 1;
            }
        }
    }

    const fn swap(&mut self, a: usize, b: usize) {
        let mut i = 0;
        while i < self.len {
            (self.basis[i][a], self.basis[i][b]) = (self.basis[i][b], self.basis[i][a]);
            i += 1;
        }
    }

    /// The free numbers are 0.
    const fn strides(&self) -> [Result<i64, Error>; STRIDES] {
        let (mut strides, mut i) = ([Ok(0); STRIDES], 0);
        while i < self.len {
            strides[i] = self.known(&self.basis[i]);
            i += 1;
        }
        strides
    }
}

/// Equations for the bits of the strides, each of which has the same number: a row for each leading bit, whose bit 127 is the
/// right side.
#[derive(Clone, Copy)]
struct Bits {
    rows: [u128; 128],
    len: usize,
    width: usize,
}

const RIGHT: u128 = 1 << 127;

impl Bits {
    /// The bits of the strides whose sum is one bit of the sum of products.
    const fn equation(&self, digits: &Digits, bit: usize) -> u128 {
        let (mut row, mut i) = (0, 0);
        while i < self.len {
            let (mut rest, mut shift) = (digits[i], 0);
            while rest != 0 && shift <= bit {
                if rest & 1 == 1 && bit - shift < self.width {
                    row ^= 1 << (i * self.width + bit - shift);
                }
                rest >>= 1;
                shift += 1;
            }
            i += 1;
        }
        row
    }

    const fn reduce(&self, row: u128) -> u128 {
        let (mut rest, mut open) = (row, row & !RIGHT);
        while open != 0 {
            let lead = 127 - open.leading_zeros();
            rest ^= self.rows[lead as usize];
            open = rest & ((1 << lead) - 1);
        }
        rest
    }

    /// How many bits the products have.
    const fn bits(&self, digits: &Digits) -> usize {
        let (mut all, mut i) = (0, 0);
        while i < self.len {
            all |= digits[i];
            i += 1;
        }
        self.width + bit_length(all as u64) as usize
    }

    const fn value(&self, digits: &Digits) -> Option<i64> {
        let (mut value, mut bit, bits) = (0, 0, self.bits(digits));
        while bit < bits {
            let rest = self.reduce(self.equation(digits, bit));
            if rest & !RIGHT != 0 {
                return None;
            }
            value |= ((rest >> 127) as i64) << bit;
            bit += 1;
        }
        Some(value)
    }

    const fn demand(&mut self, digits: &Digits, value: i64) -> bool {
        let (mut bit, bits) = (0, self.bits(digits));
        while bit < bits {
            let rest = self.reduce(self.equation(digits, bit) | ((value >> bit & 1) as u128) << 127);
            if rest == RIGHT {
                return false;
            }
            if rest != 0 {
                self.rows[127 - (rest & !RIGHT).leading_zeros() as usize] = rest;
            }
            bit += 1;
        }
        true
    }

    /// The bits that are free are 0.
    const fn strides(&self) -> [Result<i64, Error>; STRIDES] {
        let (mut known, mut lead) = (0u128, 0);
        while lead < self.len * self.width {
            let row = self.rows[lead];
            let below = (row & known & ((1 << lead) - 1)).count_ones() as u128;
            known |= ((row >> 127) ^ below & 1) << lead;
            lead += 1;
        }
        let (mut strides, mut i) = ([Ok(0); STRIDES], 0);
        while i < self.len {
            strides[i] = Ok((known >> (i * self.width)) as i64 & ((1 << self.width) - 1));
            i += 1;
        }
        strides
    }
}
