//! Calls with names in their arguments: the operations of `tilework_symbolic`, a scope for each call.

use super::call::Answer;
use super::parts::modes_to_group;
use crate::error::Failure;
use crate::symbolic::{Names, Scoped, Symbolic, SymbolicKind, guard_text, members, one_of_each};
use crate::value::Value;
use tilework::{Error, HTuple, Pattern, PatternLeaf, Unit};
use tilework_symbolic::{Number, Refusal, Scope, SymbolicLayout, SymbolicLeaf, SymbolicTiler, Verdict};

/// The symbolic operation of a function.
#[derive(Clone, Copy)]
pub(super) enum OverNames {
    /// From a layout to a number.
    Number(fn(&mut Scope, &SymbolicLayout) -> Result<Number, Error>),
    /// From a layout to the layout for all values.
    Same(fn(&mut Scope, &SymbolicLayout) -> Result<SymbolicLayout, Error>),
    /// From a layout to an answer.
    One(fn(&mut Scope, &SymbolicLayout) -> Result<tilework_symbolic::Answer, Refusal>),
    /// Of two layouts.
    Two(fn(&mut Scope, &SymbolicLayout, &SymbolicLayout) -> Result<tilework_symbolic::Answer, Refusal>),
    /// By a tiler.
    Tiled(fn(&mut Scope, &SymbolicLayout, &SymbolicTiler) -> Result<tilework_symbolic::Answer, Refusal>),
    /// A question about a layout.
    Ask(fn(&mut Scope, &SymbolicLayout) -> Result<Verdict, Error>),
    /// A question about two layouts.
    Question(fn(&mut Scope, &SymbolicLayout, &SymbolicLayout) -> Result<Verdict, Error>),
    /// By a separate function.
    By(fn(&mut NamedCall<'_>) -> Answer),
}

/// A call with a name in an argument.
pub(super) struct NamedCall<'a> {
    name: &'static str,
    arguments: &'a [Value],
    indices: &'a [usize],
    scoped: Scoped,
}

/// The value of a call.
pub(super) fn evaluate(
    operation: OverNames,
    name: &'static str,
    arguments: &[Value],
    indices: &[usize],
    names: &Names,
) -> Answer {
    let mut call = NamedCall { name, arguments, indices, scoped: names.scoped() };
    for argument in arguments {
        if let Value::Symbolic(symbolic) = argument {
            call.scoped.under(symbolic)?;
        }
    }
    match operation {
        OverNames::Number(operation) => {
            let layout = call.layout(0)?;
            let number = operation(&mut call.scoped.scope, &layout)?;
            call.number(number)
        }
        OverNames::Same(operation) => {
            let layout = call.layout(0)?;
            let layout = operation(&mut call.scoped.scope, &layout)?;
            call.made(&layout)
        }
        OverNames::One(operation) => {
            let layout = call.layout(0)?;
            let answer = operation(&mut call.scoped.scope, &layout);
            call.answer(answer)
        }
        OverNames::Two(operation) => {
            let (left, right) = (call.domain(0)?, call.layout(1)?);
            let answer = operation(&mut call.scoped.scope, &left, &right);
            call.answer_behind_offset(answer)
        }
        OverNames::Tiled(operation) => {
            let (layout, tiler) = (call.domain(0)?, call.tiler(1)?);
            let answer = operation(&mut call.scoped.scope, &layout, &tiler);
            call.answer_behind_offset(answer)
        }
        OverNames::Ask(question) => {
            let layout = call.layout(0)?;
            let verdict = question(&mut call.scoped.scope, &layout)?;
            call.verdict(verdict)
        }
        OverNames::Question(question) => {
            let (left, right) = (call.layout(0)?, call.layout(1)?);
            let verdict = question(&mut call.scoped.scope, &left, &right)?;
            call.verdict(verdict)
        }
        OverNames::By(evaluate) => evaluate(&mut call),
    }
}

impl NamedCall<'_> {
    fn symbolic(&self, index: usize) -> Option<&Symbolic> {
        match &self.arguments[index] {
            Value::Symbolic(symbolic) => Some(symbolic),
            _ => None,
        }
    }

