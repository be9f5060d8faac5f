//! Offsets in bulk: all of a layout, or those of an array of indices, as an array of NumPy.

use crate::array::{self, NewArray, import};
use crate::classes::AnyLayout;
use crate::dtype::DType;
use crate::prelude::*;
use tilework::{Codomain, HTuple, Layout};
use tilework_expr::Value;

/// The most offsets in one result.
const MAX_OFFSETS: i64 = 1 << 32;

#[pymethods]
impl AnyLayout {
    /// All offsets in the order of their coordinates, the first mode fastest, as an array of NumPy; for coordinate
    /// strides, one row of components for each.
    ///
    /// >>> from tilework import Layout, identity
    /// >>> Layout((2, 3), (10, 1)).offsets()
    /// array([ 0, 10,  1, 11,  2, 12])
    /// >>> identity((2, 2)).offsets().tolist()
    /// [[0, 0], [1, 0], [0, 1], [1, 1]]
    fn offsets<'py>(&self, py: Python<'py>) -> Result<Object<'py>> {
        let size = self.value.domain().map_or(0, Layout::size);
        if size > MAX_OFFSETS {
            return refuse("limit", format!("at most {MAX_OFFSETS} offsets are made at once, not {size}"));
        }
        let components = Components::of(self.value.untyped())?;
        let (array, width) = components.array(py, &[size])?;
        let mut out = Output::of(&array)?;
        py.detach(|| components.fill(out.slice(), width))?;
        Ok(array)
    }
}

/// The offsets of an array of indices.
pub fn at<'py>(layout: &AnyLayout, indices: &Object<'py>) -> Result<Object<'py>> {
    let py = indices.py();
    let numpy = array::numpy(py)?;
    let indices = numpy.call_method1("asarray", (indices,))?;
    let kind: String = indices.getattr("dtype")?.getattr("kind")?.extract()?;
    if kind != "i" && kind != "u" {
        return refuse(
            "kind",
            format!("indices are integers, and these are of type {}", indices.getattr("dtype")?),
        );
    }
    let plain = numpy.call_method1("ascontiguousarray", (&indices, "int64"))?;
    if kind == "u" && plain.call_method1("__lt__", (0,))?.call_method0("any")?.is_truthy()? {
        return refuse("overflow", "an index does not fit in 64 bits with a sign");
    }
    let shape: Vec<i64> = indices.getattr("shape")?.extract()?;
    let components = Components::of(layout.value.untyped())?;
    let (array, width) = components.array(py, &shape)?;
    if array.getattr("size")?.extract::<usize>()? == 0 {
        return Ok(array);
    }
    let (mut from, mut out) = (Output::of(&plain)?, Output::of(&array)?);
    py.detach(|| components.evaluate(from.slice(), out.slice(), width))?;
    Ok(array)
}

/// Whether an object is an array with at least one direction.
pub fn is_array(object: &Object<'_>) -> PyResult<bool> {
    match object.getattr_opt("ndim")? {
        Some(rank) => Ok(rank.extract::<usize>().is_ok_and(|rank| rank > 0)),
        None => Ok(false),
    }
}

/// A function to integers, as the terms of each component of its offsets.
struct Components<'a> {
    value: &'a Value,
    layout: &'a Layout,
    /// For each component of a coordinate, the strides of the leaves; none if offsets are integers.
    rows: Vec<Vec<i64>>,
}

impl<'a> Components<'a> {
    fn of(value: &'a Value) -> Result<Components<'a>> {
        let Some(layout) = value.domain() else {
            return refuse("kind", format!("{} has no offsets", value.kind()));
        };
        let mut rows = Vec::new();
        match layout.codomain() {
            Codomain::Integer | Codomain::Xor => {}
            Codomain::Coordinate => {
                let form = layout.linear_form()?;
                let wrong = tilework::Error::NotIntegral {
                    operation: "an array of offsets",
                    numerator: 1,
                    denominator: 2,
                };
                for row in 0..form.rows() {
                    let entry = |column| form.get(row, column).filter(|entry| entry.is_integer());
                    let strides =
                        (0..form.columns()).map(|column| entry(column).map(|entry| entry.numerator()));
                    rows.push(strides.collect::<Option<Vec<_>>>().ok_or(wrong)?);
                }
            }
            found => return Err(tilework::Error::Codomain { operation: "an array of offsets", found }.into()),
        }
        Ok(Components { value, layout, rows })
    }

    /// An array for `count` offsets, and how many integers each of them is.
    fn array<'py>(&self, py: Python<'py>, shape: &[i64]) -> Result<(Object<'py>, usize)> {
        let mut shape = shape.to_vec();
        if !self.rows.is_empty() {
            shape.push(self.rows.len() as i64);
        }
        Ok((NewArray::row_major(shape, DType::I64).make(py)?, self.rows.len().max(1)))
    }

