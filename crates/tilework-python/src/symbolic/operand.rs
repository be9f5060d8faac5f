//! Objects of Python as text of a scope.

use super::classes::{Scope, SymbolicLayout, SymbolicNumber, current, same};
use crate::classes::{AnyLayout, Stride, Tiler};
use crate::error::Refusal;
use crate::tuple;
use pyo3::prelude::*;
use pyo3::types::{PyList, PySlice, PyString, PyTuple};
use tilework::{Error, HTuple, MAX_LEAVES, Pattern, PatternLeaf};
use tilework_symbolic::{Number, Scope as Core};

/// The kind of an object; its numbers and layouts as text.
pub enum Operand {
    /// `None`: not fixed.
    Hole,
    Number(String),
    Layout(String),
    Tiler(String),
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

    fn meet(&mut self, other: &Py<Scope>) -> Result<(), Refusal> {
        match &self.scope {
            Some(own) => same(own, other),
            None => {
                self.scope = Some(other.bind(self.py).clone());
                Ok(())
            }
        }
    }

    /// Computes a result in a copy of the scope; the names that were read are kept.
    pub fn find<T>(&self, find: impl FnOnce(&mut Core) -> Result<T, Refusal>) -> Result<T, Refusal> {
        let scope = self.scope()?;
        for Foreign { name, low, hint } in &self.foreign {
            scope.get().change(|core| {
                if core.find(name).is_none() {
                    let (number, low) = (core.declare(name)?, core.integer(*low)?);
                    core.assume_at_least(number, low)?;
                    core.hint(name, *hint)?;
                }
                Ok(())
            })?;
        }
        if self.dynamic { scope.get().change(find) } else { scope.get().within(find) }
    }

    pub fn read(&mut self, object: &Bound<'py, PyAny>) -> Result<Operand, Refusal> {
        self.read_at(object, 0)
    }

    /// The recursion depth is limited by that of tuples.
    fn read_at(&mut self, object: &Bound<'py, PyAny>, depth: usize) -> Result<Operand, Refusal> {
        if let Ok(number) = object.cast::<SymbolicNumber>() {
            self.meet(&number.get().scope)?;
            return Ok(Operand::Number(number.get().text.clone()));
        }
        if let Ok(layout) = object.cast::<SymbolicLayout>() {
            self.meet(&layout.get().scope)?;
            return Ok(Operand::Layout(layout.get().text.clone()));
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
            return Ok(Operand::Layout(layout.to_string()));
        }
        if let Ok(text) = object.cast::<PyString>() {
            let text = text.to_cow()?.into_owned();
            self.dynamic |= text.contains('?');
            return Ok(Operand::Layout(text));
        }
        if let Ok(tiler) = object.cast::<Tiler>() {
            return Ok(Operand::Tiler(tiler.get().0.to_string()));
        }
        if let Ok(stride) = object.cast::<Stride>() {
            return Ok(Operand::Number(stride.get().0.to_string()));
        }
        if let Some(text) = self.foreign(object)? {
            return Ok(Operand::Number(text));
        }
        match tuple::rational(object)? {
            Some(number) => Ok(Operand::Number(number.to_string())),
            None => Err(Refusal::kind("a number or a layout", object)),
        }
    }

