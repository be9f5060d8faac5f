//! Objects of Python as operands in a scope.

use super::classes::{Scope, SymbolicLayout, SymbolicNumber, current, same};
use crate::classes::{AnyLayout, Stride, Tiler};
use crate::prelude::*;
use crate::tuple;
use std::sync::Arc;
use tilework::{Error, HTuple, MAX_LEAVES, Pattern, PatternLeaf, Unit};
use tilework_symbolic::{
    Declarations, Number, Scope as Core, SymbolicLayout as CoreLayout, SymbolicLeaf, SymbolicTiler, Tuple,
};

/// The kind of an object.
pub enum Operand {
    /// `None`: not fixed.
    Hole,
    /// With the declarations of its names.
    Number(Number, Arc<Declarations>),
    Stride(tilework::Stride),
    Layout(CoreLayout),
    Text(String),
    Tiler(Box<tilework::Tiler>),
    Tuple(Vec<Operand>),
}

/// A name from another package, with the facts about it.
struct Foreign {
    name: String,
    low: i64,
    hint: Option<i64>,
}

/// Reads the operands of one operation, which are of one scope.
pub struct Reader<'py> {
    py: Python<'py>,
    scope: Option<Bound<'py, Scope>>,
    foreign: Vec<Foreign>,
    /// Whether a text has extents such as `?{div=8}`, whose names have facts.
    dynamic: bool,
}

impl<'py> Reader<'py> {
    pub fn new(py: Python<'py>) -> Reader<'py> {
        Reader { py, scope: None, foreign: Vec::new(), dynamic: false }
    }

    pub fn of(scope: &Bound<'py, Scope>) -> Reader<'py> {
        Reader { scope: Some(scope.clone()), ..Reader::new(scope.py()) }
    }

    /// The scope of the operands, or the current one.
    pub fn scope(&self) -> PyResult<Bound<'py, Scope>> {
        match &self.scope {
            Some(scope) => Ok(scope.clone()),
            None => current(self.py),
        }
    }

    fn meet(&mut self, other: &Py<Scope>) -> Result<()> {
        match &self.scope {
            Some(own) => same(own, other),
            None => {
                self.scope = Some(other.bind(self.py).clone());
                Ok(())
            }
        }
    }

    /// Computes a result in a copy of the scope, which is returned too; the names that were read are kept.
    pub fn find<T>(&self, find: impl FnOnce(&mut Core) -> Result<T>) -> Result<(T, Core)> {
        let scope = self.scope()?;
        for Foreign { name, low, hint } in &self.foreign {
            scope.get().change(|core| {
                if core.find(name).is_none() {
                    let number = core.declare(name)?;
                    core.assume_at_least(&number, &(*low).into())?;
                    core.hint(name, *hint)?;
                }
                Ok(())
            })?;
        }
        match self.dynamic {
            true => scope.get().change(|core| Ok((find(core)?, core.clone()))),
            false => scope.get().within(find),
        }
    }

    pub fn read(&mut self, object: &Object<'py>) -> Result<Operand> {
        self.read_at(object, 0)
    }

    /// The recursion depth is limited by that of tuples.
    fn read_at(&mut self, object: &Object<'py>, depth: usize) -> Result<Operand> {
        if let Ok(number) = object.cast::<SymbolicNumber>() {
            self.meet(&number.get().scope)?;
            let SymbolicNumber { number, declared, .. } = number.get();
            return Ok(Operand::Number(number.clone(), declared.clone()));
        }
        if let Ok(layout) = object.cast::<SymbolicLayout>() {
            self.meet(&layout.get().scope)?;
            return Ok(Operand::Layout(layout.get().layout.clone()));
        }
        if object.is_none() || object.is_instance_of::<PySlice>() {
            return Ok(Operand::Hole);
        }
        if object.is_instance_of::<PyTuple>() || object.is_instance_of::<PyList>() {
            let mut members = Vec::new();
            for member in object.try_iter()? {
                if depth == MAX_LEAVES || members.len() == MAX_LEAVES {
                    return Err(Error::Capacity { what: "leaves in a tuple", limit: MAX_LEAVES }.into());
                }
                members.push(self.read_at(&member?, depth + 1)?);
            }
            return Ok(Operand::Tuple(members));
        }
        if let Ok(layout) = object.cast::<AnyLayout>()
            && let Some(layout) = layout.get().plain()
        {
            return Ok(Operand::Layout(Core::new().constant(layout)?));
        }
        if let Ok(text) = object.cast::<PyString>() {
            let text = text.to_cow()?.into_owned();
            self.dynamic |= text.contains('?');
            return Ok(Operand::Text(text));
        }
        if let Ok(tiler) = object.cast::<Tiler>() {
            return Ok(Operand::Tiler(Box::new(tiler.get().0)));
        }
        if let Ok(stride) = object.cast::<Stride>() {
            return Ok(Operand::Stride(stride.get().0));
        }
        if let Some(number) = self.foreign(object)? {
            return Ok(number);
        }
        match tuple::rational(object)? {
            Some(number) => Ok(Operand::Stride(tilework::Stride::new(number, Unit::ONE)?)),
            None => Err(Refusal::kind("a number or a layout", object)),
        }
    }

    /// An expression of sympy, or a symbolic integer of torch: a polynomial in its symbols if it has that form,
    /// otherwise a new name.
    fn foreign(&mut self, object: &Object<'py>) -> Result<Option<Operand>> {
        let Some((expression, hint)) = expression(object)? else { return Ok(None) };
        let whole = expression.str()?.to_string();
        let mut symbols = Vec::new();
        for symbol in expression.getattr("free_symbols")?.try_iter()? {
            let symbol = symbol?;
            let known = |what: &str| -> Result<bool> { Ok(symbol.getattr(what)?.extract().unwrap_or(false)) };
            let low = if known("is_positive")? || !known("is_nonnegative")? { 1 } else { 0 };
            symbols.push(Foreign { name: symbol.str()?.to_string(), low, hint: None });
        }
        symbols.sort_by(|left, right| left.name.cmp(&right.name));
        let text = products(&whole);
        if let [symbol] = symbols.as_mut_slice()
            && symbol.name == whole
        {
            symbol.hint = hint;
        }
        self.foreign.extend(symbols);
        if let (Ok(number), core) = self.find(|core| Ok(core.number(&text)))? {
            return Ok(Some(Operand::Number(number, core.declared().clone())));
        }
        let name = own_name(&whole);
        self.foreign.push(Foreign { name: name.clone(), low: 1, hint });
        Ok(Some(Operand::Text(name)))
    }
}

impl Operand {
    /// Whether it can be a number; a text is a layout.
    pub fn is_number(&self) -> bool {
        match self {
            Operand::Number(..) => true,
            Operand::Stride(stride) => stride.unit().is_one(),
            _ => false,
        }
    }

