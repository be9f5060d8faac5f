//! One operation on symbolic values.

use crate::error::Failure;
use crate::symbolic::{Content, Symbolic};
use crate::value::Value;
use tilework::__private::Atom;
use tilework::{Error, Swizzle, Tiler, Unit};
use tilework_symbolic::{
    Answer, Guard, Number, Placed, Refusal, Scope, SymbolicLayout, SymbolicLeaf, SymbolicTiler, Tuple,
    Verdict,
};

/// The largest divisor that is queried.
const MAX_DIVISOR: i64 = 1 << 20;

/// The scope of one operation, with the guards of its operands as facts.
pub(crate) struct Scoped {
    pub scope: Scope,
    /// The guard of the operands.
    guard: Guard,
}

impl Scoped {
    pub fn of(scope: Scope) -> Scoped {
        Scoped { scope, guard: Guard::ALWAYS }
    }

    /// Adds the guard of an operand to the facts, because the operand is correct only under it.
    pub fn under(&mut self, operand: &Symbolic) -> Result<(), Error> {
        for clause in operand.guard.each() {
            let clause = self.scope.adopt(&operand.declared).guard(&clause)?;
            let open = self.scope.reduced(&clause)?;
            // Alternatives cannot be facts, and stay only in the guard.
            let _ = self.scope.assume_guard(&open);
            self.guard.push_all(&clause);
        }
        Ok(())
    }