    fn wrong(&self, index: usize, wanted: &str) -> Failure {
        let kind = self.arguments[index].kind();
        let message = format!("argument {} of {} is {kind} where {wanted} is wanted", index + 1, self.name);
        Failure::Argument { index, message, help: None }
    }

    /// An argument as a layout; a tuple of extents is compact.
    fn layout(&mut self, index: usize) -> Result<SymbolicLayout, Failure> {
        match &self.arguments[index] {
            Value::Symbolic(symbolic) => match symbolic.kind() {
                SymbolicKind::Layout | SymbolicKind::Number | SymbolicKind::Tuple => {
                    Ok(self.scoped.scope.layout(symbolic.text())?)
                }
                _ => Err(self.wrong(index, "a layout")),
            },
            value => match value.as_layout() {
                Some(layout) => Ok(self.scoped.scope.constant(&layout?)?),
                None => Err(self.wrong(index, "a layout")),
            },
        }
    }

    /// The layout of an argument's coordinates.
    fn domain(&mut self, index: usize) -> Result<SymbolicLayout, Failure> {
        match self.symbolic(index) {
            Some(symbolic) if symbolic.kind() == SymbolicKind::View => {
                let text = symbolic.text().to_owned();
                Ok(self.scoped.scope.layout(&text)?)
            }
            _ => self.layout(index),
        }
    }

    fn tiler(&mut self, index: usize) -> Result<SymbolicTiler, Failure> {
        if let Some(symbolic) = self.symbolic(index) {
            return match symbolic.kind() {
                SymbolicKind::Layout => Ok(self.layout(index)?.as_tiler()),
                SymbolicKind::Number | SymbolicKind::Tuple | SymbolicKind::Tiler => {
                    let text = Scoped::tiles(symbolic.text()).into_owned();
                    Ok(self.scoped.scope.tiler(&text)?)
                }
                _ => Err(self.wrong(index, "a tiler (a layout, an extent, or `<...>`)")),
            };
        }
        match self.arguments[index].as_tiler() {
            Some(tiler) => Ok(self.scoped.scope.constant_tiler(&tiler?)?),
            None => Err(self.wrong(index, "a tiler (a layout, an extent, or `<...>`)")),
        }
    }

    /// An argument as a tuple of numbers; for a layout, its shape.
    fn tuple(&mut self, index: usize, wanted: &str) -> Result<HTuple<Number>, Failure> {
        let text = match &self.arguments[index] {
            Value::Symbolic(symbolic) => match symbolic.kind() {
                SymbolicKind::Number | SymbolicKind::Tuple => symbolic.text().to_owned(),
                _ => return Err(self.wrong(index, wanted)),
            },
            Value::Tuple(tuple) if tuple.integers(0).is_ok() => self.arguments[index].to_string(),
            _ => return Err(self.wrong(index, wanted)),
        };
        Ok(self.scoped.read_tuple(&text)?)
    }

    fn shape(&mut self, index: usize) -> Result<HTuple<Number>, Failure> {
        let is_layout = matches!(self.symbolic(index), Some(own) if matches!(own.kind(), SymbolicKind::Layout | SymbolicKind::View));
        if is_layout || self.arguments[index].domain().is_some() {
            let layout = self.domain(index)?;
            return Ok(self.leaves(&layout, |leaf| leaf.extent)?);
        }
        self.tuple(index, "a shape")
    }

    fn number_at(&mut self, index: usize) -> Result<Number, Failure> {
        let tuple = self.tuple(index, "a number")?;
        match tuple.leaves() {
            [number] => Ok(*number),
            _ => Err(self.wrong(index, "a number")),
        }
    }

    /// One number per leaf.
    fn leaves(
        &mut self,
        layout: &SymbolicLayout,
        number: impl Fn(&SymbolicLeaf) -> Number,
    ) -> Result<HTuple<Number>, Error> {
        let filler = self.scoped.scope.integer(1)?;
        one_of_each(layout, filler, number)
    }

