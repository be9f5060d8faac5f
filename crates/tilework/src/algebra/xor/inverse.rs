//! Inverses of layouts with XOR strides, by elimination over F2 (paper, section 3.4, tables 5 and 6).
//!
//! If all extents but the last one are powers of two, the coordinate is the string of its leaves' bits, and the layout
//! is a matrix whose columns are the offsets of the coordinates `2^k`, cut off at the size. A preimage of `2^i` is a
//! column of the inverse. An earlier odd extent (`(3,4):(^16,^1)`) mixes the bits of the coordinate; then the layout is
//! inverted as an integer layout if it is one, and otherwise the inverse is searched.

use super::bits::{Span, bit_length, carryless_scale_agrees};
use super::pieces::{Pieces, Rule};
use crate::algebra::indexed::{Indexed, UNUSED};
use crate::algebra::search::{BUDGET, Ring, search_left_inverse};
use crate::error::{Error, tri};
use crate::layout::{Layout, Leaf, build};
use crate::list::List;
use crate::tuple::{HTuple, MAX_LEAVES};

/// A layout as columns by the bits of its coordinate: coordinates below `2^low` are all in bounds, the digit above is
/// below `top`.
#[derive(Clone, Copy)]
struct Columns {
    columns: [u64; 64],
    len: usize,
    low: u32,
    top: u64,
    span: Span,
}

impl Layout {
    /// The right inverse of greatest size: `L(R(k)) = k` for all `k < |R|` (paper, equation 24).
    pub(crate) const fn xor_right_inverse(&self) -> Result<Layout, Error> {
        let Some(columns) = tri!(Columns::new(self)) else {
            let Ok(integer) = self.xor_to_integer() else { return self.searched_right_inverse(None) };
            // For an injective layout it extends to the first missing offset.
            return match integer.right_inverse() {
                Ok(inverse) if matches!(integer.is_injective(), Ok(true)) => Ok(inverse),
                Ok(inverse) => self.searched_right_inverse(Some(inverse)),
                Err(_) => self.searched_right_inverse(None),
            };
        };
        let inverse = tri!(columns.right_inverse(&columns.span));
        let mut missing = 0;
        while missing < 63 && columns.span.reduce(1 << missing).0 == 0 {
            missing += 1;
        }
        // The indices of an injective layout are forced, and so is the inverse.
        if columns.span.rank == columns.len || inverse.size() as u64 == 1 << missing {
            return Ok(inverse);
        }
        self.searched_right_inverse(Some(inverse))
    }

    /// A left inverse: `L(G(L(k))) = L(k)` for all `k < |L|` (paper, equation 26). It covers `[0, cosize)`, and maps
    /// each offset to its smallest preimage; other values continue the doubling, so that there are few modes.
    pub(crate) const fn xor_left_inverse(&self) -> Result<Layout, Error> {
        let Some(columns) = tri!(Columns::new(self)) else {
            return self.searched_left_inverse();
        };
        let most = tri!(self.xor_max_offset()) as u64;
        let len = bit_length(most) as usize;
        let mut inverse = [0u64; 64];
        let mut bit = 0;
        while bit < len {
            let vector = columns.span.vectors[bit];
            if vector != 0 {
                // G(2^bit) = G(vector) ^ G(the lower bits of it).
                inverse[bit] = columns.span.combinations[bit];
                let mut k = 0;
                while k < bit {
                    if vector >> k & 1 == 1 {
                        inverse[bit] ^= inverse[k];
                    }
                    k += 1;
                }
            } else if bit > 0 && inverse[bit - 1] >> 61 == 0 {
                inverse[bit] = inverse[bit - 1] << 1;
            }
            bit += 1;
        }
        if len == 0 {
            return Ok(Layout::UNIT);
        }
        let mut begin = chain(&inverse, len - 1);
        loop {
            // Two steps of the last column, which are always a mode, come at `begin == len - 1`.
            if let Some((len, odd)) = cut(&inverse, begin, (most >> begin) + 1) {
                return layout_of(&inverse, len, odd);
            }
            begin += 1;
        }
    }

    /// With integer strides if possible, otherwise with XOR strides.
    const fn searched_left_inverse(&self) -> Result<Layout, Error> {
        let mut budget = BUDGET / 2;
        let integer = match self.xor_to_integer() {
            Ok(integer) => integer.left_inverse(),
            Err(_) => build!(|out| self.left_inverse_into(Ring::Integers, &mut budget, out)),
        };
        budget += BUDGET / 2;
        match integer {
            Ok(inverse) => Ok(inverse),
            Err(none) => match build!(|out| self.left_inverse_into(Ring::Polynomials, &mut budget, out)) {
                Err(Error::NoInverse { .. }) => Err(none),
                answer => answer,
            },
        }
    }

