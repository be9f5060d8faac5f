//! From the text of an expression to a layout in memory.

use super::elements::mix;
use crate::answer::Refusal;
use std::fmt;
use tilework::{AnyLayout, Codomain, Counting, HTuple, HasLayout, Layout, Tensor};
use tilework_expr::{ExprError, Session, Value};

/// A layout with its place in memory.
#[derive(Clone, Copy)]
pub struct Operand {
    /// Its name in errors.
    pub name: &'static str,
    /// The offset of a view.
    view: i64,
    /// The places of its elements in the data.
    pub tensor: Tensor<Counting, AnyLayout>,
    /// The number of elements of the data, from before the smallest offset to the largest.
    pub len: u128,
}

impl Operand {
    /// Evaluates an expression.
    pub fn evaluate(session: &mut Session, name: &'static str, text: &str) -> Result<Operand, Refusal> {
        let refuse = |error| Refusal::Expression { text: text.to_string(), error: Box::new(error) };
        let value = session.evaluate(text).map_err(refuse)?;
        let wrong = |message: String| refuse(ExprError::new(0..text.len(), "kind", message));
        match value.untyped() {
            Value::Composed(composed) => Operand::new(name, **composed, 0),
            Value::View(view) => match view.offset().leaves() {
                [start] if view.offset().is_leaf() && start.is_integer() => {
                    Operand::new(name, *view.layout(), start.numerator())
                }
                _ => Err(tilework_kernels::Error::Codomain { operand: name }.into()),
            },
            value => match value.as_layout() {
                Some(Ok(layout)) => Operand::of_layout(name, layout),
                Some(Err(error)) => {
                    Err(refuse(ExprError::new(0..text.len(), error.code(), error.to_string())))
                }
                None => Err(wrong(format!("{name} is a layout; found {}", value.kind()))),
            },
        }
    }

    /// A layout that was not given on the command line.
    pub fn of_layout(name: &'static str, layout: Layout) -> Result<Operand, Refusal> {
        Operand::new(name, layout, 0)
    }

    fn new(name: &'static str, layout: impl HasLayout, view: i64) -> Result<Operand, Refusal> {
        let codomain = layout.as_layout().codomain();
        if !matches!(codomain, Codomain::Integer | Codomain::Xor) {
            return Err(tilework_kernels::Error::Codomain { operand: name }.into());
        }
        // The offset of a view does not matter for sums, except for the place in a cache line, which is kept.
        let start = if codomain == Codomain::Xor {
            view
        } else {
            let low = layout.image(0)?.0.min(0);
            low.saturating_neg().saturating_add(view.wrapping_add(low).rem_euclid(64))
        };
        let (_, high) = layout.image(start)?;
        let tensor = Tensor::with_offset(Counting, start, layout.to_any())?;
        Ok(Operand { name, view, tensor, len: high as u128 + 1 })
    }

    /// The layout with the shape of the coordinates.
    pub fn layout(&self) -> &Layout {
        self.tensor.layout().layout()
    }

    /// The place of the layout's offset 0.
    pub fn start(&self) -> i64 {
        self.tensor.offset()
    }

    /// The number of coordinates.
    pub fn size(&self) -> i64 {
        self.layout().size()
    }

    /// The extent of a mode, or 1 beyond the last.
    pub fn extent(&self, mode: usize) -> i64 {
        self.layout().mode(mode).map_or(1, |mode| mode.size())
    }

    /// The sum of the extents of the modes.
    pub fn extents(&self) -> u128 {
        (0..self.layout().rank()).map(|mode| self.extent(mode) as u128).sum()
    }

    /// The bytes of its data, for elements of `size` bytes.
    pub fn need(&self, element: usize) -> (String, u128) {
        (self.name.to_string(), self.len.saturating_mul(element as u128))
    }

    /// The place of an integral coordinate.
    pub fn at(&self, index: i64) -> usize {
        self.tensor.at(index) as usize
    }

    /// The places in the order of integral coordinates.
    pub fn places(&self) -> impl Iterator<Item = usize> + '_ {
        self.tensor.iter().map(|place| place as usize)
    }

    /// Whether its offsets are not sums, and have to be evaluated one by one.
    pub fn is_evaluated(&self) -> bool {
        matches!(self.tensor.layout(), AnyLayout::Swizzled(_)) || self.layout().codomain() == Codomain::Xor
    }

    /// The coordinate of an index, as `7, which is (3,1)`.
    pub fn coordinate(&self, index: i64) -> String {
        match self.layout().shape().idx2crd(&HTuple::leaf(index)) {
            Ok(coordinate) if !coordinate.is_leaf() => format!("{index}, which is {coordinate}"),
            _ => index.to_string(),
        }
    }
}

impl fmt::Display for Operand {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if self.view != 0 {
            write!(f, "{{{}}} o ", self.view)?;
        }
        write!(f, "{}", self.tensor.layout())
    }
}

/// `count` pseudorandom indices below `size`, in ascending order.
pub fn sample(size: i64, count: i64) -> impl Iterator<Item = i64> {
    let step = size / count.clamp(1, size);
    (0..size / step).map(move |i| i * step + (mix(i as u64) % step as u64) as i64)
}
