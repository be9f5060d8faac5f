//! What makes a program a program, whatever its sizes: types, extents of threads and values, and who accesses what.

use crate::element::Element;
use crate::form::{Form, Index};
use crate::instruction::{Instruction, copied_bytes};
use crate::matrix::{Multiply, Rows};
use crate::prelude::*;
use crate::program::{Expr, Function, Kind, Program, Space, Statement, Storage, Tensor, View};
use tilework::{AnyLayout, Codomain, Layout, Strides};

/// The most threads of a block, on every device.
const MAX_THREADS: i64 = 1024;

/// The most values of a thread in one statement.
const MAX_VALUES: i64 = 1 << 12;

impl Space {
    /// The most elements of a tensor: more than any device has.
    fn most(self) -> i64 {
        if self == Space::Registers { 1 << 10 } else { 1 << 18 }
    }
}

/// The type of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    Element(Element),
    /// Of a comparison.
    Condition,
}

impl core::fmt::Display for Type {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Type::Element(element) => element.fmt(f),
            Type::Condition => f.write_str("condition"),
        }
    }
}

/// Refuses what is no program, with a sentence.
pub(crate) fn verify(program: &Program) -> Result<(), Error> {
    if !(1..=MAX_THREADS).contains(&program.threads) {
        return Err(error!("a block has 1 to {MAX_THREADS} threads, not {}", program.threads));
    }
    for tensor in &program.tensors {
        check_tensor(tensor).map_err(|error| error.at(tensor.line))?;
    }
    check_body(program, &program.body, &mut Vec::new(), false)
}

fn check_tensor(tensor: &Tensor) -> Result<(), Error> {
    let Tensor { name, space, .. } = tensor;
    let Storage::Local(layout) = &tensor.storage else { return Ok(()) };
    let inner = layout.layout();
    let negative = inner.leaves().iter().any(|leaf| leaf.stride.count().numerator() < 0);
    if negative || !matches!(inner.codomain(), Codomain::Integer) {
        return Err(error!("{name}: the strides of {layout} are integers of 0 or more"));
    }
    let (offset, bits) = match **layout {
        AnyLayout::Plain(_) => (0, 0),
        AnyLayout::Swizzled(own) => (own.offset(), own.swizzle().target_mask() | own.swizzle().source_mask()),
    };
    let (size, most) = (inner.cosize()?.saturating_add(offset).max(bits), space.most());
    if size > most {
        let (space, name) = (space.name(), &tensor.name);
        return Err(error!("{name}: {layout} takes {size} elements, and {space} has at most {most}"));
    }
    if *space == Space::Registers && matches!(**layout, AnyLayout::Swizzled(_)) {
        return Err(error!("{name}: registers are not swizzled"));
    }
    Ok(())
}

fn check_body(
    program: &Program,
    body: &[Statement],
    loops: &mut Vec<usize>,
    conditional: bool,
) -> Result<(), Error> {
    body.iter().try_for_each(|statement| {
        let checked = match &statement.kind {
            Kind::Each { to, value, by } => check_each(program, loops, to, value, by.as_ref()),
            Kind::For { index, body, .. } => {
                loops.push(*index);
                let checked = check_body(program, body, loops, conditional);
                loops.pop();
                checked
            }
            Kind::When { form, body, .. } => check_condition(program, loops, form)
                .and_then(|()| check_body(program, body, loops, true)),
            Kind::Commit if conditional => Err(Error::new(
                "`commit` stands outside of `when`, so that every step ends one group: move it behind the brace",
            )),
            Kind::Barrier | Kind::Commit | Kind::Wait(_) => Ok(()),
        };
        checked.map_err(|error| error.at(statement.line))
    })
}

fn check_condition(program: &Program, loops: &[usize], form: &Form) -> Result<(), Error> {
    if form.has(Index::Thread) || form.has(Index::Value) {
        let text = program.form_text(form);
        return Err(error!(
            "`when {text}` differs between the threads of a block; a partition with fewer threads leaves the others idle"
        ));
    }
    if form.constant < 0 {
        let text = program.form_text(form);
        return Err(error!("`when {text}` may be negative: add to the other side"));
    }
    check_indices(program, loops, form)
}