    /// The indices in `<...>`, or the integers from argument `first` on.
    fn own_indices(&self, first: usize) -> Result<Vec<usize>, Failure> {
        if !self.indices.is_empty() {
            return Ok(self.indices.to_vec());
        }
        let mut indices = Vec::new();
        for index in first..self.arguments.len() {
            let wrong = || self.wrong(index, "an index of 0 or more");
            let tuple = self.arguments[index].as_coord().ok_or_else(wrong)?;
            for &leaf in tuple.leaves() {
                indices.push(usize::try_from(leaf).map_err(|_| wrong())?);
            }
        }
        Ok(indices)
    }

    fn number(&self, number: Number) -> Answer {
        Ok(Value::settled(self.scoped.number(number)?)?)
    }

    fn numbers(&self, tuple: &HTuple<Number>) -> Answer {
        Ok(Value::settled(self.scoped.tuple(tuple)?)?)
    }

    fn made(&self, layout: &SymbolicLayout) -> Answer {
        Ok(Value::settled(self.scoped.layout(layout)?)?)
    }

    /// A layout in the place of the first argument's, with the same offset.
    fn behind_offset(&self, layout: &SymbolicLayout) -> Answer {
        self.answer_behind_offset(Ok(tilework_symbolic::Answer {
            layout: *layout,
            guard: tilework_symbolic::Guard::ALWAYS,
        }))
    }

    fn answer(&self, answer: Result<tilework_symbolic::Answer, Refusal>) -> Answer {
        match answer {
            Ok(answer) => Ok(Value::settled(self.scoped.answer(&answer)?)?),
            Err(refusal) => Err(self.scoped.refused(&refusal)),
        }
    }

    fn answer_behind_offset(&self, answer: Result<tilework_symbolic::Answer, Refusal>) -> Answer {
        let Some(offset) = self.symbolic(0).and_then(Symbolic::offset) else { return self.answer(answer) };
        match answer {
            Ok(answer) => {
                let layout = self.scoped.answer(&answer)?;
                let guard = layout.guard().to_vec();
                Ok(Value::settled(Symbolic::view(offset, layout.text()).with_guard(guard))?)
            }
            Err(refusal) => Err(self.scoped.refused(&refusal)),
        }
    }

    fn verdict(&self, verdict: Verdict) -> Answer {
        Ok(match self.scoped.verdict(verdict)? {
            Ok(truth) => Value::Bool(truth),
            Err(symbolic) => Value::Symbolic(Box::new(symbolic)),
        })
    }

    fn refuse(&self, message: impl Into<String>) -> Failure {
        Failure::Other { code: "arguments", message: message.into() }
    }

    /// The leaves of the first argument in another tuple.
    fn moved(
        &mut self,
        change: impl FnOnce(&HTuple<SymbolicLeaf>) -> Result<HTuple<SymbolicLeaf>, Error>,
        change_tuple: impl FnOnce(&HTuple<Number>) -> Result<HTuple<Number>, Error>,
    ) -> Answer {
        if matches!(self.symbolic(0), Some(own) if matches!(own.kind(), SymbolicKind::Number | SymbolicKind::Tuple))
        {
            let tuple = self.tuple(0, "a tuple")?;
            return self.numbers(&change_tuple(&tuple)?);
        }
        let layout = self.domain(0)?;
        let layout = self.scoped.scope.layout_of(change(layout.as_tuple())?)?;
        self.behind_offset(&layout)
    }
}

// ---- queries

pub(super) fn size(call: &mut NamedCall<'_>) -> Answer {
    let layout = call.domain(0)?;
    let size = call.scoped.scope.size(&layout)?;
    call.number(size)
}

