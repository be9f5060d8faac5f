//! Symbolic layouts and their operations.

use super::classes::{Answer, SymbolicLayout, Verdict};
use super::given::{Given, named, refused};
use super::number;
use super::operand::{Operand, Reader, is_symbolic};
use crate::error::Refusal;
use crate::members::{attributes, texts};
use crate::tuple;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};
use tilework::{Error, HTuple, PatternLeaf};
use tilework_symbolic::{
    Answer as Found, Language, Number, Refusal as NoAnswer, Scope as Core, Source,
    SymbolicLayout as CoreLayout, SymbolicLeaf, SymbolicTiler, Tuple, Verdict as CoreVerdict,
};

/// The layout of `Layout(shape, stride)` if these have names; otherwise `None`.
pub fn layout_of<'py>(
    shape: &Bound<'py, PyAny>,
    stride: Option<&Bound<'py, PyAny>>,
) -> PyResult<Option<Bound<'py, SymbolicLayout>>> {
    let py = shape.py();
    let mut reader = Reader::new(py);
    if let (Ok(text), None) = (shape.cast::<PyString>(), stride) {
        let text = text.to_cow()?;
        // A literal `shape:stride` declares its names; elsewhere an undeclared name is a mistake.
        let named =
            text.contains(':') && text.contains(|letter: char| letter.is_ascii_alphabetic() || letter == '?');
        let found = if named { SymbolicLayout::read(&mut reader, shape, None).ok() } else { None };
        return Ok(found.filter(|found| found.get().layout.as_constant().is_none()));
    }
    match is_symbolic(shape) || stride.is_some_and(is_symbolic) {
        true => Ok(Some(SymbolicLayout::read(&mut reader, shape, stride)?)),
        false => Ok(None),
    }
}

/// The language of source text with this name.
pub fn language(name: &str) -> Result<Language, Refusal> {
    named("a language", name, &Language::ALL.map(|one| (one.name(), one)))
}

/// A function of the table applied to arguments of which one is symbolic: the method or attribute of that name.
pub fn call<'py>(
    name: &str,
    first: &Bound<'py, PyAny>,
    more: &[Option<&Bound<'py, PyAny>>],
) -> PyResult<Bound<'py, PyAny>> {
    let py = first.py();
    let layout = match first.cast::<SymbolicLayout>() {
        Ok(layout) => layout.clone(),
        Err(_) => {
            let mut reader = Reader::new(py);
            for argument in more.iter().flatten() {
                // For the scope.
                let _ = reader.read(argument)?;
            }
            SymbolicLayout::read(&mut reader, first, None)?
        }
    };
    let Some(member) = layout.getattr_opt(name)? else {
        let message = format!("{name} is not one of the operations on symbolic layouts");
        return Err(Refusal::new("kind", message).into());
    };
    if !member.is_callable() {
        return Ok(member);
    }
    let more: Vec<_> = more.iter().flatten().collect();
    member.call1(PyTuple::new(py, more)?)
}

