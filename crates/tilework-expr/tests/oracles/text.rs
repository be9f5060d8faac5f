//! The values of the language as trees, written in its notation and read from it.

use crate::model::*;
use std::fmt;

/// A leaf of a tuple: a number or a stride, or `_`.
pub type Atom = Option<Step>;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Tiler {
    Layout(Layout),
    Hole,
    ByMode(Vec<Tiler>),
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Swizzle {
    pub bits: i128,
    pub base: i128,
    pub shift: i128,
}

impl Swizzle {
    /// CUTLASS's definition; nothing below 0.
    pub fn apply(&self, offset: i128) -> Option<i128> {
        let mask = ((1 << self.bits) - 1) << (self.base + self.shift.max(0));
        let field = offset & mask;
        let moved = if self.shift >= 0 { field >> self.shift } else { field << -self.shift };
        (offset >= 0).then_some(offset ^ moved)
    }
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Value {
    Tuple(Tree<Atom>),
    Layout(Layout),
    View(Offset, Layout),
    Swizzled(Swizzle, i128, Layout),
    Tiler(Tiler),
    Chain(Vec<Layout>),
    Truth(bool),
    /// A pointer as it is written.
    Pointer(String),
    /// A layout of any kind behind a pointer.
    Tensor(String, Box<Value>),
    /// An instruction as it is written: the name of one, or a call.
    Instruction(String),
}

impl Value {
    pub fn int(value: i128) -> Value {
        Value::Tuple(Tree::Leaf(Some(Step::int(value))))
    }

    pub fn ints(tree: &Tree<i128>) -> Value {
        Value::Tuple(tree.map(&mut |value| Some(Step::int(*value))))
    }

    /// The tuple of integers that this is.
    pub fn as_ints(&self) -> Option<Tree<i128>> {
        match self {
            Value::Tuple(tree)
                if tree.leaves().iter().all(|atom| atom.as_ref().is_some_and(|s| s.integer().is_some())) =>
            {
                Some(tree.map(&mut |atom| atom.as_ref().unwrap().integer().unwrap()))
            }
            _ => None,
        }
    }

    pub fn as_int(&self) -> Option<i128> {
        match self.as_ints()? {
            Tree::Leaf(value) => Some(value),
            Tree::Node(_) => None,
        }
    }

    /// The layout that takes the coordinates.
    pub fn domain(&self) -> Option<&Layout> {
        match self {
            Value::Layout(layout) | Value::View(_, layout) | Value::Swizzled(_, _, layout) => Some(layout),
            _ => None,
        }
    }

    /// A layout with an offset, which is in its codomain: a number over XOR strides is bits.
    pub fn view(offset: Offset, layout: Layout) -> Value {
        let offset = match (codomain(&layout), offset.integer()) {
            (Codomain::Xor, Some(bits)) => Offset::xor(bits),
            (_, Some(number)) => Offset::int(number),
            _ => offset,
        };
        Value::View(offset, layout)
    }

    pub fn with_domain(&self, layout: Layout) -> Value {
        match self {
            Value::View(offset, _) => Value::view(offset.clone(), layout),
            Value::Swizzled(swizzle, offset, _) => Value::Swizzled(swizzle.clone(), *offset, layout),
            _ => Value::Layout(layout),
        }
    }

    /// What the function gives for an offset of its layout. An offset and a swizzle are in the layout's codomain.
    pub fn outer(&self, inner: &Offset) -> Option<Offset> {
        match self {
            Value::Layout(_) => Some(inner.clone()),
            Value::View(offset, _) => offset.plus(inner),
            Value::Swizzled(swizzle, offset, layout) => {
                let start =
                    Offset::of_tree(&Tree::Leaf(Rational::int(*offset)), codomain(layout) == Codomain::Xor);
                Some(Offset::int(swizzle.apply(start.plus(inner)?.integer()?)?))
            }
            _ => None,
        }
    }

    pub fn evaluate(&self, coord: &Coord) -> Option<Offset> {
        self.outer(&evaluate(self.domain()?, coord)?)
    }

    /// All offsets in the order of the indices.
    pub fn image(&self) -> Option<Vec<Offset>> {
        table(self.domain()?).iter().map(|offset| self.outer(offset)).collect()
    }

    /// The offsets, without the one before them, which moves all alike; none where the swizzle has no value.
    pub fn own_offsets(&self) -> Option<Vec<Offset>> {
        if let Value::Swizzled(..) = self { self.image() } else { Some(table(self.domain()?)) }
    }
}

/// Whether there is such a value: a layout, with an offset of its codomain.
pub fn is_value(value: &Value) -> bool {
    let Some(layout) = value.domain() else { return true };
    is_layout(layout)
        && match value {
            Value::Swizzled(..) => matches!(codomain(layout), Codomain::Integer | Codomain::Xor),
            Value::View(offset, _) => {
                let own = codomain(layout);
                let fits = match offset {
                    Offset::Coordinate(_) => own == Codomain::Coordinate,
                    Offset::Xor(_) => own == Codomain::Xor,
                    number => {
                        *number == Offset::ZERO || matches!(own, Codomain::Integer | Codomain::Rational)
                    }
                };
                let components: &[(Path, Rational)] = match offset {
                    Offset::Coordinate(components) => components,
                    _ => &[],
                };
                let mut all = paths(layout);
                all.extend(components.iter().map(|(path, _)| path.clone()));
                // Strides 0 are in every codomain.
                (fits || layout.leaves().iter().all(|leaf| leaf.step.is_zero()))
                    && all.iter().all(|a| all.iter().all(|b| a == b || !b.starts_with(a)))
            }
            _ => true,
        }
}

pub fn tree_text<T: Clone>(tree: &Tree<T>, leaf: &impl Fn(&T) -> String) -> String {
    match tree {
        Tree::Leaf(value) => leaf(value),
        Tree::Node(modes) => {
            let modes: Vec<String> = modes.iter().map(|mode| tree_text(mode, leaf)).collect();
            format!("({})", modes.join(","))
        }
    }
}

impl fmt::Display for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.over)?;
        if self.under > 1 { write!(f, "/{}", self.under) } else { Ok(()) }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.unit {
            Unit::Xor => write!(f, "^{}", self.count),
            Unit::Sum(components) => {
                let term = |(path, value): &(Path, i128)| {
                    Step::new(Rational::int(*value), Unit::Basis(path.clone())).to_string()
                };
                write!(
                    f,
                    "({})",
                    components.iter().map(term).collect::<Vec<_>>().join("+").replace("+-", "-")
                )
            }
            Unit::Basis(path) => {
                write!(f, "{}", self.count)?;
                path.iter().rev().try_for_each(|index| write!(f, "@{index}"))
            }
        }
    }
}

