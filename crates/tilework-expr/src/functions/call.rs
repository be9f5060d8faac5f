//! The arguments of a call, converted to the types that the function needs.

use crate::error::Failure;
use crate::symbolic::Content;
use crate::value::Value;
use std::ops::Deref;
use tilework::{AnyLayout, Composed, Coord, Error, Layout, Pattern, Shape, Strides, Swizzle, Tiler};

/// The result of a function.
pub(crate) type Answer = Result<Value, Failure>;

/// A call: a name, arguments, and the indices in `<...>`.
pub(super) struct Call<'a> {
    /// The function's name.
    pub name: &'static str,
    /// The arguments.
    pub arguments: &'a [Value],
    /// The indices.
    pub indices: &'a [usize],
}

/// The layout of an argument, or one that is made of it. Boxed, because it is large.
pub(super) enum Operand<'a> {
    Own(&'a Layout),
    Made(Box<Layout>),
}

impl Deref for Operand<'_> {
    type Target = Layout;

    fn deref(&self) -> &Layout {
        match self {
            Operand::Own(layout) => layout,
            Operand::Made(layout) => layout,
        }
    }
}

impl<'a> Call<'a> {
    /// The number of arguments.
    pub fn count(&self) -> usize {
        self.arguments.len()
    }

    /// The error for an argument of the wrong kind.
    pub fn wrong(&self, index: usize, wanted: &str) -> Failure {
        let kind = self.arguments[index].kind();
        let message = format!("argument {} of {} is {kind} where {wanted} is wanted", index + 1, self.name);
        let help = match self.arguments[index] {
            Value::Tiler(_) => Some("in a tuple with layouts, a number n is a tile; the layout is n:1"),
            _ => None,
        };
        Failure::Argument { index, message, help }
    }

    /// An argument as a layout.
    #[inline]
    pub fn layout(&self, index: usize) -> Result<Operand<'a>, Failure> {
        match self.arguments[index].untyped() {
            Value::Layout(layout) => Ok(Operand::Own(layout)),
            _ => self.made_layout(index),
        }
    }

    /// Refuses an operation by mode of a layout behind a swizzle or an offset.
    pub fn refuse_before_modes(&self) -> Result<(), Failure> {
        let reason = match self.arguments[0].untyped() {
            Value::Composed(_) => "a swizzle mixes the modes",
            Value::View(_) => "an offset belongs to no mode",
            Value::Symbolic(own) => match &own.content {
                Content::Placed(placed) if placed.swizzle() != Swizzle::NONE => "a swizzle mixes the modes",
                Content::Placed(_) => "an offset belongs to no mode",
                _ => return Ok(()),
            },
            _ => return Ok(()),
        };
        Err(self.refuse(format!("{} by mode takes a layout alone: {reason}", self.name)))
    }

    fn made_layout(&self, index: usize) -> Result<Operand<'a>, Failure> {
        match self.arguments[index].as_layout() {
            Some(layout) => Ok(Operand::Made(Box::new(layout?))),
            None => Err(self.wrong(index, "a layout")),
        }
    }

    /// An argument as a layout, plain or swizzled.
    pub fn any_layout(&self, index: usize) -> Result<AnyLayout, Failure> {
        match self.arguments[index].as_any_layout() {
            Some(layout) => Ok(layout?),
            None => Err(self.wrong(index, "a layout")),
        }
    }

    /// A question about the first argument: a layout, or a swizzled one.
    pub fn of_function<T>(
        &self,
        plain: fn(&Layout) -> Result<T, Error>,
        swizzled: fn(&Composed) -> Result<T, Error>,
    ) -> Result<T, Failure> {
        match self.arguments[0].untyped() {
            Value::Composed(composed) => Ok(swizzled(composed)?),
            _ => Ok(plain(&*self.layout(0)?)?),
        }
    }

    /// The layout of an argument's coordinates.
    #[inline]
    pub fn domain(&self, index: usize) -> Result<Operand<'a>, Failure> {
        match self.arguments[index].domain() {
            Some(layout) => Ok(Operand::Own(layout)),
            None => self.layout(index),
        }
    }

    /// An argument as a tiler.
    pub fn tiler(&self, index: usize) -> Result<Tiler, Failure> {
        match self.arguments[index].as_tiler() {
            Some(tiler) => Ok(tiler?),
            None => Err(self.wrong(index, "a tiler (a layout, an extent, or `<...>`)")),
        }
    }

    /// An argument as a shape.
    pub fn shape(&self, index: usize) -> Result<Shape, Failure> {
        self.arguments[index].as_shape().ok_or_else(|| self.wrong(index, "a shape"))
    }

    /// An argument as strides.
    pub fn strides(&self, index: usize) -> Result<Strides, Failure> {
        self.arguments[index].as_strides().ok_or_else(|| self.wrong(index, "a tuple of strides"))
    }

    /// An argument as a coordinate.
    pub fn coord(&self, index: usize) -> Result<Coord, Failure> {
        self.arguments[index].as_coord().ok_or_else(|| self.wrong(index, "a coordinate"))
    }

    /// An argument as a coordinate with `_`.
    pub fn pattern(&self, index: usize) -> Result<Pattern, Failure> {
        self.arguments[index].as_pattern().ok_or_else(|| self.wrong(index, "a coordinate with `_`"))
    }

    /// An argument as the modes to take on their own.
    pub fn profile(&self, index: usize) -> Result<Pattern, Failure> {
        self.arguments[index]
            .as_profile()
            .ok_or_else(|| self.wrong(index, "a tuple of `_`, one for each mode,"))
    }

    /// An argument as an integer.
    pub fn integer(&self, index: usize) -> Result<i64, Failure> {
        self.arguments[index].as_integer().ok_or_else(|| self.wrong(index, "an integer"))
    }

    /// An argument as the index of a mode.
    pub fn index(&self, index: usize) -> Result<usize, Failure> {
        usize::try_from(self.integer(index)?).map_err(|_| self.wrong(index, "an index of 0 or more"))
    }

    /// The indices of the function: those in `<...>`, or the integers from argument `first` on, which may also be one
    /// tuple.
    pub fn own_indices(&self, first: usize) -> Result<Vec<usize>, Failure> {
        if !self.indices.is_empty() {
            return Ok(self.indices.to_vec());
        }
        let mut indices = Vec::new();
        for argument in first..self.count() {
            let tuple = self.coord(argument)?;
            for &index in tuple.leaves() {
                let index =
                    usize::try_from(index).map_err(|_| self.wrong(argument, "an index of 0 or more"))?;
                indices.push(index);
            }
        }
        Ok(indices)
    }

    /// The error for a call whose arguments do not fit together.
    pub fn refuse(&self, message: impl Into<String>) -> Failure {
        Failure::other("arguments", message)
    }
}
