//! The values of expressions, and the conversions between their kinds.

use crate::axes::Axes;
use crate::error::Failure;
use crate::instruction::Instruction;
use crate::pointer::{Memory, Pointer};
use crate::symbolic::{Content, Symbolic, SymbolicKind};
use std::fmt;
use std::sync::Arc;
use tilework::__private::Atom;
use tilework::{
    AnyLayout, Composed, Coord, Error, HTuple, Layout, Offset, Offsets, Pattern, PatternLeaf, Rational,
    Shape, Stride, Strides, Swizzle, Tiler, Unit, View,
};
use tilework_symbolic::{Number, SymbolicLeaf};

/// The longest text that is read, or that a value prints as: the only limit of a list and of a chain.
pub(crate) const MAX_TEXT: usize = 256 * 1024;

/// A value of the expression language.
///
/// | kind | written |
/// |---|---|
/// | tuple | `22`, `(4,8)`, `(2,(_,0))`, `(1@0,8@1)`: extents, coordinates, strides and patterns |
/// | layout | `(4,8):(1,4)` |
/// | tiler | `<4:1,8:2>` |
/// | chain | `chain((2,2,2):(7,1,9),(3,1):(1,4))`: layouts that are applied in turn, the last one first |
/// | swizzle | `Sw<3,4,3>` |
/// | swizzled layout | `Sw<3,4,3> o 0 o (8,64):(64,1)` |
/// | view | `{8} o (3,2):(15,100)` |
/// | pointer | `smem_ptr[16b]` |
/// | tensor | `smem_ptr[16b] o (8,64):(64,1)`: a layout of any kind with the bits of an element |
/// | layout on named axes | `S[(8,4,2):(4@laneid,1@laneid,1)] + R[2:4@warpid] + 5@warpid`: a layout with coordinate strides whose components have names |
/// | truth value | `true`, `false` |
/// | list of offsets | `(0,8,1,9,...)`, the result of `image` if it is too long for a tuple |
/// | symbolic value | `(M,K):(1,ld)`, `ceil(M/128)`, `128:1 if ld == M or M >= 128`: with names that are known only at launch |
/// | instruction | `atom(SM80_16x8x16_F32F16F16F32_TN)`, `tiled_mma(...)`, `tiled_copy(...)`, `get_slice(...)` |
/// | field | `.c`, an operand of an instruction |
/// | text | `"(ab)c -> cab"`, a pattern |
///
/// Every value of an expression prints as text that evaluates to it again. A value has at most four words, and the kinds that hold
/// layouts share them: a copy of a value does not copy its layout.
///
/// ```
/// use tilework_expr::{Session, Value};
/// let mut session = Session::new();
/// for text in ["(2,(_,0))", "(4,8):(1,4)", "<4:1,8:2>", "Sw<3,4,3>", "Sw<3,4,3> o 0 o (8,64):(64,1)", "{8} o (3,2):(15,100)"] {
///     let value: Value = session.evaluate(text)?.clone();
///     assert_eq!(value.to_string(), text);
/// }
/// # Ok::<(), tilework_expr::ExprError>(())
/// ```
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub enum Value {
    /// A number, or a hierarchical tuple of them.
    Tuple(Arc<HTuple<Atom>>),
    /// A layout.
    Layout(Arc<Layout>),
    /// Layouts that apply mode by mode.
    Tiler(Arc<Tiler>),
    /// Layouts that are applied in turn, the last one first: a composition of functions, on all integers.
    Chain(Arc<[Layout]>),
    /// A swizzle on its own.
    Swizzle(Swizzle),
    /// A swizzled layout.
    Composed(Arc<Composed>),
    /// A layout with an offset.
    View(Arc<View>),
    /// The memory of elements and their width, before a layout.
    Pointer(Pointer),
    /// A layout, swizzled layout or view, with the memory and the elements that CuTe prints before it.
    Tensor(Pointer, Box<Value>),
    /// A layout or view with coordinate strides, with the names of their components and the replicas.
    Named(Arc<Axes>, Box<Value>),
    /// The answer to a question.
    Bool(bool),
    /// Offsets in the order of their coordinates, too many for a tuple.
    Offsets(Arc<[Offset]>),
    /// A value with names that are known only at launch. Boxed, because it is large.
    Symbolic(Box<Symbolic>),
    /// An atom, a tiled MMA or copy, or a thread of one. Boxed, because it has several layouts.
    Instruction(Box<Instruction>),
    /// The name of a field.
    Field(&'static str),
    /// A pattern, or a size of one.
    Text(Arc<str>),
}

const _: () = assert!(size_of::<Value>() <= 4 * size_of::<usize>());

impl Value {
    /// An integer.
    ///
    /// ```
    /// assert_eq!(tilework_expr::Value::integer(22).to_string(), "22");
    /// ```
    #[must_use]
    #[inline(never)] // A tuple is large for the frame of the parser.
    pub fn integer(value: i64) -> Value {
        Value::from(HTuple::leaf(Atom::Integer(value)))
    }

    /// A tuple of integers: a shape or a coordinate.
    ///
    /// ```
    /// let value = tilework_expr::Value::integers(&"(4,(8,2))".parse()?)?;
    /// assert_eq!(value.to_string(), "(4,(8,2))");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// None for a valid tuple.
    pub fn integers(tuple: &HTuple<i64>) -> Result<Value, Error> {
        map(tuple, Atom::Integer).map(Value::from)
    }

    /// A tuple of strides.
    ///
    /// ```
    /// use tilework::Layout;
    /// let layout: Layout = "(4,8):(1@0,1@1)".parse()?;
    /// assert_eq!(tilework_expr::Value::strides(&layout.stride())?.to_string(), "(1@0,1@1)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// None for a valid tuple.
    pub fn strides(tuple: &Strides) -> Result<Value, Error> {
        map(tuple, Atom::of).map(Value::from)
    }

    /// An offset: a number, or for coordinate strides a coordinate.
    ///
    /// ```
    /// use tilework::{HTuple, Layout};
    /// let layout: Layout = "(4,8):(1@0,1@1)".parse()?;
    /// let offset = layout.evaluate(&HTuple::leaf(9))?;
    /// assert_eq!(tilework_expr::Value::offset(&offset)?.to_string(), "(1,2)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// None for a valid offset.
    pub fn offset(offset: &Offset) -> Result<Value, Error> {
        if offset.is_leaf() && offset.leaves()[0].is_integer() {
            return Ok(Value::integer(offset.leaves()[0].numerator()));
        }
        let mut atoms = [Atom::All; tilework::MAX_LEAVES];
        for (atom, &value) in atoms.iter_mut().zip(offset.leaves()) {
            *atom = Atom::of(Stride::new(value, Unit::ONE)?);
        }
        Ok(Value::from(HTuple::with_profile(offset.profile(), &atoms[..offset.leaves().len()], Atom::All)?))
    }

    /// A tiler; a single tile is a layout or `_`.
    ///
    /// ```
    /// use tilework_expr::Value;
    /// assert_eq!(Value::tiler("<4:1,8:2>".parse()?)?.to_string(), "<4:1,8:2>");
    /// assert_eq!(Value::tiler("4:1".parse()?)?.kind(), "a layout");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// None for a valid tiler.
    pub fn tiler(tiler: Tiler) -> Result<Value, Error> {
        if tiler.is_by_mode() {
            return Ok(Value::from(tiler));
        }
        Ok(tiler.layout()?.map_or(HTuple::leaf(Atom::All).into(), Value::from))
    }

    /// Offsets in the order of their coordinates: a tuple if they fit one.
    ///
    /// ```
    /// use tilework::{HTuple, Rational};
    /// let offsets = (0..40).map(|offset| HTuple::leaf(Rational::integer(offset))).collect();
    /// assert_eq!(tilework_expr::Value::offsets(offsets)?.kind(), "a list of offsets");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// None for valid offsets.
    pub fn offsets(offsets: Vec<Offset>) -> Result<Value, Error> {
        match HTuple::tuple(&offsets[..offsets.len().min(tilework::MAX_LEAVES + 1)]) {
            Ok(tuple) => Value::offset(&tuple),
            Err(_) => Ok(Value::Offsets(offsets.into())),
        }
    }

    /// A symbolic value, or, if it has neither names nor a guard, the plain value.
    pub(crate) fn settled(symbolic: Symbolic) -> Result<Value, Error> {
        if !symbolic.guard.is_always() || !symbolic.names().is_empty() {
            return Ok(Value::Symbolic(Box::new(symbolic)));
        }
        let none = symbolic.declared.any_values(&[]);
        let rational = |number: &Number| match (symbolic.declared.value(number, &none)?, number.as_fraction())
        {
            (Some(value), _) => Ok(Rational::integer(value)),
            (None, Some((numerator, denominator))) => Rational::new(numerator, denominator),
            (None, None) => Err(Error::Fact { reason: "a number with names" }),
        };
        let atom = |leaf: &SymbolicLeaf| {
            let sum = leaf
                .terms()
                .try_fold(Stride::ZERO, |sum, (count, unit)| sum.add(Stride::new(rational(count)?, unit)?));
            sum.map(Atom::of)
        };
        Ok(match &symbolic.content {
            Content::Number(number) => {
                HTuple::leaf(Atom::of(Stride::new(rational(number)?, Unit::ONE)?)).into()
            }
            Content::Tuple(tuple) => {
                let leaf = |leaf: &Option<SymbolicLeaf>| leaf.as_ref().map_or(Ok(Atom::All), atom);
                let leaves: Vec<Atom> = tuple.leaves().iter().map(leaf).collect::<Result<_, Error>>()?;
                HTuple::with_profile(tuple.profile(), &leaves, Atom::All)?.into()
            }
            Content::Layout(layout) => layout.instance(&none)?.into(),
            Content::Placed(placed) if placed.swizzle() != Swizzle::NONE => placed.instance(&none)?.into(),
            Content::Placed(placed) => {
                let offset = placed.offset().try_map(rational)?;
                let offset = HTuple::with_profile(offset.profile(), offset.leaves(), Rational::ZERO)?;
                View::new(offset, placed.layout().instance(&none)?)?.into()
            }
            Content::Tiler(tiler) => match tiler.as_constant() {
                Some(tiler) => tiler.into(),
                None => Value::Symbolic(Box::new(symbolic)),
            },
            Content::Truth(truth) => Value::Bool(*truth),
            _ => Value::Symbolic(Box::new(symbolic)),
        })
    }

    /// Whether it contains names.
    ///
    /// ```
    /// assert!(tilework_expr::Session::new().evaluate("(M,8):(8,1)")?.is_symbolic());
    /// # Ok::<(), tilework_expr::ExprError>(())
    /// ```
    #[must_use]
    pub fn is_symbolic(&self) -> bool {
        self.as_symbolic().is_some()
    }

    /// The value with its names and its condition, if it contains names; of a tensor that of its layout.
    ///
    /// ```
    /// let value = tilework_expr::Session::new().evaluate("ptr[32b] o (M,8):(8,1)")?.clone();
    /// assert_eq!(value.as_symbolic().map(|own| own.text()), Some("(M,8):(8,1)".into()));
    /// # Ok::<(), tilework_expr::ExprError>(())
    /// ```
    #[must_use]
    pub fn as_symbolic(&self) -> Option<&Symbolic> {
        match self.without_pointer() {
            Value::Symbolic(symbolic) => Some(symbolic),
            _ => None,
        }
    }

    /// This value without the memory and the elements of a tensor.
    pub(crate) fn without_pointer(&self) -> &Value {
        match self {
            Value::Tensor(_, value) => value,
            value => value,
        }
    }

    /// A value at the place of this one: if this is a tensor, a tensor of the same elements.
    pub(crate) fn with_pointer_of(self, tensor: &Value) -> Value {
        match tensor {
            Value::Tensor(pointer, _) => Value::Tensor(*pointer, Box::new(self)),
            _ => self,
        }
    }

    /// The kind of this value, for sentences.
    ///
    /// ```
    /// assert_eq!(tilework_expr::Session::new().evaluate("8:2 o 4:1")?.kind(), "a layout");
    /// # Ok::<(), tilework_expr::ExprError>(())
    /// ```
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Value::Tuple(tuple) if tuple.leaves().contains(&Atom::All) => "a coordinate with `_`",
            Value::Tuple(tuple) if tuple.is_leaf() && self.as_number().is_none() => "a stride",
            Value::Tuple(tuple) if tuple.is_leaf() => "a number",
            Value::Tuple(_) => "a tuple",
            Value::Layout(_) => "a layout",
            Value::Tiler(_) => "a tiler",
            Value::Chain(_) => "a chain of layouts",
            Value::Swizzle(_) => "a swizzle",
            Value::Composed(_) => "a swizzled layout",
            Value::View(_) => "a layout with an offset",
            Value::Pointer(_) => "a pointer",
            Value::Tensor(_, layout) if layout.is_symbolic() => "a symbolic tensor",
            Value::Tensor(..) => "a tensor",
            Value::Named(..) => "a layout on named axes",
            Value::Bool(_) => "a truth value",
            Value::Offsets(_) => "a list of offsets",
            Value::Symbolic(symbolic) => symbolic.described(),
            Value::Instruction(instruction) => instruction.kind(),
            Value::Field(_) => "the name of a field",
            Value::Text(_) => "a text",
        }
    }

    /// The integer, if this is one, also in parentheses.
    ///
    /// ```
    /// use tilework_expr::Value;
    /// assert_eq!(Value::integer(22).as_integer(), Some(22));
    /// assert_eq!(Value::integers(&"(22)".parse()?)?.as_integer(), Some(22));
    /// assert_eq!(Value::Bool(true).as_integer(), None);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub fn as_integer(&self) -> Option<i64> {
        self.as_number().filter(|number| number.is_integer()).map(|number| number.numerator())
    }

    /// Whether this is a number, also in parentheses.
    pub(crate) fn is_number(&self) -> bool {
        match self {
            Value::Symbolic(own) => own.is_number(),
            value => value.as_number().is_some(),
        }
    }

    /// Whether this is a stride that is no number.
    pub(crate) fn is_element(&self) -> bool {
        match self {
            Value::Symbolic(own) => own.element().is_some(),
            Value::Tuple(tuple) => tuple.is_leaf() && !self.is_number() && !self.is_open(),
            _ => false,
        }
    }

    /// Whether this is a number, a stride or a tuple of them.
    pub(crate) fn is_tuple(&self) -> bool {
        match self {
            Value::Symbolic(own) => matches!(own.kind(), SymbolicKind::Number | SymbolicKind::Tuple),
            value => matches!(value, Value::Tuple(_)),
        }
    }

    /// The tuple, if this is one without names.
    pub(crate) fn as_tuple(&self) -> Option<&HTuple<Atom>> {
        match self {
            Value::Tuple(tuple) => Some(tuple),
            _ => None,
        }
    }

    /// The number that this is, also in parentheses: `(3)` is 3.
    pub(crate) fn as_number(&self) -> Option<Rational> {
        let tuple = self.as_tuple()?;
        let [atom] = tuple.leaves() else { return None };
        let number = number_of(atom)?;
        tuple.profile().nodes().all(|rank| rank.is_none_or(|rank| rank == 1)).then_some(number)
    }

    /// The tuple of integers, if this is one; for a layout its shape, if `shape`.
    ///
    /// ```
    /// let value = tilework_expr::Session::new().evaluate("(4,8):(8,1)")?.clone();
    /// assert_eq!(value.as_shape().map(|shape| shape.to_string()), Some("(4,8)".into()));
    /// # Ok::<(), tilework_expr::ExprError>(())
    /// ```
    #[must_use]
    pub fn as_shape(&self) -> Option<Shape> {
        match self {
            Value::Tuple(tuple) => tuple.integers(0).ok(),
            _ => self.domain().map(Layout::shape),
        }
    }

    /// The coordinate, if this is one: a tuple of integers.
    ///
    /// ```
    /// let value = tilework_expr::Session::new().evaluate("(2,5)")?.clone();
    /// assert_eq!(value.as_coord().map(|coord| coord.to_string()), Some("(2,5)".into()));
    /// # Ok::<(), tilework_expr::ExprError>(())
    /// ```
    #[must_use]
    pub fn as_coord(&self) -> Option<Coord> {
        let tuple = self.as_tuple()?;
        tuple.integers(0).ok().or_else(|| {
            let sum = coordinate_of(tuple, false)?;
            let integers: Vec<i64> = sum.leaves().iter().map(|leaf| leaf.numerator()).collect();
            HTuple::with_profile(sum.profile(), &integers, 0).ok()
        })
    }

    /// The coordinate in a shape of this rank, which of a sum of basis elements has all entries: `e0` of rank 2 is `(1,0)`.
    pub(crate) fn as_coord_of(&self, rank: usize) -> Option<Coord> {
        let Some(sum) =
            self.as_tuple().and_then(|tuple| coordinate_of(tuple, true)).filter(|sum| !sum.is_leaf())
        else {
            return self.as_coord();
        };
        let entry = |index: usize| -> Result<HTuple<i64>, Error> {
            let entry = if index < sum.rank() { sum.mode(index)? } else { HTuple::leaf(Rational::ZERO) };
            let integers: Vec<i64> = entry.leaves().iter().map(|leaf| leaf.numerator()).collect();
            HTuple::with_profile(entry.profile(), &integers, 0)
        };
        HTuple::tuple(&(0..rank.max(sum.rank())).map(entry).collect::<Result<Vec<_>, _>>().ok()?).ok()
    }

    /// Whether this is a stride of several components.
    pub(crate) fn is_sum(&self) -> bool {
        match self {
            Value::Symbolic(own) => own.element().is_some_and(|sum| !sum.rest.is_empty()),
            value => value.as_strides().is_some_and(|own| own.is_leaf() && own.leaves()[0].is_sum()),
        }
    }

    /// A sum of basis elements as the coordinate that it is.
    pub(crate) fn sum_as_coordinate(&self) -> Option<Value> {
        if let Value::Symbolic(own) = self {
            let sum = own.element().filter(|_| self.is_sum())?.as_offset().ok()?;
            return Some(Value::from(Symbolic { content: Content::of_numbers(&sum), ..(**own).clone() }));
        }
        Value::offset(&coordinate_of(self.as_tuple()?, false)?).ok()
    }

    /// The strides, if this is a tuple of them.
    pub(crate) fn as_strides(&self) -> Option<Strides> {
        self.as_tuple()?.strides(0).ok()
    }

    /// The offset, if this is one: a number, or a coordinate of numbers.
    ///
    /// ```
    /// use tilework_expr::Value;
    /// assert!(Value::integer(8).as_offset().is_some_and(|offset| offset.is_leaf()));
    /// ```
    #[must_use]
    pub fn as_offset(&self) -> Option<Offset> {
        let tuple = self.as_tuple()?;
        offset_of(tuple).or_else(|| coordinate_of(tuple, true))
    }

    /// The coordinate with `_`, if this is one.
    ///
    /// ```
    /// let value = tilework_expr::Session::new().evaluate("(2,_)")?.clone();
    /// assert_eq!(value.as_pattern().map(|pattern| pattern.to_string()), Some("(2,_)".into()));
    /// # Ok::<(), tilework_expr::ExprError>(())
    /// ```
    #[must_use]
    pub fn as_pattern(&self) -> Option<Pattern> {
        self.as_tuple()?.pattern(0).ok()
    }

    /// The modes that an operation by mode takes on their own: `(_,_)`, and `<_,_>` as the paper writes it.
    pub(crate) fn as_profile(&self) -> Option<Pattern> {
        match self {
            Value::Tiler(tiler) => holes(tiler),
            _ => self.as_pattern(),
        }
    }

    /// Whether this is a coordinate with a `_`.
    ///
    /// ```
    /// let mut session = tilework_expr::Session::new();
    /// assert!(session.evaluate("(2,_)")?.is_open());
    /// assert!(!session.evaluate("(2,5)")?.is_open());
    /// # Ok::<(), tilework_expr::ExprError>(())
    /// ```
    #[must_use]
    pub fn is_open(&self) -> bool {
        matches!(self, Value::Tuple(tuple) if tuple.leaves().contains(&Atom::All))
    }

    /// The offsets of a layout, with what stands before it.
    pub(crate) fn as_offsets(&self) -> Option<Offsets> {
        Some(match self.untyped() {
            Value::View(view) => Offsets::View(**view),
            Value::Composed(composed) => Offsets::Swizzled(**composed),
            _ => Offsets::View(View::from(self.as_layout()?.ok()?)),
        })
    }

    /// This value as a layout: a layout, or a shape as its compact layout.
    ///
    /// ```
    /// let mut session = tilework_expr::Session::new();
    /// assert_eq!(session.evaluate("(4,8)")?.as_layout().unwrap()?.to_string(), "(4,8):(1,4)");
    /// assert!(session.evaluate("Sw<3,4,3>")?.as_layout().is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `None` for other kinds; the errors of [`Layout::column_major`].
    #[must_use]
    pub fn as_layout(&self) -> Option<Result<Layout, Error>> {
        match self {
            Value::Layout(layout) => Some(Ok(**layout)),
            Value::Tensor(_, value) | Value::Named(_, value) => value.as_layout(),
            Value::Tuple(tuple) => tuple.integers(0).ok().map(|shape| Layout::column_major(&shape)),
            Value::Tiler(tiler) if !tiler.is_by_mode() => match tiler.layout() {
                Ok(Some(layout)) => Some(Ok(layout)),
                _ => None,
            },
            _ => None,
        }
    }

    /// This value as the layout that an operand has to be.
    pub(crate) fn layout_where(&self, index: usize, wanted: &str) -> Result<Layout, Failure> {
        Ok(self.as_layout().ok_or_else(|| Failure::found(index, wanted, self.kind()))??)
    }

    /// A tensor is refused where its pointer, and with it the width of its elements, would be forgotten.
    pub(crate) fn refuse_tensor(&self, index: usize, wanted: &str) -> Result<(), Failure> {
        match self {
            Value::Tensor(..) => Err(Failure::found(index, wanted, self.kind())),
            _ => Ok(()),
        }
    }

    /// This value as a layout, plain or swizzled: a swizzled layout, or a value that [`as_layout`](Self::as_layout)
    /// converts.
    ///
    /// ```
    /// let mut session = tilework_expr::Session::new();
    /// let swizzled = session.evaluate("Sw<1,0,2> o (4,4):(4,1)")?.as_any_layout().unwrap()?;
    /// assert_eq!(swizzled.to_layout()?.to_string(), "((2,2),4):((^5,^8),^1)");
    /// assert!(session.evaluate("Sw<3,4,3>")?.as_any_layout().is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`as_layout`](Self::as_layout).
    #[must_use]
    pub fn as_any_layout(&self) -> Option<Result<AnyLayout, Error>> {
        match self.untyped() {
            Value::Composed(composed) => Some(Ok((**composed).into())),
            value => value.as_layout().map(|layout| layout.map(AnyLayout::from)),
        }
    }

    /// This value as the layout of data in memory: [`as_any_layout`](Self::as_any_layout), and a layout behind an
    /// integral offset, as a slice is.
    ///
    /// ```
    /// let value = tilework_expr::Session::new().evaluate("((4,8):(8,1))(2,_)")?.clone();
    /// assert_eq!(value.as_data().unwrap()?.to_string(), "Sw<0,0,0> o 16 o 8:1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`as_any_layout`](Self::as_any_layout), and [`Error::Codomain`] for an offset that is not an integer.
    #[must_use]
    pub fn as_data(&self) -> Option<Result<AnyLayout, Error>> {
        let Value::View(view) = self.untyped() else { return self.as_any_layout() };
        let layout = *view.layout();
        Some(match view.offset().leaves() {
            [offset] if offset.is_integer() => {
                Composed::new(Swizzle::NONE, offset.numerator(), layout).map(AnyLayout::from)
            }
            _ => Err(Error::Codomain { operation: "an offset in memory", found: layout.codomain() }),
        })
    }

    /// This value as a tiler: a tiler, a layout, `_`, an integer `n` as `n:1`, and a tuple of extents as the tiler that
    /// applies each of them to one mode.
    ///
    /// ```
    /// let value = tilework_expr::Session::new().evaluate("(4,8)")?.clone();
    /// assert_eq!(value.as_tiler().unwrap()?.to_string(), "<4:1,8:1>");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `None` for other kinds; the errors of [`Tiler::of_shape`].
    #[must_use]
    pub fn as_tiler(&self) -> Option<Result<Tiler, Error>> {
        match self {
            Value::Tiler(tiler) => Some(Ok(**tiler)),
            Value::Layout(layout) => Some(Ok(layout.as_tiler())),
            Value::Tensor(_, value) | Value::Named(_, value) => value.as_tiler(),
            Value::Tuple(tuple) => match tuple.integers(0) {
                Ok(shape) => Some(Tiler::of_shape(&shape)),
                Err(_) => tuple.pattern(0).ok().map(|_| tiler_with_holes(tuple)),
            },
            _ => None,
        }
    }

    /// The same within a tiler, where a tuple of extents may be a compact layout.
    pub(crate) fn as_tile(&self, is_compact: bool) -> Option<Result<Tiler, Error>> {
        match self {
            Value::Tuple(tuple) if is_compact && !tuple.is_leaf() => {
                self.as_layout().map(|layout| layout.map(|layout| layout.as_tiler()))
            }
            value => value.as_tiler(),
        }
    }

    /// The layout of this value's coordinates: for a view or a swizzled layout, the inner one.
    ///
    /// ```
    /// let value = tilework_expr::Session::new().evaluate("{8} o (3,2):(15,100)")?.clone();
    /// assert_eq!(value.domain().map(|layout| layout.to_string()), Some("(3,2):(15,100)".into()));
    /// # Ok::<(), tilework_expr::ExprError>(())
    /// ```
    #[must_use]
    pub fn domain(&self) -> Option<&Layout> {
        match self {
            Value::Layout(layout) => Some(layout),
            Value::View(view) => Some(view.layout()),
            Value::Composed(composed) => Some(composed.layout()),
            Value::Tensor(_, value) | Value::Named(_, value) => value.domain(),
            _ => None,
        }
    }

    /// The layout of this value's coordinates, or the layout that [`as_layout`](Self::as_layout) makes of it.
    pub(crate) fn shaped(&self) -> Option<Layout> {
        self.domain().copied().or_else(|| self.as_layout()?.ok())
    }

    /// This value without the memory and the elements of a tensor, and without the names of axes.
    ///
    /// ```
    /// let value = tilework_expr::Session::new().evaluate("smem_ptr[16b](0x0) o (_8,_64):(_64,_1)")?.clone();
    /// assert_eq!(value.untyped().to_string(), "(8,64):(64,1)");
    /// # Ok::<(), tilework_expr::ExprError>(())
    /// ```
    #[must_use]
    pub fn untyped(&self) -> &Value {
        match self {
            Value::Tensor(_, value) | Value::Named(_, value) => value,
            value => value,
        }
    }

    /// The bits of an element, if this is a tensor, or a copy, which counts in elements.
    ///
    /// ```
    /// let value = tilework_expr::Session::new().evaluate("smem_ptr[16b](0x0) o (_8,_64):(_64,_1)")?.clone();
    /// assert_eq!(value.element_bits(), Some(16));
    /// # Ok::<(), tilework_expr::ExprError>(())
    /// ```
    #[must_use]
    pub fn element_bits(&self) -> Option<u32> {
        match self {
            Value::Tensor(pointer, _) => Some(pointer.bits()),
            Value::Instruction(instruction) => match **instruction {
                Instruction::Copy(_, bits) => bits.try_into().ok(),
                Instruction::TiledCopy(copy) => copy.bits().try_into().ok(),
                _ => None,
            },
            _ => None,
        }
    }

    /// A layout, swizzled layout or view as a tensor of elements of this many bits, in memory of any kind; other values
    /// as they are.
    ///
    /// ```
    /// let value = tilework_expr::Session::new().evaluate("(8,64):(64,1)")?.clone();
    /// assert_eq!(value.with_element_bits(16).to_string(), "ptr[16b] o (8,64):(64,1)");
    /// # Ok::<(), tilework_expr::ExprError>(())
    /// ```
    #[must_use]
    pub fn with_element_bits(self, bits: u32) -> Value {
        match self {
            Value::Layout(_) | Value::Composed(_) | Value::View(_) => {
                Value::Tensor(Pointer::new(Memory::Any, bits), Box::new(self))
            }
            other => other,
        }
    }

    /// The same swizzle and offset with another layout.
    ///
    /// ```
    /// let value = tilework_expr::Session::new().evaluate("{8} o (3,2):(15,100)")?.clone();
    /// assert_eq!(value.with_domain("4:2".parse()?)?.to_string(), "{8} o 4:2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`View::new`] and [`Composed::new`], for a layout with another codomain.
    pub fn with_domain(&self, layout: Layout) -> Result<Value, Error> {
        Ok(match self {
            Value::View(view) => Value::from(View::new(*view.offset(), layout)?),
            Value::Composed(composed) => {
                Value::from(Composed::new(composed.swizzle(), composed.offset(), layout)?)
            }
            Value::Tensor(pointer, value) => Value::Tensor(*pointer, Box::new(value.with_domain(layout)?)),
            Value::Named(axes, value) => Value::Named(axes.clone(), Box::new(value.with_domain(layout)?)),
            _ => Value::from(layout),
        })
    }

    /// The same swizzle and offset with a layout of offsets of this one, for operations that change only coordinates.
    ///
    /// ```
    /// let value = tilework_expr::Session::new().evaluate("Sw<1,0,1> o 0 o 4:1")?.clone();
    /// assert_eq!(value.with_offsets("2:2".parse()?)?.to_string(), "Sw<1,0,1> o 0 o 2:2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`View::with_layout`] and [`Composed::with_layout`].
    pub fn with_offsets(&self, layout: Layout) -> Result<Value, Error> {
        Ok(match self {
            Value::View(view) => Value::from(view.with_layout(layout)?),
            Value::Composed(composed) => Value::from(composed.with_layout(layout)?),
            Value::Tensor(pointer, value) => Value::Tensor(*pointer, Box::new(value.with_offsets(layout)?)),
            Value::Named(axes, value) => Value::Named(axes.clone(), Box::new(value.with_offsets(layout)?)),
            _ => Value::from(layout),
        })
    }

    /// The offset of a coordinate, for every function of coordinates.
    ///
    /// ```
    /// use tilework::HTuple;
    /// let value = tilework_expr::Session::new().evaluate("{8} o (3,2):(15,100)")?.clone();
    /// assert_eq!(value.evaluate(&HTuple::leaf(1)).unwrap()?.to_string(), "23");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `None` for values that are not functions; the errors of [`Layout::evaluate`].
    #[must_use]
    pub fn evaluate(&self, coord: &Coord) -> Option<Result<Offset, Error>> {
        match self {
            Value::Layout(layout) => Some(layout.evaluate(coord)),
            Value::Composed(composed) => Some(AnyLayout::Swizzled(**composed).evaluate(coord)),
            Value::View(view) => Some(view.evaluate(coord)),
            Value::Tensor(_, value) | Value::Named(_, value) => value.evaluate(coord),
            Value::Tuple(_) => Some(self.as_layout()?.and_then(|layout| layout.evaluate(coord))),
            Value::Chain(layouts) => Some(chained(layouts, coord)),
            _ => None,
        }
    }
}