    /// Requires of numbers that become extents that they are 1 or more, where that is not known.
    pub fn extents<'a>(&mut self, extents: impl IntoIterator<Item = &'a Number>) -> Result<(), Error> {
        for extent in extents {
            match self.scope.is_at_least(extent, &1.into())? {
                Verdict::Always => {}
                Verdict::When(guard) => {
                    let _ = self.scope.assume_guard(&guard);
                    self.guard.push_all(&guard);
                }
                Verdict::Never | Verdict::Open => {
                    return Err(Error::Fact { reason: "an extent has to be 1 or more" });
                }
            }
        }
        Ok(())
    }

    // ---- operands

    /// The content of a symbolic value in this scope, with its quotients as the facts say.
    pub fn adopted(&mut self, value: &Symbolic) -> Result<Content, Error> {
        self.adopted_at(value, &[])
    }

    /// The same, with integers in place of some names.
    pub fn adopted_at(&mut self, value: &Symbolic, given: &[(&str, i64)]) -> Result<Content, Error> {
        let mut own = self.scope.adopt(&value.declared).at(given);
        Ok(match &value.content {
            Content::Number(number) => Content::Number(own.number(number)?),
            Content::Quotient(numerator, denominator) => {
                let (numerator, denominator) = (own.number(numerator)?, own.number(denominator)?);
                match numerator.div(&denominator) {
                    Ok(quotient) => Content::Number(quotient),
                    Err(error) if denominator.as_integer() == Some(0) => return Err(error),
                    Err(_) => Content::Quotient(numerator, denominator),
                }
            }
            Content::Tuple(tuple) => {
                Content::Tuple(tuple.try_map(|leaf| leaf.as_ref().map(|leaf| own.stride(leaf)).transpose())?)
            }
            Content::Layout(layout) => Content::Layout(own.layout(layout)?),
            Content::Placed(placed) => Content::Placed(own.placed(placed)?),
            Content::Tiler(tiler) => Content::Tiler(own.tiler(tiler)?),
            content => content.clone(),
        })
    }

    /// A value in this scope; none for values that are neither numbers nor layouts nor tilers.
    pub fn content(&mut self, value: &Value) -> Result<Option<Content>, Failure> {
        Ok(match value.without_pointer() {
            Value::Symbolic(symbolic) => Some(self.adopted(symbolic)?),
            Value::Layout(layout) => Some(Content::Layout(self.scope.constant(layout)?)),
            Value::View(view) => {
                let numbers = view.offset().leaves().iter().map(|number| Number::constant(*number));
                let offset =
                    Tuple::with_profile(view.offset().profile(), numbers.collect::<Result<_, _>>()?)?;
                let layout = self.scope.constant(view.layout())?;
                Some(Content::Placed(self.scope.placed_of(Swizzle::NONE, offset, layout)?))
            }
            Value::Composed(composed) => {
                let (offset, layout) =
                    (Number::integer(composed.offset()), self.scope.constant(composed.layout())?);
                Some(Content::Placed(self.scope.placed_of(composed.swizzle(), offset, layout)?))
            }
            Value::Tiler(tiler) => Some(Content::Tiler(self.scope.constant_tiler(tiler)?)),
            Value::Bool(truth) => Some(Content::Truth(*truth)),
            value => self.elements(value)?.map(Content::of_elements),
        })
    }

    /// A number, a stride or a tuple of them, with nothing for each `_`.
    pub fn elements(&mut self, value: &Value) -> Result<Option<Tuple<Option<SymbolicLeaf>>>, Error> {
        Ok(match value {
            Value::Symbolic(symbolic) => match self.adopted(symbolic)? {
                Content::Number(number) => Some(Tuple::leaf(Some(SymbolicLeaf::new(1, number)))),
                Content::Tuple(tuple) => Some(tuple),
                _ => None,
            },
            Value::Tuple(tuple) => {
                let leaf = |atom: &Atom| match *atom {
                    Atom::All => Ok(None),
                    Atom::Integer(number) => Ok(Some(SymbolicLeaf::new(1, number))),
                    Atom::Stride(stride) => SymbolicLeaf::constant(1, stride).map(Some),
                };
                let leaves = tuple.leaves().iter().map(leaf).collect::<Result<_, Error>>()?;
                Some(Tuple::with_profile(tuple.profile(), leaves)?)
            }
            _ => None,
        })
    }

    /// A number, a stride or a tuple of them.
    pub fn strides(&mut self, value: &Value) -> Result<Option<Tuple<SymbolicLeaf>>, Error> {
        Ok(self.elements(value)?.and_then(|tuple| tuple.try_map(|leaf| leaf.clone().ok_or(())).ok()))
    }

    /// A number or a tuple of numbers, with nothing for each `_`.
    pub fn pattern(&mut self, value: &Value) -> Result<Option<Tuple<Option<Number>>>, Error> {
        let number = |leaf: &Option<SymbolicLeaf>| match leaf {
            Some(leaf) if !leaf.unit.is_one() => Err(()),
            leaf => Ok(leaf.as_ref().map(|leaf| leaf.stride.clone())),
        };
        Ok(self.elements(value)?.and_then(|tuple| tuple.try_map(number).ok()))
    }

    /// A number or a tuple of numbers.
    pub fn tuple_of(&mut self, value: &Value) -> Result<Option<Tuple<Number>>, Error> {
        let pattern = self.pattern(value)?;
        Ok(pattern.and_then(|tuple| tuple.try_map(|number| number.clone().ok_or(())).ok()))
    }

    /// An offset: the same, or the coordinate that a stride is, with `alone` also of one component.
    pub fn offset_of(&mut self, value: &Value, alone: bool) -> Result<Option<Tuple<Number>>, Error> {
        match self.strides(value)?.as_ref().map(|tuple| (tuple.is_leaf(), tuple.leaves())) {
            Some((true, [sum])) if !sum.unit.is_xor() && (alone || !sum.rest.is_empty()) => {
                sum.as_offset().map(Some)
            }
            _ => self.tuple_of(value),
        }
    }

    /// A layout; a tuple of extents is compact.
    pub fn layout(&mut self, value: &Value) -> Result<Option<SymbolicLayout>, Failure> {
        let Some(symbolic) = value.as_symbolic() else {
            return Ok(value
                .as_layout()
                .transpose()?
                .map(|layout| self.scope.constant(&layout))
                .transpose()?);
        };
        if let Content::Layout(layout) = &symbolic.content {
            return Ok(Some(self.scope.adopt(&symbolic.declared).layout(layout)?));
        }
        let Some(shape) = self.tuple_of(value)? else { return Ok(None) };
        self.extents(shape.leaves())?;
        Ok(Some(self.scope.column_major(&shape)?))
    }

    /// A layout that has an offset or a swizzle.
    pub fn placed(&mut self, value: &Value) -> Result<Option<Placed>, Failure> {
        Ok(match self.content(value)? {
            Some(Content::Placed(placed)) => Some(placed),
            _ => None,
        })
    }

    /// The layout of the coordinates of a layout, with an offset or a swizzle or without.
    pub fn domain(&mut self, value: &Value) -> Result<Option<SymbolicLayout>, Failure> {
        match self.placed(value)? {
            Some(placed) => Ok(Some(placed.layout().clone())),
            None => self.layout(value),
        }
    }

    /// A tiler: a layout, an extent, `_` or a tiler. A tuple applies each of its extents to one mode, or is a compact layout.
    pub fn tiler(&mut self, value: &Value, is_compact: bool) -> Result<Option<SymbolicTiler>, Failure> {
        let Some(symbolic) = value.as_symbolic() else {
            let tiler = value.as_tile(is_compact).transpose()?;
            return Ok(tiler.map(|tiler| self.scope.constant_tiler(&tiler)).transpose()?);
        };
        Ok(match self.adopted(symbolic)? {
            Content::Layout(layout) => Some(layout.as_tiler()),
            Content::Tiler(tiler) => Some(tiler),
            _ if is_compact => self.layout(value)?.map(|layout| layout.as_tiler()),
            _ => match self.pattern(value)? {
                Some(tuple) => {
                    self.extents(tuple.leaves().iter().flatten())?;
                    Some(self.tiles(&tuple)?)
                }
                None => None,
            },
        })
    }

    /// The tiler that applies each extent of a tuple to one mode.
    fn tiles(&self, tuple: &Tuple<Option<Number>>) -> Result<SymbolicTiler, Error> {
        if let (true, [extent]) = (tuple.is_leaf(), tuple.leaves()) {
            return match extent {
                Some(extent) => Ok(self.scope.column_major(&Tuple::leaf(extent.clone()))?.as_tiler()),
                None => self.scope.constant_tiler(&Tiler::HOLE),
            };
        }
        let tiles: Result<Vec<_>, Error> =
            (0..tuple.rank()).map(|index| Ok(Some(self.tiles(&tuple.mode(index)?)?))).collect();
        self.scope.tiler_of(&tiles?)
    }

    /// A layout of shape and stride.
    pub fn pair(&mut self, shape: &Value, stride: &Value) -> Result<Option<SymbolicLayout>, Error> {
        let Some(shape) = self.tuple_of(shape)? else { return Ok(None) };
        let Some(strides) = self.strides(stride)? else { return Ok(None) };
        self.extents(shape.leaves())?;
        self.scope.pair(&shape, &strides).map(Some)
    }

    // ---- results

    /// A value, with the guards of the operands and its own.
    pub fn made(&self, content: Content, guard: &Guard) -> Result<Value, Failure> {
        Ok(Value::settled(self.symbolic(content, guard))?)
    }

    pub fn symbolic(&self, content: Content, guard: &Guard) -> Symbolic {
        let mut all = self.guard.clone();
        all.push_all(guard);
        Symbolic { guard: all, ..Symbolic::new(content, self.scope.declared()) }
    }

    /// A value that is correct under the guards of the operands.
    pub fn bound(&self, content: Content) -> Result<Value, Failure> {
        self.made(content, &Guard::ALWAYS)
    }

    pub fn number(&self, number: Number) -> Result<Value, Failure> {
        self.bound(Content::Number(number))
    }

    pub fn tuple(&self, tuple: &Tuple<Number>) -> Result<Value, Failure> {
        self.bound(Content::of_numbers(tuple))
    }

    /// `true` or `false`, if that does not depend on the names.
    pub fn verdict(&self, verdict: Verdict) -> Result<Value, Failure> {
        match verdict {
            Verdict::Always => self.bound(Content::Truth(true)),
            Verdict::Never => self.bound(Content::Truth(false)),
            Verdict::When(guard) => self.made(Content::Truth(true), &guard),
            Verdict::Open => Err(Failure::other(
                "undecided",
                "the facts neither prove nor refute it, and no condition was found",
            )),
        }
    }

    pub fn answer(&self, answer: Result<Answer, Refusal>) -> Result<Value, Failure> {
        match answer {
            Ok(Answer { layout, guard }) => self.made(Content::Layout(layout), &guard),
            Err(refusal) => Err(self.refused(&refusal)),
        }
    }

    /// Why there is no answer.
    pub fn refused(&self, refusal: &Refusal) -> Failure {
        let text = self.scope.refusal_text(refusal);
        let message = match refusal {
            Refusal::Never(_) => text.trim_start_matches("never: "),
            Refusal::NoLayout { .. } => text.trim_start_matches("no layout at the witness: "),
            Refusal::Error(_) => &text,
        };
        Failure::Other { code: refusal.code(), message: message.to_owned() }
    }

    // ---- as the CuTe DSL writes it

    /// A number, or `?` with its known divisor if no condition has a name of it.
    fn dynamic(&self, number: &Number) -> Result<String, Error> {
        let guarded: Vec<&str> = self.scope.names_in(self.guard.numbers()).collect();
        if number.is_constant() || self.scope.names_in([number]).any(|name| guarded.contains(&name)) {
            return Ok(self.scope.number_text(number));
        }
        let mut divisor = 1;
        for prime in [2, 3, 5, 7, 11, 13] {
            while divisor <= MAX_DIVISOR / prime
                && matches!(self.scope.is_multiple(number, &(divisor * prime).into())?, Verdict::Always)
            {
                divisor *= prime;
            }
        }
        Ok(if divisor == 1 { "?".into() } else { format!("?{{div={divisor}}}") })
    }

    fn layout_in_cute(&self, layout: &SymbolicLayout) -> Result<String, Error> {
        let extents = layout.as_tuple().try_map(|leaf| self.dynamic(&leaf.extent))?;
        let strides = layout.as_tuple().try_map(|leaf| self.stride_in_cute(leaf))?;
        Ok([extents, strides].map(|tuple| tuple.text(&String::clone)).join(":"))
    }

    fn stride_in_cute(&self, leaf: &SymbolicLeaf) -> Result<String, Error> {
        let term = |(count, unit): (&Number, Unit)| {
            let (path, depth) = unit.path();
            let text = self.dynamic(count)?;
            Ok(path[..depth].iter().rev().fold(text, |text, index| format!("{text}@{index}")))
        };
        let terms = leaf.terms().map(term).collect::<Result<Vec<String>, Error>>()?;
        Ok(if leaf.rest.is_empty() { terms.concat() } else { format!("({})", terms.join("+")) })
    }

    /// A value as the CuTe DSL writes it: numbers that are known only at launch are `?`, with their divisor, except those
    /// with a name of the condition.
    pub fn in_cute(&mut self, value: &Symbolic) -> Result<String, Error> {
        self.under(value)?;
        let guard = match value.guard.is_always() {
            true => String::new(),
            false => format!(" if {}", value.declared.guard_text(&value.guard)),
        };
        let content = self.adopted(value)?;
        let text = match &content {
            Content::Number(number) => self.dynamic(number)?,
            Content::Tuple(tuple) => {
                let text = |leaf: &Option<SymbolicLeaf>| {
                    leaf.as_ref().map_or(Ok("_".into()), |leaf| self.stride_in_cute(leaf))
                };
                tuple.try_map(text)?.text(&String::clone)
            }
            Content::Layout(layout) => self.layout_in_cute(layout)?,
            Content::Placed(placed) => {
                let offset = placed.offset().try_map(|number| self.dynamic(number))?.text(&String::clone);
                let layout = self.layout_in_cute(placed.layout())?;
                match placed.swizzle() {
                    Swizzle::NONE => format!("{{{offset}}} o {layout}"),
                    swizzle => format!("{swizzle} o {offset} o {layout}"),
                }
            }
            _ => return Ok(value.to_string()),
        };
        Ok(text + &guard)
    }
}