pub fn layout_text(layout: &Layout) -> String {
    let shape = tree_text(layout, &|leaf: &Leaf| leaf.extent.to_string());
    format!("{shape}:{}", tree_text(layout, &|leaf: &Leaf| leaf.step.to_string()))
}

impl fmt::Display for Tiler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Tiler::Layout(layout) => f.write_str(&layout_text(layout)),
            Tiler::Hole => f.write_str("_"),
            Tiler::ByMode(tiles) => {
                let tiles: Vec<String> = tiles.iter().map(Tiler::to_string).collect();
                write!(f, "<{}>", tiles.join(","))
            }
        }
    }
}

/// An offset over a layout: a coordinate is as nested as both say.
pub fn offset_text(offset: &Offset, layout: &Layout) -> String {
    match offset {
        Offset::Number(value) => value.to_string(),
        Offset::Xor(value) => value.to_string(),
        Offset::Coordinate(components) => {
            let mut all = paths(layout);
            all.extend(components.iter().map(|(path, _)| path.clone()));
            let find = |path: &Path| {
                components.iter().find(|(other, _)| other == path).map_or(Rational::ZERO, |c| c.1)
            };
            tree_text(&coordinate_profile(&all, &vec![]), &|path| find(path).to_string())
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Tuple(tree) => f.write_str(&tree_text(tree, &|atom: &Atom| {
                atom.as_ref().map_or("_".into(), Step::to_string)
            })),
            Value::Layout(layout) => f.write_str(&layout_text(layout)),
            Value::View(offset, layout) => {
                write!(f, "{{{}}} o {}", offset_text(offset, layout), layout_text(layout))
            }
            Value::Swizzled(Swizzle { bits, base, shift }, offset, layout) => {
                write!(f, "Sw<{bits},{base},{shift}> o {offset} o {}", layout_text(layout))
            }
            Value::Tiler(tiler) => write!(f, "{tiler}"),
            Value::Chain(layouts) => {
                write!(f, "chain({})", layouts.iter().map(layout_text).collect::<Vec<_>>().join(","))
            }
            Value::Truth(truth) => write!(f, "{truth}"),
            Value::Pointer(text) | Value::Instruction(text) => f.write_str(text),
            Value::Tensor(pointer, value) => write!(f, "{pointer} o {value}"),
        }
    }
}

