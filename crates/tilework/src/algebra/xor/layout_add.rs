//! Sums of layouts with XOR strides.

use super::pieces::{Piece, Pieces, Rule};
use super::table::Table;
use crate::error::{Error, ok_or, tri};
use crate::layout::{Layout, Leaf};
use crate::tuple::HTuple;

impl Layout {
    /// The layout `c -> A(c) ^ B(c)`. Pieces of one extent are added; other cases, such as cancelling steps, are
    /// decided offset by offset.
    pub(crate) const fn xor_add(&self, other: &Layout) -> Result<Layout, Error> {
        let error = match self.added_pieces(other) {
            Ok(sum) => return Ok(sum),
            Err(error) => error,
        };
        let Some(mut table) = Table::new(self.size()) else {
            return Err(Error::Undecided { operation: "layout_add" });
        };
        tri!(table.add(self));
        tri!(table.add(other));
        let flat = HTuple::leaf(Leaf::new(self.size(), 0));
        match tri!(table.refine(self.as_tuple())) {
            Some(sum) => Ok(sum),
            None => ok_or(tri!(table.refine(&flat)), error),
        }
    }

    const fn added_pieces(&self, other: &Layout) -> Result<Layout, Error> {
        let (left, right) = (tri!(Pieces::of(self)), tri!(Pieces::of(other)));
        let (mut sum, mut i, mut j) = (Pieces::new(), 0, 0);
        let (mut a, mut b) = (Piece::ONE, Piece::ONE);
        while i < left.list.len() || a.extent > 1 {
            if a.extent == 1 {
                a = left.as_slice()[i];
                i += 1;
            }
            if b.extent == 1 {
                b = right.as_slice()[j];
                j += 1;
            }
            // Only a mode of stride 0 can be split here.
            let extent = if a.extent < b.extent { a.extent } else { b.extent };
            if a.extent % extent != 0
                || b.extent % extent != 0
                || a.extent != extent && a.stride != 0
                || b.extent != extent && b.stride != 0
            {
                return Err(Error::NotXorLinear { reason: "the modes of the two end at different places" });
            }
            tri!(sum.push(extent, a.stride ^ b.stride, a.origin));
            a.extent /= extent;
            b.extent /= extent;
        }
        self.rebuild(&sum, Rule::Xor)
    }
}
