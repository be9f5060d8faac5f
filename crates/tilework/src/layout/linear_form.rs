//! The linear form of a layout: its strides as the columns of a matrix (paper, section 2.4.4).

use super::{Layout, Offset};
use crate::codomain::Codomain;
use crate::error::{Error, tri};
use crate::stride::{Rational, each_term};
use core::fmt;

/// The matrix `D` with `L(c) = D c` for the natural coordinate `c` (paper, equation 7 and table 1).
///
/// One column per leaf, one row per component of the offset: one row for integer and rational strides, one for each
/// leaf of the codomain's profile for coordinate strides.
///
/// ```
/// use tilework::layout;
/// let form = layout!((4,(4,2)):(1@1,(1@0,6@1))).linear_form()?;
/// assert_eq!((form.rows(), form.columns()), (2, 3));
/// assert_eq!(form.to_string(), "[0 1 0]\n[1 0 6]");
/// # Ok::<(), tilework::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LinearForm {
    layout: Layout,
    /// The profile of the offsets; the values are 0.
    codomain: Offset,
}

impl Layout {
    /// The matrix that maps a natural coordinate to the offset (paper, section 2.4.4).
    ///
    /// | layout | linear form |
    /// |---|---|
    /// | `((2,2),(4,2)):((1,8),(2,16))` | `[1 8 2 16]` |
    /// | `(4,(4,2)):(1@1,(1@0,6@1))` | `[0 1 0]` over `[1 0 6]` |
    /// | `(4,4):(1@0,(1@0+1@1))` | `[1 1]` over `[0 1]` |
    /// | `(4,4):(^1,^5)` | a matrix over F2: [`to_bit_matrix`](Layout::to_bit_matrix) |
    ///
    /// ```
    /// use tilework::layout;
    /// assert_eq!(layout!(((2,2),(4,2)):((1,8),(2,16))).linear_form()?.to_string(), "[1 8 2 16]");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Codomain`] for XOR strides.
    pub const fn linear_form(&self) -> Result<LinearForm, Error> {
        if self.codomain().same(Codomain::Xor) {
            return Err(Error::Codomain {
                operation: "a linear form over the numbers",
                found: Codomain::Xor,
            });
        }
        Ok(LinearForm { layout: *self, codomain: tri!(self.codomain_profile()) })
    }
}

impl LinearForm {
    /// The number of components of an offset.
    ///
    /// ```
    /// use tilework::layout;
    /// assert_eq!(layout!((4,8):(1@1,1@0)).linear_form()?.rows(), 2);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub const fn rows(&self) -> usize {
        self.codomain.leaves().len()
    }

    /// The number of leaves of the layout.
    ///
    /// ```
    /// use tilework::layout;
    /// assert_eq!(layout!((4,(2,4)):(8,(1,2))).linear_form()?.columns(), 3);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub const fn columns(&self) -> usize {
        self.layout.leaves().len()
    }

    /// The entry, or `None` outside the matrix.
    ///
    /// ```
    /// use tilework::{Rational, layout};
    /// let form = layout!((4,8):(8,1)).linear_form()?;
    /// assert_eq!((form.get(0, 0), form.get(1, 0)), (Some(Rational::integer(8)), None));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub const fn get(&self, row: usize, column: usize) -> Option<Rational> {
        if row >= self.rows() || column >= self.columns() {
            return None;
        }
        let stride = self.layout.leaves()[column].stride;
        each_term!(stride, |term| {
            let (path, level) = term.unit().path();
            if matches!(self.codomain.find(path.split_at(level).0), Ok((_, leaf)) if leaf == row) {
                return Some(term.count());
            }
        });
        Some(Rational::ZERO)
    }
}

impl fmt::Display for LinearForm {
    /// One line per row, the columns aligned.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in 0..self.rows() {
            f.write_str(if row == 0 { "[" } else { "\n[" })?;
            for column in 0..self.columns() {
                let width = (0..self.rows()).map(|row| self.width(row, column)).max().unwrap_or(0);
                let space = if column == 0 { "" } else { " " };
                write!(
                    f,
                    "{space}{:width$}{}",
                    "",
                    self.entry(row, column),
                    width = width - self.width(row, column)
                )?;
            }
            f.write_str("]")?;
        }
        Ok(())
    }
}

impl LinearForm {
    fn entry(&self, row: usize, column: usize) -> Rational {
        self.get(row, column).unwrap_or(Rational::ZERO)
    }

    /// The characters that an entry takes.
    fn width(&self, row: usize, column: usize) -> usize {
        let entry = self.entry(row, column);
        let digits = |value: u64| value.checked_ilog10().map_or(1, |log| log as usize + 1);
        let sign = usize::from(entry.numerator() < 0);
        let below = if entry.is_integer() { 0 } else { 1 + digits(entry.denominator().unsigned_abs()) };
        sign + digits(entry.numerator().unsigned_abs()) + below
    }
}

#[cfg(test)]
mod tests {
    use crate::{HTuple, Rational, layout};

    #[test]
    fn the_rows_of_table_1() {
        let integer = layout!(((2,2),(4,2)):((1,8),(2,16))).linear_form().unwrap();
        assert_eq!(std::format!("{integer}"), "[1 8 2 16]");
        let coordinate = layout!((4,(4,2)):(1@1,(1@0,6@1))).linear_form().unwrap();
        assert_eq!(std::format!("{coordinate}"), "[0 1 0]\n[1 0 6]");
        assert_eq!(layout!((4,4):(^1,^5)).linear_form().unwrap_err().code(), "codomain");
    }

    #[test]
    fn columns_stand_in_line() {
        let form = layout!((2,2,3):(12@0,-1@1,1@0)).linear_form().unwrap();
        assert_eq!(std::format!("{form}"), "[12  0 1]\n[ 0 -1 0]");
        assert_eq!(std::format!("{}", layout!((2,2):(1/2,0)).linear_form().unwrap()), "[1/2 0]");
    }

    #[test]
    fn the_matrix_gives_the_offsets() {
        let layout = layout!(((2,3),(2,2)):((1@0@1,2@1@1),(0,3@0)));
        let form = layout.linear_form().unwrap();
        assert_eq!(form.rows(), 3);
        for c in 0..layout.size() {
            let offset = layout.evaluate(&HTuple::leaf(c)).unwrap();
            for row in 0..form.rows() {
                let (mut rest, mut sum) = (c, Rational::ZERO);
                for column in 0..form.columns() {
                    let extent = layout.leaves()[column].extent;
                    let product = form.get(row, column).unwrap().scale(rest % extent).unwrap();
                    sum = sum.add(product).unwrap();
                    rest /= extent;
                }
                assert_eq!(sum, offset.leaves()[row]);
            }
        }
        assert_eq!(form.get(3, 0), None);
    }
}