/// Reads what the language prints; the message is the text at which reading fails.
pub fn read(text: &str) -> Result<Value, String> {
    let mut reader = Reader { text, at: 0 };
    let value = reader.value()?;
    if reader.at == text.len() { Ok(value) } else { Err(reader.rest()) }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn rest(&self) -> String {
        format!("unreadable: {}", &self.text[self.at..])
    }

    fn take(&mut self, token: &str) -> bool {
        let found = self.text[self.at..].starts_with(token);
        if found {
            self.at += token.len();
        }
        found
    }

    fn want(&mut self, token: &str) -> Result<(), String> {
        if self.take(token) { Ok(()) } else { Err(self.rest()) }
    }

    fn int(&mut self) -> Result<i128, String> {
        let bytes = &self.text.as_bytes()[self.at..];
        let sign = usize::from(bytes.first() == Some(&b'-'));
        let end = sign + bytes[sign..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let value = self.text[self.at..self.at + end].parse().map_err(|_| self.rest())?;
        self.at += end;
        Ok(value)
    }

    fn atom(&mut self) -> Result<Atom, String> {
        if self.take("_") {
            return Ok(None);
        }
        if self.take("^") {
            return Ok(Some(Step::xor(self.int()?)));
        }
        let over = self.int()?;
        let under = if self.take("/") { self.int()? } else { 1 };
        let mut path = Vec::new();
        while self.take("@") {
            path.insert(0, self.int()? as usize);
        }
        Ok(Some(Step::new(Rational::new(over, under), Unit::Basis(path))))
    }

    /// The rest of `(2@0+3@1)`, if what follows the parenthesis begins so.
    fn sum(&mut self) -> Option<Step> {
        let (start, mut components) = (self.at, Vec::new());
        while let Ok(Some(Step { count, unit: Unit::Basis(path) })) = self.atom() {
            components.push((path, count.over));
            if self.take(")") && components.len() > 1 {
                return Some(Step::new(Rational::int(1), Unit::Sum(components)));
            }
            if !self.take("+") && !self.text[self.at..].starts_with('-') {
                break;
            }
        }
        self.at = start;
        None
    }

    fn tree(&mut self) -> Result<Tree<Atom>, String> {
        if self.take("(") {
            if let Some(sum) = self.sum() {
                return Ok(Tree::Leaf(Some(sum)));
            }
            self.at -= 1;
        }
        if !self.take("(") {
            return Ok(Tree::Leaf(self.atom()?));
        }
        let mut modes = Vec::new();
        while !self.take(")") {
            if !modes.is_empty() {
                self.want(",")?;
            }
            modes.push(self.tree()?);
        }
        Ok(Tree::Node(modes))
    }

    fn layout(&mut self) -> Result<Layout, String> {
        let shape = self.tree()?;
        self.want(":")?;
        let stride = self.tree()?;
        zip(&shape, &stride).ok_or_else(|| self.rest())
    }

    fn tiler(&mut self) -> Result<Tiler, String> {
        if !self.take("<") {
            return Ok(Tiler::Layout(self.layout()?));
        }
        let mut tiles = vec![self.tiler()?];
        while self.take(",") {
            tiles.push(self.tiler()?);
        }
        self.want(">")?;
        Ok(Tiler::ByMode(tiles))
    }

    fn value(&mut self) -> Result<Value, String> {
        if self.take("true") {
            return Ok(Value::Truth(true));
        }
        if self.take("false") {
            return Ok(Value::Truth(false));
        }
        if let Some(name) =
            ["atom(", "tiled_mma(", "tiled_copy(", "get_slice("].into_iter().find(|name| self.take(name))
        {
            let text = format!("{name}{}", &self.text[self.at..]);
            self.at = self.text.len();
            return Ok(Value::Instruction(text));
        }
        if self.take("chain(") {
            let mut layouts = vec![self.layout()?];
            while self.take(",") {
                layouts.push(self.layout()?);
            }
            self.want(")")?;
            return Ok(Value::Chain(layouts));
        }
        if self.take("{") {
            let offset = self.tree()?;
            self.want("} o ")?;
            let layout = self.layout()?;
            let numbers = offset.map(&mut |atom| atom.as_ref().map_or(Rational::ZERO, |step| step.count));
            return Ok(Value::View(Offset::of_tree(&numbers, codomain(&layout) == Codomain::Xor), layout));
        }
        if let Some(end) =
            self.text[self.at..].find("ptr[").and_then(|at| Some(at + self.text[self.at + at..].find(']')?))
        {
            let pointer = self.text[self.at..=self.at + end].to_string();
            self.at += end + 1;
            self.want(" o ")?;
            return Ok(Value::Tensor(pointer, Box::new(self.value()?)));
        }
        if self.text[self.at..].starts_with('<') {
            return Ok(Value::Tiler(self.tiler()?));
        }
        if self.take("Sw<") {
            let bits = self.int()?;
            self.want(",")?;
            let base = self.int()?;
            self.want(",")?;
            let shift = self.int()?;
            self.want("> o ")?;
            let offset = self.int()?;
            self.want(" o ")?;
            return Ok(Value::Swizzled(Swizzle { bits, base, shift }, offset, self.layout()?));
        }
        let shape = self.tree()?;
        if self.take(":") {
            let stride = self.tree()?;
            return zip(&shape, &stride).map(Value::Layout).ok_or_else(|| self.rest());
        }
        Ok(Value::Tuple(shape))
    }
}

/// The layout of a shape and strides, where they are congruent.
pub fn zip(shape: &Tree<Atom>, stride: &Tree<Atom>) -> Option<Layout> {
    match (shape, stride) {
        (Tree::Leaf(Some(extent)), Tree::Leaf(Some(step))) => Some(leaf(extent.integer()?, step.clone())),
        (Tree::Node(shapes), Tree::Node(strides)) if shapes.len() == strides.len() => {
            Some(Tree::Node(shapes.iter().zip(strides).map(|(a, b)| zip(a, b)).collect::<Option<_>>()?))
        }
        _ => None,
    }
}