/// Refuses an index that there is not here.
fn check_indices(program: &Program, loops: &[usize], form: &Form) -> Result<(), Error> {
    let axes = program.grid.len();
    for (_, digit) in &form.terms {
        match digit.index {
            Index::Block(axis) if axis >= axes => {
                let index = program.index_text(digit.index);
                return Err(error!("there is no {index}: the grid has {axes} axes"));
            }
            Index::Loop(name) if !loops.contains(&name) => {
                return Err(Error::new("the index of a loop is used outside of the loop"));
            }
            _ => {}
        }
    }
    Ok(())
}

fn check_each(
    program: &Program,
    loops: &[usize],
    to: &View,
    value: &Expr,
    by: Option<&Instruction>,
) -> Result<(), Error> {
    let target = program.tensor(to);
    let name = &target.name;
    if target.space == Space::Read {
        return Err(error!("{name} is only read: declare it as `write` or `update`"));
    }
    if to.gathers().next().is_some() {
        return Err(error!("{name} is written at coordinates that are read from memory"));
    }
    if to.outside.is_some() {
        return Err(error!("{name} is written, and has no `else`"));
    }
    let is_fragment = matches!(by, Some(Instruction::Multiply(_)));
    let mut wrong = check_alone(program, to, is_fragment).and_then(|()| check_view(program, loops, to)).err();
    let (mut values, mut threads) = (to.split(Index::Value), to.split(Index::Thread));
    let mut see = |view: &View, is_read: bool| -> Result<(), Error> {
        check_view(program, loops, view)?;
        let tensor = program.tensor(view);
        if is_read {
            check_alone(program, view, is_fragment)?;
        }
        if is_read && tensor.space == Space::Write {
            return Err(error!("{} is only written: declare it as `update`", tensor.name));
        }
        agree(&mut values, view.split(Index::Value), "values", program, view)?;
        agree(&mut threads, view.split(Index::Thread), "threads", program, view)
    };
    value.visit(&mut |view, is_read| wrong = wrong.take().or_else(|| see(view, is_read).err()));
    if let Some(wrong) = wrong {
        return Err(wrong);
    }
    if values.is_some_and(|values| values > MAX_VALUES) {
        return Err(error!("a statement has at most {MAX_VALUES} values a thread"));
    }
    if let Some(by) = by {
        check_instruction(program, to, value, by)?;
    }
    let found = type_of(program, value)?;
    if let Some(found) = found
        && found != Type::Element(target.element)
    {
        let element = target.element;
        return Err(error!("{name} is of {element} and the value of {found}: write {element}(..)"));
    }
    check_literal(value, Type::Element(target.element))
}

/// Refuses a mode that a tensor does not have.
pub(crate) fn check_mode(mode: usize, rank: usize) -> Result<(), Error> {
    match mode < rank {
        true => Ok(()),
        false => Err(error!("there is no mode {mode}: the tensor has {rank}")),
    }
}

/// Refuses a layout of an index whose strides are no coordinates of a tensor.
pub(crate) fn check_split(index: &str, layout: &Layout, rank: usize) -> Result<(), Error> {
    for stride in layout.leaves().iter().flat_map(|leaf| leaf.stride.terms()) {
        let unit = stride.unit();
        if stride.is_zero() {
            continue;
        }
        if unit.depth() != 1 || unit.is_xor() || !stride.count().is_integer() {
            let stride = Strides::leaf(stride);
            return Err(error!(
                "the stride {stride} in {index} {layout} names no mode: write 1@0 for mode 0"
            ));
        }
        check_mode(unit.index(0), rank)?;
    }
    Ok(())
}

/// All layouts of values, and of threads, in a statement have one size.
fn agree(
    known: &mut Option<i64>,
    found: Option<i64>,
    what: &str,
    program: &Program,
    view: &View,
) -> Result<(), Error> {
    match (*known, found) {
        (Some(known), Some(found)) if known != found => {
            let text = program.view_text(view);
            Err(error!("{text} has {found} {what} where the views before have {known}"))
        }
        _ => {
            *known = known.or(found);
            Ok(())
        }
    }
}

/// Refuses registers by their name alone where there are several, of which it would be the first; a fragment is all of mode 0.
fn check_alone(program: &Program, view: &View, is_fragment: bool) -> Result<(), Error> {
    let (tensor, first) = (program.tensor(view), usize::from(is_fragment));
    let Storage::Local(layout) = &tensor.storage else { return Ok(()) };
    let modes = (first..tensor.rank()).map(|mode| layout.layout().mode(mode).map(|own| own.size()));
    let size = modes.product::<Result<i64, _>>()?;
    if tensor.space != Space::Registers || !view.places.is_empty() || size == 1 {
        return Ok(());
    }
    let (name, of) = (&tensor.name, if is_fragment { "fragments" } else { "elements" });
    Err(error!(
        "{name} has {size} {of}: write {name}[v {size}:1@{first}] for all of them, or {name}[0@{first}] for the first one"
    ))
}