    /// An expression of sympy, or a symbolic integer of torch: a polynomial in its symbols if it has that form,
    /// otherwise a new name.
    fn foreign(&mut self, object: &Bound<'py, PyAny>) -> Result<Option<String>, Refusal> {
        let Some((expression, hint)) = expression(object)? else { return Ok(None) };
        let whole = expression.str()?.to_string();
        let mut symbols = Vec::new();
        for symbol in expression.getattr("free_symbols")?.try_iter()? {
            let symbol = symbol?;
            let known =
                |what: &str| -> PyResult<bool> { Ok(symbol.getattr(what)?.extract().unwrap_or(false)) };
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
        let known = self.find(|core| Ok(core.number(&text).is_ok()))?;
        if known {
            return Ok(Some(text));
        }
        let name = own_name(&whole);
        self.foreign.push(Foreign { name: name.clone(), low: 1, hint });
        Ok(Some(name))
    }

    // ---- texts

    /// `shape:stride`.
    pub fn layout_text(
        &mut self,
        shape: &Bound<'py, PyAny>,
        stride: Option<&Bound<'py, PyAny>>,
    ) -> Result<String, Refusal> {
        let mut text = self.read(shape)?.written(false)?;
        if let Some(stride) = stride {
            text = text + ":" + &self.read(stride)?.written(false)?;
        }
        Ok(text)
    }

    /// A tiler that applies mode by mode, or a layout.
    pub fn tiler_text(&mut self, object: &Bound<'py, PyAny>) -> Result<String, Refusal> {
        self.read(object)?.written(true)
    }

    pub fn number_text(&mut self, object: &Bound<'py, PyAny>) -> Result<String, Refusal> {
        match self.read(object)? {
            Operand::Number(text) => Ok(text),
            _ => Err(Refusal::kind("a number", object)),
        }
    }
}

impl Operand {
    /// In the text notation; tuples are those of extents, or tilers that apply mode by mode.
    fn written(&self, by_mode: bool) -> Result<String, Refusal> {
        match self {
            Operand::Number(text) | Operand::Layout(text) => Ok(text.clone()),
            Operand::Tiler(text) if by_mode => Ok(text.clone()),
            Operand::Hole if by_mode => Ok(String::from("_")),
            Operand::Tuple(members) => {
                let (open, close) = if by_mode { ('<', '>') } else { ('(', ')') };
                let members: Vec<_> =
                    members.iter().map(|member| member.written(by_mode)).collect::<Result<_, _>>()?;
                Ok(format!("{open}{}{close}", members.join(",")))
            }
            _ => Err(Refusal::new("kind", "extents and strides are numbers")),
        }
    }

    /// A coordinate: its numbers, and its open modes.
    pub fn coordinate(&self, core: &mut Core) -> Result<(Pattern, Vec<Number>), Refusal> {
        let mut numbers = Vec::new();
        Ok((self.pattern(core, &mut numbers)?, numbers))
    }

    fn pattern(&self, core: &mut Core, numbers: &mut Vec<Number>) -> Result<Pattern, Refusal> {
        match self {
            Operand::Hole => Ok(HTuple::leaf(PatternLeaf::All)),
            Operand::Number(text) | Operand::Layout(text) => {
                numbers.push(core.number(text)?);
                Ok(HTuple::leaf(PatternLeaf::At(0)))
            }
            Operand::Tuple(members) => {
                let members: Vec<_> =
                    members.iter().map(|member| member.pattern(core, numbers)).collect::<Result<_, _>>()?;
                Ok(HTuple::tuple(&members)?)
            }
            Operand::Tiler(_) => Err(Refusal::new("kind", "a coordinate is made of numbers")),
        }
    }
}

/// Whether there is a symbol in an object: of this package, of sympy or of torch.
pub fn is_symbolic(object: &Bound<'_, PyAny>) -> bool {
    if object.is_instance_of::<SymbolicLayout>() || object.is_instance_of::<SymbolicNumber>() {
        return true;
    }
    match object.cast::<PyTuple>() {
        // No deeper than the recursion of the reader.
        Ok(members) => members.iter_borrowed().any(|member| match member.cast::<PyTuple>() {
            Ok(inner) => inner.iter_borrowed().any(|leaf| is_symbolic_leaf(&leaf, MAX_LEAVES)),
            Err(_) => is_symbolic_leaf(&member, 0),
        }),
        Err(_) => is_symbolic_leaf(object, 0),
    }
}

fn is_symbolic_leaf(object: &Bound<'_, PyAny>, depth: usize) -> bool {
    if object.is_instance_of::<SymbolicNumber>() || object.is_instance_of::<SymbolicLayout>() {
        return true;
    }
    match object.cast::<PyTuple>() {
        Ok(members) if depth > 0 => {
            members.iter_borrowed().any(|member| is_symbolic_leaf(&member, depth - 1))
        }
        _ => matches!(expression(object), Ok(Some(_))),
    }
}

/// The sympy expression of an object, also inside torch's, and its value if torch knows one.
fn expression<'py>(object: &Bound<'py, PyAny>) -> PyResult<Option<(Bound<'py, PyAny>, Option<i64>)>> {
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