fn count(call: &mut NamedCall<'_>, count: impl Fn(&SymbolicLayout) -> usize) -> Answer {
    match call.symbolic(0).map(Symbolic::kind) {
        Some(SymbolicKind::Tiler) => Ok(Value::integer(call.tiler(0)?.rank() as i64)),
        Some(SymbolicKind::Tuple) => {
            let tuple = call.tuple(0, "a tuple")?;
            let one = call.scoped.scope.integer(1)?;
            let leaf = |extent: Number| SymbolicLeaf { extent, stride: one, unit: Unit::ONE };
            let leaves: Vec<SymbolicLeaf> = tuple.leaves().iter().map(|&extent| leaf(extent)).collect();
            let tuple = HTuple::with_profile(tuple.profile(), &leaves, leaf(one))?;
            Ok(Value::integer(count(&call.scoped.scope.layout_of(tuple)?) as i64))
        }
        _ => Ok(Value::integer(count(&call.domain(0)?) as i64)),
    }
}

pub(super) fn rank(call: &mut NamedCall<'_>) -> Answer {
    count(call, SymbolicLayout::rank)
}

pub(super) fn depth(call: &mut NamedCall<'_>) -> Answer {
    count(call, SymbolicLayout::depth)
}

pub(super) fn shape(call: &mut NamedCall<'_>) -> Answer {
    let shape = call.shape(0)?;
    call.numbers(&shape)
}

pub(super) fn stride(call: &mut NamedCall<'_>) -> Answer {
    let layout = call.domain(0)?;
    if layout.leaves().iter().any(|leaf| !leaf.unit.is_one()) {
        return Err(call.refuse(
            "coordinate strides of a layout with names cannot be listed alone; they are part of the layout",
        ));
    }
    let strides = call.leaves(&layout, |leaf| leaf.stride)?;
    call.numbers(&strides)
}

pub(super) fn span(call: &mut NamedCall<'_>) -> Answer {
    let layout = call.layout(0)?;
    let scope = &mut call.scoped.scope;
    let (low, high, one) = (scope.min_offset(&layout)?, scope.max_offset(&layout)?, scope.integer(1)?);
    let distance = scope.sub(high, low)?;
    let span = scope.add(distance, one)?;
    call.number(span)
}

// ---- construction

/// `layout(S)`, `layout(S, D)`, `layout(L, M, ...)`.
pub(super) fn make(call: &mut NamedCall<'_>) -> Answer {
    let is_tuple = |value: &Value| match value {
        Value::Symbolic(own) => matches!(own.kind(), SymbolicKind::Number | SymbolicKind::Tuple),
        value => matches!(value, Value::Tuple(_)),
    };
    if let [shape, stride] = call.arguments
        && is_tuple(shape)
        && is_tuple(stride)
    {
        let text = format!("{}:{}", bare(shape), bare(stride));
        let layout = call.scoped.scope.layout(&text)?;
        return call.made(&layout);
    }
    if call.arguments.len() == 1 {
        let layout = call.layout(0)?;
        return call.made(&layout);
    }
    concatenated(call)
}

/// A value without its guard.
fn bare(value: &Value) -> String {
    match value {
        Value::Symbolic(symbolic) => symbolic.text().to_owned(),
        value => value.to_string(),
    }
}

fn concatenated(call: &mut NamedCall<'_>) -> Answer {
    let mut modes = Vec::new();
    for index in 0..call.arguments.len() {
        modes.push(*call.layout(index)?.as_tuple());
    }
    let layout = call.scoped.scope.layout_of(HTuple::tuple(&modes)?)?;
    call.made(&layout)
}

/// The modes of a layout.
pub(crate) fn concatenate(names: &Names, members: &[Value]) -> Answer {
    evaluate(OverNames::By(concatenated), "layout", members, &[], names)
}

fn compact(call: &mut NamedCall<'_>, backwards: bool) -> Answer {
    let shape = call.shape(0)?;
    let scope = &mut call.scoped.scope;
    let mut size = scope.integer(1)?;
    let mut leaves: Vec<SymbolicLeaf> =
        shape.leaves().iter().map(|&extent| SymbolicLeaf { extent, stride: size, unit: Unit::ONE }).collect();
    for place in 0..leaves.len() {
        let index = if backwards { leaves.len() - 1 - place } else { place };
        leaves[index].stride = size;
        size = scope.mul(size, leaves[index].extent)?;
    }
    let filler = SymbolicLeaf { extent: size, stride: size, unit: Unit::ONE };
    let layout = scope.layout_of(HTuple::with_profile(shape.profile(), &leaves, filler)?)?;
    call.made(&layout)
}

