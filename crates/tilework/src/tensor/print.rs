//! Tensors as text, cut if they would be too long.

use super::{Accessor, HasLayout, Tensor};
use crate::shape::{Coord, Shape};
use crate::tuple::HTuple;
use core::fmt::{self, Write};

/// The most rows and columns of a matrix that are printed.
const MAX_LINES: i64 = 64;

/// The most matrices of a tensor that are printed.
const MAX_MATRICES: i64 = 16;

impl<A: Accessor, L: HasLayout> fmt::Debug for Tensor<A, L> {
    /// `{offset} o layout`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{}}} o {}", self.offset, self.layout.to_value())
    }
}

impl<A: Accessor, L: HasLayout> fmt::Display for Tensor<A, L>
where
    A::Element: fmt::Display,
{
    /// The layout, and below it the elements: a vector as one row, a matrix as rows and columns, and a tensor of higher
    /// rank as the matrices of its first two modes. The precision is that of the elements. At most 64 rows, 64 columns
    /// and 16 matrices are printed; a last line says if elements were omitted.
    ///
    /// ```
    /// use tilework::{Counting, Tensor, layout};
    /// let matrix = Tensor::new(Counting, layout!((2,(2,3)):(10,(1,4))))?;
    /// assert_eq!(matrix.to_string(), "\
    /// {0} o (2,(2,3)):(10,(1,4))
    ///  0  1  4  5  8  9
    /// 10 11 14 15 18 19");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")?;
        let window = Window::of(&self.shape()).map_err(|_| fmt::Error)?;
        let [rows, columns, matrices] = window.printed;
        let mut width = 0;
        for matrix in 0..matrices {
            for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
                let mut own = Width(0);
                self.show(f.precision(), &window.coord(row, column, matrix), &mut own)?;
                width = width.max(own.0);
            }
        }
        for matrix in 0..matrices {
            if window.all[2] > 1 {
                f.write_str("\n(_,_")?;
                for index in &window.coord(0, 0, matrix).leaves()[2..] {
                    write!(f, ",{index}")?;
                }
                f.write_str(")")?;
            }
            for row in 0..rows {
                for column in 0..columns {
                    let coord = window.coord(row, column, matrix);
                    let mut own = Width(0);
                    self.show(f.precision(), &coord, &mut own)?;
                    f.write_str(if column == 0 { "\n" } else { " " })?;
                    write!(f, "{:1$}", "", width - own.0)?;
                    self.show(f.precision(), &coord, f)?;
                }
            }
        }
        for ((printed, all), name) in
            window.printed.iter().zip(window.all).zip(["rows", "columns", "matrices"])
        {
            if *printed < all {
                write!(f, "\n... {printed} of {all} {name}")?;
            }
        }
        Ok(())
    }
}

impl<A: Accessor, L: HasLayout> Tensor<A, L>
where
    A::Element: fmt::Display,
{
    fn show(&self, precision: Option<usize>, coord: &Coord, to: &mut dyn Write) -> fmt::Result {
        let element = self.get(coord).ok_or(fmt::Error)?;
        match precision {
            Some(precision) => write!(to, "{element:.precision$}"),
            None => write!(to, "{element}"),
        }
    }
}

/// The printed part of a shape.
struct Window {
    sizes: Shape,
    /// Rows, columns and matrices.
    all: [i64; 3],
    printed: [i64; 3],
}

impl Window {
    fn of(shape: &Shape) -> Result<Window, crate::Error> {
        let sizes = if shape.rank() < 2 { HTuple::leaf(shape.size()?) } else { shape.mode_sizes()? };
        let all = match sizes.leaves() {
            [rows, columns, rest @ ..] => [*rows, *columns, rest.iter().product()],
            columns => [1, columns.iter().product(), 1],
        };
        let [rows, columns, matrices] = all;
        Ok(Window {
            sizes,
            all,
            printed: [rows.min(MAX_LINES), columns.min(MAX_LINES), matrices.min(MAX_MATRICES)],
        })
    }

    /// The coordinate in these sizes.
    fn coord(&self, row: i64, column: i64, matrix: i64) -> Coord {
        let [rows, columns, _] = self.all;
        // A coordinate of the shape, because the index is below the size.
        self.sizes.idx2crd(&HTuple::leaf(row + rows * (column + columns * matrix))).unwrap_or(Coord::leaf(0))
    }
}

/// Counts characters.
struct Width(usize);

impl Write for Width {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 += text.chars().count();
        Ok(())
    }
}