/// The offset of the first layout at the offset of the second one, and so on.
fn chained(layouts: &[Layout], coord: &Coord) -> Result<Offset, Error> {
    let (last, others) =
        layouts.split_last().ok_or(Error::Rank { operation: "chain", expected: 1, found: 0 })?;
    let mut offset = last.evaluate(coord)?;
    for layout in others.iter().rev() {
        let integers = offset.leaves().iter().map(|leaf| match (leaf.numerator(), leaf.denominator()) {
            (integer, 1) => Ok(integer),
            (numerator, denominator) => {
                Err(Error::NotIntegral { operation: "a layout of a chain", numerator, denominator })
            }
        });
        let integers = integers.collect::<Result<Vec<i64>, Error>>()?;
        offset = layout.evaluate(&HTuple::with_profile(offset.profile(), &integers, 0)?)?;
    }
    Ok(offset)
}

/// The nesting of a tiler that has only holes; the recursion depth is that of the tiler, which its capacity bounds.
fn holes(tiler: &Tiler) -> Option<Pattern> {
    if !tiler.is_by_mode() {
        return tiler.layout().is_ok_and(|tile| tile.is_none()).then_some(HTuple::leaf(PatternLeaf::All));
    }
    let modes = (0..tiler.rank()).map(|index| holes(&tiler.mode(index).ok()?));
    HTuple::tuple(&modes.collect::<Option<Vec<_>>>()?).ok()
}

