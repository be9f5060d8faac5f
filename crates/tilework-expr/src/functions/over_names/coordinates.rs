//! Layouts with names of shapes, strides and offsets, and their coordinates.

use super::{NamedCall, OverNames, evaluate};
use crate::functions::call::Answer;
use crate::functions::parts;
use crate::names::Names;
use crate::symbolic::Content;
use crate::value::Value;
use tilework::{Error, HTuple, Layout, Swizzle, Unit};
use tilework_symbolic::{Number, Scope, SymbolicLayout, SymbolicLeaf, Tuple, Verdict};

/// The layout whose offsets are these for all values: its first extent is the first index that has another offset than that
/// multiple of the second.
pub(crate) fn from_image(call: &mut NamedCall<'_>) -> Answer {
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
pub(crate) fn make(call: &mut NamedCall<'_>) -> Answer {
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
pub(crate) fn identity(scope: &Scope, shape: &Tuple<Number>) -> Result<SymbolicLayout, Error> {
    let ones = HTuple::with_profile(shape.profile(), &vec![1; shape.leaves().len()], 1)?;
    let identity = Layout::identity(&ones)?;
    let mut units = identity.leaves().iter().map(|leaf| leaf.stride.unit());
    scope.layout_of(shape.map(|extent| SymbolicLeaf {
        unit: units.next().unwrap_or(Unit::ONE),
        ..SymbolicLeaf::new(extent.clone(), 1)
    }))
}

pub(crate) fn offset(call: &mut NamedCall<'_>, function: usize, coordinate: usize) -> Answer {
    let placed = call.placed(function)?;
    let coordinate = call.coordinate(coordinate)?;
    let offset = placed.element(&mut call.scoped.scope, &coordinate)?;
    call.scoped.tuple(&offset)
}

/// The offset of the coordinate in a layout with these strides.
pub(crate) fn inner_product(call: &mut NamedCall<'_>) -> Answer {
    let coordinate = call.coordinate(0)?;
    let Some(strides) = call.scoped.strides(&call.arguments[1])? else {
        return Err(call.wrong(1, "a tuple of strides"));
    };
    let ones = coordinate.map(|_| Number::integer(1));
    let layout = call.scoped.scope.pair(&ones, &strides)?;
    let offset = call.scoped.scope.element(&layout, &coordinate)?;
    call.scoped.tuple(&offset)
}

/// `crd2idx(c, S)`, `crd2idx(c, S, D)`, `crd2idx(c, L)`.
pub(crate) fn crd2idx(call: &mut NamedCall<'_>) -> Answer {
    let layout = match call.count() {
        2 if call.arguments[1].is_tuple() => {
            let shape = call.extents(1)?;
            call.scoped.scope.column_major(&shape)?
        }
        2 => return offset(call, 1, 0),
        _ => call.pair(1)?,
    };
    let coordinate = call.coordinate(0)?;
    let offset = call.scoped.scope.element(&layout, &coordinate)?;
    call.scoped.tuple(&offset)
}

pub(crate) fn idx2crd(call: &mut NamedCall<'_>) -> Answer {
    let shape = call.extents(1)?;
    // Its strides do not matter.
    let layout = call.scoped.scope.layout_of(shape.map(|extent| SymbolicLeaf::new(extent.clone(), 1)))?;
    let index = call.tuple(0, "a coordinate")?;
    let coordinate = call.scoped.scope.idx2crd(&layout, &index)?;
    call.scoped.tuple(&coordinate)
}
