//! Matrices over F2, the linear form of layouts with power-of-two extents (paper, section 2.4.4 and table 1).
//!
//! Such a layout is F2-linear in the bits of its integral coordinate, and its columns determine it: column `k` is the
//! offset of coordinate `2^k`. An XOR layout always has this form. An integer layout has it if and only if no two of
//! its columns share a bit, because a sum is an XOR if and only if nothing carries.
//!
//! | layout | columns |
//! |---|---|
//! | `(4,4):(^1,^5)` | `1 2 5 10` |
//! | `(4,8):(8,1)` | `8 16 1 2 4` |
//! | `(4,8):(1,5)` | none: `2 + 5*2 = 12`, while `2 ^ 10 = 8` |

use super::bits::{SHARED, Span, bit_length};
use super::pieces::{Pieces, Rule};
use crate::codomain::Codomain;
use crate::error::{Error, tri};
use crate::layout::{Layout, Leaf};
use core::fmt;

/// The most rows and columns of a [`BitMatrix`]: the bits of a non-negative offset.
pub const MAX_BITS: usize = 63;

/// A matrix over F2 of up to [`MAX_BITS`] rows and columns (paper, section 2.4.4).
///
/// A column is an integer whose bit `i` is the entry of row `i`. Vectors are integers in the same way.
///
/// ```
/// use tilework::{BitMatrix, layout};
/// // The third row of table 1 of the paper.
/// let matrix = layout!((4,4):(^1,^5)).to_bit_matrix()?;
/// assert_eq!(matrix.columns(), [1, 2, 5, 10]);
/// assert_eq!(matrix.to_string(), "1 0 1 0\n0 1 0 1\n0 0 1 0\n0 0 0 1");
/// assert_eq!(matrix.apply(0b0111), 1 ^ 2 ^ 5);
/// assert_eq!(matrix.to_layout()?, layout!((4,4):(^1,^5)));
/// # Ok::<(), tilework::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct BitMatrix {
    /// 0 from `len` on, so that equality can compare all entries.
    columns: [u64; MAX_BITS],
    len: u8,
    rows: u8,
}

impl BitMatrix {
    /// The matrix with these columns.
    ///
    /// # Errors
    /// [`Error::Capacity`] beyond [`MAX_BITS`] rows or columns; [`Error::Argument`] for a column with a bit at or
    /// beyond `rows`.
    pub const fn new(rows: usize, columns: &[u64]) -> Result<BitMatrix, Error> {
        if rows > MAX_BITS || columns.len() > MAX_BITS {
            return Err(Error::Capacity { what: "rows or columns in a bit matrix", limit: MAX_BITS });
        }
        let mut matrix = BitMatrix { columns: [0; MAX_BITS], len: columns.len() as u8, rows: rows as u8 };
        let mut i = 0;
        while i < columns.len() {
            if columns[i] >> rows != 0 {
                let expected = "columns of no more bits than there are rows";
                return Err(Error::Argument {
                    operation: "a bit matrix",
                    expected,
                    found: columns[i] as i64,
                });
            }
            matrix.columns[i] = columns[i];
            i += 1;
        }
        Ok(matrix)
    }

    /// The identity matrix of a size.
    ///
    /// # Errors
    /// [`Error::Capacity`] beyond [`MAX_BITS`].
    pub const fn identity(size: usize) -> Result<BitMatrix, Error> {
        let mut matrix = tri!(BitMatrix::new(size, &[]));
        matrix.len = size as u8;
        let mut i = 0;
        while i < size {
            matrix.columns[i] = 1 << i;
            i += 1;
        }
        Ok(matrix)
    }

    /// The number of rows.
    #[must_use]
    pub const fn rows(&self) -> usize {
        self.rows as usize
    }

    /// The columns; bit `i` of a column is the entry of row `i`.
    #[must_use]
    pub const fn columns(&self) -> &[u64] {
        self.columns.split_at(self.len as usize).0
    }

