//! Layouts on named axes: TIRx's `S[..] + R[..] + offset`, and the threads and registers of a fragment of TileLang.
//!
//! Such a layout is a layout with coordinate strides whose components have names, `4@laneid` for `4@0`. Replicas do not depend
//! on the coordinate: the places of an element are those of the layout plus every offset of the replicas.

use tilework::{Error, Layout, Offset, Stride, Strides};

/// TIRx's axis of memory, which a stride without a name is along.
pub(crate) const MEMORY: &str = "m";

/// The names of the components of a layout's coordinates, and the replicas of an element.
#[derive(Clone, Debug, PartialEq)]
pub struct Axes {
    pub(crate) names: Vec<String>,
    pub(crate) replicas: Option<Layout>,
}

impl Axes {
    /// The names of the components of an offset, in their order: that in which the layout's text names them first.
    ///
    /// ```
    /// use tilework_expr::{Session, Value};
    /// let Value::Named(axes, _) = Session::new().evaluate("S[(8,4,2):(4@laneid,1@laneid,1)]")?.clone() else { panic!("names") };
    /// assert_eq!(axes.names(), ["laneid", "m"]);
    /// # Ok::<(), tilework_expr::ExprError>(())
    /// ```
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The offsets from the first place of an element to all of its places, if it has several.
    ///
    /// ```
    /// use tilework_expr::{Session, Value};
    /// let Value::Named(axes, _) = Session::new().evaluate("S[8:4@laneid] + R[4:1@laneid]")?.clone() else { panic!("names") };
    /// assert_eq!(axes.replicas().map(ToString::to_string), Some("4:1@0".into()));
    /// # Ok::<(), tilework_expr::ExprError>(())
    /// ```
    #[must_use]
    pub fn replicas(&self) -> Option<&Layout> {
        self.replicas.as_ref()
    }

    /// The offset along each axis.
    pub(crate) fn offset(&self, offset: Option<&Offset>) -> Vec<i64> {
        let own = offset.map_or(&[][..], |offset| offset.leaves());
        (0..self.names.len()).map(|axis| own.get(axis).map_or(0, |own| own.numerator())).collect()
    }

    /// The layout and its offset as they are read again: `S[shape:strides] + R[shape:strides] + offset`, where what is not
    /// along a named axis is along `m`.
    pub(crate) fn written(&self, layout: &Layout, offset: &[i64]) -> String {
        let spec = |layout: &Layout| format!("{}:{}", layout.shape(), strides(&layout.stride(), &self.names));
        let is_one_place =
            layout.as_tuple().is_leaf() && layout.size() == 1 && layout.leaves()[0].stride.is_zero();
        let shard = (!is_one_place || self.replicas.is_none()).then(|| format!("S[{}]", spec(layout)));
        let mut terms: Vec<String> = shard.into_iter().collect();
        terms.extend(self.replicas.map(|own| format!("R[{}]", spec(&own))));
        let all = layout.leaves().iter().chain(self.replicas.iter().flat_map(|own| own.leaves()));
        let moved: Vec<usize> = all.flat_map(|leaf| leaf.stride.terms()).map(component).collect();
        let axes = self.names.iter().zip(offset).enumerate();
        terms.extend(axes.filter(|(axis, (_, own))| **own != 0 || !moved.contains(axis)).map(
            |(_, (name, own))| match name.as_str() {
                MEMORY => own.to_string(),
                name => format!("{own}@{name}"),
            },
        ));
        terms.join(" + ")
    }
}

/// Strides with the names of their components.
fn strides(strides: &Strides, names: &[String]) -> String {
    let printed = strides.to_string();
    let mut pieces = printed.split('@');
    let mut text = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let digits = piece.len() - piece.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        match piece[..digits].parse().ok().and_then(|axis: usize| names.get(axis)) {
            Some(name) if name == MEMORY => {}
            Some(name) => text += &format!("@{name}"),
            None => text += &format!("@{}", &piece[..digits]),
        }
        text += &piece[digits..];
    }
    text
}

/// The layout with other strides, leaf by leaf.
pub(crate) fn with_strides(
    layout: &Layout,
    stride: impl Fn(Stride) -> Result<Stride, Error>,
) -> Result<Layout, Error> {
    let mut tuple = *layout.as_tuple();
    for leaf in tuple.leaves_mut() {
        leaf.stride = stride(leaf.stride)?;
    }
    Layout::new(tuple)
}

/// The component that a term of a stride is along; that of a number is the only one.
pub(crate) fn component(term: Stride) -> usize {
    let unit = term.unit();
    if unit.depth() == 0 { 0 } else { unit.path().0[0] }
}
