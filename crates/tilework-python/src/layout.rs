//! `Layout`, `ComposedLayout` and `View`: functions from coordinates to offsets.
//!
//! They have one representation, a value of the expression language, and one set of methods, next to the functions of
//! the same names in `algebra.rs`. The classes differ in their constructors and attributes.

use crate::arguments;
use crate::classes::{AnyLayout, ComposedLayout, Layout, Swizzle, View, hash, new, object};
use crate::members::{self, attributes};
use crate::operation::{self, row};
use crate::prelude::*;
use crate::symbolic;
use crate::tuple;
use tilework::__private::Atom;
use tilework::{Codomain, Composed, Error, HTuple, PatternLeaf};
use tilework_expr::{Export, Value};
use tilework_symbolic::{Source, index_expression, index_function};

#[pymethods]
impl AnyLayout {
    #[pyo3(signature = (*coordinate))]
    fn __call__<'py>(&self, coordinate: &Bound<'py, PyTuple>) -> Made<'py> {
        let py = coordinate.py();
        // The most frequent case, by the shortest path.
        if let Some(layout) = self.plain() {
            if layout.codomain() == Codomain::Integer
                && let Some(coord) = tuple::coordinate(coordinate)?
            {
                let offset = match coord.is_leaf() {
                    true => layout.try_at(coord.leaves()[0]),
                    false => layout.evaluate(&coord).map(|offset| offset.leaves()[0].numerator()),
                };
                return offset.map_err(Refusal::from)?.into_bound_py_any(py);
            }
            if coordinate.len() > 1
                && let Some(pattern) = tuple::pattern_of(coordinate)?
                && pattern.leaves().contains(&PatternLeaf::All)
            {
                return object(py, Value::from(layout.slice(&pattern).map_err(Refusal::from)?));
            }
        }
        let whole = match coordinate.len() {
            1 => {
                let index = coordinate.get_borrowed_item(0)?;
                if crate::evaluate::is_array(&index)? {
                    return Ok(crate::evaluate::at(self, &index)?);
                }
                tuple::value(&index)?
            }
            _ => tuple::value(coordinate)?,
        };
        let row = if whole.is_open() { row!("slice") } else { row!("evaluate") };
        operation::call(py, row, &[self.value.clone(), whole], &[])
    }

    /// The offset of a coordinate as source text of `"c"`, `"cuda"`, `"rust"`, `"python"` or `"wgsl"`: an expression, or a
    /// function of this name. One name of a coordinate is a linear index, by default `x`; otherwise there is one for each
    /// mode, or for each leaf. Integers have 32 or 64 `bits`; by default 32 where all values fit.
    ///
    /// >>> from tilework import Layout, parse
    /// >>> Layout("(4,8):(8,1)").emit("cuda", ("i", "j"))
    /// 'i*8 + j'
    /// >>> parse("atom(SM80_16x8x16_F32F16F16F32_TN).c").emit("wgsl", ("lane", "value"))
    /// '(lane & 3u)*32u + (lane >> 2u) + (value & 1u)*16u + (value >> 1u)*8u'
    /// >>> print(parse("Sw<2,0,3> o 0 o (8,8):(8,1)").emit("rust", ("i", "j"), name="offset", bits=32))
    /// // Sw<2,0,3> o 0 o (8,8):(8,1)
    /// pub fn offset(i: u32, j: u32) -> u32 {
    ///     let t0 = i*8 + j;
    ///     t0 ^ ((t0 >> 3) & 3)
    /// }
    /// <BLANKLINE>
    #[pyo3(signature = (language, coordinate=None, *, name=None, bits=None))]
    fn emit(
        &self,
        language: &str,
        coordinate: Option<Vec<String>>,
        name: Option<&str>,
        bits: Option<u32>,
    ) -> Result<String> {
        let layout = self
            .value
            .as_data()
            .ok_or_else(|| Refusal::new("kind", "it is no layout of data in memory"))??;
        let coordinate = coordinate.unwrap_or_else(|| vec![String::from("x")]);
        let coordinate: Vec<&str> = coordinate.iter().map(String::as_str).collect();
        let mut source = Source::new(symbolic::language(language)?, &coordinate);
        source.bits = bits;
        let emitted = match name {
            None => index_expression(&layout, &source)?,
            Some(name) => index_function(&layout, name, &source)?,
        };
        Ok(emitted.text)
    }

    fn __len__(&self) -> usize {
        self.value.domain().map_or(0, tilework::Layout::rank)
    }

    fn __getitem__<'py>(&self, path: &Object<'py>) -> Made<'py> {
        let py = path.py();
        if let Some(layout) = self.plain()
            && path.is_exact_instance_of::<PyInt>()
            && let Some(index) = tuple::integer(path)?
            && let Ok(index) = usize::try_from(index)
            && let Ok(mode) = layout.mode(index)
        {
            return new(py, mode);
        }
        let mut path = tuple::tuple(path)?;
        if let (true, [Atom::Integer(index)]) = (path.is_leaf(), path.leaves())
            && *index < 0
        {
            let (rank, back) = (self.__len__(), index.unsigned_abs() as usize);
            let index = rank.checked_sub(back).ok_or(Refusal::from(Error::Index { index: back, rank }))?;
            path = HTuple::leaf(Atom::Integer(index as i64));
        }
        // Iteration ends with an IndexError, which this error is.
        let path = Value::from(path);
        let mode = row!("get").call(&[self.value.clone(), path.clone()], &[]).map_err(|failure| {
            let text = path.to_string();
            let coordinate = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')).unwrap_or(&text);
            Refusal::from(failure).help(format!("brackets name a mode; to evaluate, L({coordinate})"))
        })?;
        tuple::object(py, mode)
    }

    /// Iterates over the modes.
    fn __iter__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, pyo3::types::PyIterator>> {
        let modes: PyResult<Vec<_>> = (0..slf.get().__len__()).map(|mode| slf.get_item(mode)).collect();
        PyTuple::new(slf.py(), modes?)?.try_iter()
    }

    fn __matmul__<'py>(&self, right: &Object<'py>) -> Made<'py> {
        self.composition(right.py(), right)
    }

    fn __truediv__<'py>(&self, tiler: &Object<'py>) -> Made<'py> {
        self.logical_divide(tiler.py(), tiler)
    }

    fn __mul__<'py>(&self, tiler: &Object<'py>) -> Made<'py> {
        self.logical_product(tiler.py(), tiler)
    }

    /// The layout with a function applied to one of its modes, by its index or path, in place.
    ///
    /// >>> from tilework import Layout
    /// >>> tile = Layout("(8,(4,6)):(24,(1,4))")
    /// >>> print(tile.on_mode(0, lambda mode: mode / 2), tile.on_mode((1, 1), lambda mode: mode @ 3))
    /// ((2,4),(4,6)):((24,48),(1,4)) (8,(4,3)):(24,(1,4))
    fn on_mode<'py>(slf: &Bound<'py, Self>, mode: &Object<'py>, function: &Object<'py>) -> Made<'py> {
        let path = tuple::tuple(mode)?.integers(0).map_err(Refusal::from)?;
        on_part(slf.as_any(), path.leaves(), function)
    }

    /// The layout in the syntax of another program: `"cpp"` and `"cpp-type"` for CuTe C++, `"dsl"` and `"mlir"` for the
    /// CuTe DSL, `"triton"`, `"gluon"`, `"mdspan"`, `"tirx"`, `"tilelang"`, and `"numpy"`, whose strides are in bytes.
    ///
    /// For Triton and Gluon the modes are threads, values and blocks, with `lanes` threads per warp; they count the
    /// elements of a tensor of `shape` in column-major order, unless the layout has coordinate strides. `bits` is the
    /// width of an element for NumPy, unless the layout is a tensor's.
    ///
    /// >>> from tilework import Layout
    /// >>> Layout((4, 8), (8, 1)).to("cpp-type")
    /// 'Layout<Shape<_4,_8>,Stride<_8,_1>>'
    /// >>> Layout("(8,8):(^1,^9)").to("dsl")
    /// 'cute.make_composed_layout(cute.make_swizzle(3, 0, 3), 0, cute.make_layout((8, 8), stride=(1, 8)))'
    /// >>> text = Layout("(4,2):(2,1)").to("triton", shape=(2, 4))
    /// >>> text
    /// '#ttg.linear<{register = [[1, 0]], lane = [[0, 1], [0, 2]], warp = [], block = []}>'
    /// >>> Layout(text)
    /// Layout('(4,2):(2,1)')
    /// >>> Layout((4, 8), (8, 1)).to("numpy", bits=16)
    /// 'shape=(4, 8), strides=(16, 2)'
    #[pyo3(signature = (form, *, lanes = 32, shape = None, bits = None))]
    fn to(&self, form: &str, lanes: i64, shape: Option<&Object<'_>>, bits: Option<u32>) -> Result<String> {
        let form = form.parse().map_err(|message: String| Refusal::new("arguments", message))?;
        let shape = shape.map(arguments::shape).transpose()?;
        let mut export = Export::new(form);
        (export.lanes, export.shape, export.bits) = (lanes, shape, bits);
        Ok(export.write(&self.value)?)
    }

    fn __eq__<'py>(&self, other: &Object<'py>) -> Made<'py> {
        match other.cast::<AnyLayout>() {
            Ok(other_layout) => (self.value == other_layout.get().value).into_bound_py_any(other.py()),
            Err(_) => other.py().NotImplemented().into_bound_py_any(other.py()),
        }
    }

    fn __hash__(&self) -> u64 {
        match self.value.untyped() {
            Value::Composed(composed) => hash(composed),
            Value::View(view) => hash(view),
            value => hash(&value.domain()),
        }
    }

    fn __str__(&self) -> String {
        members::text(&self.value)
    }

    fn __repr__(&self) -> String {
        let class = match self.value.untyped() {
            Value::Composed(_) => "ComposedLayout",
            Value::View(_) => "View",
            _ => "Layout",
        };
        format!("{class}('{}')", self.value)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Object<'py>, (String,))> {
        members::unpickled(py, self.__str__())
    }
}