impl SymbolicLayout {
    /// A layout in the scope of the operands.
    pub fn read<'py>(
        reader: &mut Reader<'py>,
        shape: &Bound<'py, PyAny>,
        stride: Option<&Bound<'py, PyAny>>,
    ) -> Result<Bound<'py, SymbolicLayout>, Refusal> {
        let shape = reader.read(shape)?;
        let stride = stride.map(|stride| reader.read(stride)).transpose()?;
        let layout = reader.find(|core| shape.layout(core, stride.as_ref()))?;
        let scope = reader.scope()?;
        Ok(Bound::new(scope.py(), SymbolicLayout { scope: scope.unbind(), layout })?)
    }

    fn within<T>(
        &self,
        py: Python<'_>,
        find: impl FnOnce(&mut Core, &CoreLayout) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        self.with(&Reader::of(self.scope.bind(py)), find)
    }

    fn with<T>(
        &self,
        reader: &Reader<'_>,
        find: impl FnOnce(&mut Core, &CoreLayout) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        reader.find(|core| {
            let layout = core.adopt(self.layout.declared()).layout(&self.layout)?;
            find(core, &layout)
        })
    }

    /// An operation that answers with a layout and its guard.
    fn answer<'py>(
        &self,
        py: Python<'py>,
        reader: &Reader<'_>,
        operation: impl FnOnce(&mut Core, &CoreLayout) -> Result<Result<Found, NoAnswer>, Refusal>,
    ) -> PyResult<Bound<'py, Answer>> {
        let (core, found) = self.with(reader, |core, layout| {
            let found = operation(core, layout)?.map_err(|refusal| refused(core, &refusal))?;
            Ok((core.clone(), found))
        })?;
        Bound::new(py, Answer::new(self.scope.clone_ref(py), core, found))
    }

    fn verdict<'py>(
        &self,
        py: Python<'py>,
        reader: &Reader<'_>,
        question: impl FnOnce(&mut Core, &CoreLayout) -> Result<CoreVerdict, Refusal>,
    ) -> PyResult<Bound<'py, Verdict>> {
        let (core, verdict) = self.with(reader, |core, layout| {
            let verdict = question(core, layout)?;
            Ok((core.clone(), verdict))
        })?;
        Bound::new(py, Verdict::new(self.scope.clone_ref(py), core, verdict))
    }

    /// A number of the layout.
    fn number<'py>(
        &self,
        py: Python<'py>,
        find: impl FnOnce(&Core, &CoreLayout) -> Result<Number, Error>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let number = self.within(py, |core, layout| {
            let number = find(core, layout)?;
            Ok(number::declared(core, number))
        })?;
        number::object(self.scope.bind(py), number)
    }

    /// The same leaves in another tuple.
    fn moved<'py>(
        &self,
        py: Python<'py>,
        change: impl FnOnce(&HTuple<usize>) -> Result<HTuple<usize>, Error>,
    ) -> PyResult<Bound<'py, SymbolicLayout>> {
        let layout = self.within(py, |core, layout| Ok(core.layout_of(layout.as_tuple().moved(change)?)?))?;
        Bound::new(py, SymbolicLayout { scope: self.scope.clone_ref(py), layout })
    }

    /// A tuple of numbers in the layout's nesting.
    fn numbers<'py>(&self, py: Python<'py>, numbers: Tuple<number::Declared>) -> PyResult<Bound<'py, PyAny>> {
        let scope = self.scope.bind(py);
        nested(py, &numbers, |number| number::object(scope, number.clone()))
    }

    /// All extents and strides.
    fn all(&self) -> impl Iterator<Item = &Number> {
        self.layout.leaves().iter().flat_map(|leaf| [&leaf.extent, &leaf.stride])
    }
}

/// A tuple as one of Python.
fn nested<'py, T: Clone>(
    py: Python<'py>,
    leaves: &Tuple<T>,
    object: impl Fn(&T) -> PyResult<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let places: Vec<usize> = (0..leaves.leaves().len()).collect();
    let places = HTuple::with_profile(leaves.profile(), &places, 0).map_err(Refusal::from)?;
    tuple::nested(py, &places, &|place: usize| object(&leaves.leaves()[place]))
}

type ByMode = fn(&mut Core, &CoreLayout, &SymbolicTiler) -> Result<Found, NoAnswer>;
type OfTwo = fn(&mut Core, &CoreLayout, &CoreLayout) -> Result<Found, NoAnswer>;

impl SymbolicLayout {
    fn by_mode<'py>(&self, tiler: &Bound<'py, PyAny>, operation: ByMode) -> PyResult<Bound<'py, Answer>> {
        let py = tiler.py();
        let mut reader = Reader::of(self.scope.bind(py));
        let tiler = reader.read(tiler)?;
        self.answer(py, &reader, |core, layout| {
            let tiler = tiler.tiler(core)?;
            Ok(operation(core, layout, &tiler))
        })
    }

    fn of_two<'py>(&self, other: &Bound<'py, PyAny>, operation: OfTwo) -> PyResult<Bound<'py, Answer>> {
        let py = other.py();
        let mut reader = Reader::of(self.scope.bind(py));
        let other = reader.read(other)?;
        self.answer(py, &reader, |core, layout| {
            let other = other.layout(core, None)?;
            Ok(operation(core, layout, &other))
        })
    }
}

