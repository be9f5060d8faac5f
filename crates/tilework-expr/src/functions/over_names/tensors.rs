//! Slices, tiles, and the shares of threads, of layouts with names.

use super::coordinates::offset;
use super::{NamedCall, OverNames, evaluate, product};
use crate::functions::call::Answer;
use crate::functions::tensors;
use crate::names::Names;
use crate::pointer::{Memory, Pointer};
use crate::symbolic::Content;
use crate::tensor;
use crate::value::Value;
use tilework::{Error, Swizzle};
use tilework_symbolic::{Answer as Found, Guard, Number, SymbolicLeaf, Tuple};

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

pub(crate) fn slice(call: &mut NamedCall<'_>) -> Answer {
    let (value, pattern) = match is_open(&call.arguments[0]) && !is_open(&call.arguments[1]) {
        true => (1, 0),
        false => (0, 1),
    };
    let placed = call.placed(value)?;
    let Some(coordinate) = call.scoped.pattern(&call.arguments[pattern])? else {
        return Err(call.wrong(pattern, "a coordinate"));
    };
    call.sliced(value, &placed, &coordinate, &Guard::ALWAYS)
}

/// One tile, or the tiles that a coordinate leaves open.
pub(crate) fn local_tile(call: &mut NamedCall<'_>) -> Answer {
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
    // The modes of what is left of one mode depend on the values: only an index into it means the same for all.
    let is_index = |mode: Result<Tuple<Option<Number>>, Error>| mode.is_ok_and(|mode| mode.is_leaf());
    let by_index = coordinate.is_leaf()
        || tiler.is_by_mode() && (0..coordinate.rank()).all(|mode| is_index(coordinate.mode(mode)));
    let is_known = placed.layout().as_constant().is_some() && tiler.as_constant().is_some();
    if !by_index && !is_known {
        return Err(call.wrong(2, "one index, or `_`, for each mode that the tiler divides, beside names,"));
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
    call.sliced(0, &placed.with_layout(tiles), &Tuple::of(&open)?, &guard)
}

/// The elements of a thread, whose index may have a name.
pub(crate) fn local_partition(call: &mut NamedCall<'_>) -> Answer {
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
    call.sliced(0, &placed.with_layout(layout), &Tuple::of(&open)?, &guard)
}

/// `make_tensor(pointer, layout)`, `make_tensor(coordinate, layout)`, and `make_tensor<bits>(layout)`.
pub(crate) fn make_tensor(call: &mut NamedCall<'_>) -> Answer {
    let first = usize::from(call.indices.is_empty());
    if call.count() == first {
        return Err(tensors::without_elements(call));
    }
    let layout = match call.arguments[first..] {
        [_] => call.function(first)?,
        _ => Content::Layout(call.pair(first)?),
    };
    match &call.arguments[0] {
        _ if first == 0 => {
            let bits = tensors::width(call, 0)?;
            tensor::of(Pointer::new(Memory::Register, bits), &call.scoped.bound(layout)?)
        }
        Value::Pointer(pointer) => tensor::of(*pointer, &call.scoped.bound(layout)?),
        _ => {
            let offset =
                call.tuple(0, "a pointer, as ptr[32b] or make_gmem_ptr<float>(A), or a coordinate")?;
            let Content::Layout(layout) = layout else {
                return Err(call.wrong(first, "a layout without an offset"));
            };
            let placed = call.scoped.scope.placed_of(Swizzle::NONE, offset, layout)?;
            call.scoped.bound(match placed.is_at_origin() {
                true => Content::Layout(placed.layout().clone()),
                false => Content::Placed(placed),
            })
        }
    }
}

/// `make_fragment(layout, bits)`.
pub(crate) fn make_fragment(call: &mut NamedCall<'_>) -> Answer {
    let (bits, layout) = (tensors::width(call, 1)?, call.function(0)?);
    tensor::of(Pointer::new(Memory::Register, bits), &call.scoped.bound(layout)?)
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