fn check_view(program: &Program, loops: &[usize], view: &View) -> Result<(), Error> {
    let tensor = program.tensor(view);
    let wrong = |text: String| Err(error!("{}: {text}", program.view_text(view)));
    for form in program.forms(view) {
        check_indices(program, loops, &form)?;
        if tensor.space == Space::Registers && form.terms.iter().any(|(_, digit)| digit.index != Index::Value)
        {
            return wrong(
                "registers are chosen by numbers and `v` alone, because they have no addresses".into(),
            );
        }
    }
    for index in [Index::Thread, Index::Value] {
        let mut sizes = view.splits(index);
        let first = sizes.next();
        if let (Some(first), Some(other)) = (first, sizes.find(|size| Some(*size) != first)) {
            return wrong(format!(
                "one layout of {} has size {first}, another {other}",
                program.index_text(index)
            ));
        }
        if index == Index::Thread && first.is_some_and(|size| size > program.threads) {
            let (size, threads) = (first.unwrap_or(0), program.threads);
            return wrong(format!("the layout of t has size {size}, and a block has {threads} threads"));
        }
    }
    if view.outside.is_some() && !tensor.space.is_global() {
        return wrong("`else` is for elements outside of a global tensor; all others are inside".into());
    }
    if let Some(outside) = view.outside {
        check_literal(&Expr::Literal(outside), Type::Element(tensor.element))?;
    }
    for (inner, _) in view.gathers() {
        let indices = program.tensor(inner);
        if indices.element != Element::U32 || indices.space != Space::Read {
            return wrong(format!(
                "a coordinate is an element of a `read` tensor of u32, which {} is not",
                indices.name
            ));
        }
        if !tensor.space.is_global() || inner.gathers().next().is_some() {
            return wrong(
                "a coordinate from memory is one of a global tensor, and itself at known coordinates".into(),
            );
        }
    }
    Ok(())
}

fn check_instruction(program: &Program, to: &View, value: &Expr, by: &Instruction) -> Result<(), Error> {
    let (name, active, lanes) = (by.name(), program.active(to, value), by.lanes());
    if active % lanes != 0 {
        return Err(error!(
            "{name} is executed by all {lanes} lanes of each warp, and here {active} threads take part"
        ));
    }
    let (atom, places) = match by {
        Instruction::AsyncCopy(atom) => (atom, ("a global tensor", "a shared tensor")),
        Instruction::LoadMatrix(atom) => (atom, ("a shared tensor", "registers")),
        Instruction::Multiply(atom) => return Multiply::new(program, atom, to, value).map(|_| ()),
    };
    let (source, target, element) = (places.0, places.1, program.tensor(to).element);
    let kind = |view: &View| match program.tensor(view).space {
        Space::Shared => "a shared tensor",
        Space::Registers => "registers",
        _ => "a global tensor",
    };
    let from = match value {
        Expr::View(from) if kind(from) == source => from,
        _ => return Err(error!("{name} copies a view of {source} as it is")),
    };
    if kind(to) != target {
        let to = &program.tensor(to).name;
        return Err(error!("{name} copies to {target}, which {to} is not"));
    }
    if from.outside.is_some_and(|outside| outside != 0.0) {
        return Err(error!("{name} fills with zeros: write `else 0`"));
    }
    let values = program.values(to, value);
    let (bytes, own) = match by {
        Instruction::LoadMatrix(_) => {
            let rows = Rows::new(atom, element.bytes())
                .map_err(|error| error!("{name} of {element}: {}", error.message()))?;
            rows.check(program, to, from, values)?;
            (rows.values as i64 * element.bytes(), "gives a thread")
        }
        _ => (copied_bytes(atom), "copies"),
    };
    match values * element.bytes() % bytes {
        0 => Ok(()),
        _ => Err(error!("{name} {own} {bytes} bytes, and a thread has {values} of {element}")),
    }
}