    const fn left_inverse_into(
        &self,
        ring: Ring,
        budget: &mut usize,
        out: &mut HTuple<Leaf>,
    ) -> Result<(), Error> {
        let (mut modes, mut index, mut i) = (List::<Indexed, MAX_LEAVES>::new(UNUSED), 1, 0);
        while i < self.leaves().len() {
            let Leaf { extent, stride } = self.leaves()[i];
            if extent > 1 {
                tri!(modes.push(Indexed { stride: stride.numerator(), extent, index }, "modes"));
            }
            index *= extent;
            i += 1;
        }
        search_left_inverse(modes.as_slice(), Ring::Polynomials, ring, budget, out)
    }

    /// The inverse of a bijection on `[0, size)`.
    pub(crate) const fn xor_inverse(&self) -> Result<Layout, Error> {
        if !tri!(self.xor_is_injective()) || tri!(self.xor_max_offset()) != self.size() - 1 {
            return Err(self.no_bijection());
        }
        let inverse = tri!(self.xor_right_inverse());
        if inverse.size() != self.size() {
            return Err(Error::NoInverse {
                reason: "no XOR layout undoes an extent that is not a power of two",
            });
        }
        Ok(inverse)
    }
}

impl Columns {
    /// `None` if an extent before the last one is not a power of two.
    const fn new(layout: &Layout) -> Result<Option<Columns>, Error> {
        let pieces = tri!(Pieces::of(layout));
        let mut columns = Columns { columns: [0; 64], len: 0, low: 0, top: 1, span: Span::new() };
        let mut i = 0;
        while i < pieces.list.len() {
            let piece = pieces.as_slice()[i];
            if columns.top != 1 {
                return Ok(None);
            }
            let mut bits = piece.extent.trailing_zeros();
            if (piece.extent as u64).is_power_of_two() {
                columns.low += bits;
            } else {
                columns.top = piece.extent as u64;
                bits = bit_length(columns.top - 1);
            }
            let mut k = 0;
            while k < bits {
                let column = (piece.stride as u64) << k;
                columns.columns[columns.len] = column;
                // Columns that depend on lower ones are omitted, so that preimages are as small as possible.
                columns.span.insert(column, 1 << columns.len);
                columns.len += 1;
                k += 1;
            }
            i += 1;
        }
        Ok(Some(columns))
    }

    /// The right inverse from the preimages in `span`.
    const fn right_inverse(&self, span: &Span) -> Result<Layout, Error> {
        // One preimage for each of 1, 2, 4, ... The first power of two outside of the image ends every right inverse.
        let mut inverse = [0; 64];
        let mut len = 0;
        while len < 63 {
            let (rest, preimage) = span.reduce(1 << len);
            if rest != 0 {
                break;
            }
            inverse[len] = preimage;
            len += 1;
        }
        let size = self.first_beyond(&inverse, len);
        if size == 1 << len {
            return layout_of(&inverse, len, 0);
        }
        // The last extent ends it earlier, within the mode that ends at column `last`, at the greatest multiple of that
        // mode's step.
        let last = bit_length(size) as usize - 1;
        let mut begin = chain(&inverse, last);
        loop {
            // A power of two, which is always a mode, comes at `begin == last`.
            if let Some((len, odd)) = cut(&inverse, begin, size >> begin) {
                return layout_of(&inverse, len, odd);
            }
            begin += 1;
        }
    }

    /// The first `k` in `0..2^len` whose image under `inverse` is not a coordinate, because its last digit is at least
    /// `top`; `2^len` if there is none.
    const fn first_beyond(&self, inverse: &[u64; 64], len: usize) -> u64 {
        if self.top == 1 {
            return 1 << len;
        }
        let (mut k, mut digit, mut bit) = (0, 0, len + 1);
        while bit > 0 {
            bit -= 1;
            // Whether the bits below this one can bring the top digit to `top`.
            let (mut below, mut i) = (Span::new(), 0);
            while i < bit {
                below.insert(inverse[i] >> self.low, 0);
                i += 1;
            }
            let reached = below.max(digit) >= self.top;
            if bit == len {
                if !reached {
                    return 1 << len;
                }
            } else if !reached {
                k |= 1 << bit;
                digit ^= inverse[bit] >> self.low;
            }
        }
        k
    }
}

/// The first column of the doubling run that ends at column `last`.
const fn chain(columns: &[u64; 64], last: usize) -> usize {
    let mut begin = last;
    while begin > 0 && columns[begin] == columns[begin - 1] << 1 && columns[begin] != 0 {
        begin -= 1;
    }
    begin
}

/// `count` steps of column `begin`, from which the columns double, as a number of columns and an odd extent for the
/// next one; `None` if the mode's integer and carry-less multiples would differ.
const fn cut(columns: &[u64; 64], begin: usize, count: u64) -> Option<(usize, u64)> {
    let twos = count.trailing_zeros() as usize;
    let odd = count >> twos;
    if odd > 1 && !carryless_scale_agrees(odd as i64, columns[begin + twos] as i64) {
        return None;
    }
    Some((begin + twos, odd))
}