    /// The entry, or `None` outside the matrix.
    #[must_use]
    pub const fn get(&self, row: usize, column: usize) -> Option<bool> {
        if row >= self.rows() || column >= self.len as usize {
            return None;
        }
        Some(self.columns[column] >> row & 1 == 1)
    }

    /// The product with a vector. Bits of `vector` beyond the columns are ignored.
    ///
    /// ```
    /// use tilework::BitMatrix;
    /// assert_eq!(BitMatrix::new(2, &[0b11, 0b10])?.apply(0b11), 0b01);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub const fn apply(&self, vector: u64) -> u64 {
        let (mut product, mut i) = (0, 0);
        while i < self.len as usize {
            if vector >> i & 1 == 1 {
                product ^= self.columns[i];
            }
            i += 1;
        }
        product
    }

    /// The matrix product `self * other`: the composition of the layouts. Rows that `other` lacks count as 0.
    ///
    /// ```
    /// use tilework::layout;
    /// let (a, b) = (layout!((8,8):(^1,^9)), layout!(((4,8),2):((16,1),8)));
    /// let product = a.to_bit_matrix()?.multiply(&b.to_bit_matrix()?)?;
    /// assert_eq!(product, a.composition(&b)?.to_bit_matrix()?);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Size`] if `other` has more rows than this has columns.
    pub const fn multiply(&self, other: &BitMatrix) -> Result<BitMatrix, Error> {
        if other.rows > self.len {
            let (expected, found) = (self.len as i64, other.rows as i64);
            return Err(Error::Size { operation: "a bit matrix product", expected, found });
        }
        let mut product = *other;
        product.rows = self.rows;
        let mut i = 0;
        while i < other.len as usize {
            product.columns[i] = self.apply(other.columns[i]);
            i += 1;
        }
        Ok(product)
    }

    /// The dimension of the span of the columns: the layout has `2^rank` offsets, and is injective if and only if the
    /// rank is the number of columns.
    ///
    /// ```
    /// use tilework::layout;
    /// assert_eq!(layout!((4,4):(^1,^2)).to_bit_matrix()?.rank(), 3);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub const fn rank(&self) -> usize {
        let mut span = Span::new();
        let mut i = 0;
        while i < self.len as usize {
            span.insert(self.columns[i], 0);
            i += 1;
        }
        span.rank
    }

    /// The inverse on both sides.
    ///
    /// ```
    /// use tilework::BitMatrix;
    /// let matrix = BitMatrix::new(4, &[1, 2, 5, 10])?;
    /// assert_eq!(matrix.multiply(&matrix.inverse()?)?, BitMatrix::identity(4)?);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NoInverse`] for a matrix that is not square or singular.
    pub const fn inverse(&self) -> Result<BitMatrix, Error> {
        if self.rows != self.len {
            return Err(Error::NoInverse { reason: "the bit matrix is not square" });
        }
        let size = self.len as usize;
        let mut span = Span::new();
        let mut i = 0;
        while i < size {
            if !span.insert(self.columns[i], 1 << i) {
                return Err(Error::NoInverse { reason: "the bit matrix is singular" });
            }
            i += 1;
        }
        let mut inverse = *self;
        i = 0;
        while i < size {
            let (_, combination) = span.reduce(1 << i);
            inverse.columns[i] = combination;
            i += 1;
        }
        Ok(inverse)
    }

    /// The XOR layout with these columns, flat and of minimal rank.
    ///
    /// Consecutive columns that double become one mode.
    ///
    /// ```
    /// use tilework::{BitMatrix, layout};
    /// assert_eq!(BitMatrix::new(4, &[1, 2, 5, 10])?.to_layout()?, layout!((4,4):(^1,^5)));
    /// assert_eq!(BitMatrix::new(3, &[3, 6])?.to_layout()?, layout!(4:^3));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Capacity`] if it needs more modes than a layout can have, [`Error::Overflow`] for 63 columns, whose
    /// layout would have size 2^63.
    pub const fn to_layout(&self) -> Result<Layout, Error> {
        self.with_rule(Rule::Xor)
    }

    /// The layout with integer strides and these columns, flat and of minimal rank.
    ///
    /// ```
    /// use tilework::{BitMatrix, layout};
    /// assert_eq!(BitMatrix::new(5, &[8, 16, 1, 2, 4])?.to_integer_layout()?, layout!((4,8):(8,1)));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NotXorLinear`] if two columns share a bit, and those of [`to_layout`](Self::to_layout).
    pub const fn to_integer_layout(&self) -> Result<Layout, Error> {
        let (mut seen, mut i) = (0, 0);
        while i < self.len as usize {
            if seen & self.columns[i] != 0 {
                return Err(Error::NotXorLinear { reason: SHARED });
            }
            seen |= self.columns[i];
            i += 1;
        }
        self.with_rule(Rule::Integer)
    }

    const fn with_rule(&self, rule: Rule) -> Result<Layout, Error> {
        let mut pieces = Pieces::new();
        let mut i = 0;
        while i < self.len as usize {
            tri!(pieces.push(2, self.columns[i] as i64, 0));
            i += 1;
        }
        pieces.flat_layout(rule)
    }
}