pub(super) fn column_major(call: &mut NamedCall<'_>) -> Answer {
    compact(call, false)
}

pub(super) fn row_major(call: &mut NamedCall<'_>) -> Answer {
    compact(call, true)
}

/// Strides of the identity of the same nesting.
pub(super) fn identity(call: &mut NamedCall<'_>) -> Answer {
    let shape = call.shape(0)?;
    let ones = HTuple::with_profile(shape.profile(), &vec![1; shape.leaves().len()], 1)?;
    let identity = tilework::Layout::identity(&ones)?;
    let one = call.scoped.scope.integer(1)?;
    let leaf = |(&extent, leaf): (&Number, &tilework::Leaf)| SymbolicLeaf {
        extent,
        stride: one,
        unit: leaf.stride.unit(),
    };
    let leaves: Vec<SymbolicLeaf> = shape.leaves().iter().zip(identity.leaves()).map(leaf).collect();
    let filler = SymbolicLeaf { extent: one, stride: one, unit: Unit::ONE };
    let layout = call.scoped.scope.layout_of(HTuple::with_profile(shape.profile(), &leaves, filler)?)?;
    call.made(&layout)
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
            own.kind() == SymbolicKind::Tuple && own.text().split(['(', ',', ')']).any(|part| part == "_")
        }
        value => value.is_open(),
    }
}

fn offset(call: &mut NamedCall<'_>, function: usize, coordinate: usize) -> Answer {
    let layout = call.domain(function)?;
    let coordinate = call.tuple(coordinate, "a coordinate")?;
    let offset = call.scoped.scope.offset(&layout, &coordinate)?;
    let offset = with_own_offset(call, function, offset)?;
    call.number(offset)
}

/// An offset and that of a view.
fn with_own_offset(call: &mut NamedCall<'_>, function: usize, offset: Number) -> Result<Number, Failure> {
    match call.symbolic(function).and_then(Symbolic::offset).map(str::to_owned) {
        Some(own) => {
            let own = call.scoped.scope.number(&own)?;
            Ok(call.scoped.scope.add(own, offset)?)
        }
        None => Ok(offset),
    }
}

pub(super) fn evaluate_call(call: &mut NamedCall<'_>) -> Answer {
    offset(call, 0, 1)
}

/// `crd2idx(c, S)`, `crd2idx(c, S, D)`, `crd2idx(c, L)`.
pub(super) fn crd2idx(call: &mut NamedCall<'_>) -> Answer {
    if call.arguments.len() == 3 {
        let text = format!("{}:{}", bare(&call.arguments[1]), bare(&call.arguments[2]));
        let layout = call.scoped.scope.layout(&text)?;
        let coordinate = call.tuple(0, "a coordinate")?;
        let offset = call.scoped.scope.offset(&layout, &coordinate)?;
        return call.number(offset);
    }
    offset(call, 1, 0)
}

pub(super) fn idx2crd(call: &mut NamedCall<'_>) -> Answer {
    let shape = call.shape(1)?;
    let one = call.scoped.scope.integer(1)?;
    let leaf = |extent: Number| SymbolicLeaf { extent, stride: one, unit: Unit::ONE };
    let leaves: Vec<SymbolicLeaf> = shape.leaves().iter().map(|&extent| leaf(extent)).collect();
    let layout = call.scoped.scope.layout_of(HTuple::with_profile(shape.profile(), &leaves, leaf(one))?)?;
    let index = call.tuple(0, "a coordinate")?;
    let coordinate = call.scoped.scope.idx2crd(&layout, &index)?;
    call.numbers(&coordinate)
}