/// The layout of the first `len` columns and, if `odd` is at least 3, `odd` steps of the next.
const fn layout_of(columns: &[u64; 64], len: usize, odd: u64) -> Result<Layout, Error> {
    let mut pieces = Pieces::new();
    let mut i = 0;
    while i < len {
        tri!(pieces.push(2, columns[i] as i64, 0));
        i += 1;
    }
    if odd > 1 {
        tri!(pieces.push(odd as i64, columns[len] as i64, 0));
    }
    pieces.flat_layout(Rule::Xor)
}

#[cfg(test)]
mod tests {
    use crate::algebra::xor::random::{Layouts, random};
    use crate::layout;
    use crate::{Error, Layout};
    use std::vec::Vec;

    /// The contract, and the length of the offsets without a gap.
    fn check(layout: &Layout) -> (Result<Layout, Error>, Result<Layout, Error>, i64) {
        let offsets: Vec<i64> = (0..layout.size()).map(|c| layout.at(c)).collect();
        let gapless = (0..).find(|k| !offsets.contains(k)).unwrap();
        let right = layout.xor_right_inverse();
        if let Ok(right) = right {
            assert!(right.size() <= gapless, "{layout} {right}");
            for k in 0..right.size() {
                let c = right.at(k);
                assert!((0..layout.size()).contains(&c), "{layout} {right}");
                assert_eq!(layout.at(c), k, "{layout} {right}");
            }
        }
        let left = layout.xor_left_inverse();
        if let Ok(left) = left {
            assert!(left.size() > *offsets.iter().max().unwrap(), "{layout} {left}");
            for &offset in &offsets {
                assert!((0..layout.size()).contains(&left.at(offset)), "{layout} {left}");
                assert_eq!(layout.at(left.at(offset)), offset, "{layout} {left}");
            }
        }
        (right, left, gapless)
    }

    #[test]
    fn the_rows_of_tables_5_and_6() {
        const RIGHT: Result<Layout, Error> = layout!((4, (4, 3)):(^1, (^5, ^16))).right_inverse();
        let inverse = Ok(layout!((4,4,3):(^1,^5,^16)));
        assert_eq!(RIGHT, inverse);
        assert_eq!(check(&layout!((4,(4,3)):(^1,(^5,^16)))), (inverse, inverse, 48));
        assert_eq!(layout!((4,(4,3)):(^1,(^5,^16))).xor_inverse(), inverse);
    }

    #[test]
    fn worked_examples() {
        let swapped = layout!((8,4):(^4,^1));
        assert_eq!(check(&swapped).0, Ok(layout!((4,8):(^8,^1))));
        // No offset 1: the trivial right inverse.
        assert_eq!(check(&layout!((2,2):(^2,^4))).0, Ok(Layout::UNIT));
        // 4 is not an offset; the left inverse continues over it.
        assert_eq!(check(&layout!((4,8):(^1,^8))).1, Ok(layout!((8,8):(^1,^4))));
        // A mode that repeats offsets.
        assert_eq!(check(&layout!((2,4,2):(^1,^1,^8))).0, Ok(layout!((2,2):(^1,^4))));
        // An odd extent in the middle: integers.
        assert_eq!(check(&layout!((3,4):(^16,^1))).0, Ok(layout!(4:3)));
        assert_eq!(check(&layout!((3,2):(^1,^1))).0, Ok(layout!((2,2):(3,2))));
        assert_eq!(layout!((4,8):(^1,^8)).xor_inverse().unwrap_err().code(), "no-inverse");
        // Of the two preimages of 2, the one in the last mode allows a larger inverse.
        assert_eq!(check(&layout!(((2,2),5):((^2,0),^1))).0, Ok(layout!(5:4)));
        assert_eq!(layout!(48:^1).xor_right_inverse(), Ok(layout!(48:^1)));
    }

    #[test]
    fn right_inverses_are_the_largest_and_left_ones_hold() {
        let mut random = random(7);
        let (mut smaller, mut total) = (0, 0);
        for round in 0..4_000 {
            let layout = if round % 2 == 0 {
                random.layout(4, &[1, 2, 4, 8], 20, true)
            } else {
                random.layout(3, &[2, 2, 3, 4, 5, 6, 12], 16, true)
            };
            let (right, left, gapless) = check(&layout);
            total += 1;
            match right {
                Ok(right) if layout.to_bit_matrix().is_ok() => {
                    assert_eq!(right.size(), gapless, "{layout} {right}");
                    assert!(left.is_ok());
                    assert_eq!(layout.xor_inverse().is_ok(), gapless == layout.size());
                }
                Ok(right) => smaller += usize::from(right.size() < gapless),
                Err(error) => panic!("{layout}: {error}"),
            }
        }
        std::println!("{total}: {smaller} smaller than the run of offsets");
    }
}
