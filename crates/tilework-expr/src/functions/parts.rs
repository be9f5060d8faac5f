//! Extracting parts of layouts and tuples, and concatenating them.

use super::call::{Answer, Call};
use crate::error::Failure;
use crate::value::Value;
use tilework::__private::Atom;
use tilework::{Error, HTuple, Layout, MAX_LEAVES};

/// The part at a path.
pub(crate) fn part(value: &Value, path: &[usize]) -> Answer {
    match value {
        Value::Tuple(tuple) => Ok(Value::from(tuple.get(path)?)),
        Value::Tiler(tiler) => {
            let mut tiler = **tiler;
            for &index in path {
                tiler = tiler.mode(index)?;
            }
            Ok(Value::tiler(tiler)?)
        }
        _ => match value.domain() {
            Some(layout) => Ok(value.with_domain(layout.get(path)?)?),
            None => {
                let message = format!("{} has no modes", value.kind());
                Err(Failure::Argument { index: 0, message, help: None })
            }
        },
    }
}

pub(super) fn get(call: &Call) -> Answer {
    part(&call.arguments[0], &call.own_indices(1)?)
}

/// The layout with several values, which are layouts or shapes, as its modes.
pub(super) fn concatenate(members: &[Value]) -> Answer {
    if members.len() > MAX_LEAVES {
        return Err(Failure::Core(Error::Capacity { what: "modes in a layout", limit: MAX_LEAVES }));
    }
    let mut layouts = Vec::new();
    for (index, member) in members.iter().enumerate() {
        match member.as_layout() {
            Some(layout) => layouts.push(layout?),
            None => {
                let message = format!("the modes of a layout are layouts; found {}", member.kind());
                return Err(Failure::Argument { index, message, help: None });
            }
        }
    }
    Ok(Value::from(Layout::concatenate(&layouts)?))
}

/// An operation on the modes of a tuple, or of the layout of a value's coordinates.
fn on_modes(
    call: &Call,
    on_tuple: impl FnOnce(&HTuple<Atom>) -> Result<HTuple<Atom>, Error>,
    on_layout: impl FnOnce(&Layout) -> Result<Layout, Error>,
) -> Answer {
    match &call.arguments[0] {
        Value::Tuple(tuple) => Ok(Value::from(on_tuple(tuple)?)),
        value => Ok(value.with_domain(on_layout(&*call.domain(0)?)?)?),
    }
}

pub(super) fn flatten(call: &Call) -> Answer {
    on_modes(call, |tuple| Ok(tuple.flatten()), |layout| Ok(layout.flatten()))
}

pub(super) fn unflatten(call: &Call) -> Answer {
    let profile = match &call.arguments[1] {
        Value::Tuple(tuple) => *tuple.profile(),
        _ => *call.domain(1)?.profile(),
    };
    on_modes(call, |tuple| tuple.unflatten(&profile), |layout| layout.unflatten(&profile))
}

/// `begin..end` of `group<1,3>(L)`, `group(L,1,3)`.
pub(super) fn range(call: &Call) -> Result<(usize, usize), Failure> {
    match call.own_indices(1)?[..] {
        [begin, end] => Ok((begin, end)),
        _ => {
            Err(call
                .refuse(format!("{} takes the first mode and the end, one past the last mode", call.name)))
        }
    }
}

/// `begin..end` of the modes in a tuple, if there is one: `group(L, (0,1))`.
pub(super) fn modes_to_group(arguments: &[Value]) -> Result<Option<(usize, usize)>, Failure> {
    let [_, Value::Tuple(modes)] = arguments else { return Ok(None) };
    if modes.is_leaf() {
        return Ok(None);
    }
    let index =
        |atom: &Atom| if let Atom::Integer(index) = *atom { usize::try_from(index).ok() } else { None };
    let indices: Option<Vec<usize>> = modes.leaves().iter().map(index).collect();
    if let (1, Some([first, rest @ ..])) = (modes.depth(), indices.as_deref())
        && rest.iter().zip(1..).all(|(index, step)| Some(*index) == first.checked_add(step))
        && let Some(end) = first.checked_add(modes.rank())
    {
        return Ok(Some((*first, end)));
    }
    let found = &arguments[1];
    let message = format!(
        "group takes adjacent modes in their order, as (0,1), since their leaves keep it; found {found}, and select(L, ...) reorders modes"
    );
    Err(Failure::Other { code: "arguments", message })
}

