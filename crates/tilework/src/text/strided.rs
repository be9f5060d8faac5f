//! Layouts in notations with extents and strides only: mdspan and NumPy.

use super::Text;
use crate::codomain::Codomain;
use crate::error::{Error, tri};
use crate::int;
use crate::layout::{Layout, Leaf};
use crate::tuple::HTuple;

impl Layout {
    /// The layout as a mapping of C++'s `std::mdspan`.
    ///
    /// ```
    /// use tilework::layout;
    /// let rows = "std::layout_stride::mapping<std::extents<std::size_t, 4, 8>>(\
    ///             std::extents<std::size_t, 4, 8>{}, std::array<std::size_t, 2>{8, 1})";
    /// assert_eq!(layout!((4,8):(8,1)).to_mdspan()?.as_str(), rows);
    /// // What is one stride after all is written so.
    /// assert_eq!(layout!(((2,2),8):((8,16),1)).to_mdspan()?.as_str(), rows);
    /// assert_eq!(layout!((4,(2,4)):(1,(16,4))).to_mdspan().unwrap_err().to_string(), "mode 1 has several strides, and this form needs one stride per mode");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NotFlat`] if a mode is not one extent with one stride (`(4,(2,4)):(1,(16,4))`); [`Error::Codomain`] for
    /// offsets that are not integers; what `layout_stride` requires: [`Error::NegativeStride`] (`4:-1`),
    /// [`Error::Argument`] for stride 0 (`4:0`), [`Error::Overlap`] for modes that interleave (`(4,4):(1,2)`).
    pub const fn to_mdspan(&self) -> Result<Text, Error> {
        let flat = tri!(flat(self, "an mdspan"));
        tri!(nests(&flat));
        let mut text = Text::new();
        text.push("std::layout_stride::mapping<").push_extents(&flat).push(">(").push_extents(&flat);
        text.push("{}, std::array<std::size_t, ").push_int(flat.leaves().len() as i64).push(">{");
        let mut mode = 0;
        while mode < flat.leaves().len() {
            // The stride of an extent of 1 is irrelevant, except that it has to be positive.
            let Leaf { extent, stride } = flat.leaves()[mode];
            text.push(if mode > 0 { ", " } else { "" });
            text.push_int(if extent == 1 { 1 } else { stride.numerator() });
            mode += 1;
        }
        text.push("})");
        Ok(text)
    }

    /// The layout as NumPy's shape and strides in bytes, for elements of `bytes` bytes.
    ///
    /// ```
    /// use tilework::layout;
    /// assert_eq!(layout!((4,8):(8,1)).to_numpy(4)?.as_str(), "shape=(4, 8), strides=(32, 4)");
    /// assert_eq!(layout!(8:-1).to_numpy(2)?.as_str(), "shape=(8,), strides=(-2,)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// These are arguments of `numpy.lib.stride_tricks.as_strided`, and of `numpy.ndarray` together with a buffer.
    ///
    /// # Errors
    /// [`Error::NotFlat`] and [`Error::Codomain`] as for [`to_mdspan`](Self::to_mdspan); [`Error::Argument`] for elements
    /// of less than a byte; [`Error::Overflow`].
    pub const fn to_numpy(&self, bytes: i64) -> Result<Text, Error> {
        if bytes < 1 {
            let (operation, expected) = ("an array of NumPy", "elements of 1 byte or more");
            return Err(Error::Argument { operation, expected, found: bytes });
        }
        let flat = tri!(flat(self, "an array of NumPy"));
        let close = if flat.leaves().len() == 1 { ",)" } else { ")" };
        let mut text = Text::new();
        text.push("shape=(");
        let mut mode = 0;
        while mode < flat.leaves().len() {
            text.push(if mode > 0 { ", " } else { "" }).push_int(flat.leaves()[mode].extent);
            mode += 1;
        }
        text.push(close).push(", strides=(");
        mode = 0;
        while mode < flat.leaves().len() {
            let stride = tri!(int::mul(flat.leaves()[mode].stride.numerator(), bytes));
            text.push(if mode > 0 { ", " } else { "" }).push_int(stride);
            mode += 1;
        }
        text.push(close);
        Ok(text)
    }
}

/// One extent and one stride for each mode.
const fn flat(layout: &Layout, operation: &'static str) -> Result<Layout, Error> {
    if !layout.codomain().same(Codomain::Integer) {
        return Err(Error::Codomain { operation, found: layout.codomain() });
    }
    let mut out = HTuple::builder(Leaf::UNUSED);
    tri!(out.open(layout.rank()));
    let mut mode = 0;
    while mode < layout.rank() {
        match tri!(layout.mode(mode)).coalesce().leaves() {
            [leaf] => tri!(out.push(*leaf)),
            _ => return Err(Error::NotFlat { mode }),
        }
        mode += 1;
    }
    Layout::new(out)
}

/// Checks what `layout_stride` requires: strides are positive, and sorted by stride, no mode begins before the previous
/// one ends.
const fn nests(layout: &Layout) -> Result<(), Error> {
    let operation = "an mdspan";
    let sorted = layout.sort();
    let (mut before, mut i) = (Leaf::new(1, 1), 0);
    while i < sorted.leaves().len() {
        let leaf = sorted.leaves()[i];
        i += 1;
        let next = leaf.stride.numerator();
        if leaf.extent == 1 {
            continue;
        }
        if next < 0 {
            return Err(Error::NegativeStride { operation, stride: next });
        }
        if next == 0 {
            return Err(Error::Argument { operation, expected: "positive strides", found: 0 });
        }
        let Leaf { extent, stride } = before;
        let stride = stride.numerator();
        if !matches!(int::mul(extent, stride), Ok(end) if end <= next) {
            return Err(Error::Overlap { extent, stride, next });
        }
        before = leaf;
    }
    Ok(())
}

impl Text {
    const fn push_extents(&mut self, layout: &Layout) -> &mut Self {
        self.push("std::extents<std::size_t");
        let mut mode = 0;
        while mode < layout.leaves().len() {
            self.push(", ").push_int(layout.leaves()[mode].extent);
            mode += 1;
        }
        self.push(">")
    }
}
