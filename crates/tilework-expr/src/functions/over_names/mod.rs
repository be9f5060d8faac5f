//! Calls with names in their arguments: the operations of `tilework_symbolic`, a scope for each call.

mod algebra;
mod coordinates;
mod queries;
mod tensors;

use super::call::{Answer, Call};
use super::einfold;
use super::parts::Change;
use crate::error::Failure;
use crate::names::{Names, Scoped};
use crate::symbolic::Content;
use crate::value::Value;
pub(super) use algebra::{
    coalesce, coalesce_extended, common_layout, common_vector, complement, composition, filter, inverse,
    is_complementable, is_composable, left_inverse, recast, right_inverse,
};
pub(crate) use coordinates::concatenate;
pub(super) use coordinates::{crd2idx, from_image, identity, idx2crd, inner_product, make, offset};
pub(super) use queries::{
    ceil_div, compatible, fits, image, in_bounds, is_vector, max_vector, mode_sizes, rank, shape, size,
    stride,
};
use std::ops::Deref;
pub(crate) use tensors::application;
pub(super) use tensors::{local_partition, local_tile, make_fragment, make_tensor, slice};
use tilework::{Error, HTuple, Pattern, PatternLeaf, Swizzle};
use tilework_symbolic::{
    Answer as Found, Guard, Number, Placed, Refusal, Scope, SymbolicLayout, SymbolicLeaf, SymbolicTiler,
    Tuple, Verdict,
};