/// The number that an atom is.
pub(crate) fn number_of(atom: &Atom) -> Option<Rational> {
    match atom {
        Atom::Integer(value) => Some(Rational::integer(*value)),
        Atom::Stride(stride) if stride.unit().is_one() => Some(stride.count()),
        _ => None,
    }
}

/// The numbers of a tuple as an offset.
pub(crate) fn offset_of(tuple: &HTuple<Atom>) -> Option<Offset> {
    let counts: Option<Vec<Rational>> = tuple.leaves().iter().map(number_of).collect();
    HTuple::with_profile(tuple.profile(), &counts?, Rational::ZERO).ok()
}

/// The coordinate that a sum of basis elements is: `e0+e1` is `(1,1)`; or, with `alone`, one of them: `e1` is `(0,1)`.
fn coordinate_of(tuple: &HTuple<Atom>, alone: bool) -> Option<Offset> {
    match tuple.leaves() {
        [Atom::Stride(sum)] if tuple.is_leaf() && (sum.is_sum() || alone && sum.unit().depth() > 0) => {
            Layout::of(&HTuple::leaf(2), &HTuple::leaf(*sum)).ok()?.evaluate(1).ok()
        }
        _ => None,
    }
}

/// `(4,_)` as `<4:1,_>`.
fn tiler_with_holes(tuple: &HTuple<Atom>) -> Result<Tiler, Error> {
    if tuple.is_leaf() {
        return match tuple.leaves()[0] {
            Atom::Integer(extent) => Tiler::of_shape(&HTuple::leaf(extent)),
            _ => Ok(Tiler::HOLE),
        };
    }
    let tiles = (0..tuple.rank()).map(|index| tiler_with_holes(&tuple.mode(index)?));
    Tiler::by_mode(&tiles.collect::<Result<Vec<_>, Error>>()?)
}