pub(super) fn group(call: &Call) -> Answer {
    let (begin, end) = modes_to_group(call.arguments)?.map_or_else(|| range(call), Ok)?;
    on_modes(call, |tuple| tuple.group(begin, end), |layout| layout.group(begin, end))
}

pub(super) fn take(call: &Call) -> Answer {
    let (begin, end) = range(call)?;
    on_modes(call, |tuple| tuple.take(begin, end), |layout| layout.take(begin, end))
}

pub(super) fn select(call: &Call) -> Answer {
    let modes = call.own_indices(1)?;
    if modes.is_empty() {
        return Err(call.refuse("select takes the modes to keep"));
    }
    on_modes(call, |tuple| tuple.select(&modes), |layout| layout.select(&modes))
}

pub(super) fn append(call: &Call) -> Answer {
    grow(call, |layout, mode| layout.append(mode), |tuple, mode| tuple.append(mode))
}

pub(super) fn prepend(call: &Call) -> Answer {
    grow(call, |layout, mode| layout.prepend(mode), |tuple, mode| tuple.prepend(mode))
}

fn grow(
    call: &Call,
    grow_layout: impl Fn(&Layout, &Layout) -> Result<Layout, Error>,
    grow_tuple: impl Fn(&HTuple<Atom>, &HTuple<Atom>) -> Result<HTuple<Atom>, Error>,
) -> Answer {
    if let [rank] = *call.indices {
        return pad(call, rank, grow_layout, grow_tuple);
    }
    second(call)?;
    match (&call.arguments[0], &call.arguments[1]) {
        (Value::Tuple(tuple), Value::Tuple(mode)) => Ok(Value::from(grow_tuple(tuple, mode)?)),
        (value, _) => Ok(value.with_domain(grow_layout(&*call.domain(0)?, &*call.layout(1)?)?)?),
    }
}

fn second(call: &Call) -> Result<(), Failure> {
    if call.count() == 2 {
        return Ok(());
    }
    Err(call.refuse(format!(
        "write {0}(L, M) for one more mode, or {0}<N>(L) for modes 1:0 up to rank N",
        call.name
    )))
}

/// CuTe's `append<N>(L)`: modes `1:0`, for a tuple `1`, up to rank `N`; or the second argument.
fn pad(
    call: &Call,
    rank: usize,
    grow_layout: impl Fn(&Layout, &Layout) -> Result<Layout, Error>,
    grow_tuple: impl Fn(&HTuple<Atom>, &HTuple<Atom>) -> Result<HTuple<Atom>, Error>,
) -> Answer {
    if let Value::Tuple(tuple) = &call.arguments[0] {
        let mut tuple = **tuple;
        let filler = match call.arguments.get(1) {
            Some(Value::Tuple(filler)) => **filler,
            Some(_) => return Err(call.wrong(1, "a tuple")),
            None => HTuple::leaf(Atom::Integer(1)),
        };
        while tuple.rank() < rank {
            tuple = grow_tuple(&tuple, &filler)?;
        }
        return Ok(Value::from(tuple));
    }
    let mut layout = *call.domain(0)?;
    let filler = if call.count() == 2 { *call.layout(1)? } else { Layout::UNIT };
    while layout.rank() < rank {
        layout = grow_layout(&layout, &filler)?;
    }
    Ok(call.arguments[0].with_domain(layout)?)
}

pub(super) fn replace(call: &Call) -> Answer {
    let index = match *call.indices {
        [index] => index,
        _ if call.count() == 3 => call.index(1)?,
        _ => return Err(call.refuse("write replace(L, index, M) or replace<index>(L, M)")),
    };
    let mode = call.count() - 1;
    match (&call.arguments[0], &call.arguments[mode]) {
        (Value::Tuple(tuple), Value::Tuple(mode)) => Ok(Value::from(tuple.replace(index, mode)?)),
        (value, _) => Ok(value.with_domain(call.domain(0)?.replace(index, &*call.layout(mode)?)?)?),
    }
}
