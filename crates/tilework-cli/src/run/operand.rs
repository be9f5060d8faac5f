//! From the text of an expression to a layout in memory.

use super::Refusal;
use super::elements::mix;
use std::fmt;
use tilework::{Codomain, Composed, Counting, Elements, Error, HTuple, Layout, Swizzle, Tensor};
use tilework_expr::{ExprError, Session, Value};

/// A layout with its place in memory.
#[derive(Clone, Copy, Debug)]
pub struct Operand {
    /// As errors name it.
    pub name: &'static str,
    /// The layout.
    pub kind: Kind,
    /// What a view adds to its offsets.
    view: i64,
    /// Where offset 0 of the layout lies in the data.
    pub place: usize,
    /// Whether there are offsets below 0.
    pub negative: bool,
    /// How many elements the data has, from before the smallest offset to the largest.
    pub len: u128,
}

/// What the kernels take.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::large_enum_variant)] // There are a handful of them.
pub enum Kind {
    Plain(Layout),
    Swizzled(Composed),
}

/// Calls a macro or function with the layout, of whichever type it is.
macro_rules! with_layout {
    ($kind:expr, |$layout:ident| $body:expr) => {
        match $kind {
            $crate::run::operand::Kind::Plain($layout) => $body,
            $crate::run::operand::Kind::Swizzled($layout) => $body,
        }
    };
}
pub(super) use with_layout;

impl Operand {
    /// Evaluates an expression.
    pub fn evaluate(session: &mut Session, name: &'static str, text: &str) -> Result<Operand, Refusal> {
        let refuse = |error| Refusal::Expression { text: text.to_string(), error: Box::new(error) };
        let value = session.evaluate(text).map_err(refuse)?;
        let wrong = |message: String| refuse(ExprError::new(0..text.len(), "kind", message));
        let (kind, start) = match value {
            Value::Composed(composed) => (Kind::Swizzled(*composed), 0),
            Value::View(view) => match view.offset.leaves() {
                [start] if view.offset.is_leaf() && start.is_integer() => {
                    (Kind::Plain(view.layout), start.numerator())
                }
                _ => return Err(tilework_kernels::Error::Codomain { operand: name }.into()),
            },
            value => match value.as_layout() {
                Some(Ok(layout)) => (Kind::Plain(layout), 0),
                Some(Err(error)) => {
                    return Err(refuse(ExprError::new(0..text.len(), error.code(), error.to_string())));
                }
                None => return Err(wrong(format!("{name} is a layout, and this is {}", value.kind()))),
            },
        };
        Operand::new(name, kind, start)
    }

    /// A layout that is none of the command line's.
    pub fn of_layout(name: &'static str, layout: Layout) -> Result<Operand, Refusal> {
        Operand::new(name, Kind::Plain(layout), 0)
    }

    fn new(name: &'static str, kind: Kind, view: i64) -> Result<Operand, Refusal> {
        let layout = *kind.layout();
        if !matches!(layout.codomain(), Codomain::Integer | Codomain::Xor) {
            return Err(tilework_kernels::Error::Codomain { operand: name }.into());
        }
        let (low, high) = kind.image()?;
        // Before XOR strides a view has no carries. Where it has no bit in common with an offset, that is a sum.
        let reached = if high > 0 { i64::MAX >> (high.leading_zeros() - 1) } else { 0 };
        if layout.codomain() == Codomain::Xor && (view < 0 || view & reached != 0) {
            let message = format!(
                "{name} is a view from {view} on with XOR strides, which only the algebra has; write its layout alone"
            );
            return Err(Refusal::Other("codomain", message));
        }
        // What a view adds makes no difference but for the place in a line, which is kept.
        let low = low.min(0);
        let lead = view.wrapping_add(low).rem_euclid(64);
        let len = (i128::from(high.max(0)) - i128::from(low) + i128::from(lead)) as u128 + 1;
        let place = low.saturating_neg().saturating_add(lead) as usize;
        Ok(Operand { name, kind, view, place, negative: low < 0, len })
    }

