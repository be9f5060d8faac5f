//! Extracting parts of layouts and tuples, and concatenating them.

use super::call::{Answer, Call, Operand};
use crate::error::Failure;
use crate::value::Value;
use tilework::__private::Atom;
use tilework::{Error, HTuple, Layout, MAX_LEAVES, Profile};

/// A change of a tuple that moves its leaves, or takes in those of another tuple, whatever they are.
pub(super) enum Change {
    Get(Vec<usize>),
    Flatten,
    Unflatten(Profile),
    Group(usize, usize),
    Take(usize, usize),
    Select(Vec<usize>),
    /// One more mode at the end, or modes up to a rank.
    Append(Option<usize>),
    /// One more mode in front, or modes up to a rank.
    Prepend(Option<usize>),
    Replace(usize),
    /// By a pattern.
    Einfold(String),
}

impl Change {
    /// Whether it takes in another tuple: the last argument.
    pub fn takes_mode(&self) -> bool {
        matches!(self, Change::Append(_) | Change::Prepend(_) | Change::Replace(_))
    }

    /// A tuple after the change, with the leaves of `mode` if it takes them in.
    pub fn of<T: Copy>(&self, tuple: &HTuple<T>, mode: &HTuple<T>) -> Result<HTuple<T>, Error> {
        match self {
            Change::Get(path) => tuple.get(path),
            Change::Flatten => Ok(tuple.flatten()),
            Change::Unflatten(profile) => tuple.unflatten(profile),
            Change::Group(begin, end) => tuple.group(*begin, *end),
            Change::Take(begin, end) => tuple.take(*begin, *end),
            Change::Select(modes) => tuple.select(modes),
            Change::Append(rank) => grown(tuple, *rank, |tuple| tuple.append(mode)),
            Change::Prepend(rank) => grown(tuple, *rank, |tuple| tuple.prepend(mode)),
            Change::Replace(index) => tuple.replace(*index, mode),
            Change::Einfold(pattern) => tilework::Einfold::parse(pattern)?.tuple(tuple),
        }
    }
}

/// A tuple with one more mode, or with modes up to a rank.
fn grown<T: Copy>(
    tuple: &HTuple<T>,
    rank: Option<usize>,
    grow: impl Fn(&HTuple<T>) -> Result<HTuple<T>, Error>,
) -> Result<HTuple<T>, Error> {
    let mut grown = *tuple;
    while grown.rank() < rank.unwrap_or(tuple.rank() + 1) {
        grown = grow(&grown)?;
    }
    Ok(grown)
}

/// The change of the first argument: of a tuple, or of the layout of a value's coordinates.
pub(super) fn changed(call: &Call, change: &Change) -> Answer {
    let value = &call.arguments[0];
    let last = if change.takes_mode() { call.count() - 1 } else { 0 };
    match (value, &call.arguments[last]) {
        (Value::Tiler(tiler), _) if let Change::Get(path) = change => {
            let mut tiler = **tiler;
            for &index in path {
                tiler = tiler.mode(index)?;
            }
            Ok(Value::tiler(tiler)?)
        }
        (Value::Tuple(tuple), Value::Tuple(mode)) => {
            let one = HTuple::leaf(Atom::Integer(1));
            Ok(Value::from(change.of(tuple, if last == 0 { &one } else { mode })?))
        }
        (value, _) => {
            let mode = if last == 0 { Operand::Own(&Layout::UNIT) } else { call.layout(last)? };
            let changed = change.of(call.domain(0)?.as_tuple(), mode.as_tuple())?;
            Ok(value.with_domain(Layout::new(changed)?)?)
        }
    }
}

/// The part at a path.
pub(crate) fn part(value: &Value, path: &[usize]) -> Answer {
    if !matches!(value, Value::Tuple(_) | Value::Tiler(_)) && value.domain().is_none() {
        return Err(Failure::argument(0, format!("{} has no modes", value.kind())));
    }
    let call = Call { name: "get", arguments: std::slice::from_ref(value), indices: &[] };
    changed(&call, &Change::Get(path.to_vec()))
}

/// The layout with several values, which are layouts or shapes, as its modes.
pub(super) fn concatenate(members: &[Value]) -> Answer {
    if members.len() > MAX_LEAVES {
        return Err(Failure::Core(Error::Capacity { what: "modes in a layout", limit: MAX_LEAVES }));
    }
    let mut layouts = Vec::new();
    for (index, member) in members.iter().enumerate() {
        layouts.push(member.layout_where(index, "the modes of a layout are layouts")?);
    }
    Ok(Value::from(Layout::concatenate(&layouts)?))
}

pub(super) fn unflatten(call: &Call) -> Result<Change, Failure> {
    Ok(Change::Unflatten(match &call.arguments[1] {
        Value::Tuple(tuple) => *tuple.profile(),
        _ => *call.domain(1)?.profile(),
    }))
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
    Err(Failure::other("arguments", message))
}

pub(super) fn group(call: &Call) -> Result<Change, Failure> {
    let (begin, end) = modes_to_group(call.arguments)?.map_or_else(|| range(call), Ok)?;
    Ok(Change::Group(begin, end))
}

pub(super) fn select(call: &Call) -> Result<Change, Failure> {
    match call.own_indices(1)? {
        modes if modes.is_empty() => Err(call.refuse("select takes the modes to keep")),
        modes => Ok(Change::Select(modes)),
    }
}

/// CuTe's `append<N>(L)`, with modes `1:0`, for a tuple `1`, up to rank `N`, or the second argument; and `append(L, M)`.
pub(super) fn up_to_rank(call: &Call) -> Result<Option<usize>, Failure> {
    let tuple_and_other = matches!(call.arguments, [first, second] if first.is_tuple() && !second.is_tuple());
    match (call.indices, call.count()) {
        ([_], _) if tuple_and_other => Err(call.wrong(1, "a tuple")),
        ([rank], _) => Ok(Some(*rank)),
        (_, 2) => Ok(None),
        _ => Err(call.refuse(format!(
            "write {0}(L, M) for one more mode, or {0}<N>(L) for modes 1:0 up to rank N",
            call.name
        ))),
    }
}

pub(super) fn replace(call: &Call) -> Result<Change, Failure> {
    match *call.indices {
        [index] => Ok(Change::Replace(index)),
        _ if call.count() == 3 => Ok(Change::Replace(call.index(1)?)),
        _ => Err(call.refuse("write replace(L, index, M) or replace<index>(L, M)")),
    }
}