impl fmt::Display for BitMatrix {
    /// The rows from the top, row 0 first.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in 0..self.rows() {
            for (i, column) in self.columns().iter().enumerate() {
                let before = match (i, row) {
                    (0, 0) => "",
                    (0, _) => "\n",
                    _ => " ",
                };
                write!(f, "{before}{}", column >> row & 1)?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for BitMatrix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BitMatrix {{ rows: {}, columns: {:?} }}", self.rows, self.columns())
    }
}

impl Layout {
    /// The F2 matrix of a layout with power-of-two extents: column `k` is the offset of coordinate `2^k` (paper,
    /// table 1). It has as many rows as the offsets have bits.
    ///
    /// ```
    /// use tilework::layout;
    /// let matrix = layout!(((2,2),(4,2)):((1,8),(2,16))).to_bit_matrix()?;
    /// assert_eq!(matrix.columns(), [1, 8, 2, 4, 16]);
    /// assert_eq!(matrix.apply(22), 26);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NotXorLinear`] for an extent that is not a power of two (`3:1`), a negative stride (`2:-1`), and integer
    /// columns that share a bit (`(2,2):(1,1)`); [`Error::Codomain`] for rational and coordinate strides.
    pub const fn to_bit_matrix(&self) -> Result<BitMatrix, Error> {
        let integer = match self.codomain() {
            Codomain::Integer => true,
            Codomain::Xor => false,
            found => return Err(Error::Codomain { operation: "a bit matrix", found }),
        };
        let mut matrix = BitMatrix { columns: [0; MAX_BITS], len: 0, rows: 0 };
        let (mut seen, mut i) = (0, 0);
        while i < self.leaves().len() {
            let Leaf { extent, stride } = self.leaves()[i];
            if !(extent as u64).is_power_of_two() {
                return Err(Error::NotXorLinear { reason: "an extent is not a power of two" });
            }
            if extent > 1 && stride.numerator() < 0 {
                return Err(Error::NotXorLinear { reason: "a stride is negative" });
            }
            let mut k = 0;
            while k < extent.trailing_zeros() {
                // An offset of the layout, so within 63 bits.
                let column = (stride.numerator() as u64) << k;
                if integer && seen & column != 0 {
                    return Err(Error::NotXorLinear { reason: SHARED });
                }
                seen |= column;
                matrix.columns[matrix.len as usize] = column;
                matrix.len += 1;
                k += 1;
            }
            i += 1;
        }
        matrix.rows = bit_length(seen) as u8;
        Ok(matrix)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algebra::xor::random::{Layouts, random};
    use crate::layout;
    use std::vec::Vec;

    #[test]
    fn matrices_are_their_layouts() {
        let mut random = random(1);
        let (mut linear, mut other) = (0, 0);
        for _ in 0..4000 {
            let layout = if random.below(2) == 0 {
                random.layout(3, &[1, 2, 4, 8], 20, false)
            } else {
                random.layout(3, &[1, 2, 4, 8], 20, true)
            };
            let offsets: Vec<i64> = (0..layout.size()).map(|c| layout.at(c)).collect();
            let is_linear =
                (0..offsets.len()).all(|a| (0..a).all(|b| offsets[a ^ b] == offsets[a] ^ offsets[b]));
            let Ok(matrix) = layout.to_bit_matrix() else {
                other += 1;
                assert!(!is_linear, "{layout}");
                continue;
            };
            linear += 1;
            assert!(is_linear, "{layout}");
            for (c, &offset) in offsets.iter().enumerate() {
                assert_eq!(matrix.apply(c as u64), offset as u64);
            }
            let distinct: std::collections::BTreeSet<_> = offsets.iter().collect();
            assert_eq!(distinct.len(), 1 << matrix.rank());
            assert_eq!(BitMatrix::new(matrix.rows(), matrix.columns()), Ok(matrix));
            let xor = matrix.to_layout().unwrap();
            assert!(
                (0..layout.size()).all(|c| xor.at(c) == offsets[c as usize]) && xor.size() == layout.size()
            );
            let seen = |own: u64| matrix.columns().iter().filter(|&&column| column & own != 0).count();
            let apart = (0..63).all(|bit| seen(1 << bit) < 2);
            assert_eq!(matrix.to_integer_layout().is_ok(), apart, "{layout}");
            if let Ok(integer) = matrix.to_integer_layout() {
                assert!((0..layout.size()).all(|c| integer.at(c) == offsets[c as usize]));
                assert!(integer.codomain() == Codomain::Integer && integer.size() == layout.size());
            }
            if let Ok(inverse) = matrix.inverse() {
                let size = matrix.rows();
                assert_eq!(inverse.multiply(&matrix), BitMatrix::identity(size));
                assert_eq!(matrix.multiply(&inverse), BitMatrix::identity(size));
            } else {
                assert!(matrix.rows() != matrix.columns().len() || matrix.rank() < matrix.rows());
            }
        }
        assert!(linear > 500 && other > 500);
    }

    #[test]
    fn a_product_has_the_rows_of_the_left_matrix_and_the_columns_of_the_right_one() {
        let mut random = random(2);
        let mut matrix = || random.layout(3, &[1, 2, 4, 8], 20, true).to_bit_matrix();
        let (mut products, mut refused) = (0, 0);
        for _ in 0..2000 {
            let (Ok(a), Ok(b)) = (matrix(), matrix()) else { continue };
            let Ok(product) = a.multiply(&b) else {
                assert!(b.rows() > a.columns().len());
                refused += 1;
                continue;
            };
            assert!(b.rows() <= a.columns().len());
            assert_eq!((product.rows(), product.columns().len()), (a.rows(), b.columns().len()));
            assert!((0..1 << b.columns().len()).all(|x| product.apply(x) == a.apply(b.apply(x))));
            products += 1;
        }
        assert!(products > 100 && refused > 100);
    }

    #[test]
    fn refusals_name_the_reason() {
        let reason = |layout: Layout| match layout.to_bit_matrix() {
            Err(Error::NotXorLinear { reason }) => reason,
            other => panic!("{other:?}"),
        };
        assert_eq!(reason(layout!(3:1)), "an extent is not a power of two");
        assert_eq!(reason(layout!(2:-1)), "a stride is negative");
        assert_eq!(reason(layout!((4,8):(1,5))), SHARED);
        assert!(BitMatrix::new(2, &[4]).is_err() && BitMatrix::new(64, &[]).is_err());
    }

    #[test]
    fn the_largest_matrices() {
        let identity = BitMatrix::identity(MAX_BITS).unwrap();
        assert_eq!(identity.inverse(), Ok(identity));
        assert!(matches!(identity.to_layout(), Err(Error::Overflow { .. })));
        assert_eq!(layout!(4611686018427387904:1).to_bit_matrix().unwrap(), BitMatrix::identity(62).unwrap());
    }
}