    /// The offset that is added to those of the layout first.
    fn start(&self) -> Result<Vec<i64>> {
        match self.value {
            Value::View(view) if view.offset().leaves().iter().all(|leaf| leaf.is_integer()) => {
                Ok(view.offset().leaves().iter().map(|leaf| leaf.numerator()).collect())
            }
            Value::View(_) => refuse("not-integral", "an array of offsets needs integers"),
            Value::Composed(composed) => Ok(vec![composed.offset()]),
            _ => Ok(Vec::new()),
        }
    }

    /// All offsets.
    fn fill(&self, out: &mut [i64], width: usize) -> Result<()> {
        let (layout, start) = (self.layout, self.start()?);
        if !self.rows.is_empty() {
            for (component, strides) in self.rows.iter().enumerate() {
                let leaves = layout.leaves().iter().zip(strides).map(|(leaf, &stride)| (leaf.extent, stride));
                let mut column = vec![0; out.len() / width];
                sums(leaves, start.get(component).copied().unwrap_or(0), &mut column)?;
                out.iter_mut()
                    .skip(component)
                    .step_by(width)
                    .zip(column)
                    .for_each(|(to, offset)| *to = offset);
            }
            return Ok(());
        }
        let start = start.first().copied().unwrap_or(0);
        if layout.codomain() == Codomain::Xor {
            xors(layout, start, out)?;
        } else {
            let leaves =
                layout.leaves().iter().map(|leaf| (leaf.extent, leaf.stride.as_integer().unwrap_or(0)));
            sums(leaves, start, out)?;
        }
        if let Value::Composed(composed) = self.value {
            for offset in out {
                *offset = composed.swizzle().apply(*offset)?;
            }
        }
        Ok(())
    }

    /// The offsets of indices.
    fn evaluate(&self, indices: &[i64], out: &mut [i64], width: usize) -> Result<()> {
        if let Value::Layout(layout) = self.value
            && layout.codomain() == Codomain::Integer
        {
            for (to, &index) in out.iter_mut().zip(indices) {
                *to = layout.try_at(index)?;
            }
            return Ok(());
        }
        for (to, &index) in out.chunks_mut(width).zip(indices) {
            let offset = match self.value.evaluate(&HTuple::leaf(index)) {
                Some(offset) => offset?,
                None => return refuse("kind", format!("{} has no offsets", self.value.kind())),
            };
            for (to, component) in to.iter_mut().zip(offset.leaves()) {
                *to = component.numerator();
            }
        }
        Ok(())
    }
}

/// `start` and the sums of multiples, the first leaf fastest: each further leaf repeats the values so far.
fn sums(leaves: impl Iterator<Item = (i64, i64)>, start: i64, out: &mut [i64]) -> Result<()> {
    out[0] = start;
    let (mut done, mut low, mut high) = (1, start, start);
    for (extent, stride) in leaves {
        // The layout's own offsets fit in 64 bits; with the start they may not.
        let reach = (extent - 1) * stride;
        let sum = |left: i64, right: i64| {
            left.checked_add(right).ok_or(tilework::Error::Overflow { left, operator: '+', right })
        };
        (low, high) = (sum(low, reach.min(0))?, sum(high, reach.max(0))?);
        let (first, rest) = out[..done * extent as usize].split_at_mut(done);
        for (step, part) in rest.chunks_exact_mut(done).enumerate() {
            let further = (step as i64 + 1) * stride;
            part.iter_mut().zip(&*first).for_each(|(to, from)| *to = from + further);
        }
        done *= extent as usize;
    }
    Ok(())
}

/// The same with XORs of carry-less multiples.
fn xors(layout: &Layout, start: i64, out: &mut [i64]) -> Result<()> {
    out[0] = start;
    let mut done = 1;
    for leaf in layout.leaves() {
        let (first, rest) = out[..done * leaf.extent as usize].split_at_mut(done);
        for (step, part) in rest.chunks_exact_mut(done).enumerate() {
            let further = leaf.stride.scale(step as i64 + 1)?.count().numerator();
            part.iter_mut().zip(&*first).for_each(|(to, from)| *to = from ^ further);
        }
        done *= leaf.extent as usize;
    }
    Ok(())
}

/// The memory of a new array of NumPy of 64-bit integers, line by line; nothing else refers to it yet.
struct Output {
    first: *mut i64,
    len: usize,
    _owner: Py<PyAny>,
}

// SAFETY: the array is this call's alone.
unsafe impl Send for Output {}

impl Output {
    fn of(array: &Object<'_>) -> Result<Output> {
        match import(array)? {
            Some(placed) if placed.array.dtype == DType::I64 && placed.array.is_aligned() => {
                let (first, len) = (placed.array.at(0).cast(), placed.array.len);
                Ok(Output { first, len, _owner: placed.array.owner })
            }
            _ => refuse("array", "NumPy gave another array than it was asked for"),
        }
    }

    fn slice(&mut self) -> &mut [i64] {
        // SAFETY: as many elements are there, and they are borrowed with this.
        unsafe { std::slice::from_raw_parts_mut(self.first, self.len) }
    }
}
