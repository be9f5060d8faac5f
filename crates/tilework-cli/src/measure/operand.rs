//! From the text of an expression to a layout in memory.

use super::Refusal;
use super::elements::mix;
use std::fmt;
use tilework::{Codomain, Composed, Counting, Elements, Error, HTuple, HasLayout, Layout, Tensor};
use tilework_expr::{ExprError, Session, Value};
use tilework_kernels::dynamic::Located;

/// A layout with its place in memory.
#[derive(Clone, Copy)]
pub struct Operand {
    /// As errors name it.
    pub name: &'static str,
    /// What a view adds to its offsets.
    view: i64,
    /// The places of its elements in the data.
    pub places: Places,
    /// How many elements the data has, from before the smallest offset to the largest.
    pub len: u128,
}

/// Tensors of places, whose layouts are of the types that the kernels take.
#[derive(Clone, Copy)]
#[allow(clippy::large_enum_variant)] // There are a handful of them.
pub enum Places {
    Plain(Tensor<Counting, Layout>),
    Swizzled(Tensor<Counting, Composed>),
}

/// Calls a macro or function with the tensor, of whichever type it is.
macro_rules! with_places {
    ($places:expr, |$tensor:ident| $body:expr) => {
        match $places {
            $crate::measure::operand::Places::Plain($tensor) => $body,
            $crate::measure::operand::Places::Swizzled($tensor) => $body,
        }
    };
}
pub(super) use with_places;

impl Operand {
    /// Evaluates an expression.
    pub fn evaluate(session: &mut Session, name: &'static str, text: &str) -> Result<Operand, Refusal> {
        let refuse = |error| Refusal::Expression { text: text.to_string(), error: Box::new(error) };
        let value = session.evaluate(text).map_err(refuse)?;
        let wrong = |message: String| refuse(ExprError::new(0..text.len(), "kind", message));
        match value {
            Value::Composed(composed) => Operand::new(name, *composed, 0, Places::Swizzled),
            Value::View(view) => match view.offset().leaves() {
                [start] if view.offset().is_leaf() && start.is_integer() => {
                    Operand::new(name, *view.layout(), start.numerator(), Places::Plain)
                }
                _ => Err(tilework_kernels::Error::Codomain { operand: name }.into()),
            },
            value => match value.as_layout() {
                Some(Ok(layout)) => Operand::of_layout(name, layout),
                Some(Err(error)) => {
                    Err(refuse(ExprError::new(0..text.len(), error.code(), error.to_string())))
                }
                None => Err(wrong(format!("{name} is a layout, and this is {}", value.kind()))),
            },
        }
    }

    /// A layout that was not given on the command line.
    pub fn of_layout(name: &'static str, layout: Layout) -> Result<Operand, Refusal> {
        Operand::new(name, layout, 0, Places::Plain)
    }

    fn new<L: HasLayout>(
        name: &'static str,
        layout: L,
        view: i64,
        places: impl Fn(Tensor<Counting, L>) -> Places,
    ) -> Result<Operand, Refusal> {
        let codomain = layout.as_layout().codomain();
        if !matches!(codomain, Codomain::Integer | Codomain::Xor) {
            return Err(tilework_kernels::Error::Codomain { operand: name }.into());
        }
        // What a view adds to sums makes no difference but for the place in a line, which is kept.
        let start = if codomain == Codomain::Xor {
            view
        } else {
            let low = image(layout, 0)?.0.min(0);
            low.saturating_neg().saturating_add(view.wrapping_add(low).rem_euclid(64))
        };
        let (_, high) = image(layout, start)?;
        let places = places(Tensor::with_offset(Counting, start, layout)?);
        Ok(Operand { name, view, places, len: high as u128 + 1 })
    }

    /// The layout whose shape the coordinates have.
    pub fn layout(&self) -> &Layout {
        with_places!(&self.places, |tensor| tensor.layout().as_layout())
    }

    /// The place of the layout's offset 0.
    pub fn start(&self) -> i64 {
        with_places!(&self.places, |tensor| tensor.offset())
    }

    /// The number of coordinates.
    pub fn size(&self) -> i64 {
        self.layout().size()
    }

    /// The bytes of its data, for elements of `size` bytes.
    pub fn need(&self, element: usize) -> (String, u128) {
        (self.name.to_string(), self.len.saturating_mul(element as u128))
    }

    /// Whether its offsets are no sums, and have to be evaluated one by one.
    pub fn is_evaluated(&self) -> bool {
        matches!(self.places, Places::Swizzled(_)) || self.layout().codomain() == Codomain::Xor
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
        with_places!(&self.places, |tensor| write!(f, "{}", tensor.layout()))
    }
}

/// The smallest and the largest offset, or bounds of them.
fn image(layout: impl HasLayout, start: i64) -> Result<(i64, i64), Refusal> {
    // Nothing at all has no offset, and the refusal to look for one there says which it would take.
    let nothing: &[()] = &[];
    match Tensor::with_offset(nothing, start, layout) {
        Err(Error::Image { min, max, .. }) => Ok((min, max)),
        Err(error) => Err(error.into()),
        Ok(_) => Ok((start, start)),
    }
}

impl Places {
    /// For the kernels.
    pub fn located(&self) -> &dyn Located {
        with_places!(self, |tensor| tensor)
    }

    /// The place of an integral coordinate.
    pub fn at(&self, index: i64) -> usize {
        with_places!(self, |tensor| tensor.at(index)) as usize
    }

    /// All, in the order of integral coordinates.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        let each = match self {
            Places::Plain(tensor) => Each::Plain(tensor.iter()),
            Places::Swizzled(tensor) => Each::Swizzled(tensor.iter()),
        };
        each.map(|place| place as usize)
    }
}

enum Each<'a> {
    Plain(Elements<'a, Counting, Layout>),
    Swizzled(Elements<'a, Counting, Composed>),
}

impl Iterator for Each<'_> {
    type Item = i64;

    #[inline]
    fn next(&mut self) -> Option<i64> {
        match self {
            Each::Plain(offsets) => offsets.next(),
            Each::Swizzled(offsets) => offsets.next(),
        }
    }
}

/// So many indices below `size` that look as if they were drawn by lot, each a little above the one before.
pub fn sample(size: i64, count: i64) -> impl Iterator<Item = i64> {
    let step = size / count.clamp(1, size);
    (0..size / step).map(move |i| i * step + (mix(i as u64) % step as u64) as i64)
}