    pub fn number(&self, core: &mut Core) -> Result<Number> {
        match self {
            Operand::Number(number, declared) => Ok(core.adopt(declared).number(number)?),
            Operand::Text(text) => Ok(core.number(text)?),
            Operand::Stride(stride) if stride.unit().is_one() => Ok(Number::constant(stride.count())?),
            _ => refuse("kind", "expected a number"),
        }
    }

    /// The members of a tuple, at any depth.
    fn tuple<T: Clone>(&self, leaf: &mut impl FnMut(&Operand) -> Result<Tuple<T>>) -> Result<Tuple<T>> {
        let Operand::Tuple(members) = self else { return leaf(self) };
        let members: Result<Vec<_>, _> = members.iter().map(|member| member.tuple(leaf)).collect();
        Ok(Tuple::of(&members?)?)
    }

    pub fn shape(&self, core: &mut Core) -> Result<Tuple<Number>> {
        self.tuple(&mut |operand| match operand {
            Operand::Text(text) => Ok(core.shape(text)?),
            Operand::Number(..) | Operand::Stride(_) => Ok(Tuple::leaf(operand.number(core)?)),
            _ => refuse("kind", "extents and strides are numbers"),
        })
    }

    fn strides(&self, core: &mut Core) -> Result<Tuple<SymbolicLeaf>> {
        self.tuple(&mut |operand| match operand {
            Operand::Text(text) => Ok(core.strides(text)?),
            Operand::Number(..) => Ok(Tuple::leaf(SymbolicLeaf::new(1, operand.number(core)?))),
            Operand::Stride(stride) => Ok(Tuple::leaf(SymbolicLeaf::constant(1, *stride)?)),
            _ => refuse("kind", "extents and strides are numbers"),
        })
    }

    /// A layout, with the other operand as its strides if there is one.
    pub fn strided(&self, core: &mut Core, strides: Option<&Operand>) -> Result<CoreLayout> {
        Ok(match (self, strides) {
            (Operand::Layout(layout), None) => core.adopt(layout.declared()).layout(layout)?,
            (Operand::Text(text), None) => core.layout(text)?,
            (_, None) => {
                let shape = self.shape(core)?;
                core.column_major(&shape)?
            }
            (_, Some(strides)) => {
                let (shape, strides) = (self.shape(core)?, strides.strides(core)?);
                core.pair(&shape, &strides)?
            }
        })
    }

    pub fn layout(&self, core: &mut Core) -> Result<CoreLayout> {
        self.strided(core, None)
    }

