//! Copies of swizzled layouts and of XOR strides, in parts in which both layouts have integer strides.
//!
//! `x ^ v` is `x + v` or `x - v`, bit by bit of `v`, if these bits of `x` are known. So the index is split into its
//! bits; each flips some bits of the offset. As long as two of them flip a common bit, one of the two is fixed: the
//! values of the fixed bits number the parts. The free bits flip disjoint sets of bits, and form a plain layout with
//! strides of either sign.
//!
//! ```text
//! Sw<2,0,2> o 0 o (4,4):(1,4)    (2,2,2,2):(^1,^2,^5,^10)    5 flips a bit that 1 flips, and 10 one that 2 flips
//!     part 0                     {0} o (2,2):(1,2)
//!     part 1                     {5} o (2,2):(-1,2)
//!     part 2                     {10} o (2,2):(1,-2)
//!     part 3                     {15} o (2,2):(-1,-2)
//! ```

use super::{Nest, Way, nest_of};
use crate::cpu::isa::Isa;
use crate::error::count;
use crate::loops::modes::{self, Mode};
use crate::loops::nest::place_at;
use crate::offset_layout::OffsetLayout;
use crate::tuning::copy::{MAX_PARTS, MIN_PART, PART_BYTES};
use std::fmt::Write;
use tilework::{AnyLayout, Codomain, Layout};

/// The parts of a copy.
#[derive(Clone, Debug)]
pub(crate) struct Parts {
    /// Loops around all parts, in elements: the elements of one step stay in the caches until its last part is copied.
    tiles: Vec<Mode<2>>,
    /// The offsets at which each part begins, and which of `nests` copies it.
    parts: Vec<([isize; 2], usize)>,
    nests: Vec<Nest>,
}

/// The offsets of an operand: `start` is added to the offset that `layout` gives; with XOR strides, `origin` is XORed
/// to it.
struct Operand {
    layout: Layout,
    start: i64,
    origin: i64,
    is_xor: bool,
}

/// A digit of the index: its extent, and the integer or XOR stride of each operand.
type Digit = Mode<2>;

impl Parts {
    /// The parts of a copy of elements of `element` bytes; none if an offset is neither the sum nor the XOR of the
    /// terms of its digits, or if parts would be too small to be worth a plan. All offsets of the destination have to
    /// be distinct.
    pub(crate) fn new(
        source: &OffsetLayout,
        destination: &OffsetLayout,
        element: usize,
        isa: Isa,
    ) -> Option<Parts> {
        let operands = [Operand::new(source)?, Operand::new(destination)?];
        let (fixed, mut free) = divide(&operands, digits(&operands)?);
        let product =
            |digits: &[Digit]| digits.iter().try_fold(1usize, |all, digit| all.checked_mul(digit.extent));
        let values = product(&fixed)?;
        let small = values > 1 && product(&free).is_some_and(|size| size < MIN_PART);
        if small || values > MAX_PARTS {
            return None;
        }
        let tiles = tiles(&operands, &fixed, &mut free, element);

        // Each part is small, and may write parts of lines, which have to be merged in the caches.
        let mut parts = Parts { tiles, parts: Vec::new(), nests: Vec::new() };
        let mut known: Vec<Vec<Mode<2>>> = Vec::new();
        for part in 0..values {
            let mut at = operands.each_ref().map(|operand| operand.origin);
            let mut rest = part;
            for digit in &fixed {
                let value = (rest % digit.extent) as u64;
                rest /= digit.extent;
                for (i, operand) in operands.iter().enumerate() {
                    at[i] = operand.moved(at[i], digit.strides[i], value);
                }
            }
            let mut plain = Vec::new();
            for digit in &free {
                let strides =
                    [0, 1].map(|i| operands[i].moved(at[i], digit.strides[i], 1).wrapping_sub(at[i]));
                modes::push(
                    &mut plain,
                    Mode { extent: digit.extent, strides: strides.map(|stride| stride as isize) },
                );
            }
            let begins = [0, 1].map(|i| (operands[i].start + at[i]) as isize);
            let index = match known.iter().position(|modes| *modes == plain) {
                Some(index) => index,
                None => {
                    parts.nests.push(nest_of(plain.clone(), element, isa, Way::Through).ok()?);
                    known.push(plain);
                    known.len() - 1
                }
            };
            parts.parts.push((begins, index));
        }
        Some(parts)
    }

    /// The number of pairs of a tile and a part.
    pub(crate) fn count(&self) -> usize {
        self.parts.len() * self.tiles.iter().map(|tile| tile.extent).product::<usize>()
    }

    /// Describes, line by line, what it does with elements of `element` bytes.
    pub(crate) fn explain(&self, element: usize, text: &mut String) {
        let (tiles, parts) = (self.count() / self.parts.len(), count(self.parts.len(), "part"));
        let all = if tiles == 1 { parts } else { format!("{tiles} tiles of {parts}") };
        let _ = writeln!(text, "{all}, in each of which both layouts have integer strides; the last one:");
        // In the first part no bit is flipped, so that its pieces are longer than those of the others.
        self.nests[self.nests.len() - 1].explain(element, text);
    }

    /// The offsets at which a pair below [`count`](Self::count) begins, and its loops.
    pub(crate) fn part(&self, index: usize) -> ([isize; 2], &Nest) {
        let (mut begins, nest) = self.parts[index % self.parts.len()];
        place_at(&mut begins, &self.tiles, index / self.parts.len());
        (begins, &self.nests[nest])
    }
}

