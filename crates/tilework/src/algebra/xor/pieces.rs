//! The modes of an XOR function split as far as possible, and merged again into as few modes as possible.
//!
//! A mode `2^k q : ^d` with odd `q` is the modes `2:^d, 2:^2d, ..., 2:^(2^(k-1) d)` and `q:^(2^k d)`; no mode with a
//! stride other than 0 can be split further. Modes of stride 0 are only merged. The list of these pieces is determined
//! by the function: two XOR layouts of one size are equal as functions on `[0, size)` if and only if their pieces are.
//!
//! Why: the first piece with a stride other than 0 has stride `v = f(1)`. Let the run of doubling pieces that begins
//! there cover `[0, p)`. If the run ends in an odd piece (3 or more) and there were another list, the next mode `w`
//! would have to continue as `w = p*v`, because that is the next value of any longer run; but if `p` and a coordinate
//! `x` below it share a bit, the function has `w ^ x*v` and a longer run has `(p+x)*v`, and these differ.

use super::bits::join;
use crate::error::{Error, tri};
use crate::int;
use crate::layout::{Layout, Leaf};
use crate::list::List;
use crate::stride::Stride;
use crate::tuple::{HTuple, MAX_LEAVES};

/// Two bits of size cost at least one piece, an odd piece takes more than one bit, and every leaf has at most one.
const CAPACITY: usize = 64 + MAX_LEAVES;

/// A mode that cannot be split.
#[derive(Clone, Copy)]
pub(crate) struct Piece {
    /// 2, or odd; any number if the stride is 0.
    pub extent: i64,
    pub stride: i64,
    /// The leaf it comes from.
    pub origin: usize,
}

/// The kind of strides by which neighbours are merged again.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rule {
    Integer,
    Xor,
}

impl Piece {
    pub const ONE: Piece = Piece { extent: 1, stride: 0, origin: 0 };
}

/// See the head of this file.
#[derive(Clone, Copy)]
pub(crate) struct Pieces {
    pub list: List<Piece, CAPACITY>,
}

impl Pieces {
    pub const fn new() -> Pieces {
        Pieces { list: List::new(Piece::ONE) }
    }

    /// The pieces of an XOR layout.
    pub const fn of(layout: &Layout) -> Result<Pieces, Error> {
        let mut pieces = Pieces::new();
        let mut i = 0;
        while i < layout.leaves().len() {
            let Leaf { extent, stride } = layout.leaves()[i];
            tri!(pieces.push(extent, stride.numerator(), i));
            i += 1;
        }
        Ok(pieces)
    }

    pub const fn as_slice(&self) -> &[Piece] {
        self.list.as_slice()
    }

    /// Appends a mode, split into pieces. `Overflow` if a multiple of the stride does not fit.
    pub const fn push(&mut self, extent: i64, stride: i64, origin: usize) -> Result<(), Error> {
        if extent == 1 {
            return Ok(());
        }
        if stride == 0 {
            let last = self.list.len();
            if last > 0 && self.as_slice()[last - 1].stride == 0 && self.as_slice()[last - 1].origin == origin
            {
                let all = &mut self.list.as_mut_slice()[last - 1].extent;
                *all = tri!(int::mul(*all, extent));
                return Ok(());
            }
            return self.push_piece(Piece { extent, stride, origin });
        }
        tri!(int::carryless_mul(extent - 1, stride));
        let (mut rest, mut step) = (extent, stride);
        while rest % 2 == 0 {
            tri!(self.push_piece(Piece { extent: 2, stride: step, origin }));
            rest /= 2;
            if rest > 1 {
                step <<= 1;
            }
        }
        if rest > 1 {
            tri!(self.push_piece(Piece { extent: rest, stride: step, origin }));
        }
        Ok(())
    }

    const fn push_piece(&mut self, piece: Piece) -> Result<(), Error> {
        self.list.push(piece, "modes in an XOR layout taken apart")
    }

    /// Checks that sums of multiples are XORs, so that the pieces are also modes with integer strides.
    pub const fn check_sums(&self) -> Result<(), Error> {
        let (mut seen, mut i) = (0, 0);
        while i < self.list.len() {
            let Piece { extent, stride, .. } = self.as_slice()[i];
            seen = tri!(join(seen, extent, stride));
            i += 1;
        }
        Ok(())
    }

    /// The flat layout of all pieces, of minimal rank: `1:0`, one mode without a tuple, or a tuple.
    pub const fn flat_layout(&self, rule: Rule) -> Result<Layout, Error> {
        let mut out = HTuple::builder(Leaf::new(1, 0));
        tri!(self.merge_into(0, self.list.len(), rule, &mut out));
        tri!(out.close_merged(0));
        Layout::new(out)
    }

    /// Appends the modes of one leaf, and the node over them.
    pub const fn leaf_into(
        &self,
        leaf: Leaf,
        number: usize,
        rule: Rule,
        out: &mut HTuple<Leaf>,
    ) -> Result<(), Error> {
        let mut begin = 0;
        while begin < self.list.len() && self.as_slice()[begin].origin != number {
            begin += 1;
        }
        let mut end = begin;
        while end < self.list.len() && self.as_slice()[end].origin == number {
            end += 1;
        }
        if begin == end {
            return out.push(Leaf::new(leaf.extent, 0));
        }
        let first = out.leaves().len();
        tri!(self.merge_into(begin, end, rule, out));
        out.close_leaves(first)
    }

    /// Appends leaves, without nodes, for the pieces `begin..end`. Pieces that can be merged still can when pieces are
    /// removed at an end, so taking as many as possible from the left gives the fewest modes.
    const fn merge_into(
        &self,
        begin: usize,
        end: usize,
        rule: Rule,
        out: &mut HTuple<Leaf>,
    ) -> Result<(), Error> {
        let (first, mut size, mut i) = (out.leaves().len(), 1, begin);
        while i < end {
            let Piece { extent, stride, .. } = self.as_slice()[i];
            size = tri!(int::mul(size, extent));
            let stride = match rule {
                Rule::Integer => Stride::integer(stride),
                Rule::Xor => tri!(Stride::xor(stride)),
            };
            tri!(out.push_merged(Leaf { extent, stride }, first));
            i += 1;
        }
        Ok(())
    }
}