macro_rules! operations {
    ($($(#[$doc:meta])* $how:ident $name:ident($argument:ident);)*) => {
        #[pymethods]
        impl SymbolicLayout {$(
            $(#[$doc])*
            fn $name<'py>(&self, $argument: &Bound<'py, PyAny>) -> PyResult<Bound<'py, Answer>> {
                self.$how($argument, Core::$name)
            }
        )*}
    };
}
operations! {
    /// The layout split into (tile, rest); a tuple splits mode by mode, `None` leaves a mode as it is.
    by_mode logical_divide(tiler);
    /// The divide as ((tiles), (rests)).
    by_mode zipped_divide(tiler);
    /// The divide as ((tiles), rest, rest, ...).
    by_mode tiled_divide(tiler);
    /// The divide as (tile, tile, ..., rest, rest, ...).
    by_mode flat_divide(tiler);
    /// The layout repeated as the tiler says, (block, grid); a tuple repeats mode by mode.
    by_mode logical_product(tiler);
    /// The product as ((blocks), (grids)).
    by_mode zipped_product(tiler);
    /// The product as ((blocks), grid, grid, ...).
    by_mode tiled_product(tiler);
    /// The product as (block, block, ..., grid, grid, ...).
    by_mode flat_product(tiler);
    /// The product that pairs mode i of the block with mode i of the grid, the block's elements adjacent.
    of_two blocked_product(grid);
    /// The same with the grid's elements adjacent.
    of_two raked_product(grid);
}

macro_rules! unary {
    ($($(#[$doc:meta])* $name:ident;)*) => {
        #[pymethods]
        impl SymbolicLayout {$(
            $(#[$doc])*
            fn $name<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, Answer>> {
                self.answer(py, &Reader::of(self.scope.bind(py)), |core, layout| Ok(core.$name(layout)))
            }
        )*}
    };
}
unary! {
    /// The largest layout `R` with `L(R(i)) == i`.
    right_inverse;
    /// A layout `R` with `R(L(i)) == i`.
    left_inverse;
}

/// A layout that is correct for all values.
fn always(layout: Result<CoreLayout, Error>) -> Result<Found, NoAnswer> {
    Ok(Found { layout: layout?, guard: tilework_symbolic::Guard::ALWAYS })
}

macro_rules! numbers {
    ($($(#[$doc:meta])* $name:ident: $find:expr;)*) => {
        #[pymethods]
        impl SymbolicLayout {$(
            $(#[$doc])*
            #[getter]
            fn $name<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
                self.number(py, $find)
            }
        )*}
    };
}
numbers! {
    /// The number of coordinates.
    size: Core::size;
    /// The largest offset plus 1.
    cosize: Core::cosize;
    /// The least offset, if the signs of the strides are known.
    min: Core::min_offset;
    /// The largest offset, if the signs of the strides are known.
    max: Core::max_offset;
}

#[pymethods]
impl SymbolicLayout {
    /// `c -> L(other(c))`; a tuple is composed mode by mode.
    ///
    /// >>> from tilework import Layout, Scope, assume
    /// >>> with Scope():
    /// ...     matrix = Layout("(M,K):(1,ld)")
    /// ...     assume("ld >= M")
    /// >>> print(matrix.composition("64:3"), matrix.composition((64, None)), sep="; ")
    /// 64:3 if ld == M or M >= 190; (64,K):(1,ld)
    fn composition<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, Answer>> {
        match Reader::of(self.scope.bind(other.py())).read(other)? {
            Operand::Hole | Operand::Tuple(_) | Operand::Tiler(_) => {
                self.by_mode(other, Core::composition_by_mode)
            }
            _ => self.of_two(other, Core::composition),
        }
    }

    fn __matmul__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, Answer>> {
        self.composition(other)
    }

    fn __truediv__<'py>(&self, tiler: &Bound<'py, PyAny>) -> PyResult<Bound<'py, Answer>> {
        self.logical_divide(tiler)
    }

    fn __mul__<'py>(&self, tiler: &Bound<'py, PyAny>) -> PyResult<Bound<'py, Answer>> {
        self.logical_product(tiler)
    }

    /// The same function of integers with the fewest modes that can be proved; with a profile, mode by mode.
    #[pyo3(signature = (profile=None))]
    fn coalesce<'py>(
        &self,
        py: Python<'py>,
        profile: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, Answer>> {
        let profile = profile.map(tuple::nesting).transpose()?;
        self.answer(py, &Reader::of(self.scope.bind(py)), |core, layout| {
            Ok(always(match &profile {
                None => core.coalesce(layout),
                Some(profile) => core.coalesce_by_mode(layout, profile),
            }))
        })
    }

    /// Coalesced as a function of all integers, also out of bounds.
    fn coalesce_extended<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, Answer>> {
        self.answer(py, &Reader::of(self.scope.bind(py)), |core, layout| {
            Ok(always(core.coalesce_extended(layout)))
        })
    }

    /// The complement in ascending order; up to `within`, if that is given.
    #[pyo3(signature = (within=None))]
    fn complement<'py>(
        &self,
        py: Python<'py>,
        within: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, Answer>> {
        let mut reader = Reader::of(self.scope.bind(py));
        let within = within.map(|within| reader.read(within)).transpose()?;
        self.answer(py, &reader, |core, layout| match &within {
            None => Ok(core.complement(layout)),
            Some(within) => {
                let within = within.number(core)?;
                Ok(core.complement_within(layout, &within))
            }
        })
    }

    /// Whether it is the same function of integers as another layout.
    fn equivalent<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, Verdict>> {
        let py = other.py();
        let mut reader = Reader::of(self.scope.bind(py));
        let other = reader.read(other)?;
        self.verdict(py, &reader, |core, layout| {
            let other = other.layout(core, None)?;
            Ok(core.equivalent(layout, &other)?)
        })
    }

    /// Whether all offsets fit in `bits` bits and a sign.
    ///
    /// >>> from tilework import Scope
    /// >>> print(Scope().layout("(M,K):(1,ld)").fits(31))
    /// K*ld + M <= ld + 2147483648
    fn fits<'py>(&self, py: Python<'py>, bits: u32) -> PyResult<Bound<'py, Verdict>> {
        self.verdict(py, &Reader::of(self.scope.bind(py)), |core, layout| Ok(core.fits(layout, bits)?))
    }

    /// Whether elements can be accessed `width` at a time from an aligned base.
    fn is_vector<'py>(&self, py: Python<'py>, width: i64) -> PyResult<Bound<'py, Verdict>> {
        self.verdict(py, &Reader::of(self.scope.bind(py)), |core, layout| Ok(core.is_vector(layout, width)?))
    }

    /// The largest power of two up to `limit` for which `is_vector` always holds.
    ///
    /// >>> from tilework import Scope
    /// >>> scope = Scope()
    /// >>> matrix = scope.layout("(M,K):(1,ld)")
    /// >>> scope.assume("M % 128 == 0, ld % 4 == 0")
    /// >>> matrix.max_vector(8)
    /// 4
    fn max_vector(&self, py: Python<'_>, limit: i64) -> Result<i64, Refusal> {
        self.within(py, |core, layout| Ok(core.max_vector(layout, limit)?))
    }

    /// The offset of a coordinate of numbers; with `None` in the coordinate, the offset of the numbers and the layout
    /// of the other modes.
    #[pyo3(signature = (*coordinate))]
    fn __call__<'py>(
        slf: &Bound<'py, Self>,
        coordinate: &Bound<'py, PyTuple>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let own = slf.get();
        let mut reader = Reader::of(own.scope.bind(py));
        let operand = match coordinate.len() {
            1 => reader.read(&coordinate.get_item(0)?)?,
            _ => reader.read(coordinate.as_any())?,
        };
        let (offset, open) = own.with(&reader, |core, layout| {
            let (pattern, fixed) = operand.coordinate(core)?;
            let (offset, open) = match pattern.leaves().contains(&PatternLeaf::All) {
                true => {
                    let (offset, open) = core.slice(layout, &pattern, &fixed)?;
                    (offset, Some(open))
                }
                false => (core.offset(layout, &Tuple::with_profile(pattern.profile(), fixed)?)?, None),
            };
            Ok((number::declared(core, offset), open))
        })?;
        let offset = number::object(own.scope.bind(py), offset)?;
        match open {
            None => Ok(offset),
            Some(layout) => {
                let open = Bound::new(py, SymbolicLayout { scope: own.scope.clone_ref(py), layout })?;
                Ok((offset, open).into_pyobject(py)?.into_any())
            }
        }
    }

    /// The coordinate of an index, or of a coordinate that is coarser than the layout's: a number for each leaf.
    ///
    /// >>> from tilework import Scope
    /// >>> scope = Scope()
    /// >>> matrix = scope.layout("(M,K):(1,ld)")
    /// >>> print(*matrix.idx2crd(scope.symbol("x", low=0)))
    /// -M*floor(x/M) + x floor(x/M)
    fn idx2crd<'py>(&self, coordinate: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = coordinate.py();
        let mut reader = Reader::of(self.scope.bind(py));
        let operand = reader.read(coordinate)?;
        let digits = self.with(&reader, |core, layout| {
            let (pattern, fixed) = operand.coordinate(core)?;
            if pattern.leaves().contains(&PatternLeaf::All) {
                return Err(Refusal::new("kind", "expected a coordinate without open modes"));
            }
            let digits = core.idx2crd(layout, &Tuple::with_profile(pattern.profile(), fixed)?)?;
            Ok(digits.map(|digit| number::declared(core, digit.clone())))
        })?;
        self.numbers(py, digits)
    }

    /// The extents.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let shape = self.within(py, |core, layout| {
            Ok(layout.as_tuple().map(|leaf| number::declared(core, leaf.extent.clone())))
        })?;
        self.numbers(py, shape)
    }

    /// The strides.
    #[getter]
    fn stride<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let (core, layout) = self.within(py, |core, layout| Ok((core.clone(), layout.clone())))?;
        nested(py, layout.as_tuple(), |leaf: &SymbolicLeaf| {
            if leaf.unit.is_one() {
                return number::object(self.scope.bind(py), number::declared(&core, leaf.stride.clone()));
            }
            // A basis element or an XOR unit as it is written.
            let one = core.layout_of(Tuple::leaf(leaf.clone())).map_err(Refusal::from)?.to_string();
            Ok(PyString::new(py, one.rsplit(':').next().unwrap_or_default()).into_any())
        })
    }

    fn __len__(&self) -> usize {
        self.layout.rank()
    }

    fn __getitem__<'py>(&self, path: &Bound<'py, PyAny>) -> PyResult<Bound<'py, SymbolicLayout>> {
        let py = path.py();
        let path = tuple::tuple(path)?.integers(0).map_err(Refusal::from)?;
        self.moved(py, |tuple| {
            path.leaves().iter().try_fold(*tuple, |part, &index| {
                let rank = part.rank();
                let place = if index < 0 { index + rank as i64 } else { index };
                part.mode(usize::try_from(place).map_err(|_| Error::Index { index: rank, rank })?)
            })
        })
    }

    /// One tuple of all leaves.
    fn flatten<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, SymbolicLayout>> {
        self.moved(py, |tuple| Ok(tuple.flatten()))
    }

    /// Modes `begin..end` as one.
    fn group<'py>(&self, py: Python<'py>, begin: usize, end: usize) -> PyResult<Bound<'py, SymbolicLayout>> {
        self.moved(py, |tuple| tuple.group(begin, end))
    }

    /// Modes `begin..end`.
    fn take<'py>(&self, py: Python<'py>, begin: usize, end: usize) -> PyResult<Bound<'py, SymbolicLayout>> {
        self.moved(py, |tuple| tuple.take(begin, end))
    }

    /// These modes in this order.
    ///
    /// >>> from tilework import Scope
    /// >>> matrix = Scope().layout("(M,(2,K)):(1,(M,ld))")
    /// >>> print(matrix.select(1, 0), matrix[1], matrix[1, 0], matrix.flatten())
    /// ((2,K),M):((M,ld),1) (2,K):(M,ld) 2:M (M,2,K):(1,M,ld)
    #[pyo3(signature = (*modes))]
    fn select<'py>(&self, py: Python<'py>, modes: Vec<usize>) -> PyResult<Bound<'py, SymbolicLayout>> {
        self.moved(py, |tuple| tuple.select(&modes))
    }

    /// The offset of a coordinate as source text of `"c"`, `"cuda"`, `"rust"`, `"python"` or `"wgsl"`: an expression, or a function of this name.
    /// One name of a coordinate is a linear index, by default `x`, or `x1`, ... if `x` is a name of the scope; otherwise there
    /// is one for each mode, or for each leaf. Integers have 32 or 64 `bits`; by default 32 where all values fit.
    ///
    /// >>> from tilework import Scope
    /// >>> scope = Scope()
    /// >>> tiles = scope.layout("(128,M/128,K):(1,128,ld)")
    /// >>> scope.assume("M % 128 == 0")
    /// >>> print(tiles.emit("c"), tiles.emit("python", ("i", "t", "k")), sep="; ")
    /// (x % M) + (x / M)*ld; i + t*128 + k*ld
    /// >>> print(tiles.emit("python", name="offset").splitlines()[-1])
    ///     return (x % M) + (x // M)*ld
    #[pyo3(signature = (language, coordinate=None, *, name=None, bits=None))]
    fn emit(
        &self,
        py: Python<'_>,
        language: &str,
        coordinate: Option<Vec<String>>,
        name: Option<&str>,
        bits: Option<u32>,
    ) -> Result<String, Refusal> {
        let language = self::language(language)?;
        self.within(py, |core, layout| {
            let coordinate = coordinate.unwrap_or_else(|| vec![core.unused_name("x")]);
            let coordinate: Vec<&str> = coordinate.iter().map(String::as_str).collect();
            let mut source = Source::new(language, &coordinate);
            source.bits = bits;
            let emitted = match name {
                None => core.index_expression(layout, &source)?,
                Some(name) => core.index_function(layout, name, &source)?,
            };
            if !emitted.guard.is_always() {
                let guard = core.guard_text(&emitted.guard);
                return Err(Refusal::new("guard", format!("integers of 32 bits need {guard}")));
            }
            Ok(emitted.text)
        })
    }

    /// The layout where the names have these values, each that occurs in it.
    ///
    /// >>> from tilework import Scope
    /// >>> Scope().layout("(M,K):(1,M + 8)").at(M=4, K=8)
    /// Layout('(4,8):(1,12)')
    #[pyo3(signature = (**values))]
    fn at<'py>(&self, py: Python<'py>, values: Option<&Bound<'py, PyDict>>) -> PyResult<Bound<'py, PyAny>> {
        let given = Given::new(values)?;
        given.cover(self.layout.declared().names_in(self.all()))?;
        let layout = self.within(py, |core, layout| {
            let values = core.values(&given.pairs())?;
            Ok(layout.instance(&values)?)
        })?;
        crate::classes::new(py, layout)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other
            .cast::<SymbolicLayout>()
            .is_ok_and(|other| other.get().layout == self.layout && other.get().scope.is(&self.scope))
    }

    fn __hash__(&self) -> u64 {
        crate::classes::hash(&self.layout.to_string())
    }
}

texts!(SymbolicLayout: |layout| layout.layout, "SymbolicLayout('{}')");

attributes! {
    SymbolicLayout:
    /// The number of modes; 1 where there is no tuple.
    rank: usize = |layout| layout.layout.rank();
    /// The levels of tuples.
    depth: usize = |layout| layout.layout.depth();
}