/// The symbolic operation of a function.
#[derive(Clone, Copy)]
pub(super) enum OverNames {
    /// From the smallest and the largest offset to a number.
    Number(fn(&[Number; 2]) -> Result<Number, Error>),
    /// From a shape to a layout.
    Made(fn(&Scope, &Tuple<Number>) -> Result<SymbolicLayout, Error>),
    /// Of two shapes, or of the shapes of layouts.
    Nested(fn(&Tuple<Number>, &Tuple<Number>) -> bool),
    /// Of two layouts.
    Two(fn(&mut Scope, &SymbolicLayout, &SymbolicLayout) -> Result<Found, Refusal>),
    /// By a tiler.
    Tiled(fn(&mut Scope, &SymbolicLayout, &SymbolicTiler) -> Result<Found, Refusal>),
    /// A question about a layout.
    Ask(fn(&Scope, &SymbolicLayout) -> Result<Verdict, Error>),
    /// A question about a layout with its offset and swizzle.
    AskPlaced(fn(&Placed, &Scope) -> Result<Verdict, Error>),
    /// A question about two of them.
    Question(fn(&Placed, &Placed, &Scope) -> Result<Verdict, Error>),
    /// With its modes changed.
    Moved(fn(&Call<'_>) -> Result<Change, Failure>),
    /// By a separate function.
    By(fn(&mut NamedCall<'_>) -> Answer),
}

/// A call with a name in an argument.
pub(super) struct NamedCall<'a> {
    call: Call<'a>,
    scoped: Scoped,
}

impl<'a> Deref for NamedCall<'a> {
    type Target = Call<'a>;

    fn deref(&self) -> &Call<'a> {
        &self.call
    }
}

/// The value of a call.
pub(super) fn evaluate(
    operation: OverNames,
    name: &'static str,
    arguments: &[Value],
    indices: &[usize],
    names: &Names,
) -> Answer {
    let call = Call { name, arguments, indices };
    let mut call = NamedCall { call, scoped: names.under(arguments)? };
    match operation {
        OverNames::Number(operation) => {
            let (ends, guard) = call.placed(0)?.bounds(&call.scoped.scope)?;
            call.scoped.made(Content::Number(operation(&ends)?), &guard)
        }
        OverNames::Made(operation) => {
            let shape = call.extents(0)?;
            call.made(operation(&call.scoped.scope, &shape)?)
        }
        OverNames::Nested(question) => {
            let (first, second) = (call.shape(0)?, call.shape(1)?);
            Ok(Value::Bool(question(&first, &second)))
        }
        OverNames::Two(operation) => {
            let (left, right) = (call.domain(0)?, call.layout(1)?);
            let answer = operation(&mut call.scoped.scope, &left, &right);
            call.answer_in_place(answer)
        }
        OverNames::Tiled(operation) => {
            let (layout, tiler) = (call.domain(0)?, call.tiler(1)?);
            let answer = operation(&mut call.scoped.scope, &layout, &tiler);
            call.answer_in_place(answer)
        }
        OverNames::Ask(question) => {
            let layout = call.layout(0)?;
            call.scoped.verdict(question(&call.scoped.scope, &layout)?)
        }
        OverNames::AskPlaced(question) => {
            let placed = call.placed(0)?;
            call.scoped.verdict(question(&placed, &call.scoped.scope)?)
        }
        OverNames::Question(question) => {
            let (left, right) = (call.placed(0)?, call.placed(1)?);
            call.scoped.verdict(question(&left, &right, &call.scoped.scope)?)
        }
        OverNames::Moved(change) => {
            let change = change(&call)?;
            call.changed(&change)
        }
        OverNames::By(evaluate) => evaluate(&mut call),
    }
}

impl NamedCall<'_> {
    fn content(&self, index: usize) -> Option<&Content> {
        self.arguments[index].as_symbolic().map(|symbolic| &symbolic.content)
    }

    /// An argument as a layout; a tuple of extents is compact.
    fn layout(&mut self, index: usize) -> Result<SymbolicLayout, Failure> {
        self.scoped.layout(&self.arguments[index])?.ok_or_else(|| self.wrong(index, "a layout"))
    }

    /// An argument as a layout with what stands before it, as it is.
    fn function(&mut self, index: usize) -> Result<Content, Failure> {
        Ok(match self.scoped.placed(&self.arguments[index])? {
            Some(placed) => Content::Placed(placed),
            None => Content::Layout(self.layout(index)?),
        })
    }

    /// The layout of an argument's coordinates.
    fn domain(&mut self, index: usize) -> Result<SymbolicLayout, Failure> {
        Ok(self.placed(index)?.layout().clone())
    }

    /// A layout with what stands before it.
    fn placed(&mut self, index: usize) -> Result<Placed, Failure> {
        match self.scoped.placed(&self.arguments[index])? {
            Some(placed) => Ok(placed),
            None => Ok(self.layout(index)?.into()),
        }
    }

    /// The only argument, without an offset.
    fn only(&mut self) -> Result<Placed, Failure> {
        let placed = self.placed(0)?;
        match self.count() == 1 && placed.is_at_origin() {
            true => Ok(placed),
            false => Err(self.wrong(
                self.count() - 1,
                "a layout without an offset, and no second argument, beside names,",
            )),
        }
    }

    /// The answer on each mode that a tuple of `_` marks, if that is the second argument.
    fn by_mode(
        &mut self,
        operation: impl Fn(&mut Scope, &SymbolicLayout) -> Result<Found, Refusal>,
    ) -> Result<Option<Result<Found, Refusal>>, Failure> {
        let Some(profile) = self.profile() else { return Ok(None) };
        self.refuse_before_modes()?;
        let layout = self.layout(0)?;
        Ok(Some(self.scoped.scope.by_mode(&layout, &profile, operation)))
    }

    /// The second argument, if it marks modes.
    fn profile(&self) -> Option<Pattern> {
        self.arguments.get(1).filter(|value| !value.is_tuple()).and_then(Value::as_profile)
    }

    /// The inverse of a layout behind a swizzle, from that of the layout.
    fn inverse_behind(&self, swizzle: Swizzle, inverse: Result<Found, Refusal>) -> Answer {
        if swizzle == Swizzle::NONE {
            return match (self.content(0), inverse) {
                (Some(Content::Placed(_)), Ok(Found { layout, guard })) => {
                    self.scoped.made(Content::Placed(layout.into()), &guard)
                }
                (_, inverse) => self.scoped.answer(inverse),
            };
        }
        match inverse.and_then(|inverse| self.scoped.scope.inverse_behind(swizzle, inverse)) {
            Ok((inverse, guard)) => self.scoped.made(Content::Placed(inverse), &guard),
            Err(refusal) => Err(self.scoped.refused(&refusal)),
        }
    }

    fn tiler(&mut self, index: usize) -> Result<SymbolicTiler, Failure> {
        let tiler = self.scoped.tiler(&self.arguments[index], false)?;
        tiler.ok_or_else(|| self.wrong(index, "a tiler (a layout, an extent, or `<...>`)"))
    }

    /// A tuple as a tiler by mode.
    fn by_modes(&mut self, sizes: &Tuple<Number>) -> Result<SymbolicTiler, Failure> {
        let sizes = self.scoped.tuple(sizes)?;
        self.scoped.tiler(&sizes, false)?.ok_or_else(|| self.wrong(1, "a size for each mode"))
    }

    /// An argument as a tuple of numbers.
    fn tuple(&mut self, index: usize, wanted: &str) -> Result<Tuple<Number>, Failure> {
        let argument = &self.arguments[index];
        let is_integral = match argument {
            Value::Tuple(tuple) => tuple.integers(0).is_ok(),
            argument => argument.is_symbolic(),
        };
        match self.scoped.tuple_of(argument)? {
            Some(tuple) if is_integral => Ok(tuple),
            _ => Err(self.wrong(index, wanted)),
        }
    }

    /// An argument as a coordinate, which may be a sum of basis elements.
    fn coordinate(&mut self, index: usize) -> Result<Tuple<Number>, Failure> {
        match self.scoped.offset_of(&self.arguments[index], false)? {
            Some(sum) if self.arguments[index].is_element() => Ok(sum),
            _ => self.tuple(index, "a coordinate"),
        }
    }

    /// An argument as a shape, or as a tuple of other numbers; for a layout, its own.
    pub fn shape(&mut self, index: usize) -> Result<Tuple<Number>, Failure> {
        let is_layout = matches!(self.content(index), Some(Content::Layout(_) | Content::Placed(_)));
        match is_layout || self.arguments[index].domain().is_some() {
            true => Ok(self.domain(index)?.as_tuple().map(|leaf| leaf.extent.clone())),
            false => self.tuple(index, "a shape"),
        }
    }

    /// An argument as the extents of coordinates.
    fn extents(&mut self, index: usize) -> Result<Tuple<Number>, Failure> {
        let shape = self.shape(index)?;
        self.scoped.extents(shape.leaves())?;
        Ok(shape)
    }

    /// The layout of two arguments, its shape and its strides.
    fn pair(&mut self, index: usize) -> Result<SymbolicLayout, Failure> {
        let pair = self.scoped.pair(&self.arguments[index], &self.arguments[index + 1])?;
        pair.ok_or_else(|| self.wrong(index, "a shape"))
    }

    fn number_at(&mut self, index: usize) -> Result<Number, Failure> {
        let tuple = self.tuple(index, "a number")?;
        match tuple.leaves() {
            [number] => Ok(number.clone()),
            _ => Err(self.wrong(index, "a number")),
        }
    }

    fn made(&self, layout: SymbolicLayout) -> Answer {
        self.scoped.bound(Content::Layout(layout))
    }

    /// A layout in the place of the first argument's, with the same offset and swizzle.
    fn in_place(&mut self, layout: SymbolicLayout) -> Answer {
        self.answer_in_place(Ok(Found { layout, guard: Guard::ALWAYS }))
    }

    fn answer_in_place(&mut self, answer: Result<Found, Refusal>) -> Answer {
        let value = match (self.scoped.placed(&self.arguments[0])?, answer) {
            (Some(placed), Ok(Found { layout, guard })) => {
                self.scoped.made(Content::Placed(placed.with_layout(layout)), &guard)
            }
            (_, answer) => self.scoped.answer(answer),
        };
        Ok(value?.with_pointer_of(&self.arguments[0]))
    }

    /// When a number of an argument is one of a mode of this size.
    fn below(&self, index: usize, number: &Number, size: &Number) -> Result<Guard, Failure> {
        let (scope, mut guard) = (&self.scoped.scope, Guard::ALWAYS);
        for limit in [number.clone(), size.sub(number)?.sub(&1.into())?] {
            match scope.is_at_least(&limit, &0.into())? {
                Verdict::Always => {}
                Verdict::When(own) => guard.push_all(&own),
                _ => {
                    let [number, size] = [number, size].map(|number| scope.number_text(number));
                    let message =
                        format!("{number} is not known to be in bounds: 0 or more, and below {size}");
                    return Err(Failure::argument(index, message));
                }
            }
        }
        Ok(guard)
    }

    /// The part of a layout, that of an argument, which a coordinate with `_` leaves open.
    fn sliced(
        &mut self,
        index: usize,
        placed: &Placed,
        coordinate: &Tuple<Option<Number>>,
        guard: &Guard,
    ) -> Answer {
        let fixed: Vec<Number> = coordinate.leaves().iter().flatten().cloned().collect();
        let leaf = |number: &Option<Number>| number.as_ref().map_or(PatternLeaf::All, |_| PatternLeaf::At(0));
        let leaves: Vec<PatternLeaf> = coordinate.leaves().iter().map(leaf).collect();
        let pattern = Pattern::with_profile(coordinate.profile(), &leaves, PatternLeaf::All)?;
        let rest = placed.slice(&mut self.scoped.scope, &pattern, &fixed)?;
        Ok(self.scoped.made(Content::Placed(rest), guard)?.with_pointer_of(&self.arguments[index]))
    }

    /// The first argument with its modes changed.
    fn changed(&mut self, change: &Change) -> Answer {
        let last = if change.takes_mode() { self.count() - 1 } else { 0 };
        if self.arguments[0].is_tuple() && self.arguments[last].is_tuple() {
            let tuple = self.tuple(0, "a tuple")?;
            let mode = if last == 0 { Tuple::leaf(1.into()) } else { self.tuple(last, "a tuple")? };
            return self.scoped.tuple(&joined(&tuple, &mode, change)?);
        }
        let layout = self.domain(0)?;
        let mode = match last {
            0 => Tuple::leaf(SymbolicLeaf::new(1, 0)),
            last => self.layout(last)?.as_tuple().clone(),
        };
        let layout = self.scoped.scope.layout_of(joined(layout.as_tuple(), &mode, change)?)?;
        self.in_place(layout)
    }
}

pub(super) fn einfold(call: &mut NamedCall<'_>) -> Answer {
    let (text, arguments) = (einfold::pattern(call)?, call.arguments);
    call.call.arguments = &arguments[1..2];
    let folded = call.changed(&Change::Einfold(text.clone()));
    call.call.arguments = arguments;
    folded.map_err(|failure| einfold::placed(call, &text, failure))
}

/// A tuple after a change, which gets the places of the leaves.
fn joined<T: Clone>(tuple: &Tuple<T>, mode: &Tuple<T>, change: &Change) -> Result<Tuple<T>, Error> {
    let all = [tuple.leaves(), mode.leaves()].concat();
    let places: Vec<usize> = (0..all.len()).collect();
    let (own, taken) = places.split_at(tuple.leaves().len());
    let [tuple, mode] =
        [(tuple, own), (mode, taken)].map(|(tuple, places)| HTuple::with_profile(tuple.profile(), places, 0));
    let moved = change.of(&tuple?, &mode?)?;
    Tuple::with_profile(moved.profile(), moved.leaves().iter().map(|&place| all[place].clone()).collect())
}

fn product(numbers: &[Number]) -> Result<Number, Error> {
    numbers.iter().try_fold(Number::integer(1), |product, number| product.mul(number))
}
