//! Matrices over F2: XOR strides and swizzles.

use crate::arguments::any_layout;
use crate::classes;
use crate::members::attributes;
use crate::prelude::*;
use tilework::BitMatrix;
use tilework_expr::Value;

/// A matrix over the field of two elements, from the bits of an index to those of its offset. A column is a number; its
/// bit `i` is the entry in row `i`.
///
/// >>> from tilework import BitMatrix, Layout
/// >>> swizzled = BitMatrix.of("(4,4):(^1,^5)")
/// >>> swizzled.columns, swizzled.rank, swizzled @ 0b0110
/// ((1, 2, 5, 10), 4, 7)
/// >>> inverse = swizzled.inverse()
/// >>> print(inverse.to_layout(), inverse @ swizzled == BitMatrix(4, (1, 2, 4, 8)))
/// (4,4):(^1,^5) True
#[pyclass(frozen, eq, hash, name = "BitMatrix", module = "tilework")]
#[derive(PartialEq, Eq, Hash)]
pub struct PyBitMatrix(BitMatrix);

#[pymethods]
impl PyBitMatrix {
    /// The matrix with these columns, which have `rows` bits.
    #[new]
    fn new(rows: usize, columns: Vec<u64>) -> Result<PyBitMatrix> {
        Ok(PyBitMatrix(BitMatrix::new(rows, &columns)?))
    }

    /// The matrix of a layout as a function of the bits of an index.
    #[staticmethod]
    fn of(layout: &Object<'_>) -> Result<PyBitMatrix> {
        Ok(PyBitMatrix(any_layout(layout)?.to_layout()?.to_bit_matrix()?))
    }

    /// The inverse of a square matrix of full rank.
    fn inverse(&self) -> Result<PyBitMatrix> {
        Ok(PyBitMatrix(self.0.inverse()?))
    }

    /// The layout with XOR strides that is this function.
    fn to_layout<'py>(&self, py: Python<'py>) -> Made<'py> {
        classes::object(py, Value::from(self.0.to_layout().map_err(Refusal::from)?))
    }

    /// The product with a matrix, or with a number as a column.
    fn __matmul__<'py>(&self, right: &Object<'py>) -> Made<'py> {
        let py = right.py();
        if let Ok(matrix) = right.cast::<PyBitMatrix>() {
            let product = self.0.multiply(&matrix.get().0).map_err(Refusal::from)?;
            return PyBitMatrix(product).into_bound_py_any(py);
        }
        match right.extract::<u64>() {
            Ok(vector) => self.0.apply(vector).into_bound_py_any(py),
            Err(_) => Err(Refusal::kind("a BitMatrix or a number of 0 or more", right).into()),
        }
    }

    fn __repr__(&self) -> String {
        let columns: Vec<String> = self.0.columns().iter().map(u64::to_string).collect();
        let comma = if columns.len() == 1 { "," } else { "" };
        format!("BitMatrix({}, ({}{comma}))", self.0.rows(), columns.join(", "))
    }
}

attributes! {
    PyBitMatrix:
    /// The number of rows.
    rows: usize = |matrix| matrix.0.rows();
    /// The columns as numbers.
    columns: PyResult<Bound<'py, PyTuple>> = |matrix, py| PyTuple::new(py, matrix.0.columns());
    /// The number of independent columns.
    rank: usize = |matrix| matrix.0.rank();
}