pub(super) fn slice(call: &mut NamedCall<'_>) -> Answer {
    let (value, pattern) = match is_open(&call.arguments[0]) && !is_open(&call.arguments[1]) {
        true => (1, 0),
        false => (0, 1),
    };
    let layout = call.domain(value)?;
    let text = bare(&call.arguments[pattern]);
    let mut fixed = Vec::new();
    let pattern = pattern_of(&mut call.scoped, &text, &mut fixed)?;
    let (offset, rest) = call.scoped.scope.slice(&layout, &pattern, &fixed)?;
    let offset = with_own_offset(call, value, offset)?;
    Ok(Value::settled(call.scoped.view(offset, &rest)?)?)
}

/// A coordinate with `_` as a pattern, and the numbers in it.
fn pattern_of(scoped: &mut Scoped, text: &str, fixed: &mut Vec<Number>) -> Result<Pattern, Failure> {
    if text == "_" {
        return Ok(HTuple::leaf(PatternLeaf::All));
    }
    match members(text) {
        Some(parts) => {
            let modes: Result<Vec<Pattern>, Failure> = parts
                .into_iter()
                .take(tilework::MAX_LEAVES + 1)
                .map(|part| pattern_of(scoped, part, fixed))
                .collect();
            Ok(HTuple::tuple(&modes?)?)
        }
        None => {
            fixed.push(scoped.scope.number(text)?);
            Ok(HTuple::leaf(PatternLeaf::At(0)))
        }
    }
}

pub(super) fn ceil_div(call: &mut NamedCall<'_>) -> Answer {
    let (value, divisor) = (call.number_at(0)?, call.number_at(1)?);
    let quotient = call.scoped.scope.ceil_div(value, divisor)?;
    call.number(quotient)
}

pub(super) fn mode_sizes(call: &mut NamedCall<'_>) -> Answer {
    let shape = call.shape(0)?;
    if shape.is_leaf() {
        return call.numbers(&shape);
    }
    let mut sizes = Vec::new();
    for index in 0..shape.rank() {
        let mut size = call.scoped.scope.integer(1)?;
        for &extent in shape.mode(index)?.leaves() {
            size = call.scoped.scope.mul(size, extent)?;
        }
        sizes.push(HTuple::leaf(size));
    }
    call.numbers(&HTuple::tuple(&sizes)?)
}

// ---- parts

/// The part at a path.
pub(super) fn part(names: &Names, value: &Value, path: &[usize]) -> Answer {
    evaluate(OverNames::By(get), "get", std::slice::from_ref(value), path, names)
}

pub(super) fn get(call: &mut NamedCall<'_>) -> Answer {
    let path = call.own_indices(1)?;
    call.moved(|tuple| tuple.get(&path), |tuple| tuple.get(&path))
}

pub(super) fn flatten(call: &mut NamedCall<'_>) -> Answer {
    call.moved(|tuple| Ok(tuple.flatten()), |tuple| Ok(tuple.flatten()))
}

fn range(call: &NamedCall<'_>) -> Result<(usize, usize), Failure> {
    match call.own_indices(1)?[..] {
        [begin, end] => Ok((begin, end)),
        _ => {
            Err(call
                .refuse(format!("{} takes the first mode and the end, one past the last mode", call.name)))
        }
    }
}

pub(super) fn group(call: &mut NamedCall<'_>) -> Answer {
    let (begin, end) = modes_to_group(call.arguments)?.map_or_else(|| range(call), Ok)?;
    call.moved(|tuple| tuple.group(begin, end), |tuple| tuple.group(begin, end))
}

pub(super) fn take(call: &mut NamedCall<'_>) -> Answer {
    let (begin, end) = range(call)?;
    call.moved(|tuple| tuple.take(begin, end), |tuple| tuple.take(begin, end))
}

pub(super) fn select(call: &mut NamedCall<'_>) -> Answer {
    let modes = call.own_indices(1)?;
    if modes.is_empty() {
        return Err(call.refuse("select takes the modes to keep"));
    }
    call.moved(|tuple| tuple.select(&modes), |tuple| tuple.select(&modes))
}

pub(super) fn append(call: &mut NamedCall<'_>) -> Answer {
    grow(call, |tuple, mode| tuple.append(mode))
}

