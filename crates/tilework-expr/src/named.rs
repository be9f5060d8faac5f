//! Values on named axes: made of what TIRx and TileLang write, and written for them.

use crate::axes::{Axes, MEMORY, component, with_strides};
use crate::error::Failure;
use crate::value::Value;
use std::fmt;
use tilework::{Error, HTuple, Layout, Leaf, Offset, Rational, Stride, Swizzle, Unit, View};

/// TileLang's axis of threads.
pub(crate) const THREAD: &str = "thread";

/// TileLang's axis of memory or of a thread's registers; further ones are numbered, `index1`.
pub(crate) const REGISTER: &str = "index";

/// The value of a layout and its replicas, whose components are `names`, and an offset. Without replicas, what is only along
/// `m` is a layout of memory.
pub(crate) fn named(
    names: &[String],
    layout: &Layout,
    replicas: Option<Layout>,
    offset: &[i64],
) -> Result<Value, Error> {
    let mut order: Vec<usize> = Vec::new();
    let moved = (layout.leaves().iter().chain(replicas.iter().flat_map(|own| own.leaves())))
        .flat_map(|leaf| leaf.stride.terms())
        .map(component);
    let shifted = (0..names.len()).filter(|&axis| offset[axis] != 0);
    let unused = (0..names.len()).filter(|&axis| names[axis] != MEMORY);
    for axis in moved.chain(shifted).chain(unused) {
        if !order.contains(&axis) {
            order.push(axis);
        }
    }
    let place = |axis: usize| order.iter().position(|&own| own == axis).unwrap_or(axis);
    let is_memory = replicas.is_none() && order.iter().all(|&axis| names[axis] == MEMORY);
    let renamed = |layout: &Layout| {
        with_strides(layout, |stride| {
            stride.terms().try_fold(Stride::ZERO, |sum, term| {
                let path = [place(component(term))];
                sum.add(Stride::new(term.count(), Unit::basis(if is_memory { &[] } else { &path })?)?)
            })
        })
    };
    let layout = renamed(layout)?;
    let offsets: Vec<i64> = order.iter().map(|&axis| offset[axis]).collect();
    let inner = match offsets.iter().all(|&offset| offset == 0) {
        true => Value::from(layout),
        false => {
            let leaves: Vec<Offset> =
                offsets.iter().map(|&offset| HTuple::leaf(Rational::integer(offset))).collect();
            let offset = if is_memory { leaves[0] } else { HTuple::tuple(&leaves)? };
            Value::from(View::new(offset, layout)?)
        }
    };
    if is_memory {
        return Ok(inner);
    }
    let replicas = replicas.as_ref().map(renamed).transpose()?;
    let names = order.iter().map(|&axis| names[axis].clone()).collect();
    Ok(Value::Named(Axes { names, replicas }.into(), Box::new(inner)))
}

/// What both notations are written from: leaves along the axes, the replicas, and the offset of each axis.
struct Parts {
    axes: Axes,
    layout: Layout,
    offset: Vec<i64>,
}

impl Parts {
    /// Those of a layout of any kind without swizzle; of numbers and of coordinates without names, if `names` has them.
    fn of(value: &Value, names: Vec<String>) -> Result<Parts, Failure> {
        let axes = match value {
            Value::Named(axes, _) => Axes::clone(axes),
            _ => Axes { names, replicas: None },
        };
        let count = axes.names.len();
        let (layout, offset) = match value.untyped() {
            Value::View(view) => (*view.layout(), Some(view.offset())),
            inner => (inner.layout_where(0, "expected a layout without swizzle")?, None),
        };
        for (index, leaf) in layout.leaves().iter().enumerate() {
            let unit = leaf.stride.unit();
            let fits = leaf.stride.is_zero()
                || !leaf.stride.is_sum()
                    && !unit.is_xor()
                    && unit.depth() <= 1
                    && leaf.stride.count().is_integer()
                    && component(leaf.stride) < count;
            if !fits {
                let message = format!(
                    "leaf {index} has the stride {}, and this form needs a multiple of one of {count} axes",
                    leaf.stride
                );
                return Err(Failure::argument(0, message));
            }
        }
        if let Some(wrong) = offset.iter().flat_map(|offset| offset.leaves()).find(|own| !own.is_integer()) {
            return Err(Failure::argument(0, format!("the offset {wrong} is no integer")));
        }
        let offset = axes.offset(offset);
        Ok(Parts { axes, layout, offset })
    }