impl Operand {
    fn new(placed: &OffsetLayout) -> Option<Operand> {
        let (layout, start, origin) = match placed.layout() {
            AnyLayout::Plain(layout) if layout.codomain() == Codomain::Integer => {
                (*layout, placed.offset(), 0)
            }
            AnyLayout::Plain(layout) => (*layout, 0, placed.offset()),
            AnyLayout::Swizzled(swizzled) => {
                let view = swizzled.to_view().ok()?;
                // The offset of a swizzle is an integer.
                let origin = view.offset().leaves()[0].numerator();
                match view.layout().codomain() {
                    Codomain::Integer => (*view.layout(), placed.offset() + origin, 0),
                    _ => (*view.layout(), placed.offset(), origin),
                }
            }
        };
        Some(Operand { layout, start, origin, is_xor: layout.codomain() == Codomain::Xor })
    }

    /// An offset after `value` steps of a digit.
    fn moved(&self, at: i64, stride: isize, value: u64) -> i64 {
        if self.is_xor {
            at ^ carryless(stride as u64, value) as i64
        } else {
            at + stride as i64 * value as i64
        }
    }

    /// The bits that a digit flips; none if the operand is a sum.
    fn flips(&self, digit: &Digit, i: usize) -> u64 {
        let highest = usize::BITS - (digit.extent - 1).leading_zeros();
        let stride = digit.strides[i] as u64;
        if self.is_xor { (0..highest).fold(0, |bits, bit| bits | stride << bit) } else { 0 }
    }
}

/// The product without carries.
fn carryless(a: u64, b: u64) -> u64 {
    (0..u64::BITS).filter(|bit| b >> bit & 1 == 1).fold(0, |sum, bit| sum ^ a << bit)
}

/// The index as digits with one stride in each operand; those of XOR strides are bits, as far as possible.
fn digits(operands: &[Operand; 2]) -> Option<Vec<Digit>> {
    let mut digits = Vec::new();
    for mut mode in modes::refinement(operands.each_ref().map(|operand| &operand.layout))? {
        while mode.extent.is_multiple_of(2) {
            digits.push(Digit { extent: 2, ..mode });
            mode.extent /= 2;
            mode.strides = mode.strides.map(|stride| stride.wrapping_mul(2));
        }
        if mode.extent > 1 {
            digits.push(mode);
        }
    }
    Some(digits)
}

/// The digits that have to be fixed, and the others, which then flip disjoint sets of bits.
fn divide(operands: &[Operand; 2], digits: Vec<Digit>) -> (Vec<Digit>, Vec<Digit>) {
    let flips = |digit: &Digit| [0, 1].map(|i| operands[i].flips(digit, i));
    let meet = |a: [u64; 2], b: [u64; 2]| a[0] & b[0] != 0 || a[1] & b[1] != 0;
    // A digit whose extent is not a power of two acts as a multiple of its stride only if it flips no bit back.
    let is_sum = |at: usize, digit: &Digit| {
        let own = flips(digit);
        let others = digits.iter().enumerate().filter(|&(i, _)| i != at);
        (0..2).all(|i| !operands[i].is_xor || digit.strides[i].count_ones() < 2)
            && !meet(own, operands.each_ref().map(|operand| operand.origin as u64))
            && !others.map(|(_, other)| flips(other)).any(|other| meet(own, other))
    };
    let (mut free, mut fixed) = (Vec::new(), Vec::new());
    for (at, digit) in digits.iter().enumerate() {
        if digit.extent == 2 || is_sum(at, digit) { free.push(*digit) } else { fixed.push(*digit) }
    }
    // Of two that flip a common bit, the one that moves farther is fixed, so that the elements of a part are close
    // together.
    let distance = |digit: &Digit| digit.strides.map(isize::unsigned_abs).into_iter().min();
    while let Some((i, j)) = (0..free.len())
        .flat_map(|i| (0..i).map(move |j| (i, j)))
        .find(|&(i, j)| meet(flips(&free[i]), flips(&free[j])))
    {
        fixed.push(free.remove(if distance(&free[i]) >= distance(&free[j]) { i } else { j }));
    }
    (fixed, free)
}

/// Moves digits with the largest strides from `free` to loops around the parts, until the elements of one step fit a
/// cache.
fn tiles(operands: &[Operand; 2], fixed: &[Digit], free: &mut Vec<Digit>, element: usize) -> Vec<Mode<2>> {
    // For all parts together.
    let mut bytes =
        fixed.iter().chain(&*free).map(|digit| digit.extent as f64).product::<f64>() * element as f64;
    let mut tiles = Vec::new();
    while bytes > PART_BYTES as f64 {
        // In each part they have the same stride: they flip no set bit.
        let same = |digit: &Digit| {
            (0..2).all(|i| {
                let set = fixed
                    .iter()
                    .fold(operands[i].origin as u64, |set, fixed| set | operands[i].flips(fixed, i));
                operands[i].flips(digit, i) & set == 0
            })
        };
        let farthest = (0..free.len())
            .filter(|&i| same(&free[i]))
            .max_by_key(|&i| free[i].strides.map(isize::unsigned_abs).into_iter().max());
        let Some(farthest) = farthest else { break };
        let digit = free.remove(farthest);
        bytes /= digit.extent as f64;
        tiles.push(digit);
    }
    modes::sort(&mut tiles, 1);
    tiles
}