#[pymethods]
impl Layout {
    #[new]
    #[pyo3(signature = (shape, stride=None))]
    fn make<'py>(shape: &Object<'py>, stride: Option<&Object<'py>>) -> Made<'py> {
        let py = shape.py();
        if let Some(layout) = tuple::layout(shape, stride)? {
            return new(py, layout);
        }
        if let Some(layout) = symbolic::layout_of(shape, stride)? {
            return Ok(layout.into_any());
        }
        let shape = tuple::value(shape)?;
        if stride.is_none() && matches!(shape.untyped(), Value::Layout(_)) {
            return object(py, shape);
        }
        let value = match (stride, &shape) {
            (None, Value::Composed(_) | Value::View(_)) => {
                let help = "ComposedLayout and View have such texts, and parse(text) gives what it is";
                return Err(Refusal::new("kind", format!("{shape} is {} and no Layout", shape.kind()))
                    .help(help)
                    .into());
            }
            (Some(stride), _) => operation::run(row!("layout"), &[shape, tuple::value(stride)?], &[])?,
            (None, _) => operation::run(row!("layout"), &[shape], &[])?,
        };
        object(py, value)
    }

    /// The swizzle over a layout with integer strides that is the same function as this layout with XOR strides.
    ///
    /// >>> from tilework import Layout
    /// >>> print(Layout("(4,4):(^1,^5)").to_swizzle())
    /// Sw<2,0,2> o 0 o (4,4):(1,4)
    fn to_swizzle<'py>(slf: &Bound<'py, Self>) -> Made<'py> {
        let composed = plain(slf.as_super().get())?.to_swizzle().map_err(Refusal::from)?;
        object(slf.py(), Value::from(composed))
    }

    /// Whether the shape of this layout refines another: every coordinate of the other is a coordinate of this.
    ///
    /// >>> from tilework import Layout
    /// >>> Layout(((2, 2), 8)).refines((4, 8))
    /// True
    fn refines(slf: &Bound<'_, Self>, coarser: &Object<'_>) -> Result<bool> {
        Ok(plain(slf.as_super().get())?.refines(&arguments::shape(coarser)?))
    }
}