pub(super) fn prepend(call: &mut NamedCall<'_>) -> Answer {
    grow(call, |tuple, mode| tuple.prepend(mode))
}

fn grow(
    call: &mut NamedCall<'_>,
    grow: impl Fn(&HTuple<SymbolicLeaf>, &HTuple<SymbolicLeaf>) -> Result<HTuple<SymbolicLeaf>, Error>,
) -> Answer {
    let mut tuple = *call.domain(0)?.as_tuple();
    let filler = match call.arguments.len() {
        2 => *call.layout(1)?.as_tuple(),
        _ => *call.scoped.scope.constant(&tilework::Layout::UNIT)?.as_tuple(),
    };
    match (call.indices, call.arguments.len()) {
        ([rank], _) => {
            while tuple.rank() < *rank {
                tuple = grow(&tuple, &filler)?;
            }
        }
        (_, 2) => tuple = grow(&tuple, &filler)?,
        _ => return Err(call.refuse(format!("write {}(L, M) for one more mode", call.name))),
    }
    let layout = call.scoped.scope.layout_of(tuple)?;
    call.behind_offset(&layout)
}

pub(super) fn replace(call: &mut NamedCall<'_>) -> Answer {
    let index = match call.indices {
        [index] => *index,
        _ if call.arguments.len() == 3 => {
            let index = call.arguments[1].as_integer().and_then(|index| usize::try_from(index).ok());
            index.ok_or_else(|| call.wrong(1, "an index of 0 or more"))?
        }
        _ => return Err(call.refuse("write replace(L, index, M) or replace<index>(L, M)")),
    };
    let mode = *call.layout(call.arguments.len() - 1)?.as_tuple();
    let layout = call.domain(0)?;
    let layout = call.scoped.scope.layout_of(layout.as_tuple().replace(index, &mode)?)?;
    call.behind_offset(&layout)
}

// ---- the algebra

pub(super) fn coalesce(call: &mut NamedCall<'_>) -> Answer {
    let layout = call.domain(0)?;
    let coalesced = match call.arguments.get(1) {
        None => call.scoped.scope.coalesce(&layout)?,
        Some(profile) => {
            let pattern = profile.as_pattern().ok_or_else(|| call.wrong(1, "a coordinate with `_`"))?;
            call.scoped.scope.coalesce_by_mode(&layout, &pattern)?
        }
    };
    call.behind_offset(&coalesced)
}

/// `A o B`, mode by mode for a tiler; without the offset of `A`.
fn composed(call: &mut NamedCall<'_>) -> Result<Result<tilework_symbolic::Answer, Refusal>, Failure> {
    let left = call.domain(0)?;
    let is_layout = match &call.arguments[1] {
        Value::Symbolic(own) => own.kind() == SymbolicKind::Layout,
        value => matches!(value, Value::Layout(_)),
    };
    Ok(if is_layout {
        let right = call.layout(1)?;
        call.scoped.scope.composition(&left, &right)
    } else {
        let tiler = call.tiler(1)?;
        call.scoped.scope.composition_by_mode(&left, &tiler)
    })
}

pub(super) fn composition(call: &mut NamedCall<'_>) -> Answer {
    let answer = composed(call)?;
    call.answer_behind_offset(answer)
}

pub(super) fn complement(call: &mut NamedCall<'_>) -> Answer {
    let layout = call.layout(0)?;
    if call.arguments.len() == 1 {
        let answer = call.scoped.scope.complement(&layout);
        return call.answer(answer);
    }
    let shape = call.shape(1)?;
    let mut total = call.scoped.scope.integer(1)?;
    for &extent in shape.leaves() {
        total = call.scoped.scope.mul(total, extent)?;
    }
    let answer = call.scoped.scope.complement_within(&layout, total);
    call.answer(answer)
}

