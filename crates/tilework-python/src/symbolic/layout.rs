//! Symbolic layouts and their operations.

use super::classes::SymbolicLayout;
use super::operand::{Operand, Reader, is_symbolic};
use super::outcome::Outcome;
use crate::members::{attributes, texts};
use crate::named::{Named, named};
use crate::prelude::*;
use crate::tuple;
use tilework::{Error, HTuple, PatternLeaf};
use tilework_symbolic::{
    Answer as Found, Language, Number, Refusal as NoAnswer, Scope as Core, Source,
    SymbolicLayout as CoreLayout, SymbolicLeaf, Tuple,
};

/// The layout of `Layout(shape, stride)` if these have names; otherwise `None`.
pub fn layout_of<'py>(
    shape: &Object<'py>,
    stride: Option<&Object<'py>>,
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
pub fn language(name: &str) -> Result<Language> {
    named("a language", name, &Language::ALL.map(|one| (one.name(), one)))
}

/// The first argument of a function as a layout, in the scope of them all.
fn read<'py>(first: &Object<'py>, more: &[Option<&Object<'py>>]) -> PyResult<Bound<'py, SymbolicLayout>> {
    if let Ok(layout) = first.cast::<SymbolicLayout>() {
        return Ok(layout.clone());
    }
    let mut reader = Reader::new(first.py());
    for argument in more.iter().flatten() {
        let _ = reader.read(argument)?;
    }
    Ok(SymbolicLayout::read(&mut reader, first, None)?)
}

/// The part of a layout at a path.
pub fn part<'py>(whole: &Object<'py>, path: &Bound<'py, PyTuple>) -> Made<'py> {
    read(whole, &[])?.get_item(path)
}

/// A function of the table applied to arguments of which one is symbolic: the method or attribute of that name.
pub fn call<'py>(name: &str, first: &Object<'py>, more: &[Option<&Object<'py>>]) -> Made<'py> {
    let py = first.py();
    let layout = read(first, more)?;
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
        shape: &Object<'py>,
        stride: Option<&Object<'py>>,
    ) -> Result<Bound<'py, SymbolicLayout>> {
        let shape = reader.read(shape)?;
        let stride = stride.map(|stride| reader.read(stride)).transpose()?;
        let (layout, _) = reader.find(|core| shape.strided(core, stride.as_ref()))?;
        let scope = reader.scope()?;
        Ok(Bound::new(scope.py(), SymbolicLayout { scope: scope.unbind(), layout })?)
    }

    /// What is found of the layout in a copy of its scope, and the copy.
    fn find<T>(
        &self,
        reader: &Reader<'_>,
        find: impl FnOnce(&mut Core, &CoreLayout) -> Result<T>,
    ) -> Result<(T, Core)> {
        reader.find(|core| {
            let layout = core.adopt(self.layout.declared()).layout(&self.layout)?;
            find(core, &layout)
        })
    }

    /// The same as an object, with the reader of the other operands.
    fn ask<'py, T: Outcome>(
        &self,
        reader: &Reader<'py>,
        find: impl FnOnce(&mut Core, &CoreLayout) -> Result<T>,
    ) -> Made<'py> {
        let (found, core) = self.find(reader, find)?;
        found.object(core, &reader.scope()?)
    }

    fn reader<'py>(&self, py: Python<'py>) -> Reader<'py> {
        Reader::of(self.scope.bind(py))
    }

    /// The same leaves in another tuple.
    fn moved<'py>(
        &self,
        py: Python<'py>,
        change: impl FnOnce(&HTuple<usize>) -> Result<HTuple<usize>, Error>,
    ) -> Made<'py> {
        self.ask(&self.reader(py), |core, layout| Ok(core.layout_of(layout.as_tuple().moved(change)?)?))
    }

    /// All extents and strides.
    fn all(&self) -> impl Iterator<Item = &Number> {
        self.layout.leaves().iter().flat_map(SymbolicLeaf::numbers)
    }
}