#[pymethods]
impl ComposedLayout {
    #[new]
    #[pyo3(signature = (swizzle, offset=None, layout=None))]
    fn new(
        swizzle: &Object<'_>,
        offset: Option<&Object<'_>>,
        layout: Option<&Object<'_>>,
    ) -> Result<PyClassInitializer<ComposedLayout>> {
        let value = tuple::value(swizzle)?;
        let value = match (value.untyped(), offset, layout) {
            (Value::Composed(_), None, None) => value,
            (Value::Swizzle(swizzle), Some(offset), Some(layout)) => {
                let start = tuple::integer(offset)?.ok_or_else(|| Refusal::kind("an integer", offset))?;
                Value::from(Composed::new(*swizzle, start, arguments::layout(layout)?)?)
            }
            _ => return Err(Refusal::kind("a swizzle, an offset and a layout, or the text of all", swizzle)),
        };
        Ok(AnyLayout::with(ComposedLayout, value))
    }

    /// The layout with XOR strides that is the same function.
    ///
    /// >>> from tilework import ComposedLayout
    /// >>> print(ComposedLayout("Sw<2,0,2> o 0 o (4,4):(1,4)").to_xor())
    /// (4,4):(^1,^5)
    fn to_xor<'py>(slf: &Bound<'py, Self>) -> Made<'py> {
        let layout = composed(slf.as_super().get())?.to_xor().map_err(Refusal::from)?;
        object(slf.py(), Value::from(layout))
    }
}