/// The right inverse, if it is as large as the layout; of the conditions for that, the first of each clause.
pub(super) fn inverse(call: &mut NamedCall<'_>) -> Answer {
    let layout = call.layout(0)?;
    let guard = match call.scoped.scope.is_compact(&layout)? {
        Verdict::Always => tilework_symbolic::Guard::ALWAYS,
        Verdict::When(guard) => {
            let firsts =
                call.scoped.clauses(&guard).into_iter().map(|mut clause| vec![clause.swap_remove(0)]);
            let firsts: Vec<_> = firsts.collect();
            call.scoped.scope.guard(&guard_text(&firsts))?
        }
        _ => return Err(Error::NoInverse { reason: "the layout is not compact" }.into()),
    };
    call.scoped.scope.assume_guard(&guard)?;
    let answer = match call.scoped.scope.right_inverse(&layout) {
        Ok(answer) => tilework_symbolic::Answer { guard, ..answer },
        refusal => return call.answer(refusal),
    };
    let scope = &mut call.scoped.scope;
    let (size, whole) = (scope.size(&answer.layout)?, scope.size(&layout)?);
    match scope.is_equal(size, whole)? {
        Verdict::Always => call.answer(Ok(answer)),
        _ => Err(Error::NoInverse { reason: "the layout is not known to be compact" }.into()),
    }
}

pub(super) fn common_vector(call: &mut NamedCall<'_>) -> Answer {
    let (left, right) = (call.layout(0)?, call.layout(1)?);
    match call.scoped.scope.common_layout(&left, &right) {
        Ok(answer) => {
            let size = call.scoped.scope.size(&answer.layout)?;
            let size = call.scoped.number(size)?;
            Ok(Value::settled(call.scoped.made(size, &answer.guard))?)
        }
        Err(refusal) => Err(call.scoped.refused(&refusal)),
    }
}

// ---- questions

/// An integer literal.
fn written(call: &NamedCall<'_>, index: usize) -> Result<i64, Failure> {
    call.arguments[index].as_integer().ok_or_else(|| call.wrong(index, "an integer"))
}

pub(super) fn fits(call: &mut NamedCall<'_>) -> Answer {
    let (layout, bits) = (call.layout(0)?, written(call, 1)?);
    let bits = u32::try_from(bits).map_err(|_| call.wrong(1, "a number of bits"))?;
    let verdict = call.scoped.scope.fits(&layout, bits)?;
    call.verdict(verdict)
}

pub(super) fn is_vector(call: &mut NamedCall<'_>) -> Answer {
    let (layout, width) = (call.layout(0)?, written(call, 1)?);
    let verdict = call.scoped.scope.is_vector(&layout, width)?;
    call.verdict(verdict)
}

/// The width for all values; `is_vector` returns the condition of a larger one.
pub(super) fn max_vector(call: &mut NamedCall<'_>) -> Answer {
    let (layout, limit) = (call.layout(0)?, written(call, 1)?);
    if limit < 1 {
        return Err(call.wrong(1, "a limit of 1 or more"));
    }
    let width = call.scoped.scope.max_vector(&layout, limit)?;
    let width = call.scoped.scope.integer(width)?;
    call.number(width)
}

pub(super) fn is_injective(call: &mut NamedCall<'_>) -> Answer {
    // Adding an offset is injective.
    let layout = call.domain(0)?;
    let verdict = call.scoped.scope.is_injective(&layout)?;
    call.verdict(verdict)
}

/// Whether there is a composition: the guard of its layout.
pub(super) fn is_composable(call: &mut NamedCall<'_>) -> Answer {
    match composed(call)? {
        Ok(answer) if answer.guard.is_always() => call.verdict(Verdict::Always),
        Ok(answer) => call.verdict(Verdict::When(answer.guard)),
        Err(Refusal::Never(_)) => call.verdict(Verdict::Never),
        Err(refusal) => Err(call.scoped.refused(&refusal)),
    }
}

pub(super) fn congruent(call: &mut NamedCall<'_>) -> Answer {
    let (first, second) = (call.shape(0)?, call.shape(1)?);
    Ok(Value::Bool(first.congruent(&second)))
}

pub(super) fn weakly_congruent(call: &mut NamedCall<'_>) -> Answer {
    let (first, second) = (call.shape(0)?, call.shape(1)?);
    Ok(Value::Bool(first.weakly_congruent(&second)))
}