    /// The largest offset along an axis, and one more.
    fn extent(&self, axis: usize) -> Result<i64, Error> {
        let all = self.layout.leaves().iter().chain(self.axes.replicas.iter().flat_map(|own| own.leaves()));
        let mut extent = i128::from(self.offset[axis]) + 1;
        for leaf in all.filter(|leaf| component(leaf.stride) == axis) {
            let (count, step) = (i128::from(leaf.extent) - 1, i128::from(leaf.stride.count().numerator()));
            if step < 0 && count > 0 {
                let found = leaf.stride.count().numerator();
                let (operation, expected) = ("an axis of TileLang", "a stride of 0 or more");
                return Err(Error::Argument { operation, expected, found });
            }
            extent = extent.saturating_add(count.saturating_mul(step));
        }
        i64::try_from(extent).map_err(|_| Error::TooLarge { what: "the extent of an axis" })
    }

    /// The formula of an axis in TileLang's words: terms from the largest stride on.
    fn formula(&self, axis: usize) -> String {
        let mut terms = Vec::new();
        let modes = (0..self.layout.rank()).filter_map(|mode| self.layout.mode(mode).ok());
        let variables = modes.enumerate().map(|(mode, own)| (variable(mode), own));
        for (name, mode) in variables.chain(self.axes.replicas.map(|own| ("_rep".into(), own))) {
            let (size, mut before) = (mode.size(), 1);
            for Leaf { extent, stride } in mode.leaves().iter().filter(|leaf| leaf.extent > 1) {
                let end = before * extent;
                let step = stride.count().numerator();
                if step != 0 && component(*stride) == axis {
                    let modulus = if end < size { format!(" % {end}") } else { String::new() };
                    let divisor = if before > 1 { format!(" // {before}") } else { String::new() };
                    let factor = if step != 1 { format!(" * {step}") } else { String::new() };
                    terms.push((step, format!("{name}{modulus}{divisor}{factor}")));
                }
                before = end;
            }
        }
        tilework::__private::sort_by_key(&mut terms, |(step, _)| std::cmp::Reverse(*step));
        let mut terms: Vec<String> = terms.into_iter().map(|(_, term)| term).collect();
        if self.offset[axis] != 0 || terms.is_empty() {
            terms.push(self.offset[axis].to_string());
        }
        terms.join(" + ")
    }

    fn input_shape(&self) -> String {
        let sizes = (0..self.layout.rank()).filter_map(|mode| self.layout.mode(mode).ok());
        listed(sizes.map(|mode| mode.size()))
    }
}

/// TileLang's name of a dimension: `_i`, `_j`, ...
pub(crate) fn variable(mode: usize) -> String {
    format!("_{}", char::from(b'i' + mode as u8))
}

/// The most dimensions that have a name.
pub(crate) const MAX_DIMENSIONS: usize = (b'z' - b'i') as usize + 1;

/// `[16, 64]`.
pub(crate) fn listed(members: impl Iterator<Item = impl fmt::Display>) -> String {
    format!("[{}]", members.map(|member| member.to_string()).collect::<Vec<_>>().join(", "))
}

