//! Calls with names in their arguments: the operations of `tilework_symbolic`, a scope for each call.

use super::call::{Answer, Call};
use super::einfold;
use super::parts::{self, Change};
use super::tensors;
use crate::error::Failure;
use crate::names::{Names, Scoped};
use crate::symbolic::Content;
use crate::value::Value;
use std::ops::Deref;
use tilework::{Error, HTuple, Layout, MAX_LEAVES, Pattern, PatternLeaf, Swizzle, Unit};
use tilework_symbolic::{
    Answer as Found, Guard, Number, Placed, Refusal, Scope, SymbolicLayout, SymbolicLeaf, SymbolicTiler,
    Tuple, Verdict,
};

/// The symbolic operation of a function.
#[derive(Clone, Copy)]
pub(super) enum OverNames {
    /// From the smallest and the largest offset to a number.
    Number(fn(&[Number; 2]) -> Result<Number, Error>),
    /// From a shape to a layout.
    Made(fn(&Scope, &Tuple<Number>) -> Result<SymbolicLayout, Error>),
    /// Of two shapes, or of the shapes of layouts.
    Nested(fn(&Tuple<Number>, &Tuple<Number>) -> bool),
    /// Of two layouts.
    Two(fn(&mut Scope, &SymbolicLayout, &SymbolicLayout) -> Result<Found, Refusal>),
    /// By a tiler.
    Tiled(fn(&mut Scope, &SymbolicLayout, &SymbolicTiler) -> Result<Found, Refusal>),
    /// A question about a layout.
    Ask(fn(&Scope, &SymbolicLayout) -> Result<Verdict, Error>),
    /// A question about a layout with its offset and swizzle.
    AskPlaced(fn(&Placed, &Scope) -> Result<Verdict, Error>),
    /// A question about two of them.
    Question(fn(&Placed, &Placed, &Scope) -> Result<Verdict, Error>),
    /// With its modes changed.
    Moved(fn(&Call<'_>) -> Result<Change, Failure>),
    /// By a separate function.
    By(fn(&mut NamedCall<'_>) -> Answer),
}

/// A call with a name in an argument.
pub(super) struct NamedCall<'a> {
    call: Call<'a>,
    scoped: Scoped,
}

impl<'a> Deref for NamedCall<'a> {
    type Target = Call<'a>;

    fn deref(&self) -> &Call<'a> {
        &self.call
    }
}

/// The value of a call.
pub(super) fn evaluate(
    operation: OverNames,
    name: &'static str,
    arguments: &[Value],
    indices: &[usize],
    names: &Names,
) -> Answer {
    let call = Call { name, arguments, indices };
    let mut call = NamedCall { call, scoped: names.under(arguments)? };
    match operation {
        OverNames::Number(operation) => {
            let (ends, guard) = call.placed(0)?.bounds(&call.scoped.scope)?;
            call.scoped.made(Content::Number(operation(&ends)?), &guard)
        }
        OverNames::Made(operation) => {
            let shape = call.shape(0)?;
            call.made(operation(&call.scoped.scope, &shape)?)
        }
        OverNames::Nested(question) => {
            let (first, second) = (call.shape(0)?, call.shape(1)?);
            Ok(Value::Bool(question(&first, &second)))
        }
        OverNames::Two(operation) => {
            let (left, right) = (call.domain(0)?, call.layout(1)?);
            let answer = operation(&mut call.scoped.scope, &left, &right);
            call.answer_in_place(answer)
        }
        OverNames::Tiled(operation) => {
            let (layout, tiler) = (call.domain(0)?, call.tiler(1)?);
            let answer = operation(&mut call.scoped.scope, &layout, &tiler);
            call.answer_in_place(answer)
        }
        OverNames::Ask(question) => {
            let layout = call.layout(0)?;
            call.scoped.verdict(question(&call.scoped.scope, &layout)?)
        }
        OverNames::AskPlaced(question) => {
            let placed = call.placed(0)?;
            call.scoped.verdict(question(&placed, &call.scoped.scope)?)
        }
        OverNames::Question(question) => {
            let (left, right) = (call.placed(0)?, call.placed(1)?);
            call.scoped.verdict(question(&left, &right, &call.scoped.scope)?)
        }
        OverNames::Moved(change) => {
            let change = change(&call)?;
            call.changed(&change)
        }
        OverNames::By(evaluate) => evaluate(&mut call),
    }
}

impl NamedCall<'_> {
    fn content(&self, index: usize) -> Option<&Content> {
        match &self.arguments[index] {
            Value::Symbolic(symbolic) => Some(&symbolic.content),
            _ => None,
        }
    }

    /// An argument as a layout; a tuple of extents is compact.
    fn layout(&mut self, index: usize) -> Result<SymbolicLayout, Failure> {
        self.scoped.layout(&self.arguments[index])?.ok_or_else(|| self.wrong(index, "a layout"))
    }

    /// The layout of an argument's coordinates.
    fn domain(&mut self, index: usize) -> Result<SymbolicLayout, Failure> {
        Ok(self.placed(index)?.layout().clone())
    }

    /// A layout with what stands before it.
    fn placed(&mut self, index: usize) -> Result<Placed, Failure> {
        match self.scoped.placed(&self.arguments[index])? {
            Some(placed) => Ok(placed),
            None => Ok(self.layout(index)?.into()),
        }
    }

    /// The only argument, without an offset.
    fn only(&mut self) -> Result<Placed, Failure> {
        let placed = self.placed(0)?;
        match self.count() == 1 && placed.is_at_origin() {
            true => Ok(placed),
            false => Err(self.wrong(
                self.count() - 1,
                "a layout without an offset, and no second argument, beside names,",
            )),
        }
    }

    /// The answer on each mode that a tuple of `_` marks, if that is the second argument.
    fn by_mode(
        &mut self,
        operation: impl Fn(&mut Scope, &SymbolicLayout) -> Result<Found, Refusal>,
    ) -> Result<Option<Result<Found, Refusal>>, Failure> {
        let Some(profile) =
            self.arguments.get(1).filter(|value| !value.is_tuple()).and_then(Value::as_profile)
        else {
            return Ok(None);
        };
        self.refuse_before_modes()?;
        let layout = self.layout(0)?;
        Ok(Some(self.scoped.scope.by_mode(&layout, &profile, operation)))
    }

    /// The inverse of a layout behind a swizzle, from that of the layout.
    fn inverse_behind(&self, swizzle: Swizzle, inverse: Result<Found, Refusal>) -> Answer {
        if swizzle == Swizzle::NONE {
            return self.scoped.answer(inverse);
        }
        match inverse.and_then(|inverse| self.scoped.scope.inverse_behind(swizzle, inverse)) {
            Ok((inverse, guard)) => self.scoped.made(Content::Placed(inverse), &guard),
            Err(refusal) => Err(self.scoped.refused(&refusal)),
        }
    }

    fn tiler(&mut self, index: usize) -> Result<SymbolicTiler, Failure> {
        let tiler = self.scoped.tiler(&self.arguments[index], false)?;
        tiler.ok_or_else(|| self.wrong(index, "a tiler (a layout, an extent, or `<...>`)"))
    }

    /// A tuple as a tiler by mode.
    fn by_modes(&mut self, sizes: &Tuple<Number>) -> Result<SymbolicTiler, Failure> {
        let sizes = self.scoped.tuple(sizes)?;
        self.scoped.tiler(&sizes, false)?.ok_or_else(|| self.wrong(1, "a size for each mode"))
    }

    /// An argument as a tuple of numbers.
    fn tuple(&mut self, index: usize, wanted: &str) -> Result<Tuple<Number>, Failure> {
        let argument = &self.arguments[index];
        let is_integral = match argument {
            Value::Tuple(tuple) => tuple.integers(0).is_ok(),
            argument => argument.is_symbolic(),
        };
        match self.scoped.tuple_of(argument)? {
            Some(tuple) if is_integral => Ok(tuple),
            _ => Err(self.wrong(index, wanted)),
        }
    }

    /// An argument as a shape; for a layout, its own.
    pub fn shape(&mut self, index: usize) -> Result<Tuple<Number>, Failure> {
        let is_layout = matches!(self.content(index), Some(Content::Layout(_) | Content::Placed(_)));
        match is_layout || self.arguments[index].domain().is_some() {
            true => Ok(self.domain(index)?.as_tuple().map(|leaf| leaf.extent.clone())),
            false => self.tuple(index, "a shape"),
        }
    }

    /// The layout of two arguments, its shape and its strides.
    fn pair(&mut self, index: usize) -> Result<SymbolicLayout, Failure> {
        let pair = self.scoped.pair(&self.arguments[index], &self.arguments[index + 1])?;
        pair.ok_or_else(|| self.wrong(index, "a shape"))
    }

    fn number_at(&mut self, index: usize) -> Result<Number, Failure> {
        let tuple = self.tuple(index, "a number")?;
        match tuple.leaves() {
            [number] => Ok(number.clone()),
            _ => Err(self.wrong(index, "a number")),
        }
    }

    fn made(&self, layout: SymbolicLayout) -> Answer {
        self.scoped.bound(Content::Layout(layout))
    }

    /// A layout in the place of the first argument's, with the same offset and swizzle.
    fn in_place(&mut self, layout: SymbolicLayout) -> Answer {
        self.answer_in_place(Ok(Found { layout, guard: Guard::ALWAYS }))
    }

    fn answer_in_place(&mut self, answer: Result<Found, Refusal>) -> Answer {
        match (self.scoped.placed(&self.arguments[0])?, answer) {
            (Some(placed), Ok(Found { layout, guard })) => {
                self.scoped.made(Content::Placed(placed.with_layout(layout)), &guard)
            }
            (_, answer) => self.scoped.answer(answer),
        }
    }

    /// When a number of an argument is one of a mode of this size.
    fn below(&self, index: usize, number: &Number, size: &Number) -> Result<Guard, Failure> {
        let (scope, mut guard) = (&self.scoped.scope, Guard::ALWAYS);
        for limit in [number.clone(), size.sub(number)?.sub(&1.into())?] {
            match scope.is_at_least(&limit, &0.into())? {
                Verdict::Always => {}
                Verdict::When(own) => guard.push_all(&own),
                _ => {
                    let [number, size] = [number, size].map(|number| scope.number_text(number));
                    let message =
                        format!("{number} is not known to be in bounds: 0 or more, and below {size}");
                    return Err(Failure::argument(index, message));
                }
            }
        }
        Ok(guard)
    }

    /// The part of a layout that a coordinate with `_` leaves open.
    fn sliced(&mut self, placed: &Placed, coordinate: &Tuple<Option<Number>>, guard: &Guard) -> Answer {
        let fixed: Vec<Number> = coordinate.leaves().iter().flatten().cloned().collect();
        let leaf = |number: &Option<Number>| number.as_ref().map_or(PatternLeaf::All, |_| PatternLeaf::At(0));
        let leaves: Vec<PatternLeaf> = coordinate.leaves().iter().map(leaf).collect();
        let pattern = Pattern::with_profile(coordinate.profile(), &leaves, PatternLeaf::All)?;
        let rest = placed.slice(&mut self.scoped.scope, &pattern, &fixed)?;
        self.scoped.made(Content::Placed(rest), guard)
    }

    /// The first argument with its modes changed.
    fn changed(&mut self, change: &Change) -> Answer {
        let last = if change.takes_mode() { self.count() - 1 } else { 0 };
        if self.arguments[0].is_tuple() && self.arguments[last].is_tuple() {
            let tuple = self.tuple(0, "a tuple")?;
            let mode = if last == 0 { Tuple::leaf(1.into()) } else { self.tuple(last, "a tuple")? };
            return self.scoped.tuple(&joined(&tuple, &mode, change)?);
        }
        let layout = self.domain(0)?;
        let mode = match last {
            0 => Tuple::leaf(SymbolicLeaf::new(1, 0)),
            last => self.layout(last)?.as_tuple().clone(),
        };
        let layout = self.scoped.scope.layout_of(joined(layout.as_tuple(), &mode, change)?)?;
        self.in_place(layout)
    }
}

pub(super) fn einfold(call: &mut NamedCall<'_>) -> Answer {
    let (text, arguments) = (einfold::pattern(call)?, call.arguments);
    call.call.arguments = &arguments[1..2];
    let folded = call.changed(&Change::Einfold(text.clone()));
    call.call.arguments = arguments;
    folded.map_err(|failure| einfold::placed(call, &text, failure))
}

/// A tuple after a change, which gets the places of the leaves.
fn joined<T: Clone>(tuple: &Tuple<T>, mode: &Tuple<T>, change: &Change) -> Result<Tuple<T>, Error> {
    let all = [tuple.leaves(), mode.leaves()].concat();
    let places: Vec<usize> = (0..all.len()).collect();
    let (own, taken) = places.split_at(tuple.leaves().len());
    let [tuple, mode] =
        [(tuple, own), (mode, taken)].map(|(tuple, places)| HTuple::with_profile(tuple.profile(), places, 0));
    let moved = change.of(&tuple?, &mode?)?;
    Tuple::with_profile(moved.profile(), moved.leaves().iter().map(|&place| all[place].clone()).collect())
}

fn product(numbers: &[Number]) -> Result<Number, Error> {
    numbers.iter().try_fold(Number::integer(1), |product, number| product.mul(number))
}

// ---- queries

pub(super) fn size(call: &mut NamedCall<'_>) -> Answer {
    let layout = call.domain(0)?;
    call.scoped.number(call.scoped.scope.size(&layout)?)
}

pub(super) fn rank(call: &mut NamedCall<'_>) -> Answer {
    let rank = match call.content(0) {
        Some(Content::Tiler(_)) => call.tiler(0)?.rank(),
        _ => call.shape(0)?.rank(),
    };
    Ok(Value::integer(rank as i64))
}

pub(super) fn shape(call: &mut NamedCall<'_>) -> Answer {
    let shape = call.shape(0)?;
    call.scoped.tuple(&shape)
}

pub(super) fn stride(call: &mut NamedCall<'_>) -> Answer {
    let layout = call.domain(0)?;
    if layout.leaves().iter().any(|leaf| !leaf.unit.is_one()) {
        return Err(call.refuse(
            "coordinate strides of a layout with names cannot be listed alone; they are part of the layout",
        ));
    }
    call.scoped.tuple(&layout.as_tuple().map(|leaf| leaf.stride.clone()))
}

/// All offsets, as many as a tuple has.
pub(super) fn image(call: &mut NamedCall<'_>) -> Answer {
    let placed = call.placed(0)?;
    let size = call.scoped.scope.size(placed.layout())?;
    let Some(size) = size.as_integer().filter(|size| *size <= MAX_LEAVES as i64) else {
        let size = call.scoped.scope.number_text(&size);
        let most = format!("image lists at most {MAX_LEAVES} offsets with names, and the size is {size}");
        return Err(call.refuse(most));
    };
    let offset = |index: i64| placed.element(&mut call.scoped.scope, &Tuple::leaf(index.into()));
    let offsets: Vec<_> = (0..size).map(offset).collect::<Result<_, Error>>()?;
    call.scoped.tuple(&Tuple::of(&offsets)?)
}

// ---- construction

/// The layout whose offsets are these for all values: its first extent is the first index that has another offset than that
/// multiple of the second.
pub(super) fn from_image(call: &mut NamedCall<'_>) -> Answer {
    let offsets = call.tuple(0, "a list of numbers")?;
    let (start, scope) = (offsets.leaves()[0].clone(), &call.scoped.scope);
    let mut rest: Vec<Number> =
        offsets.leaves().iter().map(|offset| offset.sub(&start)).collect::<Result<_, Error>>()?;
    let same = |left: &Number, right: &Number| Ok(matches!(scope.is_equal(left, right)?, Verdict::Always));
    let mut modes = Vec::new();
    while rest.len() > 1 {
        let mut extent = 2;
        while extent < rest.len() && same(&rest[extent], &rest[1].mul(&(extent as i64).into())?)? {
            extent += 1;
        }
        let adds =
            |index: usize| same(&rest[index], &rest[index % extent].add(&rest[index - index % extent])?);
        let all = (0..rest.len()).map(adds).collect::<Result<Vec<bool>, Error>>()?;
        if !rest.len().is_multiple_of(extent) || all.contains(&false) {
            let reason = "no layout has these offsets for all values of the names";
            return Err(Error::NotXorLinear { reason }.into());
        }
        modes.push(Tuple::leaf(SymbolicLeaf::new(extent as i64, rest[1].clone())));
        rest = rest.into_iter().step_by(extent).collect();
    }
    let layout = scope.layout_of(match &modes[..] {
        [] => Tuple::leaf(SymbolicLeaf::new(1, 0)),
        [mode] => mode.clone(),
        modes => Tuple::of(modes)?,
    })?;
    match start.as_integer() {
        Some(0) => call.made(layout),
        _ => call.scoped.bound(Content::Placed(scope.placed_of(Swizzle::NONE, start, layout)?)),
    }
}

/// `layout(S)`, `layout(S, D)`, `layout(L, M, ...)`.
pub(super) fn make(call: &mut NamedCall<'_>) -> Answer {
    let layout = match call.arguments {
        [shape, stride] if shape.is_tuple() && stride.is_tuple() => call.pair(0)?,
        [_] => call.layout(0)?,
        _ => return concatenated(call),
    };
    call.made(layout)
}

fn concatenated(call: &mut NamedCall<'_>) -> Answer {
    let mut modes = Vec::new();
    for index in 0..call.arguments.len() {
        modes.push(call.layout(index)?.as_tuple().clone());
    }
    let layout = call.scoped.scope.layout_of(Tuple::of(&modes)?)?;
    call.made(layout)
}

/// The layout with several values, which are layouts or shapes, as its modes.
pub(crate) fn concatenate(members: &[Value], names: &Names) -> Answer {
    match members.iter().any(Value::is_symbolic) {
        true => evaluate(OverNames::By(concatenated), "layout", members, &[], names),
        false => parts::concatenate(members),
    }
}

/// Strides of the identity of the same nesting.
pub(super) fn identity(scope: &Scope, shape: &Tuple<Number>) -> Result<SymbolicLayout, Error> {
    let ones = HTuple::with_profile(shape.profile(), &vec![1; shape.leaves().len()], 1)?;
    let identity = Layout::identity(&ones)?;
    let mut units = identity.leaves().iter().map(|leaf| leaf.stride.unit());
    scope.layout_of(shape.map(|extent| SymbolicLeaf {
        unit: units.next().unwrap_or(Unit::ONE),
        ..SymbolicLeaf::new(extent.clone(), 1)
    }))
}

// ---- coordinates

/// The offset of a coordinate, or the part that a coordinate with `_` leaves open.
pub(crate) fn application(names: &Names, function: &Value, coordinate: &Value) -> Answer {
    let arguments = [function.clone(), coordinate.clone()];
    evaluate(OverNames::By(applied), "a layout", &arguments, &[], names)
}

fn applied(call: &mut NamedCall<'_>) -> Answer {
    match is_open(&call.arguments[1]) {
        true => slice(call),
        false => offset(call, 0, 1),
    }
}

fn is_open(value: &Value) -> bool {
    match value {
        Value::Symbolic(own) => {
            matches!(&own.content, Content::Tuple(tuple) if tuple.leaves().iter().any(Option::is_none))
        }
        value => value.is_open(),
    }
}

pub(super) fn offset(call: &mut NamedCall<'_>, function: usize, coordinate: usize) -> Answer {
    let placed = call.placed(function)?;
    let coordinate = call.tuple(coordinate, "a coordinate")?;
    let offset = placed.element(&mut call.scoped.scope, &coordinate)?;
    call.scoped.tuple(&offset)
}

/// `crd2idx(c, S)`, `crd2idx(c, S, D)`, `crd2idx(c, L)`.
pub(super) fn crd2idx(call: &mut NamedCall<'_>) -> Answer {
    if call.count() == 2 {
        return offset(call, 1, 0);
    }
    let layout = call.pair(1)?;
    let coordinate = call.tuple(0, "a coordinate")?;
    let offset = call.scoped.scope.offset(&layout, &coordinate)?;
    call.scoped.number(offset)
}

pub(super) fn idx2crd(call: &mut NamedCall<'_>) -> Answer {
    let shape = call.shape(1)?;
    // Its strides do not matter.
    let layout = call.scoped.scope.layout_of(shape.map(|extent| SymbolicLeaf::new(extent.clone(), 1)))?;
    let index = call.tuple(0, "a coordinate")?;
    let coordinate = call.scoped.scope.idx2crd(&layout, &index)?;
    call.scoped.tuple(&coordinate)
}

pub(super) fn slice(call: &mut NamedCall<'_>) -> Answer {
    let (value, pattern) = match is_open(&call.arguments[0]) && !is_open(&call.arguments[1]) {
        true => (1, 0),
        false => (0, 1),
    };
    let placed = call.placed(value)?;
    let Some(coordinate) = call.scoped.pattern(&call.arguments[pattern])? else {
        return Err(call.wrong(pattern, "a coordinate"));
    };
    call.sliced(&placed, &coordinate, &Guard::ALWAYS)
}

/// One tile, or the tiles that a coordinate leaves open.
pub(super) fn local_tile(call: &mut NamedCall<'_>) -> Answer {
    let (placed, mut tiler) = (call.placed(0)?, call.tiler(1)?);
    let Some(mut coordinate) = call.scoped.pattern(&call.arguments[2])? else {
        return Err(call.wrong(2, "a coordinate"));
    };
    if let Some(projection) = tensors::projection(call)? {
        let tiles = call.tuple(1, "a size for each mode, beside a projection and names,")?;
        let kept = tensors::kept(call, &projection, tiles.rank(), 1)?;
        tensors::kept(call, &projection, coordinate.rank(), 2)?;
        tiler = call.by_modes(&chosen(&tiles, &kept)?)?;
        coordinate = chosen(&coordinate, &kept)?;
    }
    let Found { layout, mut guard } = match call.scoped.scope.zipped_divide(placed.layout(), &tiler) {
        Ok(found) => found,
        Err(refusal) => return Err(call.scoped.refused(&refusal)),
    };
    let (tile, rest) = (layout.as_tuple().mode(0)?, layout.as_tuple().mode(1)?);
    let mut modes = modes_of(&tile)?;
    let mut open = vec![Tuple::leaf(None); modes.len()];
    match coordinate.is_leaf() {
        true => (modes.push(rest), open.push(coordinate)).1,
        false => {
            modes.extend(modes_of(&rest)?);
            open.extend(modes_of(&coordinate)?);
        }
    }
    if open.len() > modes.len() {
        return Err(call.wrong(2, "a coordinate with no more modes than are left of the tiles"));
    }
    open.resize(modes.len(), Tuple::leaf(None));
    for (mode, fixed) in modes.iter().zip(&open) {
        if let (true, [Some(number)]) = (fixed.is_leaf(), fixed.leaves()) {
            let extents: Vec<Number> = mode.leaves().iter().map(|leaf| leaf.extent.clone()).collect();
            guard.push_all(&call.below(2, number, &product(&extents)?)?);
        }
    }
    let tiles = call.scoped.scope.layout_of(Tuple::of(&modes)?)?;
    call.sliced(&placed.with_layout(tiles), &Tuple::of(&open)?, &guard)
}

/// The elements of a thread, whose index may have a name.
pub(super) fn local_partition(call: &mut NamedCall<'_>) -> Answer {
    let (placed, threads, index) = (call.placed(0)?, call.call.layout(1)?, call.number_at(2)?);
    let distinct = threads.filter_zeros();
    let mut guard = call.below(2, &index, &distinct.size().into())?;
    let scope = &mut call.scoped.scope;
    if !distinct.is_compact()? {
        return Err(call.wrong(1, "a compact layout of threads beside names,"));
    }
    // The digits of an index are those of the strides in their order; the last is not wrapped.
    let (mut sizes, mut coordinate) = (Vec::new(), Vec::new());
    for mode in modes_of(scope.constant(&threads)?.as_tuple())? {
        let (mut size, mut own) = (Number::integer(1), Number::integer(0));
        for SymbolicLeaf { extent, stride, .. } in mode.leaves() {
            if stride.as_integer() != Some(0) {
                let end = stride.mul(extent)?;
                let mut digit = scope.floor_div(&index, stride)?;
                if end.as_integer() != Some(distinct.size()) {
                    digit = digit.sub(&extent.mul(&scope.floor_div(&index, &end)?)?)?;
                }
                own = own.add(&size.mul(&digit)?)?;
            }
            size = size.mul(extent)?;
        }
        sizes.push(Tuple::leaf(size));
        coordinate.push(Tuple::leaf(own));
    }
    let (mut sizes, mut coordinate) = (Tuple::of(&sizes)?, Tuple::of(&coordinate)?);
    if let Some(projection) = tensors::projection(call)? {
        let kept = tensors::kept(call, &projection, threads.rank(), 1)?;
        (sizes, coordinate) = (chosen(&sizes, &kept)?, chosen(&coordinate, &kept)?);
    }
    let tiler = call.by_modes(&sizes)?;
    let Found { layout, guard: own } = match call.scoped.scope.tiled_divide(placed.layout(), &tiler) {
        Ok(found) => found,
        Err(refusal) => return Err(call.scoped.refused(&refusal)),
    };
    guard.push_all(&own);
    let mut open = vec![Tuple::leaf(None); layout.rank()];
    open[0] = coordinate.map(|number| Some(number.clone()));
    call.sliced(&placed.with_layout(layout), &Tuple::of(&open)?, &guard)
}

/// The modes of a tuple; of a leaf, itself.
fn modes_of<T: Clone>(tuple: &Tuple<T>) -> Result<Vec<Tuple<T>>, Error> {
    match tuple.is_leaf() {
        true => Ok(vec![tuple.clone()]),
        false => (0..tuple.rank()).map(|index| tuple.mode(index)).collect(),
    }
}

/// Some modes of a tuple.
fn chosen<T: Clone>(tuple: &Tuple<T>, modes: &[usize]) -> Result<Tuple<T>, Error> {
    Tuple::of(&modes.iter().map(|&mode| tuple.mode(mode)).collect::<Result<Vec<_>, _>>()?)
}

pub(super) fn ceil_div(call: &mut NamedCall<'_>) -> Answer {
    let (value, divisor) = (call.number_at(0)?, call.number_at(1)?);
    let quotient = call.scoped.scope.ceil_div(&value, &divisor)?;
    call.scoped.number(quotient)
}

pub(super) fn mode_sizes(call: &mut NamedCall<'_>) -> Answer {
    let shape = call.shape(0)?;
    if shape.is_leaf() {
        return call.scoped.tuple(&shape);
    }
    let size = |index| Ok(Tuple::leaf(product(shape.mode(index)?.leaves())?));
    let sizes: Result<Vec<_>, Error> = (0..shape.rank()).map(size).collect();
    call.scoped.tuple(&Tuple::of(&sizes?)?)
}

// ---- the algebra

pub(super) fn coalesce(call: &mut NamedCall<'_>) -> Answer {
    let layout = call.domain(0)?;
    let coalesced = match call.arguments.get(1) {
        None => call.scoped.scope.coalesce(&layout)?,
        Some(profile) => {
            let pattern = profile.as_profile().ok_or_else(|| call.wrong(1, "a coordinate with `_`"))?;
            call.scoped.scope.coalesce_by_mode(&layout, &pattern)?
        }
    };
    call.in_place(coalesced)
}

/// `A o B`, mode by mode for a tiler; without the offset of `A`.
fn composed(call: &mut NamedCall<'_>) -> Result<Result<Found, Refusal>, Failure> {
    let (left, right) = (call.domain(0)?, call.tiler(1)?);
    Ok(call.scoped.scope.composition_by_mode(&left, &right))
}

pub(super) fn composition(call: &mut NamedCall<'_>) -> Answer {
    if let Value::Swizzle(swizzle) = call.arguments[0] {
        let inner = call.placed(1)?;
        if inner.swizzle() != Swizzle::NONE {
            return Err(call.wrong(1, "a layout"));
        }
        let (offset, layout) = (inner.offset().clone(), inner.layout().clone());
        return call.scoped.bound(Content::Placed(call.scoped.scope.placed_of(swizzle, offset, layout)?));
    }
    let answer = composed(call)?;
    call.answer_in_place(answer)
}

pub(super) fn complement(call: &mut NamedCall<'_>) -> Answer {
    let answer = complemented(call)?;
    call.scoped.answer(answer)
}

fn complemented(call: &mut NamedCall<'_>) -> Result<Result<Found, Refusal>, Failure> {
    if let Some(answer) = call.by_mode(Scope::complement)? {
        return Ok(answer);
    }
    let layout = call.layout(0)?;
    Ok(match call.arguments.len() {
        1 => call.scoped.scope.complement(&layout),
        _ => {
            let shape = call.shape(1)?;
            call.scoped.scope.complement_within(&layout, &shape)
        }
    })
}

/// Coalesced without the modes of stride 0; of each stride it has to be known whether it is.
pub(super) fn filter(call: &mut NamedCall<'_>) -> Answer {
    let (layout, scope) = (call.layout(0)?, &call.scoped.scope);
    for (number, _) in layout.leaves().iter().flat_map(SymbolicLeaf::terms) {
        if matches!(scope.is_equal(number, &0.into())?, Verdict::When(_) | Verdict::Open) {
            let stride = scope.number_text(number);
            return Err(
                call.refuse(format!("the stride {stride} may be 0; write `assume {stride} >= 1` before it"))
            );
        }
    }
    let filtered = |scope: &mut Scope, layout: &SymbolicLayout| {
        let is_zero = |number: &Number| Ok(matches!(scope.is_equal(number, &0.into())?, Verdict::Always));
        let filtered = layout.as_tuple().try_map(|leaf| {
            let zeros: Vec<bool> =
                leaf.terms().map(|(number, _)| is_zero(number)).collect::<Result<_, Error>>()?;
            Ok::<_, Error>(if zeros.contains(&false) { leaf.clone() } else { SymbolicLeaf::new(1, 0) })
        })?;
        let layout = scope.coalesce(&scope.layout_of(filtered)?)?;
        Ok(Found { layout, guard: Guard::ALWAYS })
    };
    let answer = match call.by_mode(filtered)? {
        Some(answer) => answer,
        None => filtered(&mut call.scoped.scope, &layout),
    };
    call.scoped.answer(answer)
}

pub(super) fn right_inverse(call: &mut NamedCall<'_>) -> Answer {
    if let Some(answer) = call.by_mode(Scope::right_inverse)? {
        return call.scoped.answer(answer);
    }
    let placed = call.only()?;
    let answer = call.scoped.scope.right_inverse(placed.layout());
    call.inverse_behind(placed.swizzle(), answer)
}

/// Behind an offset, where that is a multiple of what the last mode of the inverse divides by: only its coordinate is another.
pub(super) fn left_inverse(call: &mut NamedCall<'_>) -> Answer {
    if let Some(answer) = call.by_mode(Scope::left_inverse)? {
        return call.scoped.answer(answer);
    }
    let mut placed = call.placed(0)?;
    if call.count() > 1 || placed.swizzle() != Swizzle::NONE {
        placed = call.only()?;
    }
    let scope = &mut call.scoped.scope;
    let found = match scope.left_inverse(placed.layout()) {
        Ok(found) if !placed.is_at_origin() => found,
        answer => return call.inverse_behind(placed.swizzle(), answer),
    };
    let [before @ .., last] = found.layout.leaves() else { return call.scoped.answer(Ok(found)) };
    let extents: Vec<Number> = before.iter().map(|leaf| leaf.extent.clone()).collect();
    let bound = product(&extents)?;
    let steps = scope.ceil_div(placed.start()?, &bound)?;
    if !matches!(scope.is_equal(&steps.mul(&bound)?, placed.start()?)?, Verdict::Always) {
        let [offset, bound] = [placed.start()?, &bound].map(|number| scope.number_text(number));
        return Err(call.refuse(format!(
            "the offset {offset} is not known to be a multiple of {bound}, which its left inverse divides by"
        )));
    }
    let offset = Number::integer(0).sub(&last.stride.mul(&steps)?)?;
    let mut leaves = found.layout.leaves().to_vec();
    if matches!(scope.is_at_least(&steps, &0.into())?, Verdict::Always) {
        leaves[before.len()].extent = last.extent.add(&steps)?;
    }
    let layout = scope.layout_of(Tuple::with_profile(found.layout.profile(), leaves)?)?;
    let shifted = scope.placed_of(Swizzle::NONE, offset, layout)?;
    call.scoped.made(Content::Placed(shifted), &found.guard)
}

/// The right inverse, if it is as large as the layout; of the conditions for that, the first of each clause.
pub(super) fn inverse(call: &mut NamedCall<'_>) -> Answer {
    let placed = call.only()?;
    let (layout, scope) = (placed.layout(), &mut call.scoped.scope);
    let mut is_bijective = Verdict::Never;
    if layout.leaves().iter().any(|leaf| leaf.unit.depth() > 0) {
        // Onto the coordinates of a shape: no right inverse is larger than the layout.
        let mut right = match scope.right_inverse(layout) {
            Ok(right) => right,
            refusal => return call.scoped.answer(refusal),
        };
        match scope.is_equal(&scope.size(&right.layout)?, &scope.size(layout)?)? {
            Verdict::Always => return call.scoped.answer(Ok(right)),
            Verdict::When(guard) => {
                right.guard = guard;
                return call.scoped.answer(Ok(right));
            }
            _ => {}
        }
    } else {
        is_bijective = placed.is_compact(scope)?;
    }
    let guard = match is_bijective {
        Verdict::Always => Guard::ALWAYS,
        Verdict::When(guard) => scope.reduced(&guard.first_alternatives())?,
        _ => {
            let values = scope.values(&[])?;
            let Err(error) = layout.instance(&values)?.inverse() else {
                return Err(Error::NoInverse { reason: "the layout is not known to be compact" }.into());
            };
            let value =
                |name: &str| Some(format!("{name} = {}", scope.value(&scope.find(name)?, &values).ok()??));
            let at: Vec<String> = scope.names().filter_map(value).collect();
            return Err(Failure::other("no-inverse", format!("{error}, at {}", at.join(", "))));
        }
    };
    scope.assume_guard(&guard)?;
    let answer = match scope.right_inverse(layout) {
        Ok(answer) => Found { guard, ..answer },
        refusal => return call.scoped.answer(refusal),
    };
    match scope.is_equal(&scope.size(&answer.layout)?, &scope.size(layout)?)? {
        Verdict::Always => call.inverse_behind(placed.swizzle(), Ok(answer)),
        _ => Err(Error::NoInverse { reason: "the layout is not known to be compact" }.into()),
    }
}

pub(super) fn common_vector(call: &mut NamedCall<'_>) -> Answer {
    let (left, right) = (call.layout(0)?, call.layout(1)?);
    match call.scoped.scope.common_layout(&left, &right) {
        Ok(answer) => {
            let size = call.scoped.scope.size(&answer.layout)?;
            call.scoped.made(Content::Number(size), &answer.guard)
        }
        Err(refusal) => Err(call.scoped.refused(&refusal)),
    }
}

// ---- questions

pub(super) fn fits(call: &mut NamedCall<'_>) -> Answer {
    let (layout, bits) = (call.layout(0)?, call.integer(1)?);
    let bits = u32::try_from(bits).map_err(|_| call.wrong(1, "a number of bits"))?;
    call.scoped.verdict(call.scoped.scope.fits(&layout, bits)?)
}

pub(super) fn is_vector(call: &mut NamedCall<'_>) -> Answer {
    let (layout, width) = (call.layout(0)?, call.integer(1)?);
    call.scoped.verdict(call.scoped.scope.is_vector(&layout, width)?)
}

/// The width for all values; `is_vector` returns the condition of a larger one.
pub(super) fn max_vector(call: &mut NamedCall<'_>) -> Answer {
    let (layout, limit) = (call.layout(0)?, call.integer(1)?);
    if limit < 1 {
        return Err(call.wrong(1, "a limit of 1 or more"));
    }
    let width = call.scoped.scope.max_vector(&layout, limit)?;
    call.scoped.number(width.into())
}

pub(super) fn coalesce_extended(call: &mut NamedCall<'_>) -> Answer {
    let layout = call.layout(0)?;
    call.made(call.scoped.scope.coalesce_extended(&layout)?)
}

/// Whether there is an answer: the guard of its layout.
fn exists(call: &NamedCall<'_>, answer: Result<Found, Refusal>) -> Answer {
    match answer {
        Ok(answer) => call.scoped.verdict(Verdict::When(answer.guard)),
        Err(Refusal::Never(_)) => call.scoped.verdict(Verdict::Never),
        Err(refusal) => Err(call.scoped.refused(&refusal)),
    }
}

pub(super) fn is_composable(call: &mut NamedCall<'_>) -> Answer {
    let answer = composed(call)?;
    exists(call, answer)
}

pub(super) fn is_complementable(call: &mut NamedCall<'_>) -> Answer {
    if call.count() > 1 {
        call.shape(1)?;
    }
    let answer = complemented(call)?;
    exists(call, answer)
}

/// Whether a question has the answer yes for each leaf of the first tuple and the size of what the second has there.
fn each_leaf(
    call: &NamedCall<'_>,
    [coarse, fine]: [&Tuple<Number>; 2],
    question: fn(&Scope, &Number, &Number) -> Result<[Verdict; 2], Error>,
) -> Answer {
    if !coarse.weakly_congruent(fine) {
        return call.scoped.verdict(Verdict::Never);
    }
    let (mut parts, mut guard, mut open) = (vec![(coarse.clone(), fine.clone())], Guard::ALWAYS, false);
    while let Some((coarse, fine)) = parts.pop() {
        if !coarse.is_leaf() {
            for index in (0..coarse.rank()).rev() {
                parts.push((coarse.mode(index)?, fine.mode(index)?));
            }
            continue;
        }
        for verdict in question(&call.scoped.scope, &coarse.leaves()[0], &product(fine.leaves())?)? {
            match verdict {
                Verdict::Always => {}
                Verdict::When(own) => guard.push_all(&own),
                Verdict::Never => return call.scoped.verdict(Verdict::Never),
                Verdict::Open => open = true,
            }
        }
    }
    call.scoped.verdict(if open { Verdict::Open } else { Verdict::When(guard) })
}

pub(super) fn compatible(call: &mut NamedCall<'_>) -> Answer {
    let (coarse, fine) = (call.shape(0)?, call.shape(1)?);
    each_leaf(call, [&coarse, &fine], |scope, extent, size| {
        Ok([scope.is_equal(extent, size)?, Verdict::Always])
    })
}

pub(super) fn in_bounds(call: &mut NamedCall<'_>) -> Answer {
    let (coordinate, shape) = (call.tuple(0, "a coordinate")?, call.shape(1)?);
    each_leaf(call, [&coordinate, &shape], |scope, index, size| {
        Ok([scope.is_at_least(index, &0.into())?, scope.is_at_least(size, &index.plus(1)?)?])
    })
}