    /// The layout whose shape the coordinates have.
    pub fn layout(&self) -> &Layout {
        self.kind.layout()
    }

    /// The number of coordinates.
    pub fn size(&self) -> i64 {
        self.layout().size()
    }

    /// The bytes of its data, for elements of so many.
    pub fn need(&self, element: usize) -> (String, u128) {
        (self.name.to_string(), self.len.saturating_mul(element as u128))
    }

    /// Whether its offsets are no sums, and have to be evaluated one by one.
    pub fn is_evaluated(&self) -> bool {
        matches!(self.kind, Kind::Swizzled(_)) || self.layout().codomain() == Codomain::Xor
    }

    /// The layout as seen from the beginning of what [`seen`](Self::seen) gives.
    pub fn kind_seen(&self) -> Result<Kind, Refusal> {
        if !self.negative {
            return Ok(self.kind);
        }
        // A swizzle that moves nothing has room for an offset.
        Ok(Kind::Swizzled(Composed::new(Swizzle::new(0, 0, 0)?, self.place as i64, *self.layout())?))
    }

    /// The data from offset 0 on; all of it, where there are offsets below.
    pub fn seen<'a, T>(&self, data: &'a [T]) -> &'a [T] {
        if self.negative { data } else { &data[self.place..] }
    }

    /// [`seen`](Self::seen), to be written to.
    pub fn seen_mut<'a, T>(&self, data: &'a mut [T]) -> &'a mut [T] {
        if self.negative { data } else { &mut data[self.place..] }
    }

    /// Where the elements lie in the data.
    pub fn places(&self) -> Result<Places, Refusal> {
        let offsets = match self.kind {
            Kind::Plain(layout) => Offsets::Plain(Tensor::new(Counting, layout)?),
            Kind::Swizzled(composed) => Offsets::Swizzled(Tensor::new(Counting, composed)?),
        };
        Ok(Places { offsets, place: self.place as i64 })
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
        match &self.kind {
            Kind::Plain(layout) => write!(f, "{layout}"),
            Kind::Swizzled(composed) => write!(f, "{composed}"),
        }
    }
}

impl Kind {
    fn layout(&self) -> &Layout {
        match self {
            Kind::Plain(layout) => layout,
            Kind::Swizzled(composed) => &composed.layout,
        }
    }

    /// The smallest and the largest offset, or bounds of them.
    fn image(&self) -> Result<(i64, i64), Refusal> {
        // Nothing at all has no offset, and the refusal to look for one there says which it would take.
        let nothing: &[()] = &[];
        let refused = match self {
            Kind::Plain(layout) => Tensor::new(nothing, *layout).err(),
            Kind::Swizzled(composed) => Tensor::new(nothing, *composed).err(),
        };
        match refused {
            Some(Error::Image { min, max, .. }) => Ok((min, max)),
            Some(error) => Err(error.into()),
            None => Ok((0, 0)),
        }
    }
}

/// The places of an operand's elements in its data.
pub struct Places {
    offsets: Offsets,
    place: i64,
}

#[allow(clippy::large_enum_variant)] // There are a handful of them.
enum Offsets {
    Plain(Tensor<Counting, Layout>),
    Swizzled(Tensor<Counting, Composed>),
}

impl Places {
    /// The place of an integral coordinate.
    pub fn at(&self, index: i64) -> usize {
        let offset = match &self.offsets {
            Offsets::Plain(tensor) => tensor.at(index),
            Offsets::Swizzled(tensor) => tensor.at(index),
        };
        (offset + self.place) as usize
    }

    /// All, in the order of integral coordinates.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        let each = match &self.offsets {
            Offsets::Plain(tensor) => Each::Plain(tensor.iter()),
            Offsets::Swizzled(tensor) => Each::Swizzled(tensor.iter()),
        };
        each.map(|offset| (offset + self.place) as usize)
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