/// The value in TIRx's notation: the leaves of a mode from the last to the first, because TIRx divides an index that way.
pub(crate) fn to_tirx(value: &Value) -> Result<String, Failure> {
    let numbers = |swizzle: &Swizzle| {
        format!("{}, {}, {}", swizzle.base(), swizzle.bits(), swizzle.shift().unsigned_abs())
    };
    let layout_of = |swizzle: &Swizzle| {
        format!("SwizzleLayout({}{})", numbers(swizzle), if swizzle.shift() < 0 { ", False" } else { "" })
    };
    match value.untyped() {
        Value::Swizzle(swizzle) => return Ok(layout_of(swizzle)),
        Value::Composed(own) if own.offset() == 0 => {
            let (swizzle, tile) = (own.swizzle(), to_tirx(&Value::from(*own.layout()))?);
            let swizzle = if swizzle.shift() < 0 { layout_of(&swizzle) } else { numbers(&swizzle) };
            return Ok(format!("ComposeLayout({swizzle}, TileLayout({tile}))"));
        }
        _ => {}
    }
    let mut parts = Parts::of(value, vec![MEMORY.to_owned()])?;
    let mut leaves = Vec::new();
    for mode in 0..parts.layout.rank() {
        leaves.extend(parts.layout.mode(mode)?.leaves().iter().rev());
    }
    let leaf = |leaf: &Leaf| {
        let stride = if leaf.stride.is_zero() { Stride::ZERO } else { leaf.stride };
        HTuple::leaf(Leaf { stride, ..*leaf })
    };
    parts.layout = Layout::new(match &leaves[..] {
        [only] => leaf(only),
        _ => HTuple::tuple(&leaves.iter().map(leaf).collect::<Vec<_>>())?,
    })?;
    Ok(parts.axes.written(&parts.layout, &parts.offset))
}

/// The value as TileLang prints it: a fragment if it has threads, and else a layout.
pub(crate) fn to_tilelang(value: &Value) -> Result<String, Failure> {
    let components = value.domain().map_or(1, |layout| {
        let terms = layout.leaves().iter().flat_map(|leaf| leaf.stride.terms());
        terms.map(component).max().map_or(1, |last| last + 1)
    });
    let parts = Parts::of(value, vec![String::new(); components])?;
    let rank = parts.layout.rank();
    if rank > MAX_DIMENSIONS {
        return Err(Error::Capacity { what: "dimensions of TileLang", limit: MAX_DIMENSIONS }.into());
    }
    let thread = parts.axes.names.iter().position(|name| name == THREAD);
    let foreign = |name: &&String| *name != THREAD && !name.is_empty() && !name.starts_with(REGISTER);
    let wrong = match parts.axes.names.iter().find(foreign) {
        Some(name) => Some(format!("and this layout has `{name}`")),
        None if thread.is_none() && parts.axes.replicas.is_some() => {
            Some("and replicas are along the first".into())
        }
        None => None,
    };
    if let Some(wrong) = wrong {
        let message = format!("TileLang has the axes `{THREAD}`, `{REGISTER}`, `{REGISTER}1`, .., {wrong}");
        return Err(Failure::argument(0, message));
    }
    let mut outputs: Vec<usize> = (0..parts.axes.names.len()).filter(|axis| Some(*axis) != thread).collect();
    outputs.sort_by_key(|&axis| (parts.axes.names[axis].len(), &parts.axes.names[axis]));
    let extents: Vec<i64> = outputs.iter().map(|&axis| parts.extent(axis)).collect::<Result<_, _>>()?;
    let formulas = listed(outputs.iter().map(|&axis| parts.formula(axis)));
    let shapes = format!("{} -> {}", parts.input_shape(), listed(extents.iter()));
    let Some(thread) = thread else {
        let variables = listed((0..rank).map(variable));
        return Ok(format!("Layout({shapes}, transform: {variables} -> {formulas})"));
    };
    let (threads, replicas) = (parts.extent(thread)?, parts.axes.replicas.map_or(1, |own| own.size()));
    Ok(format!(
        "Fragment({shapes}, replicate: {replicas}, thread: {threads}, forward_thread: {}, forward_index: {formulas}, \
         thread_range: I.Range(0, {threads}))",
        parts.formula(thread)
    ))
}