fn map<T: Copy>(tuple: &HTuple<T>, leaf: impl Fn(T) -> Atom) -> Result<HTuple<Atom>, Error> {
    let mut atoms = [Atom::All; tilework::MAX_LEAVES];
    for (atom, &value) in atoms.iter_mut().zip(tuple.leaves()) {
        *atom = leaf(value);
    }
    HTuple::with_profile(tuple.profile(), &atoms[..tuple.leaves().len()], Atom::All)
}

impl From<AnyLayout> for Value {
    fn from(layout: AnyLayout) -> Value {
        match layout {
            AnyLayout::Plain(layout) => layout.into(),
            AnyLayout::Swizzled(composed) => composed.into(),
        }
    }
}

/// `From` for the kinds whose content is behind a pointer.
macro_rules! from_content {
    ($($kind:ident, $content:ty, $pointer:ident;)*) => {$(
        impl From<$content> for Value {
            #[inline]
            fn from(content: $content) -> Value {
                Value::$kind($pointer::new(content))
            }
        }
    )*};
}
from_content! {
    Tuple, HTuple<Atom>, Arc;
    Layout, Layout, Arc;
    Tiler, Tiler, Arc;
    Composed, Composed, Arc;
    View, View, Arc;
    Symbolic, Symbolic, Box;
    Instruction, Instruction, Box;
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Tuple(tuple) => write!(f, "{tuple}"),
            Value::Layout(layout) => write!(f, "{layout}"),
            Value::Tiler(tiler) => write!(f, "{tiler}"),
            Value::Chain(layouts) => {
                let layouts: Vec<String> = layouts.iter().map(Layout::to_string).collect();
                write!(f, "chain({})", layouts.join(","))
            }
            Value::Swizzle(swizzle) => write!(f, "{swizzle}"),
            Value::Composed(composed) => write!(f, "{composed}"),
            Value::View(view) => write!(f, "{view}"),
            Value::Pointer(pointer) => write!(f, "{pointer}"),
            Value::Tensor(pointer, value) => write!(f, "{pointer} o {value}"),
            Value::Named(axes, value) => {
                let offset = match &**value {
                    Value::View(view) => Some(view.offset()),
                    _ => None,
                };
                value
                    .domain()
                    .map_or(Ok(()), |layout| f.write_str(&axes.written(layout, &axes.offset(offset))))
            }
            Value::Bool(truth) => f.write_str(if *truth { "true" } else { "false" }),
            Value::Offsets(offsets) => {
                f.write_str("(")?;
                for (index, offset) in offsets.iter().enumerate() {
                    f.write_str(if index > 0 { "," } else { "" })?;
                    f.write_str(offset.to_text().as_str())?;
                }
                f.write_str(")")
            }
            Value::Symbolic(symbolic) => fmt::Display::fmt(symbolic, f),
            Value::Instruction(instruction) => fmt::Display::fmt(instruction, f),
            Value::Field(name) => write!(f, ".{name}"),
            Value::Text(text) => write!(f, "\"{text}\""),
        }
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