#[pymethods]
impl View {
    #[new]
    #[pyo3(signature = (offset, layout=None))]
    fn new(offset: &Object<'_>, layout: Option<&Object<'_>>) -> Result<PyClassInitializer<View>> {
        let value = tuple::value(offset)?;
        let value = match (value.untyped(), layout) {
            (Value::View(_), None) => value,
            (start @ Value::Tuple(_), Some(layout)) => {
                let start = start.as_offset().ok_or_else(|| Refusal::kind("an offset", offset))?;
                Value::from(tilework::View::new(start, arguments::layout(layout)?)?)
            }
            _ => return Err(Refusal::kind("an offset and a layout, or the text of both", offset)),
        };
        Ok(AnyLayout::with(View, value))
    }
}

attributes! {
    AnyLayout:
    /// The bits of an element, if a pointer precedes the layout.
    ///
    /// >>> from tilework import Layout, parse
    /// >>> tile = parse("smem_ptr[16b](0x400) o Sw<3,3,3> o _0 o (_8,_64):(_64,_1)")
    /// >>> tile.bits, tile[1].bits, Layout(8).bits
    /// (16, 16, None)
    bits: Option<u32> = |layout| layout.value.element_bits();
}

attributes! {
    ComposedLayout:
    /// The swizzle.
    swizzle: Result<Swizzle> = |_own, _py, own| Ok(Swizzle(composed(own.as_super().get())?.swizzle()));
    /// The offset that is added before the swizzle.
    offset: Result<i64> = |_own, _py, own| Ok(composed(own.as_super().get())?.offset());
    /// The layout inside the swizzle.
    layout: Made<'py> =
        |_own, py, own| object(py, Value::from(*composed(own.as_super().get())?.layout()));
}

attributes! {
    View:
    /// The number that is added to every offset of the layout.
    offset: Made<'py> = |_own, py, own| {
        tuple::object(py, Value::offset(view(own.as_super().get())?.offset()).map_err(Refusal::from)?)
    };
    /// The layout without the offset.
    layout: Made<'py> =
        |_own, py, own| object(py, Value::from(*view(own.as_super().get())?.layout()));
}

/// The recursion depth is the length of the path, a tuple of bounded capacity.
fn on_part<'py>(layout: &Object<'py>, path: &[i64], function: &Object<'py>) -> Made<'py> {
    match path {
        [] => function.call1((layout,)),
        [index, rest @ ..] => {
            let part = on_part(&layout.get_item(index)?, rest, function)?;
            layout.call_method1("replace", (*index, part))
        }
    }
}

fn plain(layout: &AnyLayout) -> Result<&tilework::Layout> {
    match layout.value.untyped() {
        Value::Layout(layout) => Ok(layout),
        other => Err(Refusal::expected("a layout", other.kind())),
    }
}

fn composed(layout: &AnyLayout) -> Result<&Composed> {
    match layout.value.untyped() {
        Value::Composed(composed) => Ok(composed),
        other => Err(Refusal::expected("a swizzled layout", other.kind())),
    }
}

fn view(layout: &AnyLayout) -> Result<&tilework::View> {
    match layout.value.untyped() {
        Value::View(view) => Ok(view),
        other => Err(Refusal::expected("a layout with an offset", other.kind())),
    }
}