/// The type of an expression; none for literals alone, which take the type of what is around them.
pub(crate) fn type_of(program: &Program, expr: &Expr) -> Result<Option<Type>, Error> {
    match expr {
        Expr::View(view) => Ok(Some(Type::Element(program.tensor(view).element))),
        Expr::Coordinate(view, _) if view.gathers().next().is_some() => {
            Err(Error::new("a coordinate that is read from memory is an element of its own: write its view"))
        }
        Expr::Coordinate(..) | Expr::Size(_) => Ok(Some(Type::Element(Element::U32))),
        Expr::Literal(_) => Ok(None),
        Expr::Scalar(scalar) => Ok(Some(Type::Element(program.scalars[*scalar].element))),
        Expr::Call(function, arguments) => {
            if let (Function::Cast(element), [operand]) = (function, &arguments[..]) {
                return match type_of(program, operand)? {
                    Some(Type::Condition) => Err(Error::new("a condition is no number: use select")),
                    _ => Ok(Some(Type::Element(*element))),
                };
            }
            let (condition, operands) = match (function, &arguments[..]) {
                (Function::Select, [condition, operands @ ..]) => (Some(condition), operands),
                (_, operands) => (None, operands),
            };
            if let Some(condition) = condition
                && type_of(program, condition)? != Some(Type::Condition)
            {
                return Err(Error::new("the first argument of select is a condition, such as a < b"));
            }
            let common = common_type(program, operands)?;
            if let Some(common) = common {
                operands.iter().try_for_each(|operand| check_literal(operand, common))?;
            }
            check_operation(*function, common)?;
            match function {
                Function::Less | Function::LessEqual | Function::Equal => Ok(Some(Type::Condition)),
                _ => Ok(common),
            }
        }
    }
}

/// The type in which a function is computed, and its arguments with the type around each: the type of its operands, and of literals
/// alone the one around the function; f32 in a comparison or a conversion.
pub(crate) fn typed<'e>(
    program: &Program,
    function: Function,
    arguments: &'e [Expr],
    around: Option<Type>,
) -> Result<(Type, impl Iterator<Item = (&'e Expr, Option<Type>)>), Error> {
    let (conditions, operands) = arguments.split_at(usize::from(function == Function::Select));
    let mut own = match function {
        Function::Cast(_) | Function::Less | Function::LessEqual | Function::Equal => None,
        _ => around,
    };
    for operand in operands {
        own = type_of(program, operand)?.or(own);
    }
    let own = own.unwrap_or(Type::Element(Element::F32));
    let conditions = conditions.iter().map(|argument| (argument, Some(Type::Condition)));
    Ok((own, conditions.chain(operands.iter().map(move |argument| (argument, Some(own))))))
}

fn common_type(program: &Program, operands: &[Expr]) -> Result<Option<Type>, Error> {
    let mut common = None;
    for operand in operands {
        let found = type_of(program, operand)?;
        match (common, found) {
            (Some(common), Some(found)) if common != found => {
                return Err(error!("operands of {common} and {found}: convert one of them, as in f32(x)"));
            }
            _ => common = common.or(found),
        }
    }
    Ok(common)
}

fn check_operation(function: Function, common: Option<Type>) -> Result<(), Error> {
    let integers = matches!(common, None | Some(Type::Element(_))) && !is_float(common);
    let (allowed, what) = match function {
        Function::Rem | Function::ShiftLeft | Function::ShiftRight => (integers, "integers"),
        Function::And | Function::Or => {
            (integers || common == Some(Type::Condition), "integers and conditions")
        }
        Function::Exp | Function::Log | Function::Sqrt | Function::Rsqrt | Function::Tanh => {
            (common.is_none() || is_float(common), "floating-point numbers")
        }
        Function::Select => (true, ""),
        _ => (common != Some(Type::Condition), "numbers"),
    };
    match allowed {
        true => Ok(()),
        false => Err(error!("{function:?} is of {what}")),
    }
}

fn is_float(common: Option<Type>) -> bool {
    matches!(common, Some(Type::Element(element)) if element.is_float())
}

/// Refuses a literal that the type around it cannot represent as an integer.
fn check_literal(expr: &Expr, common: Type) -> Result<(), Error> {
    match (expr, common) {
        (Expr::Literal(value), Type::Element(element))
            if !element.is_float() && element.round(*value) != *value =>
        {
            Err(error!("{value} is no value of {element}"))
        }
        (Expr::Literal(value), Type::Condition) => Err(error!("{value} is no condition")),
        _ => Ok(()),
    }
}