/// The operations of the core of these names: of the layout alone, with an operand, read as what the first word says, or
/// with a number.
macro_rules! operations {
    ($($(#[$($doc:tt)*])* $name:ident($($read:ident $operand:ident)? $(; $number:ident: $type:ty)?);)*) => {
        #[pymethods]
        impl SymbolicLayout {$(
            $(#[$($doc)*])*
            fn $name<'py>(
                &self,
                py: Python<'py>,
                $($operand: &Object<'py>,)?
                $($number: $type,)?
            ) -> Made<'py> {
                #[allow(unused_mut)] // Without an operand.
                let mut reader = self.reader(py);
                $(let $operand = reader.read($operand)?;)?
                self.ask(&reader, |core, layout| {
                    $(let $operand = $operand.$read(core)?;)?
                    let found = core.$name(layout, $(&$operand)? $($number)?);
                    found.map_err(|refusal| refused(core, &refusal.into()))
                })
            }
        )*}
    };
}
operations! {
    /// The layout split into (tile, rest); a tuple splits mode by mode, `None` leaves a mode as it is.
    logical_divide(tiler tiler);
    /// The divide as ((tiles), (rests)).
    zipped_divide(tiler tiler);
    /// The divide as ((tiles), rest, rest, ...).
    tiled_divide(tiler tiler);
    /// The divide as (tile, tile, ..., rest, rest, ...).
    flat_divide(tiler tiler);
    /// The layout repeated as the tiler says, (block, grid); a tuple repeats mode by mode.
    logical_product(tiler tiler);
    /// The product as ((blocks), (grids)).
    zipped_product(tiler tiler);
    /// The product as ((blocks), grid, grid, ...).
    tiled_product(tiler tiler);
    /// The product as (block, block, ..., grid, grid, ...).
    flat_product(tiler tiler);
    /// The product that pairs mode i of the block with mode i of the grid, the block's elements adjacent.
    blocked_product(layout grid);
    /// The same with the grid's elements adjacent.
    raked_product(layout grid);
    /// The largest layout `R` with `L(R(i)) == i`.
    right_inverse();
    /// A layout `R` with `R(L(i)) == i`.
    left_inverse();
    /// The number of coordinates.
    #[getter]
    size();
    /// The largest offset plus 1.
    #[getter]
    cosize();
    /// Whether it is the same function of integers as another layout.
    equivalent(layout other);
    /// Whether all offsets fit in `bits` bits and a sign.
    ///
    /// >>> from tilework import Scope
    /// >>> print(Scope().layout("(M,K):(1,ld)").fits(31))
    /// K*ld + M <= ld + 2147483648
    fits(; bits: u32);
    /// Whether elements can be accessed `width` at a time from an aligned base.
    is_vector(; width: i64);
    /// The largest power of two up to `limit` for which `is_vector` always holds.
    ///
    /// >>> from tilework import Scope
    /// >>> scope = Scope()
    /// >>> matrix = scope.layout("(M,K):(1,ld)")
    /// >>> scope.assume("M % 128 == 0, ld % 4 == 0")
    /// >>> matrix.max_vector(8)
    /// 4
    max_vector(; limit: i64);
}

/// Why there is no answer.
fn refused(scope: &Core, refusal: &NoAnswer) -> Refusal {
    let text = scope.refusal_text(refusal);
    // The code precedes the sentence anyway.
    Refusal::new(refusal.code(), text.strip_prefix("never: ").unwrap_or(&text))
}

/// A layout that is correct for all values.
fn always(layout: Result<CoreLayout, Error>) -> Result<Found> {
    Ok(Found { layout: layout?, guard: tilework_symbolic::Guard::ALWAYS })
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
    fn composition<'py>(&self, py: Python<'py>, other: &Object<'py>) -> Made<'py> {
        let mut reader = self.reader(py);
        let other = reader.read(other)?;
        self.ask(&reader, |core, layout| {
            let found = match &other {
                Operand::Hole | Operand::Tuple(_) | Operand::Tiler(_) => {
                    let tiler = other.tiler(core)?;
                    core.composition_by_mode(layout, &tiler)
                }
                _ => {
                    let other = other.layout(core)?;
                    core.composition(layout, &other)
                }
            };
            found.map_err(|refusal| refused(core, &refusal))
        })
    }

    fn __matmul__<'py>(&self, py: Python<'py>, other: &Object<'py>) -> Made<'py> {
        self.composition(py, other)
    }

    fn __truediv__<'py>(&self, py: Python<'py>, tiler: &Object<'py>) -> Made<'py> {
        self.logical_divide(py, tiler)
    }

    fn __mul__<'py>(&self, py: Python<'py>, tiler: &Object<'py>) -> Made<'py> {
        self.logical_product(py, tiler)
    }

    /// The least offset, if the signs of the strides are known.
    #[getter]
    fn min<'py>(&self, py: Python<'py>) -> Made<'py> {
        self.ask(&self.reader(py), |core, layout| Ok(core.min_offset(layout)?))
    }

    /// The largest offset, if the signs of the strides are known.
    #[getter]
    fn max<'py>(&self, py: Python<'py>) -> Made<'py> {
        self.ask(&self.reader(py), |core, layout| Ok(core.max_offset(layout)?))
    }

    /// The same function of integers with the fewest modes that can be proved; with a profile, mode by mode.
    #[pyo3(signature = (profile=None))]
    fn coalesce<'py>(&self, py: Python<'py>, profile: Option<&Object<'py>>) -> Made<'py> {
        let profile = profile.map(tuple::nesting).transpose()?;
        self.ask(&self.reader(py), |core, layout| {
            always(match &profile {
                None => core.coalesce(layout),
                Some(profile) => core.coalesce_by_mode(layout, profile),
            })
        })
    }

    /// Coalesced as a function of all integers, also out of bounds.
    fn coalesce_extended<'py>(&self, py: Python<'py>) -> Made<'py> {
        self.ask(&self.reader(py), |core, layout| always(core.coalesce_extended(layout)))
    }

    /// The complement in ascending order; up to `within`, if that is given.
    #[pyo3(signature = (within=None))]
    fn complement<'py>(&self, py: Python<'py>, within: Option<&Object<'py>>) -> Made<'py> {
        let mut reader = self.reader(py);
        let within = within.map(|within| reader.read(within)).transpose()?;
        self.ask(&reader, |core, layout| {
            let found = match within.map(|within| within.shape(core)).transpose()? {
                None => core.complement(layout),
                Some(within) => core.complement_within(layout, &within),
            };
            found.map_err(|refusal| refused(core, &refusal))
        })
    }

    /// The offset of a coordinate of numbers, a tuple where strides are coordinates; with `None` in the coordinate, the offset of
    /// the numbers and the layout of the other modes.
    #[pyo3(signature = (*coordinate))]
    fn __call__<'py>(slf: &Bound<'py, Self>, coordinate: &Bound<'py, PyTuple>) -> Made<'py> {
        let own = slf.get();
        let mut reader = own.reader(slf.py());
        let operand = match coordinate.len() {
            1 => reader.read(&coordinate.get_item(0)?)?,
            _ => reader.read(coordinate.as_any())?,
        };
        own.ask(&reader, |core, layout| {
            let (pattern, fixed) = operand.coordinate(core)?;
            Ok(match pattern.leaves().contains(&PatternLeaf::All) {
                true => {
                    let (offset, open) = core.slice(layout, &pattern, &fixed)?;
                    (offset, Some(open))
                }
                false => (core.element(layout, &Tuple::with_profile(pattern.profile(), fixed)?)?, None),
            })
        })
    }

    /// The coordinate of an index, or of a coordinate that is coarser than the layout's: a number for each leaf.
    ///
    /// >>> from tilework import Scope
    /// >>> scope = Scope()
    /// >>> matrix = scope.layout("(M,K):(1,ld)")
    /// >>> print(*matrix.idx2crd(scope.symbol("x", low=0)))
    /// -M*floor(x/M) + x floor(x/M)
    fn idx2crd<'py>(&self, py: Python<'py>, coordinate: &Object<'py>) -> Made<'py> {
        let mut reader = self.reader(py);
        let operand = reader.read(coordinate)?;
        self.ask(&reader, |core, layout| {
            let (pattern, fixed) = operand.coordinate(core)?;
            if pattern.leaves().contains(&PatternLeaf::All) {
                return refuse("kind", "expected a coordinate without open modes");
            }
            Ok(core.idx2crd(layout, &Tuple::with_profile(pattern.profile(), fixed)?)?)
        })
    }

    /// The extents.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> Made<'py> {
        self.ask(&self.reader(py), |_, layout| Ok(layout.as_tuple().map(|leaf| leaf.extent.clone())))
    }

    /// The strides.
    #[getter]
    fn stride<'py>(&self, py: Python<'py>) -> Made<'py> {
        self.ask(&self.reader(py), |_, layout| Ok(layout.as_tuple().clone()))
    }

    fn __len__(&self) -> usize {
        self.layout.rank()
    }

    fn __getitem__<'py>(&self, path: &Object<'py>) -> Made<'py> {
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
    fn flatten<'py>(&self, py: Python<'py>) -> Made<'py> {
        self.moved(py, |tuple| Ok(tuple.flatten()))
    }

    /// The modes by names, as `tilework.einfold` has them.
    ///
    /// >>> from tilework import Scope
    /// >>> print(Scope().layout("(M,K):(1,ld)").einfold("mk -> km"))
    /// (K,M):(ld,1)
    pub fn einfold<'py>(&self, py: Python<'py>, pattern: &str) -> Made<'py> {
        self.ask(&self.reader(py), |core, layout| {
            let moved = layout.as_tuple().moved(|tuple| tilework::Einfold::parse(pattern)?.tuple(tuple));
            Ok(core.layout_of(moved.map_err(|error| Refusal::of_pattern(pattern, error))?)?)
        })
    }

    /// Modes `begin..end` as one.
    fn group<'py>(&self, py: Python<'py>, begin: usize, end: usize) -> Made<'py> {
        self.moved(py, |tuple| tuple.group(begin, end))
    }

    /// Modes `begin..end`.
    fn take<'py>(&self, py: Python<'py>, begin: usize, end: usize) -> Made<'py> {
        self.moved(py, |tuple| tuple.take(begin, end))
    }

    /// These modes in this order.
    ///
    /// >>> from tilework import Scope
    /// >>> matrix = Scope().layout("(M,(2,K)):(1,(M,ld))")
    /// >>> print(matrix.select(1, 0), matrix[1], matrix[1, 0], matrix.flatten())
    /// ((2,K),M):((M,ld),1) (2,K):(M,ld) 2:M (M,2,K):(1,M,ld)
    #[pyo3(signature = (*modes))]
    fn select<'py>(&self, py: Python<'py>, modes: Vec<usize>) -> Made<'py> {
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
    ) -> Result<String> {
        let language = self::language(language)?;
        let emitted = self.find(&self.reader(py), |core, layout| {
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
                return refuse("guard", format!("integers of 32 bits need {guard}"));
            }
            Ok(emitted.text)
        })?;
        Ok(emitted.0)
    }

    /// The layout where the names have these values, each that occurs in it.
    ///
    /// >>> from tilework import Scope
    /// >>> Scope().layout("(M,K):(1,M + 8)").at(M=4, K=8)
    /// Layout('(4,8):(1,12)')
    #[pyo3(signature = (**values))]
    fn at<'py>(&self, py: Python<'py>, values: Option<&Bound<'py, PyDict>>) -> Made<'py> {
        let given = Named::new("an integer", values)?;
        given.cover(self.layout.declared().names_in(self.all()))?;
        let (layout, _) = self.find(&self.reader(py), |core, layout| {
            let values = core.values(&given.pairs())?;
            Ok(layout.instance(&values)?)
        })?;
        crate::classes::new(py, layout)
    }

    fn __eq__(&self, other: &Object<'_>) -> bool {
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