    /// A tiler that applies mode by mode, or a layout; none for a mode that is kept.
    fn tile(&self, core: &mut Core) -> Result<Option<SymbolicTiler>> {
        Ok(Some(match self {
            Operand::Hole => return Ok(None),
            Operand::Tiler(tiler) => core.constant_tiler(tiler)?,
            Operand::Text(text) => core.tiler(text)?,
            Operand::Tuple(members) => {
                let tiles: Result<Vec<_>, _> = members.iter().map(|member| member.tile(core)).collect();
                core.tiler_of(&tiles?)?
            }
            operand => operand.layout(core)?.as_tiler(),
        }))
    }

    pub fn tiler(&self, core: &mut Core) -> Result<SymbolicTiler> {
        match self.tile(core)? {
            Some(tiler) => Ok(tiler),
            None => Ok(core.constant_tiler(&tilework::tiler!(_))?),
        }
    }

    /// A coordinate: its numbers, and its open modes.
    pub fn coordinate(&self, core: &mut Core) -> Result<(Pattern, Vec<Number>)> {
        let mut numbers = Vec::new();
        Ok((self.pattern(core, &mut numbers)?, numbers))
    }

    fn pattern(&self, core: &mut Core, numbers: &mut Vec<Number>) -> Result<Pattern> {
        match self {
            Operand::Hole => Ok(HTuple::leaf(PatternLeaf::All)),
            Operand::Number(..) | Operand::Stride(_) | Operand::Text(_) => {
                numbers.push(self.number(core)?);
                Ok(HTuple::leaf(PatternLeaf::At(0)))
            }
            Operand::Tuple(members) => {
                let members: Vec<_> =
                    members.iter().map(|member| member.pattern(core, numbers)).collect::<Result<_, _>>()?;
                Ok(HTuple::tuple(&members)?)
            }
            Operand::Layout(_) | Operand::Tiler(_) => refuse("kind", "a coordinate is made of numbers"),
        }
    }
}

/// Whether there is a symbol in an object: of this package, of sympy or of torch.
pub fn is_symbolic(object: &Object<'_>) -> bool {
    is_symbolic_within(object, MAX_LEAVES)
}

/// The recursion is no deeper than that of the reader.
fn is_symbolic_within(object: &Object<'_>, depth: usize) -> bool {
    // The most frequent cases first: they cost less than the name of a class.
    if object.is_instance_of::<AnyLayout>() || object.is_exact_instance_of::<PyInt>() {
        return false;
    }
    if object.is_instance_of::<SymbolicNumber>() || object.is_instance_of::<SymbolicLayout>() {
        return true;
    }
    match object.cast::<PyTuple>() {
        Ok(members) => {
            depth > 0 && members.iter_borrowed().any(|member| is_symbolic_within(&member, depth - 1))
        }
        Err(_) => matches!(expression(object), Ok(Some(_))),
    }
}

/// The sympy expression of an object, also inside torch's, and its value if torch knows one.
fn expression<'py>(object: &Object<'py>) -> PyResult<Option<(Object<'py>, Option<i64>)>> {
    let class = object.get_type();
    let module = class.module()?;
    let module = module.to_cow()?;
    if module.starts_with("sympy.") && object.hasattr("free_symbols")? {
        let symbols = object.getattr("free_symbols")?.len()?;
        return Ok((symbols > 0).then(|| (object.clone(), None)));
    }
    if class.name()?.to_cow()? == "SymInt" && object.hasattr("node")? {
        let node = object.getattr("node")?;
        let hint = node.getattr_opt("hint")?.and_then(|hint| hint.extract().ok());
        return Ok(node.getattr_opt("expr")?.map(|expression| (expression, hint)));
    }
    Ok(None)
}

/// `x**3` as `x*x*x`: in the text notation `^` is XOR, and there are no powers.
fn products(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(place) = rest.find("**") {
        let (before, after) = (&rest[..place], &rest[place + 2..]);
        let letter = |character: char| character.is_ascii_alphanumeric() || character == '_';
        let base = &before[before.trim_end_matches(letter).len()..];
        let digits = after.len() - after.trim_start_matches(|digit: char| digit.is_ascii_digit()).len();
        let power: usize = after[..digits].parse().unwrap_or(0);
        if base.is_empty() || !(2..=15).contains(&power) {
            break;
        }
        out.push_str(before);
        for _ in 1..power {
            out.push('*');
            out.push_str(base);
        }
        rest = &after[digits..];
    }
    out + rest
}

/// A name for an expression outside the notation, the same each time.
fn own_name(text: &str) -> String {
    format!("n_{:x}", crate::classes::hash(&text) & 0xfff_ffff)
}
